"""Reading a Dice Throne table file (CONTRACT section 1.1) into a `Table`, or saying what is wrong where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from judge.core.errors import fail
from judge.core.games import DICE_THRONE
from judge.rules.catalog import Status
from judge.rules.dice_throne.state.editions import Edition
from judge.rules.dice_throne.state.table import (
    MODES,
    PHASES,
    TEAM_MODES,
    Claim,
    Seat,
    Table,
    TurnStart,
    Upgrade,
)
from judge.schemas.books import newest
from judge.schemas.dice_throne.catalog import catalog_for, read_catalogue, read_die
from judge.schemas.dice_throne.editions import edition_ids, load_edition, open_points, read_edition
from judge.schemas.dice_throne.events import MAX_EVENTS, EventReader
from judge.schemas.dice_throne.names import name_of
from judge.schemas.shape import (
    at,
    counts,
    dice,
    each,
    gathered,
    listing,
    mapping,
    number,
    one_of,
    text,
    truth,
)

__all__ = ["MAX_EVENTS", "edition_ids", "name_of", "read_edition", "read_table", "start_limit"]

_MOST = 9999

TABLE_KEYS = (
    "id", "title", "note", "game", "edition", "mode", "players", "teams", "turn", "events", "claims",
    "catalogue", "expect", "rulings",
)  # fmt: skip
PLAYER_KEYS = (
    "id", "hero", "team", "health", "cp", "hand", "deck", "discard", "statuses", "limits", "upgrades",
    "companions", "die", "side", "aged", "foreign",
)  # fmt: skip
TURN_KEYS = (
    "active", "phase", "first", "attempts", "dice", "announced", "order", "resolved", "skipped",
    "extra_attempts", "extra_target", "altered",
)  # fmt: skip
CLAIMED = ("final", "health", "returned")


def read_table(data: Any, path: str = "") -> Table:
    entry = mapping(data, path, TABLE_KEYS)
    edition_id = entry.get("edition", newest(DICE_THRONE).id)
    if edition_id not in edition_ids():
        raise fail(at(path, "edition"), "expected_one_of", words=edition_ids())
    edition = load_edition(edition_id)
    mode = one_of(entry.get("mode", "duel"), at(path, "mode"), MODES)
    reader = _Reader(entry, path, edition, mode)
    return reader.table()


class _Reader:
    def __init__(self, entry: dict[str, Any], path: str, edition: Edition, mode: str) -> None:
        self.entry, self.path, self.edition, self.mode = entry, path, edition, mode
        self.own = None
        if entry.get("catalogue") is not None:
            self.own = read_catalogue(entry["catalogue"], at(path, "catalogue"))
        players = listing(entry.get("players"), at(path, "players"))
        names = [p.get("hero") for p in players if isinstance(p, dict)]
        self.catalog = catalog_for([str(name) for name in names if name is not None], self.own)

    def table(self) -> Table:
        entry, path = self.entry, self.path
        self.seats = self._players(at(path, "players"))
        self.reader = EventReader(self.seats, self.catalog, self.own, self.edition)
        parts = gathered(
            {
                "teams": lambda: self._teams(at(path, "teams")),
                "turn": lambda: self._turn(entry.get("turn"), at(path, "turn")),
                "events": lambda: self.reader.events(entry.get("events"), at(path, "events")),
                "claims": lambda: self._claims(at(path, "claims")),
                "rulings": lambda: self._rulings(at(path, "rulings")),
                "expect": lambda: mapping(entry.get("expect"), at(path, "expect")),
            }
        )
        del parts["expect"]
        name = entry.get("id")
        return Table(
            id=None if name is None else str(name),
            edition=self.edition,
            mode=self.mode,
            players=tuple(self.seats),
            catalog=self.reader.catalog,
            open_points=open_points(),
            other_editions=self._other_editions() if parts["claims"] else (),
            **parts,
        )

    def _other_editions(self) -> tuple[Edition, ...]:
        return tuple(load_edition(name) for name in edition_ids() if name != self.edition.id)

    # -------------------------------------------------------------- players and turn

    def _players(self, path: str) -> list[Seat]:
        seats = each(listing(self.entry.get("players"), path), path, self._seat)
        low, high = {"duel": (2, 2), "2v2": (4, 4), "3v3": (6, 6)}.get(self.mode, (2, 6))
        if not low <= len(seats) <= high:
            raise fail(path, "expected_players", low=low, high=high, mode=self.mode)
        ids = [seat.id for seat in seats]
        for n, seat in enumerate(seats, start=1):
            if ids.count(seat.id) > 1:
                raise fail(at(at(path, n), "id"), "id_twice", id=seat.id)
            if self.mode in TEAM_MODES and seat.team is None:
                raise fail(at(at(path, n), "team"), "key_missing")
        if self.mode in TEAM_MODES:
            self._check_teams(seats, path)
        return seats

    def _check_teams(self, seats: list[Seat], path: str) -> None:
        names = [seat.team for seat in seats]
        sizes = {names.count(name) for name in names}
        if len(set(names)) != 2 or len(sizes) != 1:
            raise fail(path, "expected_two_equal_teams")

    def _seat(self, value: Any, path: str) -> Seat:
        entry = mapping(value, path, PLAYER_KEYS)
        if "id" not in entry:
            raise fail(at(path, "id"), "key_missing")
        numbers = self.edition.numbers
        hero_id = None if entry.get("hero") is None else text(entry["hero"], at(path, "hero"))
        hero = self.catalog.heroes.get(hero_id or "")
        count = _counter(entry, path)
        seat = Seat(
            id=text(entry["id"], at(path, "id")),
            hero=hero_id,
            team=None if entry.get("team") is None else text(entry["team"], at(path, "team")),
            health=count("health", numbers.start_health[self.mode]),
            cp=count("cp", numbers.start_cp, numbers.cp_cap),
            hand=count("hand", numbers.start_hand),
            deck=count("deck", None),
            discard=count("discard", 0 if entry.get("deck") is not None else None),
            die=hero.dice if hero else (),
            side=hero.side if hero else "",
            given=frozenset(entry),
        )
        if "die" in entry:
            seat.die = read_die(entry["die"], at(path, "die"))
        if "side" in entry:
            seat.side = one_of(entry["side"], at(path, "side"), ("human", "cursed"))
        self._tokens(seat, entry, path, hero)
        seat.upgrades = _read_upgrades(entry.get("upgrades"), at(path, "upgrades"))
        return seat

    def _tokens(self, seat: Seat, entry: dict[str, Any], path: str, hero: Any) -> None:
        seat.limits = counts(entry.get("limits"), at(path, "limits"))
        seat.companions = counts(entry.get("companions"), at(path, "companions"))
        fresh = dict(hero.setup_statuses) if hero else {}
        given = entry.get("statuses", fresh)
        seat.statuses = counts(given if given is not None else {}, at(path, "statuses"))
        for status_id, tokens in seat.statuses.items():
            limit = start_limit(self.catalog.statuses.get(status_id), seat)
            if limit is not None and tokens > limit:
                raise fail(at(at(path, "statuses"), status_id), "expected_between", low=0, high=limit)
        seat.foreign = counts(entry.get("foreign"), at(path, "foreign"))
        if entry.get("aged") is not None:
            aged = listing(entry["aged"], at(path, "aged"))
            seat.aged = tuple(text(item, at(at(path, "aged"), n)) for n, item in enumerate(aged, start=1))

    def _teams(self, path: str) -> dict[str, int]:
        given = mapping(self.entry.get("teams"), path)
        if self.mode not in TEAM_MODES:
            if given:
                raise fail(path, "no_teams_in_mode", mode=self.mode)
            return {}
        names = {seat.team for seat in self.seats if seat.team is not None}
        for name in given:
            if name not in names:
                raise fail(at(path, str(name)), "expected_one_of", words=sorted(names))
        order = dict.fromkeys(seat.team for seat in self.seats if seat.team is not None)
        return {
            name: number(given[name] if name in given else self._dial(name, path), at(path, name), 0, _MOST)
            for name in order
        }

    def _dial(self, team: str, path: str) -> int:
        """A shared dial that `teams` leaves out: the health its members are said to have, or a fresh one."""
        told = {seat.health for seat in self.seats if seat.team == team and "health" in seat.given}
        if len(told) > 1:  # one dial cannot show both
            raise fail(at(path, team), "key_missing")
        return told.pop() if told else self.edition.numbers.start_health[self.mode]

    def _turn(self, value: Any, path: str) -> TurnStart:
        entry = mapping(value, path, TURN_KEYS)
        turn = TurnStart()
        if entry.get("active") is not None:
            turn.active = self.reader.player(entry["active"], at(path, "active"))
        if entry.get("phase") is not None:
            turn.phase = one_of(entry["phase"], at(path, "phase"), PHASES)
        if entry.get("first") is not None:
            turn.first = truth(entry["first"], at(path, "first"))
        turn.attempts = number(entry.get("attempts", 0), at(path, "attempts"), 0, 20)
        if entry.get("dice") is not None:
            turn.dice = dice(entry["dice"], at(path, "dice"), 5, 5)
        if entry.get("announced") is not None:
            turn.announced = text(entry["announced"], at(path, "announced"))
        if entry.get("order") is not None:
            here = at(path, "order")
            order = listing(entry["order"], here)
            turn.order = tuple(self.reader.player(name, at(here, n)) for n, name in enumerate(order, start=1))
            if sorted(turn.order) != sorted(seat.id for seat in self.seats):
                raise fail(here, "expected_every_player_once")
        self._remembered(turn, entry, path)
        return turn

    def _remembered(self, turn: TurnStart, entry: dict[str, Any], path: str) -> None:
        """What a game that was cut inside a turn carries on."""
        turn.resolved = counts(entry.get("resolved") or {}, at(path, "resolved"))
        skipped = mapping(entry.get("skipped") or {}, at(path, "skipped"), PHASES)
        turn.skipped = {k: text(v, at(at(path, "skipped"), k)) for k, v in skipped.items()}
        turn.extra_attempts = number(entry.get("extra_attempts", 0), at(path, "extra_attempts"), 0, 20)
        if entry.get("extra_target") is not None:
            turn.extra_target = self.reader.player(entry["extra_target"], at(path, "extra_target"))
        turn.altered = truth(entry.get("altered", False), at(path, "altered"))

    def _claims(self, path: str) -> tuple[Claim, ...]:
        return tuple(each(listing(self.entry.get("claims"), path), path, self._claim))

    def _claim(self, value: Any, path: str) -> Claim:
        entry = mapping(value, path, ("by", "player", *CLAIMED))
        if "player" not in entry:
            raise fail(at(path, "player"), "key_missing")
        player = self.reader.player(entry["player"], at(path, "player"))
        by = self.reader.player(entry["by"], at(path, "by")) if entry.get("by") is not None else player
        named = [key for key in CLAIMED if key in entry] or ["final"]
        if len(named) > 1:
            raise fail(path, "expected_one_claim", words=list(CLAIMED), found=len(named))
        if named[0] not in entry:
            raise fail(at(path, "final"), "key_missing")
        return Claim(by, player, number(entry[named[0]], at(path, named[0]), 0, _MOST), named[0])

    def _rulings(self, path: str) -> dict[str, str]:
        chosen: dict[str, str] = {}
        for key, letter in mapping(self.entry.get("rulings"), path).items():
            if key not in open_points():
                raise fail(at(path, str(key)), "expected_one_of", words=sorted(open_points()))
            chosen[key] = one_of(letter, at(path, str(key)), open_points()[key][0])
        return chosen


def _counter(entry: dict[str, Any], path: str) -> Callable[..., Any]:
    def count(key: str, default: int | None, most: int = _MOST) -> int | None:
        if entry.get(key) is None:
            return default
        return number(entry[key], at(path, key), 0, most)

    return count


def start_limit(status: Status | None, seat: Seat) -> int | None:
    """The most tokens of a status this player may hold; None is no known limit."""
    raised = seat.limits.get(status.id) if status else None
    if raised is not None:
        return raised
    if status is None:
        return None
    if status.owner_limit is not None and seat.hero in status.owners:
        return status.owner_limit
    return status.stack_limit


def _read_upgrades(value: Any, path: str) -> dict[str, Upgrade]:
    result: dict[str, Upgrade] = {}
    for ability, item in mapping(value, path).items():
        here = at(path, str(ability))
        if isinstance(item, dict):
            entry = mapping(item, here, ("level", "cost"))
            cost = entry.get("cost")
            result[str(ability)] = Upgrade(
                number(entry.get("level"), at(here, "level"), 1, 3),
                None if cost is None else number(cost, at(here, "cost"), 0, _MOST),
            )
        else:
            result[str(ability)] = Upgrade(number(item, here, 1, 3))
    return result

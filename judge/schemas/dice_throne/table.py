"""Reads a Dice Throne table file (docs/files.md, section 1.1) into a `Table`, or reports every fault."""

from __future__ import annotations

from typing import Any

from judge.core.errors import InputError, fail
from judge.core.games import DICE_THRONE
from judge.rules.dice_throne.state.editions import Edition
from judge.rules.dice_throne.state.table import (
    MODES,
    PHASES,
    Claim,
    Table,
    TurnStart,
)
from judge.schemas.books import books, newest
from judge.schemas.dice_throne.catalog import read_catalogue
from judge.schemas.dice_throne.editions import (
    edition_ids,
    load_edition,
    open_points,
    read_edition,
    split_points,
)
from judge.schemas.dice_throne.events import EventReader
from judge.schemas.dice_throne.former_ids import FormerIds
from judge.schemas.dice_throne.names import name_of
from judge.schemas.dice_throne.players import PlayersReader
from judge.schemas.dice_throne.shipped import catalog_for, hero_meant
from judge.schemas.fixtures import rulebook
from judge.schemas.shape import (
    MAX_CLAIMS,
    MAX_COUNT,
    MAX_EVENTS,
    Fields,
    at,
    counts,
    dice,
    each,
    each_key,
    in_order,
    listing,
    mapping,
    name,
    number,
    one_of,
    text,
    truth,
)

__all__ = ["MAX_EVENTS", "edition_ids", "name_of", "read_edition", "read_table"]

TABLE_KEYS = (
    "id", "title", "note", "game", "edition", "mode", "players", "teams", "turn", "events", "claims",
    "catalogue", "expect", "rulings",
)  # fmt: skip
TURN_KEYS = (
    "active", "phase", "first", "attempts", "dice", "announced", "order", "resolved", "skipped",
    "extra_attempts", "extra_target", "altered", "used",
)  # fmt: skip
CLAIMED = ("final", "health", "returned")


def read_table(data: Any, path: str = "") -> Table:
    try:
        return _Reader(Fields(data, path, TABLE_KEYS)).table()
    except InputError as error:
        raise in_order(error, data, path) from None


class _Reader:
    """Reads a table part by part; `fields` keeps the faults of all parts."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.old_points: list[str] = []  # given under the number they had before they were split
        editions = sorted(book.id for book in books(DICE_THRONE))
        self.edition = load_edition(fields.get("edition", one_of, newest(DICE_THRONE).id, editions))
        # an unreadable mode is treated as one with any number of players
        self.mode = fields.get(
            "mode", one_of, "king-of-the-hill" if fields.entry.get("mode") else "duel", MODES
        )
        own = fields.get("catalogue", read_catalogue)
        players = fields.get("players", listing, [])
        players = [
            {**player, "hero": hero_meant(player, own)}
            if isinstance(player, dict) and player.get("hero") is not None
            else player
            for player in players
        ]
        heroes = [player.get("hero") for player in players if isinstance(player, dict)]
        catalog = catalog_for(
            [str(hero) for hero in heroes if hero is not None], own, edition=self.edition.id
        )
        self.former = FormerIds()
        self.players = PlayersReader(fields, self.mode, self.edition, catalog, self.former)
        self.seats = self.players.read(players)
        self.reader = EventReader(self.seats, catalog, own, self.edition, self.players.knows_all, self.former)

    def table(self) -> Table:
        fields = self.fields
        fields.get("title", text)
        fields.get("note", text)
        fields.get("expect", mapping)
        claims = fields.get("claims", self._claims, ())
        table = Table(
            id=fields.get("id", text),
            edition=self.edition,
            mode=self.mode,
            players=tuple(self.seats),
            teams=self._teams(),
            turn=fields.get("turn", self._turn, TurnStart()),
            events=fields.get("events", self.reader.events, ()),
            claims=claims,
            catalog=self.reader.catalog,  # read after the events, which add to it
            rulings=fields.get("rulings", self._rulings, {}),
            old_points=tuple(self.old_points),
            former_ids=self.former.used,
            open_points=open_points(),
            other_editions=self._other_editions() if claims else (),
            differing=rulebook(DICE_THRONE).differing if claims else frozenset(),
        )
        fields.done()
        return table

    def _teams(self) -> dict[str, int]:
        teams: dict[str, int] = {}
        value, path = self.fields.entry.get("teams"), at(self.fields.path, "teams")
        self.fields.check(lambda: teams.update(self.players.teams(value, path)))
        return teams

    def _other_editions(self) -> tuple[Edition, ...]:
        return tuple(load_edition(edition) for edition in edition_ids() if edition != self.edition.id)

    def _turn(self, value: Any, path: str) -> TurnStart:
        fields, player = Fields(value, path, TURN_KEYS), self.reader.player
        turn = TurnStart(
            active=fields.get("active", player),
            phase=fields.get("phase", one_of, None, PHASES),
            first=fields.get("first", truth, False),
            attempts=fields.get("attempts", number, 0, 0, 20),
            dice=fields.get("dice", dice, (), 5, 5),
            announced=fields.get("announced", name),
            order=fields.get("order", self._order, ()),
            # what a game that was cut inside a turn carries on
            resolved=fields.get("resolved", counts, {}),
            skipped=fields.get("skipped", _skipped, {}),
            extra_attempts=fields.get("extra_attempts", number, 0, 0, 20),
            extra_target=fields.get("extra_target", player),
            altered=fields.get("altered", truth, False),
            used=fields.get("used", counts, {}),
        )
        if turn.announced is not None:
            hero = next((seat.hero for seat in self.seats if seat.id == turn.active), None)
            turn.announced = self.former.ability(self.reader.catalog, hero, turn.announced)
        fields.done()
        if turn.first:
            self._start_first(turn.active)
        return turn

    def _start_first(self, active: str | None) -> None:
        """What a hero has at the start if its player is the Starting Player (DT-SET-06)."""
        for seat in self.seats:
            hero = self.reader.catalog.heroes.get(seat.hero or "")
            if seat.id == active and hero is not None and "statuses" not in seat.given:
                seat.statuses = {**seat.statuses, **hero.first_statuses}

    def _order(self, value: Any, path: str) -> tuple[str, ...]:
        order = each(listing(value, path), path, self.reader.player)
        if sorted(order) != sorted(seat.id for seat in self.seats) and self.players.knows_all:
            raise fail(path, "expected_every_player_once")
        return tuple(order)

    def _claims(self, value: Any, path: str) -> tuple[Claim, ...]:
        return tuple(each(listing(value, path, MAX_CLAIMS), path, self._claim))

    def _claim(self, value: Any, path: str) -> Claim:
        fields, player = Fields(value, path, ("by", "player", *CLAIMED)), self.reader.player
        of = [key for key in CLAIMED if key in fields.entry] or ["final"]
        if len(of) > 1:
            fields.fault("", "expected_one_claim", words=list(CLAIMED), found=len(of))
        who = fields.must("player", player, "")
        claim = Claim(
            by=fields.get("by", player, who),
            player=who,
            value=fields.must(of[0], number, 0, 0, MAX_COUNT),
            of=of[0],
        )
        fields.done()
        return claim

    def _rulings(self, value: Any, path: str) -> dict[str, str]:
        fields = Fields(value, path)
        for point in fields.entry.keys() - open_points().keys() - split_points().keys():
            fields.fault(point, "expected_one_of", words=sorted(open_points()))
        chosen: dict[str, str] = {}
        for point, parts in split_points().items():  # the old number of several points holds for each of them
            if point in fields.entry:
                self.old_points.append(point)
                letter = fields.must(point, one_of, "", open_points()[parts[0]][0])
                chosen |= dict.fromkeys(parts, letter)
        points = [point for point in fields.entry if point in open_points()]
        chosen |= {point: fields.must(point, one_of, "", open_points()[point][0]) for point in points}
        fields.done()
        return chosen


def _skipped(value: Any, path: str) -> dict[str, str]:
    mapping(value, path, PHASES)
    return each_key(value, path, name)

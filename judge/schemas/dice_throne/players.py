"""Reads the players of a Dice Throne table and their teams.

A player with a fault is kept as far as readable, so that the turn and the events are checked too.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from judge.core.errors import fail
from judge.rules.catalog import Catalog, Hero, Status
from judge.rules.dice_throne.state.editions import Edition
from judge.rules.dice_throne.state.table import TEAM_MODES, Seat, Upgrade
from judge.schemas.dice_throne.catalog import read_die
from judge.schemas.dice_throne.former_ids import FormerIds
from judge.schemas.shape import (
    MAX_COUNT,
    Fields,
    at,
    counts,
    each,
    each_key,
    listing,
    mapping,
    name,
    number,
    one_of,
    player_name,
    text,
)

PLAYER_KEYS = (
    "id", "hero", "team", "health", "cp", "hand", "deck", "discard", "statuses", "limits", "upgrades",
    "companions", "die", "side", "aged", "foreign", "fresh", "downed", "skips", "handicaps",
)  # fmt: skip
MOST_PLAYERS = 6
MAX_HANDICAP = 20
_HANDICAPS = ("fewer_roll_attempts", "attempt_price")
USUAL_SIDES = ("human", "cursed")  # of a hero whose sides nobody names
_SEATS = {"duel": (2, 2), "2v2": (4, 4), "3v3": (6, 6)}


class PlayersReader:
    """Reads the players of one table; the faults go to the table's fields."""

    def __init__(
        self, table: Fields, mode: str, edition: Edition, catalog: Catalog, former: FormerIds
    ) -> None:
        self.table, self.mode, self.edition, self.catalog = table, mode, edition, catalog
        self.former = former
        self.path = at(table.path, "players")
        self.knows_all = True  # false if a player is missing or has no readable id
        self.seats: list[Seat] = []

    def read(self, players: list[Any]) -> list[Seat]:
        low, high = _SEATS.get(self.mode, (2, MOST_PLAYERS))
        if not low <= len(players) <= high:
            self.table.fault("players", "expected_players", low=low, high=high, mode=self.mode)
            self.knows_all = False
        before = len(self.table.problems)
        self.seats = [self._seat(value, at(self.path, n)) for n, value in enumerate(players[:high], start=1)]
        self._check_ids()
        if self.mode in TEAM_MODES and len(self.table.problems) == before:
            self._check_teams()
        return self.seats

    def _check_ids(self) -> None:
        times = Counter(seat.id for seat in self.seats)
        for n, seat in enumerate(self.seats, start=1):
            if seat.id and times[seat.id] > 1:
                self.table.fault(f"players[{n}].id", "id_twice", id=seat.id)
        self.knows_all = self.knows_all and "" not in times

    def _check_teams(self) -> None:
        teams = [seat.team for seat in self.seats]
        for n, team in enumerate(teams, start=1):
            if team is None:
                self.table.fault(f"players[{n}].team", "key_missing")
        if None not in teams and list(Counter(teams).values()) != [len(teams) // 2] * 2:
            self.table.fault("players", "expected_two_equal_teams")

    def _seat(self, value: Any, path: str) -> Seat:
        fields = Fields(value, path, PLAYER_KEYS)
        numbers, entry = self.edition.numbers, fields.entry
        hero_id = fields.get("hero", text)
        hero = self.catalog.heroes.get(hero_id or "")
        seat = Seat(
            id=fields.must("id", player_name, ""),
            hero=hero_id,
            team=fields.get("team", name),
            health=fields.get("health", number, numbers.start_health[self.mode], 0, MAX_COUNT),
            cp=fields.get("cp", number, numbers.start_cp, 0, numbers.cp_cap),
            hand=fields.get("hand", number, numbers.start_hand, 0, MAX_COUNT),
            deck=fields.get("deck", number, None, 0, MAX_COUNT),
            discard=fields.get("discard", number, 0 if entry.get("deck") is not None else None, 0, MAX_COUNT),
            limits=fields.get("limits", counts, {}),
            upgrades=fields.get("upgrades", each_key, {}, _upgrade),
            companions=fields.get("companions", counts, hero.setup_companions if hero else {}),
            die=fields.get("die", read_die, hero.dice if hero else ()),
            side=fields.get("side", one_of, hero.side if hero else "", (hero and hero.sides) or USUAL_SIDES),
            aged=fields.get("aged", _names),
            foreign=fields.get("foreign", counts, {}),
            fresh=fields.get("fresh", counts, {}),
            downed=fields.get("downed", _names, ()),
            skips=fields.get("skips", each_key, {}, text),
            handicaps=fields.get("handicaps", _handicaps, {}),
            given=frozenset(entry),
        )
        seat.upgrades = {
            self.former.ability(self.catalog, seat.hero, ability): upgrade
            for ability, upgrade in seat.upgrades.items()
        }
        self._read_statuses(seat, fields, hero)
        self.table.problems += fields.problems
        return seat

    def _read_statuses(self, seat: Seat, fields: Fields, hero: Hero | None) -> None:
        """The tokens a player holds; if the file does not say, those of set-up."""
        if "statuses" in fields.entry:
            held = fields.get("statuses", counts, {})
            seat.statuses = {status_id: tokens for status_id, tokens in held.items() if tokens}
        elif hero is not None:
            seat.statuses = dict(hero.setup_statuses)
        for status_id, tokens in seat.statuses.items():
            limit = start_limit(self.catalog.statuses.get(status_id), seat)
            if limit is not None and tokens > limit:
                fields.fault(at("statuses", status_id), "expected_between", low=0, high=limit)

    # -------------------------------------------------------------- teams

    def teams(self, value: Any, path: str) -> dict[str, int]:
        """The shared dials, in seat order."""
        fields = Fields(value, path)
        if self.mode not in TEAM_MODES:
            if fields.entry:
                raise fail(path, "no_teams_in_mode", mode=self.mode)
            fields.done()
            return {}
        order = list(dict.fromkeys(seat.team for seat in self.seats if seat.team is not None))
        for team in fields.entry:
            if team not in order and self.knows_all:
                fields.fault(team, "expected_one_of", words=sorted(order))
        dials = {}
        for team in order:
            if team in fields.entry:
                dials[team] = fields.must(team, number, 0, 0, MAX_COUNT)
            else:
                dials[team] = self._dial(team, fields)
        fields.done()
        return dials

    def _dial(self, team: str, fields: Fields) -> int:
        """A shared dial that `teams` leaves out: the health given for its members, or a full one."""
        said = {seat.health for seat in self.seats if seat.team == team and "health" in seat.given}
        if len(said) > 1:  # one dial cannot show both
            fields.fault(team, "key_missing")
        return said.pop() if said else self.edition.numbers.start_health[self.mode]


def start_limit(status: Status | None, seat: Seat) -> int | None:
    """The most tokens of a status this player may hold; None if no limit is known."""
    raised = seat.limits.get(status.id) if status else None
    if raised is not None:
        return raised
    if status is None:
        return None
    if status.owner_limit is not None and seat.hero in status.owners:
        return status.owner_limit
    return status.stack_limit


def _names(value: Any, path: str) -> tuple[str, ...]:
    return tuple(each(listing(value, path), path, name))


def _handicaps(value: Any, path: str) -> dict[str, int]:
    return each_key(mapping(value, path, _HANDICAPS), path, number, -MAX_HANDICAP, MAX_HANDICAP)


def _upgrade(value: Any, path: str) -> Upgrade:
    """A level, or a level and what it cost."""
    if not isinstance(value, dict):
        return Upgrade(number(value, path, 1, 3))
    fields = Fields(value, path, ("level", "cost"))
    upgrade = Upgrade(fields.must("level", number, 1, 1, 3), fields.get("cost", number, None, 0, MAX_COUNT))
    fields.done()
    return upgrade

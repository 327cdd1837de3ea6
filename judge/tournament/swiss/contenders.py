"""The players to pair, in order of standing, with everything a pairing weighs: points, earlier meetings,
floats, byes, clubs, who started. Built once per round from the tournament; the solvers see nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Literal

from judge.core.errors import fail
from judge.tournament.history import History, has_finished
from judge.tournament.model import Pattern, PlayerId, Tournament
from judge.tournament.standings import LiveStandings

Direction = Literal["down", "up", ""]
MOST_PARTED = 60_000  # pairs of club mates who may never meet


@dataclass(slots=True, eq=False)
class Contender:
    id: PlayerId
    points: int  # in the event's smallest unit, so always whole
    standing: int  # 0 is the leader; nobody shares it (equal ranks are drawn by lot)
    rank: int = 0  # 0 is the leader; shared by those equal on everything
    label: str = ""
    club: str | None = None
    met: dict[PlayerId, list[int]] = field(default_factory=dict)
    floats: tuple[Direction, Direction] = ("", "")  # last round, the round before
    byes: int = 0
    has_free_win: bool = False
    enters_now: bool = False
    starts: int = 0  # times first minus times second, where the event records it

    @property
    def may_have_bye(self) -> bool:
        return not (self.byes or self.has_free_win or self.enters_now)


@dataclass(frozen=True, slots=True)
class Draw:
    """The input for pairing one round. `contenders` are in pairing order: by points, then by the pattern."""

    round: int
    contenders: tuple[Contender, ...]
    pattern: Pattern
    unit: int  # points are multiples of 1/unit
    forbidden: frozenset[frozenset[PlayerId]] = frozenset()
    balances_starts: bool = False
    parts_clubs: bool = True  # whether club mates are kept apart where that costs no points
    seed: int = 0
    is_first: bool = False  # nobody has played yet


def next_draw(tournament: Tournament, seed: int = 0, players: Collection[PlayerId] | None = None) -> Draw:
    """Everybody to be paired. Where only some `players` are, tie-breakers order these alone."""
    own_number = len(tournament.rounds) + 1
    number = tournament.rounds_before + own_number
    live = LiveStandings(tournament, players=players)
    active = {
        e.id: e
        for e in tournament.active(own_number)
        if not has_finished(tournament.format, live.field.histories[e.id])
    }
    lot, level = _lots(tournament, seed, number), live.levels()
    order = sorted(active, key=lambda p: (level[p], _seed_first(active[p].seed, number), lot[p]))
    unit = lcm(*(live.field.points(p).denominator for p in active)) if active else 1
    tracked = any(m.first for matches in tournament.all_rounds for m in matches)
    contenders = [_contender(tournament, live, p, standing, number, unit) for standing, p in enumerate(order)]
    ranks = {level[p]: n for n, p in reversed(list(enumerate(order)))}
    for contender in contenders:
        contender.club, contender.rank = active[contender.id].club, ranks[level[contender.id]]
        if players is None or contender.id in players:
            contender.floats = _floats(live.field.histories, contender.id, number)
    if tracked:
        _count_starts(tournament, {c.id: c for c in contenders})
    pattern = tournament.format.pattern_in(own_number)
    if pattern == "random":
        contenders.sort(key=lambda c: (-c.points, lot[c.id]))
    return Draw(
        round=own_number,
        contenders=tuple(contenders),
        pattern=pattern,
        unit=unit,
        forbidden=_forbidden(tournament, number),
        balances_starts=tracked,
        parts_clubs=tournament.clubs.holds_in(number),
        seed=seed,
        is_first=number == 1,
    )


def _forbidden(t: Tournament, number: int) -> frozenset[frozenset[PlayerId]]:
    """The pairs that may not meet: those named, and club mates where that is a hard rule."""
    pairs = {frozenset(pair) for pair in t.forbidden}
    if t.clubs.is_hard and t.clubs.holds_in(number):
        clubs: dict[str, list[PlayerId]] = {}
        for entrant in t.entrants:
            if entrant.club:
                clubs.setdefault(entrant.club, []).append(entrant.id)
        if sum(len(mates) ** 2 for mates in clubs.values()) > 2 * MOST_PARTED:
            raise fail("clubs", "tournament_clubs_too_big", most=MOST_PARTED)
        pairs |= {frozenset(pair) for mates in clubs.values() for pair in combinations(mates, 2)}
    return frozenset(pairs)


def _lots(tournament: Tournament, seed: int, number: int) -> dict[PlayerId, int]:
    """A seeded random order of all entrants, so that nobody's lot depends on who else has dropped."""
    names = sorted(e.id for e in tournament.entrants)
    random.Random(f"{seed}/{number}").shuffle(names)  # noqa: S311 - a stored seed is the point
    return {name: n for n, name in enumerate(names)}


def _seed_first(seed: int | None, number: int) -> int:
    """In round 1 seeded players come first, in order of seed."""
    return 0 if number > 1 else seed if seed is not None else 10**9


def _contender(
    t: Tournament, live: LiveStandings, player: PlayerId, standing: int, number: int, unit: int
) -> Contender:
    history, own_number = live.field.histories[player], number - t.rounds_before
    met: dict[PlayerId, list[int]] = {}
    for p in history.opponents():
        if p.opponent is not None:
            met.setdefault(p.opponent, []).append(p.round)
    return Contender(
        id=player,
        points=int(history.points * unit),
        standing=standing,
        label=t.label(player),
        met=met,
        byes=history.byes,
        has_free_win=any(p.outcome == "win" and not p.over_the_board for p in history.played),
        enters_now=own_number > 1 and t.late.get(player, 1) == own_number,
    )


def _floats(everybody: dict[PlayerId, History], player: PlayerId, number: int) -> tuple[Direction, Direction]:
    """In which direction the player floated in the last round and in the one before."""
    own = everybody[player]

    def direction(round_number: int) -> Direction:
        played = next((p for p in own.played if p.round == round_number), None)
        if played is None or played.opponent is None:
            return ""
        before = _before(own, round_number), _before(everybody[played.opponent], round_number)
        return "down" if before[0] > before[1] else "up" if before[0] < before[1] else ""

    return direction(number - 1), direction(number - 2)


def _before(history: History, round_number: int) -> Fraction:
    """The points before a round, which is one of the last: taken off the end."""
    points = history.points
    for played in reversed(history.played):
        if played.round < round_number:
            break
        if played.points:
            points -= played.points
    return points


def _count_starts(tournament: Tournament, contenders: dict[PlayerId, Contender]) -> None:
    for matches in tournament.all_rounds:
        for m in matches:
            if m.first and m.a and m.b:
                first, second = (m.a, m.b) if m.first == "a" else (m.b, m.a)
                if first in contenders:
                    contenders[first].starts += 1
                if second in contenders:
                    contenders[second].starts -= 1


def groups_of(contenders: Sequence[Contender]) -> list[tuple[int, int]]:
    """Score groups as ranges of positions, highest first."""
    edges = [n for n in range(1, len(contenders)) if contenders[n].points != contenders[n - 1].points]
    starts = [0, *edges] if contenders else []
    return list(zip(starts, [*edges, len(contenders)], strict=True))

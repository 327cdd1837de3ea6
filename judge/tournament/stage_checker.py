"""Checks what a stage hands to the next, and the rounds of brackets and schedules, like `checker` without the
code that made them: it counts results itself and knows only the rules.

Faults: somebody goes on who should not, or stays behind who should not; in a bracket, a player who is out
plays, the first round is not by seed, or somebody who is in sits idle; in a schedule, a pair meets too often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from judge.core.messages import Message
from judge.tournament.checker import points_of, seat_faults
from judge.tournament.model import Match, PlayerId, Result, Tournament
from judge.tournament.pairing import Pairing
from judge.tournament.stages import Take


def cut_faults(before: Tournament, take: Take, through: Sequence[PlayerId]) -> list[Message]:
    """What is wrong with who goes on after a stage, by points alone: tie-breakers are not its business."""
    here = [e for e in before.entrants if before.drops.get(e.id, len(before.rounds) + 1) > len(before.rounds)]
    points, groups = points_of(before), {e.id: e.group or 0 for e in here}
    inside = set(through)
    faults = [Message("fault_not_in_event", name=before.label(p)) for p in inside - groups.keys()]
    if take.points is not None:
        wanted = {e.id for e in here if points[e.id] >= take.points}
        return faults + [Message("fault_cut", name=before.label(p)) for p in sorted(wanted ^ inside)]
    pools: dict[int, list[PlayerId]] = {}
    for entrant in here:
        pools.setdefault(groups[entrant.id] if take.of_each_group else 0, []).append(entrant.id)
    size = take.of_each_group or take.top or len(here)
    for pool in pools.values():
        faults += _pool_faults(before, pool, points, inside, size)
    return faults


def _pool_faults(
    t: Tournament, pool: list[PlayerId], points: dict[PlayerId, Fraction], inside: set[PlayerId], size: int
) -> list[Message]:
    through = [p for p in pool if p in inside]
    if len(through) != min(size, len(pool)):
        return [Message("fault_cut_size", n=len(through), size=min(size, len(pool)))]
    least = min((points[p] for p in through), default=Fraction(0))
    return [Message("fault_cut", name=t.label(p)) for p in pool if p not in inside and points[p] > least]


# -- brackets -----------------------------------------------------------------------------------------------


def bracket_faults(t: Tournament, pairing: Pairing, lives: int) -> list[Message]:
    """What is wrong with a round of a bracket; with `lives` lost matches a player is out."""
    faults = seat_faults(t, pairing)
    if not t.rounds:
        return faults + _first_round_faults(t, pairing)
    lost = losses(t)
    gone = {p for p, number in t.drops.items() if number < len(t.rounds) + 1}
    third = _third_place(t) if t.format.third_place else frozenset()
    playing = {p for table in pairing.tables for p in table.players}
    for table in pairing.tables:
        is_third = frozenset(table.players) == third
        out = [p for p in table.players if (lost[p] >= lives and not is_third) or p in gone]
        faults += [Message("fault_out_of_bracket", name=t.label(p)) for p in out]
    idle = [e.id for e in t.entrants if lost[e.id] == 0 and e.id not in gone and e.id not in playing]
    if len(idle) > (0 if lives == 1 and not gone else 1):
        faults += [Message("fault_missing", name=t.label(p)) for p in idle]
    return faults


def _first_round_faults(t: Tournament, pairing: Pairing) -> list[Message]:
    """Seed 1 meets the last, 2 the last but one ...; the best have byes where the bracket is not full."""
    order = sorted(t.entrants, key=lambda e: (e.seed is None, e.seed or 0))
    seed = {e.id: n for n, e in enumerate(order, start=1)}
    size = 2
    while size < len(order):
        size *= 2
    faults = [
        Message("fault_seeds", a=seed[table.a], b=seed[table.b])
        for table in pairing.tables
        if seed[table.a] + seed[table.b] != size + 1
    ]
    wrong = {seed[p] for p in pairing.byes} ^ set(range(1, size - len(order) + 1))
    return faults + [Message("fault_seed_bye", seed=n) for n in sorted(wrong)]


def losses(t: Tournament) -> Counter[PlayerId]:
    """How many matches each player has lost."""
    lost: Counter[PlayerId] = Counter()
    for m in (m for matches in t.rounds for m in matches):
        lost.update(loser for loser in _losers(m) if loser is not None)
    return lost


def _losers(m: Match) -> list[PlayerId | None]:
    if m.result is Result.DOUBLE_LOSS:
        return [m.a, m.b] * 2  # out, however many lives there were
    if m.result in (Result.A, Result.NO_SHOW_B):
        return [m.b]
    return [m.a] if m.result in (Result.B, Result.NO_SHOW_A) else []


def _third_place(t: Tournament) -> frozenset[PlayerId]:
    """The two who lost the semi-finals, once both are known."""
    size, rounds = 2, 1
    while size < len(t.entrants):
        size, rounds = 2 * size, rounds + 1
    if rounds < 2 or len(t.rounds) < rounds - 1:
        return frozenset()
    losers = [loser for m in t.rounds[rounds - 2] for loser in _losers(m) if loser is not None]
    return frozenset(losers)


# -- schedules ----------------------------------------------------------------------------------------------


def schedule_faults(t: Tournament, pairing: Pairing) -> list[Message]:
    """What is wrong with a round in which everybody meets everybody, in the whole field or in groups."""
    met = Counter(frozenset(m.players) for matches in t.rounds for m in matches if m.b is not None)
    met.update(frozenset(table.players) for table in pairing.tables)
    seated = {p for table in pairing.tables for p in table.players}
    faults = [f for f in seat_faults(t, pairing) if f.key != "fault_missing"]
    faults += [
        Message("fault_meets_again", a=t.label(table.a), b=t.label(table.b))
        for table in pairing.tables
        if met[frozenset(table.players)] > t.format.cycles
    ]
    return faults + [Message("fault_twice", name=t.label(p)) for p in pairing.byes if p in seated]

"""Simulated events of every format, alone and in stages, with teams, byes, absences and drops."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from fractions import Fraction

from judge.core.messages import Message
from judge.tournament.formats import format_of
from judge.tournament.model import (
    Entrant,
    Format,
    Match,
    Member,
    PlayerId,
    Result,
    Round,
    Tournament,
)
from judge.tournament.pairing import Pairing
from judge.tournament.stage_checker import bracket_faults, cut_faults, schedule_faults
from judge.tournament.stages import Attendance, Stage, StagedEvent, Take, is_complete, pair_stage

PLACE_POINTS = {4: tuple(map(Fraction, (4, 2, 1, 0))), 3: tuple(map(Fraction, (4, 2, 0)))}
FIRST = ("swiss", "swiss", "swiss", "round-robin", "groups", "pods")
LATER = ("single-elimination", "double-elimination", "swiss", "carried", "pods")
TIEBREAKERS = (("buchholz", "health-diff"), ("omw",), ())
LIVES = {"single-elimination": 1, "double-elimination": 2}


def entrants(count: int, chance: random.Random) -> tuple[Entrant, ...]:
    """Players, or teams of two or three."""
    size = chance.choice([0, 0, 2, 3])
    return tuple(
        Entrant(
            PlayerId(f"P{n:03}"), f"P{n:03}", club=chance.choice([None, "Lyon", "Kyiv"]),
            members=tuple(Member(f"P{n:03}.{m}", ("monk",) if m else ()) for m in range(size)),
        )
        for n in range(1, count + 1)
    )  # fmt: skip


def _shape(kind: str, chance: random.Random) -> Format:
    if kind in ("swiss", "carried"):
        return Format(
            kind="swiss", rounds=chance.randint(1, 5), pattern=chance.choice([None, "fold", "adjacent"])
        )
    if kind == "pods":
        return Format(kind="pods", rounds=chance.randint(1, 3))
    if kind == "groups":
        return Format(kind="groups", group_size=chance.choice([3, 4, 5]))
    if kind == "single-elimination":
        return Format(kind=kind, third_place=chance.random() < 0.5)
    if kind == "double-elimination":
        return Format(kind=kind, grand_final=chance.choice(["reset", "single", "skip"]))
    return Format(kind=kind)


def _take(before: str, count: int, chance: random.Random) -> Take | None:
    if before == "groups" and chance.random() < 0.6:
        return Take(of_each_group=chance.choice([1, 2]))
    if chance.random() < 0.15:
        return Take(points=Fraction(chance.choice([0, 1])))
    return chance.choice([None, Take(top=chance.randint(3, max(3, count)))])


def _attendance(players: tuple[Entrant, ...], first: str, chance: random.Random) -> Attendance:
    """Byes, half byes and absences of the first rounds; schedules and brackets have none."""
    if first not in ("swiss", "pods"):
        return Attendance()
    kept: dict[str, dict[PlayerId, tuple[int, ...]]] = {"byes": {}, "half_byes": {}, "absent": {}}
    for entrant in players:
        if chance.random() < 0.08:
            kept[chance.choice(list(kept))][entrant.id] = (1,)
    late = {
        e.id: 2 for e in players if chance.random() < 0.03 and not any(e.id in one for one in kept.values())
    }
    return Attendance(late=late, **kept)


def staged_event(
    seed: int, most: int = 24, first: str | None = None, later: str | None = None
) -> StagedEvent:
    """A random event that has not begun."""
    chance = random.Random(seed)
    count = chance.randint(6, most)
    players = entrants(count, chance)
    first = first or chance.choice(FIRST)
    kinds = [first, *([later or chance.choice(LATER)] if chance.random() < 0.85 or later else [])]
    if len(kinds) == 2 and kinds[1] in ("swiss", "carried") and chance.random() < 0.5:
        kinds.append(chance.choice(["single-elimination", "double-elimination"]))
    stages = []
    for n, kind in enumerate(kinds):
        plan = Tournament(
            name="Simulated", game="dice-throne", entrants=players, format=_shape(kind, chance),
            tiebreakers=("table-wins",) if kind == "pods" else chance.choice(TIEBREAKERS),
            place_points=PLACE_POINTS,
        )  # fmt: skip
        take = _take(kinds[n - 1], count, chance) if n else None
        stages.append(
            Stage(
                plan,
                name=f"Stage {n + 1}",
                take=take,
                is_carried=kind == "carried" and kinds[n - 1] != "pods",
            )
        )
    return StagedEvent(
        name="Simulated", stages=tuple(stages), listed=players, attendance=_attendance(players, first, chance)
    )


def played(t: Tournament, pairing: Pairing, chance: random.Random) -> Round:
    matches = [Match(a=p, result=Result.BYE) for p in pairing.byes if not format_of(t).has_bracket]
    for table in pairing.tables:
        if format_of(t).has_pods:
            scores = {p: Fraction(chance.randint(0, 20)) for p in table.players}
            matches.append(Match(scores=scores, table=table.number))
            continue
        usual = [Result.A, Result.B] * 4 + ([Result.DRAW] if format_of(t).has_draws else [])
        rare = [Result.NO_SHOW_A, Result.NO_SHOW_B]
        result = chance.choice(usual if chance.random() < 0.96 else rare)
        matches.append(Match(a=table.a, b=table.b, result=result, table=table.number))
    return tuple(matches)


def play(event: StagedEvent, seed: int) -> Iterator[tuple[StagedEvent, int, Pairing]]:
    """Every state of the event with the stage that plays next and its pairing, to the end."""
    chance = random.Random(seed)
    while True:
        number = event.due
        now = event.tournament(number)
        if is_complete(now) or len(now.entrants) < 3:
            return
        _, pairing = pair_stage(event, seed)
        yield event, number, pairing
        stage = event.stages[number - 1]
        rounds = (*stage.plan.rounds, played(now, pairing, chance))
        changed = dataclasses.replace(stage, plan=dataclasses.replace(stage.plan, rounds=rounds))
        stages = (*event.stages[: number - 1], changed, *event.stages[number:])
        drops = dict(event.attendance.drops)
        if format_of(now).id == "swiss" and chance.random() < 0.3 and len(now.active(len(rounds) + 1)) > 6:
            drops[chance.choice(now.active(len(rounds))).id] = sum(len(s.plan.rounds) for s in stages)
        attendance = dataclasses.replace(event.attendance, drops=drops)
        event = dataclasses.replace(event, stages=stages, attendance=attendance, _made={})


def faults_of(event: StagedEvent, number: int, pairing: Pairing) -> list[Message]:
    """What the independent checkers say about this round and, in its first round, about who goes on."""
    now = event.tournament(number)
    found: list[Message] = []
    if number > 1 and not now.rounds:
        take = event.stages[number - 1].take or Take()
        before = event.tournament(number - 1)
        if format_of(before).has_groups and take.of_each_group is None and take.points is None:
            take = Take(points=Fraction(0)) if take.top is None else take
            found += _size_only(before, take, now)
        else:
            found += cut_faults(_with_groups(before), take, [e.id for e in now.entrants])
    kind = format_of(now)
    if kind.id in LIVES:
        return found + bracket_faults(now, pairing, LIVES[kind.id])
    if kind.crosses is not None:
        found += schedule_faults(now, pairing)
    return found + (kind.check(now, pairing) if kind.check else [])


def _with_groups(before: Tournament) -> Tournament:
    from judge.tournament.groups import in_groups

    return in_groups(before) if format_of(before).has_groups else before


def _size_only(before: Tournament, take: Take, now: Tournament) -> list[Message]:
    """Across groups the place in the group comes first, so points do not say who goes on."""
    size = min(take.top or len(before.entrants), len(before.entrants))
    return [] if len(now.entrants) == size else [Message("fault_cut_size", n=len(now.entrants), size=size)]

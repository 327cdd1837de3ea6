"""An event of several stages, one after the other: each is a tournament of its own.

The first stage has every player, each later one those whom its `take` lets through. Rounds are counted from 1
inside a stage; `drops`, `late`, `byes`, `half_byes` and `absent` of the whole event count on through the
stages. A player who has dropped makes room for the next. If players are level across the edge of a cut, those
who appear in the next stage's rounds went on; before that, the order of entry decides, and a note says so.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from typing import Any, Literal

from judge.core.errors import InputError, Problem, fail
from judge.core.messages import Message
from judge.tournament.brackets.apart import keep_apart
from judge.tournament.formats import format_of, pair_round
from judge.tournament.model import ByRound, Entrant, Penalty, PlayerId, Tournament
from judge.tournament.pairing import Pairing
from judge.tournament.ranking import in_order_of_going_on, rank
from judge.tournament.standings import Standing

Seeding = Literal["standings", "across-groups"]
Rated = Sequence[tuple[Hashable, Standing]]  # best first; equal ratings are level
SEEDINGS: tuple[Seeding, ...] = ("standings", "across-groups")


@dataclass(frozen=True, slots=True)
class Take:
    """Who goes on: exactly one of these is given."""

    top: int | None = None
    points: Fraction | None = None  # that many or more
    of_each_group: int | None = None
    players: tuple[PlayerId, ...] | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """`plan` has the stage's settings, its rounds and every player of the event; who really plays in it is
    known once the stage before is over (`StagedEvent.tournament`)."""

    plan: Tournament
    name: str = ""
    take: Take | None = None  # None: everybody
    seeding: Seeding | None = None  # None: across groups after groups, else by the standings
    is_carried: bool = False  # points and meetings of the stage before count on
    own_facts: Mapping[PlayerId, Entrant] = field(
        default_factory=dict
    )  # players as this stage alone has them
    given: Mapping[str, Any] = field(default_factory=dict)  # the stage as the file wrote it


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendance:
    """Rounds of players, counted on through the stages."""

    drops: Mapping[PlayerId, int] = field(default_factory=dict)
    late: Mapping[PlayerId, int] = field(default_factory=dict)
    byes: ByRound = field(default_factory=dict)
    half_byes: ByRound = field(default_factory=dict)
    absent: ByRound = field(default_factory=dict)


PLAYER_KEYS = ("players", "forbidden", "drops", "late", "byes", "half_byes", "absent")


@dataclass(frozen=True, kw_only=True)
class StagedEvent:
    name: str = ""
    stages: tuple[Stage, ...]
    listed: tuple[Entrant, ...] = ()  # the players outside the stages; a stage may describe more
    attendance: Attendance = Attendance()
    forbidden: tuple[tuple[PlayerId, PlayerId], ...] = ()  # in every stage; each plan has them too
    penalties: tuple[Penalty, ...] = ()
    desk: Mapping[str, Any] = field(default_factory=dict)  # what only the event desk reads, as written
    is_staged: bool = True  # whether the file speaks of stages
    given: Mapping[str, Any] = field(default_factory=dict)  # the settings outside the stages as written
    _made: dict[int, tuple[Tournament, tuple[Message, ...]]] = field(default_factory=dict, compare=False)

    @property
    def begun(self) -> int:
        """The number of the stage being played: the last one with rounds, else the first."""
        return max((n for n, stage in enumerate(self.stages, 1) if stage.plan.rounds), default=1)

    @property
    def due(self) -> int:
        """The number of the stage that plays the next round."""
        begun = self.begun
        return begun + 1 if begun < len(self.stages) and is_complete(self.tournament(begun)) else begun

    def tournament(self, number: int) -> Tournament:
        """One stage with the players who take part in it."""
        return self._stage(number)[0]

    def notes(self, number: int) -> tuple[Message, ...]:
        """What has to be said about who goes on into this stage."""
        return self._stage(number)[1]

    def _stage(self, number: int) -> tuple[Tournament, tuple[Message, ...]]:
        if not 1 <= number <= len(self.stages):
            raise fail("stages", "tournament_no_such_stage", stage=number, n=len(self.stages))
        if number not in self._made:
            self._made[number] = _first(self) if number == 1 else _later(self, number)
        return self._made[number]

    @contextmanager
    def inside(self, number: int) -> Iterator[None]:
        """Faults inside name the stage: `rounds[1][2]` becomes `stages[2].rounds[1][2]`."""
        try:
            yield
        except InputError as error:
            raise InputError(*(self._placed(problem, number) for problem in error.problems)) from None

    def _placed(self, problem: Problem, number: int) -> Problem:
        key = problem.path.split(".")[0].split("[")[0]
        own = self.stages[number - 1].given
        is_outside = key == "stages" or (key not in own and (key in PLAYER_KEYS or key in self.given))
        if not self.is_staged or is_outside:
            return problem
        return replace(
            problem, path=f"stages[{number}].{problem.path}" if problem.path else f"stages[{number}]"
        )


def one_stage(tournament: Tournament) -> StagedEvent:
    """A tournament without stages."""
    return StagedEvent(name=tournament.name, stages=(Stage(tournament),), is_staged=False)


def is_complete(tournament: Tournament) -> bool:
    """Whether the stage's rounds are over and every result is in."""
    if not tournament.rounds or tournament.first_missing_result():
        return False
    return format_of(tournament).is_over(tournament)


# -- who plays in a stage -----------------------------------------------------------------------------------


def _first(event: StagedEvent) -> tuple[Tournament, tuple[Message, ...]]:
    stage = event.stages[0]
    plan = stage.plan
    if not event.is_staged:
        return plan, ()
    named = stage.take.players if stage.take else None
    entrants = plan.entrants if named is None else tuple(e for e in plan.entrants if e.id in named)
    entrants = tuple(stage.own_facts.get(e.id, e) for e in entrants)
    return _attended(event, plan, entrants, 0), ()


def _later(event: StagedEvent, number: int) -> tuple[Tournament, tuple[Message, ...]]:
    stage, before = event.stages[number - 1], event.tournament(number - 1)
    if stage.plan.rounds and not before.rounds:
        raise fail(f"stages[{number}].rounds", "tournament_stage_too_early")
    missing = before.first_missing_result()
    if missing:
        path = f"stages[{number - 1}].rounds[{missing[0]}][{missing[1]}].result"
        raise fail(path, "tournament_result_missing")
    with event.inside(number - 1):
        going, notes = going_on(before, stage.take, _seen(stage.plan))
        order = seeds(before, going, stage.seeding)
    facts = {e.id: e for e in stage.plan.entrants}
    entrants = tuple(
        stage.own_facts.get(p) or replace(facts[p], seed=n, group=None) for n, p in enumerate(order, start=1)
    )
    before_rounds = sum(len(earlier.plan.rounds) for earlier in event.stages[: number - 1])
    plan = replace(stage.plan, carried=before if stage.is_carried else None)
    return _attended(event, plan, entrants, before_rounds), tuple(notes)


def _attended(event: StagedEvent, plan: Tournament, entrants: tuple[Entrant, ...], before: int) -> Tournament:
    """The plan with its players, and what the event as a whole says of their rounds."""
    here, whole = {e.id for e in entrants}, event.attendance

    def rounds(outside: ByRound, own: ByRound) -> ByRound:
        moved = {p: tuple(n - before for n in numbers if n > before) for p, numbers in outside.items()}
        both = {p: (*moved.get(p, ()), *own.get(p, ())) for p in (*moved, *own) if p in here}
        return {p: numbers for p, numbers in both.items() if numbers}

    late = {p: n - before for p, n in whole.late.items() if n > before + 1} | dict(plan.late)
    drops = {p: max(0, n - before) for p, n in whole.drops.items()} | dict(plan.drops)
    return replace(
        plan,
        entrants=entrants,
        drops={p: n for p, n in drops.items() if p in here},
        late={p: n for p, n in late.items() if p in here},
        byes=rounds(whole.byes, plan.byes),
        half_byes=rounds(whole.half_byes, plan.half_byes),
        absent=rounds(whole.absent, plan.absent),
        forbidden=tuple((a, b) for a, b in plan.forbidden if a in here and b in here),
    )


def _seen(plan: Tournament) -> set[PlayerId]:
    return {player for matches in plan.rounds for match in matches for player in match.players}


def going_on(
    before: Tournament, take: Take | None, preferred: Collection[PlayerId] = ()
) -> tuple[list[PlayerId], list[Message]]:
    """Who goes on from a stage, best first, and notes about players who are level across the edge; there the
    `preferred` come first."""
    still_in = len(before.rounds) + 1
    rated = [
        (key, line)
        for key, line in in_order_of_going_on(before)
        if before.drops.get(line.player, still_in) >= still_in
    ]
    take = take or Take()
    if take.players is not None:
        standing = {line.player: n for n, (_, line) in enumerate(rated)}
        return sorted(take.players, key=lambda p: standing.get(p, len(standing))), []
    if take.points is not None:
        return [line.player for _, line in rated if line.points >= take.points], []
    if take.of_each_group is not None:
        inside, level = _of_groups(before, rated, take.of_each_group, preferred)
    else:
        inside, level = _cut(rated, len(rated) if take.top is None else take.top, preferred)
    edge = [players for players in level if not preferred]
    return inside, [Message("cut_level", names=[before.label(p) for p in players]) for players in edge]


def _cut(
    rated: Rated, size: int, preferred: Collection[PlayerId]
) -> tuple[list[PlayerId], list[list[PlayerId]]]:
    """The first `size` players, best first; and who is level across the edge."""
    inside, outside = rated[:size], rated[size:]
    if not (inside and outside and inside[-1][0] == outside[0][0]):
        return [line.player for _, line in inside], []
    edge = inside[-1][0]
    level = [line.player for key, line in rated if key == edge]
    above = [line.player for key, line in inside if key != edge]
    chosen = set(sorted(level, key=lambda player: player not in preferred)[: size - len(above)])
    return above + [player for player in level if player in chosen], [level]


def _of_groups(
    before: Tournament, rated: Rated, size: int, preferred: Collection[PlayerId]
) -> tuple[list[PlayerId], list[list[PlayerId]]]:
    """The first `size` of every group, in the order of all groups; and who is level with the last of them."""
    if not format_of(before).has_groups:
        raise fail("format.kind", "tournament_needs_groups")
    by_group: dict[int, list[Standing]] = {}
    for _, line in rated:
        by_group.setdefault(line.group or 0, []).append(line)
    inside: set[PlayerId] = set()
    level = []
    for _, lines in sorted(by_group.items()):
        lines.sort(key=lambda line: line.rank)
        through, tied = _cut([(line.rank, line) for line in lines], size, preferred)
        inside.update(through)
        level += tied
    return [line.player for _, line in rated if line.player in inside], level


def seeds(before: Tournament, going: Sequence[PlayerId], seeding: Seeding | None) -> list[PlayerId]:
    """Those who go on, in the order of their seeds in the next stage."""
    has_groups = format_of(before).has_groups
    if seeding == "across-groups" and not has_groups:
        raise fail("format.kind", "tournament_needs_groups")
    if not has_groups or seeding == "standings":
        return list(going)
    lines = {line.player: line for _, line in in_order_of_going_on(before)}
    strangers = [p for p in going if p not in lines]  # named in `take`, not in any group
    inside = [p for p in going if p in lines]
    place, group = ({p: getattr(lines[p], key) or 0 for p in inside} for key in ("rank", "group"))
    return keep_apart(inside, place, group) + strangers


# -- the next round, and the places of the whole event ------------------------------------------------------


def pair_stage(event: StagedEvent, seed: int = 0, stage: int | None = None) -> tuple[int, Pairing]:
    """The next round of the stage being played, or the first of the next; and the number of its stage."""
    number = event.due if stage is None else stage
    tournament = event.tournament(number)
    if number > 1 and len(tournament.entrants) < 2:
        raise fail(f"stages[{number}].take", "tournament_take_too_few", n=len(tournament.entrants))
    with event.inside(number):
        pairing = pair_round(tournament, seed)
    is_first = not tournament.rounds
    return number, replace(pairing, notes=(*event.notes(number), *pairing.notes)) if is_first else pairing


def event_standings(event: StagedEvent) -> list[tuple[int, Standing]]:
    """Everybody's place in the whole event, each with the last stage they played in."""
    rated = []
    for number in range(1, event.begun + 1):
        with event.inside(number):
            rated.append(in_order_of_going_on(event.tournament(number)))
    return last_stage_first(rated)


def last_stage_first(stages: Sequence[Rated]) -> list[tuple[int, Standing]]:
    """The places of the last stage first, then of the one before; players level in their last stage share a
    place. Each with the number of that stage."""
    table: list[tuple[int, Standing]] = []
    seen: set[PlayerId] = set()
    for number, rated in reversed(list(enumerate(stages, start=1))):
        left = [(key, line) for key, line in rated if line.player not in seen]
        for _, level in groupby(left, key=lambda one: one[0]):
            lines = [line for _, line in level]
            table += [(number, replace(line, rank=len(seen) + 1, group=None)) for line in lines]
            seen.update(line.player for line in lines)
    return table


def stage_standings(
    event: StagedEvent, number: int | None = None, after: int | None = None
) -> list[Standing]:
    """The standings of one stage: the one being played if no number is given."""
    number = event.begun if number is None else number
    tournament = event.tournament(number)
    with event.inside(number):
        return rank(tournament, after)


def upto(event: StagedEvent, after: int) -> StagedEvent:
    """The event after so many rounds, counted on through the stages."""
    left, stages = after, []
    for stage in event.stages:
        kept = stage.plan.rounds[:left]
        left -= len(kept)
        stages.append(replace(stage, plan=replace(stage.plan, rounds=kept)))
    if left or after < 0:
        raise fail("rounds", "tournament_no_such_round", round=after, n=after - left)
    return replace(event, stages=tuple(stages), _made={})

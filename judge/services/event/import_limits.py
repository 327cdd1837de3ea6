"""What the event desk cannot keep of a tournament file is refused with its place, so that nothing is lost
unnoticed: attendance that stands inside a later stage instead of counting through the event.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from judge.core.errors import Problem, problem
from judge.schemas.shape import raise_all
from judge.schemas.tournament.event_settings import LARGEST_POD
from judge.schemas.tournament.stage_settings import MOST_STAGES
from judge.tournament.model import Match, PlayerId, Result, Tournament
from judge.tournament.stages import Stage, StagedEvent

OWN_ATTENDANCE = ("drops", "late", "byes", "half_byes", "absent")


def check_desk_keeps(event: StagedEvent) -> None:
    """Refuse what the desk has no place for."""
    first, *later = event.stages
    problems = []
    if first.take is not None:
        problems.append(problem("stages[1].take", "import_not_kept"))
    if len(event.stages) > MOST_STAGES:
        problems.append(problem(f"stages[{MOST_STAGES + 1}]", "import_too_many_stages", most=MOST_STAGES))
    for number, stage in enumerate(later, start=2):
        problems += _of_stage(number, stage)
    raise_all(problems)


def _of_stage(number: int, stage: Stage) -> Iterator[Problem]:
    for key in OWN_ATTENDANCE:
        if getattr(stage.plan, key):
            yield problem(f"stages[{number}].{key}", "import_not_kept")
    pod_size = stage.plan.format.pod_size or 0
    if pod_size > LARGEST_POD:
        yield problem(f"stages[{number}].format.pod_size", "import_table_size", n=pod_size, most=LARGEST_POD)


def recorded(t: Tournament) -> Tournament:
    """The same with a match for every awarded bye and absence, which is how the desk keeps them. Half byes
    stay beside the rounds: no match of a file has that result."""
    rounds = []
    for number, matches in enumerate(t.rounds, start=1):
        seen = {p for match in matches for p in match.players}
        more = [
            Match(a=p, result=result)
            for excused, result in ((t.byes, Result.BYE), (t.absent, Result.MISSED))
            for p, numbers in excused.items()
            if number in numbers and p not in seen and is_in(t, p, number)
        ]
        rounds.append((*matches, *more))
    return replace(t, rounds=tuple(rounds), byes={}, absent={})


def is_in(t: Tournament, player: PlayerId, number: int) -> bool:
    """Whether a player had not dropped by this round."""
    return t.drops.get(player, number) >= number

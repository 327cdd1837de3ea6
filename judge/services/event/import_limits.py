"""What the event desk can keep of a tournament file: one stage, and a bracket or a final table after it.

Anything else is refused with its place in the file, so that nothing is lost unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from judge.core.errors import Problem, problem
from judge.schemas.shape import raise_all
from judge.schemas.tournament.event_settings import CUTS
from judge.services.event.stage_format import has_final_table
from judge.tournament.formats import SINGLE_ELIMINATION, format_of
from judge.tournament.model import Match, PlayerId, Result, Tournament
from judge.tournament.stages import Stage, StagedEvent


def check_desk_keeps(event: StagedEvent) -> None:
    """Refuse what the desk has no place for."""
    problems = [*_of_players(event.tournament(1))]
    if len(event.stages) > 2:
        problems.append(problem("stages[3]", "import_two_stages"))
    elif len(event.stages) == 2:
        problems += _of_cut(event)
    raise_all(problems)


def _of_players(t: Tournament) -> Iterator[Problem]:
    for n, entrant in enumerate(t.entrants, start=1):
        if entrant.members:
            yield problem(f"players[{n}].members", "import_not_kept")
    if t.half_byes:
        yield problem("half_byes", "import_not_kept")
    for key, excused in (("byes", t.byes), ("absent", t.absent)):
        if any(number > len(t.rounds) for rounds in excused.values() for number in rounds):
            yield problem(key, "import_only_played")


def _of_cut(event: StagedEvent) -> Iterator[Problem]:
    first, stage = event.stages[0].plan, event.stages[1]
    size = len(event.tournament(2).entrants) if stage.plan.rounds else _planned(stage)
    is_table = has_final_table(first.format.kind, size) and format_of(stage.plan).has_pods
    if stage.plan.format.kind != SINGLE_ELIMINATION.id and not is_table:
        yield problem("stages[2].format", "import_bracket_only")
    if stage.is_carried:
        yield problem("stages[2].carry", "import_not_kept")
    if stage.take is None or stage.take.points is not None:
        yield problem("stages[2].take", "import_take")
    if stage.take and stage.take.of_each_group is None and size not in CUTS:
        yield problem("stages[2].take", "import_cut_size", sizes=[n for n in CUTS if n])
    if stage.seeding is not None and not stage.plan.rounds:
        yield problem("stages[2].seeding", "import_not_kept")


def _planned(stage: Stage) -> int:
    if stage.take is None:
        return 0
    return stage.take.top or len(stage.take.players or ())


def recorded(t: Tournament) -> Tournament:
    """The same with a match for every awarded bye and absence, which is how the desk keeps them."""
    rounds = []
    for number, matches in enumerate(t.rounds, start=1):
        seen = {p for match in matches for p in match.players}
        more = [
            Match(a=p, result=result)
            for excused, result in ((t.byes, Result.BYE), (t.absent, Result.MISSED))
            for p, numbers in excused.items()
            if number in numbers and p not in seen and not _has_dropped(t, p, number)
        ]
        rounds.append((*matches, *more))
    return replace(t, rounds=tuple(rounds), byes={}, absent={})


def _has_dropped(t: Tournament, player: PlayerId, number: int) -> bool:
    return t.drops.get(player, number) < number

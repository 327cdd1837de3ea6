"""What the event desk cannot keep of a tournament file is refused with its place, so that nothing is lost
unnoticed: attendance that stands inside a later stage instead of counting through the event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from judge.core.errors import Problem, problem
from judge.schemas.shape import raise_all
from judge.schemas.tournament.desk_people import read_outside
from judge.schemas.tournament.event_settings import LARGEST_POD
from judge.schemas.tournament.stage_settings import MOST_STAGES
from judge.tournament.model import Match, PlayerId, Result, Tournament
from judge.tournament.stages import Stage, StagedEvent

OWN_ATTENDANCE = ("drops", "late", "byes", "half_byes", "absent")
LONGEST_EVENT, LONGEST_NAME = 120, 80
OF_PENALTY = {"infraction": 40, "penalty": 40, "remedy": 300, "note": 500, "by": 80}


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
    problems += _too_long(event)
    raise_all(problems)


def _too_long(event: StagedEvent) -> Iterator[Problem]:
    """Texts that are longer than the desk's own forms allow."""
    texts = [("name", event.name, LONGEST_EVENT)]
    texts += [(f"desk.display.{who}", str(said), LONGEST_NAME) for who, said in _shown(event).items()]
    people = [(f"players[{n}]", e) for n, e in enumerate(event.stages[0].plan.entrants, start=1)]
    outside = read_outside(event.desk.get("outside"))
    people += [(f"desk.outside[{n}]", one.entrant) for n, one in enumerate(outside, start=1)]
    for path, entrant in people:
        texts += [
            (f"{path}.name", entrant.name, LONGEST_NAME),
            (f"{path}.club", entrant.club or "", LONGEST_NAME),
        ]
    for n, penalty in enumerate(event.penalties, start=1):
        texts += [(f"penalties[{n}].{key}", getattr(penalty, key), most) for key, most in OF_PENALTY.items()]
    yield from (problem(path, "text_too_long", most=most) for path, text, most in texts if len(text) > most)


def _shown(event: StagedEvent) -> Mapping[str, object]:
    return event.desk.get("display") or {}


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

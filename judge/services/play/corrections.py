"""Previews the consequences of correcting a result: changed places and points, and pairings that would
differ.

Nothing here writes. Published rounds stay as they were played; only in a bracket a correction is refused if a
later match was played by somebody who should not be in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session

from judge.core.errors import InputError, Refused
from judge.core.messages import Message
from judge.services.event.event_rows import EventRows, read_rows
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import kind_of
from judge.services.event.tournament_files import shown
from judge.services.event.tournament_of import tournament_of
from judge.services.pairing.pairing_drafts import draw_round
from judge.services.play.outcomes import Outcome, write
from judge.storage.events import Match, Round
from judge.tournament.formats import play_bracket
from judge.tournament.ranking import rank


@dataclass(frozen=True, slots=True)
class Moved:
    name: str
    rank: tuple[int, int]  # before, after
    points: tuple[str, str]


@dataclass(frozen=True, slots=True)
class OtherPairs:
    """The tables of a later round that the engine would pair differently now."""

    round: int
    pairs: list[tuple[str, ...]]  # one alone has the bye


@dataclass(frozen=True, slots=True)
class Consequences:
    moved: list[Moved]
    rounds: list[OtherPairs]


def consequences(session: Session, event: AnyEvent, match_id: int, outcome: Outcome | None) -> Consequences:
    before = read_rows(session, event)
    round_, match = next((r, m) for r, m in before.all_matches() if m.id == match_id)
    after = _corrected(before, match, outcome)
    check_bracket(after, round_.stage)
    return Consequences(_moved(before, after, round_.stage), _other_pairs(before, after, round_))


def _corrected(rows: EventRows, match: Match, outcome: Outcome | None) -> EventRows:
    changed = Match(**match.model_dump())
    write(changed, outcome)
    matches = {
        number: tuple(changed if m.id == match.id else m for m in in_round)
        for number, in_round in rows.matches.items()
    }
    return EventRows(rows.event, rows.players, rows.rounds, matches)


def check_bracket(rows: EventRows, stage: int) -> None:
    """Refuse results of a bracket that contradict a later match."""
    if not kind_of(rows.event, stage).has_bracket:
        return
    try:
        play_bracket(tournament_of(rows, stage))
    except InputError as error:
        raise Refused(Message("correction_breaks_bracket"), *(p.message for p in error.problems)) from error


def _moved(before: EventRows, after: EventRows, stage: int) -> list[Moved]:
    old_lines = {s.player: s for s in rank(tournament_of(before, stage))}
    moved = []
    for line in rank(tournament_of(after, stage)):
        old = old_lines[line.player]
        if (old.rank, old.points) != (line.rank, line.points):
            name = before.names[int(line.player)]
            points = (shown(old.points), shown(line.points))
            moved.append(Moved(name, (old.rank, line.rank), points))
    return moved


def _other_pairs(before: EventRows, after: EventRows, corrected: Round) -> list[OtherPairs]:
    if kind_of(before.event, corrected.stage).cost is None:  # results do not decide who meets
        return []
    rounds = []
    for round_ in before.of_stage(corrected.stage, drafts=True):
        if round_.number > corrected.number:
            pairs = _pairs(after, round_) - _pairs(before, round_)
            if pairs:
                rounds.append(OtherPairs(round_.number, sorted(_named(before, pair) for pair in pairs)))
    return rounds


def _pairs(rows: EventRows, round_: Round) -> set[frozenset[str]]:
    """The pairs the engine makes for this round from the results before it."""
    earlier = tuple(r for r in rows.rounds if r.number < round_.number)
    drawn = draw_round(EventRows(rows.event, rows.players, earlier, rows.matches), round_.stage, round_.seed)
    pairing = drawn.pairing
    return {frozenset(t.players) for t in pairing.tables} | {frozenset((p,)) for p in pairing.byes}


def _named(rows: EventRows, table: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(rows.names[int(p)] for p in table))

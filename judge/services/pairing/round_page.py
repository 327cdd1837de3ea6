"""The page of a round at the desk: its tables with reasons or results, its cost, and what can be done with
it.

It is built from the event's rows, which take four queries whatever the size of the event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from judge.core.messages import Lang
from judge.services.event.event_rows import EventRows
from judge.services.event.stage_format import kind_of, later_stage, pod_counts
from judge.services.event.tournament_of import is_excused, tournament_of
from judge.services.pairing.last_minute import free_seats, unseated
from judge.services.pairing.pairing_drafts import CostJson
from judge.services.pairing.reasons import numbered, pack, phrasebook, say_stored
from judge.services.pairing.rounds import faults_now, is_played, planned_rounds
from judge.services.pairing.swaps import why_no_swap
from judge.services.pairing.table_numbers import not_at_their_table
from judge.services.play.outcomes import describe, outcome_of
from judge.storage.events import Match, Player, Round
from judge.tournament.brackets.elimination import round_name
from judge.tournament.formats import play_bracket
from judge.tournament.model import Result


@dataclass(frozen=True, slots=True)
class RoundTable:
    """One table of the round; a bye has no number and nobody at b."""

    id: int
    version: int
    number: int | None
    a_id: int
    b_id: int | None
    a: str
    b: str | None  # in a pod: everybody after the first
    seats: list[tuple[int, str]]
    is_fixed: bool
    bracket: str | None  # which match of the bracket it is, in words
    why: list[str]
    says: str | None  # the result in words; None while it is being played
    result: str | None
    is_excused: bool  # an awarded bye, a half bye or an absence, which nobody can change places with
    is_played: bool
    reports: int


@dataclass(frozen=True, slots=True)
class LatePlayer:
    """Somebody without a seat, and the seats that others left: who, at which table, and their name."""

    id: int
    name: str
    seats: list[tuple[int, int, str]]


@dataclass(frozen=True, slots=True)
class RoundPage:
    number: int
    planned: int | None
    stage: int
    state: str
    version: int
    seed: int
    is_bracket: bool
    tables: list[RoundTable]
    byes: list[RoundTable]
    bye_why: list[str]
    cost: CostJson
    is_optimal: bool
    is_by_hand: bool
    notes: list[str]
    faults: list[str]
    missing: int
    is_last: bool
    can_unpublish: bool
    why_no_swap: str | None  # why places cannot be changed by hand here
    can_change: bool  # a draft, or the newest round with unplayed tables
    can_pair_again: bool  # unplayed tables can be paired anew
    late: list[LatePlayer]  # players without a seat, who can be given one
    stage_name: str

    @property
    def open_tables(self) -> list[RoundTable]:
        """Tables that can still be changed."""
        return [t for t in self.tables if not t.is_played]

    @property
    def free_byes(self) -> list[RoundTable]:
        """Byes that the pairing gave."""
        return [t for t in self.byes if not t.is_excused]


def round_page(rows: EventRows, round_: Round, lang: Lang) -> RoundPage:
    matches = rows.matches.get(round_.id or 0, ())
    tables = [_table(rows, m, lang, bracket_names(rows, round_, lang)) for m in matches]
    is_last = rows.last is round_
    report = round_.report
    kind = kind_of(rows.event, round_.stage)
    has_open = any(m.b_id is not None and not is_played(m) for m in matches)
    return RoundPage(
        number=round_.number,
        planned=planned_rounds(rows) if round_.stage == 1 else None,
        stage=round_.stage,
        state=round_.state,
        version=round_.version,
        seed=round_.seed,
        is_bracket=kind.has_bracket,
        tables=[table for table in tables if table.b_id is not None],
        byes=sorted(
            (t for t in tables if t.b_id is None), key=lambda t: (t.result != Result.BYE, t.is_excused)
        ),
        bye_why=say(rows, report.get("bye_why", []), lang),
        cost=report.get("cost", {}) if kind.cost else {},
        is_optimal=bool(report.get("optimal")),
        is_by_hand=bool(report.get("by_hand")),
        notes=say(rows, [*report.get("notes", []), *_moved(rows, round_)], lang),
        faults=say(rows, pack(faults_now(rows, round_)), lang) if round_.state == "draft" else [],
        missing=sum(m.result is None for m in matches),
        is_last=is_last,
        can_unpublish=is_last and round_.state == "published" and not any(map(is_played, matches)),
        why_no_swap=next(iter(say(rows, pack(filter(None, [why_no_swap(rows, round_)])), lang)), None),
        can_change=is_last and (round_.state == "draft" or has_open),
        can_pair_again=is_last and has_open and kind.can_pair_again,
        late=[_late(rows, round_, player) for player in unseated(rows, round_)],
        stage_name=later_stage(rows.event, round_.stage).name if round_.stage > 1 else "",
    )


def _late(rows: EventRows, round_: Round, player: Player) -> LatePlayer:
    seats = [(s.leaver, s.table, rows.names[s.leaver]) for s in free_seats(rows, round_, player)]
    return LatePlayer(player.id, rows.names[player.id], seats)


def _moved(rows: EventRows, round_: Round) -> list[Any]:
    return pack(not_at_their_table(rows, round_)) if round_.state == "draft" else []


def say(rows: EventRows, stored: list[Any], lang: Lang) -> list[str]:
    return say_stored(stored, lambda p: rows.names.get(p, "?"), lang)


def _table(rows: EventRows, match: Match, lang: Lang, bracket: dict[str, str]) -> RoundTable:
    players = [rows.players[p] for p in match.seats]
    names = [rows.names[p] for p in match.seats]
    outcome = outcome_of(match)
    fixed = {p.fixed_table for p in players if p.fixed_table is not None}
    counts = pod_counts(rows.event, rows.round_of(match).stage)
    return RoundTable(
        id=match.id or 0,
        version=match.version,
        number=match.table_no,
        a_id=match.a_id,
        b_id=match.b_id,
        a=names[0],
        b=" – ".join(names[1:]) or None,
        seats=list(zip(match.seats, names, strict=True)),
        is_fixed=match.table_no in fixed,
        bracket=bracket.get(match.slot or ""),
        why=say(rows, match.why, lang),
        says=phrasebook(lang).say(describe(names, outcome, counts)) if outcome else None,
        result=match.result,
        is_excused=is_excused(rows, rows.round_of(match), match),
        is_played=is_played(match),
        reports=len(match.reports),
    )


def bracket_names(rows: EventRows, round_: Round, lang: Lang) -> dict[str, str]:
    """Names of the bracket's matches (semi-final, losers' round 2 ...) by their id."""
    if not kind_of(rows.event, round_.stage).has_bracket or round_.state == "draft":
        return {}
    bracket = play_bracket(tournament_of(rows, round_.stage, name_of=numbered))
    book = phrasebook(lang)
    return {bout.id: book.say(round_name(bracket, bout.node)) for bout in bracket.bouts.values()}

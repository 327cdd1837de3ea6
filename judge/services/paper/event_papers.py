"""Prints the papers of an event. Public papers have display names, those of the desk full names; each slip
has the link of its table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from sqlmodel import Session

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.printing.page import Sheet
from judge.printing.slips import slips_pdf
from judge.services.event.event_rows import EventRows, read_rows
from judge.services.event.event_view import AnyEvent
from judge.services.event.ranking import event_ranking, named_stage
from judge.services.event.tournament_files import phrasebook
from judge.services.event.tournament_of import first_number, player_id, stages_begun
from judge.services.paper.documents import PrintOptions, hero_names, print_ranking, print_tournament
from judge.services.paper.shapes import Selection, slips_of
from judge.services.play.selection import read_selection
from judge.services.players.player_names import shown_names
from judge.services.rulebook.heroes import hero_name
from judge.storage.events import Match
from judge.tournament.event_ranking import EventRanking
from judge.tournament.model import Tournament

FEWEST_BLANK = 16


def print_event(
    session: Session,
    event: AnyEvent,
    kind: str,
    options: PrintOptions,
    table_link: Callable[[Match], str],
    *,
    is_public: bool = False,
) -> bytes:
    rows = read_rows(session, event)
    current = rows.current
    if current is None and kind not in ("kit", "slips"):
        raise Refused(Message("print_nothing_yet"))
    names = shown_names(rows.players.values(), public=is_public)
    stage, options = _placed(rows, options)
    options = replace(options, selections=_selections(rows, stage, options))
    if kind == "slips":
        return _slips(rows, named_stage(rows, stage, names), options, table_link)
    if kind == "standings" and options.round is None:
        return print_ranking(event_ranking(rows, names), options)
    options = replace(options, ranking=_ranking(rows, names, kind, options))
    t = named_stage(rows, stage, names)
    return print_tournament(kind, t, options)


def _placed(rows: EventRows, options: PrintOptions) -> tuple[int, PrintOptions]:
    """The stage to print. Round numbers go on through the stages; the print shop counts inside one."""
    rounds = [r for r in rows.published if options.round in (None, r.number)]
    stage = rounds[-1].stage if rounds else stages_begun(rows)
    before = first_number(rows, stage) - 1
    inside = None if options.round is None else options.round - before
    return stage, replace(options, rounds_before=before, round=inside)


def _ranking(rows: EventRows, names: dict[int, str], kind: str, options: PrintOptions) -> EventRanking | None:
    """The ranking of the whole event; for the papers of a round as it stood before."""
    rounds = rows.published
    if kind == "round":
        last = rounds[-1].number if options.round is None else options.round + options.rounds_before
        rounds = tuple(r for r in rounds if r.number < last)
    if not rounds:
        return None
    ranking = event_ranking(EventRows(rows.event, rows.players, rounds, rows.matches), names)
    return replace(ranking, is_over=ranking.is_over and kind != "round")


def _slips(
    rows: EventRows, t: Tournament, options: PrintOptions, table_link: Callable[[Match], str]
) -> bytes:
    """Slips of the round being played; blank ones before round 1."""
    current, book = rows.current, phrasebook(options.lang)
    if current is None or options.blank:
        return print_tournament("slips", t, replace(options, blank=options.blank or FEWEST_BLANK))
    matches = {m.table_no: m for m in rows.matches.get(current.id or 0, ()) if m.table_no is not None}
    slips = slips_of(
        t,
        len(t.rounds),
        url_of=lambda table: table_link(matches[table]),
        hero_name=hero_names(t, options.lang),
        selections=options.selections,
    )
    sheet = Sheet(t.name, current.number, options.number, options.printed_at, options.url)
    return slips_pdf(sheet, slips, book, options.paper, options.per_page)


def _selections(rows: EventRows, stage: int, options: PrintOptions) -> dict[int, Selection]:
    """Heroes and who starts at each table of the round in question, as far as they are known."""
    rounds = rows.of_stage(stage)
    number = len(rounds) if options.round is None else options.round
    if not 1 <= number <= len(rounds):
        return {}
    tables = rows.matches.get(rounds[number - 1].id or 0, ())
    return {
        m.table_no: _selection(rows, m, options) for m in tables if m.table_no and m.selection and not m.more
    }


def _selection(rows: EventRows, match: Match, options: PrintOptions) -> Selection:
    seats = {"a": player_id(match.a_id), "b": player_id(match.b_id or 0)}
    chosen = read_selection(match.selection)
    shown = chosen.picks if chosen.is_complete else {}

    def named(heroes: Iterable[str]) -> tuple[str, ...]:
        return tuple(hero_name(rows.event.game, hero, options.lang) for hero in heroes)

    return Selection(
        picks={seats[side]: named([hero]) for side, hero in shown.items()},
        bans={seats[side]: named(heroes) for side, heroes in chosen.bans.items()},
        starts=seats[chosen.first] if chosen.first else None,
    )

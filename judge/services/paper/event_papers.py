"""Prints the papers of an event. Public papers have display names, those of the desk full names; each slip
has the link of its table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlmodel import Session

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.printing.page import Sheet
from judge.printing.slips import slips_pdf
from judge.services.event.event_view import AnyEvent
from judge.services.event.tournament_files import phrasebook
from judge.services.event.tournament_of import EventRows, read_rows, tournament_of
from judge.services.paper.documents import PrintOptions, hero_names, print_tournament
from judge.services.paper.shapes import slips_of
from judge.services.players.player_names import shown_names
from judge.storage.events import Match
from judge.tournament.model import Tournament

FEWEST_BLANK = 16
# kind of the print shop -> the file's name
PAPERS = {
    "pairings": "pairings",
    "standings": "standings",
    "bracket": "bracket",
    "slips": "slips",
    "kit": "emergency-kit",
    "round": "round",
}


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
    stage = current.stage if current and kind != "standings" else 1
    t = _named(rows, stage, is_public=is_public)
    if kind == "slips":
        return _slips(rows, t, options, table_link)
    return print_tournament(kind, t, options)  # type: ignore[arg-type]  # slips are printed above


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
    )
    sheet = Sheet(t.name, current.number, options.number, options.printed_at, options.url)
    return slips_pdf(sheet, slips, book, options.paper, options.per_page)


def _named(rows: EventRows, stage: int, *, is_public: bool) -> Tournament:
    names = shown_names(rows.players.values(), public=is_public)
    t = tournament_of(rows, stage, name_of=lambda player: names[player.id or 0])
    return replace(t, labels={e.id: e.name for e in t.entrants})

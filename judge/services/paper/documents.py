"""Prints tournament and table files. The pages of an event use the same functions with its tournament.

Nothing here reads a clock: the time on a sheet is an option, so the same input gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from judge.core.errors import fail
from judge.core.games import DICE_THRONE
from judge.core.messages import Lang
from judge.printing.bracket import bracket_pdf
from judge.printing.cross_table import cross_table_pdf
from judge.printing.kit import Kit, kit_pdf, papers_zip
from judge.printing.page import Paper, Press, Progress, Sheet
from judge.printing.pairings import By, pairings_pdf
from judge.printing.pocket import pocket_pdf
from judge.printing.ruling import draw_ruling
from judge.printing.slips import PerPage, blank_slips, slips_pdf
from judge.printing.standings import standings_pdf
from judge.schemas.answers import shipped_notes
from judge.schemas.books import books
from judge.schemas.dice_throne.editions import load_edition
from judge.schemas.dice_throne.shipped import shipped_hero
from judge.schemas.fixtures import rulebook
from judge.schemas.tournament.reader import read_event
from judge.services.dispute.case import Case
from judge.services.dispute.rulings import tables_in
from judge.services.event.tournament_files import phrasebook
from judge.services.paper.answers_paper import print_answers
from judge.services.paper.hero_paper import print_hero
from judge.services.paper.shapes import (
    Selection,
    bracket_of,
    counted,
    cross_tables_of,
    met_lines,
    pairing_lines,
    player_lines,
    sheet_number,
    slips_of,
    standings_table,
)  # fmt: skip
from judge.tournament.event_ranking import EventRanking, rank_event
from judge.tournament.formats import format_of, pair_round
from judge.tournament.model import USUAL_SIZE, Match, Result, Round, Tournament
from judge.tournament.stages import StagedEvent

# The longest URL for a QR code that prints well.
LONGEST_URL = 300


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """How to print. `round` is the round in question (the last one if not given); `next` pairs a new one.

    `url` is the live page; on slips `{table}` in it stands for the table. `number` tells old sheets from new;
    without it the rounds and results of the file are counted.
    """

    lang: Lang = "en"
    paper: Paper = "a4"
    per_page: PerPage = 4
    by: By = "table"
    second_lang: Lang | None = None
    url: str = ""
    printed_at: str = ""
    number: str = ""
    round: int | None = None
    stage: int | None = None  # the one being played if not given
    next: bool = False
    seed: int = 0
    blank: int = 0
    rounds_before: int = 0  # rounds of earlier stages, where numbers go on through the event
    ranking: EventRanking | None = None  # of the whole event, in a kit
    selections: Mapping[int, Selection] | None = None  # of the round in question, by table


def print_file(
    kind: str, data: Any, options: PrintOptions | None = None, progress: Progress | None = None
) -> bytes:
    """Print a document (for `round`: a ZIP) from a file's values; InputError if the file does not fit."""
    options = options or PrintOptions()
    if len(options.url) > LONGEST_URL:
        raise fail("--url", "print_url_too_long", limit=LONGEST_URL)
    if kind in OTHER_PAPERS:
        return OTHER_PAPERS[kind](data, options, progress)
    event = read_event(data)
    playing = event.due if _is_of_next(kind, options) else event.begun
    number = playing if options.stage is None else options.stage
    tournament = event.tournament(number)
    if kind == "standings" and event.is_staged and options.stage is None and options.round is None:
        return print_ranking(ranking_of(event), options, progress=progress, name=event.name)
    with event.inside(number):
        return print_tournament(kind, tournament, options, progress)


def ranking_of(event: StagedEvent) -> EventRanking:
    """The ranking of a file's whole event."""
    stages = [event.tournament(n) for n in range(1, event.begun + 1)]
    following = event.stages[event.begun] if event.begun < len(event.stages) else None
    return rank_event(stages, len(event.stages), following.take if following else None)


def _is_of_next(kind: str, options: PrintOptions) -> bool:
    """Whether the paper is about what is to come: the next round, or the bracket after a cut."""
    return options.next or kind == "bracket"


# -- tournaments --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TournamentPaper:
    """A paper of a tournament: how it is printed, what its file is called, and who may have it."""

    print: Callable[[Tournament, PrintOptions, Progress | None], bytes]
    file_name: str
    is_public: bool = False  # anybody may open it, with display names; else it is for the desk
    ending: str = "pdf"


def print_tournament(
    kind: str, t: Tournament, options: PrintOptions, progress: Progress | None = None
) -> bytes:
    """Print any paper of a tournament."""
    return TOURNAMENT_PAPERS[kind].print(t, options, progress)


def print_pairings(t: Tournament, options: PrintOptions, progress: Progress | None = None) -> bytes:
    number, matches = _round(t, options)
    lines = pairing_lines(t, number, options.lang, matches, options.selections)
    book = phrasebook(options.lang)
    return pairings_pdf(_sheet(t, options, number), lines, book, options.paper, options.by, progress)


def print_standings(t: Tournament, options: PrintOptions, progress: Progress | None = None) -> bytes:
    after = options.round
    if after is not None and not 0 <= after <= len(t.rounds):
        raise fail("rounds", "print_no_round", n=after, count=len(t.rounds))
    return print_ranking(rank_event([t], after=after), options, after, progress)


def print_ranking(
    ranking: EventRanking,
    options: PrintOptions,
    after: int | None = None,
    progress: Progress | None = None,
    name: str = "",
) -> bytes:
    book = phrasebook(options.lang)
    table = standings_table(ranking, book, after)
    sheet = _sheet(ranking.first, replace(options, rounds_before=0), table.after_round)
    return standings_pdf(replace(sheet, event=name or sheet.event), table, book, options.paper, progress)


def print_slips(t: Tournament, options: PrintOptions, progress: Progress | None = None) -> bytes:
    book = phrasebook(options.lang)
    if options.blank:
        seats = (t.format.pod_size or USUAL_SIZE) if format_of(t).has_pods else 2
        slips = blank_slips(options.blank, counted(t), seats)
        return slips_pdf(Sheet(t.name), slips, book, options.paper, options.per_page, progress)
    number, matches = _round(t, options)
    url_of = (lambda table: table_url(options.url, table)) if options.url else None
    slips = slips_of(
        t, number, matches=matches, url_of=url_of, hero_name=hero_names(t, options.lang),
        selections=options.selections,
    )  # fmt: skip
    return slips_pdf(_sheet(t, options, number), slips, book, options.paper, options.per_page, progress)


def print_bracket(t: Tournament, options: PrintOptions, progress: Progress | None = None) -> bytes:
    """Print a bracket, or the cross tables of a round robin or of groups."""
    book = phrasebook(options.lang)
    sheet = replace(_sheet(t, options, None), round=None)
    if format_of(t).has_bracket:
        return bracket_pdf(sheet, bracket_of(t, book), book, options.paper, progress)
    crosses = cross_tables_of(t, book)
    if crosses:
        return cross_table_pdf(sheet, crosses, book, options.paper, progress)
    raise fail("format.kind", "print_no_bracket", kind=t.format.kind)


def print_kit(t: Tournament, options: PrintOptions, progress: Progress | None = None) -> bytes:
    number, matches = _round(t, options) if t.rounds or options.next else (0, None)
    book = phrasebook(options.lang)
    heroes = hero_names(t, options.lang)
    url_of = (lambda table: table_url(options.url, table)) if options.url else None
    kit = Kit(
        pairings=pairing_lines(t, number, options.lang, matches) if number else (),
        slips=slips_of(t, number, matches=matches, url_of=url_of, hero_name=heroes) if number else (),
        standings=standings_table(options.ranking or rank_event([t]), book) if t.rounds else None,
        players=player_lines(t, heroes),
        bracket=bracket_of(t, book) if format_of(t).has_bracket else (),
        cross_tables=cross_tables_of(t, book),
        met=met_lines(options.ranking.stages if options.ranking else [t], book),
        blanks=options.blank or max(16, (len(t.entrants) + 1) // 2),
    )
    return kit_pdf(_sheet(t, options, number or None), kit, book, options.paper, options.per_page, progress)


def print_round(t: Tournament, options: PrintOptions, progress: Progress | None = None) -> bytes:
    """Print all papers of a round into one ZIP."""
    number, _ = _round(t, options)
    shown = number + options.rounds_before
    papers = {
        f"round-{shown}-pairings-by-table.pdf": print_pairings(t, replace(options, by="table"), progress),
        f"round-{shown}-pairings-by-name.pdf": print_pairings(t, replace(options, by="name"), progress),
        f"round-{shown}-slips.pdf": print_slips(t, options, progress),
    }
    if shown > 1 or t.rounds:
        papers[f"standings-before-round-{shown}.pdf"] = _standings_before(t, options, number, progress)
    if format_of(t).has_drawing:
        papers["bracket.pdf"] = print_bracket(t, options, progress)
    return papers_zip(papers)


def _standings_before(t: Tournament, options: PrintOptions, number: int, progress: Progress | None) -> bytes:
    if options.ranking is not None:
        return print_ranking(options.ranking, options, progress=progress)
    before = replace(options, round=number - 1 if number <= len(t.rounds) else None)
    return print_standings(t, before, progress)


def _round(t: Tournament, options: PrintOptions) -> tuple[int, Round | None]:
    """The number of the round to print, and its matches if it is paired now and not in the file."""
    if options.next or (not t.rounds and options.round in (None, 1)):
        pairing = pair_round(t, options.seed)
        tables = tuple(
            Match(seats=table.players, table=table.number)
            if format_of(t).has_pods
            else Match(a=table.a, b=table.b, table=table.number)
            for table in pairing.tables
        )
        seated = {p for match in tables for p in match.players}
        # In a bracket, two players with byes may meet at once: then they sit at a table and have no bye.
        byes = (Match(a=p, result=Result.BYE) for p in pairing.byes if p not in seated)
        return pairing.round, (*tables, *byes)
    number = len(t.rounds) if options.round is None else options.round
    if not 1 <= number <= len(t.rounds):
        raise fail("rounds", "print_no_round", n=number, count=len(t.rounds))
    return number, None


def _sheet(t: Tournament, options: PrintOptions, number: int | None) -> Sheet:
    sheet = options.number or sheet_number(t)
    number = number and number + options.rounds_before
    return Sheet(t.name, number, sheet, options.printed_at, options.url.replace("{table}", ""))


def table_url(url: str, table: int) -> str:
    """`{table}` in the address is the table's number; an address without it gets a fragment."""
    return url.replace("{table}", str(table)) if "{table}" in url else f"{url}#table-{table}"


def hero_names(t: Tournament, lang: Lang) -> Callable[[str], str]:
    """A function that names heroes in the language, by the catalogue or else by their id."""

    def name(hero: str) -> str:
        shipped = shipped_hero(hero) if t.game == DICE_THRONE else None
        names = shipped.names if shipped else {}
        return names.get(lang) or names.get("en") or hero.replace("-", " ").title()

    return name


# -- rulings and pocket cards -------------------------------------------------------------------------------


def print_rulings(data: Any, options: PrintOptions, progress: Progress | None = None) -> bytes:
    """Print a page for every table of a file, in one language or two."""
    langs = list(dict.fromkeys(lang for lang in (options.lang, options.second_lang) if lang))
    press = Press(phrasebook(options.lang), options.paper, progress=progress)
    for path, table in tables_in(data):
        case = Case(table, path)
        rulings = [(case.said(lang), case.phrases(lang)) for lang in langs]
        title = str(table.get("title") or table.get("id") or "")
        sheet = Sheet(title, number=options.number, printed_at=options.printed_at, url=options.url)
        draw_ruling(press, sheet, rulings)
    return press.finish()


def print_pocket(_data: Any, options: PrintOptions, progress: Progress | None = None) -> bytes:
    editions = [load_edition(book.id) for book in books(DICE_THRONE)]
    book = phrasebook(options.lang)
    return pocket_pdf(
        rulebook(DICE_THRONE), editions, book, options.paper, progress, list(shipped_notes().values())
    )


def _print_answers(_data: Any, options: PrintOptions, progress: Progress | None) -> bytes:
    return print_answers(options.lang, options.paper, options.url, progress)


def _print_hero(data: Any, options: PrintOptions, progress: Progress | None) -> bytes:
    return print_hero(str(data), options.lang, options.paper, options.url, progress)


# -- every paper, by its kind -------------------------------------------------------------------------------

TOURNAMENT_PAPERS: dict[str, TournamentPaper] = {
    "pairings": TournamentPaper(print_pairings, "pairings", is_public=True),
    "standings": TournamentPaper(print_standings, "standings", is_public=True),
    "slips": TournamentPaper(print_slips, "slips"),
    "bracket": TournamentPaper(print_bracket, "bracket", is_public=True),
    "kit": TournamentPaper(print_kit, "emergency-kit"),
    "round": TournamentPaper(print_round, "round", ending="zip"),
}
OTHER_PAPERS: dict[str, Callable[[Any, PrintOptions, Progress | None], bytes]] = {
    "ruling": print_rulings,
    "pocket": print_pocket,
    "answers": _print_answers,
    "hero": _print_hero,
}
WITHOUT_FILE = ("pocket", "answers")

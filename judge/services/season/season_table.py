"""The table of a season, for its page, its paper, as CSV and as a season file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction

from sqlmodel import Session, col, select

from judge.core.json_types import JsonObject
from judge.core.messages import Lang, Message
from judge.printing.page import Paper, Sheet
from judge.printing.standings import StandingLine, StandingsTable, standings_pdf
from judge.schemas.tournament.season_reader import read_season
from judge.schemas.tournament.spreadsheets import to_csv
from judge.services.event.tournament_files import phrasebook
from judge.services.paper.shapes import number_text
from judge.services.players.player_names import shown_names
from judge.services.season.seasons import SeasonView
from judge.storage.events import Event, Player
from judge.storage.seasons import SeasonEvent
from judge.tournament.season import Finish, Season, SeasonStanding, season_standings
from judge.tournament.season import SeasonEvent as CountedEvent


@dataclass(frozen=True, slots=True)
class SeasonColumn:
    """An event of the season; one that is not closed has no moment and does not count."""

    event_id: int
    slug: str
    name: str
    day: date
    frozen_at: datetime | None
    players: int


@dataclass(frozen=True, slots=True)
class Cell:
    """What a player earned in one event; it may be one of those that do not count."""

    points: Fraction
    rank: int
    counts: bool


@dataclass(frozen=True, slots=True)
class SeasonLine:
    rank: int
    player: str
    points: Fraction
    counted: int
    cells: tuple[Cell | None, ...]  # by event, in the order of the columns; None: did not play


@dataclass(frozen=True, slots=True)
class SeasonTable:
    season: SeasonView
    columns: tuple[SeasonColumn, ...]  # those that count, by date
    open_events: tuple[SeasonColumn, ...]
    lines: tuple[SeasonLine, ...]
    events: tuple[CountedEvent, ...]  # what the table was made of, in the order of the columns


def read_season_table(session: Session, season: SeasonView) -> SeasonTable:
    """Three queries, whatever the number of events and players."""
    query = (
        select(SeasonEvent, Event)
        .join(Event, col(Event.id) == SeasonEvent.event_id)
        .where(SeasonEvent.season_id == season.id)
        .order_by(col(Event.day), col(Event.id))
    )
    entries = session.exec(query).all()
    closed = [(entry, event) for entry, event in entries if entry.standings is not None]
    numbers = [event.id for _, event in closed]
    people = session.exec(select(Player).where(col(Player.event_id).in_(numbers))).all() if numbers else []
    counted = tuple(
        CountedEvent(str(event.id), _finishes(entry, [p for p in people if p.event_id == event.id]))
        for entry, event in closed
    )
    points = read_season({"points": season.points, "best": season.best, "events": []})
    standings = season_standings(Season(season.name, points.points, counted, season.best))
    order = [str(number) for number in numbers]
    lines = tuple(
        SeasonLine(line.rank, line.player, line.points, len(line.counted), _cells(line, order))
        for line in standings
    )
    columns = [_column(entry, event) for entry, event in closed]
    waiting = [_column(entry, event) for entry, event in entries if entry.standings is None]
    return SeasonTable(season, tuple(columns), tuple(waiting), lines, counted)


def _column(entry: SeasonEvent, event: Event) -> SeasonColumn:
    players = len(entry.standings or ())
    return SeasonColumn(event.id, event.slug, event.name, event.day, entry.frozen_at, players)


def _finishes(entry: SeasonEvent, people: Sequence[Player]) -> tuple[Finish, ...]:
    """The frozen places with today's names. A player is the same in two events if the name is, whatever its
    capitals; namesakes in one event are told apart by club or number, and an erased player is nobody else."""
    names, shown = shown_names(people, public=True), shown_names(people)
    twins = Counter(p.name.casefold() for p in people)

    def who(player: Player) -> str:
        if player.is_erased:
            return f"erased {player.id}"
        return (shown[player.id] if twins[player.name.casefold()] > 1 else player.name).casefold()

    ids = {p.id: who(p) for p in people}
    return tuple(
        Finish(names[line["player"]], line["rank"], ids[line["player"]], tuple(line["record"]))
        for line in entry.standings or ()
        if line["player"] in names
    )


def _cells(line: SeasonStanding, order: Sequence[str]) -> tuple[Cell | None, ...]:
    cells = {one.event: Cell(one.points, one.rank, counts=True) for one in line.counted}
    cells |= {one.event: Cell(one.points, one.rank, counts=False) for one in line.dropped}
    return tuple(cells.get(event) for event in order)


# -- other forms --------------------------------------------------------------------------------------------


def season_pdf(table: SeasonTable, lang: Lang, paper: Paper, url: str, printed_at: str) -> bytes:
    """The table on paper: a column for each event, results that do not count in brackets."""
    lines = tuple(
        StandingLine(
            line.rank, line.player, number_text(line.points, lang), str(line.counted),
            tuple(_text(cell, lang) for cell in line.cells),
        )
        for line in table.lines
    )  # fmt: skip
    sheet = Sheet(table.season.name, None, str(table.season.version), printed_at, url)
    headings = tuple(column.name for column in table.columns)
    book = phrasebook(lang)
    printed = StandingsTable(lines, headings, record=book.say(Message("season_counted")))
    return standings_pdf(sheet, printed, book, paper)


def _text(cell: Cell | None, lang: Lang) -> str:
    if cell is None:
        return "–"
    text = number_text(cell.points, lang)
    return text if cell.counts else f"({text})"


def season_csv(table: SeasonTable, headings: Sequence[str]) -> str:
    """rank, player, points, counted, then a column for each event; brackets as on paper."""
    rows = [
        [line.rank, line.player, number_text(line.points, "en"), line.counted]
        + ["" if cell is None else _text(cell, "en") for cell in line.cells]
        for line in table.lines
    ]
    return to_csv([*headings, *(column.name for column in table.columns)], rows)


def season_as_file(table: SeasonTable) -> JsonObject:
    """The season as `judge season` reads it, each event with its standings."""
    season = table.season
    events = [
        {"name": column.name, "standings": [_line(finish) for finish in event.table]}
        for column, event in zip(table.columns, table.events, strict=True)
    ]
    best = {"best": season.best} if season.best else {}
    return {"season": 1, "name": season.name, "points": season.points, **best, "events": events}


def _line(finish: Finish) -> JsonObject:
    record = "-".join(map(str, finish.record or (0, 0, 0)))
    return {"player": finish.player, "id": finish.id, "rank": finish.rank, "record": record}

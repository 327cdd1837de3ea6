"""Reads lists of players: names pasted one a line, or CSV from a spreadsheet.

Every row is read on its own: a faulty row says what is wrong and does not affect the others.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from judge.core.errors import fail
from judge.core.messages import Message

NAME_MOST, CLUB_MOST, HERO_MOST, ROWS_MOST = 80, 80, 60, 2048

# Column -> the headings it is known by, in our languages and in the CSV files we write.
HEADINGS: dict[str, tuple[str, ...]] = {
    "name": ("name", "player", "nom", "joueur", "joueuse", "имя", "игрок"),
    "public_name": ("display name", "public name", "public_name", "nom affiché", "pseudo", "псевдоним"),
    "club": ("club", "team", "group", "équipe", "groupe", "клуб", "группа", "команда"),
    "seed": ("seed", "tête de série", "посев"),
    "fixed_table": ("table", "fixed table", "fixed_table", "table fixe", "стол"),
    "heroes": ("heroes", "hero", "héros", "герои", "герой"),
    "members": ("members", "membres", "équipiers", "участники", "состав"),
}
NUMBERING = re.compile(r"^\s*(?:\d{1,4}[.)]|[-•*–])\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """What the list says about a player."""

    name: str
    public_name: str | None = None
    club: str | None = None
    seed: int | None = None
    fixed_table: int | None = None
    heroes: tuple[str, ...] = ()
    first_round: int | None = None  # None: the next round
    members: tuple[str, ...] = ()  # of a team
    byes: tuple[int, ...] | None = None  # rounds with an awarded bye; None: as they are
    half_byes: tuple[int, ...] | None = None  # rounds sat out for the points of a draw; None: as they are
    absent: tuple[int, ...] | None = None  # rounds missed, back afterwards; None: as they are


@dataclass(frozen=True, slots=True)
class ListedRow:
    """One row of a list: the player, or what is wrong with the row; warnings keep nobody out."""

    line: int
    text: str
    facts: PlayerFacts | None
    faults: tuple[Message, ...] = ()
    warnings: tuple[Message, ...] = ()


def read_names(text: str) -> list[ListedRow]:
    """One name a line, with a club after a semicolon or tab if there is one. Numbers in front are no part of
    a name ("1. Ana")."""
    rows = []
    for line, written in _lines(text):
        name, _, club = NUMBERING.sub("", written).replace("\t", ";").partition(";")
        rows.append(_row(line, written, {"name": name, "club": club}))
    return _bounded(rows)


def read_csv(text: str) -> list[ListedRow]:
    """A table whose first row names the columns; separated by commas, semicolons or tabs."""
    first = next((line for _, line in _lines(text)), "")
    delimiter = max(";,\t", key=first.count)
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=delimiter)
    try:
        table = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error as error:
        raise fail("", "settings_fault", why=str(error)) from None
    table = [(line, row) for line, row in table if any(row)]
    if not table:
        raise fail("", "csv_empty")
    columns = _columns(table[0][1])
    rows = []
    for line, cells in table[1:]:
        values = {name: cells[n] for n, name in columns.items() if n < len(cells)}
        rows.append(_row(line, delimiter.join(cells), values))
    if not rows:
        raise fail("", "csv_empty")
    return _bounded(rows)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        if line.strip():
            yield number, line.strip()


def _bounded(rows: list[ListedRow]) -> list[ListedRow]:
    if len(rows) > ROWS_MOST:
        raise fail("", "csv_too_many", most=ROWS_MOST)
    return rows


def _columns(headings: list[str]) -> dict[int, str]:
    column_of = {heading: column for column, words in HEADINGS.items() for heading in words}
    columns = {n: column_of.get(heading.casefold()) for n, heading in enumerate(headings) if heading}
    if "name" not in columns.values():
        raise fail("", "csv_no_name_column")
    return {n: column for n, column in columns.items() if column}


def unknown_columns(text: str) -> list[str]:
    """The headings of a CSV that name nothing we keep; their columns are left out."""
    first = next((line for _, line in _lines(text)), "")
    delimiter = max(";,\t", key=first.count)
    known = {heading for words in HEADINGS.values() for heading in words}
    headings = next(csv.reader([first], delimiter=delimiter), [])
    return [h.strip() for h in headings if h.strip() and h.strip().casefold() not in known]


def _row(line: int, text: str, values: dict[str, str]) -> ListedRow:
    faults: list[Message] = []
    name = read_text(values.get("name", ""), NAME_MOST, faults)
    if name is None and not faults:
        faults.append(Message("player_name_missing"))
    facts = PlayerFacts(
        name=name or "",
        public_name=read_text(values.get("public_name", ""), NAME_MOST, faults),
        club=read_text(values.get("club", ""), CLUB_MOST, faults),
        seed=read_number(values.get("seed", ""), faults),
        fixed_table=read_number(values.get("fixed_table", ""), faults),
        heroes=read_heroes(values.get("heroes", ""), faults),
        members=read_heroes(values.get("members", ""), faults),
    )
    return ListedRow(line, text, None if faults else facts, tuple(faults))


def read_text(written: str, most: int, faults: list[Message]) -> str | None:
    """A text without control characters and doubled spaces, or None."""
    text = " ".join("".join(c if c.isprintable() else " " for c in written).split())
    if len(text) > most:
        faults.append(Message("player_text_too_long", most=most))
    return text or None


def read_number(written: str, faults: list[Message]) -> int | None:
    written = written.strip()
    if not written:
        return None
    if not re.fullmatch(r"[0-9]{1,4}", written) or int(written) < 1:
        faults.append(Message("player_number_wrong", text=written))
        return None
    return int(written)


def read_heroes(written: str, faults: list[Message]) -> tuple[str, ...]:
    """Heroes separated by commas, slashes, bars or line breaks."""
    parts = (read_text(part, HERO_MOST, faults) for part in re.split(r"[,/|;\n]", written))
    return tuple(part for part in parts if part)

"""A hero's sheet as a page of paper."""

from __future__ import annotations

from judge.core.errors import fail
from judge.core.games import DICE_THRONE
from judge.core.messages import Lang
from judge.printing.hero import Block, Face, HeroPaper, Row, hero_pdf
from judge.printing.page import Paper, Progress, Sheet
from judge.schemas.dice_throne.drawings import drawings
from judge.schemas.dice_throne.shipped import hero_ids
from judge.services.event.tournament_files import phrasebook
from judge.services.rulebook import sheet_rows
from judge.services.rulebook.hero_sheet import hero_sheet
from judge.services.rulebook.heroes import find_hero


def print_hero(
    written: str, lang: Lang, paper: Paper = "a4", url: str = "", progress: Progress | None = None
) -> bytes:
    """One page about the hero with this id or name; InputError if there is none."""
    sheet = hero_sheet(find_hero(DICE_THRONE, written), lang)
    if sheet is None:
        raise fail("", "expected_one_of", words=hero_ids())
    page = sheet_rows.in_rows(sheet, lang)
    known = drawings()
    document = HeroPaper(
        page.name,
        page.over,
        tuple(Face(known.get(face.symbol), face.name) for face in page.die),
        tuple(Block(block.title, block.aside, tuple(map(_row, block.rows))) for block in page.blocks),
    )
    return hero_pdf(document, phrasebook(lang), paper, Sheet(page.over, url=url), progress)


def _row(row: sheet_rows.Row) -> Row:
    """A row with the drawings of its condition; a condition that cannot be drawn is written."""
    if row.need is None:
        return Row(row.text, row.label, (), row.is_note, row.indent)
    known, text = drawings(), row.text
    faces = [part.face.symbol for part in row.need.drawn for _ in range(part.times)]
    is_drawn = all(face in known for face in faces)
    if row.need.is_written or not is_drawn:
        text = f"{row.need.says}: {text}" if text else row.need.says
    drawn = tuple(known[face] for face in faces) if is_drawn else ()
    return Row(text, row.label, drawn, row.is_note, row.indent)

"""Prints the book of answers: by subject, two columns a page, each answer with its sum and its source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.core.messages import Message, Phrasebook
from judge.printing.flow import Line, Para, draw_lines, heading, height, lines_of
from judge.printing.lettering import BOLD, ITALIC
from judge.printing.page import Area, Paper, Press, Progress, Sheet

GAP = 22.0
SCALE = 0.95


@dataclass(frozen=True, slots=True)
class PrintedAnswer:
    question: str
    says: str
    sums: Sequence[str] = ()  # "Ben: 6 − 3 = 3"
    differs: Sequence[str] = ()
    source: str = ""
    rules: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    title: str
    answers: Sequence[PrintedAnswer]


def answers_pdf(
    chapters: Sequence[Chapter], book: Phrasebook, paper: Paper = "a4", sheet: Sheet | None = None,
    progress: Progress | None = None,
) -> bytes:  # fmt: skip
    title = book.say(Message("print_answers"))
    press = Press(book, paper, title, progress)
    area = press.area()
    wide = (area.width - GAP) / 2
    columns = _columns(chapters, wide, area.height)
    pages = [columns[n : n + 2] for n in range(0, len(columns), 2)]
    press.expect(len(pages))
    for number, page in enumerate(pages, start=1):
        press.frame(sheet or Sheet(""), title, "", number, len(pages))
        for n, column in enumerate(page):
            left = area.left + n * (wide + GAP)
            draw_lines(press, column, Area(left, area.bottom, left + wide, area.top))
        press.end_page()
    return press.finish()


def _columns(chapters: Sequence[Chapter], wide: float, high: float) -> list[list[Line]]:
    """All chapters in columns; no answer is torn apart, and no title stands without an answer."""
    columns: list[list[Line]] = [[]]
    for chapter in chapters:
        above = lines_of([heading(chapter.title)], wide, SCALE)
        for answer in chapter.answers:
            block = [*above, *lines_of(list(_paragraphs(answer)), wide, SCALE)]
            if columns[-1] and height(columns[-1]) + height(block) > high:
                columns.append([])
            columns[-1] += block
            above = []
    return columns


def _paragraphs(answer: PrintedAnswer) -> Iterator[Para]:
    yield Para(answer.question, 9.5, BOLD, before=7)
    yield Para(answer.says, 9.5, before=1)
    for each in answer.sums:
        yield Para(each, 9, before=1, mark="=", mark_font=BOLD, indent=12)
    for each in answer.differs:
        yield Para(each, 8.5, before=1, mark="≠", mark_font=BOLD, indent=12)
    yield Para(answer.source, 7.5, ITALIC, before=1, tail=answer.rules)

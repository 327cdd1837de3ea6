"""Prints brackets: boxes for the matches and connectors between them, over as many pages as needed."""

from __future__ import annotations

from collections.abc import Sequence

from judge.core.messages import Phrasebook
from judge.printing.bracket_pages import (
    LINES_ON_ITS_SIDE,
    BracketMatch,
    BracketPage,
    Placed,
    Slot,
    bracket_pages,
)
from judge.printing.columns import typical_width
from judge.printing.lettering import BOLD, ITALIC, REGULAR, width
from judge.printing.page import Area, Paper, Press, Progress, Sheet, check_code

__all__ = ["BracketMatch", "Slot", "bracket_pdf", "draw_bracket"]

TALLEST_LINE = 46.0
JOINT = 16.0
WIDEST = 260.0
TWO_LINES_FROM = 10.0  # from this size on a long name fits on two lines of its half of the box


def bracket_pdf(
    sheet: Sheet, matches: Sequence[BracketMatch], book: Phrasebook, paper: Paper = "a4",
    progress: Progress | None = None,
) -> bytes:  # fmt: skip
    press = Press(book, paper, f"{sheet.event} – {book.sentences['print_bracket']}", progress)
    draw_bracket(press, sheet, matches)
    return press.finish()


def draw_bracket(press: Press, sheet: Sheet, matches: Sequence[BracketMatch]) -> None:
    pages = bracket_pages(matches)
    numbers = {p.match.id: n for n, page in enumerate(pages, start=1) for p in page.placed}
    labels = {m.id: m.label for m in matches}
    goes_to = {slot.winner_of: m.id for m in matches for slot in (m.a, m.b) if slot.winner_of}
    is_double = any(m.part == "losers" for m in matches)
    press.expect(len(pages))
    for number, page in enumerate(pages, start=1):
        press.turn(landscape=page.lines <= LINES_ON_ITS_SIDE)
        title = {
            "main": "print_winners_bracket" if is_double else "print_bracket",
            "losers": "print_losers_bracket",
        }
        press.frame(sheet, press.say(title[page.part]), "", number, len(pages), check_code(list(matches)))
        _Drawing(press, page, labels, numbers, goes_to, number).draw()
        press.end_page()
    press.turn(landscape=False)


class _Drawing:
    """One page of a bracket."""

    def __init__(
        self, press: Press, page: BracketPage, labels: dict[str, str], pages: dict[str, int],
        goes_to: dict[str, str], number: int,
    ) -> None:  # fmt: skip
        self.press, self.page = press, page
        self.labels, self.pages, self.goes_to, self.number = labels, pages, goes_to, number
        area = press.area()
        self.area = Area(area.left, area.bottom, area.right, area.top - 20)
        self.line = min(self.area.height / max(page.lines, 2), TALLEST_LINE)
        self.step = min(self.area.width / page.columns, WIDEST)
        self.wide = self.step - JOINT
        self.high = min(self.line * 1.72, 56.0)
        self.size = self._type_size()
        self.at = {p.match.id: p for p in page.placed}

    def _type_size(self) -> float:
        """The page's type size, at which all but the longest names fit; those shrink on their own."""
        names = [slot.name for p in self.page.placed for slot in (p.match.a, p.match.b) if slot.name]
        needed = typical_width(names, 0.9) * 1.06 + 4.2
        return max(min(self.high * 0.36, 13.0, self.wide / needed), 6.0)

    def draw(self) -> None:
        self._headings()
        for placed in sorted(self.page.placed, key=lambda p: (p.column, p.y)):
            self._match(placed)
            for n, child in enumerate(placed.fed):
                if child:
                    self._connect(self.at[child.id], placed, n)
        for root in self.page.roots:
            self._onward(self.at[root.id])

    def _x(self, placed: Placed) -> float:
        return self.area.left + placed.column * self.step

    def _y(self, placed: Placed) -> float:
        return self.area.top - placed.y * self.line

    def _headings(self) -> None:
        for column in range(self.page.columns):
            stages = {p.match.stage for p in self.page.placed if p.column == column}
            if len(stages) == 1:
                x = self.area.left + column * self.step
                self.press.text(x, self.area.top + 10, stages.pop(), 9, BOLD, room=self.wide, least=6)

    def _match(self, placed: Placed) -> None:
        press, match = self.press, placed.match
        x, y = self._x(placed), self._y(placed)
        press.box(x, y - self.high / 2, self.wide, self.high, 0.8)
        press.rule(x, y, x + self.wide, y, 0.4, 0.5)
        for slot, base, side in ((match.a, y + self.high * 0.16, "a"), (match.b, y - self.high * 0.37, "b")):
            self._slot(slot, x, base, match.won == side)
        small = max(5.0, self.size * 0.68)
        press.text(x + self.wide + 1.5, y + 1.5, match.label, small, room=JOINT - 6.5, least=3.5)

    def _slot(self, slot: Slot, x: float, y: float, won: bool) -> None:
        press, size = self.press, self.size
        name_x, room = x + 3, self.wide - 6
        if slot.seed is not None:
            press.text(x + 1.55 * size, y, str(slot.seed), size * 0.7, align="right")
            name_x, room = x + 1.85 * size, room - 1.85 * size + 3
        if slot.score:
            press.text(x + self.wide - 3, y, slot.score, size, BOLD if won else REGULAR, "right")
            room -= width(slot.score, BOLD, size) + 3
        if slot.name:
            font = BOLD if won else REGULAR
            if size >= TWO_LINES_FROM:
                press.name(name_x, y, slot.name, size, font, room=room, least=7)
            else:
                press.text(name_x, y, slot.name, size, font, room=room, least=5)
        else:
            press.text(x + 3, y, self._source(slot), size * 0.85, ITALIC, room=room, least=4.5)

    def _source(self, slot: Slot) -> str:
        """`Winner of 12`, with that match's page; empty if a connector shows it."""
        source = slot.winner_of or slot.loser_of
        if source is None or source not in self.labels:
            return ""
        if slot.winner_of in self.at:
            return ""
        key = "print_winner_of" if slot.winner_of else "print_loser_of"
        text = self.press.say(key, match=self.labels[source])
        page = self.pages.get(source, self.number)
        return text if page == self.number else f"{text} ({self.press.say('print_on_page', n=page)})"

    def _connect(self, child: Placed, parent: Placed, slot: int) -> None:
        x1, y1 = self._x(child) + self.wide, self._y(child)
        x2 = self._x(parent)
        y2 = self._y(parent) + (self.high / 4 if slot == 0 else -self.high / 4)
        elbow = x2 - 3.5
        self.press.path([(x1, y1), (elbow, y1), (elbow, y2), (x2, y2)])

    def _onward(self, root: Placed) -> None:
        """Where the winner of the page's last match goes, or who has won the event."""
        x, y = self._x(root), self._y(root) - self.high / 2
        match = root.match
        if match.id in self.goes_to:
            target = self.goes_to[match.id]
            page = self.press.say("print_on_page", n=self.pages[target])
            text = f"→ {self.labels[target]} ({page})"
            self.press.text(x + self.wide, y - 10, text, 8, align="right", room=self.wide)
        elif match.won:
            winner = match.a if match.won == "a" else match.b
            self.press.text(x, y - 17, f"★ {winner.name}", 13, BOLD, room=self.wide, least=6)

"""Draws PDF pages: frame, fitted text, rules, boxes and QR codes.

Every document is drawn by one `Press`, so that all of them embed the same fonts, give the same bytes for the
same input and can be joined into one file (the emergency kit).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal
from zlib import crc32

from reportlab import rl_config
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.textobject import PDFTextObject

from judge.core.messages import Message, Phrasebook
from judge.printing.lettering import BOLD, ITALIC, REGULAR, clean, fit, shorten, width, widths, wrap
from judge.printing.qr import qr_path

# Page streams as plain bytes rather than ASCII text: a fifth smaller, and faster.
rl_config.useA85 = 0

Paper = Literal["a4", "letter"]
PAPERS: dict[str, tuple[float, float]] = {"a4": A4, "letter": LETTER}
Align = Literal["left", "right", "center"]
Progress = Callable[[int, int], None]

MARGIN = 36.0
QR_SIDE = 62.0
SMALLEST = 5.0
SHRINK, TWO_LINES = 0.75, 0.62  # how far a name shrinks on one line; its type on two


@dataclass(frozen=True, slots=True)
class Sheet:
    """What every page of a document shows.

    `number` tells an old sheet from a new one (an event's version, say); `printed_at` is shown as given;
    `url` is the live page, put in a QR code.
    """

    event: str = ""
    round: int | None = None
    number: str = ""
    printed_at: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Area:
    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom


def check_code(*content: Any) -> str:
    """Four characters that differ when the content differs, to tell apart two sheets with one number."""
    return f"{crc32(repr(content).encode()) & 0xFFFF:04X}"


class _Letters(PDFTextObject):  # type: ignore[misc]  # reportlab carries no types
    """A text object for texts at given places; keeps no cursor, which nothing here needs."""

    def put(self, x: float, y: float, text: str) -> None:
        self._code.append(f"1 0 0 1 {x:.2f} {y:.2f} Tm {self._formatText(text)}")


class Press:
    def __init__(
        self,
        book: Phrasebook,
        paper: Paper = "a4",
        title: str = "",
        progress: Progress | None = None,
        landscape: bool = False,
    ) -> None:
        for font in (REGULAR, BOLD, ITALIC):
            widths(font)
        self.book = book
        self.lang = book.lang
        self.paper = paper
        self.progress = progress
        self.pages_done = 0
        self.pages_expected = 0
        self._buffer = BytesIO()
        self._texts: list[tuple[float, float, str, str, float, float]] = []
        self.turn(landscape)
        self.canvas = Canvas(
            self._buffer, pagesize=(self.width, self.height), invariant=1, pageCompression=1,
            initialFontName=REGULAR, initialFontSize=10, lang=book.lang,
        )  # fmt: skip
        self.canvas.setTitle(clean(title))
        self.canvas.setCreator("judge")

    def turn(self, landscape: bool) -> None:
        """Switch to portrait or landscape, from the page that begins now."""
        short, long = PAPERS[self.paper]
        self.width, self.height = (long, short) if landscape else (short, long)
        if hasattr(self, "canvas"):
            self.canvas.setPageSize((self.width, self.height))

    def say(self, key: str, /, **params: Any) -> str:
        return self.book.say(Message(key, **params))

    # -- text -----------------------------------------------------------------------------------------------

    def text(
        self, x: float, y: float, text: str, size: float = 10, font: str = REGULAR, align: Align = "left",
        room: float | None = None, least: float | None = None, gray: float = 0.0,
    ) -> float:  # fmt: skip
        """Draw one line at baseline y; to fit `room` it shrinks to `least`, then is cut. Returns its size."""
        if room is None:
            text = clean(text)
        else:
            text, size = fit(text, font, size, room, least or max(SMALLEST, size * 0.6))
        if align != "left":
            wide = width(text, font, size)
            x -= wide if align == "right" else wide / 2
        if text:
            self._texts.append((x, y, text, font, size, gray))
        return size

    def name(
        self, x: float, y: float, text: str, size: float, font: str = REGULAR, *, room: float, least: float
    ) -> None:
        """Draw a name of any length: shrunk a little, else on two lines of smaller type in the same row."""
        _, fitted = fit(text, font, size, room, 1.0)
        if fitted >= max(least, SHRINK * size):
            self.text(x, y, text, size, font, room=room, least=least)
            return
        small = max(SMALLEST, TWO_LINES * size)
        first, *rest = wrap(text, font, small, room)
        if not rest:
            self.text(x, y, text, size, font, room=room, least=least)
            return
        self.text(x, y + 0.5 * small, first, small, font)
        self.text(x, y - 0.6 * small, " ".join(rest), small, font, room=room, least=small)

    def _set_texts(self) -> None:
        """Draw all letters of a page in one text object, over its boxes and rules."""
        if not self._texts:
            return
        out = _Letters(self.canvas)
        last_font, last_size, last_gray = "", 0.0, 0.0
        for x, y, text, font, size, gray in self._texts:
            if font != last_font or size != last_size:
                out.setFont(font, size)
                last_font, last_size = font, size
            if gray != last_gray:
                out.setFillGray(gray)
                last_gray = gray
            out.put(x, y, text)
        if last_gray:
            out.setFillGray(0)
        self.canvas.drawText(out)
        self._texts = []

    # -- rules and boxes ------------------------------------------------------------------------------------

    def rule(self, x1: float, y1: float, x2: float, y2: float, thick: float = 0.5, gray: float = 0.0) -> None:
        self.canvas.addLiteral(f"{thick} w {gray} G {x1:.2f} {y1:.2f} m {x2:.2f} {y2:.2f} l S")

    def dashed(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.canvas.addLiteral(f"[3 3] 0 d 0.4 w 0.5 G {x1:.2f} {y1:.2f} m {x2:.2f} {y2:.2f} l S [] 0 d")

    def path(self, points: list[tuple[float, float]], thick: float = 0.8) -> None:
        steps = " ".join(f"{x:.2f} {y:.2f} {'l' if n else 'm'}" for n, (x, y) in enumerate(points))
        self.canvas.addLiteral(f"{thick} w 0 G {steps} S")

    def box(
        self, x: float, y: float, wide: float, high: float, thick: float = 0.7, gray: float = 0.0
    ) -> None:
        self.canvas.addLiteral(f"{thick} w {gray} G {x:.2f} {y:.2f} {wide:.2f} {high:.2f} re S")

    def tint(self, x: float, y: float, wide: float, high: float, gray: float = 0.92) -> None:
        self.canvas.addLiteral(f"{gray} g {x:.2f} {y:.2f} {wide:.2f} {high:.2f} re f 0 g")

    def qr(self, url: str, x: float, y: float, side: float) -> None:
        """Draw the code with its lower left corner at x, y; `side` does not include the quiet zone."""
        path, modules = qr_path(url)
        scale = side / modules
        self.canvas.addLiteral(f"q 0 g {scale:.4f} 0 0 {scale:.4f} {x:.2f} {y:.2f} cm {path} f Q")

    # -- pages ----------------------------------------------------------------------------------------------

    def expect(self, pages: int) -> None:
        self.pages_expected += pages

    def end_page(self) -> None:
        self._set_texts()
        self.canvas.showPage()
        self.pages_done += 1
        if self.progress:
            self.progress(self.pages_done, max(self.pages_expected, self.pages_done))

    def finish(self) -> bytes:
        if not self.pages_done:
            self.end_page()
        self.canvas.save()
        return self._buffer.getvalue()

    def area(self) -> Area:
        """The space between header and footer."""
        return Area(MARGIN, MARGIN + 18, self.width - MARGIN, self.height - MARGIN - 70)

    def frame(
        self, sheet: Sheet, title: str, aside: str = "", page: int = 1, pages: int = 1, code: str = "",
    ) -> None:  # fmt: skip
        """Draw header and footer of a page. `aside` is the part of a list that is on this page."""
        left, right, top = MARGIN, self.width - MARGIN, self.height - MARGIN
        inner = right
        if sheet.url:
            self.qr(sheet.url, right - QR_SIDE, top - QR_SIDE + 6, QR_SIDE)
            inner = right - QR_SIDE - 16
        over = sheet.event if sheet.round is None else self._event_and_round(sheet, inner - left)
        self.text(left, top - 6, over, 12, room=inner - left, least=7)
        aside_wide = 0.0
        if aside:
            aside_size = self.text(inner, top - 40, aside, 27, BOLD, "right", room=(inner - left) * 0.4)
            aside_wide = width(clean(aside), BOLD, aside_size) + 16
        self.text(left, top - 40, title, 27, BOLD, room=inner - left - aside_wide, least=11)
        self.rule(left, top - 55, inner, top - 55, 1.6)
        self._foot(sheet, page, pages, code)

    def _event_and_round(self, sheet: Sheet, room: float) -> str:
        """Draw event and round; a long event name is shortened, never the round."""
        tail = self.say("print_round", n=sheet.round)
        if not sheet.event:
            return tail
        tail = f" · {tail}"
        size = max(7.0, fit(sheet.event + tail, REGULAR, 12, room, 7)[1])
        return shorten(clean(sheet.event), REGULAR, size, room - width(clean(tail), REGULAR, size)) + tail

    def _foot(self, sheet: Sheet, page: int, pages: int, code: str) -> None:
        y = MARGIN - 4
        self.rule(MARGIN, y + 12, self.width - MARGIN, y + 12, 0.5)
        number = " · ".join(part for part in (sheet.number, code) if part)
        third = (self.width - 2 * MARGIN) / 3
        if number:
            self.text(MARGIN, y, self.say("print_sheet", number=number), 9, BOLD, room=third)
        if sheet.printed_at:
            printed = self.say("print_printed_at", time=sheet.printed_at)
            self.text(self.width / 2, y, printed, 9, align="center", room=third)
        self.text(
            self.width - MARGIN, y, self.say("print_page", n=page, of=pages), 9, align="right", room=third
        )

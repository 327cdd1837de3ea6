"""Reading a PDF back: its words with their places, its fonts, and what a cutter would do to its pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from pypdf import PdfReader
from pypdf.generic import ContentStream

from judge.printing.lettering import width


@dataclass(frozen=True)
class Word:
    """One text as it was set: page from 0, place, size and font."""

    page: int
    x: float
    y: float
    size: float
    font: str
    text: str

    @property
    def right(self) -> float:
        return self.x + width(self.text, self.font, self.size)


class Read:
    def __init__(self, pdf: bytes) -> None:
        self.reader = PdfReader(BytesIO(pdf))
        self.pages = self.reader.pages
        self.words = [word for n in range(len(self.pages)) for word in self._words(n)]

    def _words(self, number: int) -> Iterator[Word]:
        """Every `Tj` of a page, decoded by its font's own table."""
        page = self.pages[number]
        fonts = {name: _Font(font.get_object()) for name, font in page["/Resources"]["/Font"].items()}
        font, size, shown, x, y, text = None, 0.0, _Shown("", 0.0), 0.0, 0.0, ""
        for operands, operator in ContentStream(page.get_contents(), self.reader).operations:
            if operator == b"Tf":
                font, size = fonts[operands[0]], float(operands[1])
            elif operator == b"Tm":
                if text:
                    yield Word(number, x, y, shown.size, shown.name, text)
                x, y, text = float(operands[4]), float(operands[5]), ""
            elif operator == b"Tj":
                text += font.decode(operands[0])
                shown = _Shown(font.name, size)
        if text:
            yield Word(number, x, y, shown.size, shown.name, text)

    @property
    def texts(self) -> list[str]:
        return [word.text for word in self.words]

    def text(self) -> str:
        return "\n".join(page.extract_text() for page in self.pages)

    def content(self, number: int) -> str:
        return self.pages[number].get_contents().get_data().decode("latin-1")

    def fonts(self) -> list[Any]:
        return [f.get_object() for page in self.pages for f in page["/Resources"]["/Font"].values()]

    def assert_well_set(self) -> None:
        """Only embedded DejaVu; no letter without a glyph; nothing runs off its page."""
        for font in self.fonts():
            assert "DejaVuSans" in font["/BaseFont"]
            assert "/FontFile2" in font["/FontDescriptor"]
        for word in self.words:
            box = self.pages[word.page].mediabox
            assert "\x00" not in word.text
            assert word.x >= 0, word
            assert word.right <= float(box.width) + 0.5, word
            assert 0 <= word.y <= float(box.height) - word.size * 0.7, word


@dataclass(frozen=True)
class _Shown:
    name: str
    size: float


class _Font:
    def __init__(self, font: Any) -> None:
        self.name = str(font["/BaseFont"]).split("+")[-1].lstrip("/")
        self.table: dict[int, str] = {}
        rows = font["/ToUnicode"].get_data().decode("latin-1").split("begin")
        for row in rows:
            if row.startswith(("bfrange", "bfchar")):
                self._read(row)

    def _read(self, row: str) -> None:
        for line in row.splitlines():
            parts = line.replace("[", " ").replace("]", " ").split()
            codes = [p.strip("<>") for p in parts if p.startswith("<")]
            if len(codes) < 2:
                continue
            first = int(codes[0], 16)
            values = codes[2:] if row.startswith("bfrange") else codes[1:]
            for n, value in enumerate(values):
                self.table[first + n] = bytes.fromhex(value).decode("utf-16-be")

    def decode(self, raw: Any) -> str:
        return "".join(self.table.get(b, "\x00") for b in raw.original_bytes)

"""QR codes as PDF paths, fast: thousands of slips need thousands of codes, at nearly a millisecond each.

A code with a fixed mask is linear: flipping a bit of the text always flips the same modules, whatever else
the text says. So for many addresses of one length, a code is the first one's with those modules flipped. The
mask is fixed: finding the best of eight takes seven times as long, and scanners read any of them.
"""

from __future__ import annotations

import re
from functools import lru_cache

import segno

# Below this many addresses of one length it is faster to make each code by itself.
WORTH_IT = 64
_DARK = re.compile("1+")


class _Codes:
    """The codes of all texts of one length."""

    def __init__(self, length: int) -> None:
        self.made = 0
        self.first: tuple[int, int] | None = None
        self.flips: dict[int, int] = {}
        self.length = length
        self.side = 0

    def code(self, data: bytes) -> int:
        """The modules, row by row from the top, as the bits of one number."""
        self.made += 1
        text = int.from_bytes(data)
        if self.first is None or self.made <= WORTH_IT:
            modules = self._make(text)
            self.first = self.first or (text, modules)
            return modules
        first_text, modules = self.first
        different = text ^ first_text
        while different:
            bit = different & -different
            modules ^= self._flipped_by(bit)
            different ^= bit
        return modules

    def _flipped_by(self, bit: int) -> int:
        assert self.first is not None
        if bit not in self.flips:
            text, modules = self.first
            self.flips[bit] = modules ^ self._make(text ^ bit)
        return self.flips[bit]

    def _make(self, text: int) -> int:
        data = text.to_bytes(self.length)
        code = segno.make(data, mode="byte", error="m", micro=False, boost_error=False, mask=3)
        self.side = len(code.matrix)
        return int("".join("1" if module else "0" for row in code.matrix for module in row), 2)


@lru_cache(maxsize=16)
def _codes(length: int) -> _Codes:
    return _Codes(length)


@lru_cache(maxsize=8192)
def _run(start: int, row: int, wide: int) -> str:
    return f"{start} {row} {wide} 1 re"


@lru_cache(maxsize=64)
def qr_path(text: str) -> tuple[str, int]:
    """The dark runs of the code as one path of rectangles with side 1, and the modules per side."""
    data = text.encode()
    codes = _codes(len(data))
    modules = codes.code(data)
    side = codes.side
    bits = f"{modules:0{side * side}b}"
    runs = [
        _run(dark.start(), side - 1 - y, dark.end() - dark.start())
        for y in range(side)
        for dark in _DARK.finditer(bits[y * side : (y + 1) * side])
    ]
    return " ".join(runs), side


def forget() -> None:
    """Clear the cache, as in a fresh process."""
    for remembered in (_codes, _run, qr_path):
        remembered.cache_clear()

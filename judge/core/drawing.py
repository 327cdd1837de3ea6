"""A small drawing in one colour on a square of 24 by 24, for pages and paper alike."""

from __future__ import annotations

from dataclasses import dataclass

SIDE = 24


@dataclass(frozen=True, slots=True)
class Shape:
    """One SVG path. A line has a thickness and round ends; a shape without one is filled (even-odd)."""

    path: str
    thick: float | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A named drawing, from back to front."""

    id: str
    shapes: tuple[Shape, ...]

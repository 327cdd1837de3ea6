"""Reads the drawings: one for each symbol on the dice, and those for straights, equal numbers and dice.

A drawing is a file `fixtures/dice-throne/drawings/<id>.svg`: a square of 24 by 24 that holds `path` elements,
each either filled or a line with round ends, in `currentColor`. Nothing else of SVG is understood.
"""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

from judge.core.drawing import SIDE, Drawing, Shape
from judge.core.games import DICE_THRONE
from judge.paths import FIXTURES

DRAWINGS = FIXTURES / DICE_THRONE / "drawings"
_SVG = "{http://www.w3.org/2000/svg}"


@cache
def drawings() -> dict[str, Drawing]:
    """Every drawing by its id, in the order of the ids."""
    files = sorted(DRAWINGS.glob("*.svg"))
    return {path.stem: read_drawing(path.stem, path.read_text("utf-8")) for path in files}


def read_drawing(name: str, svg: str) -> Drawing:
    """The drawing in an SVG file; ValueError if it uses more of SVG than pages and paper both understand."""
    root = ElementTree.fromstring(svg)  # noqa: S314  our own files
    if root.tag != f"{_SVG}svg" or root.get("viewBox") != f"0 0 {SIDE} {SIDE}":
        raise ValueError(f"{name}: expected an svg with the viewBox 0 0 {SIDE} {SIDE}")
    return Drawing(name, tuple(_shape(name, dict(element.attrib), element.tag) for element in root))


def _shape(name: str, attributes: dict[str, str], tag: str) -> Shape:
    path = attributes.pop("d", "")
    if tag != f"{_SVG}path" or not path:
        raise ValueError(f"{name}: expected path elements with d")
    if attributes == {"fill": "currentColor", "fill-rule": "evenodd"}:
        return Shape(path)
    thick = attributes.pop("stroke-width", "")
    line = {"fill": "none", "stroke": "currentColor", "stroke-linecap": "round", "stroke-linejoin": "round"}
    if attributes != line or not thick:
        raise ValueError(f"{name}: expected a filled path, or a line with stroke-width and round ends")
    return Shape(path, float(thick))

"""Draws our small SVG drawings on paper: the path of a shape becomes lines and curves of the PDF."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import atan2, ceil, cos, hypot, pi, sin, sqrt, tan

from judge.core.drawing import SIDE, Drawing, Shape
from judge.printing.page import Press

Point = tuple[float, float]
_WORD = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")
# How many numbers each command of a path takes. Lower case counts from the current point.
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "A": 7, "Z": 0}


def draw(press: Press, drawing: Drawing, x: float, y: float, side: float, gray: float = 0.0) -> None:
    """Draw it in a square with its lower left corner at x, y."""
    scale = side / SIDE
    inked = " ".join(_inked(shape) for shape in drawing.shapes)
    # SVG counts down from the top, paper up from the bottom.
    place = f"{scale:.4f} 0 0 {-scale:.4f} {x:.2f} {y + side:.2f} cm"
    press.canvas.addLiteral(f"q {gray} g {gray} G 1 J 1 j {place} {inked} Q")


def _inked(shape: Shape) -> str:
    path = " ".join(pdf_path(shape.path))
    return f"{path} f*" if shape.thick is None else f"{shape.thick:g} w {path} S"


def pdf_path(path: str) -> Iterator[str]:
    """The commands of a PDF for an SVG path; ValueError on a command that no drawing of ours uses."""
    here = start = (0.0, 0.0)
    for command, numbers in _commands(path):
        if command in "Zz":
            here = start
            yield "h"
        elif command in "Aa":
            end = _end(command, numbers, here)
            yield from _arc(here, end, numbers)
            here = end
        else:
            points = _points(command, numbers, here)
            here = points[-1]
            start = here if command in "Mm" else start
            yield " ".join(f"{x:.2f} {y:.2f}" for x, y in points) + f" {_letter(command)}"


def _letter(command: str) -> str:
    return {"M": "m", "C": "c"}.get(command.upper(), "l")


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with its numbers; a letter may be left out where a command is repeated."""
    words = _WORD.findall(path)
    command, at = "", 0
    while at < len(words):
        if words[at].isalpha():
            command, at = words[at], at + 1
        if command.upper() not in _TAKES:
            raise ValueError(f"unknown command {command!r} in the path {path!r}")
        count = _TAKES[command.upper()]
        yield command, [float(word) for word in words[at : at + count]]
        at += count
        command = {"M": "L", "m": "l"}.get(command, command)


def _points(command: str, numbers: list[float], here: Point) -> list[Point]:
    if command in "HhVv":
        return [_end(command, numbers, here)]
    x, y = here if command.islower() else (0.0, 0.0)
    return [(x + a, y + b) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]


def _end(command: str, numbers: list[float], here: Point) -> Point:
    """Where a command with a single end point leads."""
    x, y = here if command.islower() else (0.0, 0.0)
    if command in "Hh":
        return x + numbers[0], here[1]
    if command in "Vv":
        return here[0], y + numbers[0]
    return x + numbers[-2], y + numbers[-1]


def _arc(start: Point, end: Point, numbers: list[float]) -> Iterator[str]:
    """An arc of an upright ellipse as curves of at most a quarter each (SVG 1.1, appendix F.6)."""
    wide, high, turn, large, sweep = numbers[:5]
    if turn:
        raise ValueError("a turned ellipse is not understood")
    # On a circle of radius 1 with its centre at 0.
    (x1, y1), (x2, y2) = ((start[0] / wide, start[1] / high), (end[0] / wide, end[1] / high))
    chord = hypot(x2 - x1, y2 - y1) / 2
    grow = max(1.0, chord)  # radii that do not reach are made to
    away = sqrt(max(0.0, grow * grow - chord * chord)) * (1 if large != sweep else -1)
    cx = (x1 + x2) / 2 - away * (y2 - y1) / (2 * chord)
    cy = (y1 + y2) / 2 + away * (x2 - x1) / (2 * chord)
    first, last = atan2(y1 - cy, x1 - cx), atan2(y2 - cy, x2 - cx)
    angle = (last - first) % (2 * pi) if sweep else -((first - last) % (2 * pi))
    parts = max(1, ceil(abs(angle) / (pi / 2) - 1e-9))
    pull = 4 / 3 * tan(angle / parts / 4)
    for n in range(parts):
        a, b = first + angle * n / parts, first + angle * (n + 1) / parts
        curve = (
            (cos(a) - pull * sin(a), sin(a) + pull * cos(a)),
            (cos(b) + pull * sin(b), sin(b) - pull * cos(b)),
            (cos(b), sin(b)),
        )
        yield " ".join(f"{(cx + grow * x) * wide:.2f} {(cy + grow * y) * high:.2f}" for x, y in curve) + " c"

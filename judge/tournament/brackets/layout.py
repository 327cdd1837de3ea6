"""The layout of a bracket: positions of boxes, lines and headings, in units that page and paper both scale.

Columns are rounds. A match stands half-way between the two that feed it; the losers' side hangs below the
winners' side, the grand final to the right of both, the match for third place below the final. Matches that
nobody plays (a bye on one side) get no box, and no line leads to them.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.core.messages import Message
from judge.tournament.brackets.elimination import Bout, Bracket, round_name
from judge.tournament.brackets.plan import From, MatchId, Node, Side


@dataclass(frozen=True, slots=True)
class Sizes:
    box_width: float = 160
    box_height: float = 44
    column_gap: float = 40
    row_gap: float = 16
    heading: float = 24
    margin: float = 8


@dataclass(frozen=True, slots=True)
class Box:
    match: MatchId
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Line:
    """A connector with right angles, from the right edge of a box to the left edge of the next."""

    source: MatchId
    target: MatchId
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Heading:
    text: Message
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Layout:
    width: float
    height: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    headings: tuple[Heading, ...]


def lay_out(bracket: Bracket, sizes: Sizes | None = None) -> Layout:
    sizes = sizes or Sizes()
    rows = _rows(bracket)
    columns = {bout.id: _column(bracket, bout.node) for bout in bracket.bouts.values()}
    shown = [bout for bout in bracket.bouts.values() if is_drawn(bout)]
    top = {side: _top_of(bracket, side, sizes) for side in ("winners", "losers", "final", "third")}
    boxes = {
        bout.id: Box(
            bout.id,
            sizes.margin + columns[bout.id] * (sizes.box_width + sizes.column_gap),
            top[bout.node.side] + rows[bout.id] * (sizes.box_height + sizes.row_gap),
            sizes.box_width,
            sizes.box_height,
        )
        for bout in shown
    }
    return Layout(
        width=max(b.x + b.width for b in boxes.values()) + sizes.margin,
        height=max(b.y + b.height for b in boxes.values()) + sizes.margin,
        boxes=tuple(boxes.values()),
        lines=tuple(_lines(shown, boxes)),
        headings=tuple(_headings(bracket, shown, boxes, sizes)),
    )


def is_drawn(bout: Bout) -> bool:
    """Whether two players meet here or still may: first-round byes and empty losers' matches get no box."""
    return bout.a != "" and bout.b != ""


def _column(bracket: Bracket, node: Node) -> int:
    if node.side in ("winners", "losers"):
        return node.round - 1
    last = max(b.node.round for b in bracket.bouts.values() if b.node.side in ("winners", "losers"))
    return last + node.round - 1 if node.side == "final" else last - 1


def _rows(bracket: Bracket) -> dict[MatchId, float]:
    """The row of each match, counted from the top of its side of the bracket."""
    rows: dict[MatchId, float] = {}
    for bout in bracket.bouts.values():
        node = bout.node
        feeding = [rows[m] for m in _feeders(node) if m in rows and m[0] == node.id[0]]
        if node.side == "third":
            rows[node.id] = 0.0
        elif node.side == "final":
            rows[node.id] = rows[f"W{bracket.size.bit_length() - 1}.1"]
        else:
            rows[node.id] = sum(feeding) / len(feeding) if feeding else float(node.index - 1)
    return rows


def _feeders(node: Node) -> list[MatchId]:
    return [source.match for source in (node.a, node.b) if isinstance(source, From)]


def _top_of(bracket: Bracket, side: Side, sizes: Sizes) -> float:
    """Where a side begins: losers and third place below the winners' side."""
    first = sizes.margin + sizes.heading
    if side in ("winners", "final"):
        return first
    rows = bracket.size // 2
    return first + rows * (sizes.box_height + sizes.row_gap) + sizes.heading


def _lines(shown: list[Bout], boxes: dict[MatchId, Box]) -> list[Line]:
    """Lines follow the winners only; losers drop in by name."""
    lines = []
    for bout in shown:
        for source in (bout.node.a, bout.node.b):
            if isinstance(source, From) and source.what == "winner" and source.match in boxes:
                lines.append(_line(boxes[source.match], boxes[bout.id]))
    return lines


def _line(source: Box, target: Box) -> Line:
    start = source.x + source.width, source.y + source.height / 2
    end = target.x, target.y + target.height / 2
    middle = (start[0] + end[0]) / 2
    return Line(source.match, target.match, (start, (middle, start[1]), (middle, end[1]), end))


def _headings(bracket: Bracket, shown: list[Bout], boxes: dict[MatchId, Box], sizes: Sizes) -> list[Heading]:
    seen: dict[tuple[Side, int], Heading] = {}
    for bout in shown:
        node = bout.node
        key = (node.side, node.round)
        if key not in seen:
            y = _top_of(bracket, node.side, sizes) - sizes.heading / 3
            if node.side in ("final", "third"):
                y = boxes[bout.id].y - sizes.heading / 3
            seen[key] = Heading(round_name(bracket, node), boxes[bout.id].x, y)
    return list(seen.values())

"""The layout of long lists: number of columns, type size and rows per page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

from judge.printing.lettering import REGULAR, clean, width
from judge.printing.page import Area, Press

LARGEST, WALL, WALL_IN_COLUMNS, LEAST = 20.0, 13.0, 11.0, 7.0
GUTTER = 18.0
LEADING = 1.5
LOOSEST = 2.1


@dataclass(frozen=True, slots=True)
class Plan:
    columns: int
    rows: int
    pages: int
    size: float
    row_height: float
    column_width: float

    @property
    def per_page(self) -> int:
        return self.columns * self.rows


def typical_width(names: Sequence[str], share: float = 0.97) -> float:
    """The width, as a multiple of the type size, that all but the longest few names need.

    A few very long names do not make the type small for all: past twice the median width they shrink alone.
    """
    widths = sorted(width(clean(name), REGULAR, 1) for name in names)
    if not widths:
        return 6.0
    return max(4.0, min(widths[min(len(widths) - 1, int(len(widths) * share))], 2 * widths[len(widths) // 2]))


def plan(count: int, area: Area, line_width: float, most_columns: int = 2) -> Plan:
    """The layout with the fewest pages whose type can be read on a wall; among those the largest type.
    `line_width` is the width of a usual line, as a multiple of the type size."""
    best: tuple[int, int, float] | None = None
    for columns in range(1, most_columns + 1):
        wide = (area.width - GUTTER * (columns - 1)) / columns
        largest = max(min(LARGEST, wide / line_width), LEAST)
        if columns > 1 and largest < WALL_IN_COLUMNS:
            break
        floor = min(largest, WALL if columns == 1 else WALL_IN_COLUMNS)
        pages = _pages(count, area, columns, floor)
        size = next(s for s in _sizes(largest, floor) if _pages(count, area, columns, s) == pages)
        if best is None or pages < best[0]:
            best = pages, columns, size
    assert best is not None
    return _filled(count, area, *best)


def _pages(count: int, area: Area, columns: int, size: float) -> int:
    return max(1, ceil(count / (columns * max(1, int(area.height / (size * LEADING))))))


def _sizes(largest: float, least: float) -> list[float]:
    return [largest - n * 0.25 for n in range(int((largest - least) / 0.25) + 1)] + [least]


def _filled(count: int, area: Area, pages: int, columns: int, size: float) -> Plan:
    rows = max(1, ceil(count / (pages * columns)))
    row_height = min(area.height / rows, size * LOOSEST)
    wide = (area.width - GUTTER * (columns - 1)) / columns
    return Plan(columns, rows, pages, size, row_height, wide)


def draw_rows(
    press: Press, area: Area, plan: Plan, count: int, first: int, row: Callable[[int, float, float], None]
) -> None:
    """Fill one page downwards, column by column: `row(n, x, baseline)` draws line n. Odd rows are tinted."""
    for place in range(min(plan.per_page, count - first)):
        column, line = divmod(place, plan.rows)
        x = area.left + column * (plan.column_width + GUTTER)
        bottom = area.top - (line + 1) * plan.row_height
        if line % 2 == 0:
            press.tint(x, bottom, plan.column_width, plan.row_height)
        row(first + place, x, bottom + (plan.row_height - 0.73 * plan.size) / 2)

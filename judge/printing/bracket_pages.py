"""Splits a bracket into pages: which matches share a page, and on which line each of them is drawn.

A slot that no match on the page feeds takes a line of its own; a match is half-way between its two slots or
the matches that feed them. A tree too large for a page is cut into subtrees, each on its own page, and the
rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

# A landscape page takes few lines and many rounds, a portrait page the reverse.
LINES_ON_ITS_SIDE, ROUNDS_ON_ITS_SIDE = 26, 7
MOST_LINES, MOST_ROUNDS = 44, 5


@dataclass(frozen=True, slots=True)
class Slot:
    """One side of a match: a player, or where the player will come from."""

    name: str = ""
    seed: int | None = None
    score: str = ""
    winner_of: str | None = None
    loser_of: str | None = None


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """`label` is the number printed beside the match; `stage` heads its column (in the reader's language)."""

    id: str
    label: str
    part: Literal["main", "losers"]
    round: int
    a: Slot
    b: Slot
    stage: str = ""
    won: Literal["a", "b"] | None = None


@dataclass(slots=True)
class Placed:
    match: BracketMatch
    column: int
    y: float
    fed: tuple[BracketMatch | None, BracketMatch | None]


@dataclass(slots=True)
class BracketPage:
    part: str
    placed: list[Placed] = field(default_factory=list)
    lines: int = 0
    columns: int = 0
    roots: list[BracketMatch] = field(default_factory=list)


def bracket_pages(matches: Sequence[BracketMatch]) -> list[BracketPage]:
    """Main bracket first, then the losers' bracket, early rounds before late ones."""
    pages: list[BracketPage] = []
    for part in ("main", "losers"):
        inside = {m.id: m for m in matches if m.part == part}
        if inside:
            pages += _part_pages(part, inside)
    return pages


class _Forest:
    """The matches of one part, and which of their slots are fed on the same page."""

    def __init__(self, matches: dict[str, BracketMatch]) -> None:
        self.matches = matches
        self.cut: set[str] = set()

    def fed(self, match: BracketMatch) -> tuple[BracketMatch | None, BracketMatch | None]:
        return self._feeder(match.a), self._feeder(match.b)

    def _feeder(self, slot: Slot) -> BracketMatch | None:
        if slot.winner_of is None or slot.winner_of in self.cut:
            return None
        return self.matches.get(slot.winner_of)

    def lines(self, match: BracketMatch) -> int:
        return sum(self.lines(child) if child else 1 for child in self.fed(match))

    def rounds(self, match: BracketMatch) -> int:
        return 1 + max((self.rounds(child) for child in self.fed(match) if child), default=0)

    def fits(self, match: BracketMatch) -> bool:
        lines, rounds = self.lines(match), self.rounds(match)
        is_low = lines <= LINES_ON_ITS_SIDE
        return lines <= MOST_LINES and rounds <= (ROUNDS_ON_ITS_SIDE if is_low else MOST_ROUNDS)

    def roots(self) -> list[BracketMatch]:
        onward = {slot.winner_of for m in self.matches.values() for slot in (m.a, m.b)}
        return [m for m in self.matches.values() if m.id not in onward]


def _part_pages(part: str, matches: dict[str, BracketMatch]) -> list[BracketPage]:
    forest = _Forest(matches)
    trees: list[BracketMatch] = []
    roots = forest.roots()
    for root in roots:
        while not forest.fits(root):
            subtrees = _largest_fitting(forest, root)
            forest.cut.update(tree.id for tree in subtrees)
            last = subtrees.pop()
            forest.cut.remove(last.id)
            if not forest.fits(root):  # else the last subtree and the tree above it share a page
                forest.cut.add(last.id)
                subtrees.append(last)
            trees += subtrees
    return _packed(part, forest, [*trees, *roots])


def _largest_fitting(forest: _Forest, root: BracketMatch) -> list[BracketMatch]:
    """The subtrees just below the level at which the tree is too large, in bracket order."""
    subtrees: list[BracketMatch] = []
    for child in forest.fed(root):
        if child is None:
            continue
        subtrees += [child] if forest.fits(child) else _largest_fitting(forest, child)
    return subtrees


def _packed(part: str, forest: _Forest, trees: list[BracketMatch]) -> list[BracketPage]:
    """Small neighbouring trees share a page; the tree above the cuts begins a new one."""
    pages: list[BracketPage] = []
    for tree in trees:
        lines = forest.lines(tree)
        page = pages[-1] if pages else None
        shares = page is not None and page.lines + lines + 1 <= LINES_ON_ITS_SIDE
        if page is None or not shares or (page.roots[0].id in forest.cut and tree.id not in forest.cut):
            page = BracketPage(part)
            pages.append(page)
        _place_tree(forest, page, tree)
    return pages


def _place_tree(forest: _Forest, page: BracketPage, root: BracketMatch) -> None:
    depth = forest.rounds(root)
    line = page.lines + (1 if page.roots else 0)

    def place(match: BracketMatch, column: int) -> float:
        nonlocal line
        fed = forest.fed(match)
        ys = []
        for child in fed:
            if child:
                ys.append(place(child, column - 1))
            else:
                ys.append(line + 0.5)
                line += 1
        y = sum(ys) / 2
        page.placed.append(Placed(match, column, y, fed))
        return y

    place(root, depth - 1)
    page.lines = line
    page.columns = max(page.columns, depth)
    page.roots.append(root)

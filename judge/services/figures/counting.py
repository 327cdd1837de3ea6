"""Counts heroes, first players and health over matches. Pure: it is given what was played.

Shares carry a 95 % interval by Wilson, which stays between 0 and 1 and is honest about small numbers. Win
shares are of decided matches; a hero against itself says nothing about the hero and is left out there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median

Z_95 = 1.959963984540054  # two-sided 95 % of the normal distribution
MARGIN_STEP = 5


@dataclass(frozen=True, slots=True)
class Played:
    """One finished match of two players. heroes: of a and b, where known; won: a | b | draw."""

    heroes: tuple[str, str] | None
    bans: tuple[str, ...]
    has_bans: bool  # bans were made, even if none is left to count
    first: str | None
    won: str
    health: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with the interval in which the true share lies with 95 % confidence."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        return wilson(self.count, self.of) if self.of else None


def wilson(count: int, of: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval of a share."""
    share, spread = count / of, z * z / of
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / of + spread / (4 * of)) / (1 + spread)
    low = 0.0 if count == 0 else max(0.0, middle - half)
    return low, 1.0 if count == of else min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class HeroFigures:
    hero: str
    picked: Share  # of the matches with known heroes
    banned: Share  # of the matches with bans
    won: Share  # of its decided matches against other heroes
    drawn: int


@dataclass(frozen=True, slots=True)
class Duel:
    """A hero against another one: decided matches, and how many the first won."""

    hero: str
    other: str
    won: Share


@dataclass(frozen=True, slots=True)
class Margins:
    """By how much health matches were won: how many in each step of five, from 0 on."""

    steps: tuple[int, ...]
    count: int
    median: float | None
    mean: float | None


@dataclass(frozen=True, slots=True)
class Figures:
    matches: int
    with_heroes: int
    heroes: tuple[HeroFigures, ...]  # the most played first
    duels: tuple[Duel, ...]
    first: Share  # won by whoever began, of decided matches
    margins: Margins


def figures_of(matches: Sequence[Played]) -> Figures:
    known = [m for m in matches if m.heroes]
    return Figures(
        matches=len(matches),
        with_heroes=len(known),
        heroes=_heroes(matches, known),
        duels=_duels(known),
        first=_first(matches),
        margins=_margins(matches),
    )


def _heroes(matches: Sequence[Played], known: Sequence[Played]) -> tuple[HeroFigures, ...]:
    picked: Counter[str] = Counter(hero for m in known for hero in set(m.heroes or ()))
    banned: Counter[str] = Counter(hero for m in matches for hero in m.bans)
    with_bans = sum(m.has_bans for m in matches)
    won, lost, drawn = Counter[str](), Counter[str](), Counter[str]()
    for m in known:
        a, b = m.heroes or ("", "")
        if a == b:
            continue
        if m.won == "draw":
            drawn.update((a, b))
        else:
            won[a if m.won == "a" else b] += 1
            lost[b if m.won == "a" else a] += 1
    heroes = sorted(picked.keys() | banned.keys(), key=lambda h: (-picked[h], -banned[h], h))
    return tuple(
        HeroFigures(
            hero,
            Share(picked[hero], len(known)),
            Share(min(banned[hero], with_bans), with_bans),
            Share(won[hero], won[hero] + lost[hero]),
            drawn[hero],
        )
        for hero in heroes
    )


def _duels(known: Iterable[Played]) -> tuple[Duel, ...]:
    won: Counter[tuple[str, str]] = Counter()
    for m in known:
        a, b = m.heroes or ("", "")
        if a != b and m.won != "draw":
            won[(a, b) if m.won == "a" else (b, a)] += 1
    pairs = {tuple(sorted(pair)) for pair in won}
    return tuple(
        Duel(a, b, Share(won[a, b], won[a, b] + won[b, a]))
        for one, two in sorted(pairs)
        for a, b in ((one, two), (two, one))
    )


def _first(matches: Iterable[Played]) -> Share:
    decided = [m for m in matches if m.first and m.won != "draw"]
    return Share(sum(m.first == m.won for m in decided), len(decided))


def _margins(matches: Iterable[Played]) -> Margins:
    gaps = [abs(m.health[0] - m.health[1]) for m in matches if m.health and m.won != "draw"]
    if not gaps:
        return Margins((), 0, None, None)
    counts = Counter(gap // MARGIN_STEP for gap in gaps)
    steps = tuple(counts[n] for n in range(max(counts) + 1))
    return Margins(steps, len(gaps), float(median(gaps)), sum(gaps) / len(gaps))

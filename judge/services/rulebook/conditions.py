"""Activation Conditions as pages and papers show them: drawn, and in words for screen readers."""

from __future__ import annotations

from dataclasses import dataclass

from judge.core.messages import Lang
from judge.rules.catalog import Hero, Needs
from judge.schemas.dice_throne.symbols import symbol_name

STRAIGHT = "straight-{size}"  # stairs: four for the small one, five for the large one
EQUAL = "same"
DIE = "die"


@dataclass(frozen=True, slots=True)
class Face:
    """A symbol: the id of its drawing, and what it is called."""

    symbol: str
    name: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """One drawing, side by side as often as it is needed."""

    face: Face
    times: int = 1


@dataclass(frozen=True, slots=True)
class Need:
    """What has to be rolled. Without a drawing, or with one that does not say enough, it is also written."""

    says: str
    drawn: tuple[Drawn, ...] = ()
    is_written: bool = False


def face_of(symbol: str, lang: Lang, hero: Hero | None = None) -> Face:
    """A face of a hero's die."""
    return Face(symbol, symbol_name(symbol, lang, (hero,) if hero else ()))


def drawn_need(needs: Needs, says: str, names: dict[str, str]) -> Need:
    """One line of an Activation Condition; `names` are those of its symbols."""
    if needs.symbols:
        return Need(says, tuple(Drawn(Face(s, names[s]), n) for s, n in needs.symbols.items()))
    if needs.straight:
        return Need(says, (Drawn(Face(STRAIGHT.format(size=needs.straight), says)),), is_written=True)
    if needs.kind:
        return Need(says, (Drawn(Face(EQUAL, says), needs.kind),))
    if needs.most_dice:
        return Need(says, (Drawn(Face(DIE, says)),), is_written=True)
    if needs.dice:
        return Need(says, (Drawn(Face(DIE, says), needs.dice),))
    return Need(says, is_written=True)

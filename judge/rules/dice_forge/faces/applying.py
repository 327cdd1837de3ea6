"""A roll that is being applied: who rolled, what each die counts as, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from judge.rules.dice_forge.state.catalog import Amounts, Face
from judge.rules.dice_forge.state.desk import Desk, Picks
from judge.rules.dice_forge.state.model import Player
from judge.rules.dice_forge.state.table import Event


@dataclass(slots=True)
class Showing:
    """One die of the roll: the face it counts as, and what that face gives."""

    face: Face
    die: int
    factor: int = 1
    gives: Amounts | None = None
    rules: tuple[str, ...] = ()
    owner_takes: list[Amounts] = field(default_factory=list)
    was_full: bool = False
    other: Showing | None = None
    is_applied: bool = False
    # whether a face forged over it hides it before it is applied (DF-AMB-12, reading b)
    is_hidden: bool = False


@dataclass(slots=True)
class Applying:
    """A roll being applied by `player`. `between` spends a token after the first face."""

    desk: Desk
    player: Player
    picks: Picks
    minor: bool
    loss: bool = False
    convert: Mapping[str, int] | None = None
    between: Callable[[Desk, Event], None] | None = None

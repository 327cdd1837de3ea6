"""The state of the table between two events: inventories, dice, Temple, piles and the turn.

Events change the state in place; what was kept before an event is put back if the event is illegal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from judge.rules.dice_forge.state.catalog import Feat, Seating

ORIGIN = 0

Die = tuple[str, ...]
Dice = tuple[Die, Die]
Kept = tuple[Any, ...]  # what `restore` puts back


@dataclass(slots=True)
class Hammer:
    """The Hammer card in use: lap 1 or 2 and the space reached; `finished` cards are completed."""

    lap: int = 1
    position: int = 0
    finished: int = 0
    retired: bool = False


@dataclass(slots=True)
class Roll:
    """A result a player rolled and applied, kept while a token may apply it again (DF-CARD-12)."""

    faces: tuple[str, ...]
    dice: tuple[int, ...]
    convert: Mapping[str, int] | None = None


@dataclass(slots=True)
class Due:
    """Blessings that a feat or an ousting gave and that have not been rolled yet."""

    player: str
    kind: str
    cause: str
    left: int
    feat: str | None = None
    die: int | None = None
    # what its owner converts into glory, if the feat's event said so
    convert: bool | Mapping[str, int] = False


@dataclass(slots=True)
class Player:
    """`have` and `hammer` change in place; everything else is replaced, so that copies can share it."""

    id: str
    have: dict[str, int]
    caps: dict[str, int]
    hundreds: int
    feats: tuple[str, ...]
    dice: Dice
    shown: tuple[str | None, str | None]
    island: int
    tokens: dict[str, int]
    hammer: Hammer | None
    removed: tuple[str, ...]
    # dice whose displayed face was forged, not rolled (DF-AMB-03), counted from 0
    laid: frozenset[int] = frozenset()

    def copy(self) -> Player:
        hammer = self.hammer
        return Player(
            self.id,
            self.have.copy(),
            self.caps,
            self.hundreds,
            self.feats,
            self.dice,
            self.shown,
            self.island,
            self.tokens,
            hammer and Hammer(hammer.lap, hammer.position, hammer.finished, hammer.retired),
            self.removed,
            self.laid,
        )

    def kept(self) -> Kept:
        """Everything about the player that may change, to be put back by `restore`."""
        hammer = self.hammer
        return (
            self.have.copy(), self.caps, self.hundreds, self.feats, self.dice, self.shown, self.island,
            self.tokens, hammer and Hammer(hammer.lap, hammer.position, hammer.finished, hammer.retired),
            self.removed, self.laid,
        )  # fmt: skip

    def restore(self, kept: Kept) -> None:
        (
            self.have, self.caps, self.hundreds, self.feats, self.dice, self.shown, self.island,
            self.tokens, self.hammer, self.removed, self.laid,
        ) = kept  # fmt: skip

    def show(self, die: int, face: str) -> None:
        """Turn a die, counted from 0, to a face."""
        self.shown = (face, self.shown[1]) if die == 0 else (self.shown[0], face)


@dataclass(slots=True)
class State:
    """`stock` counts by face what may be in the Temple, `left` by pool what is: with two players nobody may
    have noted which faces of a mixed pool were removed. `slips` is what common mistakes would add."""

    players: dict[str, Player]
    seating: Seating
    stock: dict[str, int]
    left: dict[str, int]
    piles: dict[str, int]
    boars: dict[str, str]
    active: str
    first: str
    step: int = 1
    round: int = 1
    blessed: dict[str, int] = field(default_factory=dict)
    used: list[str] = field(default_factory=list)
    acted: bool = False
    extra_taken: bool = False
    last_feat: str | None = None
    due: list[Due] = field(default_factory=list)
    rolls: dict[str, Roll] = field(default_factory=dict)
    # discounts of Ships that were shown in the last blessing and have bought nothing yet
    ships: dict[str, tuple[int, ...]] = field(default_factory=dict)
    ended: bool = False
    lost: dict[str, dict[str, int]] = field(default_factory=dict)
    slips: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def copy(self) -> State:
        return State(
            {name: player.copy() for name, player in self.players.items()},
            self.seating,
            self.stock.copy(),
            self.left.copy(),
            self.piles.copy(),
            self.boars.copy(),
            self.active,
            self.first,
            self.step,
            self.round,
            self.blessed.copy(),
            self.used.copy(),
            self.acted,
            self.extra_taken,
            self.last_feat,
            [replace(due) for due in self.due] if self.due else [],
            self.rolls.copy(),
            self.ships.copy(),
            self.ended,
            {name: lost.copy() for name, lost in self.lost.items()} if self.lost else {},
            self.slips.copy(),
        )

    def kept(self) -> Kept:
        """Everything that may change. Cheaper than a copy, of which most would never be looked at."""
        return (
            [player.kept() for player in self.players.values()], self.stock.copy(), self.left.copy(),
            self.piles.copy(), self.boars.copy(), self.active, self.first, self.step, self.round,
            self.blessed.copy(), self.used.copy(), self.acted, self.extra_taken, self.last_feat,
            [replace(due) for due in self.due] if self.due else [], self.rolls.copy(), self.ships.copy(),
            self.ended, {name: lost.copy() for name, lost in self.lost.items()} if self.lost else {},
            self.slips.copy(),
        )  # fmt: skip

    def restore(self, kept: Kept) -> None:
        """Put back what `kept` has kept; nothing that happened since then leaves a trace."""
        (
            players, self.stock, self.left, self.piles, self.boars, self.active, self.first, self.step,
            self.round, self.blessed, self.used, self.acted, self.extra_taken, self.last_feat, self.due,
            self.rolls, self.ships, self.ended, self.lost, self.slips,
        ) = kept  # fmt: skip
        for player, values in zip(self.players.values(), players, strict=True):
            player.restore(values)

    def from_active(self) -> list[str]:
        """Players in turn order beginning with the active one (DF-PRIO-01)."""
        seats = list(self.players)
        at = seats.index(self.active)
        return seats[at:] + seats[:at]

    def others(self, name: str) -> Iterator[Player]:
        """Everybody else, clockwise from the player's left."""
        seats = list(self.players)
        at = seats.index(name)
        return (self.players[seat] for seat in seats[at + 1 :] + seats[:at])

    def on_island(self, island: int, but: str) -> Player | None:
        """The opposing hero on a portal; there is at most one (DF-OUST-08)."""
        return next((p for p in self.players.values() if p.island == island and p.id != but), None)

    def due_to(self, name: str, kind: str, cause: str | None = None) -> Due | None:
        for due in self.due:
            if due.player == name and due.kind == kind and cause in (None, due.cause):
                return due
        return None

    def close_roll(self, name: str) -> None:
        """Close what stays open only right after a roll: repeating it, buying with its Ship."""
        self.rolls.pop(name, None)
        self.ships.pop(name, None)

    def close_rolls(self, but: str | None = None) -> None:
        """Close the rolls of everybody, or of everybody `but` one."""
        if self.rolls or self.ships:
            for name in self.players:
                if name != but:
                    self.close_roll(name)

    def slip(self, name: str, mistake: str, resource: str, amount: int) -> None:
        key = (name, mistake, resource)
        self.slips[key] = self.slips.get(key, 0) + amount


def unused_reinforcements(state: State, feats: Mapping[str, Feat]) -> list[str]:
    """Reinforcements not used this turn, each copy once (DF-REINF-01, DF-REINF-02), in the order taken."""
    used = state.used.copy()
    unused = []
    for feat in state.players[state.active].feats:
        if not feats[feat].is_reinforcement:
            continue
        if feat in used:
            used.remove(feat)
        else:
            unused.append(feat)
    return unused

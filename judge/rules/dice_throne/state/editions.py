"""The settings of one rulebook where the books differ, and the numbers of the game.

The engine reads these fields and nothing else; a fourth rulebook is a file in fixtures/dice-throne/editions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DamageType:
    """One row of the type table (DT-TYPE-10 to DT-TYPE-14)."""

    defendable: bool
    avoidable: bool
    increased: bool  # may an Attack Modifier raise it
    reduced: bool  # may the attacker's own statuses lower it
    special_targeting: bool
    rule: str


@dataclass(frozen=True, slots=True)
class Numbers:
    attempts: int
    start_cp: int
    start_hand: int
    cp_cap: int
    income_cp: int
    income_cards: int
    hand_limit: int
    sale: int
    heal_over: int
    start_health: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition. `priority` clockwise: what has begun completes (2.2); active-first: the Active Player's
    Instants come first.

    A setting that no book settles is "open"; the engine then works out every reading.
    """

    id: str
    like: tuple[str, ...]  # the books it is like, nearest first: what is said of them holds for it too
    priority: str
    spending_is_instant: bool
    instants_against_roll_cards: str  # yes | no | open (J-03)
    others_modifiers: str  # legal | illegal | open (J-09)
    modifier_only_increases: bool  # is "Attack Modifier" used for increases alone (DT-ATK-03)
    reductions_in_doubt: tuple[str, ...]  # types whose reduction rests on the letter alone (J-10)
    no_damage_no_defence: bool  # an Attack that deals no damage has no Defensive Roll Phase (DT-TOK-24)
    modes: Mapping[str, tuple[int, int]]  # mode -> fewest and most players
    types: Mapping[str, DamageType]
    numbers: Numbers

    def describes(self, mode: str, players: int) -> bool:
        low, high = self.modes.get(mode, (1, 0))
        return low <= players <= high

"""The components of the game: faces, feats, pools, tokens and set-up numbers, as frozen data.

Resources are letters: G gold, S sun shards, M moon shards, V glory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

RESOURCES = {"G": "gold", "S": "sun", "M": "moon", "V": "glory"}
CAPPED = ("G", "S", "M")

Amounts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Face:
    """One kind of die face. `kind` names its effect; `fixed` faces are never forged over."""

    id: str
    kind: str
    effect: Mapping[str, Any]
    rules: tuple[str, ...]
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Feat:
    """One kind of feat card. Pile 3 holds the reinforcements, whose effect waits for step 2."""

    id: str
    slot: str
    island: int
    cost: Amounts
    glory: int
    pile: int | str
    first_game: bool
    kind: str
    effect: Mapping[str, Any]
    rules: tuple[str, ...]

    @property
    def is_reinforcement(self) -> bool:
        return self.pile == 3


@dataclass(frozen=True, slots=True)
class Token:
    """A single-use token that a feat gives."""

    id: str
    kind: str
    effect: Mapping[str, Any]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pool:
    """A place in the Temple. Sanctuary pools have a price in gold, Garden pools have none."""

    id: str
    price: int | None
    faces: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Seating:
    """The set-up numbers for one number of players (DF-SET-06 to DF-SET-12)."""

    start_gold: tuple[int, ...]
    rounds: int
    cards_per_pile: int
    faces_per_sanctuary_pool: int
    faces_per_garden_pool: int
    step1_blessings_per_turn: int
    turns_in_game: int

    def pool_size(self, pool: Pool) -> int:
        return self.faces_per_garden_pool if pool.price is None else self.faces_per_sanctuary_pool

    def as_json(self) -> dict[str, int]:
        return {
            "cards_per_pile": self.cards_per_pile,
            "faces_per_sanctuary_pool": self.faces_per_sanctuary_pool,
            "faces_per_garden_pool": self.faces_per_garden_pool,
            "rounds": self.rounds,
            "step1_blessings_per_turn": self.step1_blessings_per_turn,
            "turns_in_game": self.turns_in_game,
        }


@dataclass(frozen=True, slots=True)
class Catalog:
    faces: Mapping[str, Face]
    feats: Mapping[str, Feat]
    pools: Mapping[str, Pool]
    pool_of: Mapping[str, str]
    tokens: Mapping[str, Token]
    seatings: Mapping[int, Seating]
    start_dice: tuple[tuple[str, ...], tuple[str, ...]]
    caps: Amounts
    glory_token: int
    extra_cost: Amounts
    hammer_spaces: int
    hammer_rewards: tuple[Amounts, ...]

    def price_of(self, face: str) -> int | None:
        """The price of a face in the Sanctuary; None if it is not for sale."""
        pool = self.pool_of.get(face)
        return self.pools[pool].price if pool else None

    def may_split(self, letter: str) -> bool:
        """Whether a card says that part of a gain may be turned down for glory."""
        offers = (feat.effect.get("convert") for feat in self.feats.values())
        return any(offer and letter in offer["from"] and offer.get("split") for offer in offers)

    @property
    def most_faces(self) -> int:
        """How many faces the Temple holds: nobody can have taken off more."""
        return sum(sum(pool.faces.values()) for pool in self.pools.values())

    @property
    def most_cards(self) -> int:
        """How many feats the box holds."""
        return len(self.feats) * max(seating.cards_per_pile for seating in self.seatings.values())

"""A player during a replay: dials, tokens and board."""

from __future__ import annotations

from collections.abc import Mapping

from judge.rules.catalog import Hero
from judge.rules.dice_throne.state.table import Seat, Upgrade


class Player:
    """A player's dials, tokens and board."""

    __slots__ = (
        "aged", "companions", "cp", "dead", "deck", "die", "discard", "downed", "foreign", "fresh", "given",
        "hand", "handicaps", "health", "hero", "hero_id", "id", "late_upgrades", "limits", "seat",
        "side", "skips", "statuses", "team", "upgrades",
    )  # fmt: skip

    def __init__(self, seat: int, start: Seat, hero: Hero | None) -> None:
        self.id, self.seat, self.hero_id, self.hero = start.id, seat, start.hero, hero
        self.team, self.health, self.cp, self.hand = start.team, start.health, start.cp, start.hand
        self.deck, self.discard = start.deck, start.discard
        self.statuses: dict[str, int] = {**start.statuses}
        self.limits: Mapping[str, int] = start.limits  # replaced where they change, as upgrades are
        self.upgrades: Mapping[str, Upgrade] = start.upgrades
        self.companions = {**start.companions}
        self.die, self.side, self.given = start.die, start.side, start.given
        self.dead = False
        self.skips = {**start.skips}  # phases still to be left out -> the status that says so
        self.fresh = {**start.fresh}  # tokens that came in this turn
        self.downed = set(start.downed)
        if start.companions:
            self.downed.update(name for name, there in start.companions.items() if not there)
        self.late_upgrades = False  # whether upgrades may be put into play in the Roll Phases too
        self.handicaps = {**start.handicaps}  # on the Roll Attempts of the next Offensive Roll Phase
        # Tokens of the hero's own kind that belong to another such hero (doubloons of two Pirates).
        self.foreign: dict[str, int] = {**start.foreign}
        # Statuses held since the beginning of the player's own turn (Shadows leave after a whole one).
        self.aged = set(self.statuses) if start.aged is None else set(start.aged)

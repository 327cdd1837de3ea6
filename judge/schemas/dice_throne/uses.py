"""Reads the uses of tokens and companions that can be used in several ways or for a price."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.rules.catalog import WINDOWS, Use, words_in
from judge.schemas.dice_throne.effects import read_condition, read_effects
from judge.schemas.shape import Fields, counts, each, listing, number, one_of, truth

USE_KEYS = (
    "price", "when", "per_turn", "modifier", "aged", "attack_at_least", "if", "effects", "note",
)  # fmt: skip


def read_uses(value: Any, path: str, own: str = "") -> tuple[Use, ...]:
    """The uses in the order of the sheet; tokens of the status `own` pay where no other price is named."""
    return tuple(each(listing(value, path), path, _use, own))


def _use(value: Any, path: str, own: str) -> Use:
    fields = Fields(value, path, USE_KEYS)
    use = Use(
        effects=fields.must("effects", read_effects, ()),
        when=fields.get("when", one_of, "any", WINDOWS),
        prices=fields.get("price", _prices, ({own: 1},) if own else (), own),
        per_turn=fields.get("per_turn", number, None, 1),
        modifier=fields.get("modifier", truth, False),
        aged=fields.get("aged", truth, False),
        attack_at_least=fields.get("attack_at_least", number, 0),
        condition=fields.get("if", read_condition),
    )
    use.words = words_in(use.effects)
    fields.done()
    return use


def _prices(value: Any, path: str, own: str) -> tuple[Mapping[str, int], ...]:
    """One price, or a list of them by level."""
    if isinstance(value, list):
        return tuple(each(value, path, _price, own))
    return (_price(value, path, own),)


def _price(value: Any, path: str, own: str) -> Mapping[str, int]:
    return counts(value, path) if isinstance(value, dict) or not own else {own: number(value, path)}

"""The names of the symbols on the dice, in each language. Their drawings are in `drawings`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache

from judge.core.games import DICE_THRONE
from judge.core.messages import Lang
from judge.paths import FIXTURES
from judge.rules.catalog import Hero


@cache
def shipped_names() -> dict[str, dict[str, str]]:
    """Our names for the symbols, for sheets that draw but do not name them."""
    names: dict[str, dict[str, str]] = json.loads((FIXTURES / DICE_THRONE / "symbols.json").read_bytes())
    return names


def symbol_names(symbol: str, heroes: Iterable[Hero] = ()) -> Mapping[str, str]:
    """A symbol's names by language: those on the sheet of one of the heroes first, then ours."""
    printed = next((hero.symbol_names[symbol] for hero in heroes if symbol in hero.symbol_names), {})
    return {**shipped_names().get(symbol, {}), **{lang: name for lang, name in printed.items() if name}}


def symbol_name(symbol: str, lang: Lang, heroes: Iterable[Hero] = ()) -> str:
    """What a symbol is called in a language; one that nobody named is called by its id."""
    names = symbol_names(symbol, heroes)
    return names.get(lang) or names.get("en") or symbol.replace("-", " ")

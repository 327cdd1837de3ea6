"""Names of the things at a Dice Throne table, in each language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from judge.core.games import DICE_THRONE
from judge.core.messages import Lang, Ref
from judge.rules.catalog import Catalog, Companion
from judge.rules.dice_throne.state.table import Table
from judge.schemas.dice_throne.symbols import symbol_names
from judge.schemas.fixtures import rulebook, sentences


def name_of(table: Table) -> Callable[[Ref, Lang], str]:
    """The function that names a Ref: the catalogue's name in the language, else in English, else its id."""

    def name(ref: Ref, lang: Lang) -> str:
        if ref.kind == "does":
            return plain_name(ref.id, lang)
        if ref.kind == "reading":
            point, _, letter = ref.id.partition(".")
            readings = rulebook(DICE_THRONE).rules[point].readings
            return next(reading.text[lang] for reading in readings if reading.letter == letter)
        if ref.kind == "side":
            return sentences(lang).get("fx_side_" + ref.id.replace("-", "_")) or ref.id.replace("-", " ")
        if ref.kind == "says":
            return _said(table.catalog, ref.id, lang)
        names = _names(table.catalog, ref)
        translated = names.get(lang) or names.get("en") or next((n for n in names.values() if n), None)
        return translated or plain_name(ref.id.replace("-", " ").replace("_", " "), lang)

    return name


def plain_name(written: str, lang: Lang) -> str:
    """What no catalogue has, as somebody wrote it; a common word, as "attack", in the reader's language."""
    return sentences(lang).get(f"plain_{written.replace(' ', '_')}", written)


def _names(catalog: Catalog, ref: Ref) -> Any:
    if ref.kind == "status":
        thing: Any = catalog.statuses.get(ref.id) or catalog.companion(ref.id)
        if isinstance(thing, Companion) and thing.id != ref.id:
            return {}  # a stage has no name of its own in the data
    elif ref.kind == "companion":
        thing = catalog.companion(ref.id)
        if thing is not None and thing.id != ref.id:
            return {}  # a stage has no name of its own in the data
    elif ref.kind == "hero":
        thing = catalog.heroes.get(ref.id)
    elif ref.kind == "card":
        thing = catalog.find_card(None, ref.id)
    elif ref.kind == "ability":
        thing = next((h.abilities[ref.id] for h in catalog.heroes.values() if ref.id in h.abilities), None)
    elif ref.kind == "symbol":
        return symbol_names(ref.id, catalog.heroes.values())
    else:
        thing = None
    return thing.names if thing is not None else {}


def _said(catalog: Catalog, place: str, lang: Lang) -> str:
    """What the sheet of a thing says that no effect word does: `ability:infiltrate`."""
    kind, _, thing_id = place.partition(":")
    things: list[Any] = [catalog.statuses.get(thing_id)] if kind == "status" else []
    for hero in catalog.heroes.values():
        things += [hero.abilities.get(thing_id), hero.cards.get(thing_id), hero.companions.get(thing_id)]
    says: Mapping[str, str] = next((thing.says for thing in things if thing is not None and thing.says), {})
    return str(says.get(lang) or says.get("en") or "")

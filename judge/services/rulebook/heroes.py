"""Heroes by name, for registration and selection: what the catalogue knows, in the reader's language. An
event may know heroes that the catalogue does not hold: those are kept as they were written.
"""

from __future__ import annotations

import json
from functools import cache

from judge.core.messages import LANGS, Lang
from judge.paths import FIXTURES


@cache
def catalogue(game: str) -> dict[str, dict[str, str]]:
    """Hero id -> its name in every language (a name nobody printed falls back to the English one)."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted((FIXTURES / game / "heroes").glob("*.json")):
        entry = json.loads(path.read_bytes())
        names = entry["names"]
        found[entry["id"]] = {lang: names.get(lang) or names.get("en") or entry["id"] for lang in LANGS}
    return found


def hero_name(game: str, hero: str, lang: Lang) -> str:
    return catalogue(game).get(hero, {}).get(lang, hero)


def hero_names(game: str, lang: Lang) -> dict[str, str]:
    """Every hero of the catalogue by name, for choosing from."""
    names = {hero: names[lang] for hero, names in catalogue(game).items()}
    return dict(sorted(names.items(), key=lambda item: item[1].casefold()))


def find_hero(game: str, written: str) -> str:
    """The id of a hero written as an id or by name in any language; what is not known stays as written."""
    written = " ".join(written.split())
    return _by_word(game).get(written.casefold(), written)


@cache
def _by_word(game: str) -> dict[str, str]:
    words = {name.casefold(): hero for hero, names in catalogue(game).items() for name in names.values()}
    return {**words, **{hero: hero for hero in catalogue(game)}}

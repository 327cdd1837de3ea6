"""The names of heroes in the reader's language, by season and by any of their names.

An event may have heroes that the catalogue lacks: their names stay as written.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from judge.core.messages import LANGS, Lang
from judge.paths import FIXTURES
from judge.schemas.fixtures import load_json, sentences

OTHER_GROUP = "other"
SHORTEST_BEGINNING = 2


@dataclass(frozen=True, slots=True)
class Name:
    """A name in the reader's language; where no book gives it, the English one, marked as foreign."""

    text: str
    is_foreign: bool = False

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class HeroLine:
    """A hero in a list. `names` are all it has, the reader's first; `found_by` the same in simple letters."""

    id: str
    name: Name
    is_partial: bool
    symbols: tuple[str, ...]
    names: tuple[str, ...]
    found_by: str


@dataclass(frozen=True, slots=True)
class HeroGroup:
    """A season or another group of heroes that came out together."""

    id: str
    name: str
    heroes: tuple[HeroLine, ...]


def name_in(names: Mapping[str, str | None], lang: Lang, thing_id: str) -> Name:
    """The name in this language, else in English, else in any; a thing without a name is called by its id."""
    own = names.get(lang)
    if own:
        return Name(own)
    other = names.get("en") or next(filter(None, names.values()), None)
    return Name(other or in_words(thing_id), is_foreign=True)


def in_words(thing_id: str) -> str:
    """ "smoke-bomb" -> "Smoke bomb": better than an id on a page."""
    return thing_id.replace("-", " ").replace("_", " ").capitalize()


def side_name(side: str, lang: Lang) -> str:
    """A side of a board or a form of a hero; one that nobody named stands as it is written."""
    return sentences(lang).get(f"hero_side_{side}") or in_words(side)


# -- the catalogue ------------------------------------------------------------------------------------------


@cache
def _files(game: str) -> tuple[dict[str, Any], ...]:
    paths = sorted((FIXTURES / game / "heroes").rglob("*.json"), key=lambda path: path.stem)
    return tuple(json.loads(path.read_bytes()) for path in paths)


@cache
def catalogue(game: str) -> dict[str, dict[str, str]]:
    """The names of each hero by language; the English name replaces one that was never printed."""
    return {
        hero["id"]: {lang: name_in(hero["names"], lang, hero["id"]).text for lang in LANGS}
        for hero in _files(game)
    }


def hero_name(game: str, hero: str, lang: Lang) -> str:
    return catalogue(game).get(hero, {}).get(lang, hero)


def hero_names(game: str, lang: Lang) -> dict[str, str]:
    """The names of all heroes by id, sorted by name."""
    names = {hero: names[lang] for hero, names in catalogue(game).items()}
    return dict(sorted(names.items(), key=lambda item: item[1].casefold()))


@cache
def hero_groups(game: str, lang: Lang) -> tuple[HeroGroup, ...]:
    """The heroes by season, each group by name; groups without heroes are left out."""
    groups: dict[str, list[HeroLine]] = {}
    for hero in _files(game):
        groups.setdefault(_group(hero), []).append(_line(hero, lang))
    if not groups:
        return ()
    return tuple(
        HeroGroup(group["id"], group["names"][lang], _by_name(groups[group["id"]]))
        for group in load_json(game, "seasons.json")
        if group["id"] in groups
    )


def known_heroes(game: str, hero_ids: Iterable[str], lang: Lang) -> list[HeroLine]:
    """The heroes with these ids that the catalogue knows, each once, in this order."""
    known = {line.id: line for group in hero_groups(game, lang) for line in group.heroes}
    return [known[hero_id] for hero_id in dict.fromkeys(hero_ids) if hero_id in known]


def heroes_to_choose(game: str, allowed: Sequence[str], lang: Lang) -> tuple[HeroGroup, ...]:
    """The heroes that an event allows, by season; without a list, all. Homemade ones stand at the end."""
    groups = hero_groups(game, lang)
    if not allowed:
        return groups
    known = [(g, tuple(line for line in g.heroes if line.id in allowed)) for g in groups]
    own = [hero for hero in allowed if hero not in catalogue(game)]
    lines = tuple(HeroLine(h, Name(h), False, (), (h,), simple(h)) for h in own)
    left = [HeroGroup(group.id, group.name, heroes) for group, heroes in known if heroes]
    return (*left, HeroGroup(OTHER_GROUP, "", lines)) if lines else tuple(left)


def season_of(game: str, hero_id: str, lang: Lang) -> str:
    """The name of the season or group of a known hero."""
    groups = hero_groups(game, lang)
    return next(group.name for group in groups if any(line.id == hero_id for line in group.heroes))


def is_partial(game: str, hero_id: str) -> bool:
    """Whether the catalogue knows this hero in part only."""
    return any(line.is_partial for g in hero_groups(game, "en") for line in g.heroes if line.id == hero_id)


def _group(hero: Mapping[str, Any]) -> str:
    if hero.get("season"):
        return f"season-{hero['season']}"
    return str(hero.get("group") or OTHER_GROUP)


def _line(hero: Mapping[str, Any], lang: Lang) -> HeroLine:
    name = name_in(hero["names"], lang, hero["id"])
    names = tuple(dict.fromkeys(filter(None, (name.text, *hero["names"].values()))))
    return HeroLine(
        hero["id"],
        name,
        bool(hero.get("partial")),
        tuple(dict.fromkeys((hero.get("dice") or {}).values())),
        names,
        " / ".join(map(simple, names)),
    )


def _by_name(heroes: list[HeroLine]) -> tuple[HeroLine, ...]:
    return tuple(sorted(heroes, key=lambda hero: hero.name.text.casefold()))


# -- finding by name ----------------------------------------------------------------------------------------


def simple(written: str) -> str:
    """Letters and digits alone, without accents or capitals: "Voleur de l'Ombre" -> "voleur de l ombre"."""
    plain = unicodedata.normalize("NFKD", written.casefold())
    letters = (c for c in plain if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in letters).split())


def find_hero(game: str, written: str) -> str:
    """The id of the hero with this id or name in any language; an unknown name is returned unchanged."""
    written = " ".join(written.split())
    return _by_word(game).get(simple(written), written)


def find_hero_by_beginning(game: str, written: str) -> str:
    """Like `find_hero`, but the first letters of a name are enough if they are those of one hero only."""
    hero = find_hero(game, written)
    begun = simple(written)
    if hero in catalogue(game) or len(begun) < SHORTEST_BEGINNING:
        return hero
    meant = {hero_id for word, hero_id in _by_word(game).items() if word.startswith(begun)}
    return meant.pop() if len(meant) == 1 else hero


@cache
def _by_word(game: str) -> dict[str, str]:
    words = {simple(name): hero for hero, names in catalogue(game).items() for name in names.values()}
    return {**words, **{simple(hero): hero for hero in catalogue(game)}}

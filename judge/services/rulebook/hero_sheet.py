"""A hero's sheet in words: the board with its levels, cards, tokens, companions, and what is doubted.

Pages, the command and the paper show the same sheet. Entries that no source gives are said to be unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from judge.core.errors import InputError
from judge.core.games import DICE_THRONE
from judge.core.messages import Lang
from judge.rules.catalog import Ability, Card, Catalog, Companion, Hero, Stage, Status
from judge.schemas.dice_throne.origin import Origin, read_origin
from judge.schemas.dice_throne.shipped import (
    hero_ids,
    raw_hero,
    shipped_cards,
    shipped_hero,
    statuses_of,
)
from judge.schemas.fixtures import load_json
from judge.services.rulebook.conditions import Face, Need, face_of
from judge.services.rulebook.effect_words import EffectWords, Line
from judge.services.rulebook.heroes import Name, name_in, side_name
from judge.services.rulebook.origins import Source, sources_in_words
from judge.services.rulebook.origins import in_words as origins_in_words

ROMAN = ("", "I", "II", "III")
NO_ORIGIN = Origin()
BOARD_ORDER = ("offensive", "passive", "defensive", "ultimate")


@dataclass(frozen=True, slots=True)
class Tier:
    """What has to be rolled, and what happens then."""

    needs: Need
    effects: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One ability, card, token or companion in words. is_known: whether any source gives what it does."""

    id: str
    name: Name
    kind: str
    tiers: tuple[Tier, ...] = ()
    effects: tuple[Line, ...] = ()
    is_known: bool = True
    is_partial: bool = False  # it does more than any source says
    origin: Origin = NO_ORIGIN
    cost: int | None = None
    level: int = 1
    limit: int | None = None
    when: str = ""
    is_modifier: bool = False
    is_spendable: bool = False
    is_persistent: bool = False
    rules: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()  # what else its card says: health, levels
    second: Entry | None = None  # the further ability that an upgrade card prints

    def said(self, lang: Lang) -> str:
        """What is known of it beyond its effects."""
        return self.origin.says.get(lang) or self.origin.says.get("en", "")

    @property
    def roman(self) -> str:
        return ROMAN[self.level]


@dataclass(frozen=True, slots=True)
class Space:
    """A place of the board: an ability with all its levels, lowest first."""

    name: Name
    kind: str
    side: str
    side_name: str
    levels: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class HeroSheet:
    id: str
    name: Name
    is_partial: bool
    die: tuple[Face, ...]
    spaces: tuple[Space, ...]
    cards: tuple[Entry, ...]
    tokens: tuple[Entry, ...]
    companions: tuple[Entry, ...]
    setup: tuple[tuple[str, int], ...]
    first: tuple[tuple[str, int], ...]  # besides, if this is the Starting Player
    sides: tuple[str, ...]
    shown_in: tuple[str, ...]
    sources: tuple[Source, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything on the sheet, in its order."""
        levels = [level for space in self.spaces for level in space.levels]
        board = [entry for level in levels for entry in (level, level.second) if entry is not None]
        return (*board, *self.cards, *self.tokens, *self.companions)

    @property
    def disputed(self) -> int:
        return sum(bool(entry.origin.conflicts) for entry in self.entries)

    @property
    def unknown(self) -> int:
        return sum(not entry.is_known for entry in self.entries)

    @property
    def lacks_names(self) -> bool:
        """Whether a name on it is English because no book gives it in the language of the sheet."""
        return any(entry.name.is_foreign for entry in self.entries)


def hero_catalog(hero: Hero) -> Catalog:
    return Catalog({hero.id: hero}, shipped_cards(), statuses_of([hero.id]))


@cache
def hero_sheet(hero_id: str, lang: Lang) -> HeroSheet | None:
    """The sheet of a shipped hero."""
    hero = shipped_hero(hero_id)
    if hero is None:
        return None
    return _Writer(hero, raw_hero(hero_id), lang).sheet()


class _Writer:
    """Writes one hero's sheet in one language. `raw` is the hero's file, for what no engine reads."""

    def __init__(self, hero: Hero, raw: Mapping[str, Any], lang: Lang) -> None:
        self.hero, self.raw, self.lang = hero, raw, lang
        self.words = EffectWords(lang, hero_catalog(hero))
        origins = {**_token_origins(), **origins_of(raw)}
        self.origins = {entry: origins_in_words(origin, lang) for entry, origin in origins.items()}

    def sheet(self) -> HeroSheet:
        hero, raw = self.hero, self.raw
        statuses = statuses_of([hero.id])
        named = [token if isinstance(token, str) else token["id"] for token in raw.get("statuses", ())]
        own = [statuses[token] for token in named if token in statuses]
        board = [ability for ability in hero.abilities.values() if ability.comes_with is None]
        sheet = HeroSheet(
            id=hero.id,
            name=name_in(hero.names, self.lang, hero.id),
            is_partial=hero.is_partial,
            die=tuple(face_of(symbol, self.lang, hero) for symbol in hero.dice),
            spaces=tuple(sorted(map(self._space, board), key=lambda space: BOARD_ORDER.index(space.kind))),
            cards=tuple(self._card(card) for card in hero.cards.values() if not card.upgrades),
            tokens=tuple(self._token(status) for status in own),
            companions=tuple(e for one in hero.companions.values() for e in self._companion(one)),
            setup=self._counted({**hero.setup_statuses, **hero.setup_companions}),
            first=self._counted(hero.first_statuses),
            sides=hero.sides,
            shown_in=tuple(raw.get("shown_in", ())),
            sources=(),
        )
        used = [key for entry in sheet.entries for key in entry.origin.sources]
        return replace(sheet, sources=sources_in_words(used, self.lang))

    def _counted(self, things: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
        return tuple((self.words.status(thing), n) for thing, n in things.items())

    # -- the board ------------------------------------------------------------------------------------------

    def _space(self, ability: Ability) -> Space:
        upgrades = [card for card in self.hero.cards.values() if card.upgrades == ability.id]
        first = self._ability(ability)
        levels = (first, *(self._level(ability, card) for card in sorted(upgrades, key=lambda c: c.level)))
        side = side_name(ability.side, self.lang) if ability.side else ""
        return Space(first.name, ability.kind, ability.side, side, levels)

    def _ability(self, ability: Ability) -> Entry:
        return Entry(
            ability.id,
            name_in(ability.names, self.lang, ability.id),
            ability.kind,
            self._tiers(ability, ability),
            self.words.lines(ability.effects),
            is_known=ability.effects is not None or bool(ability.tier_effects),
            is_partial=ability.is_partial,
            origin=self.origins.get(ability.id, NO_ORIGIN),
            level=ability.level,
            rules=ability.rules,
        )

    def _level(self, ability: Ability, card: Card) -> Entry:
        """A higher level. Where its card says nothing of dice, those of the first level are needed."""
        entry = self._card(card)
        tiers = self._tiers(card if card.needs else ability, card)
        name = entry.name
        if name.is_foreign and ability.names.get(self.lang):
            name = Name(f"{ability.names[self.lang]} {ROMAN[card.level]}")
        second = self._ability(card.also) if card.also else None
        return replace(entry, name=name, tiers=tiers, second=second, level=card.level)

    def _tiers(self, asks: Ability | Card, does: Ability | Card) -> tuple[Tier, ...]:
        effects = does.tier_effects
        return tuple(
            Tier(need, self.words.lines(effects[n]) if n < len(effects) else ())
            for n, need in enumerate(self.words.activation(asks.needs))
        )

    # -- cards, tokens, companions --------------------------------------------------------------------------

    def _card(self, card: Card) -> Entry:
        return Entry(
            card.id,
            name_in(card.names, self.lang, card.id),
            card.kind,
            self._tiers(card, card),
            self.words.lines(card.effects),
            is_known=card.effects is not None or bool(card.tier_effects),
            is_partial=card.is_partial,
            origin=self.origins.get(card.id, NO_ORIGIN),
            cost=card.cost,
            is_modifier=card.attack_modifier,
            rules=card.rules,
        )

    def _token(self, status: Status) -> Entry:
        return Entry(
            status.id,
            name_in(status.names, self.lang, status.id),
            status.polarity,
            effects=(*self.words.does(status), *self.words.explosion(status)),
            is_known=status.effects is not None or bool(status.uses),
            is_partial=status.is_partial,
            origin=self.origins.get(status.id, NO_ORIGIN),
            limit=status.owner_limit or status.stack_limit,
            when=self.words.moment(status.when),
            is_spendable=bool(status.spendable),
            is_persistent=status.persistent,
            rules=status.rules,
        )

    def _companion(self, companion: Companion) -> list[Entry]:
        """The companion, or each stage of its growth."""
        if companion.stages:
            return [self._stage(companion, stage) for stage in companion.stages]
        facts = [self.words.fact("hero_health", companion.health)] if companion.health else []
        facts += [self.words.fact("hero_levels", companion.levels)] if companion.levels else []
        return [
            Entry(
                companion.id,
                name_in(companion.names, self.lang, companion.id),
                "companion",
                effects=self.words.does(companion),
                is_known=bool(companion.effects or companion.uses),
                is_partial=companion.is_partial,
                origin=self.origins.get(companion.id, NO_ORIGIN),
                limit=companion.limit,
                facts=tuple(facts),
            )
        ]

    def _stage(self, companion: Companion, stage: Stage) -> Entry:
        return Entry(
            stage.id,
            name_in({}, self.lang, stage.id),
            "companion",
            effects=self.words.lines(stage.effects),
            is_known=bool(stage.effects),
            origin=self.origins.get(companion.id, NO_ORIGIN),
            limit=stage.limit,
        )


def origins_of(raw: Mapping[str, Any]) -> dict[str, Origin]:
    kinds = ("abilities", "cards", "companions", "statuses")
    entries = [entry for kind in kinds for entry in raw.get(kind, ())]
    entries = [entry for entry in entries if isinstance(entry, dict)]
    entries += [entry["also"] for entry in entries if entry.get("also")]
    return {entry["id"]: read_origin(entry, str(entry["id"])) for entry in entries}


@cache
def _token_origins() -> dict[str, Origin]:
    return {entry["id"]: read_origin(entry, entry["id"]) for entry in load_json(DICE_THRONE, "statuses.json")}


def check_origins() -> None:
    """Read where every shipped entry comes from; InputError names the entry and the file of a fault."""
    for hero_id in hero_ids():
        try:
            origins_of(raw_hero(hero_id))
        except InputError as error:
            error.add_note(f"{hero_id}.json")
            raise
    _token_origins()

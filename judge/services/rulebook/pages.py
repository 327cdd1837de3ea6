"""The rule book as pages read it: found by words in any of the three languages, by book, by group; what
differs between the books; hero sheets in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from judge.core.games import DICE_THRONE
from judge.core.messages import LANGS, Lang
from judge.rules.catalog import Ability, Card, Catalog, Effects, Hero, Status
from judge.rules.rulebook import Rule
from judge.schemas.books import books
from judge.schemas.dice_throne.catalog import hero_ids, shipped_cards, shipped_hero, shipped_statuses
from judge.schemas.fixtures import load_json, rulebook
from judge.services.rulebook import search
from judge.services.rulebook.conditions import Face, Need, face_of
from judge.services.rulebook.effect_words import EffectWords, Line


@dataclass(frozen=True, slots=True)
class BookName:
    """A rule book: its id and its name in one language."""

    id: str
    game: str
    name: str


@dataclass(frozen=True, slots=True)
class Group:
    id: str  # as in the address: dice-throne-DMG
    game: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Place:
    book: BookName
    section: str
    page: str


@dataclass(frozen=True, slots=True)
class RuleEntry:
    id: str
    game: str
    kind: str
    text: str
    places: tuple[Place, ...]
    readings: tuple[tuple[str, str], ...]
    adopted: str | None
    reason: str = ""
    evidence: tuple[tuple[str, str, str], ...] = ()  # mark, source, what it says
    became: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    rules: tuple[str, ...]
    topic: str
    books: tuple[tuple[tuple[str, ...], str], ...]  # ids of editions that say the same, and what they say
    consequence: str


@cache
def book_names(game: str, lang: Lang) -> tuple[BookName, ...]:
    """The books of a game, oldest first."""
    return tuple(BookName(book.id, game, book.names[lang]) for book in books(game))


@cache
def groups(game: str, lang: Lang) -> tuple[Group, ...]:
    counts: dict[str, int] = {}
    for rule_id in rulebook(game).rules:
        counts[search.group_of(rule_id)] = counts.get(search.group_of(rule_id), 0) + 1
    named = load_json(game, "groups.json")
    return tuple(
        Group(f"{game}-{g['id']}", game, g["names"][lang], counts[g["id"]])
        for g in named
        if g["id"] in counts
    )


# -- rules --------------------------------------------------------------------------------------------------


def find_rule(rule_id: str, lang: Lang) -> RuleEntry | None:
    """The rule with this id as pages show it."""
    rule = search.find_rule(rule_id)
    return None if rule is None else _entry(rule, lang)


def found_rules(words: str, game: str, edition: str, group: str, lang: Lang) -> list[RuleEntry]:
    """The rules that the search finds, as pages show them."""
    return [_entry(rule, lang) for rule in search.search(words, game, edition, group)]


def _entry(rule: Rule, lang: Lang) -> RuleEntry:
    book = search.book_of(rule)
    places = []
    for edition in book_names(book.game, lang):
        section = book.sections.get(edition.id, {}).get(rule.books.get(edition.id, ""))
        if section is not None:
            places.append(Place(edition, section.title, section.page))
    readings = tuple((reading.letter, reading.text[lang]) for reading in rule.readings)
    return RuleEntry(
        rule.id,
        book.game,
        rule.kind,
        rule.text[lang],
        tuple(places),
        readings,
        rule.adopted,
        reason=rule.reason[lang] if rule.reason is not None else "",
        evidence=tuple((each.mark, each.source, each.text[lang]) for each in rule.evidence),
        became=rule.became,
    )


def in_other_languages(rule: RuleEntry, lang: Lang) -> list[tuple[Lang, str]]:
    texts = rulebook(rule.game).rules[rule.id].text
    return [(other, texts[other]) for other in LANGS if other != lang]


def neighbours(rule: RuleEntry) -> tuple[str | None, str | None]:
    """The rules before and after it in the book."""
    ids = list(rulebook(rule.game).rules)
    n = ids.index(rule.id)
    return ids[n - 1] if n else None, ids[n + 1] if n + 1 < len(ids) else None


@cache
def differences(lang: Lang) -> tuple[Difference, ...]:
    """Where the Dice Throne books differ, with the consequence for a ruling."""
    return tuple(
        Difference(
            tuple(entry["rules"]),
            entry["topic"][lang],
            _said_once(entry["books"], lang),
            entry["consequence"][lang],
        )
        for entry in load_json(DICE_THRONE, "differences.json")
    )


def _said_once(books: Mapping[str, Any], lang: Lang) -> tuple[tuple[tuple[str, ...], str], ...]:
    said: dict[str, tuple[str, ...]] = {}
    for edition, texts in books.items():
        said[texts[lang]] = (*said.get(texts[lang], ()), edition)
    return tuple((editions, text) for text, editions in said.items())


# -- heroes -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tier:
    """What has to be rolled, and what happens then."""

    needs: Need
    effects: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One ability, card or status in words. is_known: whether any source gives what it does."""

    id: str
    name: str
    kind: str
    tiers: tuple[Tier, ...]
    effects: tuple[Line, ...]
    is_known: bool
    cost: int | None = None
    level: int = 1
    side: str = ""
    upgrades: str = ""
    note: str = ""
    limit: int | None = None
    when: str = ""
    is_modifier: bool = False
    is_spendable: bool = False
    is_persistent: bool = False
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HeroSheet:
    id: str
    name: str
    die: tuple[Face, ...]
    abilities: tuple[Sheet, ...]
    cards: tuple[Sheet, ...]
    statuses: tuple[Sheet, ...]
    setup: tuple[tuple[str, int], ...]
    shown_in: tuple[str, ...]


def hero_catalog(hero: Hero) -> Catalog:
    return Catalog({hero.id: hero}, shipped_cards(), shipped_statuses())


def hero_list(lang: Lang) -> list[tuple[str, str]]:
    """Id and name of every hero of the shipped catalogue, by name."""
    found = [hero for hero_id in hero_ids() if (hero := shipped_hero(hero_id)) is not None]
    names = [(h.id, h.names.get(lang) or h.names.get("en") or h.id) for h in found]
    return sorted(names, key=lambda pair: pair[1].casefold())


@cache
def hero_sheet(hero_id: str, lang: Lang) -> HeroSheet | None:
    hero = shipped_hero(hero_id)
    if hero is None:
        return None
    words = EffectWords(lang, hero_catalog(hero))
    raw: dict[str, Any] = load_json(DICE_THRONE, "heroes", f"{hero_id}.json")
    own = [shipped_statuses()[s] for s in raw.get("statuses", ()) if s in shipped_statuses()]
    abilities = [a for a in hero.abilities.values() if a.comes_with is None]
    return HeroSheet(
        id=hero.id,
        name=hero.names.get(lang) or hero.names.get("en") or hero.id,
        die=tuple(face_of(symbol, lang, hero) for symbol in hero.dice),
        abilities=tuple(_ability(words, ability) for ability in abilities),
        cards=tuple(_card(words, card) for card in hero.cards.values()),
        statuses=tuple(_status(words, status) for status in own),
        setup=tuple((words.status(s), n) for s, n in hero.setup_statuses.items()),
        shown_in=tuple(raw.get("shown_in", ())),
    )


def _tiers(words: EffectWords, thing: Ability | Card) -> tuple[Tier, ...]:
    needs = words.activation(thing.needs)
    effects: list[Effects] = list(thing.tier_effects)
    return tuple(
        Tier(need, words.lines(effects[n]) if n < len(effects) else ()) for n, need in enumerate(needs)
    )


def _ability(words: EffectWords, ability: Ability) -> Sheet:
    return Sheet(
        ability.id,
        words.name(ability),
        ability.kind,
        _tiers(words, ability),
        words.lines(ability.effects),
        is_known=bool(ability.effects or ability.tier_effects),
        level=ability.level,
        side=ability.side,
        rules=ability.rules,
    )


def _card(words: EffectWords, card: Card) -> Sheet:
    return Sheet(
        card.id,
        words.name(card),
        card.kind,
        _tiers(words, card),
        words.lines(card.effects),
        is_known=bool(card.effects or card.tier_effects or card.also),
        cost=card.cost,
        level=card.level,
        upgrades=card.upgrades,
        is_modifier=card.attack_modifier,
        rules=card.rules,
    )


def _status(words: EffectWords, status: Status) -> Sheet:
    return Sheet(
        status.id,
        words.name(status),
        status.polarity,
        (),
        words.lines(status.effects),
        is_known=bool(status.effects),
        limit=status.stack_limit,
        when=words.moment(status.when),
        is_spendable=bool(status.spendable),
        is_persistent=status.persistent,
        rules=status.rules,
    )

"""Searches the rules, for the page /rules, the command `judge rules` and the API.

It looks in all languages at once, whatever the language of the answer, and ignores accents. Words are looked
for as they are written; if no rule has them all, by their stems, then with slips of the pen mended, then by
the names of abilities, cards and tokens, whose rules are meant; at last the rules with most of the words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import cache

from judge.core.folding import folded
from judge.core.games import GAME_IDS
from judge.core.messages import LANGS
from judge.rules.catalog import Ability, Card, Status
from judge.rules.rulebook import Rule, Rulebook
from judge.schemas.dice_throne.shipped import (
    every_status,
    hero_ids,
    shipped_cards,
    shipped_hero,
)
from judge.schemas.fixtures import rulebook
from judge.services.rulebook.titles import titles

LONGEST_QUESTION = 80
SMALL_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an the of at in on to or and is are my may can i do does when what who how two three "
        "le la les un une des de du à au et ou est deux trois qui que "
        "и в на с по что кто как два две три",
    )
)
LEAST_STEM = 4
MOST_NEAR = 12
LIKE = 0.8  # how alike a word and a slip of the pen are


def search(words: str, game: str = "", edition: str = "", group: str = "") -> list[Rule]:
    """Rules with all the words, in the order of the books; a rule with this very id comes first."""
    typed = words.strip()[:LONGEST_QUESTION]
    rules = [
        (name, rule)
        for name in GAME_IDS
        if game in ("", name)
        for rule in rulebook(name).rules.values()
        if _is_wanted(name, rule, edition, group)
    ]
    matching = [rule for name, rule in rules if _has_all(name, rule, folded(typed).split())]
    if not matching:
        matching = _nearly(typed, rules)
    return sorted(matching, key=lambda rule: rule.id.lower() != typed.lower())


def find_rule(rule_id: str) -> Rule | None:
    """The rule with this id, in small or capital letters."""
    rules = (rule for game in GAME_IDS for rule in rulebook(game).rules.values())
    return next((rule for rule in rules if rule.id.lower() == rule_id.lower()), None)


def book_of(rule: Rule) -> Rulebook:
    """The rules of the game that a rule belongs to."""
    return next(rulebook(game) for game in GAME_IDS if rule.id in rulebook(game).rules)


def group_of(rule_id: str) -> str:
    """DT-DMG-02 -> DMG; J-03 -> J."""
    return rule_id.split("-")[-2]


def _is_wanted(game: str, rule: Rule, edition: str, group: str) -> bool:
    if edition and edition not in rule.books:
        return False
    return not group or group == f"{game}-{group_of(rule.id)}"


def _has_all(game: str, rule: Rule, words: list[str]) -> bool:
    text = _texts(game)[rule.id]
    return all(word in text for word in words)


# -- what is only nearly there ------------------------------------------------------------------------------


def _nearly(typed: str, rules: Sequence[tuple[str, Rule]]) -> list[Rule]:
    """The rules a reader probably means."""
    words = [word for word in _words(typed) if word not in SMALL_WORDS]
    if not words:
        return []
    name, of_thing = _thing_meant(typed)
    if name:
        named = [rule for game, rule in rules if rule.id in of_thing or _has_all(game, rule, name.split())]
        if named:
            return named
    having = [[rule for game, rule in rules if _stem_in(word, _tokens(game)[rule.id])] for word in words]
    if all(having):
        with_all = [rule for rule in having[0] if all(rule in each for each in having)]
        rarest = min(having, key=len)
        return [*with_all, *(rule for rule in rarest[:MOST_NEAR] if rule not in with_all)]
    mended = [_mended(word) for word in words]
    if not any(mended):
        return []
    scores = [(sum(_has_any(near, _tokens(game)[rule.id]) for near in mended), rule) for game, rule in rules]
    best = max((score for score, _ in scores), default=0)
    return [rule for score, rule in scores if best and score == best and 2 * score > len(words) - 1]


def _stem_in(word: str, tokens: frozenset[str]) -> bool:
    return word in tokens or any(_same_stem(word, token) for token in tokens)


def _same_stem(one: str, other: str) -> bool:
    """rounding, rounded; defence, defensive; Rundung has another: words that begin alike."""
    shorter = min(len(one), len(other))
    common = next((n for n in range(shorter) if one[n] != other[n]), shorter)
    return common >= max(LEAST_STEM, shorter - 3) and abs(len(one) - len(other)) <= 4


def _mended(word: str) -> frozenset[str]:
    """Words of the rules that look like this one, or begin like it."""
    stems = [token for token in _vocabulary() if _same_stem(word, token)]
    return frozenset(stems or get_close_matches(word, _vocabulary(), 4, LIKE))


def _has_any(near: frozenset[str], tokens: frozenset[str]) -> bool:
    return not near.isdisjoint(tokens)


def _thing_meant(typed: str) -> tuple[str, frozenset[str]]:
    """The thing whose name is written here, or nearly: its name, and its rules."""
    name = " ".join(_words(typed))
    like = [
        (SequenceMatcher(None, name, known).ratio(), known) for known in _things() if known[:1] == name[:1]
    ]
    best = max(like, default=(0.0, ""))
    if best[0] < LIKE + 0.05:
        return "", frozenset()
    rules, kind = _things()[best[1]]
    return best[1], rules or _of_kind(kind)


# -- texts, read once ---------------------------------------------------------------------------------------


@cache
def _texts(game: str) -> Mapping[str, str]:
    """The searchable text of each rule: its id, title, text and readings in every language, titles of
    sections."""
    book = rulebook(game)
    result = {}
    for rule in book.rules.values():
        sections = (book.sections[e].get(code) for e, code in rule.books.items() if e in book.sections)
        texts = [rule.id, *titles().get(rule.id, {}).values(), *rule.text.values()]
        texts += [section.title for section in sections if section]
        texts += [text for reading in rule.readings for text in reading.text.values()]
        result[rule.id] = folded(" ".join(texts))
    return result


@cache
def _tokens(game: str) -> Mapping[str, frozenset[str]]:
    return {rule_id: frozenset(_words(text)) for rule_id, text in _texts(game).items()}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", folded(text))


@cache
def _vocabulary() -> tuple[str, ...]:
    tokens = {token for game in GAME_IDS for each in _tokens(game).values() for token in each}
    return tuple(sorted(token for token in tokens if len(token) >= LEAST_STEM))


@cache
def _things() -> Mapping[str, tuple[frozenset[str], str]]:
    """Abilities, cards and tokens by name: the rules of each, and what kind of thing it is."""
    heroes = [hero for name in hero_ids() if (hero := shipped_hero(name)) is not None]
    named: list[tuple[Ability | Card | Status, str]] = [
        (ability, ability.kind) for hero in heroes for ability in hero.abilities.values()
    ]
    named += [(card, "card") for hero in heroes for card in hero.cards.values()]
    named += [(card, "card") for card in shipped_cards().values()]
    named += [(status, "status") for status in every_status().values()]
    things: dict[str, tuple[frozenset[str], str]] = {}
    for thing, kind in named:
        for lang in LANGS:
            name = " ".join(_words(thing.names.get(lang) or ""))
            if name:
                things.setdefault(name, (frozenset(thing.rules), kind))
    return things


_GROUPS = {"defensive": "DRP", "ultimate": "ULT", "card": "CARD", "status": "STAT"}


def _of_kind(kind: str) -> frozenset[str]:
    """The rules about such things, where none is about this one alone."""
    group = _GROUPS.get(kind, "ATK")
    return frozenset(rule for game in GAME_IDS for rule in rulebook(game).rules if group_of(rule) == group)

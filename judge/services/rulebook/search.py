"""Finding rules: the one search behind the page /rules, the command `judge rules` and the API.

Words are found in every language at once, whatever the language of the answer, and without accents.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache

from judge.core.games import GAME_IDS
from judge.rules.rulebook import Rule, Rulebook
from judge.schemas.fixtures import rulebook

LONGEST_QUESTION = 80


def search(words: str, game: str = "", edition: str = "", group: str = "") -> list[Rule]:
    """Rules with all the words, in the order of the books; a rule whose id was asked for comes first."""
    asked = words.strip()[:LONGEST_QUESTION]
    wanted = folded(asked).split()
    rules = [
        rule
        for name in GAME_IDS
        if game in ("", name)
        for rule in rulebook(name).rules.values()
        if _fits(name, rule, wanted, edition, group)
    ]
    return sorted(rules, key=lambda rule: rule.id.lower() != asked.lower())


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


def folded(text: str) -> str:
    """Small letters without accents, so that "degats" finds "Dégâts"."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ё", "е").replace("œ", "oe"))
    return "".join(c for c in plain if not unicodedata.combining(c))


def _fits(game: str, rule: Rule, wanted: list[str], edition: str, group: str) -> bool:
    if edition and edition not in rule.books:
        return False
    if group and group != f"{game}-{group_of(rule.id)}":
        return False
    text = _searched(game)[rule.id]
    return all(word in text for word in wanted)


@cache
def _searched(game: str) -> Mapping[str, str]:
    """What words are looked for in: id, the rule and its readings in every language, titles of sections."""
    book = rulebook(game)
    result = {}
    for rule in book.rules.values():
        sections = (book.sections[e].get(code) for e, code in rule.books.items() if e in book.sections)
        texts = [rule.id, *rule.text.values(), *(s.title for s in sections if s)]
        texts += [text for reading in rule.readings for text in reading.text.values()]
        result[rule.id] = folded(" ".join(texts))
    return result

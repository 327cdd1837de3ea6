"""Searches the rules, for the page /rules, the command `judge rules` and the API.

It looks in all languages at once, whatever the language of the answer, and ignores accents.
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
    """Rules with all the words, in the order of the books; a rule with this very id comes first."""
    typed = words.strip()[:LONGEST_QUESTION]
    folded_words = folded(typed).split()
    rules = [
        rule
        for name in GAME_IDS
        if game in ("", name)
        for rule in rulebook(name).rules.values()
        if _matches(name, rule, folded_words, edition, group)
    ]
    return sorted(rules, key=lambda rule: rule.id.lower() != typed.lower())


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


def _matches(game: str, rule: Rule, words: list[str], edition: str, group: str) -> bool:
    if edition and edition not in rule.books:
        return False
    if group and group != f"{game}-{group_of(rule.id)}":
        return False
    text = _texts(game)[rule.id]
    return all(word in text for word in words)


@cache
def _texts(game: str) -> Mapping[str, str]:
    """The searchable text of each rule: its id, text and readings in every language, titles of sections."""
    book = rulebook(game)
    result = {}
    for rule in book.rules.values():
        sections = (book.sections[e].get(code) for e, code in rule.books.items() if e in book.sections)
        texts = [rule.id, *rule.text.values(), *(s.title for s in sections if s)]
        texts += [text for reading in rule.readings for text in reading.text.values()]
        result[rule.id] = folded(" ".join(texts))
    return result

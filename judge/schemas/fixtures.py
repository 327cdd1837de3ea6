"""Loads the shipped rulebooks and the sentences of each language.

Nothing is read at import; each file is read once per process.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from judge.core.messages import Lang
from judge.paths import FIXTURES, TRANSLATIONS
from judge.rules.rulebook import Evidence, Reading, Rule, Rulebook, Section


def load_json(*parts: str) -> Any:
    return json.loads(FIXTURES.joinpath(*parts).read_bytes())


def catalogue(folder: Path) -> dict[str, str]:
    """The texts of a folder: its files share one set of keys."""
    result: dict[str, str] = {}
    for path in sorted(folder.glob("*.json")):
        result.update(json.loads(path.read_bytes()))
    return result


@cache
def sentences(lang: Lang) -> dict[str, str]:
    """Every engine sentence of a language."""
    return catalogue(TRANSLATIONS / lang)


@cache
def page_texts(lang: Lang) -> dict[str, str]:
    """Every page text of a language by its English; English itself needs none."""
    return catalogue(TRANSLATIONS / lang / "pages")


@cache
def rulebook(game: str) -> Rulebook:
    rules: dict[str, Rule] = {}
    for path in sorted((FIXTURES / game / "rules").glob("*.json")):
        for entry in json.loads(path.read_bytes()):
            readings = tuple(Reading(**reading) for reading in entry.pop("readings", ()))
            evidence = tuple(Evidence(**answer) for answer in entry.pop("evidence", ()))
            became = tuple(entry.pop("became", ()))
            rules[entry["id"]] = Rule(**entry, readings=readings, evidence=evidence, became=became)
    files = sorted((FIXTURES / game / "editions").glob("*.json"))
    books = {path.stem: json.loads(path.read_bytes()) for path in files}
    for edition in sorted(books, key=lambda edition: _steps(books, edition)):
        book = books[edition]
        _state_as_the_other_book(rules, edition, book.get("like"), book.get("rules", {}))
    sections = {
        edition: {code: Section(**section) for code, section in book["sections"].items()}
        for edition, book in books.items()
    }
    return Rulebook(game, rules, sections)


def _steps(books: dict[str, Any], edition: str) -> int:
    """How many books lie between a book and the one that all of them are like: that one comes first."""
    seen = {edition}
    while (like := books.get(edition, {}).get("like")) and like not in seen:
        seen.add(edition := like)
    return len(seen)


def _state_as_the_other_book(
    rules: dict[str, Rule], edition: str, like: str | None, departures: dict[str, str | None]
) -> None:
    """A book `like` another states the same rules in the sections of the same code. `departures` names the
    section of each rule that stands elsewhere, and null for one that the book does not state."""
    for rule_id, rule in rules.items():
        section = departures.get(rule_id, rule.books.get(like) if like else None)
        if section is not None and edition not in rule.books:
            rules[rule_id] = replace(rule, books={**rule.books, edition: section})

"""Loading what ships with the product: rulebooks and the sentences of each language.

Nothing is read at import; each thing once per process.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from judge.core.messages import Lang
from judge.paths import FIXTURES, TRANSLATIONS
from judge.rules.rulebook import Reading, Rule, Rulebook, Section


def load_json(*parts: str) -> Any:
    return json.loads(FIXTURES.joinpath(*parts).read_bytes())


@cache
def sentences(lang: Lang) -> dict[str, str]:
    """Every engine sentence of a language: the files translations/<lang>/*.json share one set of keys."""
    result: dict[str, str] = {}
    for path in sorted((TRANSLATIONS / lang).glob("*.json")):
        result.update(json.loads(path.read_bytes()))
    return result


@cache
def rulebook(game: str) -> Rulebook:
    rules: dict[str, Rule] = {}
    for path in sorted((FIXTURES / game / "rules").glob("*.json")):
        for entry in json.loads(path.read_bytes()):
            readings = tuple(Reading(**reading) for reading in entry.pop("readings", ()))
            rules[entry["id"]] = Rule(**entry, readings=readings)
    sections = {
        path.stem: {code: Section(**s) for code, s in json.loads(path.read_bytes())["sections"].items()}
        for path in sorted((FIXTURES / game / "editions").glob("*.json"))
    }
    return Rulebook(game, rules, sections)

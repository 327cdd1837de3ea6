"""Reads the glossary: the words of the books and of an event, one file per subject in fixtures/glossary."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from judge.core.games import GAME_IDS
from judge.core.messages import LANGS, Lang
from judge.paths import FIXTURES
from judge.schemas.files import read_file
from judge.schemas.shape import at, each, listing, mapping, name

EVENT = "event"
SUBJECTS = (*GAME_IDS, EVENT)
TERM_KEYS = ("id", *LANGS, "not")


@dataclass(frozen=True, slots=True)
class Term:
    """One term in every language; `avoided` are beginnings of words that must not stand for it."""

    id: str
    names: dict[Lang, str]
    avoided: dict[Lang, tuple[str, ...]]


@cache
def glossary(subject: str) -> tuple[Term, ...]:
    """The terms of a game, or of an event, in the order of the file."""
    path = f"glossary/{subject}.yaml"
    return tuple(each(listing(read_file(FIXTURES / path), path), path, _term))


def _term(data: Any, path: str) -> Term:
    entry = mapping(data, path, TERM_KEYS)
    avoided = mapping(entry.get("not"), at(path, "not"), LANGS)
    return Term(
        name(entry.get("id"), at(path, "id")),
        {lang: name(entry.get(lang), at(path, lang)) for lang in LANGS},
        {
            lang: tuple(each(listing(words, path), path, name))
            for lang, words in avoided.items()
            if lang in LANGS
        },
    )

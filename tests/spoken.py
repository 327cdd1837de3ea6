"""What a page, a paper or the terminal says in French or Russian, and which of its words are English.

A word is English when the English texts of the product use it, or an id is made of it, and no French or
Russian text does. What people typed themselves (names, notes, files) is given and left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Any

import yaml

from judge.core.messages import LANGS
from judge.paths import FIXTURES, TRANSLATIONS

WORD = re.compile(r"(?<![^\W_])[^\W\d_]+(?![^\W_])")
JOINED = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+")
PACKAGE = TRANSLATIONS.parent
PLACE = re.compile(r"\{\w+(?=[:}])")
SHOWN = ("title", "alt", "placeholder", "aria-label", "label", "data-confirm")
# Addresses, files, codes of rules and languages in their own name are the same in every language.
EVERYWHERE = re.compile(
    r"https?://\S+|/[\w/{}-]+\b|\b[A-Z]{2}-[A-Z0-9-]+|[\w.-]+\.(?:pdf|csv|json|yaml|com)\b|English"
)
TYPED = {"script", "style", "textarea", "code", "pre", "kbd", "samp"}
EMPTY = {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


def words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text) if len(word) > 2}


def _strings(value: Any, under: str = "", key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a file of data with the language it stands under ("id": none, "quoted": as printed)."""
    if isinstance(value, dict):
        if key == "names" and "en" in value and not (value.get("fr") and value.get("ru")):
            yield "quoted", value["en"]  # a thing that was not published in every language
        for name, item in value.items():
            yield "id", str(name)
            yield from _strings(item, name if name in LANGS else under, name)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item, under, key)
    elif isinstance(value, str):
        yield under or ("quoted" if key == "title" else "id"), value  # the title of a section of a book


@cache
def vocabulary() -> dict[str, frozenset[str]]:
    """The words of the product by language; "id": ids and their words; "quoted": names as printed."""
    found: dict[str, set[str]] = {name: set() for name in (*LANGS, "id", "quoted")}
    for lang in LANGS:
        for path in (TRANSLATIONS / lang).rglob("*.json"):
            for key, text in json.loads(path.read_bytes()).items():
                found[lang] |= words(PLACE.sub(" ", text))
                found["en" if path.parent.name == "pages" else "id"] |= words(key)
    for path in (*FIXTURES.rglob("*.json"), *FIXTURES.rglob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        data = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
        for lang, said in _strings(data):
            if lang == "quoted":
                found[lang].add(said)
            elif lang != "id":
                found[lang] |= words(said)
            elif re.fullmatch(r"[a-z][a-z0-9_-]*", said):
                found["id"] |= {said, *words(said)}
    for path in (*(PACKAGE / "rules").rglob("*.py"), *(PACKAGE / "tournament").rglob("*.py")):
        found["id"] |= set(re.findall(rf'"({JOINED.pattern})"', path.read_text(encoding="utf-8")))
    return {name: frozenset(known) for name, known in found.items()}


def english_in(text: str, lang: str, typed: Iterable[str] = ()) -> set[str]:
    """The English words of a text, and ids in one piece, that nobody typed."""
    text = " ".join(EVERYWHERE.sub(" ", text).split())
    if found := _english(text, lang):
        for name in sorted({name for word in found for name in _quoted(word)}, key=len, reverse=True):
            text = text.replace(name, " ")
    left = set().union(*(words(one) for one in typed))
    return {word for word in _english(text, lang) - left if not any(word in one for one in typed)}


@cache
def _quoted(word: str) -> list[str]:
    """The names with this word that stand in English in every language."""
    return [name for name in vocabulary()["quoted"] if word in words(name)]


def _english(text: str, lang: str) -> set[str]:
    known = vocabulary()
    foreign = {w for w in words(text) - known[lang] if w in known["en"] or w in known["id"]}
    return foreign | {id_ for id_ in JOINED.findall(text) if id_ in known["id"]}


class _Page(HTMLParser):
    """Collects what a reader of a page in this language sees and hears."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self.lang, self.said, self._open = lang, [], []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        hidden = tag in TYPED or given.get("lang", self.lang) != self.lang
        if not hidden and not any(shut for _, shut in self._open):
            shown = [given[name] or "" for name in SHOWN if name in given]
            self.said += [text for text in shown if not text.startswith("{")]  # a part of a file
            if tag == "input" and given.get("type") in ("submit", "button"):
                self.said.append(given.get("value") or "")
        if tag not in EMPTY:
            self._open.append((tag, hidden))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(hidden for _, hidden in self._open):
            self.said.append(data)


def page_text(html: str, lang: str) -> str:
    page = _Page(lang)
    page.feed(html)
    return "\n".join(page.said)

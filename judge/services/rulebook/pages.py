"""The rule book for pages: rules by words, book or group, and the differences between the books. Hero sheets
are in `hero_sheet`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from judge.core.games import DICE_THRONE
from judge.core.json_types import JsonObject
from judge.core.messages import LANGS, Lang
from judge.rules.rulebook import Rule
from judge.schemas.books import books, lineage
from judge.schemas.fixtures import load_json, rulebook
from judge.services.rulebook import search
from judge.services.rulebook.origins import named_sources


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
    entries = load_json(game, "groups.json")
    return tuple(
        Group(f"{game}-{g['id']}", game, g["names"][lang], counts[g["id"]])
        for g in entries
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
            places.append(Place(edition, section.notes.get(lang, section.title), section.page))
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
        evidence=tuple((e.mark, named_sources(e.source, lang), e.text[lang]) for e in rule.evidence),
        became=rule.became,
    )


@dataclass(frozen=True, slots=True)
class DecidedCases:
    """How many of our tested cases a rule decides, and the titles of a few."""

    count: int
    titles: tuple[str, ...]


def decided_cases(rule_id: str) -> DecidedCases | None:
    entry = _cases().get(rule_id)
    return DecidedCases(entry["count"], tuple(entry["titles"])) if entry else None


@cache
def _cases() -> Mapping[str, JsonObject]:
    cases: Mapping[str, JsonObject] = load_json("cases.json")
    return cases


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
            _by_text(_of_every_book(entry["books"]), lang),
            entry["consequence"][lang],
        )
        for entry in load_json(DICE_THRONE, "differences.json")
    )


def _of_every_book(texts: Mapping[str, Mapping[Lang, str]]) -> dict[str, Mapping[Lang, str]]:
    """The texts with those of books that are like one of the books named."""
    lineages = (lineage(DICE_THRONE, book.id) for book in books(DICE_THRONE))
    named = {ids[0]: next((texts[other] for other in ids if other in texts), None) for ids in lineages}
    return {**texts, **{book: text for book, text in named.items() if text is not None}}


def _by_text(books: Mapping[str, Mapping[Lang, str]], lang: Lang) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Each text once, with the ids of the books that have it."""
    editions: dict[str, tuple[str, ...]] = {}
    for edition, texts in books.items():
        editions[texts[lang]] = (*editions.get(texts[lang], ()), edition)
    return tuple((ids, text) for text, ids in editions.items())

"""Rules as data: the text of each rule, where each book states it, and which points no book settles.

Only frozen dataclasses and citations; `judge.schemas.fixtures` loads the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from judge.core.messages import Lang


@dataclass(frozen=True, slots=True)
class Book:
    """One printed rule book, i.e. one edition of a game's rules, with its names in every language.

    `modes` gives the fewest and the most players of each mode that the book describes.
    """

    id: str
    game: str
    published: str  # the year; 2024-05 if two books of one year must be told apart
    names: Mapping[Lang, str]
    short_names: Mapping[Lang, str]
    titles: Mapping[Lang, str]
    origins: Mapping[Lang, str]
    modes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    like: str = ""  # a book that states the same rules


@dataclass(frozen=True, slots=True)
class Section:
    """A section of one printed book: its title in the book's language, and the page.

    For what the book does not print, `notes` say in every language where it comes from instead.
    """

    title: str
    page: str
    notes: Mapping[Lang, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read an open point: a letter and what it means."""

    letter: str
    text: Mapping[Lang, str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A public answer to an open point. `mark` says who gave it: O the publisher, D a designer.

    It stands beside the readings; it is no rule of a book.
    """

    mark: str
    source: str
    text: Mapping[Lang, str]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule id. `kind` is decided (an engine can decide it), physical, glossary or open (J, AMB points).

    `books` names the section code per edition; an edition that is absent does not state the rule.
    `differs` marks a rule on which books differ in what they say, or in whether they say it.
    An open point with `adopted` is ruled by that reading and listed, `reason` says why; without it both
    readings are worked out. One that was split only names what it `became`.
    """

    id: str
    kind: str
    text: Mapping[Lang, str]
    books: Mapping[str, str] = field(default_factory=dict)
    readings: tuple[Reading, ...] = ()
    adopted: str | None = None
    differs: bool = False
    reason: Mapping[Lang, str] | None = None
    evidence: tuple[Evidence, ...] = ()
    became: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All rules of one game, and the sections of its editions: sections[edition][code]."""

    game: str
    rules: Mapping[str, Rule]
    sections: Mapping[str, Mapping[str, Section]]
    _cited: dict[tuple[str, str, Lang], dict[str, str]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def differing(self) -> frozenset[str]:
        """The rules that can make two books rule differently."""
        return frozenset(rule.id for rule in self.rules.values() if rule.differs)

    def citation(self, rule_id: str, edition: str, lang: Lang) -> dict[str, str]:
        """Where this edition states the rule; if it does not, where the first other book does."""
        key = (rule_id, edition, lang)
        cited = self._cited.get(key)
        if cited is None:
            cited = self._cited[key] = self._cite(rule_id, edition, lang)
        return cited

    def _cite(self, rule_id: str, edition: str, lang: Lang) -> dict[str, str]:
        rule = self.rules[rule_id]
        book = edition if edition in rule.books else next(iter(rule.books), edition)
        section = self.sections.get(book, {}).get(rule.books.get(book, ""), Section("", ""))
        text = " ".join((rule.text[lang], *((section.notes[lang],) if section.notes else ())))
        return {"edition": book, "section": section.title, "page": section.page, "text": text}

    def citations(self, rule_ids: Iterable[str], edition: str, lang: Lang) -> dict[str, dict[str, str]]:
        return {rule_id: self.citation(rule_id, edition, lang) for rule_id in sorted(set(rule_ids))}

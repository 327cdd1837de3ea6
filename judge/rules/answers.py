"""Questions players asked, answered by a table that the engine rules; and notes on single rules.

Both carry the table that proves them and what its ruling must be under each book.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from judge.core.json_types import JsonObject, TableFile
from judge.core.messages import Lang

Texts = Mapping[Lang, str]
# Who stands behind an answer, the weightiest first.
Authority = Literal["publisher", "designer", "rulebook", "leaflet", "implementation", "event"]


@dataclass(frozen=True, slots=True)
class Departure:
    """What one book makes of a table where it differs from the answer, and why in a sentence."""

    says: Texts
    expect: JsonObject


@dataclass(frozen=True, slots=True)
class Proof:
    """A table without its book, and a part of its ruling under every book it is ruled by."""

    game: str
    table: TableFile
    editions: tuple[str, ...]
    expect: JsonObject
    differs: Mapping[str, Departure]

    def under(self, edition: str) -> TableFile:
        """The table file under one book, without what is expected of it."""
        return {"game": self.game, "edition": edition, **self.table}

    def checked(self, edition: str, name: str) -> TableFile:
        """The table file under one book with what its ruling must be."""
        departure = self.differs.get(edition)
        expect = self.expect if departure is None else departure.expect
        return {"id": f"{name} ({edition})", **self.under(edition), "expect": expect}


@dataclass(frozen=True, slots=True)
class Answer:
    """A question as a player would ask it, and the answer in a sentence."""

    id: str
    subject: str
    question: Texts
    says: Texts
    authority: Authority
    source: str  # a key of the sources, or the name of an event
    rules: tuple[str, ...]
    proof: Proof


@dataclass(frozen=True, slots=True)
class Note:
    """Why a rule is so, the usual mistake, and an example whose numbers its table proves."""

    rule: str
    why: Texts
    mistake: Texts
    example: Texts
    proof: Proof

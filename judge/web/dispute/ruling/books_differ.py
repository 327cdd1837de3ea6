"""Where the rulebooks differ on a table: the answer under each book, and in words what else differs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from judge.core.messages import Lang
from judge.services.dispute.case import Case
from judge.services.dispute.compare import MISSING, Difference, DifferingRule, compare
from judge.services.dispute.entering import event_at
from judge.services.dispute.find_by_name import Things
from judge.web.dispute.lines import Answer, answer, label_of
from judge.web.dispute.ruling.answer_box import Order, box
from judge.web.dispute.words import MAY, PHASES, VERDICTS, status_name
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext, lazy_gettext

NOT_IN_IT = lazy_gettext("the mode is not in this book: another one is followed")


@dataclass(frozen=True, slots=True)
class UnderBook:
    """The answer under one book: damage, what it does not allow, and the order of what collides."""

    answer: list[Answer]
    faults: tuple[str, ...]
    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class Differs:
    """One thing that is not the same under every book: what it is, and its value by book."""

    what: str
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class BooksDiffer:
    """The answer under each book, what differs, and the rules behind it."""

    finals: dict[str, UnderBook]
    lines: list[Differs]
    rules: list[DifferingRule]

    @property
    def is_one_answer(self) -> bool:
        """Damage, refusals and order are the same; only something beside them differs."""
        answers = list(self.finals.values())
        return bool(self.lines) and all(answer == answers[0] for answer in answers)


def under_each_book(case: Case) -> BooksDiffer | None:
    """How the other rulebooks rule; None where they all agree."""
    comparison = compare(case, language())
    if not comparison["differences"]:
        return None
    finals = {}
    for edition in comparison["editions"]:
        ruling = case.under(edition).said(language())
        said = box(case.data, ruling, language())
        finals[edition] = UnderBook(answer(ruling), said.faults, said.orders)
    lines = [line for d in comparison["differences"] if (line := _in_words(d, case, language()))]
    return BooksDiffer(finals, lines, comparison["rules"])


def _in_words(difference: Difference, case: Case, lang: Lang) -> Differs | None:
    """The difference as a line; None for what the answers themselves show: damage, order."""
    for pattern, tell in _TELL:
        match = re.fullmatch(pattern, difference["path"])
        if match:
            what, word = tell(case, lang, *match.groups())
            return Differs(what, {book: word(value) for book, value in difference["values"].items()})
    return None


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or MISSING
    return str(value)


def _word(words: dict[str, Any]) -> Callable[[Any], str]:
    def word(value: Any) -> str:
        if isinstance(value, list):
            return ", ".join(str(words.get(each, each)) for each in value) or MISSING
        return str(words.get(value, value))

    return word


Told = tuple[str, Callable[[Any], str]]


def _verdict(case: Case, lang: Lang, n: str) -> Told:
    label = label_of(event_at(case.data, n), Things(case.data.get("catalogue")), lang)
    return f"{n}. {label}", _word(VERDICTS)


def _dial(case: Case, lang: Lang, who: str, key: str) -> Told:
    names = {
        "health": gettext("Health"), "cp": gettext("CP"), "hand": gettext("Cards in hand"),
        "deck": gettext("Deck"), "discard": gettext("Discard pile"),
    }  # fmt: skip
    return f"{who}: {names.get(key, key)}", _plain


def _token(case: Case, lang: Lang, who: str, token: str) -> Told:
    return f"{who}: {status_name(token, lang)}", lambda value: "0" if value == MISSING else str(value)


def _turn(case: Case, lang: Lang, key: str) -> Told:
    names = {
        "phase": gettext("Phase"), "active": gettext("Active player"),
        "attempts_left": gettext("Roll attempts left"), "leaders": gettext("Leaders"),
    }  # fmt: skip
    return names.get(key, key), _word(PHASES)


_TELL: tuple[tuple[str, Callable[..., Told]], ...] = (
    (r"events\[([\d.]+)\]\.verdict", _verdict),
    (r"players\.(.+)\.statuses\.([^.]+)", _token),
    (r"players\.(.+)\.([a-z]+)", _dial),
    (r"teams\.(.+)", lambda case, lang, team: (f"{team} ♥", _plain)),
    (r"turn\.(\w+)", _turn),
    (r"may\.(.+)", lambda case, lang, who: (gettext("%(who)s may now", who=who), _word(MAY))),
    (r"lost\.(.+)\.([^.]+)", lambda case, lang, who, key: (gettext("%(who)s loses", who=who), _plain)),
    (r"outcome\.(winners)", lambda case, lang, key: (gettext("Winner"), _plain)),
    (r"discretion", lambda case, lang: (gettext("Rests on an open point"), _word({"mode": NOT_IN_IT}))),
)

"""The page "Who goes first?": two actions that meet, and the order under every book."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, request

from judge.schemas.dice_throne.shipped import shipped_cards, shipped_statuses
from judge.services.dispute.find_by_name import named
from judge.services.dispute.who_first import (
    AT_ONCE,
    FIRST_ANSWERS,
    KINDS,
    SECOND_ANSWERS,
    Doing,
    Under,
    order_of,
)
from judge.web.dispute.ruling.answer_box import Order, box
from judge.web.dispute.words import edition_name
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext

first = Blueprint("first", __name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """The order that some of the books give; `otherwise` says why there is none. reasons: by book."""

    books: list[str]
    orders: tuple[Order, ...]
    otherwise: str
    reasons: list[tuple[str, str, str]]  # book, why, rule


@dataclass(frozen=True, slots=True)
class Met:
    """One way in which the two meet, and the answers: one if all books agree."""

    how: str
    answers: list[Answer]


@first.get("/first")
def page() -> str:
    names = (gettext("Active player"), gettext("Opponent"))
    labels = (gettext("Instant card"), gettext("Roll card"), gettext("Spends a token"))
    kinds = dict(zip(KINDS, labels, strict=True))
    written = tuple(" ".join(request.args.get(f"{field}_name", "").split())[:60] for field in "ab")
    chosen = tuple(name if (name := request.args.get(field, "")) in KINDS else "" for field in "ab")
    asked = [name or kind for name, kind in zip(written, chosen, strict=True)]
    met = []
    if all(asked):
        said = {**kinds, "token": gettext("A token")}
        doing = [Doing(who, what, said.get(what, what)) for who, what in zip(names, asked, strict=True)]
        met = _met(order_of(doing[0], doing[1], language()))
    return render_template(
        "dispute/first.html",
        names=names,
        kinds=kinds,
        things=_things(),
        chosen=chosen,
        written=written,
        met=met,
    )


def _things() -> list[str]:
    cards = [named(card, language()) for card in shipped_cards().values() if card.kind != "upgrade"]
    return sorted({*cards, *(named(s, language()) for s in shipped_statuses().values() if s.spendable)})


def _met(rulings: list[Under]) -> list[Met]:
    """The answers by the way of meeting; books that say the same are told together."""
    how = {
        AT_ONCE: gettext("At the same time"),
        SECOND_ANSWERS: gettext("The opponent answers"),
        FIRST_ANSWERS: gettext("The active player answers"),
    }
    ways: dict[str, list[Under]] = {}
    for under in rulings:
        ways.setdefault(under.way, []).append(under)
    return [Met(how[way], _answers(unders)) for way, unders in ways.items()]


def _answers(unders: list[Under]) -> list[Answer]:
    answers: dict[tuple[str, ...], Answer] = {}
    for under in unders:
        said, book = box(under.table, under.ruling, language()), edition_name(under.edition)
        otherwise = " ".join(said.faults) or said.open or said.nothing
        key = tuple(order.in_short for order in said.orders) or (otherwise,)
        answer = answers.setdefault(key, Answer([], said.orders, otherwise, []))
        answer.books.append(book)
        answer.reasons.extend((book, order.why, order.rule) for order in said.orders if order.why)
    return list(answers.values())

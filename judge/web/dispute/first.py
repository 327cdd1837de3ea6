"""The page "Who goes first?": two actions that meet, and the order under every book."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, request

from judge.schemas.dice_throne.shipped import shipped_cards, shipped_statuses
from judge.services.dispute.find_by_name import named
from judge.services.dispute.who_first import KINDS, Under, order_of
from judge.web.dispute.ruling.answer_box import Order, box
from judge.web.dispute.words import edition_name
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext

first = Blueprint("first", __name__)


@dataclass(frozen=True, slots=True)
class Met:
    """How the two met, and the order that follows; `otherwise` says why there is none."""

    how: str
    orders: tuple[Order, ...]
    otherwise: str


@dataclass(frozen=True, slots=True)
class BookAnswer:
    name: str
    met: list[Met]


@first.get("/first")
def page() -> str:
    names = (gettext("Active player"), gettext("Opponent"))
    written = tuple(" ".join(request.args.get(f"{field}_name", "").split())[:60] for field in "ab")
    chosen = tuple(name if (name := request.args.get(field, "")) in KINDS else "" for field in "ab")
    asked = tuple(name or kind for name, kind in zip(written, chosen, strict=True))
    books = _books(order_of((asked[0], asked[1]), names, language())) if all(asked) else []
    labels = (gettext("Instant card"), gettext("Roll card"), gettext("Spends a token"))
    return render_template(
        "dispute/first.html",
        names=names,
        kinds=dict(zip(KINDS, labels, strict=True)),
        things=_things(),
        chosen=chosen,
        written=written,
        books=books,
    )


def _things() -> list[str]:
    cards = [named(card, language()) for card in shipped_cards().values() if card.kind != "upgrade"]
    return sorted({*cards, *(named(s, language()) for s in shipped_statuses().values() if s.spendable)})


def _books(rulings: list[Under]) -> list[BookAnswer]:
    books: dict[str, list[Met]] = {}
    for under in rulings:
        books.setdefault(under.edition, []).append(_met(under))
    return [BookAnswer(edition_name(edition), met) for edition, met in books.items()]


def _met(under: Under) -> Met:
    said = box(under.table, under.ruling, language())
    at_once, answered = gettext("At the same time"), gettext("The second answers the first")
    how = at_once if under.timing == "at-once" else answered
    return Met(how, said.orders, " ".join(said.faults) or said.open or said.nothing)

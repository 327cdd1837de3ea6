"""What the page of a table being entered shows, from its draft and from what is open on the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import SimpleNamespace
from typing import Any
from zlib import crc32

from flask import url_for

from judge.core.games import DICE_FORGE, DICE_THRONE
from judge.core.json_types import TableFile
from judge.core.messages import Lang
from judge.rules.ruling_json import EventJson, RulingJson
from judge.services.dispute.case import Case
from judge.services.dispute.drafts import Draft
from judge.services.dispute.entering import player_ids
from judge.services.dispute.games import Game
from judge.services.dispute.kept_rulings import subject_of
from judge.web.dispute.lines import Answer, Line, answer, faults, lines
from judge.web.dispute.spoken import spoken
from judge.web.dispute.table.chips import as_value
from judge.web.dispute.table.folds import Fold, fold, setting
from judge.web.dispute.table.forge_view import ForgeView, forge
from judge.web.dispute.table.place import Place, form_fields, links
from judge.web.dispute.table.throne_view import ThroneView, throne


@dataclass(frozen=True, slots=True)
class Desk:
    """How the page shows tables of one game: the function that works out the view, and its templates."""

    view: Callable[[Case, Place, str, Lang, int], ThroneView | ForgeView]
    players: str
    offers: str


# A game without one is ruled by files alone: the page of its table is its ruling.
DESKS = {
    DICE_THRONE: Desk(throne, "dispute/table/_throne_players.html", "dispute/table/_throne_offers.html"),
    DICE_FORGE: Desk(forge, "dispute/table/_forge_players.html", "dispute/table/_forge_offers.html"),
}


@dataclass(frozen=True, slots=True)
class TableView:
    """What the page shows of a table of either game."""

    draft: Draft
    token: str
    table: TableFile
    ruling: RulingJson
    place: Place
    who: str
    ids: list[str]
    game: Game[Any, Any, Any]
    asks: dict[str, list[str]]
    asked: int  # the number of the open event
    first_open: str  # the first thing that is not known
    open_here: list[tuple[str, str]]  # what is not known of it: its number or that of an action in it
    lines: list[Line]
    answer: list[Answer]
    faults: list[EventJson]
    address: str
    at: Callable[..., str]
    words: SimpleNamespace
    about: str
    desk: Desk
    claims_fold: Fold
    file_fold: Fold


def view(draft: Draft, case: Case, token: str, place: Place, lang: Lang) -> Mapping[str, Any]:
    """The variables of the page's templates."""
    table, ruling, words = case.data, case.said_in_brief(lang), spoken(lang)
    ids, address = player_ids(table), url_for("rule.page", token=token)
    who, desk, asks = ids[place.p - 1], DESKS[case.game.id], _asks(ruling)
    asked = _asked(case, place, asks)
    open_here = [(n, says) for n in asks if n.partition(".")[0] == str(asked) for says in asks[n]]
    shared = TableView(
        draft, token, table, ruling, place, who, ids, case.game, asks, asked,
        next(iter(asks.values()), [""])[0], open_here,
        lines(table, ruling, lang), answer(ruling), faults(ruling), address, links(address, place), words,
        _about(table), desk,
        fold("claims", setting(table, lang), ruling.get("claims")),
        fold("file", setting(table, lang), draft.is_pinned),
    )  # fmt: skip
    parts = (shared, desk.view(case, place, who, lang, asked), form_fields(place, table, who))
    variables = {field.name: getattr(part, field.name) for part in parts for field in fields(part)}
    return {**variables, "_": words.text, "as_value": as_value}


def _asked(case: Case, place: Place, asks: dict[str, list[str]]) -> int:
    """The event to show: the one that was tapped, else the first with an open question, else the last."""
    if place.before or place.open == "edit":
        return 0 if place.before else place.n
    waiting = [int(n.partition(".")[0]) for n in asks if n != "0"]
    if not waiting or place.n in waiting:
        return place.n or len(case.data.get("events") or [])
    return waiting[0]


def _about(table: TableFile) -> str:
    """A mark of what the table is about: similar rulings are looked up again only when it changes."""
    return f"{crc32(repr([sorted(part) for part in subject_of(table)]).encode()):x}"


def _asks(ruling: RulingJson) -> dict[str, list[str]]:
    asks: dict[str, list[str]] = {}
    for ask in ruling.get("asks") or []:
        asks.setdefault(str(ask["event"]), []).append(ask["says"])
    return asks

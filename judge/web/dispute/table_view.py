"""What the page of a table being entered shows, from its draft and from what is open on the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from flask import url_for

from judge.core.games import DICE_FORGE, DICE_THRONE
from judge.core.messages import Lang
from judge.services.dispute.case import Case
from judge.services.dispute.drafts import Draft
from judge.services.dispute.entering import player_ids
from judge.services.dispute.kept_rulings import subject_of
from judge.web.dispute.chips import as_value
from judge.web.dispute.forge_view import forge
from judge.web.dispute.lines import Ruled, answer, faults, lines
from judge.web.dispute.place import Place, form_fields, links
from judge.web.dispute.spoken import spoken
from judge.web.dispute.throne_view import throne


@dataclass(frozen=True, slots=True)
class Desk:
    """How the page shows a table of one game: what it works out, and the templates that draw it."""

    view: Callable[[Case, Place, str, Lang], dict[str, Any]]
    players: str
    offers: str


_DESKS = {
    DICE_THRONE: Desk(throne, "dispute/parts/_throne_players.html", "dispute/parts/_throne_offers.html"),
    DICE_FORGE: Desk(forge, "dispute/parts/_forge_players.html", "dispute/parts/_forge_offers.html"),
}


def view(draft: Draft, case: Case, token: str, place: Place, lang: Lang) -> dict[str, Any]:
    table, ruling, words = case.data, case.said(lang), spoken(lang)
    ids, address = player_ids(table), url_for("rule.page", token=token)
    who, desk = ids[place.p - 1], _DESKS[case.game.id]
    return {
        "draft": draft, "token": token, "table": table, "ruling": ruling, "place": place,
        "who": who, "ids": ids, "game": case.game, "asks": _asks(ruling), "lines": lines(table, ruling, lang),
        "answer": answer(ruling), "faults": faults(ruling), "address": address, "at": links(address, place),
        "words": words, "_": words.text, "about": _about(table), "as_value": as_value, **form_fields(place),
        "desk": desk, **desk.view(case, place, who, lang),
    }  # fmt: skip


def _about(table: dict[str, Any]) -> str:
    """Changes when what the table is about does: only then are similar rulings looked up again."""
    return f"{crc32(repr([sorted(part) for part in subject_of(table)]).encode()):x}"


def _asks(ruling: Ruled) -> dict[str, list[str]]:
    asks: dict[str, list[str]] = {}
    for ask in ruling.get("asks") or []:
        asks.setdefault(str(ask["event"]), []).append(ask["says"])
    return asks

"""Follows a whole game event by event: boards, phases, back and forth, "what if that was illegal", and the
changes that put the table right.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, render_template, request

from judge.core.errors import InputError
from judge.core.games import DICE_THRONE
from judge.core.json_types import TableFile
from judge.schemas.dice_forge.catalog import catalog
from judge.schemas.dice_throne.shipped import every_status
from judge.schemas.shape import whole
from judge.services.dispute.case import Case
from judge.services.dispute.find_by_name import Things, named
from judge.services.dispute.follow import Moment, follow, mend
from judge.services.dispute.repair import Repair
from judge.services.rulebook.heroes import hero_name
from judge.web.dispute import repair_form
from judge.web.dispute import words as rule_words
from judge.web.dispute.lines import lines, thing_name
from judge.web.dispute.table.entering import find_draft
from judge.web.dispute.table.forge_view import named_things
from judge.web.dispute.words import forge_name, status_name
from judge.web.frame.forms import say
from judge.web.frame.preferences import language

game = Blueprint("game", __name__)


@game.get("/rule/<token>/game")
def page(token: str) -> Response:
    draft, lang = find_draft(token), language()
    case = Case(draft.table)
    table, things = case.data, Things(case.data.get("catalogue"))
    moment = follow(case, request.args.get("after", type=whole), lang)
    illegal = request.args.get("illegal", type=whole)
    repaired, faults = _repaired(case, moment, illegal)
    html = render_template(
        "dispute/game.html",
        draft=draft,
        game=case.game,
        token=token,
        table=table,
        moment=moment,
        lines=lines(table, case.said(lang), lang),
        heroes=_heroes(table),
        phases=rule_words.PHASES,
        illegal=illegal,
        repaired=repaired,
        faults=faults,
        words=rule_words,
        token_name=lambda token: forge_name(token, lang) or status_name(token, lang),
        face_name=lambda face: forge_name(str(face), lang) or str(face),
        thing=lambda thing: thing_name(thing, things, lang),
        level=_level,
        entered=request.args,
        parts=repair_form.parts(case, moment, lang),
        all_tokens=sorted(named(status, lang) for status in every_status().values()),
        all_faces=named_things("faces", catalog().faces, lang) if not case.game.has_heroes else {},
        all_feats=named_things("feats", catalog().feats, lang) if not case.game.has_heroes else {},
        islands=repair_form.ISLANDS,
    )
    response = make_response(html, 422 if faults else 200)
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _heroes(table: TableFile) -> dict[str, str]:
    seats = {str(seat["id"]): seat.get("hero") or "" for seat in table["players"]}
    return {who: hero_name(DICE_THRONE, hero, language()) if hero else "" for who, hero in seats.items()}


def _level(upgrade: Any) -> str:
    """An upgrade's level as it is printed."""
    number = upgrade.get("level", 2) if isinstance(upgrade, dict) else upgrade
    return "I" * int(number) if isinstance(number, int) else str(number)


def _repaired(case: Case, moment: Moment, illegal: int | None) -> tuple[Repair | None, list[str]]:
    """The changes the table needs, if any were asked for; or the faults of what was entered."""
    try:
        shows = repair_form.shown(case, moment, request.args)
        if shows is None and not (illegal and illegal <= moment.after):
            return None, []
        repair = mend(case, moment.after, language(), illegal=illegal if shows is None else None, shows=shows)
    except InputError as error:
        return None, [f"{problem.path}: {say(problem.message)}" for problem in error.problems]
    return repair, []

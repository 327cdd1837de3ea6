"""A ruling for its readers: what every page of one shows, in one language or two, and the page in large
letters for the players. A signed link shows them a table that is being entered; it cannot be changed
through it.
"""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request

from judge.core.errors import InputError
from judge.core.json_types import JsonObject, TableFile
from judge.core.messages import LANGS, Lang
from judge.rules.ruling_json import RulingJson
from judge.services.dispute.case import Case
from judge.services.dispute.drafts import get_draft_numbered
from judge.web.accounts.access import read_link
from judge.web.dispute import words as rule_words
from judge.web.dispute.lines import answer, faults
from judge.web.dispute.ruling.answer_box import boxes
from judge.web.dispute.ruling.changed import changed
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import session

shown = Blueprint("shown", __name__)
SHOWN = "shown"  # the kind of link


@shown.after_request
def _not_for_search_engines(response: Response) -> Response:
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    response.headers["Cache-Control"] = "no-store"  # it follows the table
    return response


@shown.get("/shown/<token>")
def page(token: str) -> str:
    """The answer so far, for whoever scanned the code on the judge's phone."""
    draft = get_draft_numbered(session(), read_link(SHOWN, token)[0])
    case = Case(draft.table)
    rulings = {lang: case.said(lang) for lang in languages()}
    return shown_large(case.data, rulings, draft.title or str(case.data.get("title") or ""), case=case)


def shown_large(
    table: TableFile,
    rulings: dict[Lang, RulingJson],
    title: str,
    address: str = "",
    case: Case | None = None,
) -> str:
    """The answer in large letters, upright or turned; `address` is the judge's page to go back to."""
    turned = request.args.get("show") == "turned"
    second = request.args.get("second", "")

    def here_shown(is_turned: bool) -> str:
        values = {"show": "turned" if is_turned else "1", **({"second": second} if second else {})}
        return f"{address or request.path}?{urlencode(values)}"

    return render_template(
        "dispute/show.html",
        **ruling_variables(table, rulings, case),
        title=title,
        turned=turned,
        here_shown=here_shown,
        back=address,
        note="" if address else gettext("The table is still being entered: the answer may change."),
    )


def languages() -> list[Lang]:
    """The reader's language, and a second one beside it if asked for."""
    second = request.args.get("second")
    return list(dict.fromkeys([language(), *(lang for lang in LANGS if lang == second)]))


def ruling_variables(
    table: TableFile, rulings: dict[Lang, RulingJson], case: Case | None = None
) -> JsonObject:
    """The template variables of a ruling, in one language or two; `case` if the table has been read."""
    ruling = rulings[language()]
    return {
        "table": table,
        "ruling": ruling,
        "rulings": rulings,
        "answer": answer(ruling),
        "boxes": boxes(table, rulings),
        "changed": changed(lambda: _beginning(case or Case(table)), ruling, language()),
        "faults": faults(ruling),
        "shows_glory": any("glory" in player for player in ruling["players"].values()),
        "ids": [str(p["id"]) for p in table["players"]],
        "words": rule_words,
        "second": next((lang for lang in rulings if lang != language()), None),
    }


def _beginning(case: Case) -> JsonObject:
    """The players before the first event; nothing of a kept table that today's reader refuses."""
    try:
        return {who: player.as_json() for who, player in case.beginning.items()}
    except InputError:
        return {}

"""Pages on which players report results, without an account: by the table's code or their private link."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from flask import Blueprint, Response, flash, render_template, request
from flask import session as cookie

from judge.core.errors import Refused
from judge.core.json_types import JsonObject
from judge.services.event.event_view import EventView, MatchView
from judge.services.play import reports as service
from judge.services.play.outcomes import describe
from judge.services.play.results import Doubtful
from judge.web.frame.limits import within_limits
from judge.web.frame.links import redirect
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import roll_back, session
from judge.web.log.undo_offer import spoken
from judge.web.play.outcome_form import ask_if_sure, is_sure, read_outcome
from judge.web.public.private_links import match_of, player_of

reporting = Blueprint("reporting", __name__)


@reporting.route("/table/<token>", methods=["GET", "POST"])
def table(token: str) -> Response | str:
    """The page of a table, where its players report the result."""
    event, match = match_of(token)
    side = request.values.get("side")
    side = side if side and side in service.SEATS[: len(match.seats)] else None
    return _page(event, match, side, f"/table/{token}")


@reporting.route("/me/<token>/report", methods=["GET", "POST"])
def mine(token: str) -> Response | str:
    event, player = player_of(token)
    match = service.match_to_report(session(), player)
    here = f"/me/{token}/report"
    if match is None or match.b_id is None:
        return render_template("play/report_none.html", event=event, back=f"/me/{token}")
    return _page(event, match, service.SEATS[match.seats.index(player.id)], here, back=f"/me/{token}")


def _page(
    event: EventView, match: MatchView, side: str | None, here: str, back: str | None = None
) -> Response | str:
    fault = ""
    if request.method == "POST" and request.form.get("result") and side:
        within_limits("report", here)
        try:
            return _report(event, match, side, here)
        except Doubtful as doubtful:
            return ask_if_sure(doubtful, here, here)
        except Refused as refused:
            roll_back()
            fault = " ".join(map(spoken, refused.reasons))
    return render_template(
        "play/report.html",
        **_variables(event, match.id, side),
        address=here,
        back=back,
        call=_call_address(here, side),
        fault=fault,
    )


def this_phone() -> str:
    """A random word that stays with this browser."""
    if "phone" not in cookie:
        cookie["phone"] = secrets.token_hex(6)
        cookie.permanent = True
    return str(cookie["phone"])


def _call_address(here: str, side: str | None) -> str:
    """The address at which the players of this page call a judge."""
    if here.startswith("/me/"):
        return here.removesuffix("/report") + "/call"
    return f"{here}/call" + (f"?side={side}" if side else "")


def _report(event: EventView, match: MatchView, side: str, here: str) -> Response:
    now = datetime.now(UTC)
    settled = service.report(
        session(),
        event,
        match.id,
        side,
        read_outcome(),
        now,
        is_sure=is_sure(),
        phone=this_phone(),
    ).result
    texts = {
        "settled": gettext("Thank you. The result is settled."),
        "waiting": gettext("Thank you. Your opponent still has to confirm it.")
        if not match.more
        else gettext("Thank you. One more of your table still has to confirm it."),
        "disputed": gettext("Your two reports differ. The staff has been told; a judge will come.")
        if not match.more
        else gettext("The reports of your table differ. The staff has been told; a judge will come."),
    }
    texts["one-phone"] = gettext(
        "Both reports come from this phone. Your opponent confirms on theirs, or the staff enters the result."
    )
    flash(texts[settled], "good" if settled in ("settled", "waiting") else "warn")
    return redirect(here if here.startswith("/me/") else f"{here}?side={side}")


def _variables(event: EventView, match_id: int, side: str | None) -> JsonObject:
    page = service.read_report_page(session(), event, match_id)
    names, counts = list(page.names.values()), page.rules.counts
    return {
        "event": event,
        "match": page.match,
        "round": page.round,
        "side": side,
        "names": page.names,
        "rules": page.rules,
        "settled": spoken(describe(names, page.outcome, counts)) if page.outcome else None,
        "said": {seat: spoken(describe(names, report, counts)) for seat, report in page.reports.items()},
        "theirs": next((report for seat, report in page.reports.items() if seat != side), None)
        if side
        else None,
    }

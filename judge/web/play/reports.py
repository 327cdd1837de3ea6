"""Players report for themselves, without an account: at the table's code or by their private link."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, flash, render_template, request
from flask_babel import gettext

from judge.core.errors import Refused
from judge.services.event.tournament_of import display_name
from judge.services.play import reports as service
from judge.services.play.outcomes import describe, house_rules, outcome_of
from judge.services.play.results import Doubtful, get_match
from judge.storage.events import Event, Match, Player
from judge.web.frame.links import redirect
from judge.web.frame.transaction import session
from judge.web.log.undo_offer import spoken
from judge.web.play.outcome_form import is_sure, kept_values, read_outcome
from judge.web.public.private_links import match_of, player_of

reporting = Blueprint("reporting", __name__)


@reporting.route("/table/<token>", methods=["GET", "POST"])
def table(token: str) -> Response | str:
    """The table's own page: say who you are, and how it ended."""
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


def _page(event: Event, match: Match, side: str | None, here: str, back: str | None = None) -> Response | str:
    fault = ""
    if request.method == "POST" and request.form.get("result") and side:
        try:
            return _report(event, match, side, here)
        except Doubtful as doubtful:
            return _ask(doubtful, here)
        except Refused as refused:
            session().rollback()
            fault = " ".join(map(spoken, refused.reasons))
    return render_template(
        "play/report.html",
        **_given(event, match.id or 0, side),
        address=here,
        back=back,
        call=_call_address(here, side),
        fault=fault,
    )


def _call_address(here: str, side: str | None) -> str:
    """Where this page's players call a judge."""
    if here.startswith("/me/"):
        return here.removesuffix("/report") + "/call"
    return f"{here}/call" + (f"?side={side}" if side else "")


def _report(event: Event, match: Match, side: str, here: str) -> Response:
    now = datetime.now(UTC)
    settled = service.report(
        session(),
        event,
        match.id or 0,
        side,
        read_outcome(),
        now,
        is_sure=is_sure(),
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
    flash(texts[settled], "good" if settled != "disputed" else "warn")
    return redirect(here if here.startswith("/me/") else f"{here}?side={side}")


def _ask(doubtful: Refused, here: str) -> str:
    return render_template(
        "frame/confirm.html",
        title=gettext("Is that right?"),
        text=" ".join(map(spoken, doubtful.reasons)),
        action=here,
        yes=gettext("Yes, it is meant"),
        back=here,
        kept=kept_values(),
    )


def _given(event: Event, match_id: int, side: str | None) -> dict[str, Any]:
    match, round_ = get_match(session(), event, match_id)
    seated = (session().get(Player, p) for p in match.seats)
    names = {s: display_name(p) for s, p in zip(service.SEATS, seated, strict=False) if p}
    rules, outcome = house_rules(event, round_.stage), outcome_of(match)
    said = {s: service.report_of(match.reports, s) for s in names}
    everybody = list(names.values())
    return {
        "event": event,
        "match": match,
        "round": round_,
        "side": side,
        "names": names,
        "rules": rules,
        "settled": spoken(describe(everybody, outcome, rules.counts)) if outcome else None,
        "said": {s: spoken(describe(everybody, o, rules.counts)) for s, o in said.items() if o},
        "theirs": next((o for s, o in said.items() if o and s != side), None) if side else None,
    }

"""Rulings as the staff sees them: lists with search, precedents, appeals and their outcome, export."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response, abort, render_template, request, url_for
from flask_babel import gettext

from judge.schemas.shape import whole
from judge.services.dispute import drafts as table_drafts
from judge.services.dispute import kept_rulings as service
from judge.services.log.changes import hold
from judge.storage.events import Event
from judge.storage.rulings import KeptRuling
from judge.web.accounts.access import actor, current_account, link_token, needs, signed_in
from judge.web.dispute import words as rule_words
from judge.web.dispute.ruling_page import _yaml, find_kept, my_events, told
from judge.web.frame.links import redirect
from judge.web.frame.transaction import session
from judge.web.log.undo_offer import done

rulings = Blueprint("rulings", __name__)


@rulings.get("/rulings")
@signed_in
def mine() -> str:
    """Everything this judge may look up: rulings of all their events, and their own."""
    account = current_account()
    assert account is not None
    typed = request.args.get("q", "")[:80]
    rows = service.search(session(), my_events(), account.id, typed)
    return render_template(
        "dispute/rulings.html", rows=[told(row) for row in rows], typed=typed, words=rule_words
    )


@rulings.get("/e/<slug>/desk/rulings")
@needs("rule")
def index(event: Event) -> str:
    typed = request.args.get("q", "")[:80]
    rows = service.search(session(), [event.id or 0], None, typed)
    drafts = [
        (link_token("draft", draft.id or 0), draft.title or " – ".join(_ids(draft)), draft)
        for draft in table_drafts.drafts_of(session(), event)
    ]
    return render_template(
        "dispute/event_rulings.html", event=event, rows=[told(row) for row in rows], typed=typed,
        drafts=drafts, words=rule_words,
    )  # fmt: skip


def _ids(draft: object) -> list[str]:
    return [str(player["id"]) for player in table_drafts.table_of(draft)["players"]]  # type: ignore[arg-type]


@rulings.get("/e/<slug>/desk/rulings.yaml")
@needs("rule")
def export(event: Event) -> Response:
    rows = service.search(session(), [event.id or 0], None)
    return _yaml(service.as_cases(rows), f"{event.slug}-rulings.yaml")


def _own(event: Event, key: str) -> KeptRuling:
    hold(session(), event)
    row = find_kept(key)
    if row.event_id != event.id:
        abort(404)
    return row


def _back(key: str) -> Response:
    return redirect(url_for("kept.show", key=key), 303)


@rulings.post("/e/<slug>/desk/rulings/<key>/appeal")
@needs("rule")
def appeal(event: Event, key: str) -> Response:
    form = request.form
    row = _own(event, key)
    by = form.get("by", "").strip() or ", ".join(row.players)
    why, now = form.get("why", "").strip(), datetime.now(UTC)
    change = service.appeal(session(), event, actor(), row, by, why, now)
    done(event, change, gettext("The appeal is recorded."))
    return _back(key)


@rulings.post("/e/<slug>/desk/rulings/<key>/decide")
@needs("decide-appeal")
def decide(event: Event, key: str) -> Response:
    form = request.form
    outcome, why = form.get("outcome", ""), form.get("why", "").strip()
    row, now = _own(event, key), datetime.now(UTC)
    change = service.decide(session(), event, actor(), row, outcome, why, now)
    done(event, change, gettext("The appeal is decided."))
    return _back(key)


@rulings.post("/e/<slug>/desk/rulings/<key>/precedent")
@needs("decide-appeal")
def precedent(event: Event, key: str) -> Response:
    is_one = request.form.get("precedent") == "yes"
    row = _own(event, key)
    version = request.form.get("version", row.version, type=whole)
    change = service.mark_precedent(session(), event, actor(), row, is_one, version)
    text = gettext("Marked as a precedent.") if is_one else gettext("No longer a precedent.")
    done(event, change, text)
    return _back(key)

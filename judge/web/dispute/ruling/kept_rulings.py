"""Pages of kept rulings for the staff: lists with search, precedents, appeals, export."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response, render_template, request, url_for

from judge.schemas.shape import whole
from judge.services.dispute import drafts as table_drafts
from judge.services.dispute import kept_rulings as service
from judge.services.event.event_view import EventView
from judge.web.accounts.access import actor, current_account, needs
from judge.web.dispute import words as rule_words
from judge.web.dispute.ruling.ruling_page import _yaml, kept_here, kept_line, my_events
from judge.web.dispute.table.entering import recent_line
from judge.web.frame.links import redirect
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import session
from judge.web.log.undo_offer import done

rulings = Blueprint("rulings", __name__)


@rulings.get("/rulings")
def mine() -> str:
    """Rulings this reader may see: those of all their events, their own, and those kept in this browser."""
    account = current_account()
    typed = request.args.get("q", "")[:80]
    number = account.id if account else None
    rows = service.search(session(), my_events(), number, typed, kept_here())
    return render_template(
        "dispute/rulings.html", rows=[kept_line(row) for row in rows], typed=typed, words=rule_words
    )


@rulings.get("/e/<slug>/desk/rulings")
@needs("rule")
def index(event: EventView) -> str:
    typed = request.args.get("q", "")[:80]
    rows = service.search(session(), [event.id], None, typed)
    drafts = [recent_line(draft, draft.title) for draft in table_drafts.drafts_of(session(), event)]
    return render_template(
        "dispute/event_rulings.html", event=event, rows=[kept_line(row) for row in rows], typed=typed,
        drafts=drafts, words=rule_words,
    )  # fmt: skip


@rulings.get("/e/<slug>/desk/rulings.yaml")
@needs("rule")
def export(event: EventView) -> Response:
    rows = service.search(session(), [event.id], None)
    return _yaml(service.as_cases(rows), f"{event.slug}-rulings.yaml")


def _back(key: str) -> Response:
    return redirect(url_for("kept.show", key=key), 303)


@rulings.post("/e/<slug>/desk/rulings/<key>/appeal")
@needs("rule")
def appeal(event: EventView, key: str) -> Response:
    form = request.form
    by, why = form.get("by", "").strip(), form.get("why", "").strip()
    change = service.appeal(session(), event, actor(), key, by, why, datetime.now(UTC))
    done(event, change, gettext("The appeal is recorded."))
    return _back(key)


@rulings.post("/e/<slug>/desk/rulings/<key>/decide")
@needs("decide-appeal")
def decide(event: EventView, key: str) -> Response:
    form = request.form
    outcome, why = form.get("outcome", ""), form.get("why", "").strip()
    change = service.decide(session(), event, actor(), key, outcome, why, datetime.now(UTC))
    done(event, change, gettext("The appeal is decided."))
    return _back(key)


@rulings.post("/e/<slug>/desk/rulings/<key>/precedent")
@needs("decide-appeal")
def precedent(event: EventView, key: str) -> Response:
    is_precedent = request.form.get("precedent") == "yes"
    version = request.form.get("version", type=whole)
    change = service.mark_precedent(session(), event, actor(), key, is_precedent, version)
    text = gettext("Marked as a precedent.") if is_precedent else gettext("No longer a precedent.")
    done(event, change, text)
    return _back(key)

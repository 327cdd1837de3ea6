"""The page of a ruling, either of a table that is being entered or a kept one, which never changes. Also
keeping a ruling, and its files.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from flask import Blueprint, Response, abort, g, render_template, request, url_for
from flask import session as cookie

from judge.core.errors import InputError, Refused
from judge.core.json_types import JsonObject, TableFile
from judge.core.messages import Lang, Message, Phrasebook
from judge.printing.page import Sheet
from judge.printing.ruling import ruling_pdf
from judge.rules.expectations import Difference
from judge.rules.ruling_json import EventJson, RulingJson
from judge.schemas.shape import whole
from judge.services.accounts.accounts import role_of
from judge.services.accounts.roles import may
from judge.services.dispute import kept_rulings as service
from judge.services.dispute.case import Case
from judge.services.dispute.drafts import minutes_so_far
from judge.services.dispute.table_files import as_yaml
from judge.services.event.event_view import get_event_numbered
from judge.services.log.changes import Actor
from judge.services.rulebook.answers import MOST_OFFERED, AnswerView, touching, view
from judge.services.rulebook.own_answers import answers_of
from judge.web.accounts.access import current_account, link_token, to_sign_in
from judge.web.dispute.lines import Answer, answer, faults
from judge.web.dispute.ruling.books_differ import under_each_book
from judge.web.dispute.ruling.shown import SHOWN, languages, ruling_variables, shown_large
from judge.web.dispute.table.entering import begun, find_draft
from judge.web.frame.errors import phrasebook
from judge.web.frame.limits import within_limits
from judge.web.frame.links import absolute_url, redirect, url_for_phones
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import session
from judge.web.log.undo_offer import moment

kept = Blueprint("kept", __name__)
MOST_KEPT_HERE = 20


@kept.after_request
def _not_for_search_engines(response: Response) -> Response:
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


# -- while it is being entered ------------------------------------------------------------------------------


@kept.get("/rule/<token>/ruling")
def live(token: str) -> str:
    draft = find_draft(token)
    case = Case(draft.table)
    table, rulings = case.data, {lang: case.said(lang) for lang in languages()}
    if "show" in request.args:
        return shown_large(table, rulings, draft.title, url_for("kept.live", token=token), case)
    event = get_event_numbered(session(), draft.event_id) if draft.event_id else None
    account = current_account()
    return render_template(
        "dispute/ruling.html",
        **ruling_variables(table, rulings, case),
        editions=under_each_book(case),
        link=absolute_url("shown.page", token=link_token(SHOWN, draft.id)),
        token=token,
        address=url_for("rule.page", token=token),
        title=draft.title or table.get("title") or "",
        similar=_similar(table),
        answers=answers_about(table, draft.event_id),
        minutes=minutes_so_far(session(), draft, datetime.now(UTC)),
        event=event,
        may_keep=event is None or may(role_of(session(), event, account), "rule"),
    )


@kept.get("/rule/<token>/similar")
def similar(token: str) -> str:
    """Earlier rulings on the same things. The page of the table asks for them once the taps have paused, so
    that no tap waits; without JavaScript they are a page of their own."""
    draft = find_draft(token)
    is_part = "HX-Request" in request.headers
    template = "dispute/ruling/_similar.html" if is_part else "dispute/similar.html"
    return render_template(
        template,
        similar=_similar(draft.table),
        answers=answers_about(draft.table, draft.event_id),
        token=token,
    )


def answers_about(table: TableFile, event_id: int | None) -> list[AnswerView]:
    """Answers about the heroes, cards and tokens on a table: those of its event first."""
    event = get_event_numbered(session(), event_id) if event_id else None
    own = answers_of(session(), event) if event is not None else []
    near = [*touching(table, own), *touching(table)][:MOST_OFFERED]
    return [view(answer, language(), event.slug if event and answer in own else "") for answer in near]


def _similar(table: TableFile) -> list[service.Similar]:
    account = current_account()
    if account is None:
        return []
    return service.similar(session(), my_events(), account.id, table)


@kept.get("/rule/<token>/ruling.pdf")
def live_sheet(token: str) -> Response:
    draft = find_draft(token)
    case = Case(draft.table)
    pairs = [(case.said(lang), case.phrases(lang)) for lang in languages()]
    return _sheet(pairs, draft.title or case.data.get("title") or "", "", "ruling.pdf")


def _sheet(pairs: list[tuple[RulingJson, Phrasebook]], title: str, url: str, name: str) -> Response:
    data = ruling_pdf(Sheet(title, printed_at=moment(datetime.now(UTC)), url=url), pairs)
    response = Response(data, mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response


@kept.post("/rule/<token>/keep")
def keep(token: str) -> Response:
    """Store the ruling. Only those who may rule at an event keep rulings of its tables.

    Any other ruling is kept under the account's name, or under a name that is shown as not signed in: nobody
    passes for a judge.
    """
    draft = find_draft(token)
    case = Case(draft.table)
    account = current_account()
    event = get_event_numbered(session(), draft.event_id) if draft.event_id else None
    if event is not None:
        if account is None:
            return to_sign_in()
        if not may(role_of(session(), event, account), "rule"):
            abort(403)
    name = account.name if account else " ".join(request.form.get("ruled_by", "").split())
    if not name:
        raise Refused(Message("ruling_needs_name"))
    if account is None:
        within_limits("ruling")
    change = service.keep(
        session(),
        case,
        datetime.now(UTC),
        actor=Actor(name, account.id if account else None),
        event=event,
        match_id=draft.match_id,
        title=request.form.get("title", "").strip() or draft.title or str(case.data.get("title") or ""),
        minutes=request.form.get("minutes", 0, type=whole) or 0,
    )
    if account is None:
        cookie["rulings"] = [change.result.key, *kept_here()][:MOST_KEPT_HERE]
        cookie.permanent = True
    return redirect(url_for("kept.show", key=change.result.key), 303)


def kept_here() -> list[str]:
    """The keys of the rulings that this browser kept without an account."""
    keys = cookie.get("rulings")
    return [key for key in keys if isinstance(key, str)] if isinstance(keys, list) else []


# -- kept ---------------------------------------------------------------------------------------------------


def find_kept(key: str) -> service.Kept:
    """The ruling of this link, or 404."""
    return service.get_kept(session(), key)


def _rulings(row: service.Kept) -> dict[Lang, RulingJson]:
    return {lang: row.rulings[lang] for lang in languages()}


@kept.get("/r/<key>")
def show(key: str) -> str:
    row = find_kept(key)
    if "show" in request.args:
        return shown_large(row.table, _rulings(row), row.title, url_for("kept.show", key=key))
    event = get_event_numbered(session(), row.event_id) if row.event_id else None
    g.role = role_of(session(), event, current_account()) if event else None
    today, refused = _ruled_today(row) if "again" in request.args else (None, [])
    return render_template(
        "dispute/kept.html",
        **ruling_variables(row.table, _rulings(row)),
        kept=row,
        event=event,
        again=today,
        refused=refused,
        now_answer=answer(today[0]) if today else None,
        link=absolute_url("kept.show", key=row.key),
        title=row.title,
    )


def _ruled_today(row: service.Kept) -> tuple[tuple[RulingJson, list[Difference]] | None, list[str]]:
    """The ruling by today's rules, or why today's rules cannot read its table."""
    try:
        return service.rule_again(row, language()), []
    except InputError as error:
        book = phrasebook()
        return None, [f"{problem.path}: {book.say(problem.message)}" for problem in error.problems[:5]]


@kept.get("/r/<key>/table.yaml")
def table_yaml(key: str) -> Response:
    """The table as a case that expects what was ruled."""
    return _yaml(service.as_cases([find_kept(key)]), f"ruling-{key}.yaml")


def _yaml(tree: JsonObject, name: str) -> Response:
    response = Response(as_yaml(tree), mimetype="application/yaml")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@kept.get("/r/<key>/sheet.pdf")
def sheet(key: str) -> Response:
    row = find_kept(key)
    link = url_for_phones("kept.show", key=row.key)
    pairs = [(ruling, service.phrases(row, lang)) for lang, ruling in _rulings(row).items()]
    return _sheet(pairs, row.title, link, f"ruling-{key}.pdf")


@kept.post("/r/<key>/enter")
def enter_again(key: str) -> Response:
    """Begin a new table from this one."""
    row = find_kept(key)
    return begun({k: v for k, v in row.table.items() if k != "expect"})


def my_events() -> list[int]:
    """The events on whose staff the reader is."""
    account = current_account()
    return service.events_of(session(), account.id) if account and account.id else []


@dataclass(frozen=True, slots=True)
class KeptLine:
    """A kept ruling as a line of a list."""

    key: str
    title: str
    answer: list[Answer]
    faults: list[EventJson]
    is_precedent: bool
    appeal: service.Appeal | None
    by: str
    at: datetime
    place: str


def kept_line(kept: service.Kept) -> KeptLine:
    ruling = kept.rulings[language()]
    place = gettext("round %(round)s, table %(table)s", round=kept.round_no, table=kept.table_no)
    return KeptLine(
        kept.key,
        kept.title or " – ".join(kept.players),
        answer(ruling),
        faults(ruling),
        kept.is_precedent,
        kept.appeal,
        kept.ruled_by,
        kept.ruled_at,
        place if kept.round_no else "",
    )

"""Pages on which a judge enters a table with a phone. It starts empty, from a file or from a match; every tap
sends a form.

With JavaScript the part that changed is swapped in; without it the same form leads back to the page.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from zlib import crc32

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    make_response,
    render_template,
    request,
    url_for,
)
from flask import session as cookie

from judge.core.errors import InputError, fail
from judge.core.games import DICE_THRONE
from judge.core.json_types import TableFile
from judge.paths import STATIC
from judge.schemas.books import usual
from judge.schemas.files import parse
from judge.services.accounts.accounts import role_of
from judge.services.accounts.roles import may
from judge.services.dispute import drafts as table_drafts
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.keeping import entry_to_keep
from judge.services.dispute.drafts import Draft, OpenDraft
from judge.services.dispute.entering import player_ids
from judge.services.dispute.new_table import table_of_match
from judge.services.dispute.rulings import tables_in
from judge.services.dispute.table_files import as_yaml, with_hero_ids
from judge.services.event.catalogue import remember_word, words_of
from judge.services.event.event_view import EventView, MatchView, get_event_numbered
from judge.services.rulebook.heroes import HeroLine, hero_groups, known_heroes
from judge.web.accounts.access import actor, current_account, needs
from judge.web.dispute.lines import Line
from judge.web.dispute.table.folds import SHOWN
from judge.web.dispute.table.new_table import table_from_form
from judge.web.dispute.table.place import Place, mark_of, moved, place_now
from judge.web.dispute.table.something_else import event_from, word_for
from judge.web.dispute.table.table_actions import act, would_be
from judge.web.dispute.table.table_view import DESKS, view
from judge.web.dispute.words import MODES, editions
from judge.web.frame.errors import phrasebook
from judge.web.frame.limits import within_limits
from judge.web.frame.links import redirect
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import roll_back, session
from judge.web.log.undo_offer import moment

rule = Blueprint("rule", __name__)
REMEMBERED = 8
RECENT_HEROES = 6


@rule.after_request
def _not_for_search_engines(response: Response) -> Response:
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


# -- beginning ----------------------------------------------------------------------------------------------


@rule.get("/rule")
def start() -> str:
    return _start_page()


def _start_page(problems: list[dict[str, str]] | None = None) -> str:
    account = current_account()
    drafts = table_drafts.recent(session(), account.id if account else None, _remembered())
    return render_template(
        "dispute/start.html",
        groups=hero_groups(DICE_THRONE, language()),
        recent_heroes=_recent_heroes(drafts),
        editions=editions(DICE_THRONE),
        usual_book=usual(DICE_THRONE, language()).id,
        modes=MODES,
        recent=[recent_line(draft, draft.title or str(draft.table.get("title") or "")) for draft in drafts],
        problems=problems or [],
    )


def _recent_heroes(drafts: Sequence[Draft]) -> list[HeroLine]:
    """The heroes of the last tables, newest first."""
    seats = [seat for draft in drafts for seat in draft.table.get("players") or []]
    heroes = [str(seat.get("hero") or "") for seat in seats if isinstance(seat, dict)]
    return known_heroes(DICE_THRONE, heroes, language())[:RECENT_HEROES]


@dataclass(frozen=True, slots=True)
class Recent:
    """A table being entered, as a line of a list."""

    token: str
    title: str
    count: int
    at: datetime
    is_pinned: bool


def recent_line(draft: Draft, title: str) -> Recent:
    """The draft as a line named by its title, or by its players if it has none."""
    title = title or " – ".join(player_ids(draft.table))
    count = len(draft.table.get("events") or [])
    return Recent(draft.token, title, count, draft.changed_at, draft.is_pinned)


@rule.post("/rule")
def begin() -> Response | tuple[str, int]:
    try:
        table = table_from_form(request.form, language())
        return begun(table)
    except InputError as error:
        return _start_page(_problems(error)), 422


@rule.post("/rule/open")
def open_file() -> Response | tuple[str, int]:
    """Begin a table from a file that was uploaded or pasted."""
    upload = request.files.get("upload")
    data = upload.read() if upload else b""
    try:
        tables = [table for _, table in tables_in(parse(data or request.form.get("file", "").encode()))]
        if not tables or not isinstance(tables[0], dict):
            raise fail("", "expected_mapping")
        return begun(with_hero_ids({key: value for key, value in tables[0].items() if key != "expect"}))
    except InputError as error:
        return _start_page(_problems(error)), 422


@rule.post("/e/<slug>/desk/matches/<int:match_id>/rule")
@needs("rule")
def begin_from_match(event: EventView, match_id: int) -> Response:
    table, match = table_of_match(session(), event, match_id, language())
    return begun(table, event, match)


def begun(table: TableFile, event: EventView | None = None, match: MatchView | None = None) -> Response:
    account = current_account()
    if account is None:
        table_drafts.check_draft_size(table)
        Case(table).check()  # before the count, which others would have to wait for
        within_limits("table")
    draft = table_drafts.begin(
        session(),
        table,
        datetime.now(UTC),
        account_id=account.id if account else None,
        event=event,
        match=match,
        title=str(table.get("title") or ""),
    )
    cookie["tables"] = [draft.token, *(token for token in _remembered() if token != draft.token)][:REMEMBERED]
    cookie.permanent = True
    return redirect(url_for("rule.page", token=draft.token), 303)


def _remembered() -> list[str]:
    """The links of the last tables begun in this browser."""
    tokens = cookie.get("tables")
    return [token for token in tokens if isinstance(token, str)] if isinstance(tokens, list) else []


def _problems(error: InputError) -> list[dict[str, str]]:
    book = phrasebook()
    return [{"path": p.path, "says": book.say(p.message)} for p in error.problems[:5]]


# -- entering -----------------------------------------------------------------------------------------------


def find_draft(token: str) -> Draft:
    """The table of this link, or 404."""
    return table_drafts.get_draft(session(), token)


@rule.get("/rule/<token>")
def page(token: str) -> Response:
    started = time.perf_counter()
    draft = find_draft(token)
    case = Case(draft.table)
    if case.game.id not in DESKS:
        return redirect(url_for("kept.live", token=token))
    return _shown(draft, case, token, _place(case), started)


@rule.get("/rule/<token>/find")
def find(token: str) -> str:
    """The things whose names match the letters typed so far."""
    draft = find_draft(token)
    case = Case(draft.table)
    return render_template("dispute/table/_found.html", **view(draft, case, token, _place(case), language()))


def _place(case: Case) -> Place:
    return place_now(len(case.data["players"]), len(case.data.get("events") or []))


@rule.post("/rule/<token>")
def change(token: str) -> Response:
    """Apply one tap. Refused input changes nothing; the page says why."""
    started = time.perf_counter()
    draft = OpenDraft(session(), token)
    if not _may_change(draft.shown):
        abort(403)
    shown, case = draft.shown, Case(draft.shown.table)
    place, status, fault = _place(case), 200, ""
    if request.form.get("do") == "ask":
        return _asked_only(shown, case, token, place, started)
    try:
        case, place = _do(draft, case, place)
        shown = draft.shown
    except InputError as error:
        fault, status = " ".join(problem["says"] for problem in _problems(error)), 422
        roll_back()
    except Stale:
        fault, status = _what_changed(shown), 409
        roll_back()
        return _shown(shown, case, token, replace(place, n=0, before=0, open=""), started, fault, status)
    if _wants_part():
        return _shown(shown, case, token, place, started, fault, status)
    if fault:
        flash(fault, "error")
    if request.form.get("to") == "ruling":
        return redirect(url_for("kept.live", token=token), 303)
    anchor = "question" if case.ruling.asks else "now"
    return redirect(url_for("rule.page", token=token, **place.values(), _anchor=anchor), 303)


def _asked_only(draft: Draft, case: Case, token: str, place: Place, started: float) -> Response:
    """Show whether an event would be allowed now. Nothing is recorded."""
    try:
        tried, fault, status = would_be(case, request.form.get("event", ""), language()), "", 200
    except InputError as error:
        tried, fault, status = None, " ".join(problem["says"] for problem in _problems(error)), 422
    return _shown(draft, case, token, place, started, fault, status, tried)


def _what_changed(draft: Draft) -> str:
    """Why a tap in an old window did nothing, and what was typed there."""
    typed = request.form.get("raw") or request.form.get("event") or ""
    says = gettext(
        "Another window changed this table at %(time)s: the event you meant is not there any more. "
        "Nothing was changed now; below is the table as it is.",
        time=moment(draft.changed_at),
    )
    return f"{says} {gettext('What you entered: %(text)s', text=typed[:500])}" if typed else says


def _may_change(draft: Draft) -> bool:
    """Whoever has the link may change a table; one of an event needs the right to rule there today."""
    event = get_event_numbered(session(), draft.event_id) if draft.event_id else None
    return event is None or may(role_of(session(), event, current_account()), "rule")


def _do(draft: OpenDraft, case: Case, place: Place) -> tuple[Case, Place]:
    """Apply what was tapped; returns the case and the place on the page that follow."""
    now, form = datetime.now(UTC), request.form
    do, once = form.get("do"), form.get("once", "")[:40] or _mark_of_form()
    if draft.is_done(once):  # its answer was lost on the way: show its result
        return case, moved(place, case.data, before=0)
    if do in ("undo", "redo"):
        (draft.undo if do == "undo" else draft.redo)(now, once)
        return Case(draft.shown.table), Place(place.p)
    if do == "pin":
        draft.pin(once)
        return case, place
    if do == "title":
        draft.rename(form.get("title", draft.shown.title))
        return case, place
    place = _where_it_is(case, place)
    changes: dict[str, int | str] = {"n": place.n}
    if do == "keep":
        table = _kept_word(draft.shown, case, place.n)
    else:
        table, changes = act(case, place)
    if do == "something":
        table = _remembered_word(draft.shown, table)
    changed = case.changed_to(table)
    draft.change(changed, now, once)
    return changed, moved(place, table, **changes)


def _mark_of_form() -> str:
    """A mark of a form sent without JavaScript: the same from the same page load is the same tap."""
    load = request.form.get("load", "")[:16]
    sent = sorted((name, value) for name, value in request.form.items(multi=True) if name != "csrf_token")
    return f"{load}-{crc32(repr(sent).encode()):08x}" if load else ""


class Stale(Exception):
    """The event a form means is no longer there: another window changed the table."""


def _where_it_is(case: Case, place: Place) -> Place:
    """The place with the number that the event of the form has by now. Stale if it is gone."""
    was, events = request.form.get("was", ""), case.data.get("events") or []
    number = place.before or place.n
    if not was or (number and mark_of(events, number) == was):
        return place
    numbers = [k for k in range(1, len(events) + 1) if mark_of(events, k) == was]
    if len(numbers) != 1:
        raise Stale
    return replace(place, before=numbers[0]) if request.form.get("before") else replace(place, n=numbers[0])


def _remembered_word(draft: Draft, table: TableFile) -> TableFile:
    """Add what an event's judge entered by numbers to the event's catalogue; later it is offered by name."""
    event = get_event_numbered(session(), draft.event_id) if draft.event_id else None
    if event is None or not may(role_of(session(), event, current_account()), "rule"):
        return table
    entered = event_from(request.form, table)
    word = word_for(request.form, entered, language())
    if word is None:
        return table
    remember_word(session(), event, actor(), *word)
    return {**table, "catalogue": words_of(session(), event)}


def _kept_word(draft: Draft, case: Case, n: int) -> TableFile:
    """Keep what the judge said of a text known in part in the event's catalogue; the event uses it now."""
    event = get_event_numbered(session(), draft.event_id) if draft.event_id else None
    word = entry_to_keep(case, n)
    if event is None or word is None or not may(role_of(session(), event, current_account()), "rule"):
        abort(403)
    remember_word(session(), event, actor(), *word)
    return {**case.data, "catalogue": words_of(session(), event)}


def _wants_part() -> bool:
    return "HX-Request" in request.headers


def _shown(
    draft: Draft,
    case: Case,
    token: str,
    place: Place,
    started: float,
    fault: str = "",
    status: int = 200,
    tried: Line | None = None,
) -> Response:
    variables = view(draft, case, token, place, language())
    ruled = time.perf_counter()
    template = "dispute/table/_table.html" if _wants_part() else "dispute/table.html"
    response = make_response(render_template(template, fault=fault, tried=tried, **variables), status)
    drawn = time.perf_counter()
    response.headers["Server-Timing"] = (
        f"rule;dur={(ruled - started) * 1000:.2f}, draw;dur={(drawn - ruled) * 1000:.2f}"
    )
    response.headers["Cache-Control"] = "no-store"
    response.vary.update(("HX-Request", SHOWN, "Accept-Encoding"))
    return _zipped(response)


def _zipped(response: Response) -> Response:
    """Compress the answer to a tenth: a hall's network is slow, and every tap sends the part again."""
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response.set_data(gzip.compress(response.get_data(), compresslevel=4, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


# -- the file -----------------------------------------------------------------------------------------------


@rule.get("/rule/<token>/table.yaml")
def table_yaml(token: str) -> Response:
    return _download(as_yaml(find_draft(token).table), "application/yaml", "table.yaml")


@rule.get("/rule/<token>/table.json")
def table_json(token: str) -> Response:
    import json

    text = json.dumps(find_draft(token).table, ensure_ascii=False, indent=1)
    return _download(text, "application/json", "table.json")


def _download(text: str, kind: str, name: str) -> Response:
    response = Response(text, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


# -- without a network --------------------------------------------------------------------------------------


@rule.get("/sw.js")
def worker() -> Response:
    """The service worker; from here it may look after every page, not only static files."""
    response = Response((STATIC / "sw.js").read_bytes(), mimetype="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response


@rule.get("/offline")
def offline() -> str:
    """What a browser shows in place of a page that it cannot reach and has not kept."""
    return render_template("dispute/offline.html")

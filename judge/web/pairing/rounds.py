"""Pages of rounds: pair, check the draft, swap, publish, withdraw; the cut; the end of the event."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response, abort, flash, render_template, request, url_for

from judge.core.errors import Refused
from judge.schemas.shape import whole
from judge.services.boxes.lending import clashes, read_shelf
from judge.services.event.event_rows import read_rows
from judge.services.event.event_view import EventView
from judge.services.pairing import bracket_matches, last_minute
from judge.services.pairing import rounds as service
from judge.services.pairing.round_page import round_page, say
from judge.services.pairing.swaps import is_bracket, preview_swap, swap
from judge.services.pairing.table_numbers import set_table
from judge.web.accounts.access import actor, needs
from judge.web.frame.forms import stripped
from judge.web.frame.links import redirect
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import looking_aside, session
from judge.web.log.undo_offer import done, number_from_form, spoken

rounds = Blueprint("rounds", __name__)


@rounds.get("/e/<slug>/desk/rounds")
@needs("see-desk")
def current(event: EventView) -> Response | str:
    rows = read_rows(session(), event)
    if rows.last is None:
        return render_template("pairing/round_none.html", event=event, players=len(rows.players))
    return _to(event, rows.last.number)


@rounds.get("/e/<slug>/desk/rounds/<int:number>")
@needs("see-desk")
def show(event: EventView, number: int) -> str:
    rows = read_rows(session(), event)
    round_ = service.find_round(rows, number)
    if round_ is None:
        abort(404)
    return render_template(
        "pairing/round.html",
        event=event,
        page=round_page(rows, round_, language()),
        numbers=[(r.number, r.stage, r.state) for r in rows.rounds],
        next_number=service.next_number(rows),
        clashes=clashes(rows, round_, read_shelf(session(), event)) if round_.state == "draft" else [],
    )


@rounds.post("/e/<slug>/desk/rounds")
@needs("pair")
def pair(event: EventView) -> Response | str:
    number = number_from_form("number", 1)
    despite = bool(request.form.get("despite_missing"))
    try:
        plan = _plan(event, number, despite)
        paired = service.pair_next(session(), event, actor(), number, despite_missing=despite, plan=plan)
    except Refused as refused:
        if refused.reasons[0].key != "results_missing":
            raise
        return _ask_despite_missing(event, number, refused)
    number = paired.result.number
    flash(gettext("Round %(n)d is paired. It is a draft: nobody else sees it yet.", n=number), "good")
    return _to(event, number)


def _plan(event: EventView, number: int, despite: bool) -> service.Plan | None:
    """Pair without locking the event: hundreds of players take a while, and results keep coming in."""
    with looking_aside() as aside:
        planned = service.plan_next(aside, event, number, despite_missing=despite)
    return planned if isinstance(planned, service.Plan) else None


def _ask_despite_missing(event: EventView, number: int, refused: Refused) -> str:
    postponed = gettext(
        "The tables count as postponed: they can be entered later, and nobody there is paired again."
    )
    return render_template(
        "frame/confirm.html",
        title=gettext("Pair round %(n)d although results are missing?", n=number),
        text=" ".join([*map(spoken, refused.reasons), postponed]),
        action=url_for("rounds.pair", slug=event.slug),
        yes=gettext("Pair anyway"),
        back=url_for("results.entry", slug=event.slug),
        kept={"number": number, "despite_missing": 1},
        danger=True,
    )


@rounds.post("/e/<slug>/desk/cut")
@needs("pair")
def cut(event: EventView) -> Response:
    number, size = number_from_form("number"), request.form.get("size", None, type=whole)
    cut_round = service.start_stage(session(), event, actor(), number, size).result
    flash(gettext("The cut is drawn. It is a draft: nobody else sees it yet."), "good")
    return _to(event, cut_round.number)


@rounds.post("/e/<slug>/desk/rounds/<int:number>/again")
@needs("pair")
def again(event: EventView, number: int) -> Response:
    change = service.pair_again(session(), event, actor(), number, number_from_form("version"))
    done(event, change, gettext("Round %(n)d is paired again, with other lots.", n=number))
    return _to(event, number)


@rounds.post("/e/<slug>/desk/rounds/<int:number>/discard")
@needs("pair")
def discard(event: EventView, number: int) -> Response:
    change = service.discard(session(), event, actor(), number, number_from_form("version"))
    done(event, change, gettext("The draft of round %(n)d is discarded.", n=number))
    return redirect(url_for("desk.dashboard", slug=event.slug))


@rounds.post("/e/<slug>/desk/rounds/<int:number>/publish")
@needs("pair")
def publish(event: EventView, number: int) -> Response:
    service.publish(session(), event, actor(), number, number_from_form("version"), datetime.now(UTC))
    flash(gettext("Round %(n)d is published: players see their tables now.", n=number), "good")
    return _to(event, number)


@rounds.post("/e/<slug>/desk/rounds/<int:number>/unpublish")
@needs("pair")
def unpublish(event: EventView, number: int) -> Response:
    service.unpublish(session(), event, actor(), number, number_from_form("version"))
    flash(gettext("Round %(n)d is a draft again.", n=number), "good")
    return _to(event, number)


@rounds.get("/e/<slug>/desk/rounds/<int:number>/swap")
@needs("pair")
def swap_preview(event: EventView, number: int) -> str:
    first, second, version = (request.args.get(key, 0, type=whole) for key in ("one", "other", "version"))
    preview = preview_swap(session(), event, number, version, first, second)
    rows = read_rows(session(), event)
    round_ = service.find_round(rows, number)
    return render_template(
        "pairing/swap.html",
        event=event,
        number=number,
        version=version,
        one=first,
        other=second,
        names=rows.names,
        swap=preview,
        is_bracket=round_ is not None and is_bracket(rows, round_),
        is_public=round_ is not None and round_.state == "published",
        why=request.args.get("why", "")[:200],
        remarks=say(rows, preview.remarks, language()),
        faults=say(rows, preview.faults, language()),
    )


@rounds.post("/e/<slug>/desk/rounds/<int:number>/swap")
@needs("pair")
def swap_apply(event: EventView, number: int) -> Response:
    first, second, version = (number_from_form(key) for key in ("one", "other", "version"))
    change = swap(session(), event, actor(), number, version, first, second, _why())
    done(event, change, gettext("The two have changed places."))
    return _to(event, number)


def _why() -> str:
    return (stripped(request.form.get("why", "")) or "")[:200]


@rounds.post("/e/<slug>/desk/rounds/<int:number>/late")
@needs("pair")
def seat_late(event: EventView, number: int) -> Response:
    """A late player meets whoever has the bye, gets it, or takes the seat of somebody who left."""
    player, version = number_from_form("player"), number_from_form("version")
    leaver = request.form.get("leaver", type=whole)
    change = last_minute.seat_late(session(), event, actor(), number, version, player, leaver)
    done(event, change, spoken(change.result))
    return _to(event, number)


@rounds.post("/e/<slug>/desk/rounds/<int:number>/open-tables")
@needs("pair")
def pair_open_tables(event: EventView, number: int) -> Response | str:
    """Show what pairing some unplayed tables again would change, then do it."""
    tables = request.form.getlist("table", type=whole)
    version = number_from_form("version")
    if request.form.get("step") == "apply":
        change = last_minute.pair_unplayed(session(), event, actor(), number, version, tables, _why())
        done(event, change, gettext("The tables are paired again."))
        return _to(event, number)
    return render_template(
        "pairing/open_tables.html",
        event=event, number=number, version=version, tables=tables, why=_why(),
        is_public=_is_public(event, number),
        again=last_minute.preview_again(session(), event, number, version, tables),
    )  # fmt: skip


def _is_public(event: EventView, number: int) -> bool:
    round_ = service.find_round(read_rows(session(), event), number)
    return round_ is not None and round_.state == "published"


@rounds.post("/e/<slug>/desk/rounds/<int:number>/tables")
@needs("pair")
def move_table(event: EventView, number: int) -> Response:
    match_id, table, version = (number_from_form(key) for key in ("match", "table", "version"))
    change = set_table(session(), event, actor(), number, version, match_id, table, _why())
    if change.result is None:
        done(event, change, gettext("The match sits at table %(n)d now.", n=table))
    else:
        text = gettext("Tables %(a)d and %(b)d have changed places.", a=table, b=change.result)
        done(event, change, text)
    return _to(event, number)


@rounds.post("/e/<slug>/desk/bracket/<slot>/start")
@needs("pair")
def start_match(event: EventView, slot: str) -> Response:
    """Begin a match of the bracket while others of the round before still play."""
    change = bracket_matches.start_match(session(), event, actor(), slot, datetime.now(UTC))
    done(event, change, gettext("The match begins at table %(n)d.", n=change.result.table_no or 0))
    return redirect(url_for("desk.dashboard", slug=event.slug))


@rounds.post("/e/<slug>/desk/finish")
@needs("pair")
def finish(event: EventView) -> Response:
    change = service.finish(session(), event, actor())
    done(event, change, gettext("The event is finished. Thank you!"))
    return redirect(url_for("desk.dashboard", slug=event.slug))


@rounds.post("/e/<slug>/desk/reopen")
@needs("pair")
def reopen(event: EventView) -> Response:
    service.reopen(session(), event, actor())
    return redirect(url_for("desk.dashboard", slug=event.slug))


def _to(event: EventView, number: int) -> Response:
    return redirect(url_for("rounds.show", slug=event.slug, number=number))

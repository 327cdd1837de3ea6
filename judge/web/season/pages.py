"""Seasons: the public table with its paper and files, and the pages on which its owner changes it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from flask import Blueprint, Response, abort, flash, render_template, request, url_for
from wtforms import IntegerField, RadioField, StringField
from wtforms.validators import NumberRange, Optional

from judge.core.errors import InputError, Refused
from judge.core.json_types import JsonObject
from judge.schemas.shape import whole
from judge.services.paper.shapes import number_text
from judge.services.season import seasons as service
from judge.services.season.season_table import read_season_table, season_as_file, season_csv, season_pdf
from judge.web.accounts.access import actor, current_account, signed_in
from judge.web.frame.forms import (
    PageForm,
    add_fault,
    at_most,
    choices_of,
    is_sent,
    required_text,
    say,
    sent,
    stripped,
)
from judge.web.frame.links import redirect, url_for_phones
from judge.web.frame.preferences import language, short_moment
from judge.web.frame.texts import gettext, lazy_gettext
from judge.web.frame.transaction import roll_back, session
from judge.web.log.undo_offer import number_from_form, spoken

season = Blueprint("season", __name__)
KINDS = {
    "places": lazy_gettext("By place"),
    "results": lazy_gettext("By wins, draws and losses"),
}
FIELD_OF = {"points.places": "places", "points.taking_part": "taking_part", "best": "best", "name": "name"}
Answer = Response | str | tuple[str, int]


class SeasonForm(PageForm):
    name = StringField(
        lazy_gettext("Name of the season"), [required_text(), at_most(120)], filters=[stripped]
    )
    kind = RadioField(lazy_gettext("How events give points"), choices=choices_of(KINDS), default="places")
    places = StringField(lazy_gettext("Points by place"), [at_most(400)], filters=[stripped])
    taking_part = StringField(lazy_gettext("Points for everybody else"), [at_most(10)], filters=[stripped])
    win = StringField(lazy_gettext("Win"), [at_most(10)], filters=[stripped])
    draw = StringField(lazy_gettext("Draw"), [at_most(10)], filters=[stripped])
    loss = StringField(lazy_gettext("Loss"), [at_most(10)], filters=[stripped])
    best = IntegerField(
        lazy_gettext("Events that count"),
        [
            Optional(),
            NumberRange(
                1, 500, lazy_gettext("Please give a whole number from %(low)s to %(high)s.", low=1, high=500)
            ),
        ],
    )

    def facts(self) -> service.SeasonFacts:
        if self.kind.data == "results":
            points: JsonObject = {name: _number(self[name].data or "0") for name in ("win", "draw", "loss")}
        else:
            words = (self.places.data or "").replace(",", " ").replace(";", " ").split()
            points = {"places": [_number(word) for word in words]}
            points["taking_part"] = _number(self.taking_part.data or "0")
        return service.SeasonFacts(self.name.data, points, self.best.data)


def _number(word: str) -> Any:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 7 else word


def _fields(view: service.SeasonView) -> JsonObject:
    points = view.points
    return {
        "name": view.name,
        "best": view.best,
        "kind": "places" if "places" in points else "results",
        "places": " ".join(map(str, points.get("places", ()))),
        **{key: str(points[key]) for key in ("taking_part", "win", "draw", "loss") if key in points},
    }


def _faults(form: SeasonForm, error: InputError) -> None:
    for problem in error.problems:
        place = problem.path.split("[")[0]
        name = FIELD_OF.get(place) or place.rpartition(".")[2]
        field = form[name if name in form else "places"]
        field.errors = [*field.errors, say(problem.message)]


@season.app_template_global("exact")
def exact(points: Fraction) -> str:
    return number_text(points, language())


# -- public -------------------------------------------------------------------------------------------------


@season.get("/s/<slug>")
def show(slug: str) -> str:
    view = service.get_season(session(), slug)
    account = current_account()
    return render_template(
        "season/season.html",
        table=read_season_table(session(), view),
        is_owner=account is not None and account.id == view.account_id,
    )


@season.get("/s/<slug>/season.<form>")
def as_file(slug: str, form: str) -> Response:
    """The table as pdf, csv or json."""
    table = read_season_table(session(), service.get_season(session(), slug))
    if form == "pdf":
        printed_at = short_moment(datetime.now().astimezone())
        url = url_for_phones("season.show", slug=slug)
        paper: Any = "letter" if request.args.get("paper") == "letter" else "a4"
        return Response(season_pdf(table, language(), paper, url, printed_at), mimetype="application/pdf")
    if form == "csv":
        headings = [gettext("Rank"), gettext("Player"), gettext("Points"), gettext("Events that count")]
        text = "\ufeff" + season_csv(table, headings)
        return Response(text, mimetype="text/csv", headers=_attached(slug, "csv"))
    if form == "json":
        text = json.dumps(season_as_file(table), ensure_ascii=False, indent=1)
        return Response(text, mimetype="application/json", headers=_attached(slug, "json"))
    abort(404)


def _attached(slug: str, ending: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{slug}.{ending}"'}


# -- for its owner ------------------------------------------------------------------------------------------


@season.route("/seasons", methods=["GET", "POST"])
@signed_in
def mine() -> Answer:
    """The seasons of an organiser, and a new one."""
    account = current_account()
    assert account is not None
    form = SeasonForm(
        sent(), data={"places": "10 7 5 5 3 3 3 3", "taking_part": "1", "win": "3", "draw": "1"}
    )
    if request.method == "POST" and not account.may_create:
        abort(403)
    if is_sent(form):
        try:
            change = service.create_season(session(), form.facts(), account, datetime.now(UTC))
            return redirect(url_for("season.edit", slug=change.result.slug))
        except InputError as error:
            roll_back()
            _faults(form, error)
    page = render_template("season/mine.html", seasons=service.seasons_of(session(), account), form=form)
    return (page, 422) if form.errors else page


def _own(slug: str) -> service.SeasonView:
    """The season, if the reader may change it; 403 otherwise."""
    view, account = service.get_season(session(), slug), current_account()
    if account is None or account.id != view.account_id:
        abort(403)
    return view


@season.route("/s/<slug>/edit", methods=["GET", "POST"])
@signed_in
def edit(slug: str) -> Answer:
    view = _own(slug)
    form = SeasonForm(sent(), data=_fields(view))
    if is_sent(form):
        try:
            service.change_season(session(), view, actor(), form.facts(), number_from_form("version"))
            flash(gettext("Saved."), "good")
            return redirect(url_for("season.edit", slug=slug))
        except InputError as error:
            roll_back()
            _faults(form, error)
        except Refused as refused:
            roll_back()
            add_fault(form, "name", refused)
    page = _edit_page(_own(slug), form)
    return (page, 422) if form.errors else page


def _edit_page(view: service.SeasonView, form: SeasonForm, fault: str = "") -> str:
    return render_template(
        "season/edit.html",
        table=read_season_table(session(), view),
        form=form,
        fault=fault,
        to_add=service.events_to_add(session(), view),
        log=service.read_season_log(session(), view),
    )


@season.post("/s/<slug>/events")
@signed_in
def add(slug: str) -> Answer:
    """Let an event count, or no longer."""
    view = _own(slug)
    number, is_removed = request.form.get("event", 0, type=whole), request.form.get("do") == "remove"
    try:
        if is_removed:
            service.remove_event(session(), view, actor(), number)
        else:
            service.add_event(session(), view, actor(), number, datetime.now(UTC))
    except Refused as refused:
        roll_back()
        view = _own(slug)
        fault = " ".join(map(spoken, refused.reasons))
        return _edit_page(view, SeasonForm(data=_fields(view)), fault), 409
    return redirect(url_for("season.edit", slug=slug))


@season.post("/s/<slug>/undo")
@signed_in
def take_back(slug: str) -> Answer:
    view = _own(slug)
    try:
        service.undo_in_season(session(), view, actor(), number_from_form("entry"))
    except Refused as refused:
        roll_back()
        view = _own(slug)
        fault = " ".join(map(spoken, refused.reasons))
        return _edit_page(view, SeasonForm(data=_fields(view)), fault), 409
    flash(gettext("Taken back."), "good")
    return redirect(url_for("season.edit", slug=slug))

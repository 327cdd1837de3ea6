"""The players' pages at the desk: the list, adding by paste or CSV, check-in, and a page for each player."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import Form, IntegerField, StringField, TextAreaField
from wtforms.validators import NumberRange, Optional, ValidationError

from judge.core.errors import Conflict, InputError, Refused
from judge.core.messages import Message
from judge.schemas.shape import whole
from judge.schemas.tournament.encodings import text_of
from judge.schemas.tournament.player_lists import (
    ListedRow,
    PlayerFacts,
    read_csv,
    read_heroes,
    read_names,
    unknown_columns,
)
from judge.services.event.event_view import EventView, PlayerView
from judge.services.event.events import settings_of
from judge.services.players import players as service
from judge.services.players.erasure import erase_player
from judge.services.players.roster import lacks_heroes, last_published, players_of, table_warnings, tables_of
from judge.services.players.roster import roster as read_roster
from judge.services.rulebook.heroes import hero_name, heroes_to_choose
from judge.web.accounts.access import actor, needs
from judge.web.frame.errors import refuse
from judge.web.frame.forms import PageForm, at_most, is_sent, required_text, say, stripped
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext, lazy_gettext, ngettext
from judge.web.frame.transaction import session

players = Blueprint("players", __name__, url_prefix="/e/<slug>/desk/players")

SHOWN = ("everybody", "absent", "asking", "dropped")


def _small_number(label: object) -> IntegerField:
    says = lazy_gettext("Please give a whole number from %(low)s to %(high)s.", low=1, high=9999)
    return IntegerField(label, [Optional(), NumberRange(1, 9999, says)])


def _rounds(_form: Form, field: StringField) -> None:
    if not re.fullmatch(r"(\d{1,2}([ ,;]+\d{1,2})*)?", field.data or ""):
        raise ValidationError(gettext("Please give numbers of rounds, as 1, 3."))


def _numbers(text: str | None) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", text or "") if int(n))


class PlayerForm(PageForm):
    name = StringField(lazy_gettext("Name"), [required_text(), at_most(80)], filters=[stripped])
    public_name = StringField(lazy_gettext("Display name"), [at_most(80)], filters=[stripped])
    club = StringField(lazy_gettext("Club or travel group"), [at_most(80)], filters=[stripped])
    seed = _small_number(lazy_gettext("Seed"))
    fixed_table = _small_number(lazy_gettext("Fixed table"))
    first_round = _small_number(lazy_gettext("Plays from round"))
    heroes = TextAreaField(lazy_gettext("Heroes"), [at_most(600)])
    members = TextAreaField(lazy_gettext("Members of the team"), [at_most(600)])
    byes = StringField(lazy_gettext("Awarded byes in rounds"), [at_most(80), _rounds], filters=[stripped])
    half_byes = StringField(lazy_gettext("Half byes in rounds"), [at_most(80), _rounds], filters=[stripped])
    absent = StringField(lazy_gettext("Absent in rounds"), [at_most(80), _rounds], filters=[stripped])

    def facts(self) -> PlayerFacts:
        return PlayerFacts(
            name=self.name.data,
            public_name=self.public_name.data or None,
            club=self.club.data or None,
            seed=self.seed.data,
            fixed_table=self.fixed_table.data,
            heroes=read_heroes(self.heroes.data or "", []),
            first_round=self.first_round.data,
            members=read_heroes(self.members.data or "", []),
            byes=_numbers(self.byes.data),
            half_byes=_numbers(self.half_byes.data),
            absent=_numbers(self.absent.data),
        )


def _to_list(event: EventView, **values: str) -> ResponseReturnValue:
    filters: dict[str, Any] = {name: request.args[name] for name in ("show", "q") if request.args.get(name)}
    return redirect(url_for("players.roster", slug=event.slug, **filters | values))


@players.get("")
@needs("see-desk")
def roster(event: EventView) -> ResponseReturnValue:
    search = request.args.get("q", "")[:80]
    show = request.args.get("show", "everybody")
    return render_template(
        "players/players.html",
        event=event,
        roster=read_roster(session(), event, search),
        search=search,
        show=show if show in SHOWN else "everybody",
    )


# -- adding -----------------------------------------------------------------------------------------------


@players.get("/add")
@needs("edit-players")
def add(event: EventView) -> ResponseReturnValue:
    return _add_page(event, "names", "", None)


@players.post("/add")
@needs("edit-players")
def read_list(event: EventView) -> ResponseReturnValue:
    """Read a list of players. Plain names without warnings are added at once; anything else is shown
    first."""
    kind = "csv" if request.form.get("kind") == "csv" else "names"
    text = _sent_text()
    try:
        rows = service.check_rows(session(), event, (read_csv if kind == "csv" else read_names)(text))
    except InputError as error:
        return _add_page(event, kind, text, [], fault=say(error.problems[0].message)), 422
    doubtful = kind == "csv" or any(row.faults or row.warnings for row in rows)
    if rows and (request.form.get("confirmed") or not doubtful):
        return _add_all(event, _ticked(rows))
    return _add_page(event, kind, text, rows)


def _ticked(rows: list[ListedRow]) -> list[ListedRow]:
    """The rows left ticked in the preview."""
    if "ticks" not in request.form:
        return rows
    ticked = request.form.getlist("row", type=whole)
    return [row for row in rows if row.line in ticked]


def _sent_text() -> str:
    upload = request.files.get("file")
    if upload is None or not upload.filename:
        return request.form.get("text", "")
    text = text_of(upload.read())
    if text is None:
        refuse(422, gettext("The file is no text. Save it as CSV and try again."))
    return text


def _add_all(event: EventView, rows: list[ListedRow]) -> ResponseReturnValue:
    facts = [row.facts for row in rows if row.facts is not None]
    if not facts:
        return _add_page(event, "names", _sent_text(), rows), 422
    added = service.add_players(session(), event, actor(), facts, datetime.now(UTC)).result
    says = ngettext("%(num)d player added.", "%(num)d players added.", len(added.players))
    if added.waiting:
        says += " " + ngettext(
            "%(num)d of them is on the waiting list.",
            "%(num)d of them are on the waiting list.",
            added.waiting,
        )
    flash(says, "good")
    return redirect(url_for("players.roster", slug=event.slug))


def _add_page(
    event: EventView, kind: str, text: str, rows: list[ListedRow] | None, fault: str | None = None
) -> str:
    good = sum(row.facts is not None for row in rows or [])
    unknown = unknown_columns(text) if kind == "csv" and rows else []
    return render_template(
        "players/add_players.html",
        event=event,
        kind=kind,
        text=text,
        rows=rows,
        good=good,
        fault=fault,
        unknown=unknown,
        say_unknown=say(Message("csv_columns_unknown", names=unknown)),
        say=say,
        hero=lambda hero: hero_name(event.game, hero, language()),
    )


# -- check-in ---------------------------------------------------------------------------------------------


@players.post("/check-in")
@needs("check-in")
def check_in(event: EventView) -> ResponseReturnValue:
    """Check one player in or out; `in` or `out` is the player's id."""
    present = "in" in request.form
    number = request.form.get("in" if present else "out", type=whole)
    if number is None:
        refuse(400, gettext("Nobody was named."))
    service.set_present(session(), event, actor(), number, present)
    return _to_list(event, _anchor=f"p{number}")


@players.post("/check-in-all")
@needs("check-in")
def check_in_all(event: EventView) -> ResponseReturnValue:
    count = service.check_in_all(session(), event, actor()).result
    flash(ngettext("%(num)d player checked in.", "%(num)d players checked in.", count), "good")
    return redirect(url_for("players.roster", slug=event.slug))


# -- one player -------------------------------------------------------------------------------------------


@players.route("/<int:number>", methods=["GET", "POST"])
@needs("edit-players")
def one(event: EventView, number: int) -> ResponseReturnValue:
    player = service.read_player(session(), event, number)
    form = PlayerForm(request.form) if request.method == "POST" else _form_of(event, player)
    refusals: list[str] = []
    if is_sent(form):
        try:
            facts = form.facts()
            service.change_player(session(), event, actor(), number, _version(), facts)
            flash(gettext("Saved."), "good")
            _warn_of_shared_table(event, facts.fixed_table)
            return redirect(url_for("players.one", slug=event.slug, number=number))
        except Refused as error:
            if isinstance(error, Conflict):
                raise
            refusals = [say(reason) for reason in error.reasons]
    settings = settings_of(event)
    page = render_template(
        "players/player.html",
        event=event,
        player=player,
        form=form,
        refusals=refusals,
        settings=settings,
        lacks_heroes=lacks_heroes(settings, player),
        known_heroes=heroes_to_choose(event.game, settings.heroes.allowed, language()),
        published=last_published(session(), event),
        seen=request.form.get("version", player.version),
    )
    return page, 422 if form.errors or refusals else 200


def _warn_of_shared_table(event: EventView, table: int | None) -> None:
    tables = tables_of(players_of(session(), event))
    for warning in table_warnings({n: names for n, names in tables.items() if n == table}):
        flash(say(warning), "warn")


def _form_of(event: EventView, player: PlayerView) -> PlayerForm:
    heroes = "\n".join(hero_name(event.game, hero, language()) for hero in player.heroes)
    columns = ("name", "public_name", "club", "seed", "fixed_table", "first_round")
    values = {name: getattr(player, name) for name in columns}
    lists = {key: ", ".join(map(str, getattr(player, key))) for key in service.ATTENDANCE}
    return PlayerForm(data={**values, **lists, "heroes": heroes, "members": "\n".join(player.member_names)})


def _version() -> int:
    version = request.form.get("version", type=whole)
    if version is None:
        refuse(400, gettext("The form is incomplete. Reload it and try again."))
    return version


@players.post("/<int:number>/drop")
@needs("edit-players")
def drop(event: EventView, number: int) -> ResponseReturnValue:
    why = (stripped(request.form.get("why", "")) or "")[:200]
    let_in = service.drop_player(session(), event, actor(), number, _version(), why).result
    flash(gettext("The player has dropped out."), "good")
    _tell_let_in([player.name for player in let_in])
    return redirect(url_for("players.one", slug=event.slug, number=number))


def _tell_let_in(names: list[str]) -> None:
    if names:
        flash(gettext("From the waiting list: %(names)s.", names=", ".join(names)), "good")


@players.post("/<int:number>/restore")
@needs("edit-players")
def restore(event: EventView, number: int) -> ResponseReturnValue:
    service.restore_player(session(), event, actor(), number, _version())
    flash(gettext("The player is back."), "good")
    return redirect(url_for("players.one", slug=event.slug, number=number))


@players.post("/<int:number>/admit")
@needs("edit-players")
def admit(event: EventView, number: int) -> ResponseReturnValue:
    player = service.admit(session(), event, actor(), number, _version()).result
    if player.state == "waiting":
        flash(gettext("The event is full: %(name)s is on the waiting list.", name=player.name), "warn")
    else:
        flash(gettext("%(name)s is on the list.", name=player.name), "good")
    return _to_list(event)


@players.post("/<int:number>/remove")
@needs("edit-players")
def remove(event: EventView, number: int) -> ResponseReturnValue:
    let_in = service.remove_player(session(), event, actor(), number, _version()).result
    flash(gettext("Taken off the list."), "good")
    _tell_let_in([player.name for player in let_in])
    return redirect(url_for("players.roster", slug=event.slug))


@players.post("/<int:number>/new-link")
@needs("edit-players")
def new_link(event: EventView, number: int) -> ResponseReturnValue:
    service.reissue_link(session(), event, actor(), number, _version())
    flash(gettext("There is a new private link; the old one no longer works."), "good")
    return redirect(url_for("players.one", slug=event.slug, number=number, _anchor="link"))


@players.route("/<int:number>/erase", methods=["GET", "POST"])
@needs("erase-player")
def erase(event: EventView, number: int) -> ResponseReturnValue:
    player = service.read_player(session(), event, number)
    if request.method == "POST":
        erase_player(session(), event, actor(), number, _version())
        flash(gettext("The player’s name is erased everywhere."), "good")
        return redirect(url_for("players.roster", slug=event.slug))
    return render_template(
        "frame/confirm.html",
        title=gettext("Erase %(name)s?", name=player.name),
        text=gettext(
            "Name, display name and club are replaced everywhere, in the log too. "
            "The results stay. This cannot be taken back."
        ),
        action=url_for("players.erase", slug=event.slug, number=number),
        yes=gettext("Erase for good"),
        back=url_for("players.one", slug=event.slug, number=number),
        kept={"version": player.version},
        danger=True,
    )

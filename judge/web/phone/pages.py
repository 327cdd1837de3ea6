"""What players do behind their private link: check in, leave, declare heroes, ban and pick, ask what they
still need. Also the desk's switches for all that.
"""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response, flash, render_template, request, url_for

from judge.core.errors import Conflict, Refused
from judge.schemas.tournament.event_settings import PhoneSettings
from judge.services.event.event_view import EventView, PlayerView
from judge.services.phone import declaring, hero_steps, presence
from judge.services.phone.needs import read_needs
from judge.services.play.bans_and_picks import hero_rules
from judge.services.play.selection import SIDES
from judge.services.public.read_models import find_player
from judge.services.rulebook.heroes import heroes_to_choose
from judge.storage.reader import reading
from judge.web.accounts.access import actor, needs
from judge.web.frame.errors import status_of
from judge.web.frame.forms import stripped
from judge.web.frame.links import redirect
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import database, roll_back, session
from judge.web.log.undo_offer import done, spoken
from judge.web.public.private_links import player_of

phone = Blueprint("phone", __name__)
MOST_HEROES = 20
Answer = Response | str | tuple[str, int]


def _refusal(error: Refused | Conflict) -> str:
    roll_back()
    return " ".join(map(spoken, error.reasons))


# -- checking in and leaving --------------------------------------------------------------------------------


@phone.route("/me/<token>/check-in", methods=["GET", "POST"])
def check_in(token: str) -> Answer:
    event, player = player_of(token)
    fault = ""
    if request.method == "POST":
        try:
            presence.check_in(session(), event, player.id)
            return redirect(f"/me/{token}")
        except Refused as refused:
            fault = _refusal(refused)
    may_act = presence.may_check_in(event, player.state)
    page = render_template(
        "phone/check_in.html", event=event, player=player, back=f"/me/{token}", fault=fault, may_act=may_act
    )
    return (page, 409) if fault else page


@phone.route("/me/<token>/leave", methods=["GET", "POST"])
def leave(token: str) -> Answer:
    event, player = player_of(token)
    fault, why = "", stripped(request.form.get("why", "")) or ""
    if request.method == "POST":
        try:
            if request.form.get("sure") != "1":
                raise Refused(presence.NOT_SURE)
            presence.leave(session(), event, player.id, why[:300])
            return redirect(f"/me/{token}")
        except (Refused, Conflict) as refused:
            fault = _refusal(refused)
    match = hero_steps.match_of_player(session(), player)
    page = render_template(
        "phone/leave.html",
        event=event,
        player=player,
        back=f"/me/{token}",
        fault=fault,
        why=why,
        may_act=presence.may_leave(event, player.state),
        is_playing=match is not None and match.result is None,
    )
    return (page, 409) if fault else page


# -- heroes -------------------------------------------------------------------------------------------------


@phone.route("/me/<token>/declare", methods=["GET", "POST"])
def declare(token: str) -> Answer:
    """The heroes that a player brings to the event."""
    event, player = player_of(token)
    fault, chosen = "", player.heroes
    if request.method == "POST":
        chosen = request.form.getlist("hero")[:MOST_HEROES]
        try:
            declaring.declare(session(), event, player.id, chosen, datetime.now(UTC))
            flash(gettext("Your heroes are locked."), "good")
            return redirect(f"/me/{token}/declare")
        except Refused as refused:
            fault = _refusal(refused)
            event, player = player_of(token)
    rules = hero_rules(event)
    page = render_template(
        "phone/declare.html",
        event=event,
        player=player,
        back=f"/me/{token}",
        fault=fault,
        chosen=chosen,
        bring=rules.bring,
        groups=heroes_to_choose(event.game, rules.allowed, language()),
        may_act=declaring.may_declare(event, player.state, player.declared),
    )
    return (page, 422) if fault else page


@phone.route("/me/<token>/heroes", methods=["GET", "POST"])
def heroes(token: str) -> Answer:
    """The toss, bans and picks of the player's current match."""
    event, player = player_of(token)
    match = hero_steps.match_of_player(session(), player)
    if match is None:
        return render_template("phone/no_match.html", event=event, back=f"/me/{token}")
    fault, status = "", 200
    if request.method == "POST":
        try:
            hero_steps.act_by_phone(session(), event, match.id, player.id, _act(), datetime.now(UTC))
            return redirect(f"/me/{token}/heroes")
        except (Refused, Conflict) as refused:
            fault, status = _refusal(refused), status_of(refused)
            event, player = player_of(token)
    return _hero_page(event, player, match.id, token, fault), status


def _hero_page(event: EventView, player: PlayerView, match_id: int, token: str, fault: str) -> str:
    page = hero_steps.read_hero_page(session(), event, match_id, player.id)
    is_part = request.method == "GET" and "part" in request.args
    return render_template(
        "phone/_heroes.html" if is_part else "phone/heroes.html",
        event=event,
        page=page,
        address=f"/me/{token}/heroes",
        back=f"/me/{token}",
        fault=fault,
        groups=heroes_to_choose(event.game, page.rules.allowed, language()) if page.is_mine else (),
    )


def _act() -> hero_steps.PhoneAct:
    form = request.form
    return hero_steps.PhoneAct(
        kind=form.get("kind", ""),
        stage=form.get("stage", ""),
        side=next((side for side in SIDES if side == form.get("side")), None),
        hero=form.get("hero", "")[:60],
    )


# -- what is needed -----------------------------------------------------------------------------------------


@phone.get("/me/<token>/needs")
def what_i_need(token: str) -> str:
    event, player = player_of(token)
    with reading(database().engine) as reader:
        linked = find_player(reader, player.id)
        outlook = read_needs(reader, linked.stamp, player.id, language()) if linked else None
    return render_template("phone/needs.html", event=event, outlook=outlook, back=f"/me/{token}")


# -- the desk's switches ------------------------------------------------------------------------------------


@phone.post("/e/<slug>/desk/phones")
@needs("edit-event")
def switches(event: EventView) -> Response:
    """Say what players may do on their phones."""
    phones = PhoneSettings(**{name: name in request.form for name in PhoneSettings.__slots__})
    change = presence.set_phones(session(), event, actor(), phones)
    done(event, change, gettext("Saved."))
    return redirect(url_for("players.roster", slug=event.slug) + "#phones")

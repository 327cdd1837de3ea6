"""Self-registration for everybody who has the link: the form, and the page after it."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import StringField

from judge.core.errors import Refused
from judge.core.json_types import JsonObject
from judge.schemas.tournament.player_lists import HERO_MOST, PlayerFacts, read_text
from judge.services.event.event_view import EventView
from judge.services.event.events import settings_of
from judge.services.players.registration import register as put_on_list
from judge.services.players.roster import free_places
from judge.services.rulebook.heroes import heroes_to_choose
from judge.web.accounts.access import find_event, link_token
from judge.web.frame.forms import PageForm, at_most, is_sent, required_text, say, sent, stripped
from judge.web.frame.limits import within_limits
from judge.web.frame.preferences import language
from judge.web.frame.texts import lazy_gettext
from judge.web.frame.transaction import session
from judge.web.public.private_links import player_of

registration = Blueprint("registration", __name__)


class RegistrationForm(PageForm):
    name = StringField(lazy_gettext("Your name"), [required_text(), at_most(80)], filters=[stripped])
    public_name = StringField(lazy_gettext("Display name"), [at_most(80)], filters=[stripped])
    club = StringField(lazy_gettext("Club or travel group"), [at_most(80)], filters=[stripped])

    def facts(self, heroes: list[str]) -> PlayerFacts:
        names = (self.name.data, self.public_name.data or None, self.club.data or None)
        return PlayerFacts(*names, heroes=tuple(heroes))


@registration.route("/e/<slug>/register", methods=["GET", "POST"])
def register(slug: str) -> ResponseReturnValue:
    event = find_event(slug)
    form, heroes = RegistrationForm(sent()), _heroes()
    refusals: list[str] = []
    is_namesake = False
    if is_sent(form):
        within_limits("registration")
        try:
            player = put_on_list(
                session(),
                event,
                form.facts(heroes),
                datetime.now(UTC),
                is_another=bool(request.form.get("another")),
            ).result
            token = link_token("player", player.id, player.link)
            return redirect(url_for("registration.done", slug=slug, token=token))
        except Refused as error:
            is_namesake = error.reasons[0].key == "player_twins"
            refusals = [say(reason) for reason in error.reasons]
    page = render_template("players/register.html", **_variables(event, form, heroes, refusals, is_namesake))
    return page, 422 if form.errors or refusals else 200


def _heroes() -> list[str]:
    heroes = (read_text(hero, HERO_MOST, []) for hero in request.form.getlist("hero"))
    return [hero[:HERO_MOST] for hero in heroes if hero]


def _variables(
    event: EventView, form: RegistrationForm, heroes: list[str], refusals: list[str], is_namesake: bool
) -> JsonObject:
    settings = settings_of(event)
    return {
        "event": event,
        "form": form,
        "heroes": heroes,
        "known": heroes_to_choose(event.game, settings.heroes.allowed, language()),
        "settings": settings,
        "free": free_places(session(), event),
        "refusals": refusals,
        "is_namesake": is_namesake,
    }


@registration.get("/e/<slug>/register/<token>")
def done(slug: str, token: str) -> ResponseReturnValue:
    """The page after a registration: its state, and the player's private link."""
    event, player = player_of(token)
    return render_template("players/registered.html", event=event, player=player)

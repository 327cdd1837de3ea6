"""Pages of missed triggers and penalties at the desk: the decision aid, the list, giving one, the
catalogue.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, abort, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from judge.core.errors import Conflict, InputError, Refused
from judge.schemas.shape import whole
from judge.services.event.catalogue import version_of
from judge.services.event.event_view import EventView, PlayerView
from judge.services.play import penalties as service
from judge.services.play.match_page import MatchPage, match_page
from judge.services.play.penalties import Infraction, Sentence
from judge.services.play.reports import match_to_report
from judge.services.players.roster import people_of
from judge.web.accounts.access import actor, needs
from judge.web.frame.forms import say, stripped
from judge.web.frame.links import redirect
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import roll_back, session
from judge.web.log.undo_offer import done, number_from_form, spoken

penalties = Blueprint("penalties", __name__, url_prefix="/e/<slug>/desk/penalties")


@penalties.get("")
@needs("see-desk")
def index(event: EventView) -> str:
    lang, number = language(), request.args.get("player", type=whole)
    people = people_of(session(), event)
    return render_template(
        "play/penalties.html",
        event=event,
        given=service.read_penalties(session(), event, lang, number),
        names=service.penalty_names(lang),
        people=people,
        player=next((p for p in people if p.id == number), None),
        noticed=request.args.get("noticed", ""),
        state=request.args.get("state", ""),
        answer=service.missed_trigger(request.args.get("noticed", ""), request.args.get("state", "")),
    )


# -- giving one ---------------------------------------------------------------------------------------------


@penalties.get("/new")
@needs("give-penalty")
def new(event: EventView) -> str:
    return _form(event, request.args)


@penalties.post("/new")
@needs("give-penalty")
def give(event: EventView) -> Response:
    form, lang = request.form, language()
    words = {entry.id: entry.name for entry in service.catalogue(session(), event, lang)}
    sentence = Sentence(
        number_from_form("player"),
        form.get("infraction", ""),
        form.get("penalty", ""),
        stripped(form.get("remedy", "")) or "",
        (form.get("note", "")).strip(),
        form.get("match", type=whole),
    )
    penalty = service.penalty_names(lang).get(sentence.penalty, "")
    reason = f"{penalty}: {words.get(sentence.infraction, sentence.infraction)}"
    try:
        if sentence.infraction not in words or not penalty:
            abort(400)
        change = service.give(session(), event, actor(), sentence, datetime.now(UTC), reason)
    except Refused as refused:
        roll_back()
        page = _form(event, form, " ".join(map(spoken, refused.reasons)))
        return make_response(page, 409 if isinstance(refused, Conflict) else 422)
    done(event, change, gettext("Recorded: %(what)s", what=reason))
    return redirect(url_for("penalties.index", slug=event.slug))


def _form(event: EventView, values: Any, fault: str = "") -> str:
    """The form in two steps: player and infraction, then, below the player's history, remedy and penalty."""
    lang, people = language(), people_of(session(), event)
    player = next((p for p in people if p.id == values.get("player", type=whole)), None)
    entries = service.catalogue(session(), event, lang)
    entry = next((e for e in entries if e.id == values.get("infraction")), None)
    history = service.read_penalties(session(), event, lang, player.id) if player else []
    earlier = [g for g in history if entry and g.infraction == entry.id]
    match = _match(event, player, values) if player else None
    return render_template(
        "play/penalty_new.html",
        event=event,
        people=people,
        player=player,
        entries=entries,
        entry=entry,
        history=history,
        earlier=len(earlier),
        suggested=service.suggested(entry, len(earlier)) if entry else "",
        names=service.penalty_names(lang),
        effects={penalty: service.effect_of(penalty) for penalty in service.penalty_names(lang)},
        match=match,
        values=values,
        note=service.assumption_note(lang),
        fault=fault,
    )


def _match(event: EventView, player: PlayerView, values: Any) -> MatchPage | None:
    """The match of the penalty: the one in the form, else the player's newest."""
    number = values.get("match", type=whole)
    if number is None:
        newest = match_to_report(session(), player)
        number = newest.id if newest is not None else None
    page = match_page(session(), event, number, language()) if number else None
    playing = page and page.b and player.id in [seated.id for seated in page.players]
    return page if playing else None


# -- the catalogue ------------------------------------------------------------------------------------------


@penalties.get("/catalogue")
@needs("see-desk")
def catalogue(event: EventView) -> str:
    return _catalogue(event)


def _catalogue(event: EventView, sent: Infraction | None = None, faults: list[str] | None = None) -> str:
    lang = language()
    entries = service.catalogue(session(), event, lang)
    edited = request.args.get("edit", "")
    return render_template(
        "play/infractions.html",
        event=event,
        entries=entries,
        editing=sent or next((e for e in entries if e.id == edited), None),
        adding="add" in request.args,
        names=service.penalty_names(lang),
        is_own=service.is_own(session(), event),
        note=service.assumption_note(lang),
        version=version_of(session(), event),
        faults=faults or [],
    )


@penalties.post("/catalogue")
@needs("edit-event")
def change(event: EventView) -> ResponseReturnValue:
    form = request.form
    sent = Infraction(
        form.get("id", ""),
        (stripped(form.get("name", "")) or "")[:80],
        (stripped(form.get("text", "")) or "")[:300],
        (stripped(form.get("remedy", "")) or "")[:300],
        form.get("penalty", ""),
        form.get("repeat", ""),
    )
    try:
        version = number_from_form("version")
        change = service.change_infraction(session(), event, actor(), sent, language(), version)
    except InputError as error:
        roll_back()
        faults = [f"{p.path.rpartition('.')[2]}: {say(p.message)}" for p in error.problems]
        return _catalogue(event, sent, faults), 422
    done(event, change, gettext("Saved."))
    return redirect(url_for("penalties.catalogue", slug=event.slug))


@penalties.post("/catalogue/remove")
@needs("edit-event")
def remove(event: EventView) -> ResponseReturnValue:
    change = service.remove_infraction(
        session(), event, actor(), request.form.get("id", ""), number_from_form("version")
    )
    done(event, change, gettext("Removed from the list."))
    return redirect(url_for("penalties.catalogue", slug=event.slug))


@penalties.post("/catalogue/usual")
@needs("edit-event")
def usual(event: EventView) -> ResponseReturnValue:
    change = service.use_shipped(session(), event, actor(), number_from_form("version"))
    done(event, change, gettext("The usual list is back."))
    return redirect(url_for("penalties.catalogue", slug=event.slug))

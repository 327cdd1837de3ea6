"""Shows a message after each change, with an undo button where that is possible."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Flask, flash, g, request, url_for

from judge.core.messages import Message
from judge.schemas.shape import whole
from judge.services.accounts.roles import may
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Change
from judge.services.pairing.reasons import phrasebook
from judge.services.play.outcomes import describe
from judge.services.rulebook.heroes import hero_name
from judge.web.frame.links import local_path
from judge.web.frame.preferences import language, short_moment


def init_words(app: Flask) -> None:
    """Functions for templates: the words of a sentence, an outcome, a hero, a moment."""
    app.jinja_env.globals.update(
        spoken=spoken,
        outcome_text=lambda names, outcome, counts: spoken(describe(names, outcome, counts)),
        hero_word=lambda event, hero: hero_name(event.game, hero, language()),
        moment=moment,
    )


def moment(at: datetime) -> str:
    """A moment in the time zone of the server, which is the hall's if it runs on a laptop there; the zone is
    named."""
    local = at.astimezone()
    return f"{short_moment(local)} {local.tzname()}"


def done(event: AnyEvent, change: Change[Any], text: str) -> None:
    """Flash the text with an undo button for this change, if it changed anything and may be undone."""
    if change.entry is not None and may(g.get("role"), "undo"):
        undo = url_for("log.take_back", slug=event.slug, entry=change.entry)
        offer: Any = {"text": text, "undo": undo}  # flash() is typed for texts; the page draws both
        flash(offer, "good")
    else:
        flash(text, "good")


def spoken(message: Message) -> str:
    return phrasebook(language()).say(message)


def number_from_form(name: str, default: int = 0) -> int:
    return request.form.get(name, default, type=whole)


def back_to(default: str) -> str:
    """The page the form returns to, if it is on this server; else the default."""
    return local_path(request.form.get("next")) or default

"""After a change: say what was done, with a button that takes it back where that is possible."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Flask, flash, g, request, url_for
from flask_babel import format_datetime

from judge.core.messages import Message
from judge.schemas.shape import whole
from judge.services.accounts.roles import may
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Change
from judge.services.play.outcomes import describe
from judge.services.play.reasons import phrasebook
from judge.services.rulebook.heroes import hero_name
from judge.web.frame.preferences import language


def init_words(app: Flask) -> None:
    """Words that templates ask for: a sentence, an outcome, a hero, a moment."""
    app.jinja_env.globals.update(
        spoken=spoken,
        outcome_text=lambda names, outcome, counts: spoken(describe(names, outcome, counts)),
        hero_word=lambda event, hero: hero_name(event.game, hero, language()),
        moment=moment,
    )


def moment(at: datetime) -> str:
    """In the time of the machine judge runs on: the hall's, where it is a laptop in the hall. The zone is
    named, because elsewhere it is another."""
    here = at.astimezone()
    return f"{format_datetime(here, 'short', rebase=False)} {here.tzname()}"


def done(event: AnyEvent, change: Change[Any], text: str) -> None:
    """Flash the text, with an undo of this very change; without one where everything stood so already."""
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
    """Where the form wants to return to: an address of ours, else the default."""
    wanted = request.form.get("next", "")
    is_ours = wanted.startswith("/") and not wanted.startswith(("//", "/\\"))
    return wanted if is_ours else default

"""Pages of an event's own catalogue: a simple form for the usual effects, YAML for everything else, and the
whole catalogue as a file. Refused input stays in the form, with the field that is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from judge.core.errors import InputError
from judge.core.json_types import JsonObject
from judge.rules.catalog import Ability, Card, Hero, Status
from judge.schemas.dice_throne.catalog import read_catalogue
from judge.schemas.dice_throne.shipped import catalog_for
from judge.services.event import catalogue as service
from judge.services.event.catalogue import KINDS
from judge.services.event.event_view import EventView
from judge.services.rulebook.effect_words import EffectWords
from judge.web.accounts.access import actor, needs
from judge.web.event.catalogue_form import entry_from, form_of, is_simple
from judge.web.frame.errors import refuse
from judge.web.frame.forms import say, uploaded_text
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext, ngettext
from judge.web.frame.transaction import roll_back, session
from judge.web.log.undo_offer import done, number_from_form

catalogue = Blueprint("catalogue", __name__, url_prefix="/e/<slug>/desk/catalogue")


@catalogue.get("")
@needs("see-desk")
def index(event: EventView) -> str:
    return _index(event)


def _index(event: EventView, text: str = "", faults: list[tuple[str, str]] | None = None) -> str:
    words = service.words_of(session(), event)
    return render_template(
        "event/catalogue.html",
        event=event,
        kinds=_words_by_kind(words),
        version=service.version_of(session(), event),
        text=text,
        faults=faults or [],
    )


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the event's catalogue in the reader's language."""

    id: str
    name: str
    does: str


def _words_by_kind(words: JsonObject) -> dict[str, list[Word]]:
    """All words by kind, with names and effects."""
    own = read_catalogue(words, "") if words else None
    by_kind: dict[str, list[Word]] = {kind: [] for kind in KINDS}
    if own is None:
        return by_kind
    effect_words = EffectWords(language(), catalog_for([], own))
    things: dict[str, Mapping[str, Ability | Card | Hero | Status]] = {
        "hero": own.heroes,
        "ability": own.abilities,
        "card": own.cards,
        "status": own.statuses,
    }
    for kind, key in KINDS.items():
        for entry in words.get(key, ()):
            thing = things[kind][str(entry["id"])]
            does = effect_words.in_short(getattr(thing, "effects", None))
            by_kind[kind].append(Word(entry["id"], effect_words.name(thing), does))
    return by_kind


# -- one word -----------------------------------------------------------------------------------------------


@catalogue.get("/<kind>/new")
@needs("edit-catalogue")
def new(event: EventView, kind: str) -> str:
    return _edit(event, _checked(kind), "", {})


@catalogue.get("/<kind>/<path:word>")
@needs("see-desk")
def one(event: EventView, kind: str, word: str) -> str:
    entry = service.find_word(service.words_of(session(), event), _checked(kind), word)
    if entry is None:
        abort(404)
    return _edit(event, kind, word, entry)


def _checked(kind: str) -> str:
    if kind not in KINDS:
        abort(404)
    return kind


def _edit(
    event: EventView,
    kind: str,
    old_id: str,
    entry: JsonObject,
    faults: list[tuple[str, str]] | None = None,
    typed: Any = None,
) -> str:
    simple = is_simple(kind, entry) and request.args.get("as") != "yaml"
    if typed is not None:
        simple = "yaml" not in typed
    return render_template(
        "event/word.html",
        event=event,
        kind=kind,
        was=old_id,
        simple=simple and kind != "hero",
        form=typed if typed is not None else form_of(kind, entry),
        yaml=typed.get("yaml", "") if typed is not None else service.as_yaml(entry),
        version=service.version_of(session(), event),
        faults=faults or [],
    )


@catalogue.post("/<kind>")
@needs("edit-catalogue")
def keep(event: EventView, kind: str) -> ResponseReturnValue:
    form, old_id = request.form, request.form.get("was", "")
    _checked(kind)
    try:
        entry = (
            service.from_yaml(form["yaml"])
            if "yaml" in form
            else entry_from(kind, form, _old(event, kind, old_id))
        )
        if not isinstance(entry, dict):
            refuse(422, gettext("This is not one word of the catalogue."))
        change = service.remember_word(
            session(), event, actor(), kind, entry, old_id=old_id or None, version=number_from_form("version")
        )
    except InputError as error:
        roll_back()
        return _edit(event, kind, old_id, {}, _faults(error), form), 422
    done(event, change, gettext("Saved."))
    return redirect(url_for("catalogue.index", slug=event.slug))


def _old(event: EventView, kind: str, word_id: str) -> JsonObject:
    return service.find_word(service.words_of(session(), event), kind, word_id) or {}


def _faults(error: InputError) -> list[tuple[str, str]]:
    return [(problem.path, say(problem.message)) for problem in error.problems]


@catalogue.post("/<kind>/remove")
@needs("edit-catalogue")
def remove(event: EventView, kind: str) -> ResponseReturnValue:
    word = request.form.get("id", "")
    version = number_from_form("version")
    change = service.forget_word(session(), event, actor(), _checked(kind), word, version)
    done(event, change, gettext("Removed: %(id)s", id=word))
    return redirect(url_for("catalogue.index", slug=event.slug))


# -- as a file ----------------------------------------------------------------------------------------------


@catalogue.get("/file.yaml")
@needs("see-desk")
def export(event: EventView) -> Response:
    text = service.as_yaml(service.words_of(session(), event)) or "{}\n"
    response = Response(text, mimetype="application/yaml")
    response.headers["Content-Disposition"] = f'attachment; filename="{event.slug}-catalogue.yaml"'
    return response


@catalogue.post("")
@needs("edit-catalogue")
def read_in(event: EventView) -> ResponseReturnValue:
    text = _sent_text()
    replaces_all = request.form.get("others") == "remove"
    try:
        change = service.replace_words(
            session(), event, actor(), service.from_yaml(text), keep_others=not replaces_all,
            version=number_from_form("version"),
        )  # fmt: skip
    except InputError as error:
        roll_back()
        return _index(event, text, _faults(error)), 422
    flash(ngettext("%(num)d word imported.", "%(num)d words imported.", change.result), "good")
    return redirect(url_for("catalogue.index", slug=event.slug))


def _sent_text() -> str:
    return uploaded_text(gettext("The file is not UTF-8 text."))

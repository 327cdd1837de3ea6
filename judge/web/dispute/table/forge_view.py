"""A Dice Forge table on the page: the players, and the events that can be entered, with the names of faces,
feats and tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import MultiDict

from judge.core.errors import fail
from judge.core.json_types import EventEntry, JsonObject
from judge.core.messages import Lang
from judge.rules.dice_forge.state.catalog import RESOURCES
from judge.rules.dice_forge.state.written import PlayerReport, TurnReport
from judge.schemas.dice_forge.catalog import catalog, names
from judge.schemas.files import parse
from judge.schemas.shape import whole
from judge.services.dispute.case import Case
from judge.services.dispute.dice_forge.offers import (
    Choice,
    Slot,
    faces_for_sale,
    feats,
    reinforcements,
    slots_with_a_choice,
    tokens,
)
from judge.services.dispute.dice_forge.questions import ForgeQuestion, Side, question_about, sides
from judge.services.dispute.games import Now
from judge.web.dispute.table.place import Place

VERBS = ("bless", "minor", "reinforce", "offer", "feat", "token", "does", "advance")
OFFERED = 4  # faces in one offering that the form has rows for; more go by the raw line


@dataclass(frozen=True, slots=True)
class Strip:
    """One player and what they hold."""

    who: str
    p: int
    gold: int
    sun: int
    moon: int
    glory: int


@dataclass(frozen=True, slots=True)
class ForgeView:
    """What only a Dice Forge table shows."""

    strips: list[Strip]
    faces: dict[str, str]  # names by id
    feats: dict[str, str]
    tokens: dict[str, str]
    reinforcements: list[str]
    may_now: list[str]
    questions: list[None]  # Dice Throne's; the templates ask for both
    forge_question: ForgeQuestion | None
    own_dice: list[list[Side]]
    feat_chips: list[Choice]
    face_chips: list[Choice]
    more_chips: list[Choice]
    extra_chips: list[Choice]  # what may be done as the paid extra action
    resources: Mapping[str, str]
    begin: Mapping[str, PlayerReport]
    slots: list[Slot]
    hammer_spaces: int


def forge(case: Case, place: Place, who: str, lang: Lang, asked: int) -> ForgeView:
    box, table = catalog(), case.data
    now: Now[PlayerReport, TurnReport] = case.now
    player = now.players[who]
    return ForgeView(
        strips=[
            Strip(name, k, state.gold, state.sun, state.moon, state.glory + box.glory_token * state.hundreds)
            for k, (name, state) in enumerate(now.players.items(), start=1)
        ],
        faces=named_things("faces", box.faces, lang),
        feats=named_things("feats", box.feats, lang),
        tokens=named_things("tokens", box.tokens, lang),
        reinforcements=player.feats,
        may_now=now.may.get(who, []),
        questions=[],
        forge_question=question_about(case, asked, lang) if asked else None,
        own_dice=sides(player.dice, lang),
        feat_chips=feats(case, who, lang),
        face_chips=faces_for_sale(case, who, lang),
        more_chips=[*reinforcements(case, who, lang), *tokens(case, who, lang)],
        extra_chips=_extra(case, who, now.may.get(who, []), lang),
        resources=RESOURCES,
        begin=case.beginning,
        slots=slots_with_a_choice(table, lang),
        hammer_spaces=box.hammer_spaces,
    )


def _extra(case: Case, who: str, may: list[str], lang: Lang) -> list[Choice]:
    """Actions that may be paid for as the extra one; they are never entered by tapping an ordinary one."""
    if "extra" not in may:
        return []
    choices = [*feats(case, who, lang, is_extra=True), *faces_for_sale(case, who, lang, is_extra=True)]
    return [choice for choice in choices if choice.is_now]


def named_things(group: str, ids: Iterable[str], lang: Lang) -> dict[str, str]:
    """The names of faces, feats or tokens by id, in the order of the names."""
    translations = names().get(group, {})
    by_id = {thing: translations.get(thing, {}).get(lang) or thing for thing in ids}
    return dict(sorted(by_id.items(), key=lambda pair: pair[1]))


def event_from(form: MultiDict[str, str]) -> EventEntry:
    """The event one of the forms enters; its raw line adds keys that have no field."""
    verb = form.get("verb", "")
    if verb not in VERBS:
        raise fail("verb", "expected_one_of", words=list(VERBS))
    event: EventEntry = {} if verb == "advance" else {"by": form.get("who", "")}
    event[verb] = _value(form, verb)
    for key in ("cause", "rolled"):
        if form.get(key):
            event[key] = form[key]
    if form.get("die"):
        event["die"] = form.get("die", type=whole)
    if form.get("extra"):
        event["extra"] = True
    if form.get("oust") and form.get("oust1") and form.get("oust2"):
        event["oust"] = {form["oust"]: [form["oust1"], form["oust2"]]}
    event |= _choices(form)
    if form.get("more", "").strip():
        more = parse(form["more"].encode())
        if not isinstance(more, dict):
            raise fail("more", "expected_mapping")
        event |= more
    return event


def _value(form: MultiDict[str, str], verb: str) -> Any:
    if verb == "bless":
        return [form.get("face1", ""), form.get("face2", "")]
    if verb == "offer":
        rows = range(1, OFFERED + 1)
        return [place for k in rows if (place := _placement(form, f"offer{k}-")) is not None]
    return form.get("value", "")


def _placement(form: MultiDict[str, str], prefix: str) -> JsonObject | None:
    if not form.get(f"{prefix}face"):
        return None
    place: JsonObject = {"face": form[f"{prefix}face"]}
    if form.get(f"{prefix}die"):
        place["die"] = form.get(f"{prefix}die", type=whole)
    for key in ("over", "player"):
        if form.get(f"{prefix}{key}"):
            place[key] = form[f"{prefix}{key}"]
    return place


def _choices(form: MultiDict[str, str]) -> JsonObject:
    choices: JsonObject = {}
    letters = [letter for letter in form.getlist("choose") if letter]
    if letters:
        choices["choose"] = letters if len(letters) > 1 else letters[0]
    if form.get("hammer", type=whole):
        choices["hammer"] = form.get("hammer", type=whole)
    if form.get("copy-player"):
        choices["copy"] = {"player": form["copy-player"], "die": form.get("copy-die", 1, type=whole)}
    for key in ("buy", "forge"):
        place = _placement(form, f"{key}-")
        if place is not None:
            choices[key] = place
    if form.get("convert"):
        choices["convert"] = True
    if form.get("reversed"):
        choices["order"] = [2, 1]
    gain = {letter: n for letter in RESOURCES if (n := form.get(f"gain-{letter}", type=whole))}
    if gain:
        choices["gain"] = gain
    return choices

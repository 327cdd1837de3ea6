"""A Dice Forge table on the page: who stands how, and the events that can be entered, with the names of
faces, feats and tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import MultiDict

from judge.core.errors import fail
from judge.core.messages import Lang
from judge.rules.dice_forge.catalog import RESOURCES
from judge.rules.dice_forge.written import PlayerReport, TurnReport
from judge.schemas.dice_forge.catalog import catalog, names
from judge.schemas.files import parse
from judge.schemas.shape import whole
from judge.services.dispute.case import Case
from judge.services.dispute.dice_forge.offers import faces_for_sale, feats, reinforcements, tokens
from judge.services.dispute.dice_forge.questions import question_about, sides
from judge.services.dispute.games import Now
from judge.web.dispute.place import Place

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


def forge(case: Case, place: Place, who: str, lang: Lang) -> dict[str, Any]:
    box, table = catalog(), case.data
    events = table.get("events") or []
    now: Now[PlayerReport, TurnReport] = case.now
    mine = now.players[who]
    asked = place.n or (len(events) if not place.before else 0)
    return {
        "strips": [
            Strip(name, k, state.gold, state.sun, state.moon, state.glory)
            for k, (name, state) in enumerate(now.players.items(), start=1)
        ],
        "faces": named_things("faces", box.faces, lang),
        "feats": named_things("feats", box.feats, lang),
        "tokens": named_things("tokens", box.tokens, lang),
        "reinforcements": mine.feats,
        "may_now": now.may.get(who, []),
        "asked": asked,
        "question": None,
        "forge_question": question_about(case, asked, lang) if asked else None,
        "own_dice": sides(mine.dice, lang),
        "feat_chips": feats(case, who, lang),
        "face_chips": faces_for_sale(case, who, lang),
        "more_chips": [*reinforcements(case, who, lang), *tokens(case, who, lang)],
        "resources": RESOURCES,
    }


def named_things(group: str, things: Any, lang: Lang) -> dict[str, str]:
    known = names().get(group, {})
    made = {name: known.get(name, {}).get(lang) or name for name in things}
    return dict(sorted(made.items(), key=lambda pair: pair[1]))


def event_from(form: MultiDict[str, str]) -> dict[str, Any]:
    """The event of one of the forms; the raw line adds what no field holds."""
    verb = form.get("verb", "")
    if verb not in VERBS:
        raise fail("verb", "expected_one_of", words=list(VERBS))
    event: dict[str, Any] = {} if verb == "advance" else {"by": form.get("who", "")}
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


def _placement(form: MultiDict[str, str], prefix: str) -> dict[str, Any] | None:
    if not form.get(f"{prefix}face"):
        return None
    place: dict[str, Any] = {"face": form[f"{prefix}face"]}
    if form.get(f"{prefix}die"):
        place["die"] = form.get(f"{prefix}die", type=whole)
    for key in ("over", "player"):
        if form.get(f"{prefix}{key}"):
            place[key] = form[f"{prefix}{key}"]
    return place


def _choices(form: MultiDict[str, str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    letters = [letter for letter in form.getlist("choose") if letter]
    if letters:
        made["choose"] = letters if len(letters) > 1 else letters[0]
    if form.get("hammer", type=whole):
        made["hammer"] = form.get("hammer", type=whole)
    if form.get("copy-player"):
        made["copy"] = {"player": form["copy-player"], "die": form.get("copy-die", 1, type=whole)}
    for key in ("buy", "forge"):
        place = _placement(form, f"{key}-")
        if place is not None:
            made[key] = place
    if form.get("convert"):
        made["convert"] = True
    if form.get("reversed"):
        made["order"] = [2, 1]
    gain = {letter: n for letter in RESOURCES if (n := form.get(f"gain-{letter}", type=whole))}
    if gain:
        made["gain"] = gain
    return made

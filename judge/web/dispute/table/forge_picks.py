"""Taps on an entered event of Dice Forge: a roll, a choice, a die to copy, a place for a face."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.datastructures import MultiDict

from judge.core.errors import fail
from judge.core.json_types import EventEntry
from judge.schemas.shape import whole
from judge.services.dispute.case import Case
from judge.services.dispute.dice_forge.offers import likely_spot
from judge.services.dispute.dice_forge.questions import VERBS, Players, state_before
from judge.services.dispute.entering import set_key

Form = MultiDict[str, str]
MOST_COPIED = 2


def picked(case: Case, n: int, form: Form) -> EventEntry:
    """The event with what was tapped."""
    do = PICKS.get(form.get("what", ""))
    if do is None:
        raise fail("what", "expected_one_of", words=list(PICKS))
    event, before = case.data["events"][n - 1], state_before(case, n)
    if not any(verb in event for verb in VERBS):
        raise fail("n", "expected_one_of", words=list(VERBS))
    if form.get("player") and form["player"] not in before:
        raise fail("player", "expected_one_of", words=list(before))
    return do(event, form, before)


def _listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, list) else [value]


def _short(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _choose(event: EventEntry, form: Form, before: Players) -> EventEntry:
    """One more choice; an empty one takes them all back."""
    letter = form.get("value", "")
    return set_key(event, "choose", _short([*_listed(event.get("choose")), letter]) if letter else None)


def _copy(event: EventEntry, form: Form, before: Players) -> EventEntry:
    """A die to copy. A third tap starts over; a die tapped twice is copied twice."""
    most = MOST_COPIED if "feat" in event else 1
    die = {"player": form.get("player", ""), "die": form.get("die", 1, type=whole)}
    copied = _listed(event.get("copy"))
    return set_key(event, "copy", _short([*copied, die] if len(copied) < most else [die]))


def _rolled(event: EventEntry, form: Form, before: Players) -> EventEntry:
    """One face of one's own dice: a minor blessing."""
    key = "minor" if "minor" in event else "rolled"
    return {**event, key: form.get("face", ""), "die": form.get("die", 1, type=whole)}


def _others_roll(event: EventEntry, form: Form, before: Players) -> EventEntry:
    """Both dice of another player who is ousted, or whom a feat makes roll."""
    who, faces = form.get("player") or next(iter(before)), [form.get("d1", ""), form.get("d2", "")]
    if form.get("what") == "oust":
        return {**event, "oust": {who: faces}}
    others = [roll for roll in _listed(event.get("rolls")) if who not in roll]
    order = list(before)
    rolls = sorted([*others, {who: faces}], key=lambda roll: order.index(next(iter(roll))))
    return {**event, "rolls": rolls}


def _place(event: EventEntry, form: Form, before: Players) -> EventEntry:
    """Which face goes where: the face it covers, another face, or another player's die."""
    key, k = form.get("key", ""), max(0, form.get("k", 0, type=whole))
    if key not in ("offer", "forge", "buy"):
        raise fail("key", "expected_one_of", words=["offer", "forge", "buy"])
    places = _listed(event.get(key))
    place = dict(places[k]) if 0 <= k < len(places) else {}
    if form.get("face"):
        place["face"] = form["face"]
    if form.get("player"):
        place["player"] = form["player"]
    owner = str(place.get("player") or event["by"])
    if form.get("over"):
        place |= {"die": form.get("die", 1, type=whole), "over": form["over"]}
    elif "over" not in place or form.get("player"):
        place |= likely_spot(before[owner].dice)
    places[k : k + 1] = [place]
    return {**event, key: places if key == "offer" else _short(places)}


def _another(event: EventEntry, form: Form, before: Players) -> EventEntry:
    """One more face in the same offering, over the next plain one."""
    dice = [list(die) for die in before[str(event["by"])].dice]
    offered = _listed(event.get("offer"))
    for place in offered:
        die = dice[place.get("die", 1) - 1]
        if place.get("over") in die:
            die[die.index(place["over"])] = place["face"]
    return {**event, "offer": [*offered, {"face": form.get("face", ""), **likely_spot(dice)}]}


def _drop(event: EventEntry, form: Form, before: Players) -> EventEntry:
    k = form.get("k", 0, type=whole)
    return {**event, "offer": [place for at, place in enumerate(_listed(event.get("offer"))) if at != k]}


def _hammer(event: EventEntry, form: Form, before: Players) -> EventEntry:
    return set_key(event, "hammer", form.get("value", 0, type=whole) or None)


def _flag(event: EventEntry, form: Form, before: Players) -> EventEntry:
    """Turn a flag of the event on or off."""
    name = form.get("value", "")
    if name == "reversed":
        return set_key(event, "order", None if event.get("order") else [2, 1])
    if name not in ("extra", "convert"):
        raise fail("value", "expected_one_of", words=["extra", "convert", "reversed"])
    return set_key(event, name, not event.get(name))


PICKS: dict[str, Callable[[EventEntry, Form, Players], EventEntry]] = {
    "choose": _choose, "copy": _copy, "rolled": _rolled, "rolls": _others_roll, "oust": _others_roll,
    "place": _place, "another": _another, "drop": _drop, "hammer": _hammer, "flag": _flag,
}  # fmt: skip

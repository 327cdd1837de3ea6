"""Things that no catalogue has, entered by numbers: a name, a kind, and what it does."""

from __future__ import annotations

from werkzeug.datastructures import MultiDict

from judge.core.errors import fail
from judge.core.json_types import EventEntry, JsonObject, TableFile
from judge.schemas.shape import whole
from judge.services.dispute.dice_throne.offers import rival_of
from judge.services.dispute.find_by_name import find_thing

COUNTS = ("deal", "add", "prevent", "heal", "gain_cp", "steal_cp", "draw")
FRACTIONS = {"half-prevented": {"prevent_fraction": "1/2"}, "half-returned": {"return_fraction": "1/2"}}
THINGS = ("attack", "ultimate", "defence", "roll", "main", "instant", "token", "other")


def event_from(form: MultiDict[str, str], table: TableFile) -> EventEntry:
    """The event; a `does` where the judge gave no kind."""
    who = form.get("who", "")
    kind = form.get("thing", "other")
    if kind not in THINGS:
        raise fail("thing", "expected_one_of", words=list(THINGS))
    name = " ".join(form.get("name", "").split())[:80]
    event: EventEntry = {"by": who, **_verb(kind, name, table)}
    on = form.get("on") or (rival_of(table, who) if kind in ("attack", "ultimate") else None)
    if on:
        event["on"] = on
    if kind in ("roll", "main", "instant"):
        event |= {"card": kind, "cost": form.get("cost", 0, type=whole) or 0}
    event["effects"] = effects_from(form, kind)
    if kind in ("roll", "instant") and form.get("add", 0, type=whole):
        event["modifier"] = True
    if form.get("when_attacked"):
        event["when_attacked"] = True
    return event


def _verb(kind: str, name: str, table: TableFile) -> EventEntry:
    word = find_thing(name, table.get("catalogue") or {}) or "unnamed"
    if kind == "attack":
        return {"activate": word}
    if kind == "ultimate":
        return {"activate": word, "kind": "ultimate"}
    if kind == "defence":
        return {"defend": word}
    if kind == "token":
        return {"spend": word}
    return {"does": name or "…"} if kind == "other" else {"play": word}


def effects_from(form: MultiDict[str, str], kind: str) -> list[JsonObject]:
    effects: list[JsonObject] = []
    for word in COUNTS:
        value = form.get(word, type=whole)
        if value:
            entry: JsonObject = {word: value}
            if word == "deal":
                usual = "ultimate" if kind == "ultimate" else "normal"
                entry["type"] = form.get("type") or usual
                if kind not in ("attack", "ultimate"):
                    entry["to"] = form.get("to") or "attacker"
            effects.append(entry)
    effects += [dict(effect) for name, effect in FRACTIONS.items() if form.get(name)]
    if form.get("avoid"):
        effects.append({"avoid": "all"})
    for word in ("gain", "inflict"):
        effects += [{word: status} for status in form.getlist(word) if status]
    return effects


def word_for(form: MultiDict[str, str], event: EventEntry, lang: str) -> tuple[str, JsonObject] | None:
    """What was entered, as an entry of the event's own catalogue: the next judge finds it by name."""
    name = " ".join(form.get("name", "").split())[:80]
    kind = form.get("thing", "other")
    if not name or kind == "other":
        return None
    entry: JsonObject = {"names": {lang: name}, "effects": event["effects"]}
    if kind in ("attack", "ultimate", "defence"):
        entry["kind"] = {"attack": "offensive", "defence": "defensive"}.get(kind, kind)
        return "ability", entry
    if kind == "token":
        return "status", {**entry, "spendable": True, "polarity": "positive"}
    entry |= {"kind": kind, "cost": event["cost"]}
    if event.get("modifier"):
        entry["attack_modifier"] = True
    if event.get("when_attacked"):
        entry["when_attacked"] = True
    return "card", entry

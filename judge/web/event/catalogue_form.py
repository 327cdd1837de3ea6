"""The simple form of a catalogue word: name, kind, cost and the most common effects. A word that does more is
edited as YAML.
"""

from __future__ import annotations

from collections.abc import Mapping

from judge.core.json_types import JsonObject
from judge.web.frame.forms import stripped

NUMBERS = ("deal", "add", "prevent", "heal", "gain_cp", "steal_cp", "draw")
STATUSES = ("gain", "inflict", "remove")
HALVES = ("prevent_fraction", "return_fraction")
SIMPLE_KEYS = {
    "ability": {"id", "names", "kind", "effects", "applies_to"},
    "card": {"id", "names", "kind", "cost", "effects", "attack_modifier", "upgrades", "level"},
    "status": {"id", "names", "polarity", "stack_limit", "spendable", "effects"},
}


def is_simple(kind: str, entry: JsonObject) -> bool:
    """Whether the form can show the whole entry."""
    if kind not in SIMPLE_KEYS or set(entry) - SIMPLE_KEYS[kind] or entry.get("kind") == "upgrade":
        return False
    words = [next(iter(effect), "") for effect in entry.get("effects") or ()]
    return len(set(words)) == len(words) and all(map(_is_simple_effect, entry.get("effects") or ()))


def _is_simple_effect(effect: JsonObject) -> bool:
    word = next(iter(effect), "")
    if word in NUMBERS:
        return isinstance(effect[word], int) and set(effect) <= {word, "type"}
    if word in STATUSES:
        return set(effect) <= {word, "count"}
    return word in HALVES and set(effect) == {word} and effect[word] == "1/2"


def form_of(kind: str, entry: JsonObject) -> dict[str, str]:
    """The values of the form for an entry."""
    names = entry.get("names") or {}
    values = {f"name_{lang}": names.get(lang) or "" for lang in ("en", "fr", "ru")}
    for key in ("kind", "cost", "polarity", "stack_limit", "applies_to"):
        values[key] = "" if entry.get(key) is None else str(entry[key])
    values["attack_modifier"] = "1" if entry.get("attack_modifier") else ""
    values["spendable"] = "1" if entry.get("spendable") else ""
    for effect in entry.get("effects") or () if is_simple(kind, entry) else ():
        word = next(iter(effect))
        values[word] = "1" if word in HALVES else str(effect[word])
        if word == "deal":
            values["type"] = effect.get("type", "normal")
        if word in STATUSES:
            values[f"{word}_count"] = str(effect.get("count", 1))
    return values


def entry_from(kind: str, form: Mapping[str, str], old: JsonObject) -> JsonObject:
    """The entry of a sent form; the schema refuses wrong numbers later."""
    entry: JsonObject = {"id": old.get("id", "")}
    entry["names"] = {
        lang: text for lang in ("en", "fr", "ru") if (text := stripped(form.get(f"name_{lang}", "")))
    }
    for key in ("kind", "polarity", "applies_to"):
        if form.get(key):
            entry[key] = form[key]
    for key in ("cost", "stack_limit"):
        if form.get(key, "").strip():
            entry[key] = _number(form[key])
    for key in ("attack_modifier", "spendable"):
        if form.get(key):
            entry[key] = True
    entry["effects"] = effects_from(form)
    if kind == "status" and not entry["effects"]:
        del entry["effects"]
    return entry


def effects_from(form: Mapping[str, str]) -> list[JsonObject]:
    effects: list[JsonObject] = []
    for word in NUMBERS:
        if form.get(word, "").strip():
            effect: JsonObject = {word: _number(form[word])}
            if word == "deal":
                effect["type"] = form.get("type", "normal")
            effects.append(effect)
    effects += [{word: "1/2"} for word in HALVES if form.get(word)]
    for word in STATUSES:
        if status := stripped(form.get(word, "")):
            effect = {word: status}
            count = form.get(f"{word}_count", "").strip()
            if count not in ("", "1"):
                effect["count"] = _number(count)
            effects.append(effect)
    return effects


def _number(text: str) -> int | str:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else text

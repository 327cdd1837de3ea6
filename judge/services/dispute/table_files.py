"""A table as the file that `judge rule` and `judge check` read."""

from __future__ import annotations

from typing import Any

import yaml

from judge.services.dispute.dice_throne.questions import verb_of

ORDER = (
    "id", "title", "note", "game", "edition", "mode", "players", "teams", "pools", "piles", "sets", "boars",
    "turn", "events", "claims", "rulings", "catalogue", "expect",
)  # fmt: skip
# What decides a case; sentences and citations may be worded better later.
DECIDING = ("order", "resolutions", "players", "outcome", "discretion")


def in_order(table: dict[str, Any]) -> dict[str, Any]:
    known = {key: table[key] for key in ORDER if key in table}
    if known.get("events"):
        known["events"] = [tidy_event(event) for event in known["events"]]
    return {**known, **{key: value for key, value in table.items() if key not in known}}


def tidy_event(event: dict[str, Any]) -> dict[str, Any]:
    """The event as people write it: who, what, on whom, then the rest."""
    if "collide" in event:
        return {"collide": [tidy_event(one) for one in event["collide"]], **_rest(event, ("collide",))}
    verb = verb_of(event)
    first = tuple(key for key in ("by", verb, "on") if key in event)
    return {**{key: event[key] for key in first}, **_rest(event, first)}


def _rest(event: dict[str, Any], first: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key not in first}


class _Plain(yaml.SafeDumper):
    """Short things on one line, words that YAML 1.1 takes for truth values in quotes, no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def as_yaml(value: dict[str, Any]) -> str:
    tree = {"tables": [in_order(t) for t in value["tables"]]} if "tables" in value else in_order(value)
    text: str = yaml.dump(
        tree, Dumper=_Plain, allow_unicode=True, sort_keys=False, width=120, default_flow_style=None
    )
    return text


def with_expectation(table: dict[str, Any], ruling: dict[str, Any]) -> dict[str, Any]:
    """The table as a case: what was ruled is what is expected."""
    expect: dict[str, Any] = {"events": [{"verdict": event["verdict"]} for event in ruling["events"]]}
    expect.update({key: ruling[key] for key in DECIDING if ruling.get(key)})
    return {**{k: v for k, v in table.items() if k != "expect"}, "expect": expect}

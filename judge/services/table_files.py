"""A table as the file that `judge rule` and `judge check` read."""

from __future__ import annotations

from typing import Any

import yaml

ORDER = (
    "id", "title", "note", "game", "edition", "mode", "players", "teams", "pools", "piles", "sets", "boars",
    "turn", "events", "claims", "rulings", "catalogue", "expect",
)  # fmt: skip
# What decides a case; sentences and citations may be worded better later.
DECIDING = ("order", "resolutions", "players", "outcome", "discretion")


def in_order(table: dict[str, Any]) -> dict[str, Any]:
    known = {key: table[key] for key in ORDER if key in table}
    return {**known, **{key: value for key, value in table.items() if key not in known}}


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

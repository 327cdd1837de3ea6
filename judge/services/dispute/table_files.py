"""Writes table files that `judge rule` and `judge check` read."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from judge.core.games import DICE_THRONE, GAME_IDS
from judge.core.json_types import EventEntry, JsonObject, TableFile
from judge.schemas.dice_throne.shipped import hero_meant
from judge.services.dispute.games import game_of

if TYPE_CHECKING:  # a cold start need not load it
    from judge.rules.ruling_json import RulingJson

ORDER = (
    "id", "title", "note", "game", "edition", "mode", "players", "teams", "pools", "piles", "sets", "boars",
    "turn", "events", "claims", "rulings", "catalogue", "expect",
)  # fmt: skip
# What decides a case; sentences and citations may be worded better later.
DECIDING = ("order", "resolutions", "players", "outcome", "discretion")


def in_order(table: TableFile) -> TableFile:
    ordered = {key: table[key] for key in ORDER if key in table}
    if ordered.get("events"):
        ordered["events"] = [tidy_event(event) for event in ordered["events"]]
    return {**ordered, **{key: value for key, value in table.items() if key not in ordered}}


def with_hero_ids(table: TableFile) -> TableFile:
    """The table with the ids of heroes that it writes by name; one with its own catalogue stays as it is."""
    players = table.get("players")
    if table.get("game") != DICE_THRONE or "catalogue" in table or not isinstance(players, list):
        return table
    named = [
        {**player, "hero": hero_meant(player, None)}
        if isinstance(player, dict) and "hero" in player
        else player
        for player in players
    ]
    return {**table, "players": named}


@cache
def _verbs() -> frozenset[str]:
    return frozenset(verb for game_id in GAME_IDS for verb in game_of(game_id).verbs)


def verb_of(event: EventEntry) -> str:
    """The verb of an event of any game; empty where it has none yet.

    `choose` is a verb by itself in one game, and goes with other verbs in another.
    """
    verbs = [key for key in event if key in _verbs()]
    return min(verbs, key=lambda verb: verb == "choose", default="")


def tidy_event(event: EventEntry) -> EventEntry:
    """The event with its keys in the order people write them: who, what, on whom, then the rest."""
    if "collide" in event:
        return {"collide": [tidy_event(action) for action in event["collide"]], **_rest(event, ("collide",))}
    verb = verb_of(event)
    first = tuple(key for key in ("by", verb, "on") if key in event)
    return {**{key: event[key] for key in first}, **_rest(event, first)}


def _rest(event: EventEntry, first: tuple[str, ...]) -> EventEntry:
    return {key: value for key, value in event.items() if key not in first}


class _Plain(yaml.SafeDumper):
    """Writes short values on one line, quotes words that YAML 1.1 takes for truth values, uses no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def as_yaml(value: JsonObject) -> str:
    tree = {"tables": [in_order(t) for t in value["tables"]]} if "tables" in value else in_order(value)
    text: str = yaml.dump(
        tree, Dumper=_Plain, allow_unicode=True, sort_keys=False, width=120, default_flow_style=None
    )
    return text


def with_expectation(table: TableFile, ruling: RulingJson) -> TableFile:
    """The table as a case that expects this ruling."""
    expect: JsonObject = {"events": [{"verdict": event["verdict"]} for event in ruling["events"]]}
    expect.update({key: value for key, value in ruling.items() if key in DECIDING and value})
    return {**{k: v for k, v in table.items() if k != "expect"}, "expect": expect}

"""Hostile tables: each is ruled or refused with a place, at once, and nothing else ever happens."""

import copy
import json
import random
import time
from typing import Any

import pytest
from hypothesis import given, settings, strategies

from judge.core.errors import InputError
from judge.schemas.files import parse
from judge.services.dispute.rulings import rule_file

SECONDS = 1.0
THRONE: dict[str, Any] = {
    "id": "a", "title": "t", "note": "n", "game": "dice-throne", "edition": "fr-2.4.1", "mode": "duel",
    "players": [
        {"id": "A", "hero": "barbarian", "cp": 2, "upgrades": {"smack": 2}},
        {"id": "B", "hero": "x", "statuses": {"protect": 1}, "die": list("abcdef"), "limits": {"protect": 3}},
    ],
    "turn": {"active": "A", "phase": "offensive-roll", "attempts": 1, "dice": [1, 2, 3, 4, 5]},
    "events": [
        {"by": "A", "activate": "strike", "on": "B", "needs": {"symbols": {"a": 1}},
         "effects": [{"deal": 5, "type": "normal"}, {"roll": 1, "on": {"1": [{"heal": 1}]}},
                     {"if": {"sum_at_least": 3}, "effects": [{"gain": "protect"}]}], "dice": [3]},
        {"by": "B", "spend": "protect", "effects": [{"prevent_fraction": "1/2"}], "against": 1},
        {"collide": [{"by": "A", "sell": 1}, {"by": "B", "play": "y", "card": "instant", "cost": 0,
                                              "effects": [{"draw": 1}], "choice": 1}]},
        {"advance": "main-2"},
    ],
    "claims": [{"by": "B", "player": "B", "final": 3}],
    "catalogue": {"statuses": [{"id": "s", "names": {"en": "S"}, "stack_limit": 2, "effects": [{"add": 1}]}],
                  "heroes": [{"id": "x", "abilities": [{"id": "z", "activation": {"kind": 3}}]}]},
    "rulings": {"J-03": "a"},
}  # fmt: skip
FORGE: dict[str, Any] = {
    "game": "dice-forge", "edition": "fr-1",
    "players": [{"id": "A", "gold": 3, "feats": ["gorgon"], "hammer": {"lap": 1, "position": 2}, "island": 2},
                {"id": "B", "tokens": {"triton": 1}, "dice": [["G1"] * 6, ["G1"] * 6]}],
    "turn": {"active": "A", "first": "A", "step": 3, "round": 2},
    "pools": {"P12": ["V4"]}, "piles": {"hydra": 1}, "sets": {"S4": "gorgon"},
    "events": [
        {"by": "A", "offer": [{"face": "G3", "die": 1, "over": "G1"}]},
        {"by": "B", "bless": ["G1", "G1"], "order": [2, 1], "choose": "G", "hammer": 2},
        {"by": "A", "feat": "satyrs", "rolls": [{"B": ["G1", "G1"]}], "copy": {"player": "B", "die": 1}},
        {"by": "A", "does": "x", "gain": {"G": 1}},
        {"advance": "step"},
    ],
    "claims": [{"by": "A", "player": "A", "gold": 3}],
}  # fmt: skip
HOSTILE: dict[str, Any] = {
    "digits": 10**17, "negative": -(10**17), "fraction-exponent": "1e10000000", "fraction-zero": "1/0",
    "fraction-digits": "1/" + "9" * 5000, "digit-run": "9" * 5000, "superscript": "²", "two-signs": "--5",
    "full-width": "５", "nul": "a\x00b", "surrogate": "\ud800", "escape": "\x1b[2J", "sharp-s": "ß" * 80,
    "long": "x" * 100_000, "empty": "", "truth": True, "lie": False, "nothing": None, "decimal": 0.1,
    "huge-decimal": 1e300, "long-list": [1] * 20_000, "lists": [[]] * 1000,
    "long-mapping": {str(n): 1 for n in range(5_000)},
    "events": [{"by": "A", "sell": 1}] * 4000, "claims": [{"by": "A", "player": "B", "final": 1}] * 20_000,
    "effects": [{"gain": "protect"}] * 20_000, "billion": {"G": 10**9}, "mapping": {}, "list": [],
    "deep-effects": json.loads('[{"then": ' * 25 + "[]" + "}]" * 25),
    "deep-list": json.loads("[" * 58 + "]" * 58), "prose": "the sum is at least " + "9" * 5000,
    "prose-digits": "²²² of a kind", "word": "max", "regex": "a" * 3000 + "!",
}  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a table."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in items for place in places(inner, (*path, key)))]


def with_value(table: Any, path: tuple[Any, ...], value: Any) -> Any:
    table = copy.deepcopy(table)
    inside = table
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return table


def is_answered(table: Any) -> bool:
    """A ruling that can be sent and stored, or a refusal that names places; and within the time."""
    began = time.process_time()
    try:
        answer = json.dumps(rule_file(table), allow_nan=False, ensure_ascii=False).encode()
    except InputError as error:
        answer = error.problems[0].path.encode(errors="replace")
    return isinstance(answer, bytes) and time.process_time() - began < SECONDS


@pytest.mark.parametrize("table", [THRONE, FORGE], ids=["dice-throne", "dice-forge"])
def test_the_tables_that_are_damaged_here_are_themselves_sound(table):
    assert rule_file(copy.deepcopy(table))["events"]


@pytest.mark.parametrize("table", [THRONE, FORGE], ids=["dice-throne", "dice-forge"])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_value_at_any_place_is_ruled_or_refused(table, name):
    for path in places(table):
        if path:
            assert is_answered(with_value(table, path, HOSTILE[name])), path


WORDS = ["A", "B", "G1", "deal", "protect", "1/2", "max"]
KEYS = ["by", "id", "on", "effects", "deal", "gain", "if", "roll", "choose", "then"]
scalars = (
    strategies.none()
    | strategies.booleans()
    | strategies.integers()
    | strategies.floats()
    | strategies.text(max_size=8)
    | strategies.sampled_from(WORDS)
)
keys = strategies.text(max_size=4) | strategies.sampled_from(KEYS)
anything = strategies.recursive(
    scalars,
    lambda inner: strategies.lists(inner, max_size=4) | strategies.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=500, deadline=None)
@given(anything, strategies.integers(0, 2**32), strategies.sampled_from([THRONE, FORGE]))
def test_any_value_at_any_place_is_ruled_or_refused(value, seed, table):
    chance = random.Random(seed)
    assert is_answered(with_value(table, chance.choice(places(table)[1:]), value))


@settings(max_examples=300, deadline=None)
@given(anything)
def test_anything_in_place_of_a_table_is_ruled_or_refused(value):
    assert is_answered(value)


@pytest.mark.parametrize(
    "text",
    [b'{"game": "dice-throne", "events": [' + b'{"by": "A", "sell": 1},' * 300_000 + b"{}]}",
     b"{" + b",".join(b'"k%d": 1' % n for n in range(300_000)) + b', "k1": 2}',
     b"game: dice-throne\nplayers: [" + b"{id: A}, " * 100_000 + b"]",
     b"[" * 200 + b"]" * 200, b"{" * 5000, b'"' + b"\\u0000" * 100_000 + b'"', b"a: " + b"[" * 1000,
     b"9" * 5_000_000],
    ids=["events", "keys", "players", "deep", "braces", "nul", "flow", "digits"],
)  # fmt: skip
def test_a_large_hostile_file_is_refused(text):
    with pytest.raises(InputError):
        rule_file(parse(text))

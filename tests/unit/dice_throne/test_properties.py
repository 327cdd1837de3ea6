"""What holds for every Dice Throne dispute, shown on thousands of made-up ones."""

import json
import os
import subprocess
import sys
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table
from judge.services.dispute.rulings import rule_table
from tests.unit.dice_throne.naive import Sum

settings.register_profile("throne", deadline=None, max_examples=60)
settings.load_profile("throne")

EDITIONS = st.sampled_from(["fr-2.2", "ru-2.2", "fr-2.4.1"])
ANSWERS = st.lists(
    st.one_of(
        st.builds(lambda n: ("add", n), st.integers(0, 12)),
        st.builds(lambda n: ("prevent", n), st.integers(0, 12)),
        st.just(("half", 0)),
        st.just(("return", 0)),
    ),
    max_size=7,
)


def answer(kind: str, n: int) -> dict[str, Any]:
    if kind == "add":
        return {
            "by": "A",
            "play": "boost",
            "card": "roll",
            "cost": 0,
            "modifier": True,
            "effects": [{"add": n}],
        }
    words = {
        "prevent": {"prevent": n},
        "half": {"prevent_fraction": "1/2"},
        "return": {"return_fraction": "1/2"},
    }
    return {"by": "B", "play": kind, "card": "roll", "cost": 0, "effects": [words[kind]]}


def dispute(dealt: int, answers: list[tuple[str, int]], edition: str, **more: Any) -> dict[str, Any]:
    strike = {"by": "A", "activate": "strike", "on": "B", "effects": [{"deal": dealt, "type": "normal"}]}
    return {
        "game": "dice-throne",
        "edition": edition,
        "players": [
            {"id": "A", "hand": 20, **more.get("a", {})},
            {"id": "B", "hand": 20, **more.get("b", {})},
        ],
        "turn": {"active": "A"},
        "events": [strike, *(answer(*a) for a in answers), *more.get("events", [])],
    }


def totals(table: dict[str, Any]) -> dict[str, Any]:
    numbers = ("incoming", "subtotal", "fractions", "final", "healed")
    return {
        name: {number: getattr(total, number) for number in numbers}
        for name, total in rule(read_table(table)).resolutions[0].totals.items()
    }


@given(st.integers(1, 40), ANSWERS, EDITIONS, st.integers(0, 2), st.booleans())
def test_the_engine_agrees_with_the_naive_calculator(dealt, answers, edition, wither, bounty):
    statuses = {"wither": wither} if wither else {}
    table = dispute(
        dealt, answers, edition, a={"statuses": statuses}, b={"statuses": {"bounty": int(bounty)}}
    )
    naive = Sum(
        dealt,
        added=[n for kind, n in answers if kind == "add"],
        prevented=[n for kind, n in answers if kind == "prevent"],
        halves=sum(kind == "half" for kind, _ in answers),
        returns=sum(kind == "return" for kind, _ in answers),
        wither=wither,
        bounty=int(bounty),
    ).work_out()

    found = totals(table)

    assert {k: found["B"][k] for k in ("subtotal", "fractions", "final")} == {
        k: naive[k] for k in ("subtotal", "fractions", "final")
    }
    assert found.get("A", {"final": 0})["final"] == naive["returned"]


@given(st.integers(1, 40), ANSWERS, EDITIONS, st.randoms())
def test_the_order_of_answers_never_matters(dealt, answers, edition, random):
    shuffled = list(answers)
    random.shuffle(shuffled)

    one, other = totals(dispute(dealt, answers, edition)), totals(dispute(dealt, shuffled, edition))

    assert one == other


@given(st.integers(1, 40), ANSWERS, EDITIONS)
def test_nobody_takes_less_than_nothing_and_halves_never_change_the_return(dealt, answers, edition):
    without = [a for a in answers if a[0] != "half"]

    found, bare = totals(dispute(dealt, answers, edition)), totals(dispute(dealt, without, edition))

    assert all(total["final"] >= 0 for total in found.values())
    assert found.get("A", {}).get("final", 0) == bare.get("A", {}).get("final", 0)


ILLEGAL = st.sampled_from(
    [
        {"by": "A", "upgrade": "x", "level": 2, "cost": 0},
        {"by": "B", "sell": 1},
        {"by": "B", "spend": "crit"},
        {"by": "A", "roll": [1, 2, 3, 4, 5]},
        {"by": "B", "play": "dear", "card": "instant", "cost": 99, "effects": [{"gain": "protect"}]},
        {"by": "B", "activate": "x", "effects": [{"deal": 9}]},
        {"by": "A", "defend": "x", "effects": [{"prevent": 9}]},
        {"by": "A", "choose": 1},
        {"by": "B", "play": "late", "card": "main", "cost": 0, "effects": [{"heal": 9}]},
    ]
)


@given(st.integers(1, 20), ANSWERS, EDITIONS, ILLEGAL, st.integers(0, 9))
def test_an_illegal_event_leaves_no_trace(dealt, answers, edition, illegal, place):
    table = dispute(dealt, answers, edition)
    place = 1 + place % len(table["events"])
    marred = {**table, "events": [*table["events"][:place], illegal, *table["events"][place:]]}

    clean, dirty = rule(read_table(table)), rule(read_table(marred))

    assert dirty.events[place].verdict == "illegal"
    assert dirty.players == clean.players
    assert dirty.resolutions == clean.resolutions
    assert (dirty.turn, dirty.may, dirty.lost) == (clean.turn, clean.may, clean.lost)


@given(st.integers(1, 9), ANSWERS, EDITIONS)
def test_undoing_the_last_event_equals_never_having_entered_it(dealt, answers, edition):
    from judge.services.dispute.rulings import cut

    table = dispute(dealt, answers, edition)
    longer = {**table, "events": [*table["events"], {"advance": "turn"}]}

    assert rule_table(cut(longer, len(table["events"]))) == rule_table(table)


def test_the_same_table_gives_the_same_bytes_in_fresh_processes(tmp_path):
    path = tmp_path / "table.json"
    path.write_text(json.dumps(dispute(18, [("half", 0), ("prevent", 3), ("return", 0)], "fr-2.4.1")))

    def bytes_of(seed: str) -> bytes:
        command = [sys.executable, "-m", "judge.cli", "rule", str(path), "--json"]
        return subprocess.run(
            command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout

    assert bytes_of("1") == bytes_of("2")

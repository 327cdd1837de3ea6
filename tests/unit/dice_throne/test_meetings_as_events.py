"""Actions that meet are actions like any other: entered one after the other in the order found, they leave
the same table. Random tables in every mode and book."""

from random import Random
from typing import Any

import pytest

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table

TOKENS = [
    "protect", "evasive", "retribution", "crit", "accuracy", "reload", "poison", "burn", "knockdown",
    "bounty", "wither", "powder-keg", "parley", "concussion",
]  # fmt: skip
SIZES = {"duel": 2, "2v2": 4, "king-of-the-hill": 3}
TIMES = ("instant", "roll", "main")


def seats(random: Random, mode: str) -> list[dict[str, Any]]:
    players = []
    for n, name in enumerate("ABCD"[: SIZES[mode]]):
        held = dict.fromkeys(random.sample(TOKENS, random.randint(0, 4)), 1)
        player = {"id": name, "cp": random.randint(0, 6), "hand": random.randint(0, 5), "statuses": held}
        if mode == "2v2":
            player["team"] = "red" if n < 2 else "blue"
        else:
            player["health"] = random.choice([35, 12, 5])
        players.append(player)
    return players


def action(random: Random, names: list[str]) -> dict[str, Any]:
    by, other = random.choice(names), random.choice(names)
    number = random.randint(1, 6)
    time = random.choice(TIMES)
    made_up = {"by": by, "play": "trick", "card": time, "cost": number % 3, "on": other}
    return random.choice(
        [
            {"by": by, "spend": random.choice(["protect", "retribution", "crit", "accuracy"])},
            {"by": by, "spend": random.choice(["evasive", "reload"]), "dice": [number]},
            {"by": by, "play": "buh-bye", "on": other},
            {"by": by, "play": "getting-paid"},
            {"by": by, "play": "not-this-time", "on": other},
            {"by": by, "play": "what-status-effects", "on": other},
            {"by": by, "play": "transference", "on": [by, other]},
            {"by": by, "sell": 1},
            {"by": by, "upgrade": "ability", "level": 2, "cost": number % 3},
            {"by": by, "defend": "guard", "effects": [{"prevent": number}, {"deal": 1, "to": "attacker"}]},
            {"by": by, "does": "rests", "effects": [{"heal": number}]},
            {**made_up, "effects": [{"steal_cp": 2}]},
            {**made_up, "effects": [{"deal": number, "to": "chosen-player"}]},
            {**made_up, "effects": [{"add": number}], "modifier": True},
        ]
    )


def meeting(random: Random) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
    """A table, the events before the meeting, and the actions that meet."""
    mode = random.choice(list(SIZES))
    phase = random.choice(["offensive-roll", "offensive-roll", "main-1", "upkeep"])
    table = {
        "game": "dice-throne", "edition": random.choice(["fr-2.2", "ru-2.2", "fr-2.4.1"]), "mode": mode,
        "players": seats(random, mode), "turn": {"active": "A", "phase": phase},
    }  # fmt: skip
    names = list("ABCD"[: SIZES[mode]])
    before = []
    if phase == "offensive-roll":
        kind = random.choice(["normal", "undefendable", "pure"])
        damage = {"deal": random.randint(1, 12), "type": kind}
        before = [{"by": "A", "activate": "strike", "on": names[SIZES[mode] // 2], "effects": [damage]}]
    return table, before, [action(random, names) for _ in range(random.choice([2, 2, 3]))]


@pytest.mark.parametrize("seed", range(10))
def test_in_the_order_found_plain_events_leave_the_same_table(seed):
    compared = 0
    for n in range(60):
        random = Random(seed * 1000 + n)
        table, before, actions = meeting(random)
        timing = random.choice(["at-once", "in-answer"])

        met = rule(read_table({**table, "events": [*before, {"collide": actions, "timing": timing}]}))

        order = met.order[0]
        if "no effect" in order.outcomes or met.discretion:
            continue  # what came too late is paid for nothing; a plain event would simply be refused
        outcomes = zip(order.sequence, order.outcomes, strict=True)
        resolved = [actions[place - 1] for place, outcome in outcomes if outcome == "resolves"]
        one_by_one = rule(read_table({**table, "events": [*before, *resolved]}))
        assert [event.verdict for event in one_by_one.events[len(before) :]] == ["legal"] * len(resolved)
        assert one_by_one.players == met.players
        assert one_by_one.extra.teams == met.extra.teams
        assert one_by_one.outcome == met.outcome
        compared += 1
    assert compared > 20

"""The Dice Throne engine: a worked dispute against a bare function, long games, a cold command."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from judge.rules.dice_throne import rule
from judge.rules.dice_throne.flow.engine import ThroneRuling
from judge.rules.dice_throne.state.table import Table
from judge.schemas.dice_throne.table import read_table

DISPUTE: dict[str, Any] = {
    "id": "worked-dispute", "game": "dice-throne", "edition": "fr-2.4.1", "mode": "duel",
    "players": [
        {"id": "A", "hero": "barbarian", "health": 50, "cp": 2},
        {"id": "B", "hero": "paladin", "health": 50, "cp": 1, "statuses": {"retribution": 1, "protect": 1}},
    ],
    "turn": {"active": "A"},
    "events": [
        {"by": "A", "activate": "overpower", "on": "B", "effects": [{"deal": 18, "type": "normal"}]},
        {"by": "B", "spend": "retribution"},
        {"by": "B", "spend": "protect"},
        {"by": "B", "defend": "divine-defense", "effects": [{"prevent": 3}, {"gain": "protect"}]},
        {"by": "A", "play": "get-some", "card": "roll", "cost": 2, "modifier": True,
         "effects": [{"add": 5}, {"inflict": "concussion"}]},
        {"by": "B", "play": "absolution", "card": "roll", "cost": 1, "when_attacked": True,
         "effects": [{"prevent": 3}]},
        {"by": "B", "spend": "protect"},
    ],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Traced:
    says: str
    rule: str
    event: int
    value: int


HALF = Fraction(1, 2)
SUM = [
    ("deal", 18),
    ("return", HALF),
    ("share", HALF),
    ("prevent", 3),
    ("add", 5),
    ("prevent", 3),
    ("share", HALF),
]


def bare(events: list[tuple[str, Any]] = SUM) -> tuple[int, int, list[Traced]]:
    """The three steps over the same seven events, with 8 traced records: the sum without an engine."""
    trace: list[Traced] = []
    subtotal = 0
    for n, (kind, amount) in enumerate(events, start=1):
        if kind in ("deal", "add", "prevent"):
            change = -amount if kind == "prevent" else amount
            subtotal += change
            trace.append(Traced(kind, "DT-DMG-02", n, change))
    final, returned = subtotal, 0
    for n, (kind, share) in enumerate(events, start=1):
        if kind in ("share", "return"):
            part = ceil(max(subtotal, 0) * share)
            trace.append(Traced(kind, "DT-DMG-04", n, part))
            if kind == "share":
                final -= part
            else:
                returned += part
    trace.append(Traced("final", "DT-DMG-06", 0, max(final, 0)))
    return max(final, 0), returned, trace


def best(work: Callable[[], Any], times: int, rounds: int = 7) -> float:
    """Seconds per call: the fastest of several rounds, so that neighbours on the machine count least."""
    result = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(times):
            work()
        result = min(result, (time.perf_counter() - start) / times)
    return result


Work = Callable[[], Any]


def pair(one: Work, other: Work, times: tuple[int, int], rounds: int) -> tuple[float, float]:
    """The best of both, measured in turn, so that a busy neighbour slows both alike."""
    ones, others = [], []
    for _ in range(rounds):
        ones.append(best(one, times[0], 1))
        others.append(best(other, times[1], 1))
    return min(ones), min(others)


def long_game(events: int) -> dict[str, Any]:
    turn = [
        {"advance": "offensive-roll"},
        {"by": "A", "roll": [1, 1, 1, 2, 6]},
        {"by": "A", "activate": "strike", "on": "B", "effects": [{"deal": 2, "type": "normal"}]},
        {"by": "B", "defend": "guard", "effects": [{"prevent": 2}, {"gain": "protect"}]},
        {"by": "B", "spend": "protect"},
        {"by": "B", "play": "nothing", "card": "instant", "cost": 0, "effects": [{"draw": 1}]},
        {"advance": "main-2"},
        {"advance": "turn"},
        {"advance": "turn"},
        {"by": "A", "does": "counts", "effects": []},
    ]
    game = {"game": "dice-throne", "edition": "fr-2.4.1", "players": [{"id": "A"}, {"id": "B"}]}
    return {**game, "turn": {"active": "A", "phase": "upkeep"}, "events": turn * (events // len(turn))}


def whole_game(turns: int) -> Table:
    """A duel turn by turn: income, two attempts, an Attack, a defence, Upkeep damage."""
    events: list[dict[str, Any]] = []
    for n in range(turns):
        me, you = ("A", "B") if n % 2 == 0 else ("B", "A")
        events += [
            {"advance": "main-1"},
            {"advance": "offensive-roll"},
            {"by": me, "roll": [1, 1, 2, 4, 6]},
            {"by": me, "roll": [1, 1, 2, 1, 6], "reroll": [4]},
            {"by": me, "announce": "strike", "needs": {"kind": 3}},
            {"by": me, "activate": "strike", "on": you, "effects": [{"deal": 4}, {"inflict": "poison"}]},
            {"by": you, "defend": "guard", "effects": [{"prevent": 3}, {"heal": 4}]},
            {"by": you, "play": "shield", "card": "roll", "cost": 0, "effects": [{"prevent": 1}]},
            {"advance": "turn"},
        ]
    game = {"game": "dice-throne", "edition": "fr-2.4.1", "players": [{"id": "A"}, {"id": "B"}]}
    start = {"active": "A", "phase": "upkeep", "first": True}
    return read_table({**game, "turn": start, "events": events})


def everything(ruling: ThroneRuling) -> None:
    """Ask a ruling for what it works out only then."""
    _ = ruling.may
    for resolution in ruling.resolutions:
        for total in resolution.totals.values():
            total.deciding()
            total.parts()


def cold() -> tuple[float, float]:
    """New processes that find their byte code, as an installed program does."""
    import json

    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.json"
        path.write_text(json.dumps(DISPUTE))
        judge = [sys.executable, "-m", "judge.cli", "rule", str(path)]
        world = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        world.pop("PYTHONDONTWRITEBYTECODE", None)

        def run(command: list[str]) -> None:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=world)

        run(judge)
        return pair(lambda: run(judge), lambda: run([sys.executable, "-c", "pass"]), (1, 1), 7)


def ratios() -> Iterator[tuple[str, float, float | None, str]]:
    table = read_table(DISPUTE)
    engine, floor = pair(lambda: rule(table), bare, (5, 50), 400)
    yield (
        "worked dispute / bare function with 8 traced records",
        engine / floor,
        9,
        (f"{engine * 1e6:.0f} us against {floor * 1e6:.1f} us"),
    )
    whole, floor = pair(lambda: everything(rule(table)), bare, (5, 50), 400)
    yield (
        "the same with what is worked out only when asked: open verbs, deciding rules, parts of sums",
        whole / floor,
        None,
        (f"{whole * 1e6:.0f} us against {floor * 1e6:.1f} us"),
    )
    many, few = read_table(long_game(2000)), read_table(long_game(200))
    slow, quick = pair(lambda: rule(many), lambda: rule(few), (1, 10), 30)
    yield "2000 events / 200 events", slow / quick, 10.5, f"{slow * 1e3:.0f} ms against {quick * 1e3:.1f} ms"
    long, short = whole_game(60), whole_game(6)
    slow, quick = pair(lambda: rule(long), lambda: rule(short), (2, 20), 12)
    share = len(long.events) / len(short.events)
    yield (
        "60 turns / 6 turns, per event",
        slow / quick / share,
        1.1,
        f"{len(long.events)} events in {slow * 1e3:.1f} ms, {len(short.events)} in {quick * 1e3:.2f} ms",
    )
    judge, python = cold()
    yield (
        "judge rule FILE, cold / python -c pass",
        judge / python,
        15,
        (f"{judge * 1e3:.0f} ms against {python * 1e3:.0f} ms"),
    )

"""The Dice Forge engine: a worked turn against a bare function, and a long game against a short one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench import fastest
from judge.rules.dice_forge import rule
from judge.schemas.dice_forge.table import read_table

START_DICE = [["G1", "G1", "G1", "G1", "G1", "S1"], ["G1", "G1", "G1", "G1", "M1", "V2"]]

# The worked turn of the rules sheet: a blessing, three reinforcements, three faces, an extra feat that ousts.
TURN: dict[str, Any] = {
    "game": "dice-forge",
    "players": [
        {"id": "A", "gold": 5, "sun": 1, "moon": 3,
         "feats": ["silver_hind", "guardians_owl", "guardians_owl"],
         "dice": [["G1", "G1", "G1", "G1", "G3", "S1"], START_DICE[1]], "island": 6, "removed": ["G1"]},
        {"id": "B", "gold": 4, "feats": ["helmet_of_invisibility"], "island": 3},
        {"id": "C"},
        {"id": "D"},
    ],
    "turn": {"active": "A", "step": 1},
    "events": [
        {"by": "A", "bless": ["G3", "M1"]},
        {"advance": "step"},
        {"by": "A", "reinforce": "silver_hind", "die": 1, "rolled": "G1"},
        {"by": "A", "reinforce": "guardians_owl", "choose": "S"},
        {"by": "A", "reinforce": "guardians_owl", "choose": "M"},
        {"advance": "step"},
        {"by": "A", "offer": [{"face": "S1", "die": 1, "over": "G1"}, {"face": "G4", "die": 2, "over": "G1"},
                              {"face": "M1", "die": 2, "over": "G1"}]},
        {"by": "A", "feat": "ferryman", "extra": True, "oust": {"B": ["G1", "V2"]}},
    ],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Traced:
    says: str
    rules: tuple[str, ...]
    event: int
    value: int


def bare() -> tuple[dict[str, dict[str, Any]], list[Traced]]:
    """The same turn by hand: the four inventories afterwards, and as many records as the ruling has steps."""
    caps = {"gold": 12, "sun": 6, "moon": 6, "glory": 100}
    players = {
        player["id"]: {
            "gold": player.get("gold", 0),
            "sun": player.get("sun", 0),
            "moon": player.get("moon", 0),
            "glory": 0,
            "feats": list(player.get("feats", ())),
            "dice": [list(die) for die in player.get("dice", START_DICE)],
            "shown": [None, None],
            "island": player.get("island", 0),
            "removed": list(player.get("removed", ())),
        }
        for player in TURN["players"]
    }
    active, ousted = players["A"], players["B"]
    trace: list[Traced] = []

    def gain(who: dict[str, Any], what: str, n: int, event: int, rule: str) -> None:
        who[what] = min(who[what] + n, caps[what])
        trace.append(Traced("gains", (rule, "DF-RES-04"), event, n))

    def note(says: str, event: int, *rules: str) -> None:
        trace.append(Traced(says, rules, event, 0))

    note("rolls", 1, "DF-BLESS-01", "DF-BLESS-02")
    active["shown"] = ["G3", "M1"]
    gain(active, "gold", 3, 1, "DF-FACE-01")
    gain(active, "moon", 1, 1, "DF-FACE-01")
    note("step", 2, "DF-TURN-01")
    note("uses", 3, "DF-REINF-01")
    note("rolls", 3, "DF-BLESS-04", "DF-BLESS-06")
    gain(active, "gold", 1, 3, "DF-CARD-07")
    for event, what in ((4, "sun"), (5, "moon")):
        note("uses", event, "DF-REINF-01", "DF-REINF-02")
        gain(active, what, 1, event, "DF-CARD-18")
    note("step", 6, "DF-TURN-01")
    active["gold"] -= 8
    note("offers", 7, "DF-OFFER-01", "DF-OFFER-02")
    for face, die in (("S1", 0), ("G4", 1), ("M1", 1)):
        active["dice"][die][active["dice"][die].index("G1")] = face
        active["shown"][die] = face
        active["removed"].append("G1")
        note("forges", 7, "DF-FORGE-02", "DF-FORGE-03")
    active["sun"] -= 2
    note("pays", 8, "DF-EXTRA-01", "DF-EXTRA-02")
    active["moon"] -= 4
    active["island"], ousted["island"] = 3, 0
    note("performs", 8, "DF-FEAT-01", "DF-FEAT-04")
    note("ousts", 8, "DF-OUST-01", "DF-OUST-02")
    note("rolls", 8, "DF-BLESS-02", "DF-OUST-03")
    gain(ousted, "gold", 1, 8, "DF-FACE-01")
    gain(ousted, "glory", 2, 8, "DF-FACE-01")
    active["feats"].append("ferryman")
    note("takes", 8, "DF-FEAT-10", "DF-CARD-11")
    return players, trace


def long_game(events: int) -> dict[str, Any]:
    """The first events of a game whose 36 turns are filled up with notes and refused blessings. The reserves
    are full from the start, so that an event late in the game is no more work than an early one."""
    names = ["A", "B", "C", "D"]
    lines: list[dict[str, Any]] = []
    for _ in range(36):
        lines += [{"by": name, "bless": ["G1", "M1"]} for name in names]
        lines += [
            {"by": names[0], "does": "a note", "gain": {"S": 1}},
            {"by": names[1], "bless": ["G1", "G1"], "cause": "card"},
        ] * 26
        lines += [{"advance": "turn"}]
        names = names[1:] + names[:1]
    return {
        "game": "dice-forge",
        "players": [{"id": name, "gold": 12, "sun": 6, "moon": 6} for name in "ABCD"],
        "turn": {"active": "A", "first": "A", "step": 1},
        "events": lines[:events],
    }


def ratios() -> Iterator[tuple[str, float, float | None, str]]:
    turn = read_table(TURN)
    steps = len(rule(turn).steps)
    traced = len(bare()[1])
    ruling, floor = fastest(lambda: rule(turn)), fastest(bare)
    note = f"{ruling * 1e6:.0f} µs with {steps} steps; bare {floor * 1e6:.1f} µs with {traced} records"
    yield "Dice Forge: a turn's ruling / bare function with traced records", ruling / floor, 12, note
    short, long = read_table(long_game(200)), read_table(long_game(2000))
    # in turns, and ten short games in a row last as long as the long one: both are disturbed alike
    few = many = float("inf")
    for _ in range(8):
        few = min(few, fastest(lambda: [rule(short) for _ in range(10)], 0.5) / 10)
        many = min(many, fastest(lambda: rule(long), 0.5))
    yield "Dice Forge: 2000 events / 200 events", many / few, 11, f"{many * 1e3:.1f} ms"

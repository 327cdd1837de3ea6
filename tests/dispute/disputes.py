"""The twelve disputes as taps, for a browser and for plain forms. Things are meant by id: the language does
not matter. Each has the most taps it may take and what the table must come to.

start heroes · give player token · p player · do part-of-event · number word value · dice faces · roll faces ·
token id · pick part-of-answer · turn-die face · next · fold id · ask · claim by of value · join timing ·
book edition · line n · name-token player name · else name numbers
"""

from dataclasses import dataclass, field

from judge.services.dispute.case import Case


@dataclass(frozen=True)
class Dispute:
    """taken: the damage each player takes; players by their seat. order: how colliding actions resolve,
    by book."""

    name: str
    most: int
    taps: tuple
    health: dict
    taken: dict = field(default_factory=dict)
    illegal: int = 0
    right: tuple = ()  # whether each claim is right
    order: dict = field(default_factory=dict)


WORKED = (
    ("start", "barbarian", "paladin"), ("give", 2, "retribution"), ("give", 2, "protect"),
    ("do", "overpower"), ("number", "deal", 18), ("p", 2), ("do", "retribution"), ("do", "protect"),
    ("do", "divine-defense"), ("number", "prevent", 3), ("token", "protect"), ("p", 1), ("do", "get-some"),
    ("number", "add", 5), ("p", 2), ("do", "absolution"), ("dice", 3), ("do", "protect"),
)  # fmt: skip
DISPUTES = (
    Dispute("worked example", 20, WORKED, {1: 41, 2: 50}, {1: 9, 2: 0}),
    Dispute(
        "fireball, red hot and burn", 20,
        (("start", "pyromancer", "barbarian"), ("give", 2, "burn"), ("do", "fireball"), ("pick", "3"),
         ("do", "red-hot"), ("next",), ("next",), ("next",), ("next",)),
        {1: 50, 2: 39}, {2: 11},
    ),
    Dispute(
        "showdown", 9,
        (("start", "gunslinger", "paladin"), ("do", "showdown"), ("dice", 5, 3)),
        {1: 50, 2: 43}, {2: 7},
    ),
    Dispute(
        "shadows against an ultimate", 8,
        (("start", "barbarian", "shadow-thief"), ("give", 2, "shadows"), ("do", "rage"), ("p", 2),
         ("fold", "later"), ("do", "shadows")),
        {1: 50, 2: 35}, {2: 15}, illegal=1,
    ),
    Dispute(
        "keg in king of the hill with four", 24,
        (("start", "cursed-pirate", "paladin", "king-of-the-hill", "monk", "treant"),
         ("give", 2, "powder-keg"), ("fold", "turn"), ("do", '"turn"'), ("next",), ("pick", "[1]")),
        {1: 35, 2: 32, 3: 35, 4: 35}, {2: 3},
    ),
    Dispute(
        "2v2 with an altered targeting die", 18,
        (("start", "barbarian", "paladin", "2v2", "monk", "treant"), ("do", "smack"), ("pick", "[1]"),
         ("pick", '"die": 1'), ("fold", "common"), ("do", "six-it"), ("turn-die", 6), ("pick", '"choose"')),
        {1: 50, 2: 50, 3: 46, 4: 46}, {3: 4},
    ),
    Dispute(
        "two instants at once", 12,
        (("start", "monk", "ninja"), ("p", 2), ("do", "train"), ("p", 1), ("do", "contemplate"),
         ("join", "at-once"), ("book", "fr-2.2")),
        {1: 50, 2: 50}, order={"fr-2.4.1": [2, 1], "fr-2.2": [2, 1]},
    ),
    Dispute(
        "unknown hero with a token of its own", 14,
        (("start", "Zorblax", "barbarian"), ("name-token", 1, "Gloom"),
         ("else", "Crushing Grip", {"deal": 7}), ("p", 1)),
        {1: 50, 2: 43}, {2: 7},
    ),
    Dispute(
        "a whole turn", 26,
        (("start", "barbarian", "paladin"), ("next",), ("next",), ("next",),
         ("roll", 1, 1, 1, 2, 5), ("do", "smack"), ("p", 2), ("do", "divine-defense"), ("dice", 1, 1, 2),
         ("next",), ("next",), ("next",)),
        {1: 49, 2: 44}, {1: 1, 2: 6},
    ),
    Dispute("a wrong claim", 22, (*WORKED, ("claim", 1, 1, 5)), {1: 41, 2: 50}, {1: 9, 2: 0}, right=(False,)),
    Dispute(
        "may I play this now", 7,
        (("start", "barbarian", "paladin"), ("do", "rage"), ("fold", "later"), ("ask",), ("do", "concuss")),
        {1: 50, 2: 35}, {2: 15},
    ),
    Dispute(
        "correction in the middle", 23,  # 3 more than the worked example
        (*WORKED, ("line", 4), ("number", "prevent", 1)), {1: 40, 2: 50}, {1: 10, 2: 0},
    ),
)  # fmt: skip


def damage(ruling):
    """What each player takes altogether."""
    taken = {}
    for resolution in ruling["resolutions"]:
        for who, total in resolution["totals"].items():
            taken[who] = taken.get(who, 0) + total["final"]
    return taken


def check(dispute, table, lang="en"):
    """The engine's ruling on the table that was entered, which comes to what the dispute must come to."""
    ruling = Case(table).said(lang)
    ids = [player["id"] for player in table["players"]]
    for p, health in dispute.health.items():
        assert ruling["players"][ids[p - 1]]["health"] == health, (dispute.name, ruling["players"])
    assert damage(ruling) == {ids[p - 1]: n for p, n in dispute.taken.items()}, dispute.name
    assert [e["verdict"] for e in ruling["events"]].count("illegal") == dispute.illegal, dispute.name
    assert not ruling.get("asks"), (dispute.name, ruling["asks"])
    assert tuple(claim["right"] for claim in ruling.get("claims") or ()) == dispute.right, dispute.name
    for book, sequence in dispute.order.items():
        assert Case({**table, "edition": book}).said(lang)["order"][0]["sequence"] == sequence, dispute.name
    return ruling

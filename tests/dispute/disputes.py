"""Disputes as taps, for a browser and for plain forms. Things are meant by id: the language does not matter.
 Each has the most taps it may take and what the table must come to.

start heroes · give player token · p player · do part-of-event · number word value · dice faces · token id ·
pick part-of-answer · next · fold id · ask · claim by of value · line n
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Dispute:
    name: str
    most: int
    taps: tuple
    health: dict
    illegal: int = 0
    taken: dict | None = None


WORKED = (
    ("start", "barbarian", "paladin"), ("give", 2, "retribution"), ("give", 2, "protect"),
    ("do", "overpower"), ("number", "deal", 18), ("p", 2), ("do", "retribution"), ("do", "protect"),
    ("do", "divine-defense"), ("number", "prevent", 3), ("token", "protect"), ("p", 1), ("do", "get-some"),
    ("number", "add", 5), ("p", 2), ("do", "absolution"), ("dice", 3), ("do", "protect"),
)  # fmt: skip
DISPUTES = (
    Dispute("worked example", 20, WORKED, {1: 41, 2: 50}, taken={1: 9, 2: 0}),
    Dispute(
        "fireball, red hot and burn", 20,
        (("start", "pyromancer", "barbarian"), ("give", 2, "burn"), ("do", "fireball"), ("pick", "3"),
         ("do", "red-hot"), ("next",), ("next",), ("next",), ("next",)),
        {1: 50, 2: 39}, taken={2: 11},
    ),
    Dispute(
        "showdown", 9,
        (("start", "gunslinger", "paladin"), ("do", "showdown"), ("dice", 5, 3)),
        {1: 50, 2: 43}, taken={2: 7},
    ),
    Dispute(
        "shadows against an ultimate", 8,
        (("start", "barbarian", "shadow-thief"), ("give", 2, "shadows"), ("do", "rage"), ("p", 2),
         ("fold", "later"), ("do", "shadows")),
        {1: 50, 2: 35}, illegal=1, taken={2: 15},
    ),
    Dispute(
        "keg in king of the hill with four", 24,
        (("start", "cursed-pirate", "paladin", "king-of-the-hill", "monk", "treant"),
         ("give", 2, "powder-keg"), ("fold", "turn"), ("do", '"turn"'), ("next",), ("pick", "[1]")),
        {}, taken=None,
    ),
    Dispute(
        "2v2 with an altered targeting die", 18,
        (("start", "barbarian", "paladin", "2v2", "monk", "treant"), ("do", "smack"), ("pick", "[1]"),
         ("pick", '"die": 1'), ("fold", "common"), ("do", "six-it"), ("turn-die", 6), ("pick", '"choose"')),
        {}, taken=None,
    ),
    Dispute(
        "unknown hero with a token of its own", 14,
        (("start", "Zorblax", "barbarian"), ("name-token", 1, "Gloom"),
         ("else", "Crushing Grip", {"deal": 7}), ("p", 1)),
        {1: 50, 2: 43}, taken={2: 7},
    ),
    Dispute(
        "a whole turn", 26,
        (("start", "barbarian", "paladin"), ("next",), ("next",), ("next",),
         ("roll", 1, 1, 1, 2, 5), ("do", "smack"), ("p", 2), ("do", "divine-defense"), ("dice", 1, 1, 2),
         ("next",), ("next",), ("next",)),
        {}, taken=None,
    ),
    Dispute("a wrong claim", 22, (*WORKED, ("claim", 1, 1, 5)), {1: 41, 2: 50}, taken={1: 9, 2: 0}),
    Dispute(
        "may I play this now", 7,
        (("start", "barbarian", "paladin"), ("do", "rage"), ("fold", "later"), ("ask",), ("do", "concuss")),
        {1: 50, 2: 35}, taken={2: 15},
    ),
)  # fmt: skip

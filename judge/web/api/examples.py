"""Example files of the API, which the page /api shows: a dispute, tournaments and a season."""

from __future__ import annotations

from judge.core.games import DICE_THRONE
from judge.schemas.books import newest
from judge.tournament.formats import SINGLE_ELIMINATION

DISPUTE = {
    "id": "table 7",
    "game": DICE_THRONE,
    "edition": newest(DICE_THRONE).id,
    "mode": "duel",
    "players": [
        {"id": "A", "hero": "barbarian"},
        {"id": "B", "hero": "paladin", "cp": 1, "statuses": {"retribution": 1, "protect": 1}},
    ],
    "turn": {"active": "A"},
    "events": [
        {"by": "A", "activate": "overpower", "on": "B", "effects": [{"deal": 18, "type": "normal"}]},
        {"by": "B", "spend": "retribution"},
        {"by": "B", "spend": "protect"},
        {"by": "B", "defend": "divine-defense", "effects": [{"prevent": 3}, {"gain": "protect"}]},
        {"by": "A", "play": "get-some", "effects": [{"add": 5}, {"inflict": "concussion"}]},
        {"by": "B", "play": "absolution", "effects": [{"prevent": 3}]},
        {"by": "B", "spend": "protect"},
    ],
    "claims": [{"by": "B", "player": "B", "final": 4}],
}
SWISS = {
    "tournament": 1,
    "name": "Spring Throne",
    "game": DICE_THRONE,
    "preset": "dice-throne-ranked",
    "players": ["Ana", {"name": "Ben", "club": "Lyon"}, "Cleo", "Dov", "Eva"],
    "rounds": [
        [
            {"a": "Ana", "b": "Ben", "result": "a", "health": [22, 0]},
            {"a": "Cleo", "b": "Dov", "result": "draw", "health": [4, 4]},
            {"a": "Eva", "result": "bye"},
        ]
    ],
}
CUP = {
    "tournament": 1,
    "name": "Spring Cup",
    "game": DICE_THRONE,
    "format": {"kind": SINGLE_ELIMINATION.id},
    "players": ["Ana", "Ben", "Cleo", "Dov"],
    "rounds": [[{"a": "Ana", "b": "Dov", "result": "a"}, {"a": "Ben", "b": "Cleo", "result": "b"}]],
}


SEASON = {
    "season": 1,
    "name": "Age of Example",
    "points": {"places": [10, 7, 5, 5], "taking_part": 1},
    "best": 5,
    "events": [
        {"name": "March", "standings": [{"player": "Ana", "rank": 1}, {"player": "Ben", "rank": 2}]},
        {"tournament": SWISS},
    ],
}

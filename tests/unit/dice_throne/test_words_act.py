"""Every word that can be read acts: used where it can, it changes the ruling or is refused."""

from __future__ import annotations

from typing import Any

import pytest

from judge.rules.dice_throne.effects.vocabulary import WORDS, Shape
from judge.services.dispute.rulings import rule_table

DEAL = {"deal": 6, "type": "normal"}
UNDEFENDABLE = {"deal": 6, "type": "undefendable"}
STRIKE = {"by": "A", "activate": "strike", "effects": [DEAL]}
SHOT = {"by": "A", "activate": "shot", "effects": [UNDEFENDABLE]}
GUARD = {"by": "B", "defend": "guard", "effects": [{"prevent": 2}]}
ROLL = {"by": "A", "roll": [1, 2, 3, 4, 5]}
HELPS = {"if": {"when": "attacking"}, "effects": [{"if": {"active": "cat"}, "effects": [{"add": 2}]}]}
CATALOGUE = {
    "heroes": [
        {
            "id": "keeper",
            "dice": ["leaf"] * 6,
            "companions": [
                {"id": "sprouts", "stages": [{"id": "sprout", "limit": 3}, {"id": "tree", "limit": 2}]},
                {"id": "cat", "health": 7, "effects": [HELPS]},
                {"id": "bot", "levels": 2, "uses": [{"effects": [{"heal": 3}]}]},
                {"id": "cart", "levels": 2},
            ],
        }
    ],
    "statuses": [
        {
            "id": "bomb",
            "stack_limit": 3,
            "effects": [],
            "explosion": [
                {"remove": "bomb", "from": "holder"},
                {"deal": 2, "to": "holder", "isolated": True},
            ],
        }
    ],
}


def ruled(*events: dict[str, Any], **more: Any) -> dict[str, Any]:
    companions = {"sprouts": 1, "cat": 5, "bot": 1}
    player = {"hero": "keeper", "side": "human", "health": 40, "deck": 20, "companions": companions}
    table = {
        "game": "dice-throne",
        "edition": "fr-2.4.1",
        "players": [
            {**player, "id": "A", "statuses": {"poison": 1, "bomb": 1, "protect": 1}, **more.get("a", {})},
            {**player, "id": "B", "statuses": {"protect": 1}, **more.get("b", {})},
        ],
        "turn": {"active": "A", "phase": "offensive-roll", **more.get("turn", {})},
        "catalogue": CATALOGUE,
        "events": list(events),
    }
    return rule_table(table)


def does(effect: dict[str, Any], by: str = "A", **more: Any) -> dict[str, Any]:
    return {"by": by, "does": "it", "effects": [effect], **more}


# For every word: events before it, how it is used, and events after it that show the difference.
Use = tuple[list[dict[str, Any]], dict[str, Any], list[dict[str, Any]]]
UPKEEP = {"turn": {"phase": "upkeep"}}
USES: dict[str, Use] = {
    "deal": ([], does({"deal": 2}), []),
    "deal_fraction_of_die": ([], does({"deal_fraction_of_die": "1/2"}, dice=[5]), []),
    "add": ([STRIKE], does({"add": 2}), []),
    "add_die": ([STRIKE], does({"add_die": 1}, dice=[5]), []),
    "add_fraction_of_die": ([STRIKE], does({"add_fraction_of_die": "1/2"}, dice=[5]), []),
    "prevent": ([STRIKE], does({"prevent": 2}, by="B"), []),
    "prevent_status": (
        [{"by": "A", "activate": "spit", "effects": [{"inflict": "poison"}, DEAL]}],
        does({"prevent": "status"}, by="B"),
        [],
    ),
    "reduce": ([STRIKE], does({"reduce": 2}), []),
    "prevent_fraction": ([STRIKE], does({"prevent_fraction": "1/2"}, by="B"), []),
    "return_fraction": ([STRIKE], does({"return_fraction": "1/2"}, by="B"), []),
    "avoid": ([STRIKE], does({"avoid": "all"}, by="B"), []),
    "no_damage": ([STRIKE], does({"no_damage": True}), []),
    "multiply_damage": ([STRIKE], does({"multiply_damage": 2}), []),
    "make_undefendable": ([STRIKE], does({"make_undefendable": True}), [GUARD]),
    "cancel_ability": ([STRIKE], does({"cancel_ability": True}), []),
    "allow_defence": ([SHOT], does({"allow_defence": True}, by="B"), [GUARD]),
    "replace_defence": ([STRIKE], does({"replace_defence": True}, by="B"), [GUARD]),
    "heal": ([], does({"heal": 2}), []),
    "heal_fraction_of_die": ([], does({"heal_fraction_of_die": "1/2"}, dice=[5]), []),
    "set_health": ([], does({"set_health": 9}), []),
    "steal_health": ([], does({"steal_health": 2}), []),
    "gain_cp": ([], does({"gain_cp": 2}), []),
    "gain_cp_fraction_of_die": ([], does({"gain_cp_fraction_of_die": "1/2"}, dice=[5]), []),
    "steal_cp": ([], does({"steal_cp": 2}), []),
    "lose_cp": ([], does({"lose_cp": 2}), []),
    "steal_gained_cp": (
        [],
        {"by": "A", "does": "it", "effects": [{"gain_cp": 2}, {"steal_gained_cp": 2}]},
        [],
    ),
    "pay_cp": ([], does({"pay_cp": 2}), []),
    "draw": ([], does({"draw": 1}), []),
    "search": ([], does({"search": 1}), []),
    "discard": ([], does({"discard": 1, "to": "self"}), []),
    "gain": ([], does({"gain": "evasive"}), []),
    "inflict": ([], does({"inflict": "evasive"}), []),
    "remove": ([], does({"remove": "poison", "from": "self"}), []),
    "transfer": ([], does({"transfer": "poison"}, on=["A", "B"]), []),
    "bring": ([], does({"bring": "poison", "to": "target"}), []),
    "raise_limit": ([], does({"raise_limit": "poison", "by": 1}), []),
    "explode": ([], does({"explode": "bomb"}), []),
    "grow": ([], does({"grow": 1}), []),
    "heal_companion": ([], does({"heal_companion": "cat"}), []),
    "damage_companion": ([], does({"damage_companion": "cat", "count": 2}), []),
    "revive": (
        [does({"damage_companion": "cat", "count": 5}), does({"heal_companion": "cat"})],
        does({"revive": "cat"}),
        [STRIKE],
    ),
    "redirect_damage": ([STRIKE], does({"redirect_damage": "cat"}, by="B"), []),
    "split_damage": ([STRIKE], does({"split_damage": "cat"}, by="B", choice=2), []),
    "build": ([], does({"build": "cart"}), []),
    "improve": ([], does({"improve": "bot"}), []),
    "activate_companion": ([], does({"activate_companion": "bot"}), []),
    "flip": ([], does({"flip": "cursed"}), []),
    "roll": ([], does({"roll": 1, "on": {"6": [{"heal": 2}]}}, dice=[6]), []),
    "duel": ([], does({"duel": {"if_higher": [{"heal": 2}]}}, dice=[6, 1]), []),
    "choose": ([], does({"choose": [[{"heal": 1}], [{"draw": 1}]]}, choice=2), []),
    "may": ([], does({"may": [{"heal": 1}]}, choice=1), []),
    "if": ([], does({"if": {"holds": "poison"}, "effects": [{"heal": 1}]}), []),
    "then": ([], does({"then": [{"heal": 1}]}), []),
    "additionally": ([], does({"additionally": [{"heal": 1}]}), []),
    "change_die": (
        [ROLL],
        does({"change_die": {"to": 6}}, changes=[{"whose": "A", "die": 1, "to": 6, "of": "offensive"}]),
        [],
    ),
    "reroll": (
        [ROLL],
        does({"reroll": {"count": 1}}, changes=[{"whose": "A", "die": 1, "to": 6, "of": "offensive"}]),
        [],
    ),
    "extra_roll_attempt": ([], does({"extra_roll_attempt": "offensive-roll"}), [ROLL] * 4),
    "fewer_roll_attempts": ([], does({"fewer_roll_attempts": 1}), [ROLL] * 3),
    "attempt_price": ([], does({"attempt_price": 1}), [ROLL] * 2),
    "skip_phase": ([], does({"skip_phase": "income"}), [{"advance": "main-1"}]),
    "upgrade_in_roll_phases": (
        [],
        does({"upgrade_in_roll_phases": True}),
        [{"by": "A", "upgrade": "a-space", "level": 2, "cost": 0}],
    ),
    "extra_phase": (
        [STRIKE],
        does({"extra_phase": "offensive-roll", "to": "self"}),
        [{"advance": "offensive-roll"}],
    ),
    "lock_actions": (
        [],
        does({"lock_actions": True}),
        [{"by": "B", "does": "hop", "effects": [{"draw": 1}]}],
    ),
}


def outcome(ruling: dict[str, Any]) -> dict[str, Any]:
    """What a ruling says of the table, apart from which events there were."""
    return {
        "verdicts": [event["verdict"] for event in ruling["events"]],
        "players": ruling["players"],
        "turn": ruling["turn"],
        "resolutions": [
            {name: total["final"] for name, total in one["totals"].items()} for one in ruling["resolutions"]
        ],
    }


@pytest.mark.parametrize("word", WORDS)
def test_every_word_changes_something(word):
    before, use, after = USES[word]
    turn = {"turn": {"phase": "upkeep"}} if word == "skip_phase" else {}
    idle = {"by": use["by"], "does": "nothing", "effects": []}

    with_it, without = ruled(*before, use, *after, **turn), ruled(*before, idle, *after, **turn)

    assert with_it["events"][len(before)]["verdict"] == "legal"
    assert outcome(with_it) != outcome(without)


def test_a_word_for_a_phase_is_refused_for_any_other_phase():
    for word in (word for word in WORDS.values() if word.shape is Shape.PHASE):
        assert word.phases
        assert "targeting-roll" not in word.phases

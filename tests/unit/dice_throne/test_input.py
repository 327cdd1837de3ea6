"""Bad Dice Throne tables: refused with the path and what was expected, never ruled on."""

import copy
import json
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.core.errors import InputError
from judge.core.messages import Phrasebook
from judge.schemas.dice_throne.table import MAX_EVENTS, read_table
from judge.schemas.fixtures import sentences

GOOD: dict[str, Any] = {
    "game": "dice-throne",
    "edition": "fr-2.4.1",
    "mode": "duel",
    "players": [{"id": "A", "cp": 2}, {"id": "B", "statuses": {"protect": 1}}],
    "turn": {"active": "A", "phase": "offensive-roll", "attempts": 1, "dice": [1, 2, 3, 4, 5]},
    "events": [{"by": "A", "activate": "strike", "on": "B", "effects": [{"deal": 5, "type": "normal"}]}],
}
STRIKE = GOOD["events"][0]

BAD = [
    ({"tpye": 1}, "tpye"),
    ({"edition": "fr-9"}, "edition"),
    ({"mode": "5v5"}, "mode"),
    ({"players": [{"id": "A"}]}, "players"),
    ({"players": [{"id": "A"}, {"id": "A"}]}, "players[1].id"),
    ({"players": [{"id": "A"}, {"id": "B", "tokens": 1}]}, "players[2].tokens"),
    ({"players": [{"id": "A"}, {"id": "B", "cp": -1}]}, "players[2].cp"),
    ({"players": [{"id": "A"}, {"id": "B", "cp": 16}]}, "players[2].cp"),
    ({"players": [{"id": "A"}, {"id": "B", "health": "many"}]}, "players[2].health"),
    ({"players": [{"id": "A"}, {"id": "B", "statuses": {"protect": 2}}]}, "players[2].statuses.protect"),
    ({"players": [{"id": "A"}, {"id": "B", "die": ["a", "b"]}]}, "players[2].die"),
    ({"players": [{"id": "A"}, {"id": "B", "upgrades": {"x": 4}}]}, "players[2].upgrades.x"),
    ({"players": {"A": {}}}, "players"),
    ({"teams": {"red": 50}}, "teams"),
    ({"teams": "red"}, "teams"),
    ({"turn": {"active": "Z"}}, "turn.active"),
    ({"turn": {"phase": "lunch"}}, "turn.phase"),
    ({"turn": {"dice": [1, 2, 3, 4, 7]}}, "turn.dice[5]"),
    ({"turn": {"dice": [1, 2, 3, 4, 5, 6]}}, "turn.dice"),
    ({"turn": {"order": ["A"]}}, "turn.order"),
    ({"events": {"by": "A"}}, "events"),
    ({"events": [{"by": "Z", "sell": 1}]}, "events[1].by"),
    ({"events": [{"sell": 1}]}, "events[1].by"),
    ({"events": [{"by": "A", "dance": "tango"}]}, "events[1].dance"),
    ({"events": [{"by": "A", "sell": 1, "roll": [1, 2, 3, 4, 5]}]}, "events[1]"),
    ({"events": [{"by": "A"}]}, "events[1]"),
    ({"events": [STRIKE, {"by": "A", "sell": 1, "tpye": "x"}]}, "events[2].tpye"),
    ({"events": [{"by": "A", "sell": 0}]}, "events[1].sell"),
    ({"events": [{"by": "A", "sell": 1, "dice": [1]}]}, "events[1].dice"),
    ({"events": [{"by": "A", "roll": [1, 2, 3, 4, 7]}]}, "events[1].roll[5]"),
    ({"events": [{"by": "A", "roll": [1, 2, 3, 4, 5, 6]}]}, "events[1].roll"),
    ({"events": [{"by": "A", "activate": "nobody-knows-it"}]}, "events[1].effects"),
    ({"events": [{"by": "A", "play": "nobody-knows-it", "card": "roll"}]}, "events[1].effects"),
    ({"events": [{"by": "A", "spend": "nobody-knows-it"}]}, "events[1].effects"),
    ({"events": [{"by": "A", "upgrade": "nobody-knows-it", "level": 2}]}, "events[1].cost"),
    ({"events": [{"by": "A", "pay": "nobody-knows-it"}]}, "events[1].cost"),
    ({"events": [{**STRIKE, "effects": [{"deel": 5}]}]}, "events[1].effects[1].deel"),
    ({"events": [{**STRIKE, "effects": [{"deal": 5, "heal": 1}]}]}, "events[1].effects[1]"),
    ({"events": [{**STRIKE, "effects": [{"deal": 5, "type": "soft"}]}]}, "events[1].effects[1].type"),
    ({"events": [{**STRIKE, "effects": [{"deal": -5}]}]}, "events[1].effects[1].deal"),
    ({"events": [{**STRIKE, "effects": [{"reduce": "x"}]}]}, "events[1].effects[1].reduce"),
    ({"events": [{**STRIKE, "effects": [{"if": "it rains", "effects": []}]}]}, "events[1].effects[1].if"),
    ({"events": [{**STRIKE, "effects": [{"then": [{"deal": "x"}]}]}]}, "events[1].effects[1].then[1].deal"),
    ({"events": [{**STRIKE, "on": "Q"}]}, "events[1].on"),
    ({"events": [{**STRIKE, "needs": {"colour": "red"}}]}, "events[1].needs.colour"),
    ({"events": [{"advance": "lunch"}]}, "events[1].advance"),
    ({"events": [{"collide": [STRIKE]}]}, "events[1].collide"),
    ({"events": [{"collide": [STRIKE, {"advance": "turn"}]}]}, "events[1].collide[2]"),
    ({"events": [{"collide": [STRIKE, STRIKE], "timing": "later"}]}, "events[1].timing"),
    ({"claims": [{"by": "A", "player": "Q", "final": 1}]}, "claims[1].player"),
    ({"rulings": {"J-99": "a"}}, "rulings.J-99"),
    ({"rulings": {"J-03": "z"}}, "rulings.J-03"),
    ({"catalogue": {"monsters": []}}, "catalogue.monsters"),
    ({"catalogue": {"statuses": [{"id": "x", "stack_limit": 0}]}}, "catalogue.statuses[1].stack_limit"),
    ({"catalogue": {"cards": [{"id": "x", "kind": "joker"}]}}, "catalogue.cards[1].kind"),
    ({"events": [STRIKE] * (MAX_EVENTS + 1)}, "events"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "path"), BAD, ids=[path for _, path in BAD])
def test_a_bad_table_names_the_place(change, path):
    with pytest.raises(InputError) as caught:
        read_table({**copy.deepcopy(GOOD), **change})

    first = caught.value.problems[0]
    assert first.path == path
    for lang in ("en", "fr", "ru"):
        assert Phrasebook(lang, sentences(lang)).say(first.message)


def test_every_fault_of_a_table_is_named():
    events = [{"by": "Z", "sell": 1}, {"by": "A", "roll": [9, 1, 1, 1, 1]}]

    with pytest.raises(InputError) as caught:
        read_table({**GOOD, "turn": {"phase": "lunch"}, "events": events})

    assert [p.path for p in caught.value.problems] == ["turn.phase", "events[1].by", "events[2].roll[1]"]


def test_faults_in_every_part_of_a_table_are_named_in_the_order_of_the_file():
    table = {
        "game": "dice-throne",
        "events": [
            {"by": "A", "play": "x", "card": "joker", "cost": -1, "effects": [{"deal": "x", "type": "soft"}]},
            {"by": "Z", "dice": [7], "activate": "nobody-knows-it"},
            {"collide": [{"by": "A", "sell": 0}, {"advance": "turn"}], "timing": "later"},
        ],
        "players": [{"id": "A", "cp": 99, "health": "x"}, {"id": "B", "statuses": {"protect": 5, "x": -1}}],
        "claims": [{"by": "Q", "player": "B", "final": "x"}],
        "catalogue": {"statuses": [{"stack_limit": 0, "when": "never"}], "cards": [{"id": "c", "kind": "x"}]},
        "turn": {"phase": "lunch", "dice": [1, 2, 3, 4, 9]},
        "edition": "fr-9",
        "rulings": {"J-03": "z"},
        "typo": 1,
    }

    with pytest.raises(InputError) as caught:
        read_table(table)

    assert [problem.path for problem in caught.value.problems] == [
        "events[1].card", "events[1].cost", "events[1].effects[1].deal", "events[1].effects[1].type",
        "events[2].by", "events[2].dice[1]",
        "events[3].collide[1].sell", "events[3].collide[2]", "events[3].timing",
        "players[1].cp", "players[1].health", "players[2].statuses.x",
        "claims[1].by", "claims[1].final",
        "catalogue.statuses[1].stack_limit", "catalogue.statuses[1].when", "catalogue.statuses[1].id",
        "catalogue.cards[1].kind",
        "turn.phase", "turn.dice[5]", "edition", "rulings.J-03", "typo",
    ]  # fmt: skip


def test_a_name_is_not_called_unknown_while_the_players_themselves_cannot_be_read():
    players = [{"id": "A"}, {"name": "B"}]

    with pytest.raises(InputError) as caught:
        read_table({**GOOD, "players": players})

    assert [problem.path for problem in caught.value.problems] == ["players[2].name", "players[2].id"]


def test_an_unknown_thing_that_only_lies_there_is_fine():
    players = [{"id": "A", "hero": "nobody", "statuses": {"mystery": 9}, "upgrades": {"x": 2}}, {"id": "B"}]

    assert read_table({**GOOD, "players": players, "events": []}).players[0].statuses == {"mystery": 9}


@pytest.mark.parametrize("kind", ["holds", "spent", "side"])
def test_a_condition_on_a_name_wants_a_name(kind):
    effect = {"if": {kind: {"evasive": 1}}, "effects": [{"draw": 1}]}
    event = {"by": "A", "does": "x", "effects": [effect]}
    table = {"game": "dice-throne", "players": [{"id": "A"}, {"id": "B"}], "events": [event]}

    with pytest.raises(InputError, match=rf"events\[1\]\.effects\[1\]\.if\.{kind}"):
        read_table(table)


def test_a_receiver_that_nobody_is_stops_a_ruling_and_is_named_by_a_check():
    effects = [{"deal": 3, "type": "collateral", "to": "nonsense"}]
    table = {
        "game": "dice-throne",
        "players": [{"id": "A"}, {"id": "B"}],
        "events": [{"by": "A", "activate": "s", "effects": effects}],
        "expect": {"players": {"B": {"health": 50}}},
    }
    ruled = CliRunner().invoke(cli, ["rule", "-"], input=json.dumps(table))
    checked = CliRunner().invoke(cli, ["check", "-"], input=json.dumps(table))

    assert isinstance(ruled.exception, InputError)
    assert [problem.path for problem in ruled.exception.problems] == ["events[1].effects[1].to"]
    assert checked.exit_code == 0
    assert "events[1].effects[1].to" in checked.stderr
    assert checked.stdout == "1 passed, 0 failed\n"

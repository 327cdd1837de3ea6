"""One table under all books: only what differs, and by which rule."""

import json

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.core.errors import InputError
from judge.services.dispute.compare import compare_file, compare_table

EVASIVE = {
    "game": "dice-throne",
    "edition": "fr-2.2",
    "players": [{"id": "A"}, {"id": "B", "statuses": {"evasive": 1}}],
    "turn": {"active": "A"},
    "events": [
        {"by": "A", "activate": "strike", "effects": [{"deal": 7, "type": "normal"}]},
        {
            "collide": [
                {"by": "B", "spend": "evasive", "dice": [1]},
                {"by": "A", "play": "buh-bye", "on": "B"},
            ]
        },
    ],
}
PLAIN = {**EVASIVE, "events": EVASIVE["events"][:1]}


def values(found, path):
    return next(entry["values"] for entry in found["differences"] if entry["path"] == path)


def test_what_differs_is_shown_under_every_book():
    found = compare_table(EVASIVE)

    assert values(found, "players.B.health") == {"fr-2.2": 50, "fr-2.4.1": 43, "ru-2.2": 50}
    assert not any(entry["path"].startswith("players.A") for entry in found["differences"])


def test_the_rules_that_make_the_difference_are_named_with_their_books():
    rules = {rule["id"]: rule["editions"] for rule in compare_table(EVASIVE)["rules"]}

    assert rules["DT-TIME-05"] == ["fr-2.2", "ru-2.2"]
    assert rules["DT-TIME-10"] == ["fr-2.4.1"]


def test_books_that_rule_alike_leave_nothing_to_show():
    found = compare_table(PLAIN)

    assert (found["differences"], found["rules"]) == ([], [])


def test_a_verdict_that_differs_is_shown_by_its_event():
    players = [{"id": name, "team": "red" if name in "AB" else "blue"} for name in "ABCD"]
    strike = {"by": "A", "activate": "strike", "on": "C", "effects": [{"deal": 5, "type": "normal"}]}
    boost = {"by": "B", "play": "boost", "card": "roll", "cost": 0, "modifier": True, "effects": [{"add": 3}]}
    table = {"game": "dice-throne", "mode": "2v2", "players": players, "turn": {"active": "A"}}

    found = compare_table({**table, "events": [strike, boost]})

    assert values(found, "events[2].verdict") == {
        "fr-2.2": "discretion", "fr-2.4.1": "illegal", "ru-2.2": "discretion",
    }  # fmt: skip
    assert {"DT-ATK-07", "J-09"} & {rule["id"] for rule in found["rules"]}


def test_several_tables_are_compared_in_their_order():
    assert [len(found["differences"]) > 0 for found in compare_file({"tables": [EVASIVE, PLAIN]})] == [
        True,
        False,
    ]


def test_dice_forge_has_one_book():
    assert compare_table({"game": "dice-forge", "players": [{"id": "A"}, {"id": "B"}]})["differences"] == []


def test_the_commands_print_words_and_json(tmp_path):
    table, shown = tmp_path / "table.json", tmp_path / "shown.json"
    table.write_text(json.dumps(EVASIVE))
    shown.write_text(json.dumps({"players": {"B": {"health": 43}}}))
    run = CliRunner().invoke

    compared = run(cli, ["rule", str(table), "--compare", "--lang", "ru"])
    as_json = run(cli, ["rule", str(table), "--compare", "--json"])
    mended = run(cli, ["repair", str(table), "--shows", str(shown)])
    taken_back = run(cli, ["repair", str(table), "--illegal", "1", "--json"])
    continued = run(cli, ["rule", str(table), "--after", "1", "--table"])

    assert "DT-TIME-10 (2.4.1 (французская))" in compared.output
    assert json.loads(as_json.output)["editions"] == ["fr-2.2", "fr-2.4.1", "ru-2.2"]
    assert "Turn B’s health dial up by 7, to 50." in mended.output
    assert json.loads(taken_back.output)["changes"] == []
    assert json.loads(continued.output)["players"][1]["health"] == 43


@pytest.mark.parametrize("edition", [{}, None, "fr-9", False])
def test_the_books_of_a_table_without_a_sound_edition_are_not_compared(edition):
    with pytest.raises(InputError) as refused:
        compare_file({"tables": [{**PLAIN, "edition": edition}]})

    assert refused.value.problems[0].path == "tables[1].edition"

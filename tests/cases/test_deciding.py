"""What holds for the rules that every ruling names, on tables about meetings, windows and choices."""

from pathlib import Path

import pytest

from judge.schemas.files import read_file
from judge.services.dispute.rulings import rule_table, tables_in

HERE = Path(__file__).parent
FILES = [
    *(HERE / "rules" / f"{name}.yaml" for name in ("meetings", "choices", "texts-and-windows")),
    *(HERE / f"dice-throne-{name}.yaml" for name in ("collisions", "meetings", "others")),
]
ONLY_IN = {
    "clockwise": {"DT-TIME-01", "DT-TIME-02", "DT-TIME-05"},
    "active-first": {f"DT-TIME-{n}" for n in range(10, 17)},
}


@pytest.fixture(scope="module")
def rulings():
    """Every ruling on these tables, by the name of its table."""
    tables = [table for file in FILES for _, table in tables_in(read_file(file)) if "edition" in table]
    plain = [{key: value for key, value in table.items() if key != "expect"} for table in tables]
    return [(table.get("id"), rule_table(table)) for table in plain]


def test_a_refusal_names_its_deciding_rules_first(rulings):
    for name, ruling in rulings:
        for event in ruling["events"]:
            if event["verdict"] == "illegal":
                assert 1 <= len(event["decides"]) <= 3, name
                assert event["rules"][0] == event["decides"][0], name


def test_a_ruling_names_no_rule_on_timing_of_another_book(rulings):
    for name, ruling in rulings:
        other = "clockwise" if ruling["edition"] == "fr-2.4.1" else "active-first"
        cited = {rule for event in ruling["events"] for rule in event["rules"]}
        cited |= {rule for order in ruling["order"] for rule in order["decides"]}

        assert not cited & ONLY_IN[other], name

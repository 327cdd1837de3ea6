"""Every table in tests/cases, its heroes and its rules: the ruling must contain what `expect` names."""

from pathlib import Path

import pytest

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table
from judge.schemas.files import read_file
from judge.services.dispute.rulings import departures, tables_in

HERE = Path(__file__).parent
HEROES = sorted((HERE / "heroes").glob("*.yaml"))
CASES = [
    pytest.param(table, path, id=f"{file.stem}:{table.get('id')}")
    for file in [*sorted(HERE.glob("*.yaml")), *sorted((HERE / "rules").glob("*.yaml")), *HEROES]
    for path, table in tables_in(read_file(file))
]


@pytest.mark.parametrize(("table", "path"), CASES)
def test_the_ruling_is_as_expected(table, path):
    assert table["expect"]
    assert list(departures(table, "en", path)) == []


BY_HERO = [pytest.param(file, id=file.stem) for file in HEROES if file.stem != "old-ids"]


@pytest.mark.parametrize("file", BY_HERO)
def test_every_hero_has_at_least_twelve_cases(file):
    tables = [table for _, table in tables_in(read_file(file))]
    editions = {table["edition"] for table in tables}

    assert len(tables) >= 12
    assert len(editions) > 1
    assert all(any(player.get("hero") == file.stem for player in table["players"]) for table in tables[:12])


def everything(table):
    """What a ruling says of each event, of the sums and of the table afterwards."""
    ruling = rule(table)
    events = [(each.n, each.verdict, each.rules, each.reasons) for each in ruling.events]
    steps = [(step.key, step.params, step.rules, step.events) for step in ruling.steps]
    return events, steps, ruling.resolutions, ruling.players, ruling.asks, ruling.may


def test_what_the_reader_knows_of_an_event_beforehand_changes_no_ruling():
    files = [param.values for param in CASES if param.values[0]["game"] == "dice-throne"]
    tables = [read_table(table, path) for table, path in files]
    short = [everything(table) for table in tables]

    events = [inner for table in tables for event in table.events for inner in (event, *event.inner)]
    assert any(event.is_plain for event in events)
    for event in events:
        event.is_plain, event.has_details = False, True

    assert [everything(table) for table in tables] == short

"""What the reader works out of an event beforehand saves the engine work and changes no ruling."""

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table
from tests.cases.test_cases import CASES


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

"""A table file in, a ruling out: the same function behind the command, the API, the pages and the paper."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from judge.core.errors import fail
from judge.core.messages import Lang, Phrasebook, Ref
from judge.rules.expectations import Difference, differences
from judge.rules.ruling import Ruling, as_json
from judge.schemas.fixtures import rulebook, sentences
from judge.schemas.shape import at, text

# A game is a reader `read_table(data, path) -> Table`, an engine `rule(table) -> Ruling`
# and the names of its things `name_of(table) -> (Ref, Lang) -> str`.
GAMES = {"dice-throne": "dice_throne", "dice-forge": "dice_forge"}


def tables_in(data: Any) -> list[tuple[str, Any]]:
    """The tables of a file with their path: one table, or `tables: [...]`."""
    if not isinstance(data, dict):
        raise fail("", "expected_mapping")
    if "tables" not in data:
        return [("", data)]
    if not isinstance(data["tables"], list):
        raise fail("tables", "expected_list")
    for key in data.keys() - {"tables"}:
        raise fail(key, "unknown_key")
    return [(f"tables[{n}]", table) for n, table in enumerate(data["tables"], start=1)]


def rule_table(data: Any, lang: Lang = "en", path: str = "") -> dict[str, Any]:
    """The ruling on one table, as CONTRACT section 1.3 shows it."""
    if not isinstance(data, dict):
        raise fail(path, "expected_mapping")
    for key in ("id", "title", "note"):
        if data.get(key) is not None:
            text(data[key], at(path, key))
    game = data.get("game")
    if not isinstance(game, str) or game not in GAMES:
        raise fail(at(path, "game"), "expected_one_of", words=list(GAMES))
    schema = importlib.import_module(f"judge.schemas.{GAMES[game]}")
    engine = importlib.import_module(f"judge.rules.{GAMES[game]}")
    table = schema.read_table(data, path)
    ruling: Ruling = engine.rule(table)
    return as_json(ruling, rulebook(game), Phrasebook(lang, sentences(lang), schema.name_of(table)))


def rule_file(data: Any, lang: Lang = "en") -> Any:
    """The ruling on a file: one, or a list in the order of its tables."""
    rulings = [rule_table(table, lang, path) for path, table in tables_in(data)]
    return rulings if "tables" in data else rulings[0]


def cut(data: Any, after: int) -> Any:
    """The same file with only the first `after` events of every table."""
    tables = [table for _, table in tables_in(data)]
    shortened = []
    for table in tables:
        events = table.get("events") if isinstance(table, dict) else None
        if isinstance(events, list):
            if not 0 <= after <= len(events):
                raise fail("events", "expected_event_number", high=len(events))
            table = {**table, "events": events[:after]}
        shortened.append(table)
    return {"tables": shortened} if "tables" in data else shortened[0]


def check_file(data: Any, lang: Lang = "en") -> Iterator[tuple[str, list[Difference]]]:
    """Each table's id and where its ruling departs from its `expect`."""
    for n, (path, table) in enumerate(tables_in(data), start=1):
        yield str(table.get("id") or f"table {n}"), list(departures(table, lang, path))


def departures(table: Any, lang: Lang = "en", path: str = "") -> Iterator[Difference]:
    """Where the ruling departs from `expect`; `expect.after` does the same after earlier events."""
    ruling = rule_table(table, lang, path)
    expected = dict(table.get("expect") or {})
    here = f"{path}.expect.after" if path else "expect.after"
    after = expected.pop("after", None) or {}
    if not isinstance(after, dict):
        raise fail(here, "expected_mapping")
    for n, part in after.items():
        if not str(n).isdecimal():  # JSON has no numbers for keys
            raise fail(f"{here}.{n}", "expected_event_number", high=len(table.get("events") or []))
        yield from differences(part, rule_table(cut(table, int(n)), lang, path), f"after.{n}")
    yield from differences(expected, ruling)


def plain_name(ref: Ref, lang: Lang) -> str:
    """A thing without an entry in any catalogue is called by its id."""
    return ref.id.replace("-", " ").replace("_", " ")

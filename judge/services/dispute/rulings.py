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
# Where all players roll at once, an event may depend on a roll that is entered after it.
LOOKS_AHEAD = ("dice-forge",)


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


def rule_table(data: Any, lang: Lang = "en", path: str = "", after: int | None = None) -> dict[str, Any]:
    """The ruling on one table, as CONTRACT section 1.3 shows it; with `after`, on its first events only."""
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
    data, stop = stopped(data, game, after)
    table = schema.read_table(data, path)
    ruling: Ruling = engine.rule(table, **stop)
    return as_json(ruling, rulebook(game), Phrasebook(lang, sentences(lang), schema.name_of(table)))


def rule_file(data: Any, lang: Lang = "en", after: int | None = None) -> Any:
    """The ruling on a file: one, or a list in the order of its tables."""
    rulings = [rule_table(table, lang, path, after) for path, table in tables_in(data)]
    return rulings if "tables" in data else rulings[0]


def cut(data: Any, after: int) -> Any:
    """The same file with only the first `after` events of every table."""
    shortened = [_cut_table(table, after) for _, table in tables_in(data)]
    return {"tables": shortened} if "tables" in data else shortened[0]


def _cut_table(table: Any, after: int) -> Any:
    events = table.get("events") if isinstance(table, dict) else None
    if not isinstance(events, list):
        return table
    if not 0 <= after <= len(events):
        raise fail("events", "expected_event_number", high=len(events))
    return {**table, "events": events[:after]}


def stopped(data: Any, game: str, after: int | None) -> tuple[Any, dict[str, int]]:
    """A table to be ruled up to event `after`: cut, or whole with where its engine is to stop."""
    if after is None:
        return data, {}
    shortened = _cut_table(data, after)
    return (data, {"after": after}) if game in LOOKS_AHEAD else (shortened, {})


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

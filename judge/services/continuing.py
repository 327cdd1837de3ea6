"""A game written as a table file that goes on where its events end."""

from __future__ import annotations

import importlib
from typing import Any

from judge.core.errors import fail
from judge.services.rulings import GAMES, tables_in

_KEPT = ("id", "title", "note", "game", "edition", "mode", "catalogue", "rulings")


def continue_table(data: Any, path: str = "") -> dict[str, Any]:
    """The same table without events, its players and turn as they are after them."""
    if not isinstance(data, dict) or data.get("game") not in GAMES:
        raise fail(f"{path}.game" if path else "game", "expected_one_of", words=list(GAMES))
    name = GAMES[data["game"]]
    engine = importlib.import_module(f"judge.rules.{name}")
    table = importlib.import_module(f"judge.schemas.{name}").read_table(data, path)
    kept = {key: data[key] for key in _KEPT if key in data}
    if data["game"] == "dice-throne":
        return {**kept, **engine.carried_on(table), "events": []}
    return {**kept, **engine.as_table(engine.rule(table))}


def continue_file(data: Any) -> Any:
    """One table, or `tables:` in the same order."""
    found = [continue_table(table, path) for path, table in tables_in(data)]
    return {"tables": found} if "tables" in data else found[0]

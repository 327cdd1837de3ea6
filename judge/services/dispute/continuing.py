"""A game written as a table file that goes on where its events end."""

from __future__ import annotations

import importlib
from typing import Any

from judge.core.errors import fail
from judge.services.dispute.rulings import GAMES, stopped, tables_in

_KEPT = ("id", "title", "note", "game", "edition", "mode", "catalogue", "rulings")


def continue_table(data: Any, path: str = "", after: int | None = None) -> dict[str, Any]:
    """The same table without events, its players and turn as they are after them, or after the first ones."""
    if not isinstance(data, dict) or data.get("game") not in GAMES:
        raise fail(f"{path}.game" if path else "game", "expected_one_of", words=list(GAMES))
    name = GAMES[data["game"]]
    engine = importlib.import_module(f"judge.rules.{name}")
    kept = {key: data[key] for key in _KEPT if key in data}
    data, stop = stopped(data, data["game"], after)
    table = importlib.import_module(f"judge.schemas.{name}").read_table(data, path)
    if data["game"] == "dice-throne":
        return {**kept, **engine.carried_on(table), "events": []}
    return {**kept, **engine.as_table(engine.rule(table, **stop))}


def continue_file(data: Any, after: int | None = None) -> Any:
    """One table, or `tables:` in the same order."""
    found = [continue_table(table, path, after) for path, table in tables_in(data)]
    return {"tables": found} if "tables" in data else found[0]

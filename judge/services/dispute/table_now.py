"""Where a Dice Throne table stands while it is still going on, and which of several actions would be allowed
now. A ruling concludes what is pending when the events end; somebody who is about to answer needs it open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from judge.core.errors import InputError
from judge.rules.catalog import Catalog
from judge.rules.dice_throne.flow.engine import standing
from judge.rules.dice_throne.state import report
from judge.rules.dice_throne.verbs.may import open_verbs
from judge.rules.dice_throne.verbs.registry import check_event
from judge.schemas.dice_throne.table import read_table


@dataclass(frozen=True, slots=True)
class Standing:
    catalog: Catalog
    players: dict[str, dict[str, Any]]
    may: dict[str, list[str]]
    turn: dict[str, Any]
    is_allowed: list[bool]  # of each action that was asked about


def look(table: dict[str, Any], actions: list[dict[str, Any]]) -> Standing:
    """`actions` are events of a table file; one that cannot even be read is not allowed."""
    events = table.get("events") or []
    try:
        whole = read_table({**table, "events": [*events, *actions]})
    except InputError:
        whole, actions = read_table(table), []
    asked = whole.events[len(events) :]
    whole.events = whole.events[: len(events)]
    game = standing(whole)
    state = report.players(game), open_verbs(game), report.turn(game)
    allowed = [not (check := check_event(game, event)).faults and not check.doubts for event in asked]
    return Standing(whole.catalog, *state, allowed)

"""Changes to a table file while it is being entered. Each takes a table and returns a new one; the caller
checks that it can be ruled.
"""

from __future__ import annotations

from typing import Any

from judge.core.json_types import EventEntry, JsonObject, TableFile

# Where a table file names a player.
_NAMING = ("by", "on", "target", "whose", "player", "active", "first", "order", "id")
_NAMED_KEYS = ("oust", "rolls")


def events_of(table: TableFile) -> list[EventEntry]:
    return list(table.get("events") or [])


def with_events(table: TableFile, events: list[EventEntry]) -> TableFile:
    return {**table, "events": events}


def add_event(table: TableFile, event: EventEntry, before: int = 0) -> TableFile:
    """Add an event at the end, or before the event with this number."""
    events = events_of(table)
    events.insert(before - 1 if 1 <= before <= len(events) else len(events), event)
    return with_events(table, events)


def event_at(table: TableFile, n: int | str) -> EventEntry:
    """The event with this number; `3.2` is the second action of the third event, a collide."""
    first, _, inner = str(n).partition(".")
    event: EventEntry = table["events"][int(first) - 1]
    return event["collide"][int(inner) - 1] if inner else event


def replace_event(table: TableFile, n: int | str, event: EventEntry) -> TableFile:
    events = events_of(table)
    first, _, inner = str(n).partition(".")
    if inner:
        actions = list(events[int(first) - 1]["collide"])
        actions[int(inner) - 1] = event
        event = {**events[int(first) - 1], "collide": actions}
    events[int(first) - 1] = event
    return with_events(table, events)


def remove_event(table: TableFile, n: int) -> TableFile:
    events = events_of(table)
    del events[n - 1]
    return with_events(table, events)


def move_event(table: TableFile, n: int, by: int) -> TableFile:
    events = events_of(table)
    to = n - 1 + by
    if 0 <= to < len(events):
        events.insert(to, events.pop(n - 1))
    return with_events(table, events)


def join_events(table: TableFile, n: int, timing: str) -> TableFile:
    """Join the event and the one before it into a `collide`, in their order."""
    events = events_of(table)
    pair = events[n - 2 : n]
    inner = [action for event in pair for action in event.get("collide") or [event]]
    events[n - 2 : n] = [{"collide": inner, "timing": timing}]
    return with_events(table, events)


def part_events(table: TableFile, n: int) -> TableFile:
    """Replace a `collide` by its events, one after the other."""
    events = events_of(table)
    events[n - 1 : n] = events[n - 1].get("collide") or [events[n - 1]]
    return with_events(table, events)


def set_key(event: EventEntry, key: str, value: Any, keep_zero: bool = False) -> EventEntry:
    """The event with the key set, or removed if the value is empty; 0 is empty unless it is to be kept."""
    others = {k: v for k, v in event.items() if k != key}
    is_zero = keep_zero and value == 0 and value is not False
    return others if not is_zero and value in (None, "", [], False) else {**others, key: value}


# -- players ------------------------------------------------------------------------------------------------


def player_ids(table: TableFile) -> list[str]:
    return [str(player["id"]) for player in table["players"]]


def change_player(table: TableFile, who: str, **values: Any) -> TableFile:
    """Set keys of a player; None removes a key, which leaves the value of a new game."""
    players = []
    for player in table["players"]:
        if str(player["id"]) == who:
            player = {k: v for k, v in {**player, **values}.items() if v is not None}
        players.append(player)
    return {**table, "players": players}


def player_of(table: TableFile, who: str) -> JsonObject:
    player: JsonObject = next(p for p in table["players"] if str(p["id"]) == who)
    return player


def step_count(table: TableFile, who: str, key: str, now: int, by: int) -> TableFile:
    return change_player(table, who, **{key: max(0, now + by)})


def step_token(table: TableFile, who: str, group: str, token: str, now: dict[str, int], by: int) -> TableFile:
    """Give a player one status or companion more or fewer at the start."""
    counts = {**now, token: max(0, now.get(token, 0) + by)}
    return change_player(table, who, **{group: {name: n for name, n in counts.items() if n} or {}})


def rename_player(table: TableFile, old: str, new: str) -> TableFile:
    """Rename a player wherever the file names them."""
    new = " ".join(new.split())
    if not new or new == old or new in player_ids(table):
        return table
    parts: TableFile = {
        key: _renamed(table[key], old, new) for key in ("players", "turn", "events", "claims") if key in table
    }
    if "boars" in table:
        parts["boars"] = {face: new if who == old else who for face, who in table["boars"].items()}
    return {**table, **parts}


def _renamed(value: Any, old: str, new: str, key: str = "") -> Any:
    if isinstance(value, dict):
        if key in _NAMED_KEYS:
            return {new if str(k) == old else k: _renamed(v, old, new) for k, v in value.items()}
        return {k: _renamed(v, old, new, k) for k, v in value.items()}
    if isinstance(value, list):
        return [_renamed(item, old, new, key) for item in value]
    return new if key in _NAMING and str(value) == old else value


# -- the rest of the table ----------------------------------------------------------------------------------


def set_top(table: TableFile, key: str, value: Any) -> TableFile:
    """A key of the table itself; an empty value takes it away."""
    others = {k: v for k, v in table.items() if k != key}
    return others if value in (None, "", [], {}) else {**others, key: value}


def set_turn(table: TableFile, **values: Any) -> TableFile:
    turn = {
        k: v for k, v in {**(table.get("turn") or {}), **values}.items() if v not in (None, "", [], False)
    }
    return set_top(table, "turn", turn)


def set_claim(table: TableFile, by: str, player: str, final: int | None, of: str = "final") -> TableFile:
    """Set how much somebody claims that a player takes; None withdraws the claim."""
    claims = [
        c
        for c in table.get("claims") or []
        if (str(c.get("by", c["player"])), str(c["player"])) != (by, player) or of not in c
    ]
    if final is not None:
        claims.append({"by": by, "player": player, of: final})
    return set_top(table, "claims", claims)


def decide_point(table: TableFile, point: str, letter: str) -> TableFile:
    """Record the head judge's choice at an open point; an empty letter leaves it open again."""
    rulings = {**(table.get("rulings") or {}), point: letter}
    return set_top(table, "rulings", {k: v for k, v in rulings.items() if v})

"""Changes to a table file while it is being entered. Each takes a table and returns a new one; whether it can
be ruled is asked afterwards.
"""

from __future__ import annotations

from typing import Any

Table = dict[str, Any]

# Where a table file names a player.
_NAMING = ("by", "on", "target", "whose", "player", "active", "first", "order", "id")
_NAMED_KEYS = ("oust", "rolls")


def events_of(table: Table) -> list[dict[str, Any]]:
    return list(table.get("events") or [])


def with_events(table: Table, events: list[dict[str, Any]]) -> Table:
    return {**table, "events": events}


def add_event(table: Table, event: dict[str, Any], before: int = 0) -> Table:
    """At the end, or before the event with this number."""
    events = events_of(table)
    events.insert(before - 1 if 1 <= before <= len(events) else len(events), event)
    return with_events(table, events)


def replace_event(table: Table, n: int, event: dict[str, Any]) -> Table:
    events = events_of(table)
    events[n - 1] = event
    return with_events(table, events)


def remove_event(table: Table, n: int) -> Table:
    events = events_of(table)
    del events[n - 1]
    return with_events(table, events)


def move_event(table: Table, n: int, by: int) -> Table:
    events = events_of(table)
    to = n - 1 + by
    if 0 <= to < len(events):
        events.insert(to, events.pop(n - 1))
    return with_events(table, events)


def join_events(table: Table, n: int, timing: str) -> Table:
    """The event and the one before it meet: a `collide` of both, in the order they stand."""
    events = events_of(table)
    pair = events[n - 2 : n]
    inner = [one for event in pair for one in event.get("collide") or [event]]
    events[n - 2 : n] = [{"collide": inner, "timing": timing}]
    return with_events(table, events)


def part_events(table: Table, n: int) -> Table:
    """What met comes one after the other again."""
    events = events_of(table)
    events[n - 1 : n] = events[n - 1].get("collide") or [events[n - 1]]
    return with_events(table, events)


def set_key(event: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """The event with the key; without it where the value says nothing."""
    rest = {k: v for k, v in event.items() if k != key}
    return rest if value in (None, "", [], False) else {**rest, key: value}


# -- players ------------------------------------------------------------------------------------------------


def player_ids(table: Table) -> list[str]:
    return [str(player["id"]) for player in table["players"]]


def change_player(table: Table, who: str, **values: Any) -> Table:
    """Set keys of a player; None takes a key away, so that the value of a fresh game counts."""
    players = []
    for player in table["players"]:
        if str(player["id"]) == who:
            player = {k: v for k, v in {**player, **values}.items() if v is not None}
        players.append(player)
    return {**table, "players": players}


def player_of(table: Table, who: str) -> dict[str, Any]:
    found: dict[str, Any] = next(p for p in table["players"] if str(p["id"]) == who)
    return found


def step_count(table: Table, who: str, key: str, now: int, by: int) -> Table:
    return change_player(table, who, **{key: max(0, now + by)})


def step_token(table: Table, who: str, group: str, token: str, now: dict[str, int], by: int) -> Table:
    """One more or one fewer of a status (or companion) at the start."""
    counts = {**now, token: max(0, now.get(token, 0) + by)}
    return change_player(table, who, **{group: {name: n for name, n in counts.items() if n} or {}})


def rename_player(table: Table, old: str, new: str) -> Table:
    """Call a player something else, wherever the file names them."""
    new = " ".join(new.split())
    if not new or new == old or new in player_ids(table):
        return table
    parts: Table = {
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


def set_top(table: Table, key: str, value: Any) -> Table:
    """A key of the table itself; an empty value takes it away."""
    rest = {k: v for k, v in table.items() if k != key}
    return rest if value in (None, "", [], {}) else {**rest, key: value}


def set_turn(table: Table, **values: Any) -> Table:
    turn = {
        k: v for k, v in {**(table.get("turn") or {}), **values}.items() if v not in (None, "", [], False)
    }
    return set_top(table, "turn", turn)


def set_claim(table: Table, by: str, player: str, final: int | None, of: str = "final") -> Table:
    """What somebody says a player takes; None withdraws it."""
    claims = [
        c
        for c in table.get("claims") or []
        if (str(c.get("by", c["player"])), str(c["player"])) != (by, player) or of not in c
    ]
    if final is not None:
        claims.append({"by": by, "player": player, of: final})
    return set_top(table, "claims", claims)


def decide_point(table: Table, point: str, letter: str) -> Table:
    """The head judge's choice at a point the books leave open; no letter leaves it open again."""
    rulings = {**(table.get("rulings") or {}), point: letter}
    return set_top(table, "rulings", {k: v for k, v in rulings.items() if v})

"""Each thing a judge taps on the page of a table: a form in, the changed table out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from flask import request
from werkzeug.datastructures import MultiDict

from judge.core.errors import fail
from judge.schemas.files import parse
from judge.services.dispute import entering
from judge.services.dispute.rulings import tables_in
from judge.services.dispute.table_now import look
from judge.services.dispute.throne_questions import with_number, with_token
from judge.web.dispute.forge_picks import picked
from judge.web.dispute.table_view import Place

Table = dict[str, Any]
Form = MultiDict[str, str]
Done = tuple[Table, dict[str, Any]]  # the table, and what changes of the place on the page


def act(table: Table, place: Place) -> Done:
    """What the form says to do."""
    form = request.form
    do = ACTIONS.get(form.get("do", ""))
    if do is None:
        raise fail("do", "expected_one_of", words=list(ACTIONS))
    return do(table, form, place)


def _n(form: Form, table: Table) -> int:
    n = form.get("n", 0, type=int)
    if not 1 <= n <= len(table.get("events") or []):
        raise fail("n", "expected_event_number", high=len(table.get("events") or []))
    return n


def _who(form: Form, table: Table) -> str:
    who = form.get("who", "")
    if who not in entering.player_ids(table):
        raise fail("who", "expected_one_of", words=entering.player_ids(table))
    return who


def _json(text: str, path: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise fail(path, "expected_mapping") from None


def _yaml(text: str, path: str) -> dict[str, Any]:
    value = parse(text.encode())
    if not isinstance(value, dict):
        raise fail(path, "expected_mapping")
    return value


def add(table: Table, form: Form, place: Place) -> Done:
    """An event as the offers hold it, or as the judge wrote it."""
    event = _json(form["event"], "event") if form.get("event") else _yaml(form.get("raw", ""), "event")
    if not isinstance(event, dict):
        raise fail("event", "expected_mapping")
    return _placed(table, event, place)


def _placed(table: Table, event: dict[str, Any], place: Place) -> Done:
    n = place.before or len(table.get("events") or []) + 1
    return entering.add_event(table, event, place.before), {"n": n, "before": 0, "open": "", "q": ""}


def raw(table: Table, form: Form, place: Place) -> Done:
    n = _n(form, table)
    return entering.replace_event(table, n, _yaml(form.get("raw", ""), f"events[{n}]")), {"n": n, "open": ""}


def dice(table: Table, form: Form, place: Place) -> Done:
    n = _n(form, table)
    shown = [int(v) for k in range(1, 11) if (v := form.get(f"d{k}", "")) in "123456" and v]
    event = table["events"][n - 1]
    key = "roll" if "roll" in event else "dice"
    event = {k: v for k, v in event.items() if k != "effects"} if key == "dice" and shown else event
    return entering.replace_event(table, n, entering.set_key(event, key, shown)), {"n": n}


def number(table: Table, form: Form, place: Place) -> Done:
    n, word = _n(form, table), form.get("word", "")
    value = form.get("value", type=int)
    if value is None:
        raise fail("value", "expected_integer")
    return entering.replace_event(table, n, with_number(table, n, word, value)), {"n": n}


def token(table: Table, form: Form, place: Place) -> Done:
    n = _n(form, table)
    event = with_token(table, n, form.get("word", "gain"), form.get("token", ""))
    return entering.replace_event(table, n, event), {"n": n}


def key(table: Table, form: Form, place: Place) -> Done:
    """One key of an event: whom it is for, its choice, what it answers, its level ..."""
    n, name = _n(form, table), form.get("key", "")
    texts = form.getlist("value")
    values = [_plain(text) for text in texts if text != ""]
    value: Any = values if len(values) > 1 else values[0] if values else None
    return entering.replace_event(table, n, entering.set_key(table["events"][n - 1], name, value)), {"n": n}


def _plain(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdigit() and len(text) < 10 else text


def change_die(table: Table, form: Form, place: Place) -> Done:
    """A die that the event turned to another face."""
    n = _n(form, table)
    event = table["events"][n - 1]
    change = {
        "whose": form.get("whose", ""),
        "die": form.get("die", 1, type=int),
        "to": form.get("to", 6, type=int),
        "of": form.get("of", "offensive"),
    }
    kept = [] if form.get("fresh") else list(event.get("changes") or [])
    return entering.replace_event(table, n, {**event, "changes": [*kept, change]}), {"n": n}


def remove(table: Table, form: Form, place: Place) -> Done:
    n = _n(form, table)
    return entering.remove_event(table, n), {"n": 0, "before": 0, "open": ""}


def move(table: Table, form: Form, place: Place) -> Done:
    n, by = _n(form, table), -1 if form.get("by") == "up" else 1
    to = min(max(n + by, 1), len(table["events"]))
    return entering.move_event(table, n, by), {"n": to}


def join(table: Table, form: Form, place: Place) -> Done:
    n = _n(form, table)
    if n < 2:
        raise fail("n", "expected_several_actions")
    timing = form.get("timing", "in-answer")
    return entering.join_events(table, n, timing), {"n": n - 1}


def part(table: Table, form: Form, place: Place) -> Done:
    n = _n(form, table)
    return entering.part_events(table, n), {"n": n}


def count(table: Table, form: Form, place: Place) -> Done:
    """Health, CP or cards of a player at the start: a step up or down, or the number itself."""
    who, name = _who(form, table), form.get("key", "")
    if form.get("value", "") != "":
        return entering.change_player(table, who, **{name: form.get("value", type=int)}), {"open": "start"}
    now = _start(table, who).get(name, 0) or 0
    return entering.step_count(table, who, name, now, form.get("by", 1, type=int)), {"open": "start"}


def _start(table: Table, who: str) -> dict[str, Any]:
    if table["game"] == "dice-throne":
        return look({**table, "events": [], "claims": []}, []).players[who]
    from judge.services.dispute.rulings import rule_table

    found: dict[str, Any] = rule_table({**table, "events": [], "claims": []})["players"][who]
    return found


def holds(table: Table, form: Form, place: Place) -> Done:
    """One token more or fewer at the start."""
    who, group = _who(form, table), form.get("group", "statuses")
    now = _start(table, who).get(group) or {}
    step = form.get("by", 1, type=int)
    named = form.get("token") or form.get("more", "")
    return entering.step_token(table, who, group, named, now, step), {"open": "start"}


def seat(table: Table, form: Form, place: Place) -> Done:
    """A player's name, hero, upgrades, side."""
    who = _who(form, table)
    if form.get("name"):
        table = entering.rename_player(table, who, form["name"])
        renamed = [entering.player_ids(table)[k] for k, p in enumerate(entering.player_ids(table))]
        who = who if who in renamed else " ".join(form["name"].split())
    if "hero" in form:
        table = entering.change_player(table, who, hero=form["hero"].strip() or None)
    if form.get("upgrade"):
        levels = {**(entering.player_of(table, who).get("upgrades") or {})}
        levels[form["upgrade"]] = form.get("level", 2, type=int)
        levels = {name: level for name, level in levels.items() if level != 1}
        table = entering.change_player(table, who, upgrades=levels or None)
    if form.get("side"):
        table = entering.change_player(table, who, side=form["side"])
    if form.get("raw", "").strip():
        table = entering.change_player(table, who, **{**_yaml(form["raw"], "players"), "id": who})
    return table, {"open": "start"}


def turn(table: Table, form: Form, place: Place) -> Done:
    values: dict[str, Any] = {name: form.get(name) or None for name in ("active", "phase") if name in form}
    if "first" in form:
        values["first"] = form["first"] == "true" if table["game"] == "dice-throne" else form["first"]
    for name in ("attempts", "step", "round"):
        if name in form:
            values[name] = form.get(name, type=int)
    if form.get("dice"):
        values["dice"] = [int(c) for c in form["dice"] if c in "123456"]
    return entering.set_turn(table, **values), {"open": form.get("open", "")}


def top(table: Table, form: Form, place: Place) -> Done:
    """Edition, mode, title, note."""
    name = form.get("key", "")
    if name not in ("edition", "mode", "title", "note", "id"):
        raise fail("key", "expected_one_of", words=["edition", "mode", "title", "note", "id"])
    return entering.set_top(table, name, form.get("value", "").strip()), {}


def claim(table: Table, form: Form, place: Place) -> Done:
    """What the players say: fields `claim-<by>-<player>` hold numbers, by place in the list."""
    ids = entering.player_ids(table)
    of = form.get("of", "final")
    for a, by in enumerate(ids):
        for b, player in enumerate(ids):
            name = f"claim-{a + 1}-{b + 1}"
            if name in form:
                table = entering.set_claim(table, by, player, form.get(name, type=int), of)
    return table, {"open": "claims"}


def point(table: Table, form: Form, place: Place) -> Done:
    return entering.decide_point(table, form.get("point", ""), form.get("letter", "")), {}


def whole(table: Table, form: Form, place: Place) -> Done:
    """The table file itself, as text."""
    tables = [value for _, value in tables_in(parse(form.get("file", "").encode()))]
    return dict(tables[0]), {"p": 1, "n": 0, "before": 0, "open": ""}


def something(table: Table, form: Form, place: Place) -> Done:
    """Something else: a name and what it does, by numbers."""
    from judge.web.dispute.something_else import event_from

    return _placed(table, event_from(form, table), place)


def forge(table: Table, form: Form, place: Place) -> Done:
    """An event of Dice Forge, from the form of its verb."""
    from judge.web.dispute.forge_view import event_from

    return _placed(table, event_from(form), place)


def pick(table: Table, form: Form, place: Place) -> Done:
    """One tap on an event of Dice Forge."""
    n = _n(form, table)
    return entering.replace_event(table, n, picked(table, n, form)), {"n": n}


ACTIONS: dict[str, Callable[[Table, Form, Place], Done]] = {
    "add": add, "raw": raw, "dice": dice, "number": number, "token": token, "key": key,
    "change-die": change_die, "remove": remove, "move": move, "join": join, "part": part, "count": count,
    "holds": holds, "seat": seat, "turn": turn, "top": top, "claim": claim, "point": point, "whole": whole,
    "something": something, "forge": forge, "pick": pick,
}  # fmt: skip

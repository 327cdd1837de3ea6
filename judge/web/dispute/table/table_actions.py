"""The actions a judge taps on the page of a table: each takes a form and returns the changed table."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from flask import request
from werkzeug.datastructures import MultiDict

from judge.core.errors import fail
from judge.core.games import DICE_THRONE
from judge.core.json_types import EventEntry, JsonObject, TableFile
from judge.core.messages import Lang
from judge.rules.catalog import HERO_DICE
from judge.schemas.files import parse, parse_json
from judge.schemas.shape import MAX_COUNT, whole
from judge.services.dispute import entering
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.answered_events import (
    as_printed,
    with_dice,
    with_number,
    with_token,
    without_line,
)
from judge.services.dispute.dice_throne.offers import next_attacker
from judge.services.dispute.find_by_name import find_status
from judge.services.dispute.rulings import tables_in
from judge.services.rulebook.heroes import find_hero, simple
from judge.web.dispute.lines import Line, lines
from judge.web.dispute.table.forge_begin import set_up
from judge.web.dispute.table.forge_picks import picked
from judge.web.dispute.table.forge_view import event_from as forge_event
from judge.web.dispute.table.place import Place
from judge.web.dispute.table.something_else import event_from as something_else
from judge.web.frame.forms import whole_number

Form = MultiDict[str, str]
Result = tuple[TableFile, dict[str, int | str]]  # the table, and what changes of the place on the page


def act(case: Case, place: Place) -> Result:
    """Apply the action that the form names."""
    form = request.form
    do = ACTIONS.get(form.get("do", ""))
    throne, forge_only = (
        do in (number, token, dice, printed, roll, roll_before, next_attack),
        do in (forge_begin, pick, forge),
    )
    if do is None or (throne and not case.game.has_heroes) or (forge_only and case.game.has_heroes):
        raise fail("do", "expected_one_of", words=list(ACTIONS))
    return do(case, form, place)


def _n(place: Place, table: TableFile) -> int:
    """The number of the event the form is about."""
    n = place.n
    if not 1 <= n <= len(table.get("events") or []):
        raise fail("n", "expected_event_number", high=len(table.get("events") or []))
    return n


def _label(form: Form, place: Place, table: TableFile) -> int | str:
    """The number of an event or, inside a collide, of one of its actions: 3.2."""
    n = _n(place, table)
    inner = form.get("inner", 0, type=whole)
    actions = table["events"][n - 1].get("collide") or []
    return f"{n}.{inner}" if 1 <= inner <= len(actions) else n


def _answered(case: Case, form: Form, place: Place, event: EventEntry) -> Result:
    """The table with this event in place of the one the form is about."""
    label = _label(form, place, case.data)
    return entering.replace_event(case.data, label, event), {"n": _n(place, case.data)}


def _who(form: Form, table: TableFile) -> str:
    who = form.get("who", "")
    if who not in entering.player_ids(table):
        raise fail("who", "expected_one_of", words=entering.player_ids(table))
    return who


def _json(text: str, path: str) -> Any:
    try:
        return parse_json(text)
    except json.JSONDecodeError:
        raise fail(path, "expected_mapping") from None


def _yaml(text: str, path: str) -> JsonObject:
    value = parse(text.encode())
    if not isinstance(value, dict):
        raise fail(path, "expected_mapping")
    return value


def add(case: Case, form: Form, place: Place) -> Result:
    """Add an event: an offer that was tapped, or one the judge wrote."""
    table = case.data
    event = _json(form["event"], "event") if form.get("event") else _yaml(form.get("raw", ""), "event")
    if not isinstance(event, dict):
        raise fail("event", "expected_mapping")
    return _placed(table, event, place)


def _placed(table: TableFile, event: EventEntry, place: Place) -> Result:
    n = place.before or len(table.get("events") or []) + 1
    fold = "turn" if request.form.get("keep") == "turn" else ""
    return entering.add_event(table, event, place.before), {"n": n, "before": 0, "open": fold, "q": ""}


def next_attack(case: Case, form: Form, place: Place) -> Result:
    """End the turn and go on to the Offensive Roll Phase of the player who attacks next."""
    who = next_attacker(case)
    if not who:
        raise fail("do", "expected_one_of", words=["add"])
    table = entering.add_event(case.data, {"advance": "turn"})
    table = entering.add_event(table, {"advance": "offensive-roll"})
    p = entering.player_ids(table).index(who) + 1
    return table, {"n": len(table["events"]), "before": 0, "open": "", "q": "", "p": p}


def would_be(case: Case, text: str, lang: Lang) -> Line:
    """This event with its verdict as if it came next."""
    event = _json(text, "event")
    if not isinstance(event, dict):
        raise fail("event", "expected_mapping")
    tried = case.changed_to(entering.add_event(case.data, event))
    return lines(tried.data, tried.said(lang), lang)[-1]


def roll(case: Case, form: Form, place: Place) -> Result:
    """Add a Roll Attempt of the player who acts."""
    return _placed(case.data, {"by": _who(form, case.data), "roll": _five(form)}, place)


def _five(form: Form) -> list[int]:
    faces = [int(v) for k in range(1, HERO_DICE + 1) if (v := form.get(f"d{k}", "")) in "123456" and v]
    if len(faces) != HERO_DICE:
        raise fail("dice", "expected_dice", low=HERO_DICE, high=HERO_DICE)
    return faces


def raw(case: Case, form: Form, place: Place) -> Result:
    table = case.data
    n = _n(place, table)
    return entering.replace_event(table, n, _yaml(form.get("raw", ""), f"events[{n}]")), {"n": n, "open": ""}


def dice(case: Case, form: Form, place: Place) -> Result:
    faces = [int(v) for k in range(1, 11) if (v := form.get(f"d{k}", "")) in "123456" and v]
    return _answered(case, form, place, with_dice(case, _label(form, place, case.data), faces))


def roll_before(case: Case, form: Form, place: Place) -> Result:
    """Add the Offensive Roll that led to an event: what its line was taken for goes, the dice decide."""
    table, n = case.data, _n(place, case.data)
    event = table["events"][n - 1]
    table = entering.replace_event(table, n, without_line(case, n))
    return entering.add_event(table, {"by": event["by"], "roll": _five(form)}, n), {"n": n + 1}


def number(case: Case, form: Form, place: Place) -> Result:
    value = whole_number(form, "value", -MAX_COUNT)
    event = with_number(case, _label(form, place, case.data), form.get("word", ""), value)
    return _answered(case, form, place, event)


def token(case: Case, form: Form, place: Place) -> Result:
    event = with_token(case, _label(form, place, case.data), form.get("word", "gain"), form.get("token", ""))
    return _answered(case, form, place, event)


def printed(case: Case, form: Form, place: Place) -> Result:
    """Leave out entered effects, so that the printed text counts again."""
    return _answered(
        case, form, place, as_printed(entering.event_at(case.data, _label(form, place, case.data)))
    )


def answer(case: Case, form: Form, place: Place) -> Result:
    """Set the key that an answer sets, to its value."""
    event = entering.event_at(case.data, _label(form, place, case.data))
    value = _json(form.get("value", ""), "value")
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return _answered(case, form, place, entering.set_key(event, form.get("key", ""), value, keep_zero=True))


def key(case: Case, form: Form, place: Place) -> Result:
    """Set one key of an event: its target, its choice, what it answers, its level ..."""
    texts = form.getlist("value")
    values = [_plain(text) for text in texts if text != ""]
    value: Any = values if len(values) > 1 else values[0] if values else None
    event = entering.event_at(case.data, _label(form, place, case.data))
    return _answered(case, form, place, entering.set_key(event, form.get("key", ""), value))


def _plain(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        return whole(text)
    except ValueError:
        return text


def change_die(case: Case, form: Form, place: Place) -> Result:
    """Record a die that the event turned to another face."""
    table = case.data
    n = _n(place, table)
    event = table["events"][n - 1]
    change = {
        "whose": form.get("whose", ""),
        "die": form.get("die", 1, type=whole),
        "to": form.get("to", 6, type=whole),
        "of": form.get("of", "offensive"),
    }
    changes = [] if form.get("fresh") else list(event.get("changes") or [])
    return entering.replace_event(table, n, {**event, "changes": [*changes, change]}), {"n": n}


def remove(case: Case, form: Form, place: Place) -> Result:
    table = case.data
    n = _n(place, table)
    return entering.remove_event(table, n), {"n": 0, "before": 0, "open": ""}


def move(case: Case, form: Form, place: Place) -> Result:
    table = case.data
    n, by = _n(place, table), -1 if form.get("by") == "up" else 1
    to = min(max(n + by, 1), len(table["events"]))
    return entering.move_event(table, n, by), {"n": to}


def join(case: Case, form: Form, place: Place) -> Result:
    table = case.data
    n = _n(place, table)
    if n < 2:
        raise fail("n", "expected_several_actions")
    timing = form.get("timing", "in-answer")
    return entering.join_events(table, n, timing), {"n": n - 1}


def part(case: Case, form: Form, place: Place) -> Result:
    table = case.data
    n = _n(place, table)
    return entering.part_events(table, n), {"n": n}


def count(case: Case, form: Form, place: Place) -> Result:
    """Set health, CP or cards of a player at the start: one step up or down, or the number itself."""
    table = case.data
    who, name = _who(form, table), form.get("key", "")
    if form.get("value", "") != "":
        return entering.change_player(table, who, **{name: form.get("value", type=whole)}), {"open": "start"}
    now = case.beginning[who].as_json().get(name) or 0
    return entering.step_count(table, who, name, now, form.get("by", 1, type=whole)), {"open": "start"}


def holds(case: Case, form: Form, place: Place) -> Result:
    """Give a player one token more or fewer at the start."""
    table = case.data
    who, group = _who(form, table), form.get("group", "statuses")
    now = case.beginning[who].as_json().get(group) or {}
    step = form.get("by", 1, type=whole)
    name = form.get("token") or form.get("more", "")
    if form.get("named", "").strip():
        used = [token for seat in case.beginning.values() for token in seat.as_json().get("statuses") or {}]
        name = find_status(form["named"].strip()[:60], table.get("catalogue") or {}, used)
    return entering.step_token(table, who, group, name, now, step), {"open": "start"}


def _hero_meant(table: TableFile, written: str) -> str:
    """A hero by any name: one of the table's own words first, then one of the catalogue, else as written."""
    own = (table.get("catalogue") or {}).get("heroes") or []
    names = {
        simple(str(name)): hero["id"] for hero in own for name in (hero.get("names") or {}).values() if name
    }
    meant: str = {**names, **{simple(hero["id"]): hero["id"] for hero in own}}.get(simple(written), "")
    return meant or find_hero(DICE_THRONE, written)


def seat(case: Case, form: Form, place: Place) -> Result:
    """Set a player's name, hero, upgrades or side."""
    table = case.data
    who = _who(form, table)
    if form.get("name"):
        table = entering.rename_player(table, who, form["name"])
        renamed = [entering.player_ids(table)[k] for k, p in enumerate(entering.player_ids(table))]
        who = who if who in renamed else " ".join(form["name"].split())
    if "hero" in form:
        table = entering.change_player(table, who, hero=_hero_meant(table, form["hero"]) or None)
    if form.get("upgrade"):
        levels = {**(entering.player_of(table, who).get("upgrades") or {})}
        levels[form["upgrade"]] = form.get("level", 2, type=whole)
        levels = {name: level for name, level in levels.items() if level != 1}
        table = entering.change_player(table, who, upgrades=levels or None)
    if form.get("side"):
        table = entering.change_player(table, who, side=form["side"])
    if form.get("raw", "").strip():
        table = entering.change_player(table, who, **{**_yaml(form["raw"], "players"), "id": who})
    return table, {"open": "start"}


def turn(case: Case, form: Form, place: Place) -> Result:
    table = case.data
    values: JsonObject = {name: form.get(name) or None for name in ("active", "phase") if name in form}
    if "first" in form:
        values["first"] = form["first"] == "true" if case.game.has_heroes else form["first"]
    for name in ("attempts", "step", "round"):
        if name in form:
            values[name] = form.get(name, type=whole)
    if form.get("dice"):
        values["dice"] = [int(c) for c in form["dice"] if c in "123456"]
    return entering.set_turn(table, **values), {"open": form.get("open", "")}


def top(case: Case, form: Form, place: Place) -> Result:
    """Set the edition, mode, title, note or id."""
    table = case.data
    name = form.get("key", "")
    if name not in ("edition", "mode", "title", "note", "id"):
        raise fail("key", "expected_one_of", words=["edition", "mode", "title", "note", "id"])
    return entering.set_top(table, name, form.get("value", "").strip()), {}


def claim(case: Case, form: Form, place: Place) -> Result:
    """Set what players claim: `claim-1-2` is what the first player says the second takes."""
    table = case.data
    ids = entering.player_ids(table)
    of = form.get("of", "final")
    for a, by in enumerate(ids):
        for b, player in enumerate(ids):
            name = f"claim-{a + 1}-{b + 1}"
            if name in form:
                table = entering.set_claim(table, by, player, form.get(name, type=whole), of)
    return table, {"open": "claims"}


def point(case: Case, form: Form, place: Place) -> Result:
    table = case.data
    return entering.decide_point(table, form.get("point", ""), form.get("letter", "")), {}


def whole_file(case: Case, form: Form, place: Place) -> Result:
    """Replace the table by a file entered as text."""
    tables = [value for _, value in tables_in(parse(form.get("file", "").encode()))]
    return dict(tables[0]), {"p": 1, "n": 0, "before": 0, "open": ""}


def something(case: Case, form: Form, place: Place) -> Result:
    """Add something that no catalogue has: a name, and what it does by numbers."""
    table = case.data
    return _placed(table, something_else(form, table), place)


def forge(case: Case, form: Form, place: Place) -> Result:
    """Add an event of Dice Forge from the form of its verb."""
    table = case.data
    return _placed(table, forge_event(form), place)


def forge_begin(case: Case, form: Form, place: Place) -> Result:
    """Apply one tap on how a Dice Forge table began."""
    return set_up(case, form, _who(form, case.data)), {"open": "start"}


def pick(case: Case, form: Form, place: Place) -> Result:
    """Apply one tap on an event of Dice Forge."""
    table = case.data
    n = _n(place, table)
    return entering.replace_event(table, n, picked(case, n, form)), {"n": n}


ACTIONS: dict[str, Callable[[Case, Form, Place], Result]] = {
    "add": add, "next-attack": next_attack, "raw": raw, "dice": dice, "roll": roll,
    "roll-before": roll_before, "answer": answer, "printed": printed, "number": number, "token": token,
    "key": key,
    "change-die": change_die, "remove": remove, "move": move, "join": join, "part": part, "count": count,
    "holds": holds, "seat": seat, "turn": turn, "top": top, "claim": claim, "point": point,
    "whole": whole_file, "something": something, "forge": forge, "forge-begin": forge_begin, "pick": pick,
}  # fmt: skip

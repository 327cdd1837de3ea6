"""Where on the page of a table the judge is, and the links and hidden form fields that keep it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from secrets import token_hex
from typing import Any
from urllib.parse import urlencode
from zlib import crc32

from flask import request
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup, escape

from judge.core.json_types import EventEntry, TableFile
from judge.schemas.shape import whole
from judge.web.dispute.table.folds import has_script

_UNQUOTED = "!$'()*,/:;?@"  # as Werkzeug leaves them in an address


@dataclass(frozen=True, slots=True)
class Place:
    """Where on the page the judge is: who acts, which event is open, where the next goes, what was typed."""

    p: int = 1
    n: int = 0
    before: int = 0
    q: str = ""
    open: str = ""

    def values(self, **changes: int | str) -> dict[str, Any]:
        values = {"p": self.p, "n": self.n, "before": self.before, "open": self.open, **changes}
        return {key: value for key, value in values.items() if value}


def place_now(count: int, events: int) -> Place:
    """From the address or the form."""

    def number(name: str, high: int) -> int:
        value = request.values.get(name, 0, type=whole)
        return value if 1 <= value <= high else 0

    return Place(
        number("p", count) or 1,
        number("n", events),
        number("before", events),
        request.values.get("q", "")[:60],
        request.values.get("open", "")[:20],
    )


def moved(place: Place, table: TableFile, **changes: Any) -> Place:
    """The place after a change, kept within the events and players that there are."""
    new, count = replace(place, **changes), len(table.get("events") or [])
    seats = len(table["players"])
    return replace(new, p=min(new.p, seats), n=min(new.n, count), before=min(new.before, count))


def links(address: str, place: Place) -> Callable[..., str]:
    """`at(n=3)`: the address of the page with something else open."""

    def at(**changes: Any) -> str:
        values = place.values(**changes)
        return f"{address}?{urlencode(values, safe=_UNQUOTED)}" if values else address

    return at


@dataclass(frozen=True, slots=True)
class FormFields:
    """The hidden fields of the page's forms.

    `along`: what every form sends, stated once for the page's script, which adds it. Without the script each
    form has it.
    `hidden(do)`: what is to be done, and the place on the page; a second argument leaves the open event out.
    `of_event(do, n)`: what is to be done to this event (3.2: the second action of a collide).
    `following`: an event that comes after all others; `preceding(n)`: one right before this one.
    `who_field`: who acts.
    """

    along: Markup
    hidden: Callable[..., Markup]
    of_event: Callable[[str, int | str], Markup]
    following: Markup
    preceding: Callable[[int | str], Markup]
    who_field: Markup


def mark_of(events: list[EventEntry], n: int) -> str:
    """A mark by which a form says which event it means, wherever that event stands by now.

    Of events that are alike it says which one of how many: if one of them goes, the marks of all are stale.
    """
    event = events[n - 1]
    alike = [k for k, other in enumerate(events, start=1) if other == event]
    which = f"-{alike.index(n) + 1}-{len(alike)}" if len(alike) > 1 else ""
    return f"{crc32(json.dumps(event, sort_keys=True).encode()):08x}{which}"


def form_fields(place: Place, table: TableFile, who: str) -> FormFields:
    events = table.get("events") or []
    before = _inputs(was=mark_of(events, place.before)) if place.before else ""
    whole_place, without_event = (f"{_inputs(**p.values())}{before}" for p in (place, replace(place, n=0)))
    token, along = _inputs(csrf_token=generate_csrf()), ""
    if has_script():
        along, token, whole_place = f'<div id="along" hidden>{token}{whole_place}</div>', "", ""
    else:
        token += _inputs(load=token_hex(4))
    start = f'{token}<input type="hidden" name="do" value="'
    of_player, editing = _inputs(p=place.p), {"open": "edit"} if place.open == "edit" else {}

    @cache
    def event_meant(n: int | str) -> str:
        number, _, inner = str(n).partition(".")
        within = {"inner": inner} if inner else {}
        return of_player + _inputs(n=number, was=mark_of(events, int(number)), **within, **editing)

    def hidden(do: str, no_event: str = "") -> Markup:
        return Markup(f'{start}{do}">{without_event if no_event else whole_place}')  # noqa: S704  # escaped

    def of_event(do: str, n: int | str) -> Markup:
        return Markup(f'{start}{do}">{event_meant(n)}')  # noqa: S704  # escaped

    def preceding(n: int | str) -> Markup:
        number = int(str(n).partition(".")[0])
        mark = _inputs(before=number, was=mark_of(events, number))
        return Markup(f'{start}add">{of_player}{mark}')  # noqa: S704  # escaped

    following = Markup(f'{start}add">{of_player}')  # noqa: S704  # escaped
    who_field = Markup(_inputs(who=who))  # noqa: S704  # escaped
    return FormFields(Markup(along), hidden, of_event, following, preceding, who_field)  # noqa: S704  # escaped


def _inputs(**values: int | str) -> str:
    """Hidden fields; their names are ours, their values may be anybody's."""
    return "".join(f'<input type="hidden" name="{k}" value="{escape(v)}">' for k, v in values.items())

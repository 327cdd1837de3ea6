"""Templates are given frozen views, never rows of the database: no page writes by accident or asks again."""

import re
from dataclasses import fields, is_dataclass

import pytest
from flask import template_rendered
from sqlmodel import SQLModel

from judge.paths import TEMPLATES
from judge.storage.events import Player
from tests.builders import NOW
from tests.every_page import addresses

# Pages that no address opens by itself: they follow a form, or say that there is nothing.
AFTER_A_FORM = {
    "accounts/recovery_codes.html",
    "accounts/sign_in_code.html",
    "dispute/show.html",
    "pairing/open_tables.html",
    "pairing/round_none.html",
    "phone/no_match.html",
    "play/call_none.html",
    "play/report_none.html",
}
PAGE = re.compile(r'{% extends "([^"]+)"')
FLASK_OWN = {"g", "request", "session", "config"}


def rows_in(value, path, seen):
    """Where a row stands in what a template was given."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, SQLModel):
        yield f"{path}: {type(value).__name__}"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from rows_in(item, f"{path}[{key!r}]", seen)
    elif isinstance(value, list | tuple | set | frozenset):
        for n, item in enumerate(value):
            yield from rows_in(item, f"{path}[{n}]", seen)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from rows_in(getattr(value, field.name), f"{path}.{field.name}", seen)


def pages():
    """Every template that is a whole page: it extends another one, and none extends it."""
    extended = {
        path.relative_to(TEMPLATES).as_posix(): set(PAGE.findall(path.read_text()))
        for path in TEMPLATES.rglob("*.html")
    }
    return {name for name, bases in extended.items() if bases} - set().union(*extended.values())


@pytest.fixture
def given(app):
    """What every template of the test was given."""
    drawn = []
    note = lambda _app, template, context, **_: drawn.append((template.name, dict(context)))  # noqa: E731
    template_rendered.connect(note, app)
    yield drawn
    template_rendered.disconnect(note, app)


def test_no_template_is_given_a_row_of_the_database(app, world, given):
    client, values, tokens, asked = world
    for visitor in (client, app.test_client()):
        for path in [*addresses(app, values, tokens), *asked]:
            visitor.get(path)
    client.post("/events/import", data={"text": "not a tournament"})

    found = {
        f"{name} {place}"
        for name, context in given
        for key, value in context.items()
        if key not in FLASK_OWN
        for place in rows_in(value, key, set())
    }
    assert pages() - {name for name, _ in given} == AFTER_A_FORM
    assert sorted(found) == []


def test_a_row_is_found_wherever_it_hides():
    row = Player(event_id=1, name="Ana", created_at=NOW)

    assert list(rows_in({"lines": [("x", {"player": row})]}, "page", set())) == [
        "page['lines'][0][1]['player']: Player"
    ]

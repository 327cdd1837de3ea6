"""Templates are given frozen views, never rows of the database: no page writes by accident or asks again."""

from dataclasses import fields, is_dataclass
from datetime import UTC, datetime

import pytest
from flask import template_rendered
from sqlmodel import SQLModel, col, select

from judge.services.accounts.accounts import make_invite, make_token
from judge.services.dispute import drafts, kept_rulings
from judge.services.dispute.case import Case
from judge.services.event.catalogue import remember_word
from judge.services.event.demo import load_demo
from judge.services.pairing.rounds import pair_next
from judge.services.play.calls import call_judge
from judge.services.play.penalties import Sentence, give
from judge.storage.events import Event, Match, Player
from tests.builders import DESK, NOW, make_staff

LATER = datetime.now(UTC)
TABLE = {
    "game": "dice-throne",
    "edition": "fr-2.2",
    "players": [{"id": "Ana", "hero": "barbarian"}, {"id": "Ben", "hero": "paladin"}],
    "events": [{"by": "Ana", "activate": "overpower", "on": "Ben", "effects": [{"deal": 8}]}],
}
FOG = {"id": "fog", "names": {"en": "Fog"}, "polarity": "negative"}
# Some of the pages that have to be among those looked at.
DRAWN = {
    "accounts/join.html",
    "players/player.html",
    "event/staff.html",
    "log/log.html",
    "play/call.html",
    "play/calls.html",
    "play/clock.html",
    "play/match.html",
    "play/report.html",
    "pairing/swap.html",
}
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


@pytest.fixture
def given(app):
    """What every template of the test was given."""
    drawn = []
    note = lambda _app, template, context, **_: drawn.append((template.name, dict(context)))  # noqa: E731
    template_rendered.connect(note, app)
    yield drawn
    template_rendered.disconnect(note, app)


@pytest.fixture
def world(app, sign_in):
    """The demo event with a draft, a call, a penalty and a word of its own; its organiser; its addresses."""
    app.config["WTF_CSRF_ENABLED"] = False

    def token(kind, *numbers):
        return make_token(str(app.secret_key), kind, *numbers)

    with app.extensions["judge.database"].transaction() as session:
        organiser = make_staff(session, None, "organiser")
        load_demo(session, organiser, NOW)
        event, player = session.exec(select(Event)).one(), session.exec(select(Player)).first()
        match = session.exec(select(Match).where(col(Match.result).is_(None))).first()
        call_judge(session, event, match.id, "Ana", "dice", NOW)
        give(session, event, DESK, Sentence(player.id, "late", "warning"), NOW, "late")
        remember_word(session, event, DESK, "status", FOG)
        draft = pair_next(session, event, DESK, 4, despite_missing=True).result
        one, other = session.exec(select(Match).where(Match.round_id == draft.id)).all()[:2]
        invites = [
            make_invite(session, "staff", LATER, event=event, role="judge"),
            make_invite(session, "password", LATER, account=organiser),
        ]
        kept = kept_rulings.keep(session, Case(TABLE), NOW, actor=DESK, event=event, match_id=match.id).result
        draft_of_table = drafts.begin(session, TABLE, NOW, event=event, match=match)
        tokens = [
            token("player", player.id, player.link),
            token("table", match.id, match.link),
            draft_of_table.token,
        ]
        swap = f"rounds/4/swap?one={one.a_id}&other={other.a_id}&version={draft.version}"
        asked = [f"/e/{event.slug}/desk/{swap}", *(f"/join/{i.token}" for i in invites)]
        values = {
            "slug": event.slug,
            "player": player.id,
            "match_id": match.id,
            "kind": "status",
            "word": "fog",
            "key": kept.key,
        }
        client = sign_in(app.test_client(), organiser)
    return client, values, tokens, asked


def addresses(app, known, tokens):
    """Every page that can be opened, for every link."""
    for rule in app.url_map.iter_rules():
        if "GET" not in rule.methods or rule.endpoint == "static":
            continue
        for token in tokens if "token" in rule.arguments else [""]:
            values = {name: known.get(name, token if name == "token" else 1) for name in rule.arguments}
            yield app.url_map.bind("localhost").build(rule.endpoint, values)


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
    drawn = {name for name, _ in given}
    assert {
        "pairing/swap.html",
        "play/calls.html",
        "players/player.html",
        "accounts/join.html",
        "play/report.html",
    } <= drawn
    assert sorted(found) == []


def test_a_row_is_found_wherever_it_hides():
    row = Player(event_id=1, name="Ana", created_at=NOW)

    assert list(rows_in({"lines": [("x", {"player": row})]}, "page", set())) == [
        "page['lines'][0][1]['player']: Player"
    ]

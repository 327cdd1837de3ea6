"""What tests of pages share: an event with its organiser, and forms that carry their token."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import event as sa_event

from judge.storage.events import Event
from tests.builders import make_event, make_staff


@dataclass
class Desk:
    """A client at an event's desk. post() sends the form of a page, with its token."""

    client: Any
    database: Any
    event_id: int
    slug: str

    @property
    def players(self) -> str:
        return f"/e/{self.slug}/desk/players"

    def get(self, path: str) -> Any:
        return self.client.get(path)

    def post(self, path: str, data: dict[str, Any] | None = None, **values: Any) -> Any:
        return self.client.post(path, data={"csrf_token": self.token(), **(data or {}), **values})

    def token(self) -> str:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.client.get("/sign-in?lang=en").text)
        if not found:
            found = re.search(r'name="csrf_token" value="([^"]+)"', self.client.get("/account").text)
        assert found
        return found[1]


@pytest.fixture
def database(app: Any) -> Any:
    return app.extensions["judge.database"]


@pytest.fixture
def desk(app: Any, database: Any, sign_in: Callable[..., Any]) -> Desk:
    """The organiser at the desk of an event without players; bring 3, ban 1."""
    with database.transaction() as session:
        heroes = {"mode": "bring-ban", "bring": 3, "ban": 1}
        event = make_event(session, settings={"heroes": heroes})
        account = make_staff(session, event, "organiser")
        return Desk(sign_in(app.test_client(), account), database, event.id or 0, event.slug)


@pytest.fixture
def visitor(app: Any, database: Any, desk: Desk) -> Desk:
    """Somebody without an account."""
    return Desk(app.test_client(), database, desk.event_id, desk.slug)


@pytest.fixture
def set_up(database: Any, desk: Desk) -> Callable[..., None]:
    """set_up(registration={...}): change the event's settings directly."""

    def change(**settings: Any) -> None:
        with database.transaction() as session:
            event = session.get(Event, desk.event_id)
            event.settings = {**event.settings, **settings}

    return change


@pytest.fixture
def queries(database: Any) -> Callable[[Callable[[], Any]], int]:
    """queries(work): how many statements the work sends to the database."""

    def count(work: Callable[[], Any]) -> int:
        sent: list[str] = []

        def note(_conn: Any, _cursor: Any, statement: str, *_: Any) -> None:
            sent.append(statement)

        sa_event.listen(database.engine, "before_cursor_execute", note)
        try:
            work()
        finally:
            sa_event.remove(database.engine, "before_cursor_execute", note)
        return len(sent)

    return count

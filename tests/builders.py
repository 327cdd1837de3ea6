"""Small builders with defaults, so that a test shows only what matters to it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import cache
from typing import Any

from sqlmodel import Session

from judge.services.log.changes import Actor
from judge.storage.accounts import Account
from judge.storage.events import Event, Match, Player, Round, Staff

NOW = datetime(2026, 11, 14, 10, 0, tzinfo=UTC)
DESK = Actor("Dana Desk")
NAMES = [
    "Ana",
    "Ben",
    "Cleo",
    "Dov",
    "Eva",
    "Finn",
    "Gaia",
    "Hugo",
    "Ines",
    "Joel",
    "Kira",
    "Liam",
    "Mona",
    "Nils",
    "Olga",
    "Pavel",
    "Quinn",
    "Rosa",
    "Sven",
    "Tara",
    "Uma",
    "Viktor",
    "Wanda",
    "Yann",
]


def make_event(session: Session, **values: Any) -> Event:
    values = {
        "slug": "autumn-throne",
        "name": "Autumn Throne",
        "day": date(2026, 11, 14),
        "game": "dice-throne",
        "edition": "fr-2.4.1",
        "preset": "dice-throne-ranked",
        "created_at": NOW,
        **values,
    }
    event = Event(**values)
    session.add(event)
    session.flush()
    return event


def make_players(session: Session, event: Event, count: int, **values: Any) -> list[Player]:
    names = [
        NAMES[n % len(NAMES)] + (f" {n // len(NAMES) + 1}" if n >= len(NAMES) else "") for n in range(count)
    ]
    values = {"state": "present", "created_at": NOW, "link": 1, **values}
    players = [Player(event_id=event.id, name=name, **values) for name in names]
    session.add_all(players)
    session.flush()
    return players


def make_round(
    session: Session, event: Event, pairs: list[tuple[Player, Player | None]], **values: Any
) -> Round:
    """A published round with these tables; a player without an opponent has the bye."""
    round_ = Round(event_id=event.id, **{"number": 1, "state": "published", "published_at": NOW, **values})
    session.add(round_)
    session.flush()
    for n, (a, b) in enumerate(pairs, start=1):
        result = None if b else "bye"
        table_no, b_id = (n, b.id) if b else (None, None)
        seats = {"table_no": table_no, "a_id": a.id, "b_id": b_id}
        session.add(Match(event_id=event.id, round_id=round_.id, result=result, link=1, **seats))
    session.flush()
    return round_


@cache
def _hashed(password: str) -> str:
    """Once a run: a good hash is slow on purpose."""
    from judge.services.accounts.passwords import hasher

    return hasher().hash(password)


def make_staff(session: Session, event: Event | None, role: str, login: str | None = None) -> Account:
    """An account with the password "correct horse", on the event's staff in this role."""
    login = login or role
    account = Account(
        login=login,
        name=login.title(),
        password=_hashed("correct horse"),
        may_create=role == "organiser",
        created_at=NOW,
    )
    session.add(account)
    session.flush()
    if event is not None:
        session.add(Staff(event_id=event.id, account_id=account.id, role=role))
        session.flush()
    return account

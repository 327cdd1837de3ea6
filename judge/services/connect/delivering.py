"""Delivers what is in the outbox: each webhook's messages one after another, in the order of the log.

A message that fails is tried again after 5, 10, 20 ... seconds, at most an hour; the ones after it wait.
After twelve attempts it is given up and the next one is tried. A worker claims a message before it sends it,
so that several workers never send the same one at once; if a worker dies, its claim ends by itself and the
message is sent again. A receiver may thus see a message twice, never out of order, and knows it by its
number.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from judge.core.json_types import JsonObject
from judge.services.connect.outbox import topic_of
from judge.services.connect.sending import CannotSend, post
from judge.services.connect.webhooks import secret_of
from judge.services.players.player_names import shown_names
from judge.storage.audit import AuditRow
from judge.storage.connect import Delivery, Webhook
from judge.storage.database import Database
from judge.storage.events import Event, Match, Player, Round

LOG = logging.getLogger("judge.webhooks")
CLAIM = timedelta(seconds=30)
FIRST_WAIT, LONGEST_WAIT, MOST_ATTEMPTS = 5, 3600, 12
EVERY = 1.0  # seconds between two looks into the outbox
OUTCOME = ("result", "how", "health_a", "health_b", "games", "scores")


@dataclass(frozen=True, slots=True)
class Message:
    """A claimed delivery, ready to be sent."""

    id: int
    attempts: int
    url: str
    secret: str
    what: str
    body: bytes


def wait_after(attempts: int) -> timedelta:
    return timedelta(seconds=min(FIRST_WAIT * 2 ** (attempts - 1), LONGEST_WAIT))


def deliver_due(
    database: Database, server_secret: str, *, allow_private: bool = False, now: datetime | None = None
) -> int:
    """Send what is due, until nothing is; returns how many messages arrived."""
    arrived = 0
    while True:
        moment = now or datetime.now(UTC)
        due = _due(database, moment)
        delivered = sum(_deliver(database, number, server_secret, allow_private, moment) for number in due)
        if not delivered:
            return arrived
        arrived += delivered


def _due(database: Database, now: datetime) -> list[int]:
    """The oldest message of each webhook, if its time has come."""
    oldest = (
        select(func.min(Delivery.id))
        .join(Webhook, col(Webhook.id) == Delivery.webhook_id)
        .where(Delivery.state == "waiting", col(Webhook.is_active))
        .group_by(col(Delivery.webhook_id))
    )
    with database.session() as session:
        return list(
            session.exec(select(Delivery.id).where(col(Delivery.id).in_(oldest), Delivery.next_at <= now))
        )


def _deliver(database: Database, number: int, server_secret: str, allow_private: bool, now: datetime) -> bool:
    with database.transaction() as session:
        message = _claim(session, number, server_secret, now)
    if message is None:
        return False
    status, error = None, ""
    try:
        status = post(
            message.url, message.body, signed(message, int(now.timestamp())), allow_private=allow_private
        )
        error = "" if 200 <= status < 300 else f"HTTP {status}"
    except CannotSend as failure:
        error = str(failure)
    with database.transaction() as session:
        _settle(session, message, status, error, now)
    return not error


def _claim(session: Session, number: int, server_secret: str, now: datetime) -> Message | None:
    """The message, if nobody else is sending it."""
    claimed = session.execute(
        update(Delivery)
        .where(col(Delivery.id) == number, col(Delivery.state) == "waiting", col(Delivery.next_at) <= now)
        .values(attempts=Delivery.attempts + 1, next_at=now + CLAIM)
    )
    if not claimed.rowcount:  # type: ignore[attr-defined]  # of an update, which has one
        return None
    delivery = session.get_one(Delivery, number, populate_existing=True)
    webhook = session.get_one(Webhook, delivery.webhook_id)
    body = json.dumps(_content(session, delivery, webhook), ensure_ascii=False).encode()
    secret = secret_of(server_secret, webhook)
    return Message(number, delivery.attempts, webhook.url, secret, delivery.what, body)


def _settle(session: Session, message: Message, status: int | None, error: str, now: datetime) -> None:
    delivery = session.get(Delivery, message.id)
    if delivery is None:  # the webhook was removed meanwhile
        return
    delivery.status, delivery.error = status, error[:200]
    if not error:
        delivery.state, delivery.done_at = "done", now
    elif message.attempts >= MOST_ATTEMPTS:
        delivery.state = "failed"
    else:
        delivery.next_at = now + wait_after(message.attempts)


def signed(message: Message, at: int) -> dict[str, str]:
    """The headers of a message. The signature is over the moment and the body, so that neither can be changed
    and an old message cannot be sent again later."""
    return {
        "Content-Type": "application/json",
        "User-Agent": "judge-webhook",
        "Judge-Delivery": str(message.id),
        "Judge-Event": message.what,
        "Judge-Signature": f"t={at},v1={signature(message.secret, at, message.body)}",
    }


def signature(secret: str, at: int, body: bytes) -> str:
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()


# -- what is said -------------------------------------------------------------------------------------------


def _content(session: Session, delivery: Delivery, webhook: Webhook) -> JsonObject:
    event = session.get_one(Event, webhook.event_id)
    entry = session.get(AuditRow, delivery.entry_id)
    content: JsonObject = {
        "id": delivery.id,
        "what": delivery.what,
        "at": delivery.created_at.isoformat(),
        "event": {"slug": event.slug, "name": event.name, "state": event.state},
    }
    if entry is None:
        return content
    content["topic"] = topic_of(entry)
    rows = {(c["table"], c["id"]): c["row"] for c in entry.after or []}
    matches = [number for (table, number), row in rows.items() if table == "match" and row is not None]
    rounds = [number for (table, number), row in rows.items() if table == "round" and row is not None]
    if matches:
        content["matches"] = _matches(session, event, {n: rows["match", n] for n in matches})
    if rounds:
        changed_rounds = session.exec(select(Round).where(col(Round.id).in_(rounds))).all()
        content["rounds"] = [{"number": r.number, "stage": r.stage, "state": r.state} for r in changed_rounds]
    return content


def _matches(session: Session, event: Event, changed: dict[int, JsonObject]) -> list[JsonObject]:
    """The tables an entry changed, with what it made of them, and public names."""
    matches = session.exec(select(Match).where(col(Match.id).in_(changed))).all()
    people = session.exec(select(Player).where(Player.event_id == event.id)).all()
    numbers = dict(session.execute(select(Round.id, Round.number).where(Round.event_id == event.id)).all())
    names = shown_names(people, public=True)
    return [_match(m, changed[m.id], names, numbers.get(m.round_id)) for m in matches]


def _match(match: Match, changed: JsonObject, names: dict[int, str], number: Any) -> JsonObject:
    outcome = {name: changed.get(name, getattr(match, name)) for name in OUTCOME}
    health = [outcome["health_a"], outcome["health_b"]]
    return {
        "round": number,
        "table": match.table_no,
        "players": [names[p] for p in match.seats],
        "result": outcome["result"],
        "how": outcome["how"],
        "health": None if None in health else health,
        "games": outcome["games"],
        "scores": outcome["scores"],
    }


# -- the worker ---------------------------------------------------------------------------------------------


class Deliverer(threading.Thread):
    """Looks into the outbox every second until it is stopped."""

    def __init__(self, database: Database, server_secret: str, *, allow_private: bool) -> None:
        super().__init__(name="webhooks", daemon=True)
        self.database, self.server_secret, self.allow_private = database, server_secret, allow_private
        self._stopped = threading.Event()

    def run(self) -> None:
        while not self._stopped.wait(EVERY):
            try:
                deliver_due(self.database, self.server_secret, allow_private=self.allow_private)
            except Exception:
                LOG.exception("the outbox could not be emptied; trying again")

    def stop(self) -> None:
        self._stopped.set()
        self.join(timeout=10)

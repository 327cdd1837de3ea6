"""Webhooks of an event: where they go, what they are told, and how their deliveries went."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, col, select

from judge.core.errors import Missing, Refused
from judge.core.messages import Message
from judge.services.connect.outbox import TOPICS
from judge.services.connect.sending import CannotSend, check_url, resolve
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Actor, Change, changing, hold, note
from judge.storage.connect import Delivery, Webhook

MOST_WEBHOOKS = 10
SHOWN = 40


@dataclass(frozen=True, slots=True)
class WebhookView:
    id: int
    url: str
    topics: tuple[str, ...]
    is_active: bool
    secret: str
    waiting: int
    failed: int


@dataclass(frozen=True, slots=True)
class DeliveryView:
    id: int
    webhook_id: int
    what: str
    state: str
    attempts: int
    status: int | None
    error: str
    created_at: datetime
    next_at: datetime
    done_at: datetime | None


def secret_of(server_secret: str, webhook: Webhook) -> str:
    """What the receiver checks signatures with."""
    text = f"webhook/{webhook.event_id}/{webhook.salt}".encode()
    return "whsec_" + hmac.new(server_secret.encode(), text, hashlib.sha256).hexdigest()


def add_webhook(
    session: Session,
    event: AnyEvent,
    actor: Actor,
    url: str,
    topics: Sequence[str],
    now: datetime,
    *,
    allow_private: bool = False,
) -> Change[Webhook]:
    event = hold(session, event)
    wanted = [topic for topic in TOPICS if topic in topics]
    if not wanted:
        raise Refused(Message("connect_no_topic"))
    try:
        check_url(url)
        resolve(url, allow_private=allow_private)
    except CannotSend as error:
        raise Refused(Message("connect_bad_address", why=str(error))) from error
    if len(session.exec(select(Webhook.id).where(Webhook.event_id == event.id)).all()) >= MOST_WEBHOOKS:
        raise Refused(Message("connect_too_many", most=MOST_WEBHOOKS))
    webhook = Webhook(
        event_id=event.id, url=url, topics=f",{','.join(wanted)},", salt=secrets.token_hex(16), created_at=now
    )
    with changing(session, event, actor, "webhook.added", webhook) as recording:
        session.add(webhook)
    return recording.change.giving(webhook)


def _get(session: Session, event: AnyEvent, webhook_id: int) -> Webhook:
    webhook = session.get(Webhook, webhook_id)
    if webhook is None or webhook.event_id != event.id:
        raise Missing(Message("connect_unknown"))
    return webhook


def set_active(
    session: Session, event: AnyEvent, actor: Actor, webhook_id: int, active: bool
) -> Change[None]:
    """Pause a webhook or let it go on. While it is paused nothing new is noted for it."""
    event = hold(session, event)
    webhook = _get(session, event, webhook_id)
    what = "webhook.resumed" if active else "webhook.paused"
    with changing(session, event, actor, what, webhook) as recording:
        if webhook.is_active != active:
            webhook.is_active = active
    return recording.change


def remove_webhook(session: Session, event: AnyEvent, actor: Actor, webhook_id: int) -> Change[None]:
    """Remove a webhook and whatever was still to be delivered to it."""
    event = hold(session, event)
    webhook = _get(session, event, webhook_id)
    with changing(session, event, actor, "webhook.removed", webhook) as recording:
        session.delete(webhook)
    return recording.change


def send_again(
    session: Session, event: AnyEvent, actor: Actor, delivery_id: int, now: datetime
) -> Change[None]:
    """Try a delivery that was given up once more."""
    event = hold(session, event)
    delivery = session.get(Delivery, delivery_id)
    webhook = _get(session, event, delivery.webhook_id if delivery else 0)
    if delivery is None or delivery.state != "failed":
        raise Refused(Message("connect_not_failed"))
    delivery.state, delivery.attempts, delivery.next_at = "waiting", 0, now
    return note(session, event, actor, "webhook.sent-again", webhook)


def read_webhooks(session: Session, event: AnyEvent, server_secret: str) -> list[WebhookView]:
    hooks = session.exec(select(Webhook).where(Webhook.event_id == event.id).order_by(col(Webhook.id))).all()
    counts = {
        (hook, state): count
        for hook, state, count in session.execute(
            select(Delivery.webhook_id, Delivery.state, func.count())
            .where(col(Delivery.webhook_id).in_([h.id for h in hooks]), Delivery.state != "done")
            .group_by(col(Delivery.webhook_id), col(Delivery.state))
        )
    }
    return [
        WebhookView(
            h.id, h.url, tuple(t for t in h.topics.split(",") if t), h.is_active, secret_of(server_secret, h),
            counts.get((h.id, "waiting"), 0), counts.get((h.id, "failed"), 0),
        )
        for h in hooks
    ]  # fmt: skip


def read_deliveries(session: Session, event: AnyEvent) -> list[DeliveryView]:
    """The latest ones, newest first."""
    query = (
        select(Delivery)
        .join(Webhook, col(Webhook.id) == Delivery.webhook_id)
        .where(Webhook.event_id == event.id)
        .order_by(col(Delivery.id).desc())
        .limit(SHOWN)
    )
    return [
        DeliveryView(
            d.id,
            d.webhook_id,
            d.what,
            d.state,
            d.attempts,
            d.status,
            d.error,
            d.created_at,
            d.next_at,
            d.done_at,
        )
        for d in session.exec(query)
    ]

"""The outbox of webhooks: every change of an event is noted for them in its own transaction, so that none is
lost, and delivered afterwards in the order of the log.
"""

from __future__ import annotations

from sqlalchemy import insert, literal
from sqlmodel import Session, col, select

from judge.storage.audit import AuditRow
from judge.storage.columns import UtcDateTime
from judge.storage.connect import Delivery, Webhook

TOPICS = ("results", "rounds", "players", "clock", "event")
# The topic of a log entry by the first word of its kind; others are nobody's business.
TOPIC_OF = {
    "result": "results",
    "match": "results",
    "round": "rounds",
    "player": "players",
    "players": "players",
    "clock": "clock",
    "table": "clock",
    "event": "event",
    "announcement": "event",
}
COLUMNS = ("webhook_id", "entry_id", "what", "state", "attempts", "next_at", "error", "created_at")


def topic_of(entry: AuditRow) -> str | None:
    """What a change is about; of one that was taken back, what it had changed."""
    if entry.what != "undone":
        return TOPIC_OF.get(entry.what.split(".")[0])
    tables = [copy["table"] for copy in entry.after or []]
    return next((TOPIC_OF[table] for table in ("match", "round", "player", "event") if table in tables), None)


def enqueue(session: Session, entry: AuditRow, event_id: int) -> None:
    """Note the entry for every webhook that wants it: one statement, whether there are any or not."""
    topic = topic_of(entry)
    if topic is None:
        return
    wanting = select(
        Webhook.id, literal(entry.id), literal(entry.what), literal("waiting"), literal(0),
        literal(entry.at, UtcDateTime()), literal(""), literal(entry.at, UtcDateTime()),
    ).where(  # type: ignore[call-overload]  # sqlmodel types at most four columns
        Webhook.event_id == event_id,
        col(Webhook.is_active),
        col(Webhook.topics).contains(f",{topic},"),
    ).order_by(Webhook.id)  # fmt: skip
    session.execute(insert(Delivery).from_select(COLUMNS, wanting))

"""The outbox of webhooks: every change of an event is noted for them in its own transaction, so that none is
lost, and delivered afterwards in the order of the log.
"""

from __future__ import annotations

from sqlalchemy import Integer, String, bindparam, insert, literal
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


# Made once, with the numbers filled in for each change.
_WANTING = (
    col(Webhook.event_id) == bindparam("event"),
    col(Webhook.is_active),
    col(Webhook.topics).contains(bindparam("topic")),
)
IS_WANTED = select(Webhook.id).where(*_WANTING).exists()  # of `wanted`
_NOTED = insert(Delivery.__table__).from_select(  # type: ignore[attr-defined]  # SQLModel does not declare it
    COLUMNS,
    select(
        Webhook.id, bindparam("number", type_=Integer), bindparam("kind", type_=String), literal("waiting"),
        literal(0), bindparam("moment", type_=UtcDateTime), literal(""),
        bindparam("moment", type_=UtcDateTime),
    )  # type: ignore[call-overload]  # sqlmodel types at most four columns
    .where(*_WANTING)
    .order_by(Webhook.id),
)  # fmt: skip


def wanted(entry: AuditRow, event_id: int) -> dict[str, int | str]:
    """The values with which `IS_WANTED` says whether a webhook of the event wants the entry."""
    topic = topic_of(entry)
    return {"event": event_id if topic else 0, "topic": f",{topic},"}


def enqueue(session: Session, entry: AuditRow, event_id: int) -> None:
    """Note the entry for every webhook that wants it."""
    values = {"number": entry.id, "kind": entry.what, "moment": entry.at}
    session.execute(_NOTED, {**wanted(entry, event_id), **values})

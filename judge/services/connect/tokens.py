"""Tokens with which programs read or write one event. scope `read`: what the desk sees of players; `results`:
also entering results. The token itself is shown once; only its hash is stored."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from judge.core.errors import Missing, Refused
from judge.core.messages import Message
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Actor, Change, changing, hold
from judge.storage.connect import ApiToken

SCOPES = ("read", "results")  # each may do what the ones before it may
MOST_TOKENS = 20
PREFIX = "jt_"


@dataclass(frozen=True, slots=True)
class TokenView:
    id: int
    name: str
    scope: str
    created_at: datetime


def make_token(
    session: Session, event: AnyEvent, actor: Actor, name: str, scope: str, now: datetime
) -> Change[str]:
    """Make a token; the result is the token itself, which nobody can read again."""
    event = hold(session, event)
    if scope not in SCOPES or not name.strip():
        raise Refused(Message("connect_token_incomplete"))
    if len(read_tokens(session, event)) >= MOST_TOKENS:
        raise Refused(Message("connect_too_many", most=MOST_TOKENS))
    word = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken(
        event_id=event.id, name=name.strip()[:80], scope=scope, digest=_digest(word), created_at=now
    )
    with changing(session, event, actor, "token.made", token) as recording:
        session.add(token)
    return recording.change.giving(word)


def revoke_token(session: Session, event: AnyEvent, actor: Actor, token_id: int) -> Change[None]:
    event = hold(session, event)
    token = session.get(ApiToken, token_id)
    if token is None or token.event_id != event.id:
        raise Missing(Message("connect_unknown"))
    with changing(session, event, actor, "token.revoked", token) as recording:
        session.delete(token)
    return recording.change


def read_tokens(session: Session, event: AnyEvent) -> list[TokenView]:
    query = select(ApiToken).where(ApiToken.event_id == event.id).order_by(col(ApiToken.id))
    return [TokenView(t.id, t.name, t.scope, t.created_at) for t in session.exec(query)]


def find_scope(session: Session, event: AnyEvent, word: str) -> TokenView | None:
    """The token with which a program came; None if it is none of this event."""
    query = select(ApiToken).where(ApiToken.digest == _digest(word), ApiToken.event_id == event.id)
    token = session.exec(query).first()
    return TokenView(token.id, token.name, token.scope, token.created_at) if token else None


def may(token: TokenView, scope: str) -> bool:
    return SCOPES.index(token.scope) >= SCOPES.index(scope)


def _digest(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()

"""Every table of the product, so that metadata is complete: import new table modules here."""

from sqlmodel import SQLModel

from judge.storage.accounts import Account, Invite, SignInAttempt
from judge.storage.audit import AuditRow
from judge.storage.events import Event, Match, Player, Round, Staff

METADATA = SQLModel.metadata

__all__ = [
    "METADATA",
    "Account",
    "AuditRow",
    "Event",
    "Invite",
    "Match",
    "Player",
    "Round",
    "SignInAttempt",
    "Staff",
]

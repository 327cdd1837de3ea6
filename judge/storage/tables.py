"""Imports every table module, so that SQLModel's metadata is complete. Add new table modules here."""

from sqlmodel import SQLModel

from judge.storage.accounts import Account, AccountSession, AnonymousVisit, Invite, SignInAttempt
from judge.storage.audit import AuditRow
from judge.storage.boxes import HeroBox
from judge.storage.connect import ApiToken, Delivery, Webhook
from judge.storage.events import Announcement, Event, Match, Player, Round, Staff
from judge.storage.rulings import EventCatalogue, JudgeCall, KeptRuling, Penalty, TableDraft
from judge.storage.seasons import Season, SeasonEvent
from judge.storage.second_steps import AuthenticatorApp, Passkey, RecoveryCode

METADATA = SQLModel.metadata

__all__ = [
    "METADATA",
    "Account",
    "AccountSession",
    "Announcement",
    "AnonymousVisit",
    "ApiToken",
    "AuditRow",
    "AuthenticatorApp",
    "Delivery",
    "Event",
    "EventCatalogue",
    "HeroBox",
    "Invite",
    "JudgeCall",
    "KeptRuling",
    "Match",
    "Passkey",
    "Penalty",
    "Player",
    "RecoveryCode",
    "Round",
    "Season",
    "SeasonEvent",
    "SignInAttempt",
    "Staff",
    "TableDraft",
    "Webhook",
]

"""Counts what people without an account store; 429 after too much."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from flask import request

from judge.core.errors import Refused
from judge.services.accounts.limits import count_visit
from judge.web.frame.errors import refuse
from judge.web.frame.forms import say
from judge.web.frame.transaction import session


def within_limits(what: str, link: str = "") -> None:
    """Count one more from this address, or by this private link."""
    who = f"link:{hashlib.sha256(link.encode()).hexdigest()[:40]}" if link else request.remote_addr or ""
    try:
        count_visit(session(), what, who, datetime.now(UTC))
    except Refused as error:
        refuse(429, say(error.reasons[0]))

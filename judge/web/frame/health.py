"""For machines that watch this one: is the process alive, and can it work?"""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import SQLAlchemyError

from judge.storage.migrate import newest_revision, revision
from judge.web.frame.transaction import database

health = Blueprint("health", __name__)


@health.get("/healthz")
def healthz() -> ResponseReturnValue:
    return jsonify(status="ok")


@health.get("/readyz")
def readyz() -> ResponseReturnValue:
    """200 when the database answers and has the shape this version needs, else 503 with the reason."""
    try:
        found = revision(database())
    except SQLAlchemyError:
        return jsonify(status="unavailable", database="unreachable"), 503
    if found != newest_revision():
        return jsonify(status="unavailable", database="needs migration", found=found), 503
    return jsonify(status="ok", database="ok", revision=found)

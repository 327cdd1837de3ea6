"""Health checks for monitoring: whether the process is alive, and whether it can work."""

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
    """200 if the database answers and has this version's tables, else 503 with the reason."""
    try:
        current = revision(database())
    except SQLAlchemyError:
        return jsonify(status="unavailable", database="unreachable"), 503
    if current != newest_revision():
        return jsonify(status="unavailable", database="needs migration", found=current), 503
    return jsonify(status="ok", database="ok", revision=current)

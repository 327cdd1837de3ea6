"""The pages that belong to no part of their own: the start page."""

from __future__ import annotations

from flask import Blueprint, render_template

pages = Blueprint("pages", __name__)


@pages.get("/")
def start() -> str:
    return render_template("start.html")

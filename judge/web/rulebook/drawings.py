"""All drawings in one SVG file; a page uses a part of it: `<use href="/drawings.svg?v=...#sword">`."""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache

from flask import Blueprint, Response, render_template, request, url_for

from judge.core.drawing import SIDE
from judge.schemas.dice_throne.drawings import drawings
from judge.web.frame.links import ONE_YEAR

drawn = Blueprint("drawn", __name__)


@drawn.get("/drawings.svg")
def every_drawing() -> Response:
    """The address changes with the content, so a browser may keep the file."""
    response = Response(_svg(), mimetype="image/svg+xml")
    response.cache_control.public = True
    response.cache_control.max_age = ONE_YEAR
    response.cache_control.immutable = True
    return response


def has_drawing(symbol: str) -> bool:
    return symbol in drawings()


def drawings_address() -> str:
    return _address(request.script_root)


@lru_cache(8)
def _address(script_root: str) -> str:
    """Where the file is for all pages below this address; a page with dice asks dozens of times."""
    return url_for("drawn.every_drawing", v=_fingerprint())


@cache
def _fingerprint() -> str:
    return hashlib.sha256(_svg().encode()).hexdigest()[:12]


@cache
def _svg() -> str:
    return render_template("rulebook/drawings.svg", drawings=drawings().values(), side=SIDE)

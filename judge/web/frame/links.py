"""Absolute addresses, for QR codes, paper and shared links. They start with the base URL, because the
organiser's browser may know the server by a name (localhost) that no phone can use. Also the addresses of
static files, with a fingerprint so that browsers can keep them for a year.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any, cast
from urllib.parse import urlsplit

import flask
from flask import Flask, Response, current_app, request, url_for

from judge.config import Settings, address_for_phones
from judge.core.json_types import JsonObject
from judge.paths import STATIC

ONE_YEAR = 365 * 24 * 3600


def init_links(app: Flask, settings: Settings) -> None:
    app.config["JUDGE_BASE_URL"] = settings.base_url
    app.jinja_env.globals["absolute_url"] = absolute_url
    app.url_defaults(_add_fingerprint)
    app.after_request(_keep_static)


def origin() -> str:
    """How visitors reach this server, without a slash at the end. What a cached page says depends on it."""
    return current_app.config["JUDGE_BASE_URL"] or request.url_root.rstrip("/")


def local_path(address: str | None) -> str | None:
    """The address if it is on this server, else None, so that no link leads elsewhere after signing in."""
    if not address or not address.startswith("/") or address.startswith("//") or "\\" in address:
        return None
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or any(ord(letter) < 32 for letter in address):
        return None
    return address


def redirect(address: str, code: int = 302) -> Response:
    """Flask's redirect with the type of the response it returns."""
    return cast(Response, flask.redirect(address, code))


def absolute_url(endpoint: str, **values: Any) -> str:
    return origin() + url_for(endpoint, **values)


def url_for_phones(endpoint: str, **values: Any) -> str:
    """The same for a QR code: never an address that only this computer knows; empty without a network."""
    return address_for_phones(absolute_url(endpoint, **values)) or ""


def _add_fingerprint(endpoint: str, values: JsonObject) -> None:
    if endpoint == "static" and "v" not in values:
        values["v"] = _fingerprint(values["filename"])


@cache
def _fingerprint(filename: str) -> str:
    return hashlib.sha256((STATIC / filename).read_bytes()).hexdigest()[:12]


def _keep_static(response: Response) -> Response:
    if request.endpoint == "static" and response.status_code == 200 and "v" in request.args:
        response.cache_control.public = True
        response.cache_control.max_age = ONE_YEAR
        response.cache_control.no_cache = None
        response.cache_control.immutable = True
    return response

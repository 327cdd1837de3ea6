"""Answers every refusal and fault: with a page for people, with a problem document (RFC 9457) under /api and
for programs that ask for JSON. Both have the same status and meaning.

Malformed input (`InputError`) is 422 with the place of each problem. A locked or missing database is 503, a
full disk 507; nothing was stored. Anything unforeseen is our fault: 500, logged with the request's id. A
route with a better sentence than the usual one calls `refuse(409, gettext("..."))`.

A form that is refused (403, 409, 422 ...) is answered with the page it came from: the sentence on top, and
everything typed still in the form (`refill`). Only where that page is not known there is a page of its own.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import NoReturn
from urllib.parse import urljoin, urlsplit

from flask import Flask, Response, current_app, g, jsonify, make_response, render_template, request
from flask import session as cookie
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import (
    HTTPException,
    InternalServerError,
    MethodNotAllowed,
    ServiceUnavailable,
    TooManyRequests,
    default_exceptions,
)

from judge.core.errors import Conflict, InputError, Missing, Refused
from judge.core.games import DICE_THRONE
from judge.core.json_types import JsonObject
from judge.core.messages import Lang, Phrasebook, Ref
from judge.schemas.fixtures import sentences
from judge.schemas.shape import MAX_BYTES
from judge.services.rulebook.heroes import hero_name
from judge.storage.database import is_full, is_unavailable
from judge.web.accounts.access import current_account
from judge.web.frame.preferences import language
from judge.web.frame.refill import refilled
from judge.web.frame.request_log import request_id
from judge.web.frame.texts import gettext, lazy_gettext
from judge.web.frame.transaction import DatabaseTrouble, roll_back

LOG = logging.getLogger("judge.errors")
RETRY_SECONDS = 2
SENT_AGAIN, MOST_FIELDS = (503, 507), 400
FORM_MARK = "csrf_token"  # in the session, where Flask-WTF keeps it
SECRETS = ("password", "old", "code", "credential")  # parts of names of fields that are not repeated

TITLES = {
    400: lazy_gettext("That request does not make sense"),
    401: lazy_gettext("Sign in first"),
    403: lazy_gettext("You may not do that"),
    404: lazy_gettext("There is nothing here"),
    405: lazy_gettext("That cannot be done here"),
    406: lazy_gettext("Not available in that form"),
    409: lazy_gettext("Somebody was faster"),
    410: lazy_gettext("This is gone"),
    413: lazy_gettext("That is too big"),
    415: lazy_gettext("Wrong kind of content"),
    422: lazy_gettext("Something in it is not right"),
    429: lazy_gettext("Too many at once"),
    500: lazy_gettext("Our mistake"),
    503: lazy_gettext("Not available just now"),
    507: lazy_gettext("The disk is full"),
}
DETAILS = {
    400: lazy_gettext("The server could not read what was sent. Go back, reload the page and try again."),
    401: lazy_gettext("This page is for people with an account."),
    403: lazy_gettext("Your account has no right to this. The organiser can give it to you."),
    404: lazy_gettext("The address may be mistyped, or the page has been removed."),
    405: lazy_gettext("This address exists, but not for that kind of request."),
    406: lazy_gettext("This address cannot answer in the format that was asked for."),
    409: lazy_gettext(
        "This was changed in the meantime. Your change was not saved; look at it and try again."
    ),
    410: lazy_gettext("It existed once and has been removed for good."),
    413: lazy_gettext(
        "What was sent is larger than this server accepts: at most %(most)s MiB.", most=MAX_BYTES // 2**20
    ),
    415: lazy_gettext("This address does not accept the format that was sent."),
    422: lazy_gettext("It was readable, but cannot be used as it is. Nothing was saved."),
    429: lazy_gettext("Wait a moment, then try again."),
    500: lazy_gettext(
        "Something broke on our side. Nothing was saved. It has been noted under the number below."
    ),
    503: lazy_gettext(
        "The database does not answer or is busy. Nothing was saved; try again in a few seconds."
    ),
    507: lazy_gettext(
        "The server has no room left to store anything. Nothing was saved; tell the organiser."
    ),
}


def init_errors(app: Flask) -> None:
    app.register_error_handler(CSRFError, _stale_form)
    app.register_error_handler(HTTPException, _refused)
    app.register_error_handler(InputError, _malformed)
    app.register_error_handler(Refused, _not_possible)
    app.register_error_handler(InternalServerError, _broken)


def phrasebook() -> Phrasebook:
    """The messages of services and engines in the reader's language."""
    return Phrasebook(language(), sentences(language()), _name_of)


def _name_of(ref: Ref, lang: Lang) -> str:
    return hero_name(DICE_THRONE, ref.id, lang) if ref.kind == "hero" else ref.id


def refuse(status: int, says: str) -> NoReturn:
    """Stop the request with this status and this sentence instead of the usual one."""
    error = default_exceptions[status]()
    error.shown = says  # type: ignore[attr-defined]  # ours, on an exception of Werkzeug
    raise error


def wants_json() -> bool:
    if request.path == "/api" or request.path.startswith("/api/"):
        return True
    best = request.accept_mimetypes.best_match(("text/html", "application/json"), default="text/html")
    return best == "application/json"


def _find_out_who(status: int) -> None:
    """Who is signed in, for the head of the page; nobody if the database is what failed."""
    try:
        g.account = current_account() if status < 500 else g.get("account")
    except DatabaseTrouble:
        g.account = None


def answer(status: int, detail: str | None = None, problems: list[dict[str, str]] | None = None) -> Response:
    """The answer to any error, as a page or as JSON."""
    title = str(TITLES.get(status) or TITLES[400 if status < 500 else 500])
    detail = detail or str(DETAILS.get(status) or DETAILS[400 if status < 500 else 500])
    if wants_json():
        body: JsonObject = {"type": "about:blank", "title": title, "status": status, "detail": detail}
        body["request_id"] = request_id()
        if problems:
            body["errors"] = problems
        response = jsonify(body)
        response.mimetype = "application/problem+json"
    else:
        _find_out_who(status)
        values = {"status": status, "title": title, "detail": detail, "problems": problems or []}
        again = _sent_fields() if status in SENT_AGAIN else []
        page = _page_it_came_from(values) if _is_of_form(status) else None
        page = page or render_template(
            "frame/error.html", request_id=request_id(), back=_back(), again=again, **values
        )
        response = make_response(page)
    response.status_code = status
    response.headers["Cache-Control"] = "no-store"
    return response


ON_ITS_PAGE = (400, 403, 404, 409, 410, 422, 429)
MOST_TURNS = 3  # redirects on the way to the page


def _is_of_form(status: int) -> bool:
    """Whether a form was refused: one that was sent, or one that asks, with its fields in the address."""
    if request.method == "POST":
        return status in ON_ITS_PAGE
    return request.method == "GET" and bool(request.args) and status in (409, 422)


def _page_it_came_from(values: JsonObject) -> str | None:
    """The page whose form was refused, with what is wrong and everything typed; None if it is not known."""
    address = _back()
    if not address or request.headers.get("HX-Request"):
        return None
    roll_back()  # the page is read in a transaction of its own
    for _ in range(MOST_TURNS):
        response = _look_at(address)
        if response.status_code in (301, 302, 303, 307, 308):
            address = urljoin(address, response.headers["Location"])
        elif response.status_code == 200 and response.mimetype == "text/html":
            notice = partial(_notice, values)
            sent = request.form if request.method == "POST" else request.args
            page = response.get_data(as_text=True)
            return refilled(page, address, request.path, sent, notice, request.method)
        else:
            return None
    return None


def _notice(values: JsonObject, typed: list[str] | None) -> str:
    return render_template("frame/_refusal.html", typed=typed, **values)


def _back() -> str:
    """The address of the page that sent this request, if it is one of this server."""
    came = urlsplit(request.referrer or "")
    if came.netloc != request.host or not came.path.startswith(f"{request.script_root}/"):
        return ""
    return f"{came.path}?{came.query}" if came.query else came.path


def _look_at(address: str) -> Response:
    """The page at an address of this server, as this visitor sees it. Its forms can be sent: a visitor
    who has lost the session gets a new one with the mark that the forms bear."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]  # a proxy has no request contexts
    headers = {"Cookie": request.headers.get("Cookie", ""), "Accept": "text/html"}
    headers["Accept-Language"] = request.headers.get("Accept-Language", "")
    path = address.removeprefix(request.script_root)
    with app.test_request_context(path, base_url=request.host_url, headers=headers):
        response: Response = app.full_dispatch_request()
        begun = cookie.get(FORM_MARK)
    if begun:
        cookie.setdefault(FORM_MARK, begun)
    return response


def _sent_fields() -> list[tuple[str, str]]:
    """What was typed into the form, so that it can be sent again; never a password or a file."""
    if request.mimetype != "application/x-www-form-urlencoded":
        return []
    fields = list(request.form.items(multi=True))
    is_secret = any(word in name for name, _ in fields for word in SECRETS)
    return [] if is_secret or len(fields) > MOST_FIELDS else fields


def _refused(error: HTTPException) -> Response:
    if error.response is not None:
        return make_response(error.response)
    status = error.code or 500
    if 300 <= status < 400:
        return make_response(error.get_response())
    response = answer(status, getattr(error, "shown", None))
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods))
    if isinstance(error, TooManyRequests | ServiceUnavailable):
        response.headers["Retry-After"] = str(error.retry_after or RETRY_SECONDS)
    return response


def _stale_form(error: CSRFError) -> Response:
    return answer(
        400, gettext("This form was open for too long or comes from elsewhere. Reload it, send again.")
    )


def _malformed(error: InputError) -> Response:
    book = phrasebook()
    return answer(422, None, [{"path": p.path, "says": book.say(p.message)} for p in error.problems])


def status_of(refused: Refused) -> int:
    return {Conflict: 409, Missing: 404}.get(type(refused), 422)


def _not_possible(error: Refused) -> Response:
    book = phrasebook()
    return answer(status_of(error), " ".join(book.say(reason) for reason in error.reasons))


def _broken(error: InternalServerError) -> Response:
    cause = error.original_exception or error
    LOG.error("%s %s", request_id(), type(cause).__name__)  # Flask has logged the traceback
    if is_full(cause):
        return answer(507)
    if is_unavailable(cause):
        response = answer(503)
        response.headers["Retry-After"] = str(RETRY_SECONDS)
        return response
    return answer(500)

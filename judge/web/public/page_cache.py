"""Pages that are the same for everybody: made once for each version of the event, kept as bytes, and answered
with 304 as long as nothing changed.

    @public.get("/e/<slug>/standings")
    def standings(slug: str) -> Response:
        return shared(slug, "public/standings.html", lambda reader, stamp, head: {...})

The template extends public/frame.html. A phone that polls asks for `?part=1`: only the part that changes.
The validator is `"<event>.<version>.<look>.<hash of the body>"`. The version alone is enough to say 304, by
any worker, without looking at the page; if the version rose but this page stayed as it was, the hash says so.
Nothing here may depend on who asks: no account, no messages, no forms with a token.
"""

from __future__ import annotations

import gzip
import hashlib
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import Any
from zlib import crc32

from flask import Flask, Response, abort, current_app, g, render_template, request
from markupsafe import Markup, escape

from judge import __version__
from judge.paths import TEMPLATES
from judge.services.public.read_models import Head, Kept, Stamp, find_stamp, read_outline
from judge.storage.reader import Reader, reading
from judge.web.frame.links import _fingerprint
from judge.web.frame.preferences import language, theme
from judge.web.frame.transaction import database

KEPT_PAGES, KEPT_PARTS, KEPT_LINES = 96, 2048, 8192
KNOWN_ARGUMENTS = {"by", "part", "show", "lang", "theme"}  # others are answered, but not kept
LEAST_TO_ZIP = 1400  # one packet: smaller answers gain nothing
NOT_INDEXED = "noindex, nofollow"
MARK, TAG_MARK = "<!-- the part that changes -->", "validator-of-the-part"
SLOT = Markup("<!-- drawn apart -->")
Values = Callable[[Reader, Stamp, Head], dict[str, Any]]


def init_shared(app: Flask) -> None:
    app.extensions["judge.pages"] = Kept(KEPT_PAGES), Kept(KEPT_PAGES), Kept(KEPT_PARTS)


def _kept() -> tuple[Kept, Kept, Kept]:
    """Whole answers, the frames around them, and players' own parts."""
    found: tuple[Kept, Kept, Kept] = current_app.extensions["judge.pages"]
    return found


@dataclass(slots=True)
class Page:
    body: bytes
    digest: str
    zipped: bytes | None = None


def shared(slug: str, template: str, values: Values, *, keep: bool = True) -> Response:
    """The page, from memory if it can be; 304 if the reader has it. keep=False: rare, such as a search."""
    with reading(database().engine) as reader:
        stamp = find_stamp(reader, slug)
        if stamp is None:
            abort(404)
        return answer(reader, stamp, template, values, keep=keep)


def answer(
    reader: Reader,
    stamp: Stamp,
    template: str,
    values: Values,
    *,
    keep: bool = True,
) -> Response:
    look = f"{language()}{theme()}{build()}"
    known = request.headers.get("If-None-Match", "")
    validator = f'"{stamp.id}.{crc32(stamp.born.encode()):x}.{stamp.version}.{look}.'
    if known.startswith(validator):
        return _answer(known)

    def make() -> Page:
        return _make(reader, stamp, template, values, validator)

    is_kept = keep and KNOWN_ARGUMENTS.issuperset(request.args)
    key = (stamp, look, request.path, request.query_string)
    page = _kept()[0].get(key, make) if is_kept else make()
    tag = f'{validator}{page.digest}"'
    if known.endswith(f'.{page.digest}"'):
        return _answer(tag)
    return _answer(tag, page)


def _answer(tag: str, page: Page | None = None) -> Response:
    """The page; without one, that the reader has it."""
    headers = [
        ("ETag", tag),
        ("Cache-Control", "no-cache"),
        ("X-Robots-Tag", NOT_INDEXED),
        ("Vary", "Accept-Language, Cookie, Accept-Encoding"),
        ("X-Now", str(time.time_ns() // 1_000_000)),  # what a countdown sets itself by
    ]
    if page is None:
        response = Response(status=304, headers=headers)
        del response.headers["Content-Type"]
        return response
    if len(page.body) < LEAST_TO_ZIP or "gzip" not in request.headers.get("Accept-Encoding", ""):
        return Response(page.body, mimetype="text/html", headers=headers)
    if page.zipped is None:
        page.zipped = gzip.compress(page.body, compresslevel=5, mtime=0)
    headers.append(("Content-Encoding", "gzip"))
    return Response(page.zipped, mimetype="text/html", headers=headers)


def _make(reader: Reader, stamp: Stamp, template: str, values: Values, validator: str) -> Page:
    g.account = None  # the page is everybody's: nobody is looked up
    head = read_outline(reader, stamp).head
    given = values(reader, stamp, head)
    same = given.pop("same", None)
    if same is None or "part" not in request.args:
        return _draw(head, template, given, validator)
    # Five hundred players' own pages: most are the same after a result, and equal values make equal parts.
    key = (template, language(), request.path, head.name, same)
    return _kept()[2].get(key, lambda: _draw(head, template, given, validator))


def _draw(head: Head, template: str, given: dict[str, Any], validator: str) -> Page:
    part = _part(head, template, given).encode()
    digest = hashlib.sha256(part).hexdigest()[:16]
    if "part" in request.args:
        return Page(part, digest)
    before, between, after = _frame(head, template, given)
    tag = escape(f'{validator}{digest}"').encode()
    return Page(b"".join((before, tag, between, part, after)), digest)


def _part(head: Head, template: str, given: dict[str, Any]) -> str:
    """The template's `part`. Of a page that says what is drawn apart (`slots`) and what else it depends on
    (`shell`), the rest is drawn once for equal shells: after one result only the slots are new."""
    if "shell" not in given:
        return render_part(template, event=head, address=part_address(), **given)
    key = (template, language(), request.path, request.query_string, head.name, given["shell"])

    def draw() -> list[str]:
        empty = dict.fromkeys(given["slots"], SLOT)
        return render_part(template, event=head, address=part_address(), **given, **empty).split(SLOT)

    pieces, slots = _kept()[1].get(key, draw), given["slots"].values()
    return "".join(piece for both in zip_longest(pieces, slots, fillvalue="") for piece in both)


def render_part(template: str, **values: Any) -> str:
    """The template's `part` block alone."""
    found = current_app.jinja_env.get_template(template)
    context = found.new_context({"lang": language(), "base": base(values["event"]), **values})
    return "".join(found.blocks["part"](context))


def base(head: Head) -> str:
    """The address of the event's own page; `url_for` asked for each link would cost more than the page."""
    return f"{request.script_root}/e/{head.slug}"


def draw_each(template: str, macro: str, items: Iterable[Hashable]) -> Markup:
    """The macro's lines for all items. A line that was drawn before is not drawn again: after one result,
    one line of a page is new."""
    drawn, lines = _lines(template, macro, language()), []
    for item in items:
        line = drawn.get(item)
        if line is None:
            if len(drawn) >= KEPT_LINES:
                drawn.clear()
            draw = getattr(current_app.jinja_env.get_template(template).module, macro)
            line = drawn[item] = str(draw(item))
        lines.append(line)
    return Markup("".join(lines))  # noqa: S704


@cache
def _lines(template: str, macro: str, lang: str) -> dict[Hashable, str]:
    return {}


def _frame(head: Head, template: str, given: dict[str, Any]) -> tuple[bytes, bytes, bytes]:
    """Everything around the part: before and after its validator, and after itself. It changes rarely, so it
    is kept apart from the versions."""
    plain = (head.name, head.is_open, head.has_bracket, head.is_demo, given.get("frame"))
    key = (head.id, plain, template, request.path, request.query_string, language(), theme())

    def draw() -> tuple[bytes, bytes, bytes]:
        page = render_template(
            template, event=head, address=part_address(), base=base(head), framed=MARK, tag=TAG_MARK, **given
        )
        before, rest = page.split(TAG_MARK, 1)
        between, after = rest.split(MARK, 1)
        return before.encode(), between.encode(), after.encode()

    return _kept()[1].get(key, draw) if KNOWN_ARGUMENTS.issuperset(request.args) else draw()


def part_address() -> str:
    """This page's changing part, for the poll."""
    arguments = request.query_string.decode("latin-1")
    kept = "&".join(a for a in arguments.split("&") if a and not a.startswith(("part=", "lang=", "theme=")))
    return f"{request.path}?{kept}&part=1" if kept else f"{request.path}?part=1"


@cache
def build() -> str:
    """Changes when the product does, so that no browser keeps a page of an older one."""
    made = hashlib.sha256(__version__.encode())
    for path in sorted(TEMPLATES.rglob("*.html")):
        made.update(path.read_bytes())
    for name in ("judge.css", "public.css", "screen.css", "live.js", "screen.js"):
        made.update(_fingerprint(name).encode())
    return made.hexdigest()[:8]

"""Pages that are the same for everybody: drawn once for each version of the event, cached as bytes, and
answered with 304 while nothing has changed.

@public.get("/e/<slug>/standings") def standings(slug: str) -> Response: return shared(slug,
"public/standings.html", lambda reader, stamp, head: {...})

The template extends public/frame.html. A phone that polls asks for `?part=1`, only the part that changes. The
validator is `"<event>.<version>.<look>.<hash of the body>"`. Any worker can answer 304 by the version alone,
without the page; if the version rose but the page did not change, the hash shows it. Nothing here may depend
on who asks: no account, no messages, no forms with a token.
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
from judge.core.json_types import JsonObject
from judge.paths import TEMPLATES
from judge.services.public.read_models import Cache, Head, Stamp, find_stamp, read_outline
from judge.storage.reader import Reader, reading
from judge.web.frame.links import _fingerprint, origin
from judge.web.frame.preferences import LANGUAGES, THEMES, language, theme
from judge.web.frame.transaction import database

CACHED_PAGES, CACHED_PARTS, CACHED_LINES = 96, 2048, 8192
# Only these values are cached: a visitor who makes up others cannot push the hall's pages out of the cache.
CACHED_ARGUMENTS = {
    "by": ("name", "table"),
    "part": ("1",),
    "show": ("pairings", "names", "standings", "bracket", "podium", "clock"),
    "lang": tuple(LANGUAGES),
    "theme": THEMES,
}
LEAST_TO_ZIP = 1400  # one packet: smaller answers gain nothing
NOT_INDEXED = "noindex, nofollow"
MARK, TAG_MARK = "<!-- the part that changes -->", "validator-of-the-part"
SLOT = Markup("<!-- drawn apart -->")
Variables = JsonObject  # of a template
Values = Callable[[Reader, Stamp, Head], Variables]


def init_shared(app: Flask) -> None:
    app.extensions["judge.pages"] = Cache(CACHED_PAGES), Cache(CACHED_PAGES), Cache(CACHED_PARTS)


def _caches() -> tuple[Cache, Cache, Cache]:
    """The caches of whole answers, of frames, and of the parts of players' pages."""
    caches: tuple[Cache, Cache, Cache] = current_app.extensions["judge.pages"]
    return caches


@dataclass(slots=True)
class Page:
    body: bytes
    digest: str
    zipped: bytes | None = None


def shared(slug: str, template: str, values: Values, *, keep: bool = True) -> Response:
    """The page, from the cache if possible; 304 if the browser has it. keep=False: not cached (a search)."""
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
    browser_tag = request.headers.get("If-None-Match", "")
    validator = f'"{stamp.id}.{crc32(stamp.born.encode()):x}.{stamp.version}.{look}.'
    if browser_tag.startswith(validator):
        return _answer(browser_tag)

    def draw() -> Page:
        return _page(reader, stamp, template, values, validator)

    is_cached = keep and _is_cached()
    key = (stamp, look, *_address())
    page = _caches()[0].get(key, draw) if is_cached else draw()
    tag = f'{validator}{page.digest}"'
    if browser_tag.endswith(f'.{page.digest}"'):
        return _answer(tag)
    return _answer(tag, page)


def _is_cached() -> bool:
    """Whether every argument of the address is one that phones send."""
    return all(value in CACHED_ARGUMENTS.get(name, ()) for name, value in request.args.items(multi=True))


def _address() -> tuple[str, str, bytes]:
    return origin(), request.path, request.query_string


def _answer(tag: str, page: Page | None = None) -> Response:
    """The response with the page; without a page 304."""
    headers = [
        ("ETag", tag),
        ("Cache-Control", "no-cache"),
        ("X-Robots-Tag", NOT_INDEXED),
        ("Vary", "Accept-Language, Cookie, Accept-Encoding"),
        ("X-Now", str(time.time_ns() // 1_000_000)),  # countdowns start from it
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


def _page(reader: Reader, stamp: Stamp, template: str, values: Values, validator: str) -> Page:
    g.account = None  # the page is the same for everybody
    head = read_outline(reader, stamp).head
    variables = values(reader, stamp, head)
    same = variables.pop("same", None)
    if same is None or "part" not in request.args:
        return _draw(head, template, variables, validator)
    # Most of five hundred players' pages stay the same after a result: equal values make equal parts.
    key = (template, language(), origin(), request.path, head.name, head.announcements, same)
    return _caches()[2].get(key, lambda: _draw(head, template, variables, validator))


def _draw(head: Head, template: str, variables: Variables, validator: str) -> Page:
    said = draw_each("public/_announcements.html", "announcement", head.announcements)
    part = (said + Markup(draw_part(head, template, variables))).encode()  # noqa: S704 drawn by templates
    digest = hashlib.sha256(part).hexdigest()[:16]
    if "part" in request.args:
        return Page(part, digest)
    before, between, after = _frame(head, template, variables)
    tag = escape(f'{validator}{digest}"').encode()
    return Page(b"".join((before, tag, between, part, after)), digest)


def draw_part(head: Head, template: str, variables: Variables) -> str:
    """The template's `part`. A page may name what is drawn separately (`slots`) and what the rest depends on
    (`shell`); the rest is then drawn once for equal shells, and after a result only the slots are new."""
    if "shell" not in variables:
        return render_part(template, event=head, address=part_address(), **variables)
    key = (template, language(), *_address(), head.name, variables["shell"])

    def draw() -> list[str]:
        empty = dict.fromkeys(variables["slots"], SLOT)
        return render_part(template, event=head, address=part_address(), **variables, **empty).split(SLOT)

    pieces = _caches()[1].get(key, draw) if _is_cached() else draw()
    slots = variables["slots"].values()
    return "".join(piece for both in zip_longest(pieces, slots, fillvalue="") for piece in both)


def render_part(template: str, **values: Any) -> str:
    """The template's `part` block alone."""
    page = current_app.jinja_env.get_template(template)
    context = page.new_context({"lang": language(), "base": base(values["event"]), **values})
    return "".join(page.blocks["part"](context))


def base(head: Head) -> str:
    """The address of the event's page; calling `url_for` for each link would cost more than the page."""
    return f"{request.script_root}/e/{head.slug}"


def draw_each(template: str, macro: str, items: Iterable[Hashable]) -> Markup:
    """The macro's lines for all items. Lines are cached, since after a result only one line of a page
    is new."""
    drawn, lines = _lines(template, macro, language()), []
    for item in items:
        line = drawn.get(item)
        if line is None:
            if len(drawn) >= CACHED_LINES:
                drawn.clear()
            draw = getattr(current_app.jinja_env.get_template(template).module, macro)
            line = drawn[item] = str(draw(item))
        lines.append(line)
    return Markup("".join(lines))  # noqa: S704


@cache
def _lines(template: str, macro: str, lang: str) -> dict[Hashable, str]:
    return {}


def _frame(head: Head, template: str, variables: Variables) -> tuple[bytes, bytes, bytes]:
    """The page around the part: before the validator, between it and the part, and after the part. It changes
    rarely, so it is cached without the event's version."""
    plain = (head.name, head.is_open, head.has_bracket, head.is_demo, variables.get("frame"))
    key = (head.id, plain, template, *_address(), language(), theme())

    def draw() -> tuple[bytes, bytes, bytes]:
        page = render_template(
            template,
            event=head,
            address=part_address(),
            base=base(head),
            framed=MARK,
            tag=TAG_MARK,
            **variables,
        )
        before, after_tag = page.split(TAG_MARK, 1)
        between, after = after_tag.split(MARK, 1)
        return before.encode(), between.encode(), after.encode()

    return _caches()[1].get(key, draw) if _is_cached() else draw()


def part_address() -> str:
    """The address of this page's changing part."""
    arguments = request.query_string.decode("latin-1")
    others = "&".join(a for a in arguments.split("&") if a and not a.startswith(("part=", "lang=", "theme=")))
    return f"{request.path}?{others}&part=1" if others else f"{request.path}?part=1"


@cache
def build() -> str:
    """A hash of the product, so that no browser keeps a page of an older version."""
    digest = hashlib.sha256(__version__.encode())
    for path in sorted(TEMPLATES.rglob("*.html")):
        digest.update(path.read_bytes())
    for name in ("judge.css", "public.css", "screen.css", "live.js", "screen.js"):
        digest.update(_fingerprint(name).encode())
    return digest.hexdigest()[:8]

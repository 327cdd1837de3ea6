"""The big screen in the hall: pairings, standings and the clock in turn, in letters that can be read from ten
metres. No sign-in. `?show=pairings|standings|clock` shows only one. It is a shared page like the others;
screen.js turns the pages and survives a lost network.
"""

from __future__ import annotations

from flask import Blueprint, Response, request
from flask_babel import gettext

from judge.services.public.read_models import Head, Stamp, read_pairings
from judge.services.public.standings import read_bracket, read_scores, standing_lines
from judge.storage.reader import Reader
from judge.web.frame.links import absolute_url
from judge.web.frame.preferences import language
from judge.web.public.page_cache import Variables, shared

screen = Blueprint("screen", __name__)
SHOWN = ("pairings", "standings", "clock")


@screen.get("/e/<slug>/screen")
def show(slug: str) -> Response:
    return shared(slug, "public/screen.html", _screen)


def _screen(reader: Reader, stamp: Stamp, head: Head) -> Variables:
    only = request.args.get("show")
    chosen = [only] if only in SHOWN else list(SHOWN)
    scores = read_scores(reader, stamp)
    return {
        "chosen": chosen,
        "pairings": read_pairings(reader, stamp),
        "lines": standing_lines(scores, language()) if "standings" in chosen else [],
        "rounds": scores.rounds,
        "is_final": scores.is_final,
        "bracket": read_bracket(reader, stamp, language()) if head.has_bracket else None,
        "link": absolute_url("public.overview", slug=head.slug),
        "title": gettext("Big screen"),
    }

"""The big screen in the hall: pairings by table and by name, standings and bracket in turn, the podium at the
end, in letters that can be read from ten metres; the clock stands above all of them. No sign-in.
`?show=names` shows only one of them. It is a shared page like the others; screen.js turns the pages and
survives a lost network.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from judge.services.public.pairing_lists import by_name, read_pairings, with_heroes
from judge.services.public.podium import podium
from judge.services.public.read_models import Head, Stamp
from judge.services.public.standings import read_bracket, read_scores, standing_lines
from judge.storage.reader import Reader
from judge.web.frame.links import url_for_phones
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.public.page_cache import Variables, shared

screen = Blueprint("screen", __name__)
IN_TURN = ("pairings", "names", "standings", "bracket")
AT_THE_END = ("podium", "standings", "bracket")
SHOWN = (*IN_TURN, "podium", "clock")


@screen.get("/e/<slug>/screen")
def show(slug: str) -> Response:
    return shared(slug, "public/screen.html", _screen)


def _screen(reader: Reader, stamp: Stamp, head: Head) -> Variables:
    only = request.args.get("show")
    scores, pairings = read_scores(reader, stamp), read_pairings(reader, stamp)
    if pairings is not None:
        pairings = with_heroes(pairings, head, language())
    steps = podium(scores)
    chosen = (only,) if only in SHOWN else AT_THE_END if steps else IN_TURN
    return {
        "chosen": chosen,
        "podium": steps,
        "pairings": pairings,
        "by_name": by_name(pairings) if pairings and "names" in chosen else [],
        "lines": standing_lines(scores, language()) if "standings" in chosen else [],
        "rounds": scores.rounds,
        "is_final": scores.is_final,
        "bracket": read_bracket(reader, stamp, language()) if "bracket" in chosen else None,
        "link": url_for_phones("public.overview", slug=head.slug),
        "title": gettext("Big screen"),
    }

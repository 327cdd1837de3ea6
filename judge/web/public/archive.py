"""The public pages of an event as a ZIP of plain files, to be published anywhere after the event: standings,
every round, bracket, figures, a page for each player, the data as JSON, the standings on paper. Nothing in it
needs this server; the same event gives the same pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from flask import Blueprint, Response, render_template
from markupsafe import Markup

from judge.core.json_types import JsonObject
from judge.paths import STATIC
from judge.services.connect import public_data
from judge.services.event.event_view import EventView
from judge.services.paper.documents import PrintOptions
from judge.services.paper.event_papers import print_event
from judge.services.public.pairing_lists import read_round, with_heroes
from judge.services.public.read_models import Head, Stamp, find_stamp, read_outline
from judge.services.public.standings import read_bracket, read_scores
from judge.storage.reader import Reader, reading
from judge.web.accounts.access import needs
from judge.web.figures.pages import event_values
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import database, session
from judge.web.public.page_cache import base, draw_each, draw_part
from judge.web.public.pages import LINES, player_values, standings_values

archive = Blueprint("archive", __name__)
STYLES = ("judge.css", "public.css", "figures.css")
LINK = re.compile(r'href="(/[^"]*)"')
DATA = {
    "pairings": public_data.pairings_data,
    "standings": public_data.standings_data,
    "bracket": public_data.bracket_data,
}
EARLIEST = (1980, 1, 1, 0, 0, 0)  # the same files give the same ZIP


@archive.get("/e/<slug>/desk/public.zip")
@needs("export")
def static_copy(event: EventView) -> Response:
    with reading(database().engine) as reader:
        stamp = find_stamp(reader, event.slug)
        assert stamp is not None, "the event was found a moment ago"
        files = dict(_files(reader, stamp, read_outline(reader, stamp).head, event))
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            zipped.writestr(ZipInfo(name, EARLIEST), content, ZIP_DEFLATED)
    headers = {"Content-Disposition": f'attachment; filename="{event.slug}.zip"'}
    return Response(out.getvalue(), mimetype="application/zip", headers=headers)


def _files(reader: Reader, stamp: Stamp, head: Head, event: EventView) -> Iterator[tuple[str, bytes]]:
    rounds = read_outline(reader, stamp).rounds
    board = read_bracket(reader, stamp, language())
    tabs = [("index.html", gettext("Standings"))]
    tabs += [(f"round-{r.number}.html", gettext("Round %(n)s", n=r.number)) for r in rounds]
    tabs += [("bracket.html", gettext("Bracket"))] if board else []
    tabs += [("figures.html", gettext("Figures"))]

    def page(name: str, part: str) -> tuple[str, bytes]:
        local = Markup(LINK.sub(lambda link: _local(link[1], head), part))  # noqa: S704 drawn by templates
        html = render_template("public/archive.html", event=head, tabs=tabs, here=name, part=local)
        return name, html.encode()

    standings = draw_part(head, "public/standings.html", standings_values(reader, stamp, head))
    yield page("index.html", standings)
    for round_ in rounds:
        pairings = with_heroes(read_round(reader, stamp, round_), head, language())
        lines = draw_each(LINES, "pair", (*pairings.tables, *pairings.byes))
        yield page(
            f"round-{round_.number}.html", render_template("public/_round.html", round=round_, lines=lines)
        )
    if board:
        yield page("bracket.html", draw_part(head, "public/bracket.html", {"board": board}))
    yield page("figures.html", draw_part(head, "figures/event.html", event_values(reader, stamp, head)))
    for place in read_scores(reader, stamp).places:
        values = player_values(reader, stamp, head, int(place.player))
        yield page(f"player-{place.player}.html", draw_part(head, "public/player.html", values))
    for name in (*STYLES, "judge.svg"):
        yield f"static/{name}", (STATIC / name).read_bytes()
    yield from _more(reader, stamp, event, has_rounds=bool(rounds))


def _more(reader: Reader, stamp: Stamp, event: EventView, *, has_rounds: bool) -> Iterator[tuple[str, bytes]]:
    """The data as JSON, and the standings on paper."""
    for name, build in DATA.items():
        content: JsonObject = build(reader, stamp, language())
        yield f"data/{name}.json", json.dumps(content, ensure_ascii=False, indent=1).encode()
    if has_rounds:
        options = PrintOptions(lang=language(), number=str(event.version))
        yield (
            "standings.pdf",
            print_event(session(), event, "standings", options, lambda _: "", is_public=True),
        )


def _local(address: str, head: Head) -> str:
    """A link of a public page as a link between the files; a link to anything else is none."""
    at = base(head)
    path = address.split("?")[0].split("#")[0]
    if not path.startswith(at):
        return ""
    place = path.removeprefix(at).strip("/")
    names = {
        "": "index.html",
        "standings": "index.html",
        "bracket": "bracket.html",
        "figures": "figures.html",
    }
    if place in names:
        return f'href="{names[place]}"'
    player = re.fullmatch(r"standings/(\d+)", place)
    return f'href="player-{player[1]}.html"' if player else ""

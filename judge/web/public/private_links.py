"""Private links: a player's page (/me/...) and a table's page (/table/...), both without an account.

A link carries two signed numbers, the row's id and its `link`; a new link raises the second, and older links
stop working. QR codes of links are drawn here too, always dark on white, so that phones can read them.
"""

from __future__ import annotations

import io
from typing import Protocol
from urllib.parse import urlsplit

import segno
from flask import Flask, abort
from markupsafe import Markup

from judge.config import address_for_phones
from judge.services.event.event_view import EventView, MatchView, PlayerView
from judge.services.players.private_links import find_linked_match, find_linked_player
from judge.web.accounts.access import link_token, read_link
from judge.web.frame.links import origin
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import session


def init_private_links(app: Flask) -> None:
    app.jinja_env.globals.update(player_link=player_link, table_link=table_link, qr=qr, drawn_code=drawn_code)


class Linked(Protocol):
    """A player or a table that a private link opens."""

    @property
    def id(self) -> int: ...
    @property
    def link(self) -> int: ...


def player_link(player: Linked) -> str:
    return f"{origin()}/me/{link_token('player', player.id, player.link)}"


def table_link(match: Linked) -> str:
    return f"{origin()}/table/{link_token('table', match.id, match.link)}"


def private_numbers(kind: str, token: str) -> tuple[int, int]:
    """The row id and the `link` number of a private link; 404 for a forged one."""
    return _two(read_link(kind, token))


def player_of(token: str) -> tuple[EventView, PlayerView]:
    """The player of a link and their event; 404 for a forged link, 410 for one that was replaced."""
    linked = find_linked_player(session(), *private_numbers("player", token))
    return linked or abort(410)


def match_of(token: str) -> tuple[EventView, MatchView]:
    """The match of a table's link, and its event."""
    linked = find_linked_match(session(), *private_numbers("table", token))
    return linked or abort(410)


def _two(numbers: tuple[int, ...]) -> tuple[int, int]:
    if len(numbers) != 2:
        abort(404)
    return numbers[0], numbers[1]


def qr(address: str, label: str, *, note: bool = True) -> Markup:
    """The address as a QR code: an inline SVG with a white edge, on dark pages too. An address that only this
    computer knows is replaced by the one in the local network, with a note for whoever runs the server."""
    reached = address_for_phones(address)
    if reached is None:
        says = gettext("No QR code: this computer has no network address that phones could open.")
        return Markup('<p class="hint qr-note">{}</p>').format(says)
    code = drawn_code(reached, label)
    if reached == address or not note:
        return code
    says = gettext(
        "Phones cannot open %(here)s, so this code leads to %(there)s. It works once the server is started "
        "with HOST=0.0.0.0.",
        here=urlsplit(address).netloc,
        there=urlsplit(reached).netloc,
    )
    return Markup('<div class="qr-noted">{}<p class="hint qr-note">{}</p></div>').format(code, says)


def drawn_code(address: str, label: str) -> Markup:
    """A text as a QR code, just as it is."""
    svg = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        svg,
        kind="svg",
        xmldecl=False,
        svgns=False,
        nl=False,
        omitsize=True,
        light="#fff",
        border=3,
        svgclass="qr",
        lineclass=None,
        title=label,
    )
    return Markup(svg.getvalue().decode().replace("<svg", '<svg role="img"', 1))  # noqa: S704

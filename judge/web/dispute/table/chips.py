"""Chips: buttons on the page of a table, each with the event it enters and a few words about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from judge.core.messages import Lang
from judge.services.dispute.dice_throne.offers import Offer
from judge.web.dispute.spoken import spoken


def chips(offers: list[Offer], lang: Lang) -> list[Markup]:
    words = spoken(lang)
    cp, in_part = words.text("CP"), words.text("known in part")
    return [_chip(offer, words.KINDS, cp, in_part) for offer in offers]


def _chip(offer: Offer, kinds: Mapping[str, str], cp: str, in_part: str) -> Markup:
    """kinds: what each kind of thing is called; cp: what Combat Points are called; in_part: what a thing
    known in part is called. Written here and not in a template: a tap draws dozens."""
    kind = kinds.get(offer.card or offer.kind, offer.kind)
    cost = "" if offer.cost is None else f"{offer.cost} {cp}"
    about = " · ".join(filter(None, (offer.hero, kind, cost, in_part * offer.is_partial)))
    later = "" if offer.is_now else " later"
    why = f'<span class="chip-why">{escape(offer.why)}</span>' if offer.why else ""
    return Markup(  # noqa: S704  # escaped
        f'<button class="chip {escape(offer.kind)}{later}" name="event" value="{as_value(offer.event)}">'
        f'<span class="chip-name">{escape(offer.name)}</span>'
        f'<span class="chip-kind">{escape(about)}</span>{why}</button>'
    )


_as_json = json.JSONEncoder(sort_keys=True).encode
_AS_CODES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&'"}


def as_value(event: Any) -> Markup:
    """An event or an answer as JSON in the value of a button."""
    text = _as_json(event)
    if "<" in text or ">" in text or "&" in text or "'" in text:
        text = text.translate(_AS_CODES)
    return escape(text)


@lru_cache(256)
def options(names: tuple[tuple[str, str], ...]) -> Markup:
    """The options of a list to choose from; the same few lists stand on every page."""
    return Markup().join(Markup('<option value="{}">{}</option>').format(key, name) for key, name in names)

"""Chips: buttons on the page of a table, each with the event it enters and a few words about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from judge.core.messages import Lang
from judge.services.dispute.dice_throne.offers import Offer
from judge.web.dispute.spoken import spoken


@dataclass(frozen=True, slots=True)
class Chip:
    """css: its classes; value: the event as the form sends it; about: what it is, and what it costs;
    why: what speaks against it now."""

    css: str
    value: Markup
    name: str
    about: str
    why: str = ""


def chip(offer: Offer, kinds: Mapping[str, str], cp: str, in_part: str = "") -> Chip:
    """kinds: what each kind of thing is called; cp: what Combat Points are called; in_part: what a thing
    known in part is called."""
    kind = kinds.get(offer.card or offer.kind, offer.kind)
    cost = "" if offer.cost is None else f"{offer.cost} {cp}"
    css = offer.kind if offer.is_now else f"{offer.kind} later"
    return Chip(
        css,
        as_value(offer.event),
        offer.name,
        " · ".join(filter(None, (offer.hero, kind, cost, in_part * offer.is_partial))),
        offer.why,
    )


def chips(offers: list[Offer], lang: Lang) -> list[Chip]:
    words = spoken(lang)
    cp, in_part = words.text("CP"), words.text("known in part")
    return [chip(offer, words.KINDS, cp, in_part) for offer in offers]


def as_value(event: Any) -> Markup:
    """An event or an answer as JSON in the value of a button."""
    text = json.dumps(event, sort_keys=True)
    for sign in "<>&'":
        if sign in text:
            text = text.replace(sign, f"\\u{ord(sign):04x}")
    return escape(text)


@lru_cache(256)
def options(names: tuple[tuple[str, str], ...]) -> Markup:
    """The options of a list to choose from; the same few lists stand on every page."""
    return Markup().join(Markup('<option value="{}">{}</option>').format(key, name) for key, name in names)

"""What a player at a Dice Forge table can do, ready to be tapped: feats, faces for sale, reinforcements,
tokens.

An offer is an event of a table file with a name. Nothing is left out because it is against the rules; what
is allowed now comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from judge.core.messages import Lang
from judge.rules.dice_forge.state.catalog import Feat
from judge.schemas.dice_forge.catalog import catalog, name_in
from judge.services.dispute.case import Case

REINFORCEMENTS = 3  # the pile whose feats wait for step 2
PLAIN = "G1"  # what is forged over first
EXTRA = {"extra": True}


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to tap: what it is called, what it costs, the event it enters."""

    name: str
    event: dict[str, Any]
    cost: dict[str, int] = field(default_factory=dict)
    glory: int = 0
    is_now: bool = False


def feats_in_play(table: Mapping[str, Any]) -> list[Feat]:
    """One feat per slot: those of a first game, unless the table says otherwise; then the rest."""
    owned = {feat for player in table.get("players") or () for feat in player.get("feats") or ()}
    wanted = {*(table.get("sets") or {}).values(), *(f for f in owned if not catalog().feats[f].first_game)}
    slots = {catalog().feats[name].slot for name in wanted if name in catalog().feats}
    known = catalog().feats.values()
    here = [f for f in known if f.id in wanted or (f.first_game and f.slot not in slots)]
    return [*here, *(f for f in known if f not in here)]


def with_verdicts(case: Case, choices: list[Choice]) -> list[Choice]:
    """The same, those that are allowed now first."""
    allowed = case.allowed([choice.event for choice in choices])
    marked = [replace(choice, is_now=is_now) for choice, is_now in zip(choices, allowed, strict=True)]
    return sorted(marked, key=lambda choice: not choice.is_now)


def feats(case: Case, who: str, lang: Lang, is_extra: bool = False) -> list[Choice]:
    """Every feat; those of this game first. An extra action is only ever entered where one was tapped."""
    extra = EXTRA if is_extra else {}
    choices = []
    for feat in feats_in_play(case.data):
        event = {"by": who, "feat": feat.id, **extra, **_given_face(feat, case, who)}
        choices.append(Choice(name_in("feats", feat.id, lang), event, dict(feat.cost), feat.glory))
    return with_verdicts(case, choices)


def _given_face(feat: Feat, case: Case, who: str) -> dict[str, Any]:
    """A face that the feat gives goes over a plain one until somebody says otherwise."""
    if feat.kind not in ("forge", "give_face"):
        return {}
    players = case.now.players
    others = [name for name in players if name != who]
    whose = who if feat.kind == "forge" else others[0]
    place = {"face": feat.effect["faces"][0], **likely_spot(players[whose].dice)}
    return {"forge": place if whose == who else {**place, "player": whose}}


def likely_spot(dice: list[list[str]]) -> dict[str, Any]:
    """Over a plain face, on the first die that has one."""
    for n, die in enumerate(dice, start=1):
        if PLAIN in die:
            return {"die": n, "over": PLAIN}
    return {"die": 1, "over": dice[0][0]}


def faces_for_sale(case: Case, who: str, lang: Lang, is_extra: bool = False) -> list[Choice]:
    """An offering of one face, by price; more are added to it."""
    extra, spot = EXTRA if is_extra else {}, likely_spot(case.now.players[who].dice)
    choices = [
        Choice(name, {"by": who, "offer": [{"face": face, **spot}], **extra}, {"G": price})
        for face, name, price in prices(lang)
    ]
    return with_verdicts(case, choices)


def prices(lang: Lang) -> list[tuple[str, str, int]]:
    """Faces of the Sanctuary: id, name and price, the cheapest first."""
    pools = [pool for pool in catalog().pools.values() if pool.price is not None]
    for_sale = [
        (face, name_in("faces", face, lang), pool.price or 0) for pool in pools for face in pool.faces
    ]
    return sorted(for_sale, key=lambda entry: entry[2])


def reinforcements(case: Case, who: str, lang: Lang) -> list[Choice]:
    held = [catalog().feats[name] for name in case.now.players[who].feats]
    mine = [feat for feat in held if feat.pile == REINFORCEMENTS]
    return [Choice(name_in("feats", f.id, lang), {"by": who, "reinforce": f.id}, is_now=True) for f in mine]


def tokens(case: Case, who: str, lang: Lang) -> list[Choice]:
    held = case.now.players[who].tokens
    return [
        Choice(name_in("tokens", t, lang), {"by": who, "token": t}, is_now=True) for t, n in held.items() if n
    ]


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot with two sets: the feats that may lie there, and the one in use."""

    feats: list[tuple[str, str]]  # id and name
    in_use: str


def slots_with_a_choice(table: Mapping[str, Any], lang: Lang) -> list[Slot]:
    """The nine slots for which the box holds two sets."""
    here = {feat.id for feat in feats_in_play(table)[: len({f.slot for f in catalog().feats.values()})]}
    by_slot: dict[str, list[Feat]] = {}
    for feat in catalog().feats.values():
        by_slot.setdefault(feat.slot, []).append(feat)
    return [
        Slot([(f.id, name_in("feats", f.id, lang)) for f in feats], next(f.id for f in feats if f.id in here))
        for feats in by_slot.values()
        if len(feats) > 1
    ]

"""Picks the one to three rules that decide a damage total: those a judge would point at."""

from __future__ import annotations

from collections.abc import Iterator

from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.sum.dials import Total

MOST = 3
_PLAIN = {
    "roll-phase": "DT-DMG-01",
    "upkeep": "DT-UPK-03",
    "isolated": "DT-ISO-01",
    "at-once": "DT-TYPE-01",
}


def decide(game: Game, total: Total, when: str) -> None:
    """Set the deciding rules of a total, the most telling first."""
    rules = dict.fromkeys(_telling(game, total))
    total.decides = list(rules)[:MOST] or [_PLAIN[when]]


def _telling(game: Game, total: Total) -> Iterator[str]:
    pool = total.pool
    if pool.avoided is not None:
        yield from ("DT-DMG-08", *pool.avoided[2][:1])
    if total.locked and (pool.avoided is not None or pool.terms or pool.fractions):
        yield "DT-ULT-03"
    if pool.avoided is None:
        yield from _of_the_sum(total)
    yield from _of_the_source(game, total)


def _of_the_sum(total: Total) -> Iterator[str]:
    """What made the number: fractions of the Subtotal, a floor, additions and preventions."""
    fractions = total.pool.fractions
    if len(fractions) > 1:
        yield "DT-DMG-04"
    elif fractions:
        yield "DT-DMG-03"
    if total.subtotal - sum(total.fractions) < 0:
        yield "DT-DMG-06"
    if any(deal.amount and not deal.own for deal in total.pool.deals):
        yield "DT-ATK-05"
    if any(term.reduction for term in total.terms):
        yield "DT-ATK-03"
    if any(not term.reduction for term in total.terms):
        yield "DT-DMG-02"
    if fractions and (total.subtotal - total.locked) % 2:
        yield "DT-DMG-05"


def _of_the_source(game: Game, total: Total) -> Iterator[str]:
    """Where the damage came from, if not simply from the Attack."""
    attack = game.attack
    deals = total.pool.deals
    if any(deal.returned for deal in deals):
        yield from ("DT-RET-01", "DT-RET-02")
    is_attacker = attack is not None and total.pool.player is attack.by
    if is_attacker and any(deal.by not in (None, total.pool.player) and not deal.returned for deal in deals):
        yield "DT-ATK-08"

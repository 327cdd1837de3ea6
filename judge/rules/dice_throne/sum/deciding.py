"""Picks the one to three rules that decide a damage total: those a judge would point at."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.messages import Ref
from judge.rules.catalog import Status
from judge.rules.dice_throne.state.model import Game, Label
from judge.rules.dice_throne.sum.dials import Total
from judge.rules.dice_throne.sum.parts import event_of
from judge.rules.dice_throne.sum.sums import place

MOST = 3
_PLAIN = {
    "roll-phase": "DT-DMG-01",
    "upkeep": "DT-UPK-03",
    "isolated": "DT-ISO-01",
    "at-once": "DT-TYPE-01",
}


def decide(game: Game, total: Total, when: str) -> None:
    """Set the deciding rules of a total, the most telling first."""
    rules = dict.fromkeys(_telling(game, total, when))
    total.decides = list(rules)[:MOST] or [_PLAIN[when]]


def _telling(game: Game, total: Total, when: str) -> Iterator[str]:
    pool = total.pool
    if when == "isolated":
        yield from ("DT-ISO-01", "DT-ISO-02") if pool.terms or pool.fractions else ("DT-ISO-01",)
    if pool.avoided is not None:
        yield from ("DT-DMG-08", *pool.avoided[2][:1])
    yield from _of_an_ultimate(game, total)
    yield from _of_the_source(game, total)
    if pool.avoided is not None or total.terms or pool.fractions:
        yield from _of_the_type(game, total)
    if pool.avoided is None:
        yield from _of_the_fractions(total)
        yield from _of_the_numbers(game, total)
    if total.healed and total.final:
        yield "DT-HP-04"
    if when == "upkeep":
        yield "DT-UPK-03"
    yield from _of_the_team(game, total)


def _of_an_ultimate(game: Game, total: Total) -> Iterator[str]:
    """An Ultimate that nothing lowers, that ignores a status in play, or that its owner raised."""
    pool, attack = total.pool, game.attack
    if total.unavoidable and (pool.avoided is not None or pool.terms or pool.fractions):
        yield "DT-ULT-03"
    if attack is None or not attack.ultimate or pool.player not in attack.targets:
        return
    if attack.ignores:
        yield "DT-ULT-04"
    if any(deal.amount and not deal.own for deal in pool.deals):
        yield "DT-ULT-05"


def _of_the_source(game: Game, total: Total) -> Iterator[str]:
    """Where the damage came from, if not simply from the Attack."""
    attack = game.attack
    deals = total.pool.deals
    if any(deal.returned for deal in deals):
        yield from ("DT-RET-01", "DT-RET-02")
    is_attacker = attack is not None and total.pool.player is attack.by
    if is_attacker and any(deal.by not in (None, total.pool.player) and not deal.returned for deal in deals):
        yield "DT-ATK-08"


def _of_the_type(game: Game, total: Total) -> Iterator[str]:
    """The types that could be prevented or avoided although they could not be defended against."""
    types = game.edition.types
    kinds = sorted({deal.type for deal in total.pool.deals if deal.amount})
    yield from (types[kind].rule for kind in kinds if types[kind].avoidable and not types[kind].defendable)


def _of_the_fractions(total: Total) -> Iterator[str]:
    fractions = total.pool.fractions
    if len(fractions) > 1:
        yield "DT-DMG-04"
    elif fractions or total.pool.multipliers:
        yield "DT-DMG-03"
    if total.subtotal - sum(total.fractions) < 0:
        yield "DT-DMG-06"
    if fractions and (total.subtotal - total.locked) % 2:
        yield "DT-DMG-05"
    if is_order_irrelevant(total):
        yield "DT-DMG-07"


def is_order_irrelevant(total: Total) -> bool:
    """Whether a fraction was used before a number that still counts before it (DT-DMG-07)."""
    numbers = [place(term.n) for term in total.terms if not term.reduction]
    numbers += [place(deal.n) for deal in total.pool.deals if not deal.own and deal.amount]
    return any(place(n) < number for _, n, _ in total.pool.fractions for number in numbers)


def _of_the_numbers(game: Game, total: Total) -> Iterator[str]:
    """What was added and taken off: the token's own rule, then the rule on such numbers."""
    for deal in total.pool.deals:
        if deal.amount and not deal.own:
            yield from _token_rules(game, deal.source, deal.n)
            yield "DT-ATK-05"
        elif deal.source is not None:
            yield from _token_rules(game, deal.source, deal.n)
    for term in total.terms:
        if term.reduction:
            yield from _token_rules(game, term.source, term.n) if term.source is not None else term.rules[:1]
    if total.terms:
        yield "DT-DMG-02"


def _token_rules(game: Game, source: Ref | None, n: Label) -> tuple[str, ...]:
    """The rule of the status that a number comes from, if it comes from one."""
    status = game.statuses.get(source.id) if source is not None else None
    if status is None and (event := event_of(game.table, n)) is not None and event.verb == "spend":
        status = event.thing if isinstance(event.thing, Status) else None
    return status.rules[:1] if status is not None else ()


def _of_the_team(game: Game, total: Total) -> Iterator[str]:
    """Collateral damage that several members of a team take at the same time (DT-TYPE-15)."""
    if not game.is_team_game or not any(d.type == "collateral" and d.amount for d in total.pool.deals):
        return
    mates = [pool.player for pool in game.pools.values() if pool.deals]
    if sum(player.team == total.pool.player.team for player in mates) > 1:
        yield from ("DT-TYPE-15", "DT-2V2-04")

"""Picks the one to three rules that decide a damage total: those a judge would point at."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.messages import Ref
from judge.rules.catalog import Status
from judge.rules.dice_throne.state.table import Label, Table
from judge.rules.dice_throne.sum.dials import Total
from judge.rules.dice_throne.sum.parts import event_of

MOST = 3
_PLAIN = {
    "roll-phase": "DT-DMG-01",
    "upkeep": "DT-UPK-03",
    "isolated": "DT-ISO-01",
    "at-once": "DT-TYPE-01",
}


def deciding(table: Table, total: Total) -> list[str]:
    """The deciding rules of a total, the most telling first."""
    rules: list[str] = []
    for rule in _telling(table, total):
        if rule not in rules:
            rules.append(rule)
        if len(rules) == MOST:
            break
    return rules or [_PLAIN[total.when]]


def _telling(table: Table, total: Total) -> Iterator[str]:
    pool, when = total.pool, total.when
    if when == "isolated":
        yield from ("DT-ISO-01", "DT-ISO-02") if pool.terms or pool.fractions else ("DT-ISO-01",)
    if pool.avoided is not None:
        yield from ("DT-DMG-08", *pool.avoided[2][:1])
    yield from _of_an_ultimate(total)
    yield from _of_the_source(total)
    if pool.avoided is not None or total.terms or pool.fractions:
        yield from _of_the_type(table, total)
    if pool.avoided is None:
        yield from _of_the_fractions(total)
        yield from _of_the_numbers(table, total)
    if total.healed and total.final:
        yield "DT-HP-04"
    if when == "upkeep":
        yield "DT-UPK-03"
    yield from _of_the_team(total)


def _of_an_ultimate(total: Total) -> Iterator[str]:
    """An Ultimate that nothing lowers, that ignores a status in play, or that its owner raised."""
    pool, attack = total.pool, total.attack
    if total.unavoidable and (pool.avoided is not None or pool.terms or pool.fractions):
        yield "DT-ULT-03"
    if attack is None or not attack.ultimate or pool.player not in attack.targets:
        return
    if attack.ignores:
        yield "DT-ULT-04"
    if any(deal.amount and not deal.own for deal in pool.deals):
        yield "DT-ULT-05"


def _of_the_source(total: Total) -> Iterator[str]:
    """Where the damage came from, if not simply from the Attack."""
    attack = total.attack
    deals = total.pool.deals
    if any(deal.returned for deal in deals):
        yield from ("DT-RET-01", "DT-RET-02")
    is_attacker = attack is not None and total.pool.player is attack.by
    if is_attacker and any(deal.by not in (None, total.pool.player) and not deal.returned for deal in deals):
        yield "DT-ATK-08"


def _of_the_type(table: Table, total: Total) -> Iterator[str]:
    """The types that could be prevented or avoided although they could not be defended against."""
    types = table.edition.types
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
    if total.is_order_irrelevant:
        yield "DT-DMG-07"


def _of_the_numbers(table: Table, total: Total) -> Iterator[str]:
    """What was added and taken off: the token's own rule, then the rule on such numbers."""
    for deal in total.pool.deals:
        if deal.amount and not deal.own:
            yield from _token_rules(table, deal.source, deal.n)
            yield "DT-ATK-05"
        elif deal.source is not None:
            yield from _token_rules(table, deal.source, deal.n)
    for term in total.terms:
        if term.reduction:
            yield from _token_rules(table, term.source, term.n) if term.source is not None else term.rules[:1]
    if total.terms:
        yield "DT-DMG-02"


def _token_rules(table: Table, source: Ref | None, n: Label) -> tuple[str, ...]:
    """The rule of the status that a number comes from, if it comes from one."""
    status = table.catalog.statuses.get(source.id) if source is not None else None
    if status is None and (event := event_of(table, n)) is not None and event.verb == "spend":
        status = event.thing if isinstance(event.thing, Status) else None
    return status.rules[:1] if status is not None else ()


def _of_the_team(total: Total) -> Iterator[str]:
    """Collateral damage that several members of a team take at the same time (DT-TYPE-15)."""
    if not any(deal.type == "collateral" and deal.amount for deal in total.pool.deals):
        return
    if sum(player.team == total.pool.player.team for player in total.hit_together) > 1:
        yield from ("DT-TYPE-15", "DT-2V2-04")

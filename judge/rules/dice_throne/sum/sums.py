"""Recomputes the final damage total from the recorded pools with deliberate arithmetic slips, for claims.

Without a slip it gives the engine's own number. It never touches the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.rules.dice_throne.state.table import place
from judge.rules.dice_throne.sum.dials import Total

Slips = frozenset[str]
NO_SLIP: Slips = frozenset()


@dataclass(slots=True)
class Sum:
    final: int
    returned: int
    healed: int


def work_out(totals: Sequence[Total], slips: Slips = NO_SLIP, player: str = "") -> dict[str, Sum]:
    """The totals of one conclusion, or only what one player's total needs; players who return damage come
    first (DT-RET-04)."""
    wanted = [each for each in totals if each.pool.player.id == player]
    if not wanted or _givers(wanted[0]):
        wanted = sorted(totals, key=lambda each: not each.pool.returns)
    sums: dict[str, Sum] = {}
    for total in wanted:
        back = _received_back(total, sums)
        final = _final(total, back, slips)
        healed = sum(amount for amount, _ in total.pool.heals)
        if "healing-as-prevention" in slips:
            final = max(final - healed, total.locked, 0)
        sums[total.pool.player.id] = Sum(final, _returned(total, back, final, slips), healed)
    return sums


def _received_back(total: Total, sums: dict[str, Sum]) -> int:
    """What others return to this player."""
    return sum([sums[name].returned for name in _givers(total) if name in sums])


def _givers(total: Total) -> set[str]:
    return {deal.by.id for deal in total.pool.deals if deal.returned and deal.by is not None}


def _dealt(total: Total) -> int:
    return sum([d.amount for d in total.pool.deals if d.own and not d.returned])


def _added(total: Total) -> int:
    return sum([d.amount for d in total.pool.deals if not d.own])


def _subtotal(total: Total, back: int) -> int:
    subtotal = _dealt(total) + _added(total) + back - sum([term.amount for term in total.terms])
    return max(subtotal, total.locked) if total.locked else subtotal


def _share(number: int, share: Fraction, slips: Slips) -> int:
    over, under = share.as_integer_ratio()
    whole = max(number, 0) * over
    return whole // under if "rounded-down" in slips else -(-whole // under)


def _final(total: Total, back: int, slips: Slips) -> int:
    if total.pool.avoided is not None:
        return total.unavoidable
    subtotal = _subtotal(total, back)
    shares = [share for share, _, _ in total.pool.fractions]
    if "order-of-play" in slips:
        return max(_in_order(total, back, slips), total.locked, 0)
    left = subtotal
    for share in shares:
        if "halves-in-sequence" in slips:
            base = left
        elif "fraction-of-incoming" in slips:
            base = _dealt(total) + back
        else:
            base = subtotal
        if "sources-apart" in slips:
            left -= sum(_share(d.amount, share, slips) for d in total.pool.deals)
        else:
            left -= _share(base - total.locked, share, slips)
    final = max(left + _multiplied(total, subtotal, slips), 0)
    passed_on = total.pool.passed_on
    return final if passed_on is None else max(final - (passed_on[1] or 0), 0)


def _multiplied(total: Total, subtotal: int, slips: Slips) -> int:
    change = 0
    for times, _, _ in total.pool.multipliers:
        base = max(subtotal - total.locked if times < 1 else subtotal, 0)
        share = base * times // 1 if total.rounds_off else _share(base, times, slips)
        change += share - base
    return change


def _in_order(total: Total, back: int, slips: Slips) -> int:
    """Apply reductions one after the other as entered, each to what the previous one left."""
    pool = total.pool
    acts: list[tuple[tuple[int, ...], int, Fraction | int]] = [((0,), 0, back)]
    acts += [(place(d.n), 0, d.amount) for d in pool.deals if not d.returned]
    acts += [(place(term.n), 1, -term.amount) for term in total.terms]
    acts += [(place(n), 2, share) for share, n, _ in pool.fractions]
    left = 0
    for _, kind, amount in sorted(acts, key=lambda act: act[:2]):
        left += int(amount) if kind < 2 else -_share(left, Fraction(amount), slips)
    return left


def _returned(total: Total, back: int, final: int, slips: Slips) -> int:
    if not total.pool.returns or total.cancelled or "return-forgotten" in slips:
        return 0
    base = _subtotal(total, back)
    if "return-from-final" in slips:
        base = final
    elif "return-from-incoming" in slips:
        base = _dealt(total) + back
    return sum(_share(base, share, slips) for share, _, _ in total.pool.returns)


def isolated_finals(worked: Iterable[tuple[str, Sequence[Total]]], player: str) -> int:
    """The total damage of isolated sources to a player."""
    return sum(
        total.final
        for when, totals in worked
        for total in totals
        if when == "isolated" and total.pool.player.id == player
    )

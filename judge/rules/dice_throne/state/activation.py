"""Tests whether a roll satisfies an Activation Condition, by numbers or by symbols (rules DT-ACT)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.messages import Message, Ref
from judge.rules.catalog import Needs
from judge.rules.dice_throne.state.model import Fault, Game
from judge.rules.dice_throne.state.player import Player

_LENGTH = {"small": 4, "large": 5}
_RULE = {"small": "DT-ACT-03", "large": "DT-ACT-04"}


def longest_run(dice: Sequence[int]) -> int:
    faces = set(dice)
    best = run = 0
    for value in range(1, 7):
        run = run + 1 if value in faces else 0
        best = max(best, run)
    return best


def most_equal(dice: Sequence[int]) -> int:
    return max((dice.count(value) for value in set(dice)), default=0)


def is_met(game: Game, player: Player, needs: Needs, dice: Sequence[int]) -> bool:
    if needs.tiers:
        return any(is_met(game, player, tier, dice) for tier in needs.tiers)
    if needs.straight and longest_run(dice) < _LENGTH[needs.straight]:
        return False
    if needs.kind and most_equal(dice) < needs.kind:
        return False
    if not needs.symbols:
        return True
    shown = game.symbols(player, list(dice))
    return all(shown.get(symbol, 0) >= count for symbol, count in needs.symbols.items())


def rules_of(needs: Needs) -> tuple[str, ...]:
    """The rules that decide this kind of condition, the telling one first."""
    if needs.rules is None:
        needs.rules = tuple(dict.fromkeys((*_kinds_of(needs), "DT-ACT-01")))
    return needs.rules


def _kinds_of(needs: Needs) -> Iterator[str]:
    if needs.straight:
        yield _RULE[needs.straight]
        if needs.straight == "small":
            yield "DT-ACT-04"
    if needs.kind:
        yield "DT-ACT-05"
    if needs.symbols:
        yield "DT-ACT-02"
    for tier in needs.tiers:
        yield from _kinds_of(tier)
    if needs.tiers:
        yield "DT-ACT-07"


def highest_tier(game: Game, player: Player, needs: Needs, dice: Sequence[int]) -> int:
    """The last tier that the dice satisfy, counted from 1; 0 if none."""
    for n in range(len(needs.tiers), 0, -1):
        if is_met(game, player, needs.tiers[n - 1], dice):
            return n
    return 0


def fault(game: Game, player: Player, needs: Needs, dice: Sequence[int]) -> Fault | None:
    """Why the dice do not satisfy the condition; None if they do."""
    if is_met(game, player, needs, dice):
        return None
    shown = list(dice)
    if needs.tiers:
        return Message("activation_tiers", dice=shown), rules_of(needs)
    if needs.straight and longest_run(shown) < _LENGTH[needs.straight]:
        need = _LENGTH[needs.straight]
        return Message("activation_straight", dice=shown, need=need, has=longest_run(shown)), (
            _RULE[needs.straight],
            "DT-ACT-01",
        )
    if needs.kind and most_equal(shown) < needs.kind:
        return Message("activation_kind", dice=shown, need=needs.kind, has=most_equal(shown)), (
            "DT-ACT-05",
            "DT-ACT-01",
        )
    has = game.symbols(player, shown)
    lacking = [(s, n) for s, n in needs.symbols.items() if has.get(s, 0) < n]
    symbol, need = lacking[0]
    return Message(
        "activation_symbols", dice=shown, symbol=Ref("symbol", symbol), need=need, has=has.get(symbol, 0)
    ), ("DT-ACT-02", "DT-ACT-01")

"""The verb `roll`: Roll Attempts of the Offensive Roll Phase (DT-ORP)."""

from __future__ import annotations

from collections.abc import Iterable

from judge.core.messages import Ref
from judge.rules.dice_throne.effects.phase_words import handicap
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import (
    Check,
    is_own_turn,
    need_cp,
    need_own_turn,
    need_phase,
    phase_word,
)  # fmt: skip

_OFFENSIVE = frozenset(("offensive-roll",))


def attempts_allowed(game: Game) -> int:
    """The Roll Attempts of the Active Player's Offensive Roll Phase, with what adds to them or takes off."""
    fewer = handicap(game, game.active, "fewer_roll_attempts") if game.active is not None else 0
    return max(game.numbers.attempts + game.extra_attempts - fewer, 0)


def attempt_price(game: Game, player: Player) -> int:
    """The CP that the player's next Roll Attempt costs; the first one is free."""
    return handicap(game, player, "attempt_price") if game.attempts else 0


def need_offensive_roll(game: Game, player: Player, check: Check, *rules: str) -> None:
    """Check that it is the player's own Offensive Roll Phase, with no ability activated in it."""
    if game.active is not player:
        need_own_turn(game, player, check, *rules)
    skipped_by = game.skipped.get("offensive-roll") if game.skipped else None
    if skipped_by is not None and game.phase not in (None, "offensive-roll"):
        status = game.statuses.get(skipped_by)
        check.fault(
            status.forbids_by if status else ("DT-TURN-02",),
            "phase_was_skipped" if skipped_by else "phase_was_left_out",
            phase=phase_word("offensive-roll"),
            status=Ref("status", skipped_by),
        )
    elif game.attack is None and game.phase is not None:
        need_phase(game, check, _OFFENSIVE, *rules)
    if game.attack is not None:
        check.fault(("DT-ORP-06",), "already_activated", ability=Ref("ability", game.attack.ability))


def check_roll(game: Game, event: Event, player: Player, check: Check) -> None:
    need_offensive_roll(game, player, check, "DT-ORP-01")
    allowed = attempts_allowed(game)
    if game.attempts >= allowed:
        rules = ("DT-ORP-01", "DT-ORP-03", "DT-ORP-04") if game.altered else ("DT-ORP-01",)
        check.fault(rules, "no_attempt_left", n=allowed)
    need_cp(player, attempt_price(game, player), check, "DT-CP-01", "DT-CP-03")
    _check_rerolled(game, event, check)
    check.rules += ("DT-ORP-01", "DT-ORP-04") if game.altered else ("DT-ORP-01",)
    check_withdrawal(game, check)


def _check_rerolled(game: Game, event: Event, check: Check) -> None:
    """The first attempt rolls all dice; later ones keep those that are not rolled again."""
    if game.attempts == 0 and game.dice is None and event.reroll and len(set(event.reroll)) < 5:
        check.fault(("DT-ORP-01",), "first_attempt_rolls_all")
    if game.dice is not None and event.reroll:
        kept = [n for n in range(1, 6) if n not in event.reroll and game.dice[n - 1] != event.dice[n - 1]]
        if kept:
            check.fault(("DT-ORP-01",), "kept_dice_changed", positions=kept)


def check_withdrawal(game: Game, check: Check) -> None:
    """Taking back an announcement that nobody answered is an open point (J-11)."""
    if (
        game.announced is not None
        and not game.altered
        and not check.faults
        and check.reading(game, "J-11") == "a"
    ):
        check.doubt(("DT-ORP-03",), "announcement_stands", ability=Ref("ability", game.announced))


def do_roll(game: Game, event: Event, player: Player) -> None:
    if game.phase is None:
        game.phase = "offensive-roll"
    game.active = game.active or player
    player.cp -= attempt_price(game, player)
    game.attempts += 1
    game.dice = list(event.dice)
    game.announced, game.altered = None, False


def is_choosing(game: Game, player: Player) -> bool:
    """Whether it is the player's own Offensive Roll Phase, and no ability has been activated in it."""
    is_phase = game.phase in (None, "offensive-roll")
    return is_own_turn(game, player) and game.attack is None and is_phase


def is_bound(game: Game) -> bool:
    """Whether an announcement stands; taking it back is not clearly allowed (J-11)."""
    return game.announced is not None and not game.altered


def may_roll(game: Game, player: Player) -> Iterable[str]:
    if is_choosing(game, player) and not is_bound(game) and game.attempts < attempts_allowed(game):
        is_paid = game.active is None or player.cp >= attempt_price(game, player)
        return ("roll",) if is_paid else ()
    return ()

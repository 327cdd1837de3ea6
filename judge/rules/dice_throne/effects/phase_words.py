"""The words for Roll Attempts, phases, and what a player may do at all."""

from __future__ import annotations

from judge.core.messages import Ref
from judge.rules.catalog import Effect, flat
from judge.rules.dice_throne.effects.vocabulary import Shape, effect_word
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.context import Context, reached, receivers
from judge.rules.dice_throne.state.model import RESOLVED, Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import PHASES, ROLL_PHASES, Label
from judge.rules.dice_throne.verbs.legality import phase_word

_OFFENSIVE = ("offensive-roll",)
_NAMELESS = Ref("ability", "-")
_FEWER = "fewer_roll_attempts"
SKIPPABLE = tuple(phase for phase in PHASES if phase != "targeting-roll")  # without a target nothing goes on


@effect_word("extra_roll_attempt", Shape.PHASE, options=("to",), phases=("offensive-roll", "defensive-roll"))
def extra_roll_attempt(game: Game, context: Context, effect: Effect) -> None:
    """For the player's Offensive Roll Phase, this one or the next; or for the defence under way."""
    for player in reached(game, context, effect, "self"):
        if effect.status == "defensive-roll":
            game.extra_defence.add(player.id)
        elif player is game.active and (game.phase is None or game.phase in ROLL_PHASES):
            game.extra_attempts += 1
        else:
            player.handicaps[_FEWER] = player.handicaps.get(_FEWER, 0) - 1


@effect_word(_FEWER, Shape.NUMBER, options=("to",))
@effect_word("attempt_price", Shape.NUMBER, options=("to",))
def hamper(game: Game, context: Context, effect: Effect) -> None:
    """When used (not as a standing status): for the player's Offensive Roll Phase, this one or the next."""
    if isinstance(effect.amount, int):
        for player in reached(game, context, effect, "self"):
            player.handicaps[effect.op] = player.handicaps.get(effect.op, 0) + effect.amount


def handicap(game: Game, player: Player, word: str) -> int:
    """How far a word hampers the player's Roll Attempts: by statuses held, and by what was used."""
    total = player.handicaps.get(word, 0)
    for status_id, held in player.statuses.items():
        status = game.statuses.get(status_id)
        if status is None or word not in status.words or status.when != "offensive-roll":
            continue
        for effect in status.effects or ():
            if effect.op == word and isinstance(effect.amount, int):
                total += effect.amount * (held if effect.per else 1)
    return total


@effect_word("upgrade_in_roll_phases", Shape.TRUTH)
def upgrade_in_roll_phases(game: Game, context: Context, effect: Effect) -> None:
    """Upgrades may be put into play in every Roll Phase. As a passive it holds all the time."""
    context.by.late_upgrades = True


@effect_word("skip_phase", Shape.PHASE, options=("to",), phases=SKIPPABLE)
def skip_phase(game: Game, context: Context, effect: Effect) -> None:
    """The player leaves out that phase: in this turn if it is theirs and still comes, else in the next."""
    for player in reached(game, context, effect, "self"):
        player.skips[effect.status] = context.source.id if context.source is not None else ""


@effect_word("extra_phase", Shape.PHASE, options=("to",),
             targets=("self", "inflicter-against-same-opponent"), phases=_OFFENSIVE)  # fmt: skip
def extra_phase(game: Game, context: Context, effect: Effect) -> None:
    """Another Offensive Roll Phase follows this Roll Phase: against anybody, or against the same opponent."""
    named = game.players.get(effect.to)
    if game.active is not (named or context.by):
        game.fizzled = True
        return
    game.plays_again = True
    if effect.to != "self" and named is None and game.attack is not None and game.attack.targets:
        game.again_against = game.attack.targets[0]


@effect_word("lock_actions", Shape.TRUTH, options=("to",))
def lock_actions(game: Game, context: Context, effect: Effect) -> None:
    """The players may do nothing until the Roll Phase is concluded, or outside one until the turn ends."""
    whom = receivers(game, context, effect, "target")
    if whom is None:
        game.ask(context.n, "on", "ask_whom")
    for player in whom or []:
        game.locked.add(player.id)


@effect_word("cancel_ability", Shape.TRUTH)
def cancel_ability(game: Game, context: Context, effect: Effect) -> None:
    """The Offensive Ability of its user has no effect at all; an Ultimate is not touched (DT-ULT-03)."""
    attack = game.attack
    if attack is None or attack.by is not context.by or attack.ultimate:
        game.fizzled = True
        return
    attack.is_cancelled, attack.is_attack, attack.stage = True, False, RESOLVED
    attack.effects, attack.targets, attack.later, attack.waiting = (), [], (), ()
    for pool in game.pools.values():
        pool.deals = [deal for deal in pool.deals if deal.by is not attack.by]
    game.step("step_cancelled", ("DT-STAT-08",), (context.n,), None, player=context.by.id)


@effect_word("replace_defence", Shape.TRUTH)
def replace_defence(game: Game, context: Context, effect: Effect) -> None:
    """It stands for the Defensive Ability of its user."""
    if game.attack is not None:
        game.attack.defended[context.by.id] = context.source or _NAMELESS


@effect_word("allow_defence", Shape.TRUTH)
def allow_defence(game: Game, context: Context, effect: Effect) -> None:
    """Its user may defend against this Attack whatever the type of its damage."""
    if game.attack is None:
        game.fizzled = True
    else:
        game.attack.open_to |= {context.by.id}


def skips(game: Game, player: Player, phase: str, n: Label) -> bool:
    """Whether the player skips the phase: because a text said so, or by a status, which is then removed."""
    if phase in player.skips:
        game.skipped[phase] = source = player.skips.pop(phase)
        key = "step_phase_skipped" if source else "step_phase_left_out"
        name = Ref("status", source)
        game.step(key, (), (n,), None, player=player.id, phase=phase_word(phase), status=name)
        return True
    for status in tokens.held(game, player, phase):
        if any(effect.op == "skip_phase" and effect.status == phase for effect in flat(status.effects)):
            game.skipped[phase] = status.id
            game.cited.extend(status.rules)
            name = Ref("status", status.id)
            game.step(
                "step_phase_skipped", status.rules, (n,), None,
                player=player.id, phase=phase_word(phase), status=name,
            )  # fmt: skip
            tokens.remove(game, player, status.id, 1, n)
            return True
    return False

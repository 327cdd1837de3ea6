"""What a text needs a target for: damage that is rolled for, and effects on an opponent (DT-TGT-02)."""

from __future__ import annotations

from collections.abc import Iterable

from judge.rules.catalog import Effect, flat
from judge.rules.dice_throne.effects.prices import closed
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.effects.words import holds
from judge.rules.dice_throne.state.model import Attack, Game

_NEEDS_TARGET = words_that(Trait.NEEDS_TARGET)
_INCREASES = words_that(Trait.INCREASE)
_DAMAGE = words_that(Trait.DAMAGE)
_BY_ROLL = frozenset(("symbols", "kind", "straight"))


def hits_a_target(game: Game, damage: Effect) -> bool:
    """Whether this effect would deal damage to a target that is rolled for (DT-ATK-01)."""
    if damage.to not in ("", "target") or damage.amount == 0:
        return False
    return not game.edition.types[damage.type].special_targeting


def needs_target(game: Game, effect: Effect) -> bool:
    """Whether an effect, or a part of it, acts on the target of the Attack."""
    return bool([part for part in flat((effect,)) if _acts_on_the_target(game, part)])


def _acts_on_the_target(game: Game, effect: Effect) -> bool:
    if (effect.to or effect.source) not in ("", "target"):
        return False
    if effect.op in _DAMAGE and not game.edition.types[effect.type].special_targeting:
        return True
    return effect.op in _NEEDS_TARGET or effect.op in _INCREASES or effect.op == "discard"


def aims(game: Game, attack: Attack, effect: Effect) -> bool:
    """Whether an effect needs a target, as far as the activation's dice and names do not rule it out."""
    context, asked = attack.context, effect.condition
    if effect.op == "choose":
        options = [each for each in effect.options if not closed(game, context, each)]
        return any(_any_aims(game, attack, option) for option in options)
    is_rolled = context.roll and not context.dice
    if is_rolled and effect.op == "if" and asked is not None and asked.kind in _BY_ROLL:
        return holds(game, context, asked) and _any_aims(game, attack, effect.parts)
    return needs_target(game, effect)


def _any_aims(game: Game, attack: Attack, effects: Iterable[Effect]) -> bool:
    return any(aims(game, attack, effect) for effect in effects)


def spreads(game: Game, attack: Attack) -> bool:
    """Whether all damage is collateral, to several opponents, while a status falls on a target (J-29)."""
    types = game.edition.types
    if len(game.opponents(attack.by)) < 2 or not attack.types:
        return False
    if not all(types[kind].special_targeting for kind in attack.types):
        return False
    aimed = tuple(effect for effect in attack.effects if aims(game, attack, effect))
    return bool(aimed) and all(part.op == "inflict" or part.op == "if" for part in flat(aimed))

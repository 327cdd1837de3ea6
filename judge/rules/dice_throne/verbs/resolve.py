"""The verb `resolve`: statuses and passives of the Upkeep, passives and companions that are used."""

from __future__ import annotations

from judge.core.messages import Ref
from judge.rules.catalog import Ability, Companion, Effects, Status
from judge.rules.dice_throne.effects.triggers import at_any_time, in_window, passive_text
from judge.rules.dice_throne.effects.words import is_spared
from judge.rules.dice_throne.flow.attack import release
from judge.rules.dice_throne.flow.windows import check_window
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import (
    Check,
    check_own,
    is_own_turn,
    need_own_turn,
    need_phase,
)  # fmt: skip
from judge.rules.dice_throne.verbs.texts import check_named
from judge.rules.dice_throne.verbs.uses import (
    check_companion,
    check_stage,
    check_use,
    pay_use,
    use_stage,
)
from judge.rules.dice_throne.verbs.using import carry_out, check_used_effects, context_for


def check_resolve(game: Game, event: Event, player: Player, check: Check) -> None:
    thing = event.thing
    rules = thing.rules if thing is not None else ()
    check.rules += thing.acts_by if isinstance(thing, Status) else rules
    if is_due_in_upkeep(game, event, player):
        check.rules[:0] = ("DT-UPK-01", "DT-UPK-02")
        need_own_turn(game, player, check, "DT-UPK-01", *rules)
    if isinstance(thing, Status):
        _check_status(game, event, player, thing, check)
    elif isinstance(thing, Companion):
        check.rules += ("DT-COMP-01",)
        _check_companion(game, event, player, thing, check)
    elif isinstance(thing, Ability):
        _check_passive(game, event, player, thing, check)
    elif event.is_of_another_hero:
        check_own(event, player, check)
    text = resolved_text(game, event, player)
    if isinstance(thing, Status) and "roll" in thing.words:
        check_named(game, player, event, text, check)
        text = None  # the dice of a status are counted above, one for each token
    check_used_effects(game, event, player, text, check)


def is_due_in_upkeep(game: Game, event: Event, player: Player) -> bool:
    """Whether the thing acts in its player's Upkeep, and is not one that is used at any time."""
    thing = event.thing
    if isinstance(thing, Status):
        return thing.when == "upkeep"
    if isinstance(thing, Ability):
        return not is_used_at_any_time(game, event, player, thing)
    return not isinstance(thing, Companion)


def _check_status(game: Game, event: Event, player: Player, status: Status, check: Check) -> None:
    held, name = player.statuses.get(status.id, 0), Ref("status", status.id)
    if not held:
        first = "DT-UPK-01" if status.when == "upkeep" else "DT-STAT-01"
        check.fault((first, *status.rules), "token_not_held", player=player.id, status=name)
    if status.when == "end-of-offensive-roll" and not _is_awaited(game, player, status):
        rules = ("DT-STAT-05", *status.rules)
        check.fault(rules, "window_end_of_offensive_roll", status=name, player=player.id)
    if status.when != "upkeep":
        return
    need_phase(game, check, frozenset(("upkeep",)), "DT-UPK-01", *status.rules)
    rolls = "roll" in status.words
    most = game.at_upkeep.get(status.id, held) if rolls else 1
    left = most - game.resolved.get(status.id, 0)
    if held and left <= 0:
        check.fault(("DT-UPK-01", *status.rules), "already_resolved", status=name)
    elif len(event.dice) > left and event.effects is None:
        check.fault(("DT-TXT-01",), "wrong_number_of_dice", need=left, has=len(event.dice))


def _is_awaited(game: Game, player: Player, status: Status) -> bool:
    """Whether the player's ability waits for the roll of this status."""
    return game.attack is not None and game.attack.by is player and status.id in game.attack.awaits


def _check_passive(game: Game, event: Event, player: Player, ability: Ability, check: Check) -> None:
    check_own(event, player, check)
    if ability.kind != "passive":
        check.fault(("DT-ABL-01",), "not_a_passive_ability", ability=Ref("ability", ability.id))
    if game.resolved.get(ability.id, 0) and is_due_in_upkeep(game, event, player):
        check.fault(("DT-UPK-01",), "already_resolved", status=Ref("ability", ability.id))


def _check_companion(game: Game, event: Event, player: Player, thing: Companion, check: Check) -> None:
    check_companion(game, event, player, thing, check)
    stage = next((each for each in thing.stages if each.id == _stage_of(event, player, thing)), None)
    if stage is not None:
        check_stage(game, player, thing, stage, check)
    check_use(game, event, player, check)
    if event.use is not None:
        check_window(game, event, player, event.use, check)


def is_used_at_any_time(game: Game, event: Event, player: Player, ability: Ability) -> bool:
    """Whether a passive is used, not triggered: it has no Upkeep part, or this is not the moment for that."""
    text = passive_text(game, player, ability)
    if not in_window(text, "upkeep"):
        return True
    if not at_any_time(text):
        return False
    is_upkeep = game.phase in (None, "upkeep") and is_own_turn(game, player)
    return bool(event.choice or event.changes) or not is_upkeep or bool(game.resolved.get(ability.id))


def do_resolve(game: Game, event: Event, player: Player) -> None:
    thing = event.thing
    if isinstance(thing, Status):
        _resolve_status(game, event, player, thing)
        return
    if isinstance(thing, Companion) and thing.uses and not _use_companion(game, event, player):
        return
    # The text is read first: resolving a passive of the Upkeep changes what it still may do.
    effects = resolved_text(game, event, player)
    _record(game, event, player, int(is_due_in_upkeep(game, event, player)))
    kind = "passive" if isinstance(thing, Ability | Companion) else "upkeep"  # a token acts on its holder
    context = context_for(game, event, player, kind)
    if thing is not None:
        context.rules = thing.rules
    if isinstance(thing, Companion) and thing.stages and event.effects is None:
        _use_stage(game, event, player, thing, context)
    carry_out(game, event, context, effects, "upkeep")
    if not event.dice:
        release(game, context)


def _resolve_status(game: Game, event: Event, player: Player, status: Status) -> None:
    """Let a status act on its holder; one that rolls does so once for each token."""
    rolls = len(event.dice) if event.effects is None else 1
    _record(game, event, player, max(rolls, 1))
    if is_spared(player, status) and event.effects is None:
        return
    context = context_for(game, event, player, "upkeep")
    context.rules, context.targets = status.rules, [player]
    effects = resolved_text(game, event, player)
    if effects is not None and rolls > 1:
        effects = effects * rolls
    carry_out(game, event, context, effects, "upkeep" if status.when == "upkeep" else "effect")
    if not event.dice:
        release(game, context)


def _record(game: Game, event: Event, player: Player, times: int) -> None:
    """Record that a thing of the Upkeep has had its turn so often."""
    name = str(event.value)
    game.at_upkeep.setdefault(name, player.statuses.get(name, 0))
    if not times:
        return
    if game.phase is None and game.attack is None:
        game.phase = "upkeep"
    game.active = game.active or player
    game.resolved[name] = game.resolved.get(name, 0) + times


def _use_stage(game: Game, event: Event, player: Player, companion: Companion, context: Context) -> None:
    stage = next((each for each in companion.stages if each.id == _stage_of(event, player, companion)), None)
    if context.choices[:1] == [stage.id if stage is not None else None]:
        context.choices.pop(0)
    if stage is not None:
        use_stage(game, player, companion, stage)


def _use_companion(game: Game, event: Event, player: Player) -> bool:
    """Pay for the use of a companion; False if it cannot be carried out."""
    if event.use is None and event.effects is not None:
        return True
    if event.use is None:
        game.ask(event.n, "choice", "ask_which_use", thing=Ref("status", str(event.value)))
        return False
    game.fizzled = not pay_use(game, event, player)
    return not game.fizzled


def resolved_text(game: Game, event: Event, player: Player) -> Effects | None:
    """What a status, passive or companion does when it is resolved."""
    thing = event.thing
    if event.effects is not None or thing is None:
        return event.effects
    if event.use is not None:
        return event.use.effects
    if isinstance(thing, Companion):
        named = _stage_of(event, player, thing)
        return next((stage.effects for stage in thing.stages if stage.id == named), None)
    if isinstance(thing, Ability):
        text = passive_text(game, player, thing)
        if text is None or is_used_at_any_time(game, event, player, thing):
            return text if text is None else at_any_time(text)
        return in_window(text, "upkeep")
    return thing.effects


def _stage_of(event: Event, player: Player, companion: Companion) -> str | None:
    """The stage named by the event, by its choice or by the board."""
    stages = {stage.id: stage for stage in companion.stages}
    there = [name for name in stages if player.companions.get(name)]
    named = (event.value, *event.choice[:1], *there[: len(there) == 1])
    return next((each for each in named if each in stages), None)

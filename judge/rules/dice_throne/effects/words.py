"""Carry out effects: their order, numbers and conditions, and the words for dice, phases and choices.

No function knows a hero, a card or a status by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge.core.messages import Message, Ref
from judge.rules.catalog import Condition, Effect, Needs, Status
from judge.rules.dice_throne.effects.vocabulary import WORDS, Shape, Trait, effect_word
from judge.rules.dice_throne.state.context import Context, receivers
from judge.rules.dice_throne.state.model import Fault, Game, Label, Pending, Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.activation import is_met


def run(game: Game, context: Context, effects: Sequence[Effect]) -> None:
    """Resolve effects in order. "Instead" replaces the effect listed before it."""
    last = len(effects) - 1
    for n, effect in enumerate(effects):
        if n < last and effects[n + 1].instead and _is_true(game, context, effects[n + 1]):
            continue
        if (
            effect.up_to is not None
            and not context.choices
            and _waits_for_a_number(game, context, effects[n:])
        ):
            return
        WORDS[effect.op].run(game, context, effect)


def _waits_for_a_number(game: Game, context: Context, effects: Sequence[Effect]) -> bool:
    """ "Up to": ask how many if the event does not say; the effects that follow count them."""
    effect = effects[0]
    there = context.by.statuses.get(effect.status, 0) + companions_of(game, context.by, effect.status)
    most = there if effect.up_to == "any" else min(there, effect.up_to)
    if effect.source != "self" or not most:
        return False

    def settle(event: Event, value: Any) -> Fault | None:
        if not isinstance(value, int) or not 0 <= value <= most:
            return Message("choice_out_of_range", n=most), ()
        context.choices = [value]
        run(game, context, effects)
        return None

    question = Message("ask_how_many", n=most)
    game.pending.append(Pending(context.n, frozenset((context.by.id,)), settle, question=question))
    return True


def _is_true(game: Game, context: Context, effect: Effect) -> bool:
    return effect.condition is not None and holds(game, context, effect.condition)


def run_status(game: Game, holder: Player, status: Status, n: Label = 0, dice: tuple[int, ...] = ()) -> None:
    """Let a status act on its holder by itself."""
    if is_spared(holder, status):
        return
    context = Context(n, holder, "upkeep", Ref("status", status.id))
    context.targets, context.dice, context.rules = [holder], list(dice), status.rules
    run(game, context, status.effects or ())


def is_spared(holder: Player, status: Status) -> bool:
    """Whether a status spares its holder: its hero, except from another such hero's tokens (DT-TOK-20)."""
    return status.spares_owner and holder.hero_id in status.owners and not holder.foreign.get(status.id)


def run_explosion(game: Game, holder: Player, status: Status, n: Label) -> None:
    context = Context(n, holder, "upkeep", Ref("status", status.id))
    context.targets, context.rules = [holder], status.rules
    run(game, context, status.explosion)


# ------------------------------------------------------------------ numbers


def amount_of(game: Game, context: Context, effect: Effect) -> int | None:
    """The number of an effect, times what it counts; if unknown, None and a question."""
    value = effect.amount
    if value is None:
        game.ask(context.n, "amount", "ask_amount", thing=context.source or "-")
        return None
    if value == "sum-of-dice":
        value = _sum_of_dice(game, context)
        if value is None:
            return None
    elif not isinstance(value, int):
        return None
    if effect.per is not None:
        times = count_of(game, context, effect.per)
        if times is None:
            return None
        value *= times
    return value if effect.limit is None else min(value, effect.limit)


def _sum_of_dice(game: Game, context: Context) -> int | None:
    if context.total is not None:
        return context.total
    if not context.dice:
        game.ask(context.n, "dice", "ask_dice", n=1)
        return None
    return sum(context.dice)


def count_of(game: Game, context: Context, per: tuple[str, str]) -> int | None:
    kind, thing = per
    if kind == "status":
        held = context.holder.statuses.get(thing, 0)
        return min(held, context.holder.foreign.get(thing, held)) if context.kind == "upkeep" else held
    if kind == "companion":
        return companions_of(game, context.holder, thing)
    if kind == "removed":
        return context.removed.get(thing, 0)
    if kind == "cp":
        return context.removed.get("cp", 0)
    if kind == "roll-attempt-beyond-first":
        return max(game.attempts - 1, 0)
    dice = rolled(game, context)
    if dice is None:
        return None
    return game.symbols(context.by, dice).get(thing, 0)


def companions_of(game: Game, player: Player, name: str) -> int:
    """All companions of that name, at whatever stage."""
    companion = game.catalog.companion(name)
    ids = companion.ids if companion is not None and companion.id == name else (name,)
    return sum(player.companions.get(each, 0) for each in ids)


def rolled(game: Game, context: Context) -> list[int] | None:
    """The dice an effect looks at: those of the text's own roll, else those that activated it."""
    dice = context.shown or context.roll or (context.dice if context.kind != "ability" else None)
    if not dice:
        game.ask(context.n, "dice", "ask_dice", n=context.wanted)
        return None
    return dice


def one_die(game: Game, context: Context) -> int | None:
    dice = context.take_dice(1)
    if dice is None:
        game.ask(context.n, "dice", "ask_dice", n=1)
        return None
    return dice[0]


# ------------------------------------------------------------------ conditions


def holds(game: Game, context: Context, condition: Condition) -> bool:
    kind, value = condition.kind, condition.value
    if kind == "holds":
        return context.by.statuses.get(value, 0) > 0
    if kind == "none_removed":
        return not any(context.removed.values())
    if kind == "inflicted":
        attack = game.attack
        return attack is not None and any(player is context.by for player, _ in attack.inflicted)
    if kind == "spent":
        return game.attack is not None and value in game.attack.spent
    if kind == "side":
        return bool(context.by.side == value)
    if kind == "when":
        return False  # passives are started by their window, not by a question
    if value is None:
        game.ask(context.n, "effects", "ask_threshold")
        return False
    if kind == "added_at_least":
        return bool(context.added >= value)
    if kind == "sum_at_least":
        total = _sum_of_dice(game, context)
        return total is not None and total >= value
    dice = rolled(game, context)
    if dice is None:
        return False
    if kind == "symbols":
        shown = game.symbols(context.by, dice)
        return all(shown.get(symbol, 0) >= count for symbol, count in value.items())
    return is_met(game, context.by, Needs(**{kind: value}), dice)


@effect_word("if", Shape.CONDITION, options=("instead",), traits=(Trait.OPTIONAL,))
def when_true(game: Game, context: Context, effect: Effect) -> None:
    condition = effect.condition
    if condition is None:
        return
    if condition.kind == "dealt_at_least":  # known only once the damage is computed
        if game.attack is not None:
            game.attack.later.append((context, effect))
    elif holds(game, context, condition):
        run(game, context, effect.parts)


# ------------------------------------------------------------------ dice, phases, actions


@effect_word("roll", Shape.ROLL, traits=(Trait.OPTIONAL, Trait.BY_DICE), rules=("DT-TXT-01",))
def roll(game: Game, context: Context, effect: Effect) -> None:
    """ "On" gives its benefit once, "each" once per die (DT-TXT-02, DT-TXT-03)."""
    dice = context.take_dice(effect.amount)
    if dice is None:
        game.ask(context.n, "dice", "ask_dice", n=effect.amount)
        return
    context.total = sum(dice)
    shown = game.symbols(context.by, dice)
    matched = False
    for face, effects in effect.each:
        times = _face_count(face, dice, shown)
        matched = matched or times > 0
        for _ in range(times):
            run(game, context, effects)
    for face, effects in effect.on:
        if face == "other":
            continue
        if _face_count(face, dice, shown):
            matched = True
            run(game, context, effects)
    if not matched:
        for face, effects in effect.on:
            if face == "other":
                run(game, context, effects)


def _face_count(face: str, dice: list[int], shown: dict[str, int]) -> int:
    """How many dice show a symbol, a number (`6`) or a range (`1-2`)."""
    low, _, high = face.partition("-")
    if low.isdigit() and (not high or high.isdigit()):
        return sum(1 for value in dice if int(low) <= value <= int(high or low))
    return shown.get(face, 0)


@effect_word("duel", Shape.DUEL, traits=(Trait.NEEDS_TARGET, Trait.OPTIONAL, Trait.BY_DICE))
def duel(game: Game, context: Context, effect: Effect) -> None:
    dice = context.take_dice(2)
    if dice is None:
        game.ask(context.n, "dice", "ask_dice", n=2)
        return
    own, other = dice
    branches = dict(effect.on)
    if ("if_higher" in branches and own > other) or ("if_higher_or_equal" in branches and own >= other):
        chosen = branches.get("if_higher", branches.get("if_higher_or_equal", ()))
    else:
        chosen = branches.get("otherwise", ())
    game.step("step_duel", ("DT-DICE-02",), (context.n,), own, player=context.by.id, own=own, other=other)
    run(game, context, chosen)


@effect_word("extra_roll_attempt", Shape.PHASE, options=("to",))
def extra_roll_attempt(game: Game, context: Context, effect: Effect) -> None:
    for player in receivers(game, context, effect, "self") or []:
        if effect.status == "defensive-roll":
            game.extra_defence.add(player.id)
        elif player is game.active:
            game.extra_attempts += 1


@effect_word("skip_phase", Shape.PHASE)
def skip_phase(game: Game, context: Context, effect: Effect) -> None:
    if context.source is not None:
        game.skipped[effect.status] = context.source.id


@effect_word("choose", Shape.OPTIONS, traits=(Trait.OPTIONAL,), rules=("DT-TXT-05",))
def choose(game: Game, context: Context, effect: Effect) -> None:
    """ "Or": only one of the options (DT-TXT-05)."""
    wanted = context.next_choice()

    def settle(event: Event | None, value: Any) -> Fault | None:
        if not isinstance(value, int) or not 1 <= value <= len(effect.options):
            return Message("choice_out_of_range", n=len(effect.options)), ("DT-TXT-05",)
        return _run_if_paid(game, context, effect.options[value - 1])

    if isinstance(wanted, int) and 1 <= wanted <= len(effect.options):
        _refuse(game, settle(None, wanted))
        return

    game.pending.append(Pending(context.n, frozenset((context.by.id,)), settle))


@effect_word("may", Shape.EFFECTS, traits=(Trait.OPTIONAL,))
def may(game: Game, context: Context, effect: Effect) -> None:
    """Optional: done if the event's choice or a later `choose` says so."""
    wanted = context.next_choice()
    passes_on = any(part.op == "transfer" for part in effect.parts)
    if wanted is None and passes_on and context.on:
        wanted = 1  # naming the receiver is the choice

    def settle(event: Event | None, value: Any) -> Fault | None:
        if value in (0, False, "no"):
            return None
        named = [value] if passes_on and value in game.players else []
        if event is not None and not context.on:
            context.on = [game.players[p] for p in (*event.on, *named)]
        context.choices = [value, *context.choices]
        waiting = len(context.choices)
        fault = _run_if_paid(game, context, effect.parts)
        if len(context.choices) == waiting:
            context.next_choice()  # a plain "yes": no nested effect used the choice
        return fault

    if wanted is not None:
        _refuse(game, settle(None, wanted))
    else:
        game.pending.append(Pending(context.n, frozenset((context.by.id,)), settle, optional=True))


def _run_if_paid(game: Game, context: Context, effects: Sequence[Effect]) -> Fault | None:
    """Run the effects if the player can pay the CP they cost (DT-CP-01, DT-CP-03)."""
    price = sum(
        effect.amount for effect in effects if effect.op == "pay_cp" and isinstance(effect.amount, int)
    )
    if price > context.by.cp:
        return Message("not_enough_cp", need=price, has=context.by.cp), ("DT-CP-01", "DT-CP-03")
    run(game, context, effects)
    return None


def _refuse(game: Game, fault: Fault | None) -> None:
    if fault is not None:
        game.refuse(fault)


@effect_word("additionally", Shape.EFFECTS, traits=(Trait.SEQUEL,), rules=("DT-TXT-07",))
@effect_word("then", Shape.EFFECTS, traits=(Trait.SEQUEL,), rules=("DT-TXT-04",))
def then(game: Game, context: Context, effect: Effect) -> None:
    run(game, context, effect.parts)


@effect_word("change_die", Shape.DIE_CHANGE, traits=(Trait.DIE_CHANGE,))
@effect_word("reroll", Shape.DIE_CHANGE, traits=(Trait.DIE_CHANGE,))
@effect_word("lock_actions", Shape.TRUTH, options=("to",))
@effect_word("extra_phase", Shape.PHASE, options=("to",), targets=("inflicter-against-same-opponent",))
def _by_the_player(game: Game, context: Context, effect: Effect) -> None:
    """Nothing to do here: the event's `changes` alter dice; the token brings locks and extra phases."""

"""One function per effect word, in a registry. None of them knows a hero, a card or a status by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil
from typing import Any

from judge.core.messages import Message, Ref
from judge.rules.catalog import Condition, Effect, Effects, Needs, Status
from judge.rules.dice_throne import tokens
from judge.rules.dice_throne.activation import is_met
from judge.rules.dice_throne.context import Context, is_own_attack, receivers
from judge.rules.dice_throne.damage import settle_defeat
from judge.rules.dice_throne.state import Deal, Fault, Game, Label, Pending, Player, Pool, Term
from judge.rules.dice_throne.table import Event

Function = Callable[[Game, Context, Effect], None]
EFFECTS: dict[str, Function] = {}


def effect(word: str) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        EFFECTS[word] = function
        return function

    return register


def run(game: Game, context: Context, effects: Iterable[Effect]) -> None:
    """Resolve effects in their order. "Instead" replaces the effect listed before it."""
    effects = tuple(effects)
    for n, one in enumerate(effects):
        following = effects[n + 1] if n + 1 < len(effects) else None
        if following is not None and following.instead and following.condition is not None:
            if holds(game, context, following.condition):
                continue
        EFFECTS[one.op](game, context, one)


def run_status(game: Game, holder: Player, status: Status, n: Label = 0, dice: tuple[int, ...] = ()) -> None:
    """A status acts on its holder of its own accord."""
    if status.spares_owner and holder.hero_id in status.owners:
        return
    context = Context(n, holder, "upkeep", Ref("status", status.id))
    context.targets, context.dice, context.rules = [holder], list(dice), status.rules
    run(game, context, status.effects or ())


def run_explosion(game: Game, holder: Player, status: Status, n: Label) -> None:
    context = Context(n, holder, "upkeep", Ref("status", status.id))
    context.targets, context.rules = [holder], status.rules
    run(game, context, status.explosion)


# ------------------------------------------------------------------ numbers


def amount_of(game: Game, context: Context, one: Effect) -> int | None:
    """The number of an effect, times what it counts; None (and a question) where nobody knows it."""
    value = one.amount
    if value is None:
        game.ask(context.n, "amount", "ask_amount", thing=context.source or "-")
        return None
    if value == "sum-of-dice":
        value = _sum_of_dice(game, context)
        if value is None:
            return None
    elif not isinstance(value, int):
        return None
    if one.per is not None:
        times = count_of(game, context, one.per)
        if times is None:
            return None
        value *= times
    return value if one.limit is None else min(value, one.limit)


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
        return context.holder.statuses.get(thing, 0)
    if kind == "companion":
        return context.holder.companions.get(thing, 0)
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


def rolled(game: Game, context: Context) -> list[int] | None:
    """The dice an effect looks at: those of the text's own roll, else those that activated it."""
    dice = context.shown or context.roll or (context.dice if context.kind != "ability" else None)
    if not dice:
        game.ask(context.n, "dice", "ask_dice", n=1)
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


@effect("if")
def when_true(game: Game, context: Context, one: Effect) -> None:
    condition = one.condition
    if condition is None:
        return
    if condition.kind == "dealt_at_least":  # known only once the damage is worked out
        if game.attack is not None:
            game.attack.later.append((context, one))
    elif holds(game, context, condition):
        run(game, context, one.parts)


# ------------------------------------------------------------------ damage


def _waiting(game: Game, context: Context, player: Player) -> Pool:
    """The pool an answer acts on: the isolated source it names, or all that waits in this phase."""
    if context.pool is not None and context.pool.player is player:
        return context.pool
    return game.pool(player)


def hit(game: Game, context: Context, player: Player, amount: int, one_type: str, isolated: bool = False) -> None:
    attack = game.attack
    own = is_own_attack(game, context)
    to_target = own and attack is not None and player in attack.targets and one_type != "collateral"
    if own and attack is not None and attack.ultimate and one_type != "collateral":
        one_type = "ultimate"
    deal = Deal(amount, one_type, context.n, context.by, to_target, True)
    if context.kind == "upkeep":
        deal.by = None
    if isolated or not game.is_pooled:
        pool = Pool(player, "isolated" if isolated else "at-once")
        game.instances.append(pool)
    else:
        pool = game.pool(player)
    pool.deals.append(deal)


@effect("deal")
def deal(game: Game, context: Context, one: Effect) -> None:
    amount = amount_of(game, context, one)
    if amount is None:
        return
    whom = receivers(game, context, one, "holder" if context.kind == "upkeep" else "target")
    if whom is None:
        game.ask(context.n, "on", "ask_whom")
        return
    for player in whom:
        hit(game, context, player, amount, one.type, one.isolated)


@effect("deal_fraction_of_die")
def deal_fraction_of_die(game: Game, context: Context, one: Effect) -> None:
    value = one_die(game, context)
    whom = receivers(game, context, one, "target")
    if value is not None and whom:
        for player in whom:
            hit(game, context, player, ceil(value * one.amount), one.type)


def increase(game: Game, context: Context, amount: int) -> None:
    """Damage joins the Attack with the type of what it modifies (DT-ATK-05)."""
    attack = game.attack
    if attack is None or not amount:
        return
    context.added += amount
    own = is_own_attack(game, context)
    for player in attack.targets:
        pool = game.pool(player)
        kind = next((d.type for d in pool.deals if d.attack and game.edition.types[d.type].increased), None)
        if kind is None:
            if not own and any(d.attack for d in pool.deals):
                continue  # pure damage is not increased (DT-TYPE-12)
            kind = "ultimate" if attack.ultimate else "normal"
        pool.deals.append(Deal(amount, kind, context.n, attack.by, True, own))


@effect("add")
def add(game: Game, context: Context, one: Effect) -> None:
    amount = amount_of(game, context, one)
    if amount is not None:
        increase(game, context, amount)


@effect("add_die")
def add_die(game: Game, context: Context, one: Effect) -> None:
    dice = context.take_dice(one.amount or 1)
    if dice is None:
        game.ask(context.n, "dice", "ask_dice", n=one.amount or 1)
    else:
        increase(game, context, sum(dice))


@effect("add_fraction_of_die")
def add_fraction_of_die(game: Game, context: Context, one: Effect) -> None:
    value = one_die(game, context)
    if value is not None:
        increase(game, context, ceil(value * one.amount))


@effect("reduce")
def reduce(game: Game, context: Context, one: Effect) -> None:
    """A reduction that was used, not one that merely lies there: taken off the Attack of its user."""
    amount = amount_of(game, context, one)
    if amount is None or game.attack is None:
        return
    for player in game.attack.targets:
        game.pool(player).terms.append(Term(amount, context.n, context.source, ("DT-ATK-03",), True))


@effect("prevent")
def prevent(game: Game, context: Context, one: Effect) -> None:
    whom = receivers(game, context, one, "self") or []
    if one.amount == "all":
        for player in whom:
            _waiting(game, context, player).avoided = (context.n, context.source, context.rules)
        return
    amount = amount_of(game, context, one)
    if amount:
        for player in whom:
            _waiting(game, context, player).terms.append(Term(amount, context.n, context.source, ()))


@effect("prevent_fraction")
def prevent_fraction(game: Game, context: Context, one: Effect) -> None:
    for player in receivers(game, context, one, "self") or []:
        _waiting(game, context, player).fractions.append((one.amount, context.n, context.source))


@effect("return_fraction")
def return_fraction(game: Game, context: Context, one: Effect) -> None:
    _waiting(game, context, context.by).returns.append((one.amount, context.n, context.source))


@effect("avoid")
def avoid(game: Game, context: Context, one: Effect) -> None:
    for player in receivers(game, context, one, "self") or []:
        pool = _waiting(game, context, player)
        pool.avoided = (context.n, context.source, context.rules)
        sources = {d.n for d in pool.deals}
        if game.phase == "upkeep" and context.pool is None and len(sources) > 1:
            game.reading("J-02")


@effect("no_damage")
def no_damage(game: Game, context: Context, one: Effect) -> None:
    """Used rather than lying there: what its user's Offensive Roll Phase deals becomes 0."""
    for pool in game.pools.values():
        for each in pool.deals:
            if each.by is context.by:
                each.amount = 0


@effect("make_undefendable")
def make_undefendable(game: Game, context: Context, one: Effect) -> None:
    if game.attack is None:
        return
    for player in game.attack.targets:
        for each in game.pool(player).deals:
            if each.attack and each.type == "normal":
                each.type = "undefendable"


@effect("prevent_status")
def prevent_status(game: Game, context: Context, one: Effect) -> None:
    """Ward off one token that the current Attack put on you."""
    if game.attack is None:
        return
    mine = [s for player, s in game.attack.inflicted if player is context.by and s in player.statuses]
    wanted = context.next_choice()
    kinds = list(dict.fromkeys(mine))
    if wanted in kinds:
        kinds = [wanted]
    if len(kinds) == 1:
        tokens.remove(game, context.by, kinds[0], 1, context.n)
    elif kinds:
        game.ask(context.n, "choice", "ask_which_status", statuses=[Ref("status", s) for s in kinds])


# ------------------------------------------------------------------ health


@effect("heal")
def heal(game: Game, context: Context, one: Effect) -> None:
    amount = amount_of(game, context, one)
    if amount:
        for player in receivers(game, context, one, "self") or []:
            restore(game, context, player, amount)


@effect("heal_fraction_of_die")
def heal_fraction_of_die(game: Game, context: Context, one: Effect) -> None:
    value = one_die(game, context)
    if value is not None:
        restore(game, context, context.by, ceil(value * one.amount))


def restore(game: Game, context: Context, player: Player, amount: int) -> None:
    """Healing waits with the damage of its phase; elsewhere it is immediate, up to the cap (DT-HP-03)."""
    if game.is_pooled:
        game.pool(player).heals.append((amount, context.n))
        return
    health = min(game.health_of(player) + amount, max(game.cap, game.health_of(player)))
    game.lose(player, "health", game.health_of(player) + amount - health)
    _set_health(game, player, health)
    game.step("step_healed", ("DT-HP-03",), (context.n,), health, player=player.id, n=amount, health=health)


def _set_health(game: Game, player: Player, health: int) -> None:
    if game.is_team_game:
        game.teams[player.team or ""] = health
    else:
        player.health = health


@effect("set_health")
def set_health(game: Game, context: Context, one: Effect) -> None:
    if one.amount is not None:
        for player in receivers(game, context, one, "self") or []:
            _set_health(game, player, one.amount)


@effect("steal_health")
def steal_health(game: Game, context: Context, one: Effect) -> None:
    """The dials move at once: one down by what is there, the other up (DT-TXT-06)."""
    amount = amount_of(game, context, one)
    whom = receivers(game, context, one, "target")
    if amount is None or not whom:
        return
    victim, thief = whom[0], context.by
    taken = min(amount, game.health_of(victim))
    _set_health(game, victim, game.health_of(victim) - taken)
    room = max(game.cap - game.health_of(thief), 0)
    _set_health(game, thief, game.health_of(thief) + min(taken, room))
    game.lose(thief, "health", taken - room)
    game.step("step_stole_health", ("DT-TXT-06",), (context.n,), taken, player=thief.id, victim=victim.id, n=taken)
    settle_defeat(game)


# ------------------------------------------------------------------ CP and cards


@effect("gain_cp")
def gain_cp(game: Game, context: Context, one: Effect) -> None:
    amount = amount_of(game, context, one)
    if amount:
        for player in receivers(game, context, one, "self") or []:
            receive_cp(game, context, player, amount)


def receive_cp(game: Game, context: Context, player: Player, amount: int) -> None:
    gained = tokens.gain_cp(game, player, amount)
    game.step("step_gained_cp", ("DT-CP-02", *context.rules), (context.n,), gained, player=player.id, n=gained)


@effect("gain_cp_fraction_of_die")
def gain_cp_fraction_of_die(game: Game, context: Context, one: Effect) -> None:
    value = one_die(game, context)
    if value is not None:
        receive_cp(game, context, context.by, ceil(value * one.amount))


@effect("steal_cp")
def steal_cp(game: Game, context: Context, one: Effect) -> None:
    amount = amount_of(game, context, one)
    whom = receivers(game, context, one, "target")
    if amount is None:
        return
    if not whom:
        game.ask(context.n, "on", "ask_whom")
        return
    victim, thief = whom[0], context.by
    taken = min(amount, victim.cp)
    room = game.numbers.cp_cap - thief.cp
    if taken > room and game.reading("J-06") == "b":
        taken = room
    victim.cp -= taken
    gained = tokens.gain_cp(game, thief, taken)
    game.step("step_stole_cp", ("DT-TXT-06",), (context.n,), gained, player=thief.id, victim=victim.id, n=taken)


@effect("pay_cp")
def pay_cp(game: Game, context: Context, one: Effect) -> None:
    paid = context.by.cp if one.amount == "any" else one.amount or 0
    if one.amount == "any":
        wanted = context.next_choice()
        paid = min(wanted, paid) if isinstance(wanted, int) else 0
    paid = min(paid, context.by.cp)
    context.by.cp -= paid
    context.removed["cp"] = paid


@effect("draw")
def draw(game: Game, context: Context, one: Effect) -> None:
    amount = amount_of(game, context, one)
    if amount:
        for player in receivers(game, context, one, "self") or []:
            drawn = tokens.draw(game, player, amount)
            game.step("step_drew", context.rules, (context.n,), drawn, player=player.id, n=drawn)


@effect("discard")
def discard(game: Game, context: Context, one: Effect) -> None:
    whom = receivers(game, context, one, "target")
    if not whom:
        game.ask(context.n, "on", "ask_whom")
        return
    for player in whom:
        count = player.hand if one.amount == "all" else one.amount or 0
        gone = tokens.discard(player, count)
        game.step("step_discarded", (), (context.n,), gone, player=player.id, n=gone)


# ------------------------------------------------------------------ statuses


@effect("gain")
def gain(game: Game, context: Context, one: Effect) -> None:
    _place_on(game, context, one, receivers(game, context, one, "self"), None)


@effect("inflict")
def inflict(game: Game, context: Context, one: Effect) -> None:
    _place_on(game, context, one, receivers(game, context, one, "target"), context.by)


def _place_on(
    game: Game, context: Context, one: Effect, whom: list[Player] | None, inflicter: Player | None
) -> None:
    if whom is None:
        game.ask(context.n, "on", "ask_whom")
        return
    for player in whom:
        count = one.count
        if count == "max":
            limit = tokens.limit_of(game, player, one.status)
            count = (limit or 0) - player.statuses.get(one.status, 0)
        if one.per is not None:
            times = count_of(game, context, one.per)
            if times is None:
                continue
            count *= times
        if count > 0:
            tokens.place(game, player, one.status, count, context.n, inflicter)


def on_board(context: Context) -> bool:
    return context.kind in ("ability", "defence", "passive", "upkeep")


@effect("remove")
def remove(game: Game, context: Context, one: Effect) -> None:
    whom = _from_whom(game, context, one)
    if whom is None:
        game.ask(context.n, "on", "ask_whom")
        return
    for player in whom:
        if one.status in player.companions:
            _remove_companion(game, context, one, player)
        elif one.status == "all":
            for status_id in tokens.removable(game, player, context.by, on_board(context)):
                count = player.statuses[status_id]
                _count_removed(context, status_id, tokens.remove(game, player, status_id, count, context.n))
        elif one.status == "any":
            _remove_any(game, context, one, player)
        else:
            _remove_named(game, context, one, player)


def _from_whom(game: Game, context: Context, one: Effect) -> list[Player] | None:
    source = one.source or one.to
    if source == "any":
        return context.on or list(game.seats)
    if not source:
        return context.on or (context.targets if context.kind != "card" else None) or [context.by]
    return receivers(game, context, Effect("remove", to=source), source)


def _count_removed(context: Context, status_id: str, taken: int) -> None:
    context.removed[status_id] = context.removed.get(status_id, 0) + taken


def _remove_named(game: Game, context: Context, one: Effect, player: Player) -> None:
    if not tokens.may_be_removed(game, one.status, context.by, on_board(context)):
        return
    count = one.count
    if one.up_to is not None:
        count = _how_many(game, context, one, player.statuses.get(one.status, 0))
    taken = tokens.remove(game, player, one.status, count, context.n)
    _count_removed(context, one.status, taken)
    if not taken and count:
        game.fizzled = True


def _how_many(game: Game, context: Context, one: Effect, there: int) -> int:
    most = there if one.up_to == "any" else min(there, one.up_to)
    wanted = context.next_choice()
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        return min(wanted, most)
    if most:
        game.ask(context.n, "choice", "ask_how_many", n=most)
    return 0


def _remove_any(game: Game, context: Context, one: Effect, player: Player) -> None:
    """The holder's only kind of token; several kinds wait for a choice."""
    kinds = tokens.removable(game, player, context.by, on_board(context))
    wanted = context.next_choice()
    if wanted in kinds:
        kinds = [wanted]
    count = one.count if one.up_to is None else one.up_to
    if not kinds:
        game.fizzled = True
    elif len(kinds) == 1:
        _count_removed(context, kinds[0], tokens.remove(game, player, kinds[0], count, context.n))
    else:
        _wait_for_status(game, context, player, kinds, lambda kind: tokens.remove(game, player, kind, count, context.n))


def _wait_for_status(
    game: Game, context: Context, player: Player, kinds: list[str], act: Callable[[str], Any]
) -> None:
    def settle(event: Event, value: Any) -> Fault | None:
        if value not in kinds:
            return Message("choice_not_offered", options=[Ref("status", k) for k in kinds]), ()
        act(value)
        return None

    game.pending.append(Pending(context.n, frozenset((context.by.id,)), "status", settle))


def _remove_companion(game: Game, context: Context, one: Effect, player: Player) -> None:
    there = player.companions.get(one.status, 0)
    count = min(one.count, there) if one.up_to is None else _how_many(game, context, one, there)
    player.companions[one.status] = there - count
    _count_removed(context, one.status, count)


@effect("transfer")
def transfer(game: Game, context: Context, one: Effect) -> None:
    """`on: [from, to]`; a status passes itself on from its holder to the one named."""
    if context.kind == "upkeep" and context.source is not None:
        giver, takers = context.holder, context.on
    elif len(context.on) == 2:
        giver, takers = context.on[0], context.on[1:]
    else:
        game.ask(context.n, "on", "ask_from_to")
        return
    if not takers:
        game.ask(context.n, "on", "ask_whom")
        return
    taker = takers[0]
    kinds = tokens.removable(game, giver, context.by, on_board(context)) if one.status == "any" else [one.status]
    wanted = context.next_choice()
    if wanted in kinds:
        kinds = [wanted]
    kinds = [kind for kind in kinds if kind in giver.statuses]
    if not kinds:
        game.fizzled = True
    elif len(kinds) == 1:
        move(game, context, giver, taker, kinds[0])
    else:
        _wait_for_status(game, context, giver, kinds, lambda kind: move(game, context, giver, taker, kind))


def move(game: Game, context: Context, giver: Player, taker: Player, status_id: str) -> None:
    limit = tokens.limit_of(game, taker, status_id)
    status = game.statuses.get(status_id)
    is_full = limit is not None and taker.statuses.get(status_id, 0) >= limit
    if is_full and not (status is not None and status.explosion) and game.reading("J-08") == "a":
        return  # strict: the token stays where it is
    tokens.take(giver, status_id, 1)
    game.step(
        "step_moved", ("DT-STAT-10",), (context.n,), 1, player=giver.id, to=taker.id, status=Ref("status", status_id)
    )
    tokens.place(game, taker, status_id, 1, context.n)


@effect("raise_limit")
def raise_limit(game: Game, context: Context, one: Effect) -> None:
    for player in receivers(game, context, one, "self") or []:
        limit = tokens.limit_of(game, player, one.status)
        if limit is not None:
            player.limits[one.status] = limit + one.count
            game.step("step_limit_raised", ("DT-STAT-04",), (context.n,), limit + one.count, player=player.id, status=Ref("status", one.status), n=limit + one.count)  # fmt: skip


@effect("explode")
def explode(game: Game, context: Context, one: Effect) -> None:
    tokens.explode(game, context.holder, one.status, context.n)


@effect("grow")
def grow(game: Game, context: Context, one: Effect) -> None:
    """Companions grow step by step, as far as all their stages reach."""
    amount = amount_of(game, context, one)
    hero = context.by.hero
    if amount is None or hero is None:
        return
    for companion in hero.companions.values():
        there = context.by.companions.get(companion.id, 0) + amount
        context.by.companions[companion.id] = there if companion.limit is None else min(there, companion.limit)


@effect("flip")
def flip(game: Game, context: Context, one: Effect) -> None:
    context.by.side = one.status
    game.step("step_flipped", context.rules, (context.n,), None, player=context.by.id, side=one.status)


# ------------------------------------------------------------------ dice, phases, actions


@effect("roll")
def roll(game: Game, context: Context, one: Effect) -> None:
    """"On" gives its benefit once, "each" once per die (DT-TXT-02, DT-TXT-03)."""
    dice = context.take_dice(one.amount)
    if dice is None:
        game.ask(context.n, "dice", "ask_dice", n=one.amount)
        return
    context.total = sum(dice)
    shown = game.symbols(context.by, dice)
    matched = False
    for face, effects in one.each:
        times = _face_count(face, dice, shown)
        matched = matched or times > 0
        for _ in range(times):
            run(game, context, effects)
    for face, effects in one.on:
        if face == "other":
            continue
        if _face_count(face, dice, shown):
            matched = True
            run(game, context, effects)
    if not matched:
        for face, effects in one.on:
            if face == "other":
                run(game, context, effects)


def _face_count(face: str, dice: list[int], shown: dict[str, int]) -> int:
    """How many dice show a symbol, a number `6` or a range `1-2`."""
    low, _, high = face.partition("-")
    if low.isdigit() and (not high or high.isdigit()):
        return sum(1 for value in dice if int(low) <= value <= int(high or low))
    return shown.get(face, 0)


@effect("duel")
def duel(game: Game, context: Context, one: Effect) -> None:
    dice = context.take_dice(2)
    if dice is None:
        game.ask(context.n, "dice", "ask_dice", n=2)
        return
    own, other = dice
    branches = dict(one.on)
    if ("if_higher" in branches and own > other) or ("if_higher_or_equal" in branches and own >= other):
        chosen = branches.get("if_higher", branches.get("if_higher_or_equal", ()))
    else:
        chosen = branches.get("otherwise", ())
    game.step("step_duel", ("DT-DICE-02",), (context.n,), own, player=context.by.id, own=own, other=other)
    run(game, context, chosen)


@effect("extra_roll_attempt")
def extra_roll_attempt(game: Game, context: Context, one: Effect) -> None:
    for player in receivers(game, context, one, "self") or []:
        if one.status == "defensive-roll":
            game.extra_defence.add(player.id)
        elif player is game.active:
            game.extra_attempts += 1


@effect("skip_phase")
def skip_phase(game: Game, context: Context, one: Effect) -> None:
    if context.source is not None:
        game.skipped[one.status] = context.source.id


@effect("choose")
def choose(game: Game, context: Context, one: Effect) -> None:
    """"Or": only one of the options (DT-TXT-05)."""
    wanted = context.next_choice()
    if isinstance(wanted, int) and 1 <= wanted <= len(one.options):
        run(game, context, one.options[wanted - 1])
        return

    def settle(event: Event, value: Any) -> Fault | None:
        if not isinstance(value, int) or not 1 <= value <= len(one.options):
            return Message("choice_out_of_range", n=len(one.options)), ("DT-TXT-05",)
        run(game, context, one.options[value - 1])
        return None

    game.pending.append(Pending(context.n, frozenset((context.by.id,)), "option", settle))


@effect("may")
def may(game: Game, context: Context, one: Effect) -> None:
    """Optional: done if the event's choice says so, or a later `choose` does."""
    wanted = context.next_choice()
    passes_on = any(part.op == "transfer" for part in one.parts)
    if wanted is None and passes_on and context.on:
        wanted = 1  # naming the receiver is the choice
    if wanted is not None:
        if wanted not in (0, False, "no"):
            context.choices.insert(0, wanted)
            run(game, context, one.parts)
        return

    def settle(event: Event, value: Any) -> Fault | None:
        if value not in (0, False, "no"):
            context.choices.insert(0, value)
            context.on = context.on or [game.players[p] for p in event.on]
            run(game, context, one.parts)
        return None

    game.pending.append(Pending(context.n, frozenset((context.by.id,)), "may", settle, optional=True))


@effect("then")
def then(game: Game, context: Context, one: Effect) -> None:
    run(game, context, one.parts)


EFFECTS["additionally"] = then


def _by_the_player(game: Game, context: Context, one: Effect) -> None:
    """Nothing to do here: dice are altered by the event's `changes`, locks and extra phases by who holds the token."""


for _word in ("change_die", "reroll", "lock_actions", "extra_phase"):
    EFFECTS[_word] = _by_the_player


def flat(effects: Effects | None) -> Iterable[Effect]:
    """Every effect of a list, with those inside it."""
    for one in effects or ():
        yield one
        yield from flat(one.parts)
        for option in one.options:
            yield from flat(option)
        for _, inner in (*one.on, *one.each):
            yield from flat(inner)

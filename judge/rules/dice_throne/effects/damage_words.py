"""Effects on damage and health."""

from __future__ import annotations

from math import ceil

from judge.core.messages import Ref
from judge.rules.catalog import Condition, Effect, Status
from judge.rules.dice_throne.effects.numbers import amount_of, one_die, take
from judge.rules.dice_throne.effects.vocabulary import Shape, Trait, effect_word
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.context import Context, reached, receivers
from judge.rules.dice_throne.state.model import Attack, Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.pools import Deal, Pool, Term
from judge.rules.dice_throne.sum.dials import saved, settle_defeat
from judge.rules.dice_throne.verbs.legality import (
    awaits_backlash,
    awaits_damage,
    has_damage,
    surely_due,
)

_DAMAGE_AMOUNTS = {"sum-of-dice": "fx_amount_sum_of_dice", "own-cp": "fx_amount_own_cp"}
_DAMAGE = "fx_unknown_damage"
_DEALT = Condition("dealt_at_least", 1)
_FROM_DIE = (Trait.BY_DICE, Trait.ONE_DIE)


def _waiting(game: Game, context: Context, player: Player) -> Pool:
    """The pool an answer acts on: the isolated source it names, or all pending damage of this phase."""
    if context.pool is not None and context.pool.player is player:
        return context.pool
    attack = game.attack
    if attack is not None and attack.later and awaits_backlash(game, player):
        game.rest_on("J-26")
    pool = game.pools.get(player.id)
    if pool is not None and has_damage(pool):
        return pool
    if context.kind in ("ability", "defence") or awaits_damage(game, player):
        return game.pool(player)
    return _too_early(game, player)


def _too_early(game: Game, player: Player) -> Pool:
    """Where a prevention goes that was used before any damage waits: it is used up, or waits (J-23)."""
    is_waiting = game.reading("J-23") == "b" and (game.is_pooled or game.phase is None)
    game.note("waits_for_damage" if is_waiting else "nothing_to_prevent", player=player.id)
    game.fizzled = not is_waiting
    return game.pool(player) if is_waiting else Pool(player)


def hit(
    game: Game,
    context: Context,
    player: Player,
    amount: int,
    one_type: str,
    isolated: bool = False,
    is_fixed: bool = False,
) -> None:
    if player.dead:
        return
    attack = game.attack
    if attack is None or context.kind != "ability" or attack.by is not context.by:
        # damage outside an Attack has no type: it can only be avoided or prevented
        deal = Deal(amount, "normal", context.n, context.by, False, True)
    elif game.edition.types[one_type].special_targeting:
        deal = Deal(amount, one_type, context.n, context.by, False, True)
    else:
        kind = "ultimate" if attack.ultimate else one_type
        deal = Deal(amount, kind, context.n, context.by, player in attack.targets, True)
    deal.is_fixed = is_fixed
    if context.kind == "upkeep":
        deal.by, deal.source = None, context.source
    if attack is not None and not isolated:
        game.pool(player).deals.append(deal)
    else:
        _pool_for(game, context, player, isolated).deals.append(deal)


def _pool_for(game: Game, context: Context, player: Player, isolated: bool) -> Pool:
    """Where damage waits: with the rest of the phase, with what the same text deals at once, or alone."""
    if game.is_pooled and not isolated:
        return game.pool(player)
    for pool in game.instances if not isolated else ():
        if pool.when == "at-once" and pool.player is player and pool.deals[0].n == context.n:
            return pool
    pool = Pool(player, "isolated" if isolated else "at-once")
    game.instances.append(pool)
    return pool


@effect_word(
    "deal",
    Shape.NUMBER,
    options=("to", "per", "fraction", "max", "type", "isolated", "unpreventable"),
    traits=(Trait.DAMAGE, Trait.COUNTED),
    amounts=_DAMAGE_AMOUNTS,
    unknown=_DAMAGE,
)
def deal(game: Game, context: Context, effect: Effect) -> None:
    amount = amount_of(game, context, effect)
    if amount is None:
        return
    whom = receivers(
        game, context, effect, "holder" if context.kind == "upkeep" and not effect.to else "target"
    )
    if whom is None:
        game.ask(context.n, "on", "ask_whom")
        return
    for player in whom:
        hit(game, context, player, amount, effect.type, effect.isolated, effect.unpreventable)


@effect_word(
    "deal_fraction_of_die", Shape.FRACTION, options=("to", "type"), traits=(Trait.DAMAGE, *_FROM_DIE)
)
def deal_fraction_of_die(game: Game, context: Context, effect: Effect) -> None:
    value = one_die(game, context)
    whom = reached(game, context, effect, "target")
    if value is not None:
        for player in whom:
            hit(game, context, player, ceil(value * effect.amount), effect.type)


def increase(game: Game, context: Context, amount: int) -> None:
    """Add damage to the Attack, with the type of the damage it modifies (DT-ATK-05)."""
    attack = game.attack
    if attack is None or not amount:
        return
    context.added += amount
    if context.by is not attack.by and game.is_opponent(context.by, attack.by):
        _add_to_answer(game, context, amount)
        return
    own = context.kind == "ability" and attack.by is context.by
    for player in attack.targets:
        pool = game.pool(player)
        kind = _added_type(game, attack, pool)
        if not own and not game.edition.types[kind].increased and not _joins(game, context):
            continue  # pure damage cannot be increased (DT-TYPE-12)
        added = Deal(amount, kind, context.n, attack.by, True, own)
        if context.kind == "provoked":
            added.source = context.source
        pool.deals.append(added)


def _added_type(game: Game, attack: Attack, pool: Pool) -> str:
    """The type of damage added to an Attack: that of damage in it which can be increased, else its own."""
    types, first = game.edition.types, ""
    for deal in pool.deals:
        if deal.attack:
            if types[deal.type].increased:
                return deal.type
            first = first or deal.type
    return first or _type_of_the_text(game, attack)


def _type_of_the_text(game: Game, attack: Attack) -> str:
    types = game.edition.types
    kinds = [kind for kind in sorted(attack.types) if not types[kind].special_targeting]
    growing = [kind for kind in kinds if types[kind].increased]
    return (growing or kinds or ["ultimate" if attack.ultimate else "normal"])[0]


def _joins(game: Game, context: Context) -> bool:
    """Whether what acts by itself adds to damage that no Attack Modifier raises (J-31)."""
    return context.kind == "passive" and game.reading("J-31") == "b"


def _add_to_answer(game: Game, context: Context, amount: int) -> None:
    """A Defender modifies no Attack (DT-ATK-06); a defence may add to the damage that it deals itself."""
    for pool in game.pools.values():
        for each in pool.deals:
            if context.kind == "defence" and each.n == context.n and each.by is context.by:
                pool.deals.append(Deal(amount, each.type, context.n, context.by, False, True))
                return
    game.fizzled = True
    game.note("no_modifier_by_defender", player=context.by.id)


@effect_word(
    "add",
    Shape.NUMBER,
    options=("per", "fraction", "max"),
    traits=(Trait.INCREASE, Trait.NEEDS_TARGET, Trait.COUNTED),
    amounts=_DAMAGE_AMOUNTS,
    unknown=_DAMAGE,
)
def add(game: Game, context: Context, effect: Effect) -> None:
    amount = amount_of(game, context, effect)
    if amount is not None:
        increase(game, context, amount)


@effect_word("add_die", Shape.NUMBER, options=("best_of",), traits=(Trait.INCREASE, Trait.ONE_DIE))
def add_die(game: Game, context: Context, effect: Effect) -> None:
    count = effect.amount or 1
    dice = take(game, context, max(effect.best_of or 0, count))
    if dice is not None:
        increase(game, context, sum(sorted(dice)[-count:]))


@effect_word("add_fraction_of_die", Shape.FRACTION, traits=(Trait.INCREASE, *_FROM_DIE))
def add_fraction_of_die(game: Game, context: Context, effect: Effect) -> None:
    value = one_die(game, context)
    if value is not None:
        increase(game, context, ceil(value * effect.amount))


@effect_word(
    "prevent",
    Shape.NUMBER,
    options=("to", "per", "max"),
    traits=(Trait.DEFENSIVE, Trait.COUNTED),
    amounts={"all": "fx_amount_all"},
    unknown=_DAMAGE,
    becomes={"status": "prevent_status", "one-incoming-status": "prevent_status"},
)
def prevent(game: Game, context: Context, effect: Effect) -> None:
    whom = reached(game, context, effect, "self")
    if effect.amount == "all":
        for player in whom:
            _waiting(game, context, player).avoided = (context.n, context.source, context.rules)
        return
    amount = amount_of(game, context, effect)
    if amount:
        for player in whom:
            _waiting(game, context, player).terms.append(Term(amount, context.n, context.source, ()))


@effect_word("reduce", Shape.NUMBER, options=("per", "max"), traits=(Trait.COUNTED,))
def reduce(game: Game, context: Context, effect: Effect) -> None:
    """A reduction that was used (not a status with a standing one): taken off its user's Attack."""
    amount = amount_of(game, context, effect)
    if amount is None or game.attack is None:
        return
    for player in game.attack.targets:
        game.pool(player).terms.append(Term(amount, context.n, context.source, ("DT-ATK-03",), True))


@effect_word("prevent_fraction", Shape.FRACTION, options=("to",), traits=(Trait.DEFENSIVE,))
def prevent_fraction(game: Game, context: Context, effect: Effect) -> None:
    for player in reached(game, context, effect, "self"):
        _waiting(game, context, player).fractions.append((effect.amount, context.n, context.source))


@effect_word("return_fraction", Shape.FRACTION, traits=(Trait.DEFENSIVE,))
def return_fraction(game: Game, context: Context, effect: Effect) -> None:
    _waiting(game, context, context.by).returns.append((effect.amount, context.n, context.source))


@effect_word(
    "avoid", Shape.NUMBER, options=("to",), traits=(Trait.DEFENSIVE,), amounts={"all": "fx_amount_all"}
)
def avoid(game: Game, context: Context, effect: Effect) -> None:
    for player in reached(game, context, effect, "self"):
        pool = _waiting(game, context, player)
        if game.phase == "upkeep" and context.pool is None:
            tokens_there = [token for d in pool.deals for token in _per_token(game, player, d) if token]
            for status in surely_due(game, player):
                tokens_there += _due_tokens(player, status)
            if len(tokens_there) > 1 and game.reading("J-02") == "b":
                most = max(tokens_there)
                pool.terms.append(Term(most, context.n, context.source, ("DT-DMG-08", *context.rules)))
                continue
        pool.avoided = (context.n, context.source, context.rules)


def _due_tokens(player: Player, status: Status) -> list[int]:
    """The damage of each single token of a status that nobody has resolved in this Upkeep yet; those that
    somebody else holds count as one."""
    dealt = [each for each in status.effects or () if each.op == "deal" and isinstance(each.amount, int)]
    held = player.statuses.get(status.id, 1)
    return [each.amount for each in dealt for _ in range(held if each.per else 1)]


def _per_token(game: Game, holder: Player, deal: Deal) -> list[int]:
    """The damage of each single token behind this Upkeep damage: three Poison are three tokens (J-02)."""
    status = game.statuses.get(deal.source.id) if deal.source is not None else None
    if status is None:
        return [deal.amount]
    counts = any(
        effect.op == "deal" and effect.per == ("status", status.id) for effect in status.effects or ()
    )
    held = holder.statuses.get(status.id, 0) if counts else 1
    return [deal.amount // held] * held if held else [deal.amount]


@effect_word("no_damage", Shape.TRUTH)
def no_damage(game: Game, context: Context, effect: Effect) -> None:
    """When used (not as a standing status): its user's Offensive Roll Phase deals 0."""
    for pool in game.pools.values():
        for each in pool.deals:
            if each.by is context.by:
                each.amount = 0


@effect_word("multiply_damage", Shape.FRACTION, traits=(Trait.NEEDS_TARGET,))
def multiply_damage(game: Game, context: Context, effect: Effect) -> None:
    """All damage that its user's Roll Phase deals, times a number, computed last (DT-DMG-03, DT-DMG-04)."""
    for player in game.opponents(context.by):
        game.pool(player).multipliers += ((effect.amount, context.n, context.source),)


@effect_word("make_undefendable", Shape.TRUTH, traits=(Trait.NEEDS_TARGET,))
def make_undefendable(game: Game, context: Context, effect: Effect) -> None:
    if game.attack is None:
        game.fizzled = True
        return
    for player in game.attack.targets:
        for each in game.pool(player).deals:
            if each.attack and each.type == "normal":
                each.type = "undefendable"


@effect_word("prevent_status", Shape.NUMBER)
def prevent_status(game: Game, context: Context, effect: Effect) -> None:
    """Prevent one token that the current Attack put on the player."""
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


@effect_word(
    "heal",
    Shape.NUMBER,
    options=("to", "per", "fraction", "max"),
    traits=(Trait.COUNTED,),
    rules=("DT-HP-03",),
    amounts={"damage-dealt": "fx_amount_damage_dealt"},
)
def heal(game: Game, context: Context, effect: Effect) -> None:
    if effect.amount == "damage-dealt" and context.dealt is None:
        if game.attack is not None:  # known only once the damage is computed
            game.attack.later += ((context, Effect("if", condition=_DEALT, parts=(effect,))),)
        return
    amount = amount_of(game, context, effect)
    if amount:
        for player in reached(game, context, effect, "self"):
            restore(game, context, player, amount)


@effect_word("heal_fraction_of_die", Shape.FRACTION, traits=_FROM_DIE)
def heal_fraction_of_die(game: Game, context: Context, effect: Effect) -> None:
    value = one_die(game, context)
    if value is not None:
        restore(game, context, context.by, ceil(value * effect.amount))


def restore(game: Game, context: Context, player: Player, amount: int) -> None:
    """Heal: together with the phase's pending damage, elsewhere at once, up to the cap (DT-HP-03)."""
    if player.dead:
        return
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


@effect_word("set_health", Shape.NUMBER, options=("to",))
def set_health(game: Game, context: Context, effect: Effect) -> None:
    if effect.amount is not None:
        for player in reached(game, context, effect, "self"):
            if not player.dead:  # the defeated are not brought back
                _set_health(game, player, effect.amount)
        settle_defeat(game)


def _is_falling(game: Game, player: Player) -> bool:
    """Whether the damage that waits for a player would defeat them."""
    pool = game.pools.get(player.id)
    return pool is not None and sum(deal.amount for deal in pool.deals) >= game.health_of(player)


@effect_word(
    "steal_health",
    Shape.NUMBER,
    options=("to", "from", "per", "max"),
    traits=(Trait.NEEDS_TARGET, Trait.AGAINST_TARGET),
    rules=("DT-TXT-06",),
)
def steal_health(game: Game, context: Context, effect: Effect) -> None:
    """Move both dials at once: one down by at most what is left, the other up by as much (DT-TXT-06)."""
    amount = amount_of(game, context, effect)
    whom = reached(game, context, effect, effect.source or "target")
    if amount is None or not whom:
        return
    for victim in whom:
        if victim is not context.by:
            _steal_health_from(game, context, victim, amount)


def _steal_health_from(game: Game, context: Context, victim: Player, amount: int) -> None:
    thief = context.by
    if (victim.dead or thief.dead) and game.reading("J-21") == "a":
        game.fizzled = True
        return
    taken = min(amount, game.health_of(victim))
    left = game.health_of(victim) - taken
    if game.is_pooled and (left <= 0 or _is_falling(game, thief)) and game.reading("J-18") == "b":
        _steal_at_the_conclusion(game, context, victim, taken)
    else:
        _steal_now(game, context, victim, taken)


def _steal_at_the_conclusion(game: Game, context: Context, victim: Player, taken: int) -> None:
    pool = game.pool(victim)
    pool.deals.append(Deal(taken, "normal", context.n, context.by, False, True))
    pool.deals[-1].firm = True
    game.pool(context.by).heals.append((taken, context.n))


def _steal_now(game: Game, context: Context, victim: Player, taken: int) -> None:
    thief, left = context.by, game.health_of(victim) - taken
    if left <= 0:
        mates = [victim, *game.mates(victim)]
        left = saved(game, mates, False) or left
    _set_health(game, victim, left)
    room = max(game.cap - game.health_of(thief), 0)
    _set_health(game, thief, game.health_of(thief) + min(taken, room))
    game.lose(thief, "health", taken - room)
    game.step(
        "step_stole_health", ("DT-TXT-06",), (context.n,), taken, player=thief.id, victim=victim.id, n=taken
    )
    settle_defeat(game)

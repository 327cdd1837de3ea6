"""Computes the final damage total (rules DT-DMG): incoming, Subtotal, fractions, floor and returns.

Everything a phase collected is computed once, when it concludes, so the order of use cannot matter.
"""

from __future__ import annotations

from operator import attrgetter

from judge.core.messages import Ref
from judge.rules.catalog import Effect, Status
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Attack, Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.pools import Deal, Pool, Term
from judge.rules.dice_throne.state.table import Label
from judge.rules.dice_throne.sum.dials import Total, apply

_BY_FRACTIONS = ("DT-DMG-03", "DT-DMG-04", "DT-DMG-05")
_BY_RETURN = ("DT-RET-01", "DT-RET-02", "DT-DMG-05")
_seat_of = attrgetter("pool.player.seat")
_OF_AN_ATTACK = frozenset(("roll-phase", "isolated"))


def conclude(game: Game, pools: list[Pool], when: str) -> None:
    """Compute the pools, apply them together (DT-DRP-07, DT-UPK-03) and record the resolution."""
    if when == "roll-phase" and game.active is not None and game.active.statuses:
        _let_statuses_deal(game, game.active, pools)
    pools = _with_something(pools)
    if not pools:
        return
    if len(pools) > 1:  # players who return damage first: the attacker's pool receives it (DT-RET-04)
        pools.sort(key=_returning_first)
    totals: list[Total] = []
    for pool in pools:  # a return lengthens the list while it is worked through
        totals.append(_work_out(game, pool, pools, when))
    if when == "roll-phase" and game.attack is not None and game.attack.later:
        totals = _after_the_damage(game, pools, totals)
    if len(totals) > 1:
        totals.sort(key=_seat_of)
    _record(game, totals, when)
    apply(game, totals, when)


def _with_something(pools: list[Pool]) -> list[Pool]:
    """The pools that hold something. The defeated are out: nothing hurts them, nothing heals them back."""
    return [pool for pool in pools if (pool.deals or pool.heals) and not pool.player.dead]


def _record(game: Game, totals: list[Total], when: str) -> None:
    """Keep what later texts and claims ask for."""
    if game.is_team_game:
        _name_those_hit_together(game, totals)
    if game.table.claims:  # in a long game the recorded pools would take more memory than the game
        game.worked.append((when, totals))
    if when == "roll-phase" and game.attack is not None and game.attack.is_attack:
        _remember_the_damaged(game, game.attack, totals)


def _name_those_hit_together(game: Game, totals: list[Total]) -> None:
    hit = [pool.player for pool in game.pools.values() if pool.deals]
    for total in totals:
        total.hit_together = hit


def _returning_first(pool: Pool) -> tuple[bool, int]:
    return not pool.returns, pool.player.seat


def _remember_the_damaged(game: Game, attack: Attack, totals: list[Total]) -> None:
    for total in totals:
        if total.final and total.pool.player in attack.targets:
            player = total.pool.player
            game.damaged.append((attack.by, dict(player.statuses), attack.held.get(player.id, {})))


def _work_out(game: Game, pool: Pool, pools: list[Pool], when: str) -> Total:
    """The three steps for one player."""
    attack = game.attack
    total = Total(game.table, pool, when, attack)
    if attack is not None and when in _OF_AN_ATTACK:
        if attack.by.statuses:
            _bar_damage(game, pool)
        if pool.avoided is None and pool.player.statuses:
            pool.avoided = _standing_avoidance(game, pool, total)
    left = _subtotal(game, total)
    if pool.fractions:
        left -= _fractions(game, total)
    if pool.multipliers:
        left += _multiplied(game, total)
    total.final = _final(game, pool, total, left)
    if pool.passed_on is not None:
        total.final = _pass_on(game, pool, total)
    if pool.returns:
        _return(game, pool, pools, total, when)
    if pool.heals:
        total.healed = sum(amount for amount, _ in pool.heals)
    return total


def _subtotal(game: Game, total: Total) -> int:
    """Steps 1 and 2: what reaches the player, with every specific number added and taken off."""
    attack, pool = total.attack, total.pool
    subtotal = _dealt(game, total)
    if attack is not None and total.when == "roll-phase":
        if attack.by.statuses:
            total.terms = total.terms + _reductions(game, pool, total.locked)
        if attack.defences and total.terms:
            total.terms = _with_what_defends(game, attack, pool, total.terms)
    if total.terms:
        subtotal = _lowered(game, total, subtotal)
    if total.locked and subtotal < total.locked:  # DT-ULT-03: nothing lowers ultimate damage
        subtotal = total.locked
    total.subtotal = subtotal
    values = (pool.player.id, subtotal)
    game.steps.append(("step_subtotal", ("player", "n"), values, ("DT-DMG-02",), (), subtotal))
    return subtotal


def _with_what_defends(game: Game, attack: Attack, pool: Pool, terms: list[Term]) -> list[Term]:
    """The terms, those of a defence limited to the defendable part where that reading is followed (J-25)."""
    defendable = _defendable_part(game, pool)
    if defendable is None:
        return terms
    prevented = sum(term.amount for term in terms if term.n in attack.defences)
    if prevented <= defendable or game.reading("J-25") == "a":
        return terms
    limited = []
    for term in terms:
        if term.n in attack.defences:
            amount = min(term.amount, defendable)
            defendable -= amount
            term = Term(amount, term.n, term.source, term.rules, term.reduction)
        limited.append(term)
    return limited


def _defendable_part(game: Game, pool: Pool) -> int | None:
    """How much of an Attack can be defended against, if that is a part of it only."""
    types = game.edition.types
    for deal in pool.deals:
        if not types[deal.type].defendable:
            break
    else:
        return None
    whole = defendable = 0
    for deal in pool.deals:
        kind = types[deal.type]
        if deal.attack and kind.avoidable:
            whole += deal.amount
            defendable += deal.amount if kind.defendable else 0
    return defendable if 0 < defendable < whole else None


def _dealt(game: Game, total: Total) -> int:
    """Step 1: the damage that reaches the player; what is ultimate can no longer be lowered. Then what was
    added to the Attack, one line for each event that added something."""
    types = game.edition.types
    sources: tuple[Label, ...] = ()
    added_by: dict[Label, int] = {}
    incoming = 0
    for deal in total.pool.deals:
        amount = deal.amount
        if deal.own:
            incoming += amount
            if deal.n not in sources:
                sources += (deal.n,)
        elif amount:
            added_by[deal.n] = added_by.get(deal.n, 0) + amount
        if deal.firm or deal.is_fixed or not types[deal.type].avoidable:
            total.locked += amount
            total.avoidable += amount if deal.is_fixed and types[deal.type].avoidable else 0
    total.incoming = incoming
    values = (total.pool.player.id, incoming)
    game.steps.append(("step_incoming", ("player", "n"), values, ("DT-DMG-01",), sources, incoming))
    for n, amount in added_by.items():
        incoming += amount
        rules = ("DT-DMG-02", "DT-ATK-05")
        game.steps.append(("step_added", ("n", "now"), (amount, incoming), rules, (n,), amount))
    return incoming


def _lowered(game: Game, total: Total, subtotal: int) -> int:
    """Step 2: specific numbers that are prevented, or that the attacker's own statuses take off."""
    for term in total.terms:
        subtotal -= term.amount
        key, values = "step_reduced" if term.reduction else "step_prevented", (term.amount, subtotal)
        rules = ("DT-DMG-02", *term.rules)
        game.steps.append((key, ("n", "now"), values, rules, (term.n,), -term.amount))
    return subtotal


def _fractions(game: Game, total: Total) -> int:
    """Step 3: every fraction of the Subtotal, each rounded up (DT-DMG-05)."""
    base = max(total.subtotal - total.locked, 0)
    rules = (*_BY_FRACTIONS, "DT-DMG-07") if total.is_order_irrelevant else _BY_FRACTIONS
    for share, n, _ in total.pool.fractions:
        over, under = share.as_integer_ratio()
        part = -(-base * over // under)
        total.fractions.append(part)
        values = (share, base, part)
        game.steps.append(("step_fraction", ("share", "of", "n"), values, rules, (n,), part))
    return sum(total.fractions)


def _multiplied(game: Game, total: Total) -> int:
    """Step 3 as well: what multipliers add to the Subtotal or take off it (DT-DMG-03, DT-DMG-04)."""
    change = 0
    for times, n, _ in total.pool.multipliers:
        over, under = times.as_integer_ratio()
        base = max(total.subtotal - total.locked, 0) if times < 1 else max(total.subtotal, 0)
        product = -(-base * over // under)
        if times < 1 and base * over % under and game.reading("J-32") == "b":
            total.rounds_off, product = True, base * over // under
        change += product - base
        values = (f"{over}/{under}" if under > 1 else str(over), base, product)
        game.steps.append(("step_multiplied", ("times", "of", "n"), values, _BY_FRACTIONS, (n,), product))
    return change


def _pass_on(game: Game, pool: Pool, total: Total) -> int:
    """A companion takes the damage, or as much of it as was chosen; the rest is its player's."""
    from judge.rules.dice_throne.effects.companion_words import hurt

    assert pool.passed_on is not None
    name, wanted = pool.passed_on
    taken = total.final if wanted is None else min(wanted, total.final)
    game.step(
        "step_passed_on", ("DT-COMP-01",), (), taken,
        player=pool.player.id, companion=Ref("status", name), n=taken,
    )  # fmt: skip
    hurt(game, pool.player, name, taken, 0)
    pool.passed_on = (name, taken)
    return total.final - taken


def _bar_damage(game: Game, pool: Pool) -> None:
    """Set damage to 0 for a player who may deal none in their Offensive Roll Phase, except by Ultimates
    (DT-ULT-04)."""
    attack = game.attack
    assert attack is not None
    if attack.ultimate or not attack.by.statuses:
        return
    status = _bars_damage(game, attack.by)
    if status is None:
        return
    name = Ref("status", status.id)
    for deal in pool.deals:
        if deal.by is attack.by and deal.amount:
            game.step(
                "step_no_damage", status.rules, (deal.n,), 0, player=deal.by.id, status=name, n=deal.amount
            )
            deal.amount = 0


def _bars_damage(game: Game, player: Player) -> Status | None:
    return next((each for each in tokens.held(game, player, "dealing") if "no_damage" in each.words), None)


def _reductions(game: Game, pool: Pool, locked: int) -> list[Term]:
    """What the attacker's own statuses subtract (Wither), by the edition's type table."""
    attack = game.attack
    assert attack is not None
    dealer = attack.by
    if not dealer.statuses or attack.ultimate or pool.player is dealer:
        return []
    result: list[Term] = []
    for status in tokens.held(game, dealer, "dealing"):
        game.is_reduced = True
        only_attacks = status.is_modifier(game.edition)  # DT-ATK-06
        is_used_up = "remove" in status.words  # by what it subtracts, one token for each point
        amount = _reducible(game, pool, _reduction(dealer, status, is_used_up), only_attacks)
        if is_used_up:
            amount = min(amount, sum(deal.amount for deal in pool.deals if deal.by is dealer))
        if amount:
            result.append(Term(amount, attack.n, Ref("status", status.id), status.rules, True))
            if is_used_up:
                tokens.take(dealer, status.id, amount)
    return result


def _reduction(dealer: Player, status: Status, is_used_up: bool) -> int:
    return sum(
        effect.amount * (dealer.statuses[status.id] if effect.per or is_used_up else 1)
        for effect in status.effects or ()
        if effect.op == "reduce" and isinstance(effect.amount, int)
    )


def _reducible(game: Game, pool: Pool, wanted: int, only_attacks: bool) -> int:
    """How much of a reduction this pool's damage types allow; an Attack Modifier acts on Attacks only."""
    if not wanted:
        return 0
    mine = [deal for deal in pool.deals if _is_reducible(game, deal, only_attacks)]
    doubtful = sum(deal.amount for deal in mine if deal.type in game.edition.reductions_in_doubt)
    reducible = sum(deal.amount for deal in mine)
    if doubtful and game.reading("J-10") != "a":
        reducible -= doubtful
    if not reducible:
        return 0
    is_barred = reducible < sum(deal.amount for deal in pool.deals)
    return min(wanted, reducible) if is_barred else wanted


def _is_reducible(game: Game, deal: Deal, only_attacks: bool) -> bool:
    assert game.attack is not None
    is_theirs = deal.by is game.attack.by and (deal.attack or not only_attacks)
    return is_theirs and game.edition.types[deal.type].reduced and not deal.is_fixed


def _final(game: Game, pool: Pool, total: Total, left: int) -> int:
    player = pool.player
    if pool.avoided is not None:
        n, source, rules = pool.avoided
        if total.avoidable and game.reading("J-27") == "b":
            total.avoidable = 0
        game.step(
            "step_avoided",
            ("DT-DMG-08", *rules),
            (n,) if n else (),
            total.unavoidable,
            player=player.id,
            thing=source or "-",
        )
        return total.unavoidable
    final = max(left, 0)
    key, rules = ("step_floor", ("DT-DMG-06",)) if left < 0 else ("step_final", ("DT-DMG-03",))
    values = (player.id, final, left)
    game.steps.append((key, ("player", "n", "left"), values, rules, (), final))
    return final


def _standing_avoidance(
    game: Game, pool: Pool, total: Total
) -> tuple[Label, Ref | None, tuple[str, ...]] | None:
    """A status that avoids damage just by being held (Shadows); an Ultimate ignores it (DT-ULT-04)."""
    attack = game.attack
    if attack is None or attack.ultimate or not game.is_opponent(pool.player, attack.by):
        return None
    for status in tokens.standing(game, pool.player, "damaged-by-offensive-roll"):
        if "avoid" not in status.words:
            continue
        by_ability = _dealt_by(pool, attack.n)
        from_cards = sum(deal.amount for deal in pool.deals) - by_ability
        if from_cards and game.reading("J-19") == "b":
            name = Ref("status", status.id)
            total.terms = [*total.terms, Term(by_ability, attack.n, name, ("DT-DMG-08", *status.rules))]
            return None
        return 0, Ref("status", status.id), status.rules
    return None


def _dealt_by(pool: Pool, n: Label) -> int:
    return sum(deal.amount for deal in pool.deals if deal.n == n)


def _return(game: Game, pool: Pool, pools: list[Pool], total: Total, when: str) -> None:
    """Return part of the Subtotal to the attacker (DT-RET-01 to DT-RET-04)."""
    attack = game.attack
    if attack is None:
        return
    base = max(total.subtotal, 0)
    if pool.avoided is not None and base and game.reading("J-01") == "b":
        base, total.cancelled = 0, True
    for share, n, _ in pool.returns:
        over, under = share.as_integer_ratio()
        amount = -(-base * over // under)
        names, values = ("player", "n", "share", "of"), (attack.by.id, amount, share, base)
        game.steps.append(("step_returned", names, values, _BY_RETURN, (n,), amount))
        target = game.pool(attack.by)  # the pool that already holds the attacker's own preventions
        if target not in pools:
            pools.append(target)
        target.deals.append(Deal(amount, "normal", n, pool.player, False, True, True))


def _after_the_damage(game: Game, pools: list[Pool], totals: list[Total]) -> list[Total]:
    """Run effects that depend on the damage dealt; their own damage belongs to the same conclusion."""
    attack = game.attack
    assert attack is not None
    waiting, attack.later = attack.later, ()
    before = {pool.player.id: (len(pool.deals), len(pool.heals)) for pool in pools}
    dealt = sum(t.final for t in totals if t.pool.player in attack.targets)
    for context, effect in waiting:
        _run_if_dealt(game, context, effect, dealt)
    for pool in game.pools.values():
        if before.get(pool.player.id, (0, 0)) != (len(pool.deals), len(pool.heals)):
            totals = [total for total in totals if total.pool.player is not pool.player]
            totals.append(_work_out(game, pool, pools, "roll-phase"))
    return totals


def _run_if_dealt(game: Game, context: Context, effect: Effect, dealt: int) -> None:
    from judge.rules.dice_throne.effects.words import run

    condition = effect.condition
    assert condition is not None
    is_denied = condition.kind == "not"
    wanted = condition.value.value if is_denied else condition.value
    if wanted is None:
        game.ask(context.n, "effects", "ask_threshold")
    elif (dealt >= wanted) is not is_denied:
        context.dealt = dealt
        run(game, context, effect.parts)


def _let_statuses_deal(game: Game, active: Player, pools: list[Pool]) -> None:
    """Run statuses that act on the Active Player at the conclusion of the Roll Phase (Barbed Vine)."""
    statuses = tokens.held(game, active, "conclusion")
    if not statuses:
        return
    from judge.rules.dice_throne.effects.words import run_status

    for status in statuses:
        if status.effects:
            run_status(game, active, status)
    for pool in game.pools.values():
        if pool not in pools:
            pools.append(pool)

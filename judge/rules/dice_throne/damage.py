"""The final damage total (section 9): incoming, Subtotal, fractions, floor; returns, dials and defeat.

Everything a phase gathered is worked out once, when it concludes, so the order of use cannot matter.
"""

from __future__ import annotations

from typing import Any

from judge.core.messages import Message, Ref
from judge.rules.catalog import flat
from judge.rules.dice_throne.state import Deal, Game, Label, Player, Pool, Term
from judge.rules.ruling import Step

_CONCLUDED_BY = {
    "roll-phase": ("DT-DRP-07",),
    "upkeep": ("DT-UPK-03",),
    "isolated": ("DT-ISO-01", "DT-ISO-02"),
    "at-once": ("DT-TYPE-01",),
}


class Total:
    """One player's sum of one conclusion."""

    __slots__ = (
        "cancelled", "final", "fractions", "healed", "incoming", "locked", "pool", "subtotal", "terms",
    )  # fmt: skip

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.incoming = self.subtotal = self.locked = self.final = self.healed = 0
        self.fractions: list[int] = []
        self.terms = pool.terms  # with what the attacker's own statuses take off
        self.cancelled = False  # the return goes with the avoided damage (J-01)

    def as_json(self) -> dict[str, Any]:
        return {
            "incoming": self.incoming,
            "subtotal": self.subtotal,
            "fractions": self.fractions,
            "final": self.final,
            "healed": self.healed,
        }


def conclude(game: Game, pools: list[Pool], when: str) -> None:
    """Work the pools out and apply them together (DT-DRP-07, DT-UPK-03); a resolution is recorded."""
    if when == "roll-phase":
        _let_statuses_deal(game, pools)
    pools = [pool for pool in pools if pool.deals or pool.heals]
    if not pools:
        return
    # Whoever returns damage is worked out first: the attacker's pool receives it (DT-RET-04).
    if len(pools) > 1:
        pools.sort(key=lambda pool: (not pool.returns, pool.player.seat))
    totals: list[Total] = []
    for pool in pools:  # a return lengthens the list while it is worked through
        totals.append(_work_out(game, pool, pools, when))
    if when == "roll-phase" and game.attack is not None and game.attack.later:
        totals = _after_the_damage(game, pools, totals)
    if len(totals) > 1:
        totals.sort(key=lambda total: total.pool.player.seat)
    game.worked.append((when, totals))
    _apply(game, totals, when)


def _work_out(game: Game, pool: Pool, pools: list[Pool], when: str) -> Total:
    """The three steps for one player."""
    total = Total(pool)
    player = pool.player
    steps = game.steps
    own = locked = 0
    attack = game.attack
    if attack is not None and attack.by.statuses and when in ("roll-phase", "isolated"):
        _bar_damage(game, pool)
    sources: tuple[Label, ...] = ()
    for deal in pool.deals:
        if deal.own:
            own += deal.amount
            if deal.n not in sources:
                sources += (deal.n,)
        if deal.type == "ultimate":
            locked += deal.amount
    total.incoming = own
    total.locked = locked
    steps.append(Step(Message("step_incoming", player=player.id, n=own), ("DT-DMG-01",), sources, own))
    subtotal = own
    for deal in pool.deals:
        if not deal.own and deal.amount:
            subtotal += deal.amount
            steps.append(
                Step(
                    Message("step_added", n=deal.amount, now=subtotal),
                    ("DT-DMG-02", "DT-ATK-05"),
                    (deal.n,),
                    deal.amount,
                )
            )
    terms = pool.terms
    if when == "roll-phase" and attack is not None and attack.by.statuses:
        terms = total.terms = terms + _reductions(game, pool, locked)
    for term in terms:
        subtotal -= term.amount
        key = "step_reduced" if term.reduction else "step_prevented"
        steps.append(
            Step(
                Message(key, n=term.amount, now=subtotal), ("DT-DMG-02", *term.rules), (term.n,), -term.amount
            )
        )
    if locked and subtotal < locked:  # DT-ULT-03: nothing lowers ultimate damage
        subtotal = locked
    total.subtotal = subtotal
    steps.append(Step(Message("step_subtotal", player=player.id, n=subtotal), ("DT-DMG-02",), (), subtotal))
    base = max(subtotal - locked, 0)
    left = subtotal
    for share, n, _ in pool.fractions:
        over, under = share.as_integer_ratio()
        part = -(-base * over // under)  # rounded up (DT-DMG-05)
        total.fractions.append(part)
        left -= part
        steps.append(
            Step(
                Message("step_fraction", share=f"{over}/{under}", of=base, n=part),
                ("DT-DMG-03", "DT-DMG-04", "DT-DMG-05"),
                (n,),
                part,
            )
        )
    total.final = _final(game, pool, total, left, when)
    if pool.returns:
        _return(game, pool, pools, total, when)
    if pool.heals:
        total.healed = sum(amount for amount, _ in pool.heals)
    return total


def _bar_damage(game: Game, pool: Pool) -> None:
    """Whoever may deal no damage from their Offensive Roll Phase deals 0, but for Ultimates (DT-ULT-04)."""
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


def _bars_damage(game: Game, player: Player) -> Any:
    for status_id in player.statuses:
        status = game.statuses.get(status_id)
        if status is None or status.when != "dealing":
            continue
        if any(effect.op == "no_damage" for effect in status.effects or ()):
            return status
    return None


def _reductions(game: Game, pool: Pool, locked: int) -> list[Term]:
    """What the attacker's own statuses take off (Wither), by the type table of the edition."""
    attack = game.attack
    assert attack is not None
    dealer = attack.by
    if not dealer.statuses or attack.ultimate or pool.player is dealer:
        return []
    result: list[Term] = []
    for status_id in list(dealer.statuses):
        status = game.statuses.get(status_id)
        if status is None or status.when != "dealing" or not status.effects:
            continue
        for effect in status.effects:
            if effect.op == "reduce" and isinstance(effect.amount, int):
                tokens = dealer.statuses.get(status_id, 0) if effect.per else 1
                amount = _reducible(game, pool, effect.amount * tokens)
                if amount:
                    result.append(Term(amount, attack.n, Ref("status", status_id), status.rules, True))
            elif effect.op == "remove" and result and result[-1].source == Ref("status", status_id):
                _drop(dealer, status_id)
        if (
            result
            and any(effect.op == "remove" for effect in status.effects)
            and status_id in dealer.statuses
        ):
            _drop(dealer, status_id)
    return result


def _drop(player: Player, status_id: str) -> None:
    left = player.statuses.get(status_id, 0) - 1
    if left > 0:
        player.statuses[status_id] = left
    else:
        player.statuses.pop(status_id, None)


def _reducible(game: Game, pool: Pool, wanted: int) -> int:
    """How much of a reduction this pool's damage types let through."""
    types = game.edition.types
    open_damage = barred = doubtful = 0
    for deal in pool.deals:
        assert game.attack is not None
        if deal.by is not game.attack.by or not types[deal.type].reduced:
            barred += deal.amount
        elif deal.type in game.edition.reductions_in_doubt:
            doubtful += deal.amount
        else:
            open_damage += deal.amount
    if doubtful:
        if game.reading("J-10") == "a":
            open_damage += doubtful
        else:
            barred += doubtful
    if not open_damage:
        return 0
    return min(wanted, open_damage) if barred else wanted


def _final(game: Game, pool: Pool, total: Total, left: int, when: str) -> int:
    player = pool.player
    if pool.avoided is None and player.statuses and when in ("roll-phase", "isolated"):
        pool.avoided = _standing_avoidance(game, pool)
    if pool.avoided is not None:
        n, source, rules = pool.avoided
        game.step(
            "step_avoided",
            ("DT-DMG-08", *rules),
            (n,) if n else (),
            total.locked,
            player=player.id,
            thing=source or "-",
        )
        return total.locked
    final = max(left, 0)
    key, rules = ("step_floor", ("DT-DMG-06",)) if left < 0 else ("step_final", ("DT-DMG-03",))
    game.steps.append(Step(Message(key, player=player.id, n=final, left=left), rules, (), final))
    return final


def _standing_avoidance(game: Game, pool: Pool) -> tuple[Label, Ref | None, tuple[str, ...]] | None:
    """A status that avoids by merely lying there (Shadows); an Ultimate ignores it (DT-ULT-04)."""
    attack = game.attack
    if attack is None or attack.ultimate or not pool.player.statuses:
        return None
    if not game.is_opponent(pool.player, attack.by):
        return None
    for status_id in pool.player.statuses:
        status = game.statuses.get(status_id)
        if status is None or status.spendable or status.when != "damaged-by-offensive-roll":
            continue
        if any(effect.op == "avoid" for effect in status.effects or ()):
            return 0, Ref("status", status_id), status.rules
    return None


def _return(game: Game, pool: Pool, pools: list[Pool], total: Total, when: str) -> None:
    """Part of the Subtotal goes back to the attacker (DT-RET-01 to DT-RET-04)."""
    attack = game.attack
    if attack is None:
        return
    base = max(total.subtotal, 0)
    if pool.avoided is not None and base and game.reading("J-01") == "b":
        base, total.cancelled = 0, True
    for share, n, _ in pool.returns:
        over, under = share.as_integer_ratio()
        amount = -(-base * over // under)
        says = Message("step_returned", player=attack.by.id, n=amount, share=f"{over}/{under}", of=base)
        game.steps.append(Step(says, ("DT-RET-01", "DT-RET-02", "DT-DMG-05"), (n,), amount))
        target = game.pool(attack.by)  # where the attacker's own preventions already lie
        if target not in pools:
            pools.append(target)
        target.deals.append(Deal(amount, "normal", n, pool.player, False, True, True))


def _after_the_damage(game: Game, pools: list[Pool], totals: list[Total]) -> list[Total]:
    """Effects that ask how much damage was dealt; what they deal belongs to the same conclusion."""
    from judge.rules.dice_throne.effects import run

    attack = game.attack
    assert attack is not None
    waiting, attack.later = attack.later, []
    dealt = sum(t.final for t in totals if t.pool.player in attack.targets)
    before = {pool.player.id: (len(pool.deals), len(pool.heals)) for pool in pools}
    for context, effect in waiting:
        wanted = effect.condition.value if effect.condition is not None else None
        if wanted is None:
            game.ask(context.n, "effects", "ask_threshold")
        elif dealt >= wanted:
            run(game, context, effect.parts)
    for pool in game.pools.values():
        old = before.get(pool.player.id)
        if old == (len(pool.deals), len(pool.heals)) or (old is None and not pool.deals and not pool.heals):
            continue
        totals = [t for t in totals if t.pool.player is not pool.player]
        totals.append(_work_out(game, pool, pools, "roll-phase"))
    return totals


def _let_statuses_deal(game: Game, pools: list[Pool]) -> None:
    """Statuses that act on the Active Player at the conclusion of the Roll Phase (Barbed Vine)."""
    from judge.rules.dice_throne.effects import run_status

    active = game.active
    if active is None or not active.statuses:
        return
    for status_id in list(active.statuses):
        status = game.statuses.get(status_id)
        if status is not None and status.when == "conclusion" and status.effects:
            run_status(game, active, status)
    for pool in game.pools.values():
        if pool not in pools:
            pools.append(pool)


# ------------------------------------------------------------------ dials


def _apply(game: Game, totals: list[Total], when: str) -> None:
    game.resolutions.append(
        {"when": when, "totals": {total.pool.player.id: total.as_json() for total in totals}}
    )
    rules = _CONCLUDED_BY[when]
    if game.is_team_game:
        _apply_to_teams(game, totals, rules)
    else:
        for total in totals:
            player = total.pool.player
            health = change_health(game, [player], player.health, total.final, total.healed)
            if health <= 0 and total.final:
                health = _saved(game, [player], total.locked > 0) or health
            player.health = max(health, 0)
            game.steps.append(
                Step(
                    Message(
                        "step_health_healed" if total.healed else "step_health",
                        player=player.id,
                        n=player.health,
                        lost=total.final,
                        healed=total.healed,
                    ),
                    (*rules, "DT-HP-04") if total.healed else rules,
                    (),
                    player.health,
                )
            )
    settle_defeat(game)


def _apply_to_teams(game: Game, totals: list[Total], rules: tuple[str, ...]) -> None:
    for team in dict.fromkeys(total.pool.player.team for total in totals):
        mine = [total for total in totals if total.pool.player.team == team]
        lost, healed = sum(t.final for t in mine), sum(t.healed for t in mine)
        members = [p for p in game.seats if p.team == team]
        health = change_health(game, [t.pool.player for t in mine], game.teams[team or ""], lost, healed)
        if health <= 0 and lost:
            health = _saved(game, members, any(t.locked for t in mine)) or health
        game.teams[team or ""] = max(health, 0)
        game.step(
            "step_team_health", (*rules, "DT-2V2-03", "DT-2V2-04"), (), max(health, 0),
            team=team, n=max(health, 0), lost=lost, healed=healed,
        )  # fmt: skip


def change_health(game: Game, who: list[Player], health: int, lost: int, healed: int) -> int:
    """One net change; only healing is capped (DT-HP-03, DT-HP-04)."""
    result = health - lost + healed
    if healed and result > game.cap:
        over = min(result - max(game.cap, health - lost), healed)
        game.lose(who[0], "health", over)
        result -= over
    return result


def _saved(game: Game, members: list[Player], by_ultimate: bool) -> int | None:
    """A status that keeps its holder from falling (Blessing of Divinity); against an Ultimate see J-12."""
    for player in members:
        for status_id in player.statuses:
            status = game.statuses.get(status_id)
            if status is None or status.when != "would-fall":
                continue
            if by_ultimate and game.reading("J-12") == "a":
                return None
            health = next((e.amount for e in flat(status.effects) if e.op == "set_health"), None)
            if health is None:
                continue
            _drop(player, status_id)
            game.step(
                "step_saved",
                status.rules,
                (),
                health,
                player=player.id,
                status=Ref("status", status_id),
                n=health,
            )
            return int(health)
    return None


def settle_defeat(game: Game) -> None:
    """Who has fallen, and is the game won or drawn (DT-HP-01, DT-HP-02, DT-HP-05)?"""
    if game.is_team_game:
        fallen = [p for p in game.seats if not p.dead and game.health_of(p) <= 0]
    else:
        fallen = [p for p in game.seats if p.health <= 0 and not p.dead]
    if not fallen or game.over:
        return
    for player in fallen:
        player.dead = True
    game.step("step_defeated", ("DT-HP-01",), (), None, players=[p.id for p in fallen])
    standing = [p for p in game.seats if not p.dead]
    if not standing:
        game.outcome, game.over = {"state": "draw", "winners": []}, True
        game.step("step_draw", ("DT-HP-02",), ())
    elif len({p.team if game.is_team_game else p.id for p in standing}) == 1:
        winners = [p.id for p in standing]
        game.outcome, game.over = {"state": "won", "winners": winners}, True
        game.step("step_won", ("DT-SET-08", "DT-HP-05"), (), None, players=winners)


def conclude_instances(game: Game) -> None:
    """Isolated and immediate damage that nobody answers any more."""
    waiting, game.instances = game.instances, []
    for pool in waiting:
        if not game.over:
            conclude(game, [pool], pool.when)

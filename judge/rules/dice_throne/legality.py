"""Questions that several verbs share: may this player act at all, is it their turn, the right phase, enough CP?

Every check adds its faults to a list and goes on, so that all reasons are said, not only the first.
"""

from __future__ import annotations

from judge.core.messages import Message, Ref
from judge.rules.catalog import Effects, Status
from judge.rules.dice_throne.effects import flat
from judge.rules.dice_throne.state import Attack, Fault, Game, Player, Pool
from judge.rules.dice_throne.table import MAIN_PHASES, ROLL_PHASES, Event

DEFENSIVE_WORDS = frozenset(("prevent", "prevent_fraction", "avoid", "return_fraction"))
INCREASES = frozenset(("add", "add_die", "add_fraction_of_die"))


class Check:
    """Faults, doubts that rest on an open point, and the rules that a legal event rests on."""

    __slots__ = ("doubts", "faults", "rules")

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.doubts: list[Fault] = []
        self.rules: list[str] = []

    def fault(self, rules: tuple[str, ...], key: str, /, **params: object) -> None:
        self.faults.append((Message(key, **params), rules))

    def doubt(self, rules: tuple[str, ...], key: str, /, **params: object) -> None:
        self.doubts.append((Message(key, **params), rules))

    def cite(self, *rules: str) -> None:
        self.rules.extend(rules)


def guard(game: Game, player: Player, check: Check) -> None:
    """May this player do anything at all?"""
    if game.over:
        check.fault(("DT-SET-08",), "game_is_over")
    elif player.dead:
        check.fault(("DT-HP-01",), "player_is_defeated", player=player.id)
    attack = game.attack
    if attack is not None and attack.ultimate and game.is_opponent(player, attack.by):
        rules = ("DT-ULT-02", "DT-ULT-03") if player in attack.targets else ("DT-ULT-02", "DT-ULT-06")
        check.fault(rules, "locked_by_ultimate", ability=Ref("ability", attack.ability))
    lock = lock_on(game, player)
    if lock is not None:
        check.fault(lock.rules, "locked_by_status", player=player.id, status=Ref("status", lock.id))


def lock_on(game: Game, player: Player) -> Status | None:
    """A status under which its holder may do nothing (Stun)."""
    for status_id in player.statuses:
        status = game.statuses.get(status_id)
        if status is not None and status.when == "until-the-attack-is-over":
            return status
    return None


def is_locked(game: Game, player: Player) -> bool:
    attack = game.attack
    if attack is not None and attack.ultimate and game.is_opponent(player, attack.by):
        return True
    return lock_on(game, player) is not None


def is_own_turn(game: Game, player: Player) -> bool:
    return game.active is None or game.active is player


def is_main(game: Game) -> bool:
    return game.phase is None or game.phase in MAIN_PHASES


def is_rolling(game: Game) -> bool:
    return game.phase is None or game.phase in ROLL_PHASES


def need_own_turn(game: Game, player: Player, check: Check, *rules: str) -> None:
    if not is_own_turn(game, player):
        assert game.active is not None
        check.fault(rules, "not_your_turn", player=player.id, active=game.active.id)


def need_phase(game: Game, check: Check, phases: frozenset[str], *rules: str) -> None:
    """Where the phase is not known, timing is taken to be right."""
    if game.phase is not None and game.phase not in phases:
        check.fault(rules, "wrong_phase", phase=phase_word(game.phase), phases=[phase_word(p) for p in sorted(phases)])


def phase_word(phase: str) -> Message:
    return Message("phase_" + phase.replace("-", "_"))


def need_cp(player: Player, cost: int, check: Check, *rules: str) -> None:
    if player.cp < cost:
        check.fault(rules or ("DT-CP-03",), "not_enough_cp", need=cost, has=player.cp)


def need_card(player: Player, check: Check) -> None:
    if player.hand < 1:
        check.fault(("DT-CARD-05",), "no_card_in_hand", player=player.id)


def attacked(game: Game, player: Player) -> Attack | None:
    """The Attack whose Defender this player is (DT-ATK-02)."""
    attack = game.attack
    return attack if attack is not None and attack.is_attack and player in attack.targets else None


def has_damage(pool: Pool | None) -> bool:
    return pool is not None and any(deal.amount for deal in pool.deals)


def instance_for(game: Game, player: Player, event: Event) -> Pool | None:
    """The isolated or immediate damage that an event answers."""
    if event.against is None:
        return None
    for pool in game.instances:
        if pool.player is player and (
            event.against == "isolated" or any(deal.n == event.against for deal in pool.deals)
        ):
            return pool
    return None


def printed_effects(event: Event) -> Effects | None:
    return event.effects if event.effects is not None else getattr(event.thing, "effects", None)


def check_against(game: Game, player: Player, event: Event, check: Check) -> None:
    if event.against == "isolated" and not any(pool.when == "isolated" for pool in game.instances):
        check.fault(("DT-ISO-01", "DT-ISO-02"), "no_isolated_damage")


def check_receivers(game: Game, player: Player, event: Event, effects: Effects | None, check: Check) -> None:
    """A team mate's incoming damage is theirs to reduce, unless the text lets a player be chosen (DT-2V2-06)."""
    others = [name for name in event.on if name != player.id and not game.is_opponent(player, game.players[name])]
    if not others:
        return
    for one in flat(effects):
        if one.op in DEFENSIVE_WORDS:
            if one.to.startswith("chosen"):
                check.cite("DT-2V2-06")
            else:
                check.fault(("DT-2V2-06",), "not_for_a_mate", player=others[0])
                return


def check_removals(game: Game, player: Player, event: Event, effects: Effects | None, check: Check) -> None:
    """Companions are no statuses (DT-COMP-01); some tokens leave only by their owner's board (DT-TOK-20)."""
    from judge.rules.dice_throne.tokens import may_be_removed

    for one in flat(effects):
        if one.op not in ("remove", "transfer") or one.source in ("self", "holder"):
            continue
        on_board = event.verb in ("activate", "defend", "resolve")
        if one.status not in ("any", "all"):
            if any(one.status in p.companions for p in game.seats) and one.source != "self":
                check.fault(("DT-COMP-01",), "companions_are_no_statuses", thing=Ref("status", one.status))
            elif not may_be_removed(game, one.status, player, on_board):
                status = game.statuses[one.status]
                check.fault((*status.rules, "DT-STAT-08"), "token_stays", status=Ref("status", one.status))
        elif one.status == "any" and event.on:
            holder = game.players[event.on[0]]
            if holder.statuses and not any(may_be_removed(game, s, player, on_board) for s in holder.statuses):
                only = next(iter(holder.statuses))
                check.fault((*game.statuses[only].rules, "DT-STAT-08"), "token_stays", status=Ref("status", only))


def is_modifier(game: Game, event: Event, effects: Effects | None) -> bool:
    """A card or status that changes an Attack (DT-ATK-03)."""
    if event.modifier:
        return True
    thing = event.thing
    if isinstance(thing, Status):
        if thing.is_modifier(game.edition.id):
            return True
    elif getattr(thing, "attack_modifier", False):
        return True
    return any(one.op in INCREASES for one in flat(effects))


def check_modifier(game: Game, player: Player, effects: Effects | None, check: Check) -> None:
    attack = game.attack
    if attack is None or not attack.is_attack:
        rules = ("DT-ATK-06", "DT-ATK-01")
        check.fault((*rules, "DT-TYPE-13") if attack is not None else rules, "modifier_needs_attack")
        return
    if attack.by is not player:
        if game.edition.others_modifiers == "illegal":
            check.fault(("DT-ATK-07",), "modifier_of_another", player=attack.by.id)
        elif game.edition.others_modifiers == "open" and not check.faults and game.reading("J-09") == "b":
            check.doubt(("DT-ATK-07",), "modifier_of_another", player=attack.by.id)
    types = {deal.type for target in attack.targets for deal in game.pool(target).deals if deal.attack}
    increases = any(one.op in INCREASES for one in flat(effects))
    if increases and types and not any(game.edition.types[t].increased for t in types):
        rules = tuple(game.edition.types[t].rule for t in sorted(types))
        check.fault(rules, "type_not_increased", types=[Message("type_" + t) for t in sorted(types)])
    check.cite("DT-ATK-04", "DT-ATK-05")
    if attack.ultimate:
        check.cite("DT-ULT-05", "DT-TYPE-14")


def check_changes(game: Game, player: Player, event: Event, effects: Effects | None, check: Check) -> None:
    """Are the dice still on the table, and does the text allow this alteration (DT-DICE-01 to 03)?"""
    if not event.changes:
        return
    check.cite("DT-DICE-01")
    allowed = next((one for one in flat(effects) if one.op in ("change_die", "reroll")), None)
    if allowed is None and event.effects is None and event.thing is not None:
        check.fault(("DT-DICE-01",), "text_changes_no_dice")
        return
    if allowed is not None and allowed.count != "any" and len(event.changes) > _most(game, player, effects):
        check.fault(("DT-DICE-01",), "too_many_dice_changed", n=_most(game, player, effects))
    for change in event.changes:
        _check_change(game, player, change, allowed, check)


def _most(game: Game, player: Player, effects: Effects | None) -> int:
    from judge.rules.dice_throne.context import Context
    from judge.rules.dice_throne.effects import holds

    most = 0
    for one in effects or ():
        if one.op in ("change_die", "reroll"):
            most = max(most, one.count)
        elif one.op == "if" and one.condition is not None and one.condition.kind == "holds":
            inner = next((p for p in one.parts if p.op in ("change_die", "reroll")), None)
            if inner is not None and holds(game, Context(0, player, "card"), one.condition):
                most = max(most, inner.count)
        else:
            most = max(most, *(p.count for p in flat((one,)) if p.op in ("change_die", "reroll")), 0)
    return most


def _check_change(game: Game, player: Player, change: object, allowed: object, check: Check) -> None:
    from judge.rules.catalog import Effect
    from judge.rules.dice_throne.table import Change

    assert isinstance(change, Change)
    dice = dice_on_table(game, change, check)
    if allowed is None:
        return
    assert isinstance(allowed, Effect)
    whose = game.players[change.whose]
    is_own = whose is player
    fits = {
        "any": True,
        "own": is_own,
        "opponent": game.is_opponent(player, whose),
        "own-or-teammate": not game.is_opponent(player, whose),
    }[allowed.whose]
    if not fits:
        check.fault(("DT-DICE-01",), "not_those_dice", player=whose.id)
    if not is_own and not game.is_opponent(player, whose):
        check.cite("DT-2V2-07")
    if allowed.op == "reroll" or allowed.amount == "any":
        return
    now = dice[index_of(game, change)] if dice and index_of(game, change) < len(dice) else None
    if isinstance(allowed.amount, int):
        if change.to != allowed.amount:
            check.fault(("DT-DICE-01",), "die_must_become", n=allowed.amount)
    elif allowed.amount == "plus-or-minus-1":
        if now is not None and abs(change.to - now) != 1:
            check.fault(("DT-DICE-01",), "die_moves_by_one", now=now)
    elif dice is not None:
        others = [value for n, value in enumerate(dice, start=1) if n != change.die]
        check.cite("DT-DICE-03")
        if change.to not in others:
            check.fault(("DT-DICE-03",), "no_die_to_copy", n=change.to)


def index_of(game: Game, change: object) -> int:
    """Which die of the open roll is meant; a duel shows [own, other's]."""
    from judge.rules.dice_throne.table import Change

    assert isinstance(change, Change)
    if game.open is not None and change.of not in ("offensive", "targeting"):
        if any(one.op == "duel" for one in flat(game.open.effects)):
            return 0 if change.whose == game.open.context.by.id else 1
    return change.die - 1


def dice_on_table(game: Game, change: object, check: Check) -> list[int] | None:
    """The dice a change means; a fault where they are gone."""
    from judge.rules.dice_throne.table import Change

    assert isinstance(change, Change)
    attack = game.attack
    if change.of == "offensive":
        if attack is not None:
            rules = ("DT-ORP-03", "DT-ULT-01") if attack.ultimate else ("DT-ORP-03", "DT-ACT-01")
            check.fault(rules, "already_activated", ability=Ref("ability", attack.ability))
        if game.active is not None and change.whose != game.active.id:
            check.fault(("DT-DICE-01",), "dice_are_gone")
        check.cite("DT-ORP-03")
        return game.dice
    if change.of == "targeting":
        if attack is not None and attack.ultimate:
            check.fault(("DT-TGT-06",), "ultimate_targeting_die")
        elif attack is None or attack.die is None or attack.done:
            check.fault(("DT-TGT-06", "DT-DICE-01"), "dice_are_gone")
        check.cite("DT-TGT-06")
        return [attack.die] if attack is not None and attack.die is not None else None
    if game.open is None or not game.open.context.dice:
        check.fault(("DT-DICE-01", "DT-STAT-06"), "dice_are_gone")
        return None
    check.cite("DT-DICE-02")
    dice: list[int] = game.open.context.dice
    if index_of(game, change) >= len(dice):
        check.fault(("DT-DICE-01",), "dice_are_gone")
        return None
    return dice

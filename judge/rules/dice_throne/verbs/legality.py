"""Checks that several verbs share: may this player act at all, is it their turn, is it the right phase?

Every check adds its faults to a list and goes on, so that all reasons are given, not only the first.
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.core.messages import Message, Ref
from judge.rules.catalog import LOCKED, Ability, Effect, Effects, Status, flat
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.state.model import ACTIVATED, Attack, Fault, Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.pools import Pool
from judge.rules.dice_throne.state.table import MAIN_PHASES, ROLL_PHASES, Event
from judge.rules.dice_throne.state.tokens import held, is_transferable, may_be_removed

DEFENSIVE_WORDS = words_that(Trait.DEFENSIVE)
INCREASES = words_that(Trait.INCREASE)
REMOVALS = words_that(Trait.REMOVAL)
CLOSED_WINDOW = "window_"  # with this begin the messages that say when a status is spent
_BEYOND_FIRST = "roll-attempt-beyond-first"
# The window of statuses that act at the end of a phase.
_ENDS = {"upkeep": "upkeep", **dict.fromkeys(ROLL_PHASES, "conclusion")}
_FINAL = frozenset(("game_is_over", "player_is_defeated", "already_activated"))
EFFECTS_DIFFER = Message("effects_differ")


class Check:
    """Faults, doubts that rest on an open point, and the rules that a legal event rests on.

    Checking changes nothing: the open points it met are kept here until the event is judged.
    """

    __slots__ = ("doubts", "faults", "points", "rules")

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.rules: list[str] = []
        self.doubts: tuple[Fault, ...] = ()
        self.points: tuple[str, ...] = ()

    @property
    def is_passed(self) -> bool:
        return not self.faults and not self.doubts

    def reading(self, game: Game, point: str) -> str:
        """The letter to follow at an open point that the event rests on."""
        self.points += (point,)
        return game.letter(point)

    def fault(self, rules: tuple[str, ...], key: str, /, **params: object) -> None:
        fault = (Message(key, **params), rules)
        if fault not in self.faults:
            self.faults.append(fault)

    def doubt(self, rules: tuple[str, ...], key: str, /, **params: object) -> None:
        self.doubts += ((Message(key, **params), rules),)


def is_closed_window(fault: Fault) -> bool:
    """Whether an event is refused because it is not the time of the status."""
    return fault[0].key.startswith(CLOSED_WINDOW)


def deciding(faults: Sequence[Fault]) -> list[str]:
    """The rules a judge would point at: the first of each fault, at most three.

    Whoever is out of the game, or has activated an ability already, needs no further reason; the time of a
    token says nothing new where a rule of the book refuses it.
    """
    final = [fault for fault in faults if fault[0].key in _FINAL][:1]
    telling = final or [fault for fault in faults if not is_closed_window(fault)] or faults
    return list(dict.fromkeys(rules[0] for _, rules in telling if rules))[:3]


def guard(game: Game, player: Player, check: Check, verb: str = "") -> None:
    """Check that the player may do anything at all."""
    if game.over:
        check.fault(("DT-SET-08",), "game_is_over")
    elif player.dead:
        check.fault(("DT-HP-01",), "player_is_defeated", player=player.id)
    if verb == "choose" and not (game.over or player.dead):
        return
    attack = game.attack
    if attack is not None and attack.ultimate and game.is_opponent(player, attack.by):
        rules = ("DT-ULT-02", "DT-ULT-03") if player in attack.targets else ("DT-ULT-02", "DT-ULT-06")
        check.fault(rules, "locked_by_ultimate", ability=Ref("ability", attack.ability))
    if player.id in game.locked:
        check.fault(("DT-ABL-02",), "locked_by_text", player=player.id)
    lock = lock_on(game, player)
    if lock is not None:
        _guard_locked(game, player, lock, check, verb)


def _guard_locked(game: Game, player: Player, lock: Status, check: Check, verb: str) -> None:
    attack = game.attack
    locked = Message("locked_by_status", player=player.id, status=Ref("status", lock.id))
    if verb != "defend" or attack is None or player not in attack.locked_late:
        check.faults.append((locked, lock.forbids_by))
    elif check.reading(game, "J-24") == "b":
        check.doubts += ((locked, lock.forbids_by),)


def lock_on(game: Game, player: Player) -> Status | None:
    """A status under which its holder may do nothing (Stun)."""
    if game.locks.isdisjoint(player.statuses):
        return None
    return held(game, player, LOCKED)[0]


def is_locked(game: Game, player: Player) -> bool:
    attack = game.attack
    if attack is not None and attack.ultimate and game.is_opponent(player, attack.by):
        return True
    return player.id in game.locked or lock_on(game, player) is not None


def is_ultimate(event: Event) -> bool:
    """Whether an announced or activated ability is an Ultimate: as entered, as printed, or by its damage."""
    printed = event.thing.kind if isinstance(event.thing, Ability) else ""
    return (event.kind or printed) == "ultimate" or any(e.type == "ultimate" for e in flat(event.text))


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
    """Check the phase; if it is unknown, the timing is assumed to be right."""
    if game.phase is not None and game.phase not in phases:
        check.fault(
            rules, "wrong_phase", phase=phase_word(game.phase), phases=[phase_word(p) for p in sorted(phases)]
        )


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


def is_attacked_by_an_opponent(game: Game, player: Player) -> bool:
    return game.attack is not None and game.is_opponent(player, game.attack.by)


def has_damage(pool: Pool | None) -> bool:
    if pool is not None:
        for deal in pool.deals:
            if deal.amount:
                return True
    return False


def awaits_damage(game: Game, player: Player) -> bool:
    """Whether damage is waiting for this player: dealt, due in this phase, or returned by a Defender."""
    if has_damage(game.pools.get(player.id)) or (game.instances and _is_hit_at_once(game, player)):
        return True
    if attacked(game, player) is not None or awaits_return(game, player) or _due(game, player):
        return True
    return awaits_backlash(game, player) and game.letter("J-26") == "a"


def _is_hit_at_once(game: Game, player: Player) -> bool:
    return any(pool.player is player for pool in game.instances)


def awaits_return(game: Game, player: Player) -> bool:
    """Whether part of the Attack will return to its attacker, who may prevent or avoid it (DT-ATK-08)."""
    attack = game.attack
    return attack is not None and attack.by is player and any(pool.returns for pool in game.pools.values())


def awaits_backlash(game: Game, player: Player) -> bool:
    """Whether the player's own ability will hurt them once it has dealt damage (Reckless)."""
    attack = game.attack
    if attack is None or attack.by is not player:
        return False
    return any(part.op == "deal" and part.to == "self" for _, effect in attack.later for part in effect.parts)


def _due(game: Game, player: Player) -> list[Status]:
    """The statuses that will hurt the player at the end of this Upkeep or Roll Phase and that nobody has
    resolved yet: those of the Active Player, for an opponent those that reach all opponents."""
    active, window = game.active, _ENDS.get(game.phase or "")
    if active is None or window is None:
        return []
    due = [s for s in held(game, active, window) if "deal" in s.words and not game.resolved.get(s.id)]
    return [status for status in due if _reaches(game, status, active, player)]


def _reaches(game: Game, status: Status, holder: Player, player: Player) -> bool:
    """Whether the damage of a status that acts at the end of its holder's phase is for this player too."""
    deals = [effect for effect in flat(status.effects) if effect.op == "deal"]
    if game.attempts < 2:  # no attempt beyond the first (Barbed Vine)
        deals = [effect for effect in deals if effect.per is None or effect.per[0] != _BEYOND_FIRST]
    receivers = {effect.to for effect in deals}
    if not receivers:
        return False
    if "all-players" in receivers:
        return True
    if player is holder:
        return receivers != {"all-opponents"}
    return "all-opponents" in receivers and game.is_opponent(player, holder)


def surely_due(game: Game, player: Player) -> list[Status]:
    """Those of them that need no die."""
    return [status for status in _due(game, player) if "roll" not in status.words]


def is_answered(game: Game, pool: Pool, event: Event) -> bool:
    """Whether the event answers this isolated or immediate damage. A number means that event's Attack."""
    if event.against is None:
        return _follows_directly(game, pool, event)
    if event.against == "isolated":
        return pool.when == "isolated"
    if pool.deals[0].n != event.against:  # isolated or immediate damage has one source
        return False
    return not _is_part_of(game, pool)


def _follows_directly(game: Game, pool: Pool, event: Event) -> bool:
    """Whether a prevention comes right after damage that is dealt at once: it can only mean that damage."""
    if not event.words & DEFENSIVE_WORDS or pool.player.id not in (event.on or (event.by,)):
        return False
    return not _is_part_of(game, pool)


def _is_part_of(game: Game, pool: Pool) -> bool:
    """Whether the same event has also dealt damage that waits for the end of the phase."""
    waiting = game.pools.get(pool.player.id)
    return waiting is not None and any(deal.n == pool.deals[0].n for deal in waiting.deals)


def instance_for(game: Game, player: Player, event: Event) -> Pool | None:
    """The isolated or immediate damage to this player that an event answers."""
    for pool in game.instances:
        if pool.player is player and is_answered(game, pool, event):
            return pool
    return None


def check_against(game: Game, player: Player, event: Event, check: Check) -> None:
    if any(pool.when == "isolated" and is_answered(game, pool, event) for pool in game.instances):
        check.rules += ("DT-ISO-02",)
    elif event.against == "isolated":
        check.fault(("DT-ISO-01", "DT-ISO-02"), "no_isolated_damage")


def check_receivers(game: Game, player: Player, event: Event, effects: Effects | None, check: Check) -> None:
    """Only the team mate may reduce their own damage, unless the text lets a player be chosen (DT-2V2-06)."""
    others = [
        name for name in event.on if name != player.id and not game.is_opponent(player, game.players[name])
    ]
    if not others:
        return
    for effect in flat(effects):
        if effect.op in DEFENSIVE_WORDS:
            if effect.to.startswith("chosen"):
                check.rules += ("DT-2V2-06",)
            else:
                check.fault(("DT-2V2-06",), "not_for_a_mate", player=others[0])
                return


def check_removals(game: Game, player: Player, event: Event, effects: Effects | None, check: Check) -> None:
    """Companions are not statuses (DT-COMP-01); some tokens leave only by their owner's board (DT-TOK-20)."""
    on_board = event.verb in ("activate", "defend", "resolve")
    for effect in flat(effects):
        is_own_text = effect.status == event.value and event.verb in ("spend", "resolve")
        if effect.op not in REMOVALS or is_own_text:
            continue
        if effect.status == "any" and event.on:
            _check_any_removal(game, player, game.players[event.on[0]], on_board, check)
        elif effect.status not in ("any", "all"):
            _check_removal(game, player, effect, on_board, check)


def _check_removal(game: Game, player: Player, effect: Effect, on_board: bool, check: Check) -> None:
    if is_companion(game, effect.status):
        if effect.source not in ("self", "holder"):
            check.fault(("DT-COMP-01",), "companions_are_no_statuses", thing=Ref("status", effect.status))
    elif not may_be_removed(game, effect.status, player, on_board):
        _fault_staying(game, effect.status, check)


def _check_any_removal(game: Game, player: Player, holder: Player, on_board: bool, check: Check) -> None:
    if holder.statuses and not any(may_be_removed(game, s, player, on_board) for s in holder.statuses):
        _fault_staying(game, next(iter(holder.statuses)), check)


def _fault_staying(game: Game, status_id: str, check: Check) -> None:
    rules = (*game.statuses[status_id].rules, "DT-STAT-08")
    check.fault(rules, "token_stays", status=Ref("status", status_id))


def check_transfer(game: Game, event: Event, check: Check) -> None:
    """A token moves from one player to another (DT-STAT-10)."""
    giver = event.on[0] if len(event.on) > 1 else event.by
    takers = event.on[1:] if len(event.on) > 1 or event.verb != "resolve" else event.on
    if giver in takers:
        check.fault(("DT-STAT-10",), "transfer_needs_two_players", player=giver)
    there = game.players[giver].statuses
    stays = [status_id for status_id in there if not is_transferable(game, status_id)]
    named = {*event.choice, *(effect.status for effect in flat(event.text) if effect.op == "transfer")}
    if stays and (len(stays) == len(there) or named & set(stays)):
        check.fault(("DT-STAT-08", "DT-STAT-10"), "token_stays", status=Ref("status", stays[0]))


# ------------------------------------------------------------------ own board, own deck


def is_in_doubt(event: Event, player: Player) -> bool:
    """Whether an ability or card of another hero may yet be the player's own, because the catalogue does not
    hold their hero's whole sheet."""
    assert player.hero is not None
    return not (player.hero.has_deck if event.verb == "play" else player.hero.has_board(player.side))


def check_own(event: Event, player: Player, check: Check) -> None:
    """Check that an ability is on the player's own board, a card in their own deck; effects that the file
    gives for it do not put it there."""
    if not event.is_of_another_hero or is_in_doubt(event, player):
        return
    if event.verb == "play":
        name = Ref("card", str(event.value))
        check.fault(("DT-SET-01", "DT-CARD-01"), "not_in_the_deck", card=name, player=player.id)
    else:
        name = Ref("ability", str(event.value))
        check.fault(("DT-ABL-01", "DT-SET-01"), "not_on_the_board", ability=name, player=player.id)


def is_companion(game: Game, name: str) -> bool:
    return any(name in p.companions for p in game.seats) or game.catalog.companion(name) is not None


def refuse_modifier(game: Game, player: Player, check: Check) -> None:
    """Whoever is Attacked modifies neither that Attack nor the damage of a defence (DT-ATK-06)."""
    rules: tuple[str, ...] = ("DT-ATK-06", "DT-ATK-02")
    if game.edition.others_modifiers == "illegal":
        rules += ("DT-ATK-07",)
    check.fault(rules, "no_modifier_by_defender", player=player.id)


def check_modifier(game: Game, player: Player, event: Event, check: Check) -> None:
    attack = game.attack
    if attack is None or not attack.is_attack:
        rules: tuple[str, ...] = ("DT-ATK-06", "DT-ATK-01")
        check.fault((*rules, "DT-TYPE-13") if attack is not None else rules, "modifier_needs_attack")
        return
    if game.is_opponent(player, attack.by):
        refuse_modifier(game, player, check)
        return
    if attack.by is not player:
        _check_modifier_of_a_mate(game, attack, check)
    if not event.words.isdisjoint(INCREASES):
        _check_types(game, attack, check)
    check.rules += ("DT-ATK-04", "DT-ATK-05")
    if attack.ultimate:
        check.rules += ("DT-ULT-05", "DT-TYPE-14")


def _check_modifier_of_a_mate(game: Game, attack: Attack, check: Check) -> None:
    """Whether a team mate's Attack may be modified is settled by one book only (DT-ATK-07, J-09)."""
    others = game.edition.others_modifiers
    if others == "illegal":
        check.fault(("DT-ATK-07",), "modifier_of_another", player=attack.by.id)
    elif others == "open" and not check.faults and check.reading(game, "J-09") == "b":
        check.doubt(("DT-ATK-07",), "modifier_of_another", player=attack.by.id)


def _check_types(game: Game, attack: Attack, check: Check) -> None:
    """Some type of the Attack's damage must be one that can be increased."""
    named = game.edition.types
    # By the text at first: nothing is dealt before the target is known.
    types = sorted(attack.types if attack.stage is ACTIVATED else _types_dealt(game, attack))
    for kind in types:
        if named[kind].increased:
            return
    if types:
        _refuse_types(game, types, check)


def _types_dealt(game: Game, attack: Attack) -> set[str]:
    types: set[str] = set()
    for target in attack.targets:
        for deal in game.pool(target).deals:
            if deal.attack:
                types.add(deal.type)
    return types


def _refuse_types(game: Game, types: list[str], check: Check) -> None:
    rules = tuple(game.edition.types[kind].rule for kind in types)
    check.fault(rules, "type_not_increased", types=[Message("type_" + kind) for kind in types])

"""The verbs of the Roll Phases: roll, announce, activate, target, defend."""

from __future__ import annotations

from judge.core.messages import Message, Ref
from judge.rules.catalog import Ability, Effects, flat
from judge.rules.dice_throne.effects.phase_words import handicap
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.effects.words import run
from judge.rules.dice_throne.flow.attack import activate as carry_out
from judge.rules.dice_throne.flow.attack import (
    aim,
    attack_types,
    board_entry,
    defendable,
    launch,
    line_of,
    needs_target,
    text_in_play,
)
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Attack, Game, Open, Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.activation import fault, rules_of
from judge.rules.dice_throne.verbs.legality import (
    REMOVALS,
    Check,
    attacked,
    check_own_ability,
    check_removals,
    is_in_doubt,
    need_cp,
    need_own_turn,
    need_phase,
    phase_word,
)  # fmt: skip
from judge.rules.dice_throne.verbs.texts import check_text

_OFFENSIVE = frozenset(("offensive-roll",))
_TARGETED = words_that(Trait.AGAINST_TARGET)
_TARGETING = frozenset(("offensive-roll", "targeting-roll"))


def attempts_allowed(game: Game) -> int:
    """The Roll Attempts of the Active Player's Offensive Roll Phase, with what adds to them or takes off."""
    fewer = handicap(game, game.active, "fewer_roll_attempts") if game.active is not None else 0
    return max(game.numbers.attempts + game.extra_attempts - fewer, 0)


def attempt_price(game: Game, player: Player) -> int:
    """The CP that the player's next Roll Attempt costs; the first one is free."""
    return handicap(game, player, "attempt_price") if game.attempts else 0


def need_offensive_roll(game: Game, player: Player, check: Check, *rules: str) -> None:
    """Check that it is the player's own Offensive Roll Phase, with no ability activated in it."""
    need_own_turn(game, player, check, *rules)
    skipped_by = game.skipped.get("offensive-roll")
    if skipped_by is not None and game.phase not in (None, "offensive-roll"):
        status = game.statuses.get(skipped_by)
        check.fault(
            status.rules if status else (),
            "phase_was_skipped" if skipped_by else "phase_was_left_out",
            phase=phase_word("offensive-roll"),
            status=Ref("status", skipped_by),
        )
    elif game.attack is None:
        need_phase(game, check, _OFFENSIVE, *rules)
    if game.attack is not None:
        check.fault(("DT-ORP-06",), "already_activated", ability=Ref("ability", game.attack.ability))


# ------------------------------------------------------------------ roll


def check_roll(game: Game, event: Event, player: Player, check: Check) -> None:
    need_offensive_roll(game, player, check, "DT-ORP-01")
    allowed = attempts_allowed(game)
    if game.attempts >= allowed:
        rules = ("DT-ORP-01", "DT-ORP-03", "DT-ORP-04") if game.altered else ("DT-ORP-01",)
        check.fault(rules, "no_attempt_left", n=allowed)
    need_cp(player, attempt_price(game, player), check, "DT-CP-01", "DT-CP-03")
    if game.attempts == 0 and game.dice is None and event.reroll and len(set(event.reroll)) < 5:
        check.fault(("DT-ORP-01",), "first_attempt_rolls_all")
    if game.dice is not None and event.reroll:
        kept = [n for n in range(1, 6) if n not in event.reroll and game.dice[n - 1] != event.dice[n - 1]]
        if kept:
            check.fault(("DT-ORP-01",), "kept_dice_changed", positions=kept)
    check.cite("DT-ORP-01", "DT-ORP-04") if game.altered else check.cite("DT-ORP-01")
    check_withdrawal(game, check)


def check_withdrawal(game: Game, check: Check) -> None:
    """Taking back an announcement that nobody answered is an open point (J-11)."""
    if (
        game.announced is not None
        and not game.altered
        and not check.faults
        and check.reading(game, "J-11") == "a"
    ):
        check.doubt(("DT-ORP-03",), "announcement_stands", ability=Ref("ability", game.announced))


def do_roll(game: Game, event: Event, player: Player) -> None:
    if game.phase is None:
        game.phase = "offensive-roll"
    game.active = game.active or player
    player.cp -= attempt_price(game, player)
    game.attempts += 1
    game.dice = list(event.dice)
    game.announced, game.altered = None, False


# ------------------------------------------------------------------ announce and activate


def check_ability(game: Game, event: Event, player: Player, check: Check) -> None:
    """Check for an Offensive Ability on this side of the board whose condition the dice meet."""
    need_offensive_roll(game, player, check, "DT-ABL-01", "DT-ORP-02")
    thing = event.thing
    if isinstance(thing, Ability):
        if thing.kind in ("defensive", "passive") and not event.kind:
            check.fault(("DT-ABL-01",), "not_an_offensive_ability", ability=Ref("ability", thing.id))
        check_board(game, player, thing, check)
        upgrade = player.upgrades.get(thing.id)
        if upgrade is not None and upgrade.level > 1:
            check.cite("DT-ABL-02")
    needs = board_entry(game, player, event)[0]
    if needs is None or needs.passive or needs.dice:
        return
    check.cite(*rules_of(needs))
    if game.dice is not None:
        unmet = fault(game, player, needs, game.dice)
        if unmet is not None:
            why, rules = unmet
            check.faults.append((why, (*rules, "DT-ORP-03") if game.altered else rules))


def check_board(game: Game, player: Player, thing: Ability, check: Check) -> None:
    check_own_ability(game, player, thing, check)
    if thing.side and player.side and thing.side != player.side:
        check.fault(("DT-TOK-21",), "other_side_of_board", side=thing.side)
    if thing.comes_with is not None:
        ability, level = thing.comes_with
        upgrade = player.upgrades.get(ability)
        if upgrade is None or upgrade.level < level:
            check.fault(("DT-ABL-02",), "upgrade_not_in_play", ability=Ref("ability", ability), level=level)


def check_announce(game: Game, event: Event, player: Player, check: Check) -> None:
    check_ability(game, event, player, check)
    check.cite("DT-ORP-02", "DT-ABL-01")
    if game.altered:
        check.cite("DT-ORP-03")
    if event.kind == "ultimate" or (isinstance(event.thing, Ability) and event.thing.kind == "ultimate"):
        check.cite("DT-ULT-01")
    check_withdrawal(game, check)


def do_announce(game: Game, event: Event, player: Player) -> None:
    if game.phase is None:
        game.phase = "offensive-roll"
    game.active = game.active or player
    game.announced, game.altered = str(event.value), False


def check_activate(game: Game, event: Event, player: Player, check: Check) -> None:
    check_ability(game, event, player, check)
    check.cite("DT-ORP-05", "DT-ORP-06", "DT-ABL-01")
    for name in event.on:
        target = game.players[name]
        if target.dead:
            check.fault(("DT-HP-01",), "target_is_defeated", player=name)
        elif not game.is_opponent(player, target):
            if not favours_a_player(board_entry(game, player, event)[1]):
                check.fault(("DT-ATK-01", "DT-TGT-02"), "target_is_no_opponent", player=name)
        elif game.extra_target is not None and target is not game.extra_target:
            check.fault(("DT-TOK-04",), "extra_phase_target", player=game.extra_target.id)
    check_one_target(game, event, player, check)
    if event.words & REMOVALS:
        check_removals(game, player, event, event.effects, check)
    check_line(game, event, player, check)
    if game.announced is not None and game.announced != event.value:
        check_withdrawal(game, check)


def check_line(game: Game, event: Event, player: Player, check: Check) -> None:
    """The line and the options an activation names: a line that the dice do not meet cannot be chosen."""
    line = line_of(game, player, event)
    needs = board_entry(game, player, event)[0]
    if line and needs is not None:
        if line > len(needs.tiers):
            check.fault(("DT-ACT-07",), "choice_out_of_range", n=len(needs.tiers))
        elif game.dice is not None:
            unmet = fault(game, player, needs.tiers[line - 1], game.dice)
            if unmet is not None:
                check.faults.append((unmet[0], (*unmet[1], "DT-ACT-07")))
    text = text_in_play(game, player, event)
    check_text(game, event, player, text, check, event.choice[1:] if line else event.choice)


def check_one_target(game: Game, event: Event, player: Player, check: Check) -> None:
    """An ability that targets an opponent targets one; a text may name others besides (DT-ATK-02)."""
    opponents = [name for name in event.on if game.is_opponent(player, game.players[name])]
    if len(opponents) < 2:
        return
    _, effects, tiers = board_entry(game, player, event)
    text = (*(effects or ()), *(effect for tier in tiers for effect in tier))
    names_others = any("chosen" in effect.to for effect in flat(text))
    if not names_others and any(needs_target(game, effect) for effect in text):
        check.fault(("DT-ATK-02", "DT-TGT-02"), "one_attack_one_target", players=opponents)


def favours_a_player(effects: Effects | None) -> bool:
    """Whether the text lets a player be chosen who is not the target."""
    return any(effect.to in ("chosen-player", "chosen-teammate") for effect in flat(effects))


def ask_whose(game: Game, event: Event, player: Player) -> None:
    """Ask whether an ability is the hero's own, where the catalogue lacks part of the board."""
    if isinstance(event.thing, Ability) and is_in_doubt(game, player, event.thing):
        name = Ref("ability", event.thing.id)
        game.ask(event.n, "ability", "ask_own_ability", thing=name, player=player.id)


def do_activate(game: Game, event: Event, player: Player) -> None:
    ask_whose(game, event, player)
    carry_out(game, event, player)
    if event.differs:
        game.note("effects_differ")
    attack = game.attack
    assert attack is not None
    if attack.is_attack:
        game.cited.extend(("DT-ATK-01", "DT-ATK-02") if attack.targets else ("DT-ATK-01", "DT-TGT-02"))
    else:
        game.cited.append("DT-DRP-09")
    if attack.ultimate:
        game.cited.extend(("DT-ULT-02", "DT-ULT-03"))
        if _ignores_a_status(game, attack):
            game.cited.append("DT-ULT-04")
    if event.words & _TARGETED:
        game.cited.append("DT-DRP-02")
    types = game.edition.types
    game.cited.extend([types[kind].rule for kind in sorted(attack.types)])
    if any(types[kind].special_targeting for kind in attack.types):
        game.cited.extend(("DT-TGT-07", "DT-TYPE-15"))
    if len(game.opponents(player)) == 1:
        game.cited.append("DT-TGT-01")


def _ignores_a_status(game: Game, attack: Attack) -> bool:
    """Whether there is a status that would reduce any other Attack (DT-ULT-04)."""
    mine = [game.statuses[s] for s in attack.by.statuses if s in game.statuses]
    theirs = [game.statuses[s] for each in attack.targets for s in each.statuses if s in game.statuses]
    return any(status.when == "dealing" for status in mine) or any(
        status.when == "damaged-by-offensive-roll" and not status.spendable for status in theirs
    )


# ------------------------------------------------------------------ target


def check_target(game: Game, event: Event, player: Player, check: Check) -> None:
    attack = game.attack
    if attack is None or attack.by is not player:
        check.fault(("DT-TGT-02",), "nothing_to_target")
        return
    need_phase(game, check, _TARGETING, "DT-TGT-02", "DT-TURN-02")
    if attack.chooser:
        check.fault(("DT-TGT-03",), "others_choose_" + attack.chooser)
    elif attack.is_pointed or (attack.targets and [event.value] != [each.id for each in attack.targets]):
        check.fault(("DT-TGT-02",), "target_is_known")
    elif attack.is_resolved and not attack.targets:
        check.fault(("DT-TGT-02",), "nothing_to_target")
    target = game.players.get(str(event.value)) if event.value is not None else None
    if target is not None:
        if target.dead:
            check.fault(("DT-HP-01",), "target_is_defeated", player=target.id)
        elif not game.is_opponent(player, target):
            check.fault(("DT-TGT-02",), "target_is_no_opponent", player=target.id)
    _check_targeting_die(game, event, player, target, check)


def _check_targeting_die(
    game: Game, event: Event, player: Player, target: Player | None, check: Check
) -> None:
    opponents = game.opponents(player)
    if game.mode == "king-of-the-hill":
        check.cite("DT-TGT-05", "DT-KOTH-03" if game.attack and game.attack.is_attack else "DT-KOTH-06")
        if event.die is not None:
            check.fault(("DT-TGT-05",), "no_targeting_die")
        if target is None:
            check.fault(("DT-TGT-05",), "name_a_target")
        return
    if len(opponents) == 1:
        check.cite("DT-TGT-01")
        if event.die is not None:
            check.fault(("DT-TGT-01",), "no_targeting_die")
        return
    rule = "DT-TGT-04" if game.mode == "3v3" else "DT-TGT-03"
    check.cite("DT-TGT-02", rule)
    if event.die is None:
        if target is None:
            check.fault((rule,), "name_a_target")
        return
    pointed = pointed_at(game, player, event.die)
    if pointed is not None and target is not None and pointed is not target:
        check.fault((rule,), "die_points_elsewhere", die=event.die, player=pointed.id)


def pointed_at(game: Game, player: Player, die: int) -> Player | None:
    """The player a targeting die names; None if somebody chooses (2v2: 5 and 6)."""
    size, start = len(game.seats), player.seat
    circle = (game.seats[(start + k) % size] for k in range(1, size))
    seats = [p for p in circle if game.is_opponent(player, p)]
    if game.mode == "3v3":
        return seats[(die - 1) // 2]
    return seats[(die - 1) // 2] if die <= 4 and len(seats) == 2 else None


def do_target(game: Game, event: Event, player: Player) -> None:
    attack = game.attack
    assert attack is not None
    if game.phase != "targeting-roll" and game.phase is not None:
        game.phase = "targeting-roll"
    attack.is_pointed = True
    if attack.targets:  # the activation already named the player the die points at
        return
    attack.die = event.die
    target = game.players.get(str(event.value)) if event.value is not None else None
    if target is None and event.die is not None:
        target = pointed_at(game, player, event.die)
    if target is None:
        attack.chooser = "opponents" if event.die == 5 else "roller"
        return
    if event.die is not None:
        attack.targets = [target]
        game.lay_open(Open(event.n, attack.context, attack.effects, "targeting"))
        _prepare(game, attack, target)
    else:
        settle_target(game, target)


def _prepare(game: Game, attack: Attack, target: Player) -> None:
    attack.held.clear()
    aim(game, attack, [target])


def settle_target(game: Game, target: Player) -> None:
    attack = game.attack
    assert attack is not None
    _prepare(game, attack, target)
    launch(game, attack, bool(attack.context.dice))


def redirect(game: Game, die: int) -> None:
    """Retarget the Attack by a changed targeting die, or open the choice."""
    attack = game.attack
    assert attack is not None
    attack.die = die
    target = pointed_at(game, attack.by, die)
    if target is not None:
        _prepare(game, attack, target)
        if not any(each.of == "targeting" for each in game.opens()):
            game.lay_open(Open(attack.n, attack.context, attack.effects, "targeting"))
    else:
        attack.targets = []
        game.withdraw("targeting", attack.by)
        attack.context.targets, attack.context.on = None, []
        attack.chooser = "opponents" if die == 5 else "roller"


# ------------------------------------------------------------------ defend


def check_defend(game: Game, event: Event, player: Player, check: Check) -> None:
    attack = attacked(game, player)
    check.cite("DT-DRP-01", "DT-DRP-03", "DT-DRP-04", "DT-ABL-01")
    thing = event.thing
    if isinstance(thing, Ability):
        if thing.kind != "defensive":
            check.fault(("DT-ABL-01",), "not_a_defensive_ability", ability=Ref("ability", thing.id))
        check_board(game, player, thing, check)
        _check_defence_dice(game, event, player, check)
    check_text(game, event, player, board_entry(game, player, event)[1], check)
    if attack is None:
        collateral = game.attack is not None and player.id in game.pools
        check.fault(
            ("DT-DRP-01", "DT-ATK-01", *(("DT-DRP-08", "DT-DRP-09") if collateral else ())),
            "not_attacked",
            player=player.id,
        )
        return
    if not defendable(game, player):
        types = sorted(attack_types(game, player))
        rules = ("DT-DRP-08", "DT-DRP-03", *(game.edition.types[t].rule for t in types))
        check.fault(rules, "not_defendable", types=[Message("type_" + t) for t in types])
    if player.id in attack.defended and player.id not in game.extra_defence:
        check.fault(
            ("DT-DRP-03", "DT-DRP-04"), "already_defended", ability=Ref("ability", attack.defended[player.id])
        )
    _check_standing(game, player, attack, check)


def _check_defence_dice(game: Game, event: Event, player: Player, check: Check) -> None:
    if not event.dice:
        return
    needs, effects, _ = board_entry(game, player, event)
    wanted = needs.dice if needs is not None else 0
    if any(effect.op == "duel" for effect in effects or ()):
        wanted = 2
    if wanted and len(event.dice) != wanted:
        check.fault(("DT-DRP-04",), "wrong_number_of_dice", need=wanted, has=len(event.dice))


def _check_standing(game: Game, player: Player, attack: Attack, check: Check) -> None:
    """Check for statuses that rule out a defence: the Defender's Shadows, the attacker's Parley."""
    for status_id in player.statuses:
        status = game.statuses.get(status_id)
        if status is not None and not status.spendable and status.when == "damaged-by-offensive-roll":
            check.fault(status.rules, "no_defence_in_shadows", status=Ref("status", status_id))
    if game.edition.no_damage_no_defence:
        for status_id in attack.by.statuses:
            status = game.statuses.get(status_id)
            if status is not None and any(effect.op == "no_damage" for effect in status.effects or ()):
                check.fault(status.rules, "no_defence_without_damage", status=Ref("status", status_id))


def _take_back_defence(game: Game, player: Player) -> None:
    """A new attempt replaces the first: its dice, and the damage, prevention and healing they brought."""
    attack = game.attack
    assert attack is not None
    game.withdraw("defensive", player)
    for n in [n for n, name in attack.defences.items() if name == player.id]:
        del attack.defences[n]
        for pool in game.pools.values():
            pool.forget(n)


def do_defend(game: Game, event: Event, player: Player) -> None:
    attack = game.attack
    assert attack is not None
    if player.id in attack.defended:
        game.extra_defence.discard(player.id)
        _take_back_defence(game, player)
    attack.defended[player.id] = str(event.value)
    attack.defences[event.n] = player.id
    ask_whose(game, event, player)
    if game.phase is not None:
        game.phase = "defensive-roll"
    if event.differs:
        game.note("effects_differ")
    needs, effects, _ = board_entry(game, player, event)
    if effects is None:
        game.ask(event.n, "effects", "ask_effects", thing=Ref("ability", str(event.value)))
        return
    context = Context(event.n, player, "defence", event.ref)
    context.dice = context.roll = event.rolled()
    context.rerolls = bool(event.rerolls)
    context.wanted = needs.dice if needs is not None and needs.dice else 1
    if event.choice:
        context.choices = list(event.choice)
    if event.on:
        context.on = [game.players[name] for name in event.on]
    context.targets = [attack.by]
    game.cited.append("DT-DRP-05")
    if "deal" in event.words:
        game.cited.append("DT-ATK-08")
    if event.dice:
        game.lay_open(Open(event.n, context, effects, "defensive"))
    else:
        run(game, context, effects)


def may_target(game: Game, player: Player) -> bool:
    """Whether the player may roll for a target; also to confirm a target that the activation named."""
    attack = game.attack
    if attack is None or attack.by is not player or attack.is_pointed:
        return False
    is_known = len(attack.targets) == 1 and not attack.targets[0].dead
    is_wanted = attack.lacks_target
    return (is_known or is_wanted) and game.phase in (None, "offensive-roll", "targeting-roll")

"""Carries out `advance`: phases and their automatic effects (DT-UPK ... DT-DIS). Decisions need events."""

from __future__ import annotations

from judge.core.messages import Message, Ref
from judge.rules.dice_throne.effects.phase_words import skips
from judge.rules.dice_throne.effects.triggers import run_triggers
from judge.rules.dice_throne.effects.words import run_status
from judge.rules.dice_throne.flow.attack import close_open, go_on_unchosen, go_on_unrolled
from judge.rules.dice_throne.flow.roll_phases import (
    enter_extra_phase,
    finish_roll_phase,
    fresh_roll,
    play_again,
    start_offensive_roll,
    stunned_opponent,
)
from judge.rules.dice_throne.flow.trying import copy_of
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.table import MAIN_PHASES, PHASES, ROLL_PHASES, Event, Label
from judge.rules.dice_throne.sum.damage import conclude
from judge.rules.dice_throne.sum.instances import conclude_instances
from judge.rules.dice_throne.verbs.legality import Check, phase_word

_PLACE = {phase: n for n, phase in enumerate(PHASES)}


def check_advance(game: Game, event: Event, check: Check) -> None:
    goal = str(event.value)
    check.rules += ("DT-TURN-02",)
    if game.over:
        check.fault(("DT-SET-08",), "game_is_over")
    attack = game.attack
    if attack is not None and attack.lacks_target and goal != "targeting-roll":
        check.fault(("DT-TGT-02",), "target_is_missing")
    if goal == "turn":
        return
    _check_order(game, event, goal, check)
    if goal == "targeting-roll":
        _check_targeting_roll(game, check)
    elif goal == "defensive-roll" and (attack is None or not attack.is_attack):
        check.fault(("DT-DRP-01",), "no_attack_no_defence")


def _check_targeting_roll(game: Game, check: Check) -> None:
    if game.attack is None:
        check.fault(("DT-TGT-02",), "nothing_to_target")
    elif len(game.opponents(game.attack.by)) == 1:
        check.fault(("DT-TGT-01",), "no_targeting_phase")


def _check_order(game: Game, event: Event, goal: str, check: Check) -> None:
    """Phases follow one another (DT-TURN-02); only the Offensive Roll Phase may come again."""
    now = game.phase or "upkeep"
    stunned = stunned_opponent(game) if goal == "offensive-roll" else None
    if stunned is not None:
        if not _follows_an_attack(game, check):
            check.doubt(("J-28", "DT-TOK-04"), "extra_phase_needs_attack", player=stunned.id)
        elif not _extra_phase_follows(game, event.n):
            check.fault(("DT-TOK-04",), "extra_phase_is_lost", player=stunned.id)
    elif _PLACE[goal] <= _PLACE[now] and not (goal == "offensive-roll" and game.plays_again):
        check.fault(("DT-TURN-02",), "phase_is_behind", phase=phase_word(goal), now=phase_word(now))


def _follows_an_attack(game: Game, check: Check) -> bool:
    """Whether a Stun brings its extra phase; without an Attack that rests on J-28."""
    attack = game.attack
    return attack is None or attack.is_attack or check.reading(game, "J-28") == "a"


def _extra_phase_follows(game: Game, n: Label) -> bool:
    """Whether attacker and opponent are both still there once this Roll Phase is concluded (DT-TOK-04)."""
    trial = copy_of(game)
    close_open(trial)
    conclude_instances(trial)
    finish_roll_phase(trial, n)
    return trial.extra_due is not None and not trial.over


def do_advance(game: Game, event: Event) -> None:
    if game.active is None:
        game.active = next(p for p in game.seats if not p.dead)
    game.phase = game.phase or "upkeep"
    goal, n = str(event.value), event.n
    if goal in ("targeting-roll", "defensive-roll") and game.attack is not None:
        game.phase = goal
        return
    if goal == "offensive-roll" and _comes_again(game):
        if game.phase in ROLL_PHASES:
            finish_roll_phase(game, n)
        else:  # given after the Roll Phase
            play_again(game, n)
        if game.has_extra_phase:
            enter_extra_phase(game, n)
        return
    _pass_to(game, goal, n)


def _comes_again(game: Game) -> bool:
    """Whether the Offensive Roll Phase that was, or is under way, is followed by another one."""
    is_ahead = _PLACE[game.phase or "upkeep"] < _PLACE["offensive-roll"]
    return game.attack is not None or (game.plays_again and not is_ahead)


def _pass_to(game: Game, goal: str, n: Label) -> None:
    """Go through the phases up to this one, doing what each does by itself."""
    while game.phase != goal and not game.over:
        _leave(game, n)
        if game.over:
            return
        if game.phase == "discard":
            next_turn(game)
            if goal == "turn":
                return
            continue
        phase = PHASES[_PLACE[game.phase or "upkeep"] + 1]
        _enter(game, phase, n)
        if phase == goal or (goal in ROLL_PHASES and game.phase == "main-2"):
            return  # there, or past it because it was skipped


def _leave(game: Game, n: Label) -> None:
    phase = game.phase
    if phase == "upkeep":
        player = game.active
        assert player is not None
        if not skips(game, player, "upkeep", n):
            finish_upkeep(game, n)
    elif phase in ROLL_PHASES:
        finish_roll_phase(game, n)
        game.extra_due = None
        game.phase = "defensive-roll"
    elif phase == "discard":
        _finish_turn(game, n)


def _enter(game: Game, phase: str, n: Label) -> None:
    game.phase = phase
    player = game.active
    assert player is not None
    if phase in MAIN_PHASES and skips(game, player, phase, n):
        _enter(game, PHASES[_PLACE[phase] + 1], n)
    elif phase == "income":
        _income(game, n)
    elif phase == "offensive-roll":
        start_offensive_roll(game, n)
    elif phase == "discard":
        game.cited.append("DT-DIS-01")


# ------------------------------------------------------------------ upkeep


def finish_upkeep(game: Game, n: Label) -> None:
    """Resolve the Upkeep effects that no event resolved and that need no die; apply the sum (DT-UPK-03)."""
    close_open(game)
    conclude_instances(game)
    player = game.active
    assert player is not None
    for status in [] if player.dead else tokens.held(game, player, "upkeep"):
        rolls = "roll" in status.words
        due = game.at_upkeep.get(status.id, player.statuses[status.id]) if rolls else 1
        if game.resolved.get(status.id, 0) >= due:
            continue
        if status.effects is None:
            game.ask_text(n, Ref("status", status.id), status)
        elif rolls:
            game.ask(n, "dice", "ask_upkeep_die", status=Ref("status", status.id), player=player.id)
        else:
            game.cited.extend(status.acts_by)
            run_status(game, player, status, n)
    run_triggers(game, player, "upkeep", n)
    _conclude_upkeep(game)


def _conclude_upkeep(game: Game) -> None:
    conclude_instances(game)
    if game.pools and not game.over:
        conclude(game, list(game.pools.values()), "upkeep")
        game.cited.append("DT-UPK-03")
    game.pools.clear()


# ------------------------------------------------------------------ income


def _income(game: Game, n: Label) -> None:
    player = game.active
    assert player is not None
    if player.dead:
        return
    if game.first:
        game.cited.append("DT-INC-02")
        game.step("step_first_income", ("DT-INC-02",), (n,), None, player=player.id)
        return
    if skips(game, player, "income", n):
        return
    gained = tokens.gain_cp(game, player, game.numbers.income_cp)
    drawn = tokens.draw(game, player, game.numbers.income_cards)
    game.cited.extend(("DT-INC-01", "DT-CP-02") if not gained else ("DT-INC-01",))
    game.step("step_income", ("DT-INC-01",), (n,), gained, player=player.id, cp=gained, cards=drawn)


# ------------------------------------------------------------------ end of the turn


def _finish_turn(game: Game, n: Label) -> None:
    """End the turn: hand limit, end-of-turn effects, tokens that have lasted a whole turn."""
    player = game.active
    assert player is not None
    over = player.hand - game.numbers.hand_limit
    if over > 0 and not player.dead and not skips(game, player, "discard", n):
        tokens.discard(player, over)
        tokens.gain_cp(game, player, over * game.numbers.sale)
        game.cited.extend(("DT-DIS-01", "DT-DIS-02"))
        game.step("step_hand_limit", ("DT-DIS-01", "DT-SELL-01"), (n,), over, player=player.id, n=over)
    if player.dead:
        return
    for status in tokens.held(game, player, "end-of-turn"):
        run_status(game, player, status, n)
    for status in tokens.expiring(game, player, "whole-turn"):
        if status.id in player.aged:
            game.cited.extend(status.rules)
            tokens.remove(game, player, status.id, player.statuses[status.id], n)
    run_triggers(game, player, "end-of-turn", n)
    conclude_instances(game)


def turn_order(game: Game) -> list[str]:
    """The file's order, or clockwise; in team games the zigzag A, D, B, C of seats A B | C D (DT-2V2-02)."""
    order = game.table.turn.order
    if order:
        return list(order)
    seats = [p.id for p in game.seats]
    if not game.is_team_game:
        return seats
    half = len(seats) // 2
    if len({p.team for p in game.seats[:half]}) > 1:
        return seats  # teams sit alternately, so clockwise already alternates them
    return [name for pair in zip(seats[:half], reversed(seats[half:]), strict=True) for name in pair]


def next_turn(game: Game) -> None:
    assert game.active is not None
    order = turn_order(game)
    here = order.index(game.active.id)
    circle = [game.players[order[(here + k) % len(order)]] for k in range(1, len(order))]
    game.active = next(p for p in circle if not p.dead)
    game.phase, game.first = "upkeep", False
    game.resolved.clear()
    game.at_upkeep.clear()
    game.skipped.clear()
    game.used.clear()
    game.damaged.clear()
    for player in game.seats:
        player.fresh.clear()
    game.locked.clear()
    game.plays_again = False
    game.active.aged = set(game.active.statuses)
    fresh_roll(game)
    game.cited.append("DT-TURN-01" if not game.is_team_game else "DT-2V2-02")


# ------------------------------------------------------------------ end of the events


def _ask_what_is_open(game: Game) -> None:
    """A target that nobody named and a choice that nobody made become questions."""
    attack = game.attack
    if attack is not None and attack.lacks_target and not game.over:
        game.ask(attack.n, "target", "ask_target", thing=Ref("ability", attack.ability))
    for waiting in game.pending:
        if not waiting.optional:
            question = waiting.question or Message("ask_choice")
            game.ask(waiting.n, "choice", question.key, **question.params)


def _close_all(game: Game) -> None:
    """Go on with all that waits for an answer which nobody gave."""
    if game.open is not None:
        close_open(game)
    if game.attack is not None and game.attack.is_held_back:
        go_on_unrolled(game)
    if game.pending:
        go_on_unchosen(game)
    if game.instances:
        conclude_instances(game)
    if game.pending or (game.attack is not None and not game.attack.targets):
        _ask_what_is_open(game)


def finish(game: Game) -> None:
    """Conclude pending damage as if `advance` had followed; open choices become questions."""
    _close_all(game)
    for pool in game.pools.values():
        if pool.deals or pool.heals:
            break
    else:
        return
    if game.phase == "upkeep":
        _conclude_upkeep(game)
        return
    finish_roll_phase(game, len(game.table.events))  # nothing waits in the other phases
    if game.has_extra_phase:
        enter_extra_phase(game, len(game.table.events))
    else:
        game.phase = "main-2"

"""The verb `activate`: an Offensive Ability, its line, its options and its target (DT-ORP-05)."""

from __future__ import annotations

from collections.abc import Iterable

from judge.rules.catalog import Effects, flat
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.flow.aiming import needs_target
from judge.rules.dice_throne.flow.attack import activate as carry_out
from judge.rules.dice_throne.flow.board import board_entry, line_of, text_in_play
from judge.rules.dice_throne.state.activation import fault
from judge.rules.dice_throne.state.model import Attack, Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.announce import ask_whose, check_ability
from judge.rules.dice_throne.verbs.legality import (
    EFFECTS_DIFFER,
    REMOVALS,
    Check,
    check_removals,
)  # fmt: skip
from judge.rules.dice_throne.verbs.roll import check_withdrawal, is_choosing
from judge.rules.dice_throne.verbs.texts import check_named, check_text, note_unused

_TARGETED = words_that(Trait.AGAINST_TARGET)


def check_activate(game: Game, event: Event, player: Player, check: Check) -> None:
    check_ability(game, event, player, check)
    check.rules += ("DT-ORP-05", "DT-ORP-06", "DT-ABL-01")
    for name in event.on:
        _check_target(game, event, player, game.players[name], check)
    if len(event.on) > 1:
        check_one_target(game, event, player, check)
    if not event.words.isdisjoint(REMOVALS):
        check_removals(game, player, event, event.effects, check)
    if event.choice:
        check_line(game, event, player, check)
    elif event.has_details:
        check_text(game, event, player, text_in_play(game, player, event), check)
    if game.announced is not None and game.announced != event.value:
        check_withdrawal(game, check)


def _check_target(game: Game, event: Event, player: Player, target: Player, check: Check) -> None:
    if target.dead:
        check.fault(("DT-HP-01",), "target_is_defeated", player=target.id)
    elif not game.is_opponent(player, target):
        if not favours_a_player(board_entry(game, player, event)[1]):
            check.fault(("DT-ATK-01", "DT-TGT-02"), "target_is_no_opponent", player=target.id)
    elif game.extra_target is not None and target is not game.extra_target:
        check.fault(("DT-TOK-04",), "extra_phase_target", player=game.extra_target.id)


def check_line(game: Game, event: Event, player: Player, check: Check) -> None:
    """The line and the options an activation names: a line that the dice do not meet cannot be chosen."""
    line = line_of(game, player, event)
    needs = board_entry(game, player, event)[0] if line else None
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
    check_named(game, player, event, text, check)
    names_others = any("chosen" in effect.to for effect in flat(text))
    if not names_others and any(needs_target(game, effect) for effect in text):
        check.fault(("DT-ATK-02", "DT-TGT-02"), "one_attack_one_target", players=opponents)


def favours_a_player(effects: Effects | None) -> bool:
    """Whether the text lets a player be chosen who is not the target."""
    return any(effect.to in ("chosen-player", "chosen-teammate") for effect in flat(effects))


def do_activate(game: Game, event: Event, player: Player) -> None:
    if event.is_of_another_hero:
        ask_whose(game, event, player)
    carry_out(game, event, player)
    if event.differs:
        game.notes.append(EFFECTS_DIFFER)
    if event.dice or event.choice:
        _note_unused(game, event, player)
    assert game.attack is not None
    _cite_attack(game, event, game.attack)
    if len(game.opponents(player)) == 1:
        game.cited.append("DT-TGT-01")


def _note_unused(game: Game, event: Event, player: Player) -> None:
    """Say which dice and choices have no use, once it is known which line is used."""
    line, text = line_of(game, player, event), text_in_play(game, player, event)
    has_lines = event.effects is None and bool(board_entry(game, player, event)[2])
    if text is not None and (line or not has_lines):
        note_unused(game, event, text, event.choice[1:] if line else event.choice)


def _cite_attack(game: Game, event: Event, attack: Attack) -> None:
    """The rules on what the ability turned out to be: an Attack, an Ultimate, of which types."""
    if attack.is_attack:
        game.cited.extend(("DT-ATK-01", "DT-ATK-02") if attack.targets else ("DT-ATK-01", "DT-TGT-02"))
    else:
        game.cited.append("DT-DRP-09")
    if attack.ultimate:
        game.cited.extend(("DT-ULT-02", "DT-ULT-03"))
        attack.ignores = _ignores_a_status(game, attack)
        if attack.ignores:
            game.cited.append("DT-ULT-04")
    if not event.words.isdisjoint(_TARGETED):
        game.cited.append("DT-DRP-02")
    is_spread = False
    for name in sorted(attack.types):
        kind = game.edition.types[name]
        game.cited.append(kind.rule)
        is_spread = is_spread or kind.special_targeting
    if is_spread:
        game.cited.extend(("DT-TGT-07", "DT-TYPE-15"))


def _ignores_a_status(game: Game, attack: Attack) -> bool:
    """Whether there is a status that would reduce any other Attack (DT-ULT-04)."""
    mine = [game.statuses[s] for s in attack.by.statuses if s in game.statuses]
    theirs = [game.statuses[s] for each in attack.targets for s in each.statuses if s in game.statuses]
    return any(status.when == "dealing" for status in mine) or any(
        status.when == "damaged-by-offensive-roll" and not status.spendable for status in theirs
    )


def may_activate(game: Game, player: Player) -> Iterable[str]:
    """Dice that the file does not give are assumed to fit."""
    return ("activate",) if is_choosing(game, player) else ()

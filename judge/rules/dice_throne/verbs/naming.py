"""Whom an event may name for its text: opponents, team mates, and how many of them."""

from __future__ import annotations

from collections.abc import Iterator

from judge.rules.catalog import Effect, Effects, flat
from judge.rules.dice_throne.effects.vocabulary import TARGETS, Trait, words_that
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import Check

_OPPONENTS_ONLY = frozenset(word for word in TARGETS if word.endswith(("-opponent", "-opponents")))
_NOBODY_CHOSEN = frozenset(("self", "holder", "attacker", "all-players", "all-opponents", "that-opponent"))
_ONE = frozenset(("chosen-player", "chosen-opponent", "chosen-teammate"))
_NEEDS_TARGET = words_that(Trait.NEEDS_TARGET) | words_that(Trait.DAMAGE)


def check_named(game: Game, player: Player, event: Event, effects: Effects | None, check: Check) -> None:
    """The players named must be such as the text lets its player choose, and no more than it lets choose."""
    chosen = set(_chosen(effects))
    if not chosen or _reaches_the_target(effects):
        return
    _check_sides(game, player, event, chosen, check)
    names = dict.fromkeys(event.on)
    most = _most(effects)
    if most is not None and len(names) > most and event.verb != "does":
        rule = "DT-CARD-05" if event.verb == "play" else "DT-ABL-02"
        check.fault((rule,), "too_many_players_named", n=most, players=list(names))


def _check_sides(game: Game, player: Player, event: Event, chosen: set[str], check: Check) -> None:
    named = [game.players[name] for name in event.on]
    if chosen <= _OPPONENTS_ONLY:
        for other in named:
            if not game.is_opponent(player, other):
                check.fault(("DT-STAT-11", "DT-CARD-05"), "target_is_no_opponent", player=other.id)
    elif chosen == {"chosen-teammate"} and named and not set(event.on) & {p.id for p in game.mates(player)}:
        check.fault(("DT-2V2-01", "DT-CARD-05"), "target_is_no_mate", player=named[0].id)


def _chosen(effects: Effects | None) -> Iterator[str]:
    """The words by which a text lets players be chosen."""
    for effect in flat(effects):
        for word in (effect.to, effect.source):
            if word and word not in _NOBODY_CHOSEN:
                yield word


def _reaches_the_target(effects: Effects | None) -> bool:
    """Whether a part of the text names nobody and so goes to whoever is the target."""
    return any(effect.op in _NEEDS_TARGET and not (effect.to or effect.source) for effect in flat(effects))


def _most(effects: Effects | None) -> int | None:
    """How many players the text lets its player choose at most; None where it may name anybody."""
    words = list(_chosen(effects))
    if any(word not in _ONE and "chosen" not in word for word in words):
        return None
    moved = [word for effect in flat(effects) if effect.op == "transfer" for word in _ends(effect)]
    roles = len(moved) if moved else len(_ONE.intersection(words))
    return roles + sum(_number(word) for word in words if word not in _ONE)


def _ends(effect: Effect) -> Iterator[str]:
    yield from (word for word in (effect.to, effect.source) if word in _ONE)


def _number(word: str) -> int:
    """ "next-chosen" is one more each time; the others say how many."""
    return 1 if word.startswith("next") else next(int(part) for part in word.split("-") if part.isdigit())

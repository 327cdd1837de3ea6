"""The judging of one event, alone or in a collision: what speaks against it, and carrying it out."""

from __future__ import annotations

from judge.rules.catalog import Card
from judge.rules.dice_throne.effects.counting import count_anyway
from judge.rules.dice_throne.flow import phases
from judge.rules.dice_throne.flow.attack import go_on_unrolled
from judge.rules.dice_throne.flow.board import level_entry
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import Check
from judge.rules.dice_throne.verbs.registry import VERBS, check_event
from judge.rules.dice_throne.verbs.uses import as_meant

_USES = frozenset(("activate", "defend", "play", "spend", "resolve"))
_ENDS_THE_ROLL = frozenset(("target", "defend", "advance"))


def is_refused(game: Game, event: Event) -> bool:
    """Whether the event, or every action that collides in it, is illegal as the table stands."""
    return all(check_event(game, as_meant(game, each)).faults for each in event.inner or (event,))


def settle(game: Game, event: Event, check: Check) -> bool:
    """Record the open points that the check met; whether the event is legal. A claim may count it anyway."""
    if game.counted and event.n in game.counted:
        count_anyway(game, event, check)
    for point in check.points:
        game.rest_on(point)
    return not check.faults and not check.doubts


def carry_out(game: Game, event: Event) -> None:
    """Carry out a legal event."""
    verb = event.verb
    game.last = event.n
    if event.is_plain:
        VERBS[verb].do(game, event, game.players[event.by])
        return
    if game.attack is not None and game.attack.is_held_back and verb in _ENDS_THE_ROLL:
        go_on_unrolled(game)
    if verb == "advance":
        phases.do_advance(game, event)
        return
    player = game.players[event.by]
    if event.departures:
        game.notes.extend(event.departures)
    VERBS[verb].do(game, event, player)
    if event.effects is None and event.thing is not None and verb in _USES:
        _ask_for_the_rest(game, event, player)


def _ask_for_the_rest(game: Game, event: Event, player: Player) -> None:
    """A thing known in part acts as far as it is known; the ruling asks what else it does."""
    if isinstance(event.thing, Card) and event.thing.kind == "upgrade":
        return
    entry = level_entry(game, player, event)
    if entry is not None and entry.is_partial and event.ref is not None:
        game.ask_text(event.n, event.ref, entry)

"""Settles `collide`: decides the order of actions that meet (rules DT-TIME), then carries out each of them
like any other event."""

from __future__ import annotations

from dataclasses import replace

from judge.core.messages import Message
from judge.rules.catalog import Card
from judge.rules.dice_throne.flow.answers import close_unanswered
from judge.rules.dice_throne.flow.attack import go_on_unchosen
from judge.rules.dice_throne.flow.judging import carry_out, settle
from judge.rules.dice_throne.flow.order import Meeting, sequence_of
from judge.rules.dice_throne.flow.priority import Why, names_of, timing_rules, why
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Game, Open
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import Check, deciding
from judge.rules.dice_throne.verbs.pay import price_of
from judge.rules.dice_throne.verbs.play import cost_of, pay_card
from judge.rules.dice_throne.verbs.registry import check_event
from judge.rules.dice_throne.verbs.upgrade import as_upgrade, level_of, pay_upgrade, upgrade_cost
from judge.rules.dice_throne.verbs.uses import as_meant
from judge.rules.ruling import EventRuling, Order

_SHOWS = {"defend": "defensive", "resolve": "upkeep"}
# Steps of the turn cost nothing; one that is no longer possible is not made at all.
_STEPS = frozenset(("roll", "announce", "activate", "target", "choose"))
_CARDS = frozenset(("play", "upgrade"))


def collide(game: Game, event: Event) -> EventRuling:
    actions = tuple(as_meant(game, each) for each in event.inner)
    game.shown = [_shown(game, each) for each in actions if each.dice and each.verb != "roll"]
    meeting = Meeting(game, event, actions, [check_event(game, each) for each in actions])
    sequence = sequence_of(game, meeting)
    _declare(game, meeting)
    outcomes: list[str] = []
    for place, k in enumerate(sequence):
        close_unanswered(game, [meeting.actions[each] for each in sequence[place:]])
        outcomes.append(_resolve(game, meeting, k))
    game.shown = []
    game.paid.clear()
    verdicts = ["legal" if check.is_passed else "illegal" for check in meeting.checks]
    reason = why(game, meeting, sequence)
    order = Order(event.n, [k + 1 for k in sequence], outcomes, verdicts, decides=list(reason.rules))
    game.order.append(order)
    return _ruling(game, meeting, reason, order)


def _shown(game: Game, event: Event) -> Open:
    """The dice of an action lie on the table for the others before it resolves."""
    context = Context(event.n, game.players[event.by], "does")
    context.dice = list(event.dice)
    return Open(event.n, context, event.text or (), _SHOWS.get(event.verb, "effect"))


# ------------------------------------------------------------------ declaring


def _declare(game: Game, meeting: Meeting) -> None:
    """Judge and pay the actions in the order declared; what an earlier one took is no longer there."""
    taken: dict[str, tuple[int, int]] = {}
    for k, action in enumerate(meeting.actions):
        check = meeting.checks[k]
        if not meeting.is_judged_later(k) and not settle(game, action, check):
            continue
        player = game.players[action.by]
        cp, cards = _price(game, action, player)
        cp_before, cards_before = taken.get(action.by, (0, 0))
        if player.cp < cp_before + cp and action.n not in game.counted:
            check.fault(("DT-CP-03",), "not_enough_cp", need=cp, has=player.cp - cp_before)
            meeting.unpaid.add(k)
        elif player.hand < cards_before + cards and action.n not in game.counted:
            check.fault(("DT-CARD-05",), "no_card_in_hand", player=action.by)
            meeting.unpaid.add(k)
        else:
            taken[action.by] = (cp_before + cp, cards_before + cards)
    for k, action in enumerate(meeting.actions):
        if action.verb in _CARDS and meeting.is_declared(k):
            _pay(game, _as_used(action), game.players[action.by])
            game.paid.add(action.n)


def _as_used(event: Event) -> Event:
    """The event; the playing of an upgrade card as the upgrade it is."""
    if event.verb == "play" and isinstance(event.thing, Card) and event.thing.kind == "upgrade":
        return as_upgrade(event, event.thing)
    return event


def _pay(game: Game, event: Event, player: Player) -> None:
    """Pay a card at once: what answers it cannot take the price away any more (DT-CARD-05)."""
    pay = pay_card if event.verb == "play" else pay_upgrade
    pay(game, event, player)


def _price(game: Game, event: Event, player: Player) -> tuple[int, int]:
    """CP and cards that an action takes."""
    event = _as_used(event)
    if event.verb == "play":
        return cost_of(event) or 0, 1
    if event.verb == "upgrade":
        return upgrade_cost(game, event, player, level_of(event, player))[0] or 0, 1
    if event.verb == "pay":
        return price_of(event) or 0, 0
    return 0, event.value if event.verb == "sell" else 0


# ------------------------------------------------------------------ resolving


def _resolve(game: Game, meeting: Meeting, k: int) -> str:
    """Carry out one action at its turn; what became of it."""
    action, was_declared = as_meant(game, meeting.actions[k]), meeting.is_declared(k)
    if not meeting.is_tried(k):
        return "not allowed"
    game.fizzled = False
    if game.over or game.players[action.by].dead:
        return _comes_too_late(game, action) if was_declared else "not allowed"
    if game.pending and action.verb != "choose":
        go_on_unchosen(game)
    check = check_event(game, action)
    if not settle(game, action, check):
        if was_declared and action.verb not in _STEPS:
            return _comes_too_late(game, action)
        meeting.checks[k] = check
        return "not allowed"
    meeting.checks[k] = check
    carry_out(game, _with_its_dice(game, action))
    if game.verdict == "illegal":
        _take_fault(game, check)
        return "not allowed"
    return "no effect" if game.fizzled else "resolves"


def _take_fault(game: Game, check: Check) -> None:
    """A choice that could not be made concerns this action alone: the others go on."""
    game.verdict = "legal"
    check.faults.append((game.notes.pop(), game.refused[1] if game.refused is not None else ()))


def _with_its_dice(game: Game, action: Event) -> Event:
    """The action with its dice as the others have left them; from now on they are its own."""
    shown = next((each for each in game.shown if each.n == action.n), None)
    if shown is None:
        return action
    game.shown.remove(shown)
    return replace(action, dice=tuple(shown.context.dice))


def _comes_too_late(game: Game, action: Event) -> str:
    """An action that was legal when declared is paid, and does nothing."""
    player = game.players[action.by]
    if action.n in game.paid:
        tokens.lay_on_pile(player, 1)
    elif action.verb == "spend" and not player.dead:
        tokens.take(player, str(action.value), 1)
    return "no effect"


def _ruling(game: Game, meeting: Meeting, reason: Why, order: Order) -> EventRuling:
    sequence = [k - 1 for k in order.sequence]
    rules = timing_rules(game, meeting, sequence, reason)
    names = names_of(meeting.actions)
    reasons = [Message("collide_order", order=[names[k] for k in sequence]), reason.says]
    decides: dict[str, None] = {}
    for k, check in enumerate(meeting.checks):
        for message, cited in (*check.faults, *check.doubts):
            reasons.append(Message("collide_inner", action=names[k], why=message))
            rules.extend(cited)
        decides.update(dict.fromkeys(deciding(check.faults)))
        if check.is_passed:
            rules.extend(check.rules)
    for k, outcome in zip(sequence, order.outcomes, strict=True):
        if outcome == "no effect":
            reasons.append(Message("collide_no_effect", action=names[k]))
    reasons.extend(game.notes)
    rules.extend(game.cited)
    is_illegal = not any(check.is_passed for check in meeting.checks)
    verdict = "illegal" if is_illegal else game.verdict
    first = list(decides)[:3] if is_illegal else []
    return EventRuling(meeting.event.n, verdict, [*first, *rules], reasons, first)

"""Settles `collide`: which of several simultaneous actions resolves first (rules DT-TIME)."""

from __future__ import annotations

from dataclasses import replace

from judge.core.messages import Message
from judge.rules.catalog import Card
from judge.rules.dice_throne.effects.counting import count_anyway
from judge.rules.dice_throne.flow.attack import close_open
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Game, Open, Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.sum.damage import conclude_instances
from judge.rules.dice_throne.verbs.legality import Check
from judge.rules.dice_throne.verbs.playing import as_upgrade, cost_of, level_of, pay_card, upgrade_cost
from judge.rules.dice_throne.verbs.registry import VERBS, check_event
from judge.rules.dice_throne.verbs.spending import price_of
from judge.rules.ruling import EventRuling, Order

# Which kind of action may interrupt which, under "what has begun completes".
_INTERRUPTS_2_2 = {
    "normal": ("instant", "roll", "spend"),
    "roll": ("spend",),
    "spend": (),
    "instant": (),
}
_RULES: dict[str, dict[str, tuple[str, ...]]] = {
    "clockwise": {"at-once": ("DT-TIME-01",), "in-answer": ("DT-TIME-02", "DT-TIME-03", "DT-TIME-05")},
    "active-first": {"at-once": ("DT-TIME-10", "DT-TIME-16"), "in-answer": ("DT-TIME-10", "DT-TIME-14")},
}


def kind_of(game: Game, event: Event) -> str:
    """normal, roll, spend or instant. Under 2.4.1 spending a status is an Instant action (DT-TIME-11)."""
    if event.verb == "spend":
        return "instant" if game.edition.spending_is_instant else "spend"
    if event.verb == "play":
        kind = event.card or (event.thing.kind if isinstance(event.thing, Card) else "")
        return kind if kind in ("roll", "instant") else "normal"
    return "normal"


def interrupts(game: Game, late: Event, early: Event) -> bool:
    """Whether the later action may resolve before the one declared earlier."""
    mine, theirs = kind_of(game, late), kind_of(game, early)
    if game.edition.priority == "clockwise":
        return mine in _INTERRUPTS_2_2[theirs]
    if theirs == "instant":
        return mine == "instant" and _place(game, late) < _place(game, early)
    if theirs == "roll":
        if mine != "instant" or game.edition.instants_against_roll_cards == "no":
            return False
        return game.edition.instants_against_roll_cards == "yes" or game.reading("J-03") == "a"
    return mine in ("instant", "roll")


def _place(game: Game, event: Event) -> int:
    return game.clockwise_from_active(game.players[event.by])


def sequence_of(game: Game, event: Event) -> list[int]:
    """Positions inside the collide, in the order in which they resolve."""
    inner = event.inner
    if event.timing == "at-once":
        is_late = [
            game.edition.priority == "active-first" and kind_of(game, each) == "normal" for each in inner
        ]
        return sorted(range(1, len(inner) + 1), key=lambda k: (is_late[k - 1], _place(game, inner[k - 1])))
    order: list[int] = [1]
    for k in range(2, len(inner) + 1):
        place = next(
            (i for i, j in enumerate(order) if interrupts(game, inner[k - 1], inner[j - 1])), len(order)
        )
        order.insert(place, k)
    return order


def collide(game: Game, event: Event) -> EventRuling:
    dice_on_table = _show_dice(game, event)
    checks: list[Check] = []
    for each in event.inner:
        checks.append(check_event(game, each))
        if each.n in game.counted:
            count_anyway(game, each, checks[-1])
    game.open = None if dice_on_table is not None else game.open
    sequence = sequence_of(game, event)
    verdicts = ["illegal" if check.faults or check.doubts else "legal" for check in checks]
    _pay_in_turn(game, event, checks, verdicts)
    outcomes: list[str] = []
    for k in sequence:
        outcomes.append(_resolve(game, event.inner[k - 1], verdicts[k - 1], dice_on_table))
        if outcomes[-1] == "not allowed":
            verdicts[k - 1] = "illegal"
    game.order.append(Order(event.n, sequence, outcomes, verdicts))
    return _ruling(game, event, checks, sequence, verdicts, outcomes)


def _pay_in_turn(game: Game, event: Event, checks: list[Check], verdicts: list[str]) -> None:
    """Pay for the actions in the order declared; what an earlier action took is no longer there."""
    taken: dict[str, tuple[int, int]] = {}
    for k, each in enumerate(event.inner):
        if verdicts[k] == "illegal":
            continue
        player = game.players[each.by]
        cp, cards = _price(game, each, player)
        cp_before, cards_before = taken.get(each.by, (0, 0))
        if player.cp < cp_before + cp:
            checks[k].fault(("DT-CP-03",), "not_enough_cp", need=cp, has=player.cp - cp_before)
        if player.hand < cards_before + cards:
            checks[k].fault(("DT-CARD-05",), "no_card_in_hand", player=each.by)
        if checks[k].faults:
            verdicts[k] = "illegal"
        else:
            taken[each.by] = (cp_before + cp, cards_before + cards)
    for k, each in enumerate(event.inner):
        if verdicts[k] == "legal" and each.verb == "play":
            pay_card(game, each, game.players[each.by])


def _price(game: Game, event: Event, player: Player) -> tuple[int, int]:
    """CP and cards that an action takes."""
    if event.verb == "play" and isinstance(event.thing, Card) and event.thing.kind == "upgrade":
        event = as_upgrade(event, event.thing)
    if event.verb == "play":
        return cost_of(event) or 0, 1
    if event.verb == "upgrade":
        return upgrade_cost(game, event, player, level_of(event, player))[0] or 0, 1
    if event.verb == "pay":
        return price_of(event) or 0, 0
    return 0, event.value if event.verb == "sell" else 0


def _show_dice(game: Game, event: Event) -> Open | None:
    """Put the dice of one action on the table before it resolves, if another action changes them."""
    wanted = any(_changes_a_roll(each) for each in event.inner)
    roller = next(
        (each for each in event.inner if each.dice and each.verb != "roll" and not each.changes), None
    )
    if not wanted or roller is None or game.open is not None:
        return None
    context = Context(roller.n, game.players[roller.by], "does")
    context.dice = list(roller.dice)
    game.open = Open(roller.n, context, roller.text or (), "effect")
    return game.open


def _changes_a_roll(event: Event) -> bool:
    """Whether the event alters dice that were rolled for an effect, a defence or an Upkeep status."""
    return any(change.of not in ("offensive", "targeting") for change in event.changes)


def _resolve(game: Game, event: Event, verdict: str, shown: Open | None) -> str:
    if verdict == "illegal":
        return "not allowed"
    if _changes_a_roll(event):
        game.open = shown or game.open
    else:
        if game.open is not shown:
            close_open(game)
        conclude_instances(game)
    if shown is not None and event.n == shown.n:
        event = replace(event, dice=tuple(shown.context.dice))
        game.open = None
    player = game.players[event.by]
    if player.dead or game.over:
        return "no effect"
    game.fizzled = False
    VERBS[event.verb].do(game, event, player)
    if game.open is shown:
        game.open = None
    if game.verdict == "illegal":  # a choice that could not be made: the others go on
        game.verdict = "legal"
        return "not allowed"
    return "no effect" if game.fizzled else "resolves"


def _ruling(
    game: Game,
    event: Event,
    checks: list[Check],
    sequence: list[int],
    verdicts: list[str],
    outcomes: list[str],
) -> EventRuling:
    rules = list(_RULES[game.edition.priority][event.timing])
    if game.edition.spending_is_instant and any(each.verb == "spend" for each in event.inner):
        rules.extend(("DT-TIME-11", "DT-TIME-12", "DT-TIME-13"))
    if any(kind_of(game, each) == "normal" for each in event.inner):
        rules.append("DT-TIME-15")
    if game.edition.priority == "clockwise" and any(each.verb == "play" for each in event.inner):
        rules.append("DT-TIME-04")
    if game.edition.priority == "active-first" and len({each.by for each in event.inner}) > 2:
        rules.append("DT-TIME-16")
    reasons = [Message("collide_order", order=sequence)]
    for k, check in enumerate(checks):
        for message, cited in (*check.faults, *check.doubts):
            reasons.append(Message("collide_inner", k=k + 1, why=message))
            rules.extend(cited)
        if verdicts[k] == "legal":
            rules.extend(check.rules)
    for k, outcome in zip(sequence, outcomes, strict=True):
        if outcome == "no effect":
            reasons.append(Message("collide_no_effect", k=k))
    reasons.extend(game.notes)
    rules.extend(game.cited)
    all_illegal = all(verdict == "illegal" for verdict in verdicts)
    verdict = "illegal" if all_illegal else game.verdict
    return EventRuling(event.n, verdict, list(dict.fromkeys(rules)), reasons)

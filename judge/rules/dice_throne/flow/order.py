"""The order of actions that meet (rules DT-TIME): priority, interrupts, and what must lie there first."""

from __future__ import annotations

from judge.rules.catalog import Card
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import DEFENSIVE_WORDS, Check, awaits_damage, is_ultimate

# Which kind of action may interrupt which, under "what has begun completes".
_INTERRUPTS_2_2 = {
    "normal": ("instant", "roll", "spend"),
    "roll": ("spend",),
    "spend": (),
    "instant": (),
}
_DAMAGE = words_that(Trait.DAMAGE) | {"explode"}
# The steps that put dice on the table or fix the choice made by them.
_LAYS = {"offensive": ("roll", "announce", "activate"), "targeting": ("target",)}
_STEPS = frozenset(("roll", "announce", "activate", "target", "defend"))


class Meeting:
    """One collision: its actions in the order declared, what speaks against each, what each must follow."""

    def __init__(self, game: Game, event: Event, actions: tuple[Event, ...], checks: list[Check]) -> None:
        self.event, self.actions, self.checks = event, actions, checks
        self.is_answer = event.timing == "in-answer"
        self.unpaid: set[int] = set()
        self.after = [self._follows(game, k) for k in range(len(actions))]

    def is_judged_later(self, k: int) -> bool:
        """Whether an action is judged at its turn: it answers a step of the turn, or needs that step."""
        if self.is_answer and any(self._is_awaited(k, j) for j in range(k)):
            return True
        return bool(self.after[k]) and bool(self.checks[k].faults)

    def _is_awaited(self, k: int, j: int) -> bool:
        """Whether an answer needs what an earlier action does: a step of the turn, or dice it changes."""
        return j in self.after[k] or changes_the_same(self.actions[k], self.actions[j])

    def is_refused(self, k: int) -> bool:
        """Whether the action cannot be taken whatever the others do."""
        return not self.checks[k].is_passed and not self.is_judged_later(k)

    def is_declared(self, k: int) -> bool:
        """Whether the action was legal when it was declared."""
        return self.checks[k].is_passed and not self.is_judged_later(k) and k not in self.unpaid

    def is_tried(self, k: int) -> bool:
        """Whether the action gets its turn: it was legal when declared, or is judged only then."""
        return k not in self.unpaid and (self.is_declared(k) or self.is_judged_later(k))

    def _follows(self, game: Game, k: int) -> set[int]:
        others = [j for j in range(len(self.actions)) if j != k]
        return {j for j in others if self._must_follow(game, k, j)}

    def _must_follow(self, game: Game, k: int, j: int) -> bool:
        late, early = self.actions[k], self.actions[j]
        if self.is_answer and j > k:
            return game.dice is None and early.verb == "roll" and alters(late, early)
        if early.verb == "choose" and late.verb != "choose":  # a choice completes what was done before
            return True
        if alters(late, early) or _answers_damage(game, late, early):
            return True
        if self.is_answer and _answers_an_ultimate(game, late, early):
            return True
        return bool(self.checks[k].faults) and early.verb in _STEPS


def _answers_an_ultimate(game: Game, late: Event, early: Event) -> bool:
    is_opponent = game.is_opponent(game.players[late.by], game.players[early.by])
    return is_opponent and activates_an_ultimate(early)


def alters(late: Event, early: Event) -> bool:
    """Whether the later action changes dice that the earlier one lays on the table or has chosen by."""
    return any(early.verb in _LAYS.get(change.of, ()) for change in late.changes)


def changes_the_same(late: Event, early: Event) -> bool:
    """Whether both actions change the same die."""
    dice = {(change.whose, change.of, change.die) for change in early.changes}
    return any((change.whose, change.of, change.die) in dice for change in late.changes)


def _answers_damage(game: Game, late: Event, early: Event) -> bool:
    """Whether a prevention has no damage to prevent before the other action deals it."""
    if not late.words & DEFENSIVE_WORDS:
        return False
    if late.against == early.n:
        return True
    if not early.words & _DAMAGE:
        return False
    names = late.on or (late.by,)
    return not any(awaits_damage(game, game.players[name]) for name in names)


def activates_an_ultimate(event: Event) -> bool:
    return event.verb == "activate" and is_ultimate(event)


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


def sequence_of(game: Game, meeting: Meeting) -> list[int]:
    """Places inside the collide, counted from 0, in the order in which they resolve."""
    order = _answered(game, meeting) if meeting.is_answer else _at_once(game, meeting)
    for k in sorted(order):
        behind = [j for j in meeting.after[k] if order.index(j) > order.index(k)]
        if behind:
            order.remove(k)
            order.insert(max(order.index(j) for j in behind) + 1, k)
    # An answer that cannot be given gets in front of nothing.
    return sorted(order, key=meeting.is_refused) if meeting.is_answer else order


def _at_once(game: Game, meeting: Meeting) -> list[int]:
    def rank(k: int) -> tuple[bool, int]:
        action = meeting.actions[k]
        is_late = game.edition.priority == "active-first" and kind_of(game, action) == "normal"
        return is_late, _place(game, action)

    return sorted(range(len(meeting.actions)), key=rank)


def _answered(game: Game, meeting: Meeting) -> list[int]:
    """Each action goes in front of the first one it may interrupt, but not of what it must follow."""
    actions, order = meeting.actions, [0]
    for k in range(1, len(actions)):
        first = max((order.index(j) + 1 for j in meeting.after[k] if j in order), default=0)
        place = next(
            (i for i in range(first, len(order)) if interrupts(game, actions[k], actions[order[i]])),
            len(order),
        )
        order.insert(place, k)
    return order

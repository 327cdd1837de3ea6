"""Rules on a Dice Forge table: replays every event in order; an illegal event leaves no trace.

Nothing in Dice Forge is done in answer to another action, so a collision is always settled in turn order,
whatever timing the file gives it; the ruling says so. Rolls that a card gives but the file never enters are
asked for, not refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, islice

from judge.core.games import DICE_FORGE
from judge.core.messages import Message
from judge.rules.dice_forge.actions import feat, offer, reinforce
from judge.rules.dice_forge.blessings import bless, minor
from judge.rules.dice_forge.claims import judge_claim
from judge.rules.dice_forge.desk import UNSETTLED, Desk, Picks
from judge.rules.dice_forge.may import open_verbs
from judge.rules.dice_forge.reserves import gain
from judge.rules.dice_forge.scoring import outcome
from judge.rules.dice_forge.setup import is_fresh, setup_steps
from judge.rules.dice_forge.state import State
from judge.rules.dice_forge.table import Event, Table
from judge.rules.dice_forge.tokens import spend_token
from judge.rules.dice_forge.turn import advance
from judge.rules.dice_forge.written import (
    ForgeExtra,
    ForgeRuling,
    PlayerReport,
    TurnReport,
    forge_extra,
    player_report,
    turn_report,
)
from judge.rules.ruling import Ask, EventRuling, Order, Reading, Record, Ruling, Verdict

# the step each verb belongs to; while the file leaves the step open, an event sets it
HOME_STEP = {"reinforce": 2, "offer": 3, "feat": 3}
_TURN_ORDER = ("DF-PRIO-01", "DF-PRIO-02", "DF-PRIO-03")


def does(desk: Desk, event: Event) -> None:
    """Anything else done at the table, taken as the file says."""
    desk.say("df_does", (), who=event.by, what=event.value)
    picks = Picks(event.choices)
    if event.gain:
        gain(desk, desk.state.players[event.by], event.gain, picks, ())
    picks.refuse_leftovers(desk)


VERBS: dict[str, Callable[[Desk, Event], None]] = {
    "bless": bless,
    "minor": minor,
    "reinforce": reinforce,
    "offer": offer,
    "feat": feat,
    "token": spend_token,
    "does": does,
    "advance": advance,
}


class Game:
    """The replay of one table's events, up to event number `after` if given."""

    def __init__(self, table: Table, after: int | None) -> None:
        self.table, self.after = table, after
        self.state: State = table.start.copy()
        self.record = Record()
        self.step_open = not table.step_known
        self.unsettled: list[str] = []
        # where to look for rolls of the same step 1 that are entered later
        self.done = 0
        self.beside: list[Event] = []
        if is_fresh(self.state, table.catalog):
            self.record.steps += setup_steps(self.state, table.catalog)
        for event in table.events[:after]:
            self.done += 1
            if event.verb == "collide":
                self._collide(self.done, event)
            else:
                self._note(self.done, *self._one(self.done, event))

    def _one(self, n: int | str, event: Event, gone: set[str] | None = None) -> tuple[Verdict, Desk]:
        # an advance is never refused, so nothing needs to be restored
        before = self.state if event.verb == "advance" else self.state.copy()
        desk = Desk(n, self.state, self.table.catalog, self.table.rulings, self._coming)
        desk.gone = gone
        if self.state.ended:
            desk.refuse("df_over", "DF-END-01")
        else:
            self._open_step(event)
            VERBS[event.verb](desk, event)
        verdict: Verdict = "illegal" if desk.refusals else "discretion" if desk.open else "legal"
        if desk.refusals:
            self.state = before
            desk.open.clear()
        self._explain(n, desk)
        return verdict, desk

    def _open_step(self, event: Event) -> None:
        """Set a step that the file leaves open to the one the event belongs to; it never goes back.

        Blessings that are not entered count as done, so a turn that has just begun may continue with any
        step; a file that enters the steps one by one is held to them.
        """
        if self.step_open and event.by == self.state.active:
            self.state.step = max(self.state.step, HOME_STEP.get(event.verb, 1))
        if event.verb == "advance":
            self.step_open = event.value != "step"

    def _explain(self, n: int | str, desk: Desk) -> None:
        self.record.steps += desk.refusals or desk.lines
        for point in desk.points:
            # an illegal event rests only on the points its refusal cites
            if desk.refusals and not any(point in line.rules for line in desk.refusals):
                continue
            if point not in self.record.discretion:
                self.record.discretion.append(point)
        for point in desk.open:
            if point not in self.unsettled:
                self.unsettled.append(point)
        if not desk.refusals:
            self.record.asks += [Ask(n, fact, says) for fact, says in desk.asks]

    def _note(self, n: int, verdict: Verdict, desk: Desk) -> None:
        lines = desk.refusals or desk.lines
        rules = {rule: None for line in lines for rule in line.rules}
        self.record.events.append(EventRuling(n, verdict, list(rules), [line.says for line in lines]))

    def _coming(self, player: str) -> tuple[str, ...] | None:
        """A player's step-1 roll that is entered later: all players roll at the same time."""
        for event in chain(self.beside, islice(self.table.events, self.done, None)):
            if event.verb == "advance":
                return None
            for action in event.inner or (event,):
                if action.verb == "bless" and action.by == player and action.cause in (None, "step-1"):
                    faces: tuple[str, ...] = action.value
                    return faces
        return None

    def _collide(self, n: int, event: Event) -> None:
        """Settle simultaneous actions in turn order from the active player (DF-PRIO-01)."""
        seats = self.state.from_active()
        order = sorted(range(len(event.inner)), key=lambda at: seats.index(event.inner[at].by))
        gone: set[str] = set()
        results: dict[int, tuple[Verdict, Desk]] = {}
        for place, at in enumerate(order):
            self.beside = [event.inner[later] for later in order[place + 1 :]]
            results[at] = self._one(f"{n}.{at + 1}", event.inner[at], gone)
        self.beside = []
        self.record.order.append(
            Order(
                n,
                sequence=[at + 1 for at in order],
                outcomes=[_outcome(*results[at]) for at in order],
                verdicts=[results[at][0] for at in sorted(results)],
                rules=_TURN_ORDER,
            )
        )
        self._note_collision(n, event, order, results)

    def _note_collision(
        self, n: int, event: Event, order: list[int], results: dict[int, tuple[Verdict, Desk]]
    ) -> None:
        verdicts = {verdict for verdict, _ in results.values()}
        verdict: Verdict = "illegal" if verdicts == {"illegal"} else "legal"
        rules = dict.fromkeys(_TURN_ORDER)
        key = "df_turn_order" if event.timing == "at-once" else "df_no_answers"
        says = [Message(key, players=[event.inner[at].by for at in order])]
        for at in order:
            desk = results[at][1]
            for line in desk.refusals or desk.lines:
                rules.update(dict.fromkeys(line.rules))
                says.append(line.says)
        self.record.events.append(EventRuling(n, verdict, list(rules), says))

    def allowed(self, asked: Sequence[Event]) -> list[bool]:
        """Which of these events would be legal now, each by itself; asking leaves no trace in the ruling."""
        kept = self.record, self.state, self.unsettled, self.step_open
        verdicts = []
        for event in asked:
            self.record, self.unsettled = Record(), []
            self.state, self.step_open = kept[1].copy(), kept[3]
            verdicts.append(self._one(self.done + 1, event)[0])
        self.record, self.state, self.unsettled, self.step_open = kept
        return [verdict != "illegal" for verdict in verdicts]

    def finish(self) -> ForgeRuling:
        state, catalog = self.state, self.table.catalog
        return Ruling(
            self.table.id,
            DICE_FORGE,
            self.table.edition,
            players={name: player_report(player) for name, player in state.players.items()},
            turn=turn_report(state),
            record=self.record,
            may=open_verbs(state, catalog, self.table.rulings),
            outcome=outcome(state, catalog),
            lost=state.lost,
            claims=[judge_claim(claim, state, catalog) for claim in self.table.claims],
            extra=forge_extra(state, catalog, self.table.rulings),
        )


def _outcome(verdict: Verdict, desk: Desk) -> str:
    if verdict == "illegal":
        return "not allowed"
    too_late = any(line.says.key == "df_ship_too_late" for line in desk.lines)
    return "no effect" if too_late else "resolves"


def rule(table: Table, after: int | None = None) -> ForgeRuling:
    """The ruling on a table, or on its first `after` events."""
    return ruling_of(Game(table, after))


def ruling_of(game: Game) -> ForgeRuling:
    """The ruling on a replayed game, with every reading of an open point worked out to the end."""
    ruling = game.finish()
    if game.unsettled:
        ruling.readings = [
            _reading(game.table, game.after, point, letter, game.unsettled)
            for point in game.unsettled
            for letter in UNSETTLED[point]
        ]
    return ruling


def _reading(
    table: Table, after: int | None, point: str, letter: str, unsettled: list[str]
) -> Reading[PlayerReport, TurnReport, ForgeExtra]:
    """One reading of an open point worked out to the end; other open points keep their first reading."""
    first = {other: UNSETTLED[other][0] for other in unsettled}
    settled = {**first, **table.rulings, point: letter}
    says = Message(f"df_reading_{point[-2:]}_{letter}")
    return Reading(point, letter, says, Game(replace(table, rulings=settled), after).finish())

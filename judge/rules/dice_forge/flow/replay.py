"""Replays the events of a Dice Forge table in the order of the rules; an illegal event leaves no trace.

Nothing in Dice Forge is done in answer to another action, so a collision is always settled in turn order,
whatever timing the file gives it; the ruling says so. Rolls that a card gives but the file never enters are
asked for, not refused. The blessing of an ousted player may be entered after the feat that ousts: it is
settled inside that feat, where it belongs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from judge.core.budget import spend
from judge.core.messages import Message
from judge.rules.dice_forge.faces.kinds import buy_later
from judge.rules.dice_forge.flow.setup import is_fresh, setup_steps
from judge.rules.dice_forge.flow.step_one import (
    ACTIONS,
    Atom,
    Result,
    StepOne,
    length_of_step_1,
    shows_mirror,
)
from judge.rules.dice_forge.flow.supposed import MOST_SUPPOSED, Refused
from judge.rules.dice_forge.flow.turn import advance
from judge.rules.dice_forge.state.desk import Desk
from judge.rules.dice_forge.state.model import State
from judge.rules.dice_forge.state.table import Event, Table
from judge.rules.dice_forge.verbs.actions import feat, offer, reinforce
from judge.rules.dice_forge.verbs.blessings import bless, minor, step_1_blessings
from judge.rules.dice_forge.verbs.corrections import does
from judge.rules.dice_forge.verbs.tokens import spend_token
from judge.rules.ruling import Ask, EventRuling, Order, Record, Step, Verdict

# The step each verb belongs to. Nobody announces steps: the optional ones are passed by doing what comes
# after them, and none is ever gone back to (DF-TURN-02, DF-TURN-03).
HOME_STEP = {"reinforce": 2, "offer": 3, "feat": 3}
_TURN_ORDER = ("DF-PRIO-01", "DF-PRIO-02", "DF-PRIO-03")
MOST_DECIDING = 3

VERBS: dict[str, Callable[[Desk, Event], None]] = {
    "bless": bless,
    "minor": minor,
    "reinforce": reinforce,
    "offer": offer,
    "feat": feat,
    "token": spend_token,
    "ship": buy_later,
    "does": does,
    "advance": advance,
}


class ByLines(EventRuling):
    """The ruling on one event, by the lines of its desk: they are put into words when it is read."""

    __slots__ = ("_lines",)

    def __init__(self, n: int, desk: Desk) -> None:
        self.n, self.verdict = n, verdict_of(desk)
        self._lines = desk.own_lines if desk.early or desk.refusals else desk.lines
        self.decides = deciding(desk.refusals) if desk.refusals else []

    @property
    def rules(self) -> list[str]:
        return list(dict.fromkeys([rule for line in self._lines for rule in line.rules]))

    @property
    def reasons(self) -> list[Message]:
        return [line.says for line in self._lines]


class Game:
    """The replay of one table's events, up to event number `after` if given."""

    def __init__(self, table: Table, after: int | None) -> None:
        self.table, self.after = table, after
        # events from here on are not ruled on; their rolls lie on the table if they belong to the same step 1
        self.last = len(table.events) if after is None else min(after, len(table.events))
        self.state: State = table.start.copy()
        self.record = Record()
        self.record.asks += [Ask(0, doubt.fact, doubt.says) for doubt in table.doubts]
        self.unsettled: list[str] = []
        self.done = 0
        # illegal events with the table before them, kept only where a claim may rest on one
        self.refused: list[Refused] = []
        # events settled inside an earlier one, by their number
        self.early: dict[int, Desk] = {}
        if is_fresh(self.state, table.catalog):
            self.record.steps += setup_steps(self.state, table.catalog)
        while self.done < self.last:
            self._continue()

    def _continue(self) -> None:
        """Rule on the next event, or on all events of a step 1."""
        events = self.table.events
        count = length_of_step_1(events, self.done, self.state)
        if count:
            numbered = enumerate(islice(events, self.done, self.done + count), start=self.done + 1)
            atoms = [atom for n, event in numbered for atom in _atoms(n, event)]
            self.done = min(self.done + count, self.last)
            self._note_step_1(self._step_1(atoms))
            return
        event = events[self.done]
        self.done += 1
        if self.done in self.early:
            desk = self.early.pop(self.done)
            self._remember(desk)
            self._note(self.done, desk)
        elif event.verb == "collide":
            self._collide(self.done, event)
        else:
            desk = self.run(Atom(self.done, self.done, event), {}, closes=True)
            self._explain(desk)
            self._note(self.done, desk)

    def run(self, atom: Atom, gone: dict[str, str], closes: bool = False) -> Desk:
        """Rule on one event. `gone` are faces bought at this same moment, with their buyers.

        An event that `closes` ends what others could do only right after their rolls.
        """
        spend()
        event, table = atom.event, self.table
        # an advance changes nothing if it is refused
        before = None if event.verb == "advance" else self.state.kept()
        desk = Desk(atom.at, self.state, table.catalog, table.rulings, self)
        desk.gone = gone
        if self.state.ended:
            desk.refuse("df_over", "DF-END-01")
        else:
            if closes:
                self.state.close_rolls(but=event.by)
            self._open_step(event)
            VERBS[event.verb](desk, event)
        if desk.refusals:
            if before is not None:
                self.state.restore(before)
            desk.open.clear()
            if table.claims and len(self.refused) < MOST_SUPPOSED:
                desk.about = Refused(atom.at, event, self.state.copy(), tuple(deciding(desk.refusals)))
        return desk

    def _open_step(self, event: Event) -> None:
        state = self.state
        if event.by == state.active and event.verb in HOME_STEP:
            state.step = max(state.step, HOME_STEP[event.verb])

    # ------------------------------------------------------------ what the file enters later

    def _until_next_action(self) -> Iterator[tuple[int, Event]]:
        """The events after the present one, by number, up to the next action or step."""
        for n, event in enumerate(islice(self.table.events, self.done, None), start=self.done + 1):
            if event.verb == "advance" or event.verb in ACTIONS:
                return
            yield n, event

    def minors(self, player: str) -> list[tuple[str, int | None]]:
        """A player's minor blessings that are entered next: face, and the die if it is named."""
        events = (event for _, event in self._until_next_action())
        return [(event.value, event.die) for event in events if event.verb == "minor" and event.by == player]

    def bless_ousted(self, desk: Desk, player: str) -> None:
        """Settle the blessing of an ousted player that is entered after the feat (DF-OUST-03)."""
        is_blessed = False
        for n, event in self._until_next_action():
            if n > self.last:
                return
            if is_blessed and (event.by != player or event.verb not in ("token", "ship")):
                return
            if is_blessed or (event.verb == "bless" and event.by == player and event.cause in (None, "oust")):
                is_blessed = self._settle_early(desk, n, event)
                if not is_blessed:
                    return

    def _settle_early(self, desk: Desk, n: int, event: Event) -> bool:
        """Settle a later event now, unless it is illegal: then it is ruled on in its own place."""
        trial = Desk(n, desk.state.copy(), desk.catalog, desk.rulings, self)
        VERBS[event.verb](trial, event)
        if trial.refusals:
            return False
        inner = Desk(n, desk.state, desk.catalog, desk.rulings, self)
        VERBS[event.verb](inner, event)
        desk.lines += inner.lines
        desk.early[n] = inner
        return True

    # ------------------------------------------------------------ the record

    def _explain(self, desk: Desk) -> None:
        if desk.refusals and desk.about is not None:
            self.refused.append(desk.about)
        self.record.steps += desk.told if desk.refusals else desk.lines
        self._remember(desk)
        if desk.early and not desk.refusals:
            self.early.update(desk.early)

    def _remember(self, desk: Desk) -> None:
        """Note the open points and the questions of an event."""
        for point in desk.points:
            # an illegal event rests only on the points its refusal cites
            if desk.refusals and not any(point in line.rules for line in desk.refusals):
                continue
            if point not in self.record.discretion:
                self.record.discretion.append(point)
        for point in desk.open:
            if point not in self.unsettled:
                self.unsettled.append(point)
        if desk.asks and not desk.refusals:
            self.record.asks += [Ask(desk.at[0], fact, says) for fact, says in desk.asks]

    def _note(self, n: int, desk: Desk) -> None:
        self.record.events.append(ByLines(n, desk))

    # ------------------------------------------------------------ what happens at once

    def _step_1(self, atoms: list[Atom]) -> StepOne:
        """Settle a step 1; again without it, where a Mirror saw a roll that turned out to be illegal."""
        start = self.state.copy() if shows_mirror(atoms, self.table.catalog) else self.state
        rejected: dict[int, Desk] = {}
        while True:
            times = step_1_blessings(self.state, self.table.rulings)
            step = StepOne(self, self.table.catalog, atoms, times, self.last, rejected)
            step.settle()
            if step.misleading is None:
                return step
            rejected[step.misleading] = step.results[step.misleading].desk
            self.state = start.copy()

    def _note_step_1(self, step: StepOne) -> None:
        for result in step.order:
            self._explain(result.desk)
        seats = self.state.from_active()
        lines: dict[int, list[Result]] = {}
        for _, result in sorted(step.results.items()):
            lines.setdefault(result.atom.top, []).append(result)
        for n, results in lines.items():
            if self.table.events[n - 1].verb == "collide":
                order = sorted(results, key=lambda result: seats.index(result.atom.event.by))
                self._note_collision(n, results, order)
            else:
                self._note(n, results[0].desk)

    def _collide(self, n: int, event: Event) -> None:
        """Settle simultaneous actions in turn order from the active player (DF-PRIO-01)."""
        seats = self.state.from_active()
        atoms = _atoms(n, event)
        gone: dict[str, str] = {}
        order = []
        for atom in sorted(atoms, key=lambda atom: seats.index(atom.event.by)):
            order.append(Result(atom, self.run(atom, gone)))
            self._explain(order[-1].desk)
        owners = {result.atom.event.by for result in order if result.is_legal}
        for name in self.state.players:
            if owners and name not in owners:
                self.state.close_roll(name)
        declared = sorted(order, key=lambda result: atoms.index(result.atom))
        self._note_collision(n, declared, order)

    def _note_collision(self, n: int, declared: list[Result], order: list[Result]) -> None:
        too_late = any(_is_too_late(result.desk) for result in order)
        decides = ["DF-PRIO-01", "DF-FACE-13" if too_late else "DF-PRIO-03"]
        self.record.order.append(
            Order(
                n,
                sequence=[declared.index(result) + 1 for result in order],
                outcomes=[_outcome(result.desk) for result in order],
                verdicts=[verdict_of(result.desk) for result in declared],
                rules=_TURN_ORDER,
                decides=decides,
            )
        )
        lines = [line for result in order for line in result.desk.own_lines]
        rules = [*_TURN_ORDER, *(rule for line in lines for rule in line.rules)]
        key = "df_turn_order" if self.table.events[n - 1].timing == "at-once" else "df_no_answers"
        says = [Message(key, players=[result.atom.event.by for result in order])]
        says += [line.says for line in lines]
        is_illegal = all(not result.is_legal for result in order)
        refusals = [line for result in order for line in result.desk.refusals] if is_illegal else []
        verdict: Verdict = "illegal" if is_illegal else "legal"
        self.record.events.append(EventRuling(n, verdict, rules, says, deciding(refusals)))

    def allowed(self, asked: Sequence[Event]) -> list[bool]:
        """Which of these events would be legal now, each by itself; asking leaves no trace in the ruling."""
        kept = self.state
        verdicts = []
        for event in asked:
            self.state = kept.copy()
            desk = self.run(Atom(self.done + 1, self.done + 1, event), {}, closes=True)
            verdicts.append(not desk.refusals)
        self.state = kept
        return verdicts


def _atoms(n: int, event: Event) -> list[Atom]:
    if event.verb != "collide":
        return [Atom(n, n, event)]
    return [Atom(f"{n}.{k}", n, inner) for k, inner in enumerate(event.inner, start=1)]


def verdict_of(desk: Desk) -> Verdict:
    return "illegal" if desk.refusals else "discretion" if desk.open else "legal"


def deciding(refusals: Sequence[Step]) -> list[str]:
    """The rules to point at: the first one of every reason, then what else the first reason cites."""
    first = [line.rules[0] for line in refusals if line.rules]
    rest = refusals[0].rules if refusals else ()
    return list(dict.fromkeys((*first, *rest)))[:MOST_DECIDING]


def _is_too_late(desk: Desk) -> bool:
    return any(line.key == "df_ship_too_late" for line in desk.lines)


def _outcome(desk: Desk) -> str:
    if desk.refusals:
        return "not allowed"
    return "no effect" if _is_too_late(desk) else "resolves"

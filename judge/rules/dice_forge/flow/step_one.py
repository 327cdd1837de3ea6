"""Step 1 in the order of the book: all roll at once, then turn order from the active player decides.

Blessings of one step 1 may be entered in any order and one player after the other; here each is given its
roll (with two players there are two) and its turn. What a player does right after a blessing stays with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from judge.rules.dice_forge.state.catalog import Catalog
from judge.rules.dice_forge.state.desk import Desk
from judge.rules.dice_forge.state.model import State
from judge.rules.dice_forge.state.table import Event

ACTIONS = ("reinforce", "offer", "feat")
MOST_TRIES = 8  # how often a step begins again because a Mirror saw a roll that turned out to be illegal

Lay = tuple[tuple[str | None, str | None], frozenset[int]]


@dataclass(slots=True, eq=False)
class Atom:
    """One event of a step or a collision. `at` is its number in the ruling, `top` that of its line."""

    at: int | str
    top: int
    event: Event


@dataclass(slots=True, eq=False)
class Result:
    """What became of one event."""

    atom: Atom
    desk: Desk

    @property
    def is_legal(self) -> bool:
        return not self.desk.refusals


class Replaying(Protocol):
    """What settles a single event; an illegal one leaves the state as it was."""

    state: State

    def run(self, atom: Atom, gone: dict[str, str]) -> Desk: ...


def is_step_1_blessing(event: Event, state: State) -> bool:
    if event.verb != "bless" or state.step != 1 or event.cause not in (None, "step-1"):
        return False
    return event.cause == "step-1" or state.due_to(event.by, "bless") is None


def length_of_step_1(events: Sequence[Event], start: int, state: State) -> int:
    """How many events from `start` on belong to this step 1; 0 if no blessing comes first."""
    first = events[start]
    if state.step != 1 or state.ended:
        return 0
    if not [event for event in first.inner or (first,) if is_step_1_blessing(event, state)]:
        return 0
    for end in range(start + 1, len(events)):
        event = events[end]
        if event.verb == "advance" or (event.verb in ACTIONS and event.by == state.active):
            return end - start
    return len(events) - start


def shows_mirror(atoms: Sequence[Atom], catalog: Catalog) -> bool:
    """Whether one of these blessings shows a Mirror."""
    for atom in atoms:
        if atom.event.verb == "bless":
            for face in atom.event.value:
                if catalog.faces[face].kind == "copy_displayed":
                    return True
    return False


@dataclass(slots=True)
class StepOne:
    """The events of one step 1. Those after number `last` only show their dice and are not ruled on.

    `rejected` are blessings known to be illegal from earlier tries.
    """

    game: Replaying
    catalog: Catalog
    atoms: list[Atom]
    times: int
    last: int
    rejected: dict[int, Desk]
    results: dict[int, Result] = field(default_factory=dict)
    order: list[Result] = field(default_factory=list)
    # a blessing that turned out to be illegal after a Mirror had seen its dice
    misleading: int | None = None
    _waiting: dict[str, deque[int]] = field(default_factory=dict)
    _following: dict[int, list[int]] = field(default_factory=dict)
    # the last blessing of the same player before each of the other events
    _since: dict[int, int] = field(default_factory=dict)
    _tried: dict[int, bool] = field(default_factory=dict)
    # by player and blessing: how far the events since then were looked at, and whether one closed it
    _looked: dict[tuple[str, int], int] = field(default_factory=dict)
    _late: set[tuple[str, int]] = field(default_factory=set)

    def settle(self) -> None:
        self._sort()
        for roll in range(1, self.times + 1):
            self._roll(roll)
            if self.misleading is not None:
                return
        for at in sorted(at for queue in self._waiting.values() for at in queue if self._is_ruled_on(at)):
            self._rule(at, {})
            self._follow(at)
        self._close()

    def _is_ruled_on(self, at: int) -> bool:
        return self.atoms[at].top <= self.last

    def _sort(self) -> None:
        """Queue the blessings by player; anything else follows what its player did last."""
        last: dict[str, int] = {}
        before = 0
        for at, atom in enumerate(self.atoms):
            by = atom.event.by
            if is_step_1_blessing(atom.event, self.game.state):
                self._waiting.setdefault(by, deque()).append(at)
                last[by] = before = at
            else:
                self._since[at] = last.get(by, -1)
                self._following.setdefault(last.get(by, before), []).append(at)

    def _roll(self, roll: int) -> None:
        """All who are blessed show their dice, then each applies them in turn order (DF-PRIO-01)."""
        blessed = self.game.state.blessed
        seats = [name for name in self.game.state.from_active() if blessed.get(name, 0) < roll]
        lay = {name: self._show(name) for name in seats}
        gone: dict[str, str] = {}
        has_copied = False
        for name in seats:
            queue = self._waiting.get(name)
            while queue and self._is_ruled_on(queue[0]) and self.game.state.blessed.get(name, 0) < roll:
                at = queue.popleft()
                if self._rule(at, gone).is_legal:
                    has_copied = has_copied or self._has_mirror(at)
                elif has_copied and at not in self.rejected and len(self.rejected) < MOST_TRIES:
                    self.misleading = at
                    return
                else:
                    self._put_back(name, lay[name])
                    self._show(name)
                self._follow(at)
        for name in seats:
            if self.game.state.blessed.get(name, 0) < roll:
                self._put_back(name, lay[name])

    def _put_back(self, name: str, lay: Lay) -> None:
        player = self.game.state.players[name]
        player.shown, player.laid = lay

    def _show(self, name: str) -> Lay:
        """Turn a player's dice to the next roll that is possible. Returns how they lay before."""
        player = self.game.state.players[name]
        lay = player.shown, player.laid
        for at in self._waiting.get(name, ()):
            first, second = self.atoms[at].event.value
            if at not in self.rejected and first in player.dice[0] and second in player.dice[1]:
                player.shown, player.laid = (first, second), frozenset()
                break
        return lay

    def _has_mirror(self, at: int) -> bool:
        return shows_mirror(self.atoms[at : at + 1], self.catalog)

    def _rule(self, at: int, gone: dict[str, str]) -> Result:
        result = Result(self.atoms[at], self.rejected.get(at) or self.game.run(self.atoms[at], gone))
        self.results[at] = result
        self.order.append(result)
        return result

    def _follow(self, at: int) -> None:
        for later in self._following.get(at, ()):
            if not self._is_ruled_on(later):
                return
            if self._is_late(later):
                self.game.state.close_roll(self.atoms[later].event.by)
            self._rule(later, {})

    def _is_late(self, later: int) -> bool:
        """Whether somebody else did something since the player's last blessing, as it was entered.

        What stands in one collision with that blessing is not later than it.
        """
        by, since = self.atoms[later].event.by, self._since[later]
        if (by, since) in self._late:
            return True
        beside = self.atoms[since].top if since >= 0 else None
        for at in range(self._looked.get((by, since), since + 1), later):
            atom = self.atoms[at]
            if atom.event.by != by and atom.top != beside and self._would_be_legal(at):
                self._late.add((by, since))
                return True
        self._looked[by, since] = later
        return False

    def _would_be_legal(self, at: int) -> bool:
        """Whether an event is legal; one whose turn has not come yet is tried as if it had."""
        if at in self.results:
            return self.results[at].is_legal
        if at not in self._tried:
            state = self.game.state
            self.game.state = state.copy()
            self._tried[at] = not self.game.run(self.atoms[at], {}).refusals
            self.game.state = state
        return self._tried[at]

    def _close(self) -> None:
        """What the last event of the step leaves open stays open; everything else is closed."""
        legal = [result.atom for result in self.results.values() if result.is_legal]
        last = max((atom.top for atom in legal), default=None)
        owners = {atom.event.by for atom in legal if atom.top == last}
        state = self.game.state
        for name in state.players:
            if legal and name not in owners:
                state.close_roll(name)

"""Judges claims: right, or wrong and which mistake gives that number.

The ruling is worked out again with one deliberate mistake, then with two. An explanation is a list of
mistakes made together; the one with the fewest and commonest mistakes comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

from judge.core.messages import Message
from judge.rules.dice_throne.claims.differing import telling_rules
from judge.rules.dice_throne.claims.mistakes import MISTAKES, SLIPS, Plan, PossibleMistake, possible
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.table import Claim, Label, Table
from judge.rules.dice_throne.sum.dials import Total
from judge.rules.dice_throne.sum.sums import NO_SLIP, Slips, isolated_finals, work_out
from judge.rules.ruling import ClaimReport, MistakeReport

Replay = Callable[[Table, dict[str, str], frozenset[Label]], Game]
Explanation = tuple[PossibleMistake, ...]
# At most this many events are replayed to find explanations; after that only recorded sums are tried.
MOST_EVENTS_REPLAYED = 20_000
MOST_SHOWN = 8


def judge_claims(game: Game, replay: Replay) -> list[ClaimReport]:
    if not game.table.claims:
        return []
    again = _Again(game, replay)
    return [judge_claim(game, claim, again) for claim in game.table.claims]


def judge_claim(game: Game, claim: Claim, again: _Again | None = None) -> ClaimReport:
    """Judge a claim. Without `again`, as in readings, no explanation is sought."""
    true = value_of(game, claim)
    explanations: list[tuple[MistakeReport, ...]] = []
    if claim.value == true:
        says = Message("claim_right", n=true)
    elif again is None:
        says = Message("claim_wrong_here", n=true)
    else:
        explanations = [
            tuple(mistake.report() for mistake in explanation) for explanation in again.explanations(claim)
        ]
        mistakes = len(explanations[0]) if explanations else 0
        key = ("claim_unexplained", "claim_wrong", "claim_wrong_twice")[mistakes]
        says = Message(key, n=true, claimed=claim.value)
    first = explanations[0] if explanations else ()
    return ClaimReport(claim.by, claim.player, claim.of, claim.value, true, says, first, explanations[1:])


# ------------------------------------------------------------------ the claimed number


def value_of(game: Game, claim: Claim, slips: Slips = NO_SLIP) -> int:
    if claim.of == "returned":
        return _returned(game, claim.player, slips)
    if claim.of == "final":
        return _final(game, claim.player, slips)
    health = game.health_of(game.players[claim.player])
    if not slips:
        return health
    return max(health + _final(game, claim.player) - _final(game, claim.player, slips), 0)


def _final(game: Game, player: str, slips: Slips = NO_SLIP) -> int:
    """The last damage total of that player; isolated damage only if there is no other."""
    last = _last_worked(game, player)
    if last is None:
        return 0
    when, totals = last
    final = work_out(totals, slips, player)[player].final
    if "isolated-in-the-pool" in slips and when != "isolated":
        final += isolated_finals(game.worked, player)
    return final


def _last_worked(game: Game, player: str) -> tuple[str, list[Total]] | None:
    isolated = None
    for when, totals in reversed(game.worked):
        if [total for total in totals if total.pool.player.id == player]:
            if when != "isolated":
                return when, totals
            isolated = isolated or (when, totals)
    return isolated


def _returned(game: Game, player: str, slips: Slips) -> int:
    def returns(totals: list[Total]) -> bool:
        return any(t.pool.player.id == player and t.pool.returns for t in totals)

    mine = [totals for _, totals in game.worked if returns(totals)]
    return work_out(mine[-1], slips, player)[player].returned if mine else 0


# ------------------------------------------------------------------ explanations


class _Again:
    """Replays the table with mistakes; each combination once."""

    def __init__(self, game: Game, replay: Replay) -> None:
        self.game, self.replay = game, replay
        self.start = Plan(game.table, tuple(game.rulings.items()))
        self.mistakes = list(possible(game))
        self._games: dict[tuple[int, ...], Game] = {(): game}
        self.left = MOST_EVENTS_REPLAYED

    def explanations(self, claim: Claim) -> list[Explanation]:
        matching = [
            explanation for explanation in self._alone() if self._value(claim, explanation) == claim.value
        ]
        is_common = any(explanation[0].mistake.cost < _DEAR for explanation in matching)
        if not is_common:
            pairs = [
                explanation for explanation in self._pairs() if self._value(claim, explanation) == claim.value
            ]
            matching += pairs[: max(MOST_SHOWN - len(matching), 1)]  # pairs never push out a single mistake
        matching.sort(key=_cost)
        return [tuple(map(self._with_rules, explanation)) for explanation in matching[:MOST_SHOWN]]

    def _with_rules(self, mistake: PossibleMistake) -> PossibleMistake:
        """Add the rules that differ in the other book."""
        if mistake.mistake.name != "another-edition":
            return mistake
        other = self._replayed([mistake])
        return mistake if other is None else replace(mistake, rules=tuple(telling_rules(self.game, other)))

    def _alone(self) -> Iterator[Explanation]:
        for mistake in (*SLIPS, *self.mistakes):
            yield (mistake,)

    def _pairs(self) -> Iterator[Explanation]:
        """Pairs of mistakes, commonest first, so that a long game's few replays go to the likeliest."""
        common = [mistake for mistake in (*SLIPS, *self.mistakes) if mistake.mistake.cost < _DEAR]
        for first, second in sorted(combinations(common, 2), key=_cost):
            if first.mistake is not second.mistake or first.mistake.name == "illegal-event-counted":
                yield (first, second)

    def _value(self, claim: Claim, explanation: Explanation) -> int | None:
        slips = frozenset(mistake.mistake.name for mistake in explanation if mistake.change is None)
        game = self._replayed([mistake for mistake in explanation if mistake.change is not None])
        return None if game is None else value_of(game, claim, slips)

    def _replayed(self, changes: list[PossibleMistake]) -> Game | None:
        key = tuple(sorted(id(each) for each in changes))
        if key not in self._games:
            self.left -= len(self.game.table.events) + 1
            if self.left < 0:
                return None
            if len(changes) == 1 and changes[0].is_idle:
                return self.game
            plan = self.start
            # Change the book first: another mistake may change something of that book.
            for each in sorted(changes, key=lambda mistake: mistake.mistake.name != "another-edition"):
                assert each.change is not None
                plan = each.change(plan)
            self._games[key] = self.replay(plan.table, dict(plan.rulings), plan.counted)
        return self._games[key]


def _cost(explanation: Explanation) -> int:
    return sum(mistake.mistake.cost for mistake in explanation)


_DEAR = MISTAKES["event-forgotten"].cost

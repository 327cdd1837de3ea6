"""Claims: right, or wrong and which mistake gives that number.

The ruling is worked out again with one deliberate mistake, then with two. An explanation is a list of
mistakes made together; the one with the fewest and commonest stands first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from judge.core.messages import Message
from judge.rules.dice_throne.claims.differing import telling_rules
from judge.rules.dice_throne.claims.mistakes import MISTAKES, SLIPS, Made, Plan, possible
from judge.rules.dice_throne.state.model import Game, Label
from judge.rules.dice_throne.state.table import Claim, Table
from judge.rules.dice_throne.sum.dials import Total
from judge.rules.dice_throne.sum.sums import NO_SLIP, Slips, isolated_finals, work_out

Replay = Callable[[Table, dict[str, str], frozenset[Label]], Game]
Explanation = tuple[Made, ...]
# So many events are replayed in search of explanations; after that only the sums at hand are tried.
MOST_EVENTS_REPLAYED = 20_000
MOST_SHOWN = 8


def judge_claims(game: Game, replay: Replay) -> list[dict[str, Any]]:
    if not game.table.claims:
        return []
    again = _Again(game, replay)
    return [judge_claim(game, claim, again) for claim in game.table.claims]


def judge_claim(game: Game, claim: Claim, again: _Again | None = None) -> dict[str, Any]:
    """`mistakes` together give the claimed number; `also` lists other explanations. Readings get none."""
    true = value_of(game, claim)
    entry: dict[str, Any] = {
        "by": claim.by, "player": claim.player, "of": claim.of, "claimed": claim.value, "is": true,
        "right": claim.value == true, "mistakes": [],
    }  # fmt: skip
    if claim.value == true:
        entry["says"] = Message("claim_right", n=true)
        return entry
    if again is None:
        entry["says"] = Message("claim_wrong_here", n=true)
        return entry
    found = again.explanations(claim)
    if found:
        entry["mistakes"] = [made.as_json() for made in found[0]]
        entry["also"] = [[made.as_json() for made in other] for other in found[1:]]
    key = ("claim_unexplained", "claim_wrong", "claim_wrong_twice")[len(entry["mistakes"])]
    entry["says"] = Message(key, n=true, claimed=claim.value)
    return entry


# ------------------------------------------------------------------ the number a claim speaks of


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
    """The last sum worked out for that player; isolated damage only where there is no other."""
    mine = [(when, totals) for when, totals in game.worked if any(t.pool.player.id == player for t in totals)]
    mine = [each for each in mine if each[0] != "isolated"] or mine
    if not mine:
        return 0
    final = work_out(mine[-1][1], slips)[player].final
    if "isolated-in-the-pool" in slips and mine[-1][0] != "isolated":
        final += isolated_finals(game.worked, player)
    return final


def _returned(game: Game, player: str, slips: Slips) -> int:
    def returns(totals: list[Total]) -> bool:
        return any(t.pool.player.id == player and t.pool.returns for t in totals)

    mine = [totals for _, totals in game.worked if returns(totals)]
    return work_out(mine[-1], slips)[player].returned if mine else 0


# ------------------------------------------------------------------ explanations


class _Again:
    """The table worked out again under mistakes; every replay is made once."""

    def __init__(self, game: Game, replay: Replay) -> None:
        self.game, self.replay = game, replay
        self.start = Plan(game.table, tuple(game.rulings.items()))
        self.mistakes = list(possible(game))
        self._games: dict[tuple[int, ...], Game] = {(): game}
        self.left = MOST_EVENTS_REPLAYED

    def explanations(self, claim: Claim) -> list[Explanation]:
        found = [made for made in self._alone() if self._value(claim, made) == claim.value]
        is_common = any(made[0].mistake.cost < _DEAR for made in found)
        if not is_common:
            pairs = [made for made in self._pairs() if self._value(claim, made) == claim.value]
            found += pairs[: max(MOST_SHOWN - len(found), 1)]  # they crowd out no mistake made alone
        found.sort(key=_cost)
        return [tuple(map(self._with_rules, made)) for made in found[:MOST_SHOWN]]

    def _with_rules(self, made: Made) -> Made:
        """Which rule the other book has differently."""
        if made.mistake.name != "another-edition":
            return made
        other = self._replayed([made])
        return made if other is None else replace(made, rules=tuple(telling_rules(self.game, other)))

    def _alone(self) -> Iterator[Explanation]:
        for made in (*SLIPS, *self.mistakes):
            yield (made,)

    def _pairs(self) -> Iterator[Explanation]:
        """The commonest first, so that a long game's last replays are spent on the likeliest."""
        common = [made for made in (*SLIPS, *self.mistakes) if made.mistake.cost < _DEAR]
        for one, other in sorted(combinations(common, 2), key=_cost):
            if one.mistake is not other.mistake or one.mistake.name == "illegal-event-counted":
                yield (one, other)

    def _value(self, claim: Claim, made: Explanation) -> int | None:
        slips = frozenset(each.mistake.name for each in made if each.change is None)
        game = self._replayed([each for each in made if each.change is not None])
        return None if game is None else value_of(game, claim, slips)

    def _replayed(self, made: list[Made]) -> Game | None:
        key = tuple(sorted(id(each) for each in made))
        if key not in self._games:
            self.left -= len(self.game.table.events) + 1
            if self.left < 0:
                return None
            plan = self.start
            # Another book first: what else is changed may be something of that book.
            for each in sorted(made, key=lambda one: one.mistake.name != "another-edition"):
                assert each.change is not None
                plan = each.change(plan)
            self._games[key] = self.replay(plan.table, dict(plan.rulings), plan.counted)
        return self._games[key]


def _cost(made: Explanation) -> int:
    return sum(each.mistake.cost for each in made)


_DEAR = MISTAKES["event-forgotten"].cost

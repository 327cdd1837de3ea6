"""Judges claims about a score or a reserve: right, or wrong and which common mistakes give that number.

Each mistake is recorded as what it adds to the true number; two mistakes together add both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from judge.core.messages import Message
from judge.rules.dice_forge.catalog import RESOURCES, Catalog
from judge.rules.dice_forge.scoring import printed_glory, score
from judge.rules.dice_forge.state import Player, State
from judge.rules.dice_forge.table import Claim
from judge.rules.ruling import ClaimReport, MistakeReport

LETTERS = {word: letter for letter, word in RESOURCES.items()}

# mistakes made while playing; `state.slips` holds what each would add to the true number
WHILE_PLAYING: dict[str, tuple[str, ...]] = {
    "cap-ignored": ("DF-RES-04",),
    "hammer-lap-twice": ("DF-CARD-02",),
    "hammer-gold-kept": ("DF-CARD-01", "DF-CARD-03"),
    "second-blessing-forgotten": ("DF-SET-12", "DF-BLESS-08"),
    "oust-blessing-forgotten": ("DF-OUST-02",),
    "extra-cost-forgotten": ("DF-EXTRA-02",),
    "other-die-counted": ("DF-BLESS-06",),
    "triple-forgotten": ("DF-FACE-03",),
    "printed-glory-at-once": ("DF-FEAT-10",),
}


# two mistakes about the same thing are one mistake or none
_SAME = (
    {"hammer-lap-twice", "hammer-lap-forgotten"},
    {"printed-glory-forgotten", "printed-glory-twice"},
    {"gold-counted", "shards-counted", "leftovers-counted"},
)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A common mistake. `adds` is what it adds to the true number; negative for something forgotten."""

    name: str
    adds: int
    rules: tuple[str, ...]

    def report(self) -> MistakeReport:
        says = Message("df_mistake_" + self.name.replace("-", "_"))
        return MistakeReport(self.name, says, self.rules)


Explanation = tuple[Mistake, ...]


def judge_claim(claim: Claim, state: State, catalog: Catalog) -> ClaimReport:
    player = state.players[claim.player]
    true = score(player, catalog) if claim.of == "final" else player.have[LETTERS[claim.of]]
    explanations: list[tuple[MistakeReport, ...]] = []
    if claim.value == true:
        says = Message("df_claim_right", who=claim.player, n=true)
    else:
        possible = list(_possible(claim, state, catalog, player))
        explanations = [
            tuple(mistake.report() for mistake in explanation)
            for explanation in _explanations(possible, claim.value - true)
        ]
        mistakes = len(explanations[0]) if explanations else 0
        key = ("df_claim_unexplained", "df_claim_wrong", "df_claim_wrong_twice")[mistakes]
        says = Message(key, who=claim.player, n=true, claimed=claim.value)
    first = explanations[0] if explanations else ()
    return ClaimReport(claim.by, claim.player, claim.of, claim.value, true, says, first, explanations[1:])


def _explanations(possible: list[Mistake], off: int) -> list[Explanation]:
    """Single mistakes that explain the difference exactly; two together only where no single one does."""
    alone: list[Explanation] = [(mistake,) for mistake in possible if mistake.adds == off]
    return alone or [
        (first, second)
        for first, second in combinations(possible, 2)
        if first.adds + second.adds == off and not any({first.name, second.name} <= same for same in _SAME)
    ]


def _possible(claim: Claim, state: State, catalog: Catalog, player: Player) -> Iterator[Mistake]:
    """Mistakes that would change this number, commonest first."""
    letter = "V" if claim.of == "final" else LETTERS[claim.of]
    if claim.of == "final":
        yield from (mistake for mistake in _of_counting(catalog, player) if mistake.adds)
    for name, rules in WHILE_PLAYING.items():
        adds = state.slips.get((player.id, name, letter), 0)
        if not adds or (name == "printed-glory-at-once" and claim.of == "final"):
            continue
        yield Mistake(name, adds, rules)
        if name == "hammer-lap-twice":
            yield Mistake("hammer-lap-forgotten", -adds, rules)
    if claim.of == "glory" and player.hundreds:
        yield Mistake("token-on-the-markers", catalog.glory_token * player.hundreds, ("DF-RES-07",))


def _of_counting(catalog: Catalog, player: Player) -> tuple[Mistake, ...]:
    printed, have = printed_glory(player, catalog), player.have
    tokens = catalog.glory_token * player.hundreds
    return (
        Mistake("printed-glory-forgotten", -printed, ("DF-SCORE-01", "DF-FEAT-10")),
        Mistake("printed-glory-twice", printed, ("DF-SCORE-01", "DF-FEAT-10")),
        Mistake("hundred-token-forgotten", -tokens, ("DF-SCORE-01", "DF-RES-07")),
        Mistake("gold-counted", have["G"], ("DF-SCORE-02",)),
        Mistake("shards-counted", have["S"] + have["M"], ("DF-SCORE-02",)),
        Mistake("leftovers-counted", have["G"] + have["S"] + have["M"], ("DF-SCORE-02",)),
    )

"""Judges claims about a score or a reserve: right, or wrong and which common mistakes give that number.

Each mistake is recorded as what it adds to the true number; two mistakes together add both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from judge.core.messages import Message
from judge.rules.dice_forge.claims.scoring import printed_glory, score
from judge.rules.dice_forge.flow.supposed import Supposed
from judge.rules.dice_forge.state.catalog import RESOURCES, Catalog
from judge.rules.dice_forge.state.model import Hammer, Player, State
from judge.rules.dice_forge.state.table import Claim
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
    "hammer-gold-forgotten": ("DF-CARD-01",),
    "token-kept": ("DF-CARD-12", "DF-CARD-22"),
    "token-forgotten": ("DF-CARD-12", "DF-CARD-22"),
    "ousting-forgotten": ("DF-OUST-02",),
    "move-forgotten": ("DF-FEAT-01",),
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
    event: int | str | None = None

    def report(self) -> MistakeReport:
        key = "df_mistake_" + self.name.replace("-", "_")
        if self.event is None:
            return MistakeReport(self.name, Message(key), self.rules)
        return MistakeReport(self.name, Message(key, n=self.event), self.rules, (("event", self.event),))


Explanation = tuple[Mistake, ...]


def claimed_number(of: str, player: Player, catalog: Catalog) -> int:
    """The number a claim is about. An island is 0 for the origin portal; a Hammer counts its spaces."""
    if of == "final":
        return score(player, catalog)
    if of == "island":
        return player.island
    if of == "hammer":
        return _spaces(player.hammer, catalog)
    return player.have[LETTERS[of]] if of in LETTERS else player.tokens.get(of, 0)


def _spaces(hammer: Hammer | None, catalog: Catalog) -> int:
    """How many spaces a player's Hammers have gone: 15 for every lap."""
    if hammer is None:
        return 0
    laps = hammer.finished * len(catalog.hammer_rewards) + (0 if hammer.retired else hammer.lap - 1)
    return laps * catalog.hammer_spaces + hammer.position


def judge_claim(
    claim: Claim, state: State, catalog: Catalog, illegal: Sequence[Supposed] = ()
) -> ClaimReport:
    """Whether a claim is right; `illegal` are the events that may have been counted against the rules."""
    player = state.players[claim.player]
    true = claimed_number(claim.of, player, catalog)
    explanations: list[tuple[MistakeReport, ...]] = []
    if claim.value == true:
        says = Message("df_claim_right", who=claim.player, n=true)
    else:
        possible = [*_illegal(claim, catalog, illegal), *_possible(claim, state, catalog, player)]
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


def _illegal(claim: Claim, catalog: Catalog, illegal: Sequence[Supposed]) -> Iterator[Mistake]:
    """Illegal events that would change this number if they counted."""
    for supposed in illegal:
        event = supposed.refused
        tables = (event.before, supposed.after)
        then, now = (claimed_number(claim.of, table.players[claim.player], catalog) for table in tables)
        if now != then:
            yield Mistake("illegal-event-counted", now - then, event.decides, event.n)


def _possible(claim: Claim, state: State, catalog: Catalog, player: Player) -> Iterator[Mistake]:
    """Mistakes that would change this number, commonest first."""
    letter = "V" if claim.of == "final" else LETTERS.get(claim.of, claim.of)
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

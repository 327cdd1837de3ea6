"""Attacks with colliding actions, modifiers before the target, teams and the defeated: the engine's health
dials against plain arithmetic that knows nothing of it."""

from dataclasses import dataclass, field
from math import ceil
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table

FIRST = {"duel": "B", "2v2": "C", "3v3": "D", "king-of-the-hill": "B"}  # a die of 1 points at this opponent
BOOKS = st.sampled_from(["fr-2.2", "ru-2.2", "fr-2.4.1"])
TIMINGS = st.sampled_from(["at-once", "in-answer"])
DIE = st.integers(1, 6)
CHANGED = st.one_of(st.none(), DIE)
MODIFIERS = st.one_of(
    st.tuples(st.just("boost"), st.integers(1, 9)),
    st.tuples(st.just("reload"), DIE, CHANGED, TIMINGS),
)
ANSWERS = st.one_of(
    MODIFIERS,
    st.tuples(st.just("prevent"), st.integers(1, 9)),
    st.tuples(st.just("half")),
    st.tuples(st.just("evade"), DIE, CHANGED, TIMINGS),
    st.tuples(st.just("meddle"), st.integers(1, 9)),
)


@dataclass
class Bout:
    """One Attack by A: its events, and what they come to by plain arithmetic."""

    target: str
    dealt: int
    events: list[dict[str, Any]] = field(default_factory=list)
    sum: int = 0
    halves: int = 0
    is_avoided: bool = False
    illegal: list[int] = field(default_factory=list)

    def make(self, move: tuple[Any, ...]) -> None:
        getattr(self, move[0])(*move[1:])

    def boost(self, n: int) -> None:
        self.events.append({**free("A", "boost", add=n), "modifier": True})
        self.sum += n

    def reload(self, die: int, changed: int | None, timing: str) -> None:
        self._roll({"by": "A", "spend": "reload", "dice": [die]}, self.target, changed, timing)
        self.sum += ceil((changed or die) / 2)

    def evade(self, die: int, changed: int | None, timing: str) -> None:
        self._roll({"by": self.target, "spend": "evasive", "dice": [die]}, "A", changed, timing)
        self.is_avoided = self.is_avoided or (changed or die) <= 2

    def _roll(self, action: dict[str, Any], meddler: str, changed: int | None, timing: str) -> None:
        if changed is None:
            self.events.append(action)
            return
        change = {"whose": action["by"], "die": 1, "to": changed, "of": "effect"}
        nudge = {"by": meddler, "play": "nudge", "card": "roll", "cost": 0, "changes": [change]}
        self.events.append({"collide": [action, nudge], "timing": timing})

    def prevent(self, n: int) -> None:
        self.events.append(free(self.target, "ward", prevent=n))
        self.sum -= n

    def half(self) -> None:
        self.events.append(free(self.target, "veil", prevent_fraction="1/2"))
        self.halves += 1

    def meddle(self, n: int) -> None:
        """The Defender modifies nothing."""
        self.illegal.append(len(self.events))
        self.events.append({**free(self.target, "spite", add=n), "modifier": True})

    @property
    def final(self) -> int:
        subtotal = self.dealt + self.sum
        left = subtotal - self.halves * ceil(max(subtotal, 0) / 2)
        return 0 if self.is_avoided else max(left, 0)


def free(by: str, card: str, **effect: Any) -> dict[str, Any]:
    return {"by": by, "play": card, "card": "roll", "cost": 0, "effects": [effect]}


def seats(mode: str) -> list[dict[str, Any]]:
    size = {"duel": 2, "2v2": 4, "3v3": 6, "king-of-the-hill": 4}[mode]
    tokens = {"statuses": {"reload": 12, "evasive": 12}, "limits": {"reload": 12, "evasive": 12}}
    players = [{"id": name, "hand": 30, **tokens} for name in "ABCDEF"[:size]]
    if mode in ("2v2", "3v3"):
        for n, player in enumerate(players):
            player["team"] = "red" if n < size // 2 else "blue"
    return players


def bout(mode: str, dealt: int, before: list[Any], after: list[Any]) -> Bout:
    attack = Bout(FIRST[mode], dealt)
    attack.events.append({"by": "A", "activate": "strike", "effects": [{"deal": dealt, "type": "normal"}]})
    for move in before:
        attack.make(move)
    if mode != "duel":
        die = {} if mode == "king-of-the-hill" else {"die": 1}
        attack.events.append({"by": "A", "target": attack.target, **die})
    for move in after:
        attack.make(move)
    return attack


def ruling_of(mode: str, book: str, attack: Bout, players: list[dict[str, Any]]) -> Any:
    turn = {"active": "A", "phase": "offensive-roll"}
    table = {"game": "dice-throne", "edition": book, "mode": mode, "players": players, "turn": turn}
    return rule(read_table({**table, "events": attack.events}))


@settings(deadline=None, max_examples=150)
@given(
    st.sampled_from(list(FIRST)),
    BOOKS,
    st.integers(1, 20),
    st.lists(MODIFIERS, max_size=3),
    st.lists(ANSWERS, max_size=5),
)
def test_health_is_what_plain_arithmetic_says(mode, book, dealt, before, after):
    # In a duel the target is known at once, so "before" simply comes first there.
    attack = bout(mode, dealt, before, after)

    ruling = ruling_of(mode, book, attack, seats(mode))

    start = 35 if mode == "king-of-the-hill" else 50
    assert ruling.players[attack.target].health == max(start - attack.final, 0)
    assert [n for n, each in enumerate(ruling.events) if each.verdict == "illegal"] == attack.illegal
    assert ruling.players["A"].health == start
    assert not set(ruling.discretion) - {"mode"}


@settings(deadline=None, max_examples=60)
@given(BOOKS, st.integers(1, 20), st.lists(MODIFIERS, max_size=2), st.integers(1, 9))
def test_the_defeated_are_past_harm_and_help(book, dealt, before, gift):
    attack = bout("king-of-the-hill", dealt, before, [])
    for effect in ({"heal": gift}, {"gain_cp": gift}, {"draw": gift}, {"gain": "protect"}, {"deal": gift}):
        attack.events.append(
            {"by": "A", "does": "something", "on": "C", "effects": [{**effect, "to": "chosen-player"}]}
        )
    players = seats("king-of-the-hill")
    players[2] |= {"health": 0, "cp": 3, "hand": 2}

    ruling = ruling_of("king-of-the-hill", book, attack, players)

    fallen = ruling.players["C"]
    assert (fallen.health, fallen.cp, fallen.hand) == (0, 3, 2)
    assert "protect" not in fallen.statuses
    assert ruling.players["B"].health == max(35 - attack.final, 0)


@settings(deadline=None, max_examples=60)
@given(BOOKS, TIMINGS, st.integers(1, 20), st.integers(1, 5), DIE, st.booleans())
def test_an_activation_and_a_change_of_its_dice_never_both_count(book, timing, dealt, place, to, is_first):
    needs = {"kind": 5}
    activation = {"by": "A", "activate": "strike", "needs": needs, "effects": [{"deal": dealt}]}
    change = {"whose": "A", "die": place, "to": to, "of": "offensive"}
    nudge = {"by": "B", "play": "nudge", "card": "roll", "cost": 1, "changes": [change]}
    inner = [nudge, activation] if is_first else [activation, nudge]
    table = {
        "game": "dice-throne", "edition": book, "players": [{"id": "A"}, {"id": "B", "cp": 1}],
        "turn": {"active": "A", "phase": "offensive-roll", "dice": [3, 3, 3, 3, 3]},
        "events": [{"collide": inner, "timing": timing}],
    }  # fmt: skip

    ruling = rule(read_table(table))

    is_changed_first = timing == "in-answer" and is_first
    hits = not is_changed_first or to == 3
    is_paid = timing == "at-once" or is_first
    assert ruling.players["B"].health == (50 - dealt if hits else 50)
    assert ruling.players["B"].cp == (0 if is_paid else 1)

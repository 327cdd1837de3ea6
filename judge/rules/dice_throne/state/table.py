"""A Dice Throne table as dataclasses: players, turn and events, as entered. Nothing here changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.core.messages import Message, Ref
from judge.rules.catalog import NO_WORDS, Ability, Card, Catalog, Companion, Effects, Needs, Status, Use
from judge.rules.dice_throne.state.editions import Edition

Label = int | str  # number of an event; `3.2` inside a collide

MODES = ("duel", "2v2", "3v3", "king-of-the-hill")
TEAM_MODES = ("2v2", "3v3")
PHASES = (
    "upkeep", "income", "main-1", "offensive-roll", "targeting-roll", "defensive-roll", "main-2", "discard",
)  # fmt: skip
ROLL_PHASES = frozenset(("offensive-roll", "targeting-roll", "defensive-roll"))
MAIN_PHASES = frozenset(("main-1", "main-2"))
BEFORE_ROLLING = frozenset(PHASES[: PHASES.index("offensive-roll")])


def place(n: Label) -> tuple[int, ...]:
    """The place of an event: `3.2` comes after 3 and before 4."""
    return (n,) if isinstance(n, int) else tuple(int(part) for part in n.split("."))


def is_before(one: Label, other: Label) -> bool:
    if isinstance(one, int) and isinstance(other, int):
        return one < other
    return place(one) < place(other)


@dataclass(slots=True)
class Upgrade:
    level: int
    cost: int | None = None


@dataclass(slots=True)
class Seat:
    """A player as the file gives them. `given` are the keys the file named (the ruling carries them back)."""

    id: str
    hero: str | None = None
    team: str | None = None
    health: int = 0
    cp: int = 0
    hand: int = 0
    deck: int | None = None
    discard: int | None = None
    statuses: Mapping[str, int] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    upgrades: Mapping[str, Upgrade] = field(default_factory=dict)
    companions: Mapping[str, int] = field(default_factory=dict)
    die: tuple[str, ...] = ()
    side: str = ""
    aged: tuple[str, ...] | None = None
    foreign: Mapping[str, int] = field(default_factory=dict)
    fresh: Mapping[str, int] = field(default_factory=dict)  # tokens that came in this turn
    downed: tuple[str, ...] = ()  # companions that are down although they have health
    skips: Mapping[str, str] = field(default_factory=dict)  # phases still to be left out
    handicaps: Mapping[str, int] = field(default_factory=dict)  # on the next Roll Attempts
    given: frozenset[str] = frozenset()


@dataclass(slots=True)
class Change:
    """A die alteration."""

    whose: str
    die: int
    to: int
    of: str


@dataclass(slots=True)
class Event:
    """One event. `n` is its number (`3.2` inside a collide), `thing` the catalogue entry it names.

    `differs` is set where the file's effects depart from the printed ones; `departures` say what else does.
    """

    n: int | str
    verb: str
    by: str = ""
    value: Any = None
    thing: Ability | Card | Companion | Status | None = None
    on: tuple[str, ...] = ()
    effects: Effects | None = None
    needs: Needs | None = None
    kind: str = ""
    dice: tuple[int, ...] = ()
    die: int | None = None
    card: str = ""
    cost: int | None = None
    modifier: bool = False
    when_attacked: bool = False
    against: int | str | None = None
    changes: tuple[Change, ...] = ()
    rerolls: tuple[Change, ...] = ()  # of the dice of its own roll, before they count
    use: Use | None = None  # of a token or companion with several
    use_n: int = 0  # the number of that use
    names_no_use: bool = False  # of several: the one that is open, if there is only one
    level: int = 0
    source: str = "hand"
    choice: tuple[Any, ...] = ()
    reroll: tuple[int, ...] = ()
    timing: str = ""
    inner: tuple[Event, ...] = ()
    differs: bool = False
    departures: tuple[Message, ...] = ()
    is_of_another_hero: bool = False  # the ability or card is neither the hero's own nor everybody's
    ref: Ref | None = None  # what `value` names
    text: Effects | None = None  # the effects that count: the file's, else the printed ones
    text_rules: tuple[str, ...] = ()
    words: frozenset[str] = NO_WORDS
    has_details: bool = True  # dice, choices or changed dice, or a text that asks for them
    is_plain: bool = False  # a card or token whose text is known, gives no choice and needs no further check

    def rolled(self) -> list[int]:
        """The dice it rolls for its text, as its text re-rolled them."""
        dice = list(self.dice)
        for change in self.rerolls:
            if change.die <= len(dice):
                dice[change.die - 1] = change.to
        return dice


@dataclass(slots=True)
class TurnStart:
    active: str | None = None
    phase: str | None = None
    first: bool = False
    attempts: int = 0
    dice: tuple[int, ...] = ()
    announced: str | None = None
    order: tuple[str, ...] = ()
    # What a game cut inside a turn must remember besides.
    resolved: Mapping[str, int] = field(default_factory=dict)  # Upkeep effects that had their turn
    skipped: Mapping[str, str] = field(default_factory=dict)  # phase -> the status that made it skipped
    used: Mapping[str, int] = field(default_factory=dict)  # uses that count per turn
    extra_attempts: int = 0
    extra_target: str | None = None  # the extra Offensive Roll Phase goes against this player
    altered: bool = False  # a die was altered since the announcement


@dataclass(slots=True)
class Claim:
    """A number that somebody claims: `of` is final, health or returned."""

    by: str
    player: str
    value: int
    of: str = "final"


@dataclass(slots=True)
class Table:
    id: str | None
    edition: Edition
    mode: str
    players: tuple[Seat, ...]
    teams: Mapping[str, int]
    turn: TurnStart
    events: tuple[Event, ...]
    claims: tuple[Claim, ...]
    catalog: Catalog
    rulings: Mapping[str, str]
    old_points: tuple[str, ...]  # ids in `rulings` that now stand for several points
    former_ids: tuple[tuple[str, Ref], ...]  # that the file still uses, and what they stand for
    # Every open point that has more than one reading: id -> (letters, the adopted letter or None).
    open_points: Mapping[str, tuple[tuple[str, ...], str | None]]
    # For claims that follow another book: the books, and the rules in which books differ.
    other_editions: tuple[Edition, ...] = ()
    differing: frozenset[str] = frozenset()

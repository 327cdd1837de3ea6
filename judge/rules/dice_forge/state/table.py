"""A Dice Forge table as dataclasses: the players, the state of the game, and the events.

Everything here is what the file says, with set-up values filled in. The reader has checked its shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from judge.core.messages import Message
from judge.rules.dice_forge.state.catalog import Catalog
from judge.rules.dice_forge.state.model import State

Cause = Literal["step-1", "oust", "card"]


@dataclass(slots=True)
class Placement:
    """A face and where it is forged; without `die` and `over` it is kept back (DF-FORGE-01).

    `instead` is where a face was forged by mistake; `otherwise` is taken if this face is gone.
    """

    face: str | None
    die: int | None = None
    over: str | None = None
    player: str | None = None
    instead: tuple[int, str] | None = None
    otherwise: Placement | None = None


@dataclass(slots=True)
class Copy:
    """A player's die, chosen by a Mirror face or among dice rolled for a feat."""

    player: str
    die: int


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of an event, in the order needed. `convert` is all, none, or a number per resource."""

    choose: tuple[str, ...] = ()
    hammer: int = 0
    copy: tuple[Copy, ...] = ()
    buy: tuple[Placement, ...] = ()
    forge: Placement | None = None
    convert: bool | Mapping[str, int] = False
    order: tuple[int, int] = (1, 2)
    # a token spent after the first face of a blessing and before the second
    between: Event | None = None


NO_CHOICES = Choices()


@dataclass(slots=True)
class OthersRoll:
    """What another player rolled inside a feat; `choices` only where the file gives that player their own."""

    player: str
    faces: tuple[str, str]
    choices: Choices | None = None


@dataclass(slots=True)
class Event:
    """One event: its verb, the verb's value, and further details."""

    verb: str
    by: str = ""
    value: Any = None
    choices: Choices = NO_CHOICES
    extra: bool = False
    cause: Cause | None = None
    die: int | None = None
    rolled: str | None = None
    oust: OthersRoll | None = None
    rolls: tuple[OthersRoll, ...] = ()
    gain: Mapping[str, int] = field(default_factory=dict)
    lose: Mapping[str, int] = field(default_factory=dict)
    # the faces that dice were put back on; None for a die that nobody touched
    shown: tuple[str | None, str | None] = (None, None)
    inner: tuple[Event, ...] = ()
    timing: str = "at-once"


@dataclass(slots=True)
class Claim:
    """Somebody says that a player's final score or reserve is `value`."""

    by: str
    player: str
    of: str
    value: int


@dataclass(slots=True)
class Doubt:
    """Something in the file that cannot be, or not without something else: the fact that is asked for."""

    fact: str
    says: Message


@dataclass(slots=True)
class Table:
    """One table. A ruling never changes `start`. `doubts` are questions about the table as it is given."""

    id: str | None
    edition: str
    catalog: Catalog
    start: State
    events: tuple[Event, ...]
    doubts: tuple[Doubt, ...] = ()
    claims: tuple[Claim, ...] = ()
    rulings: Mapping[str, str] = field(default_factory=dict)

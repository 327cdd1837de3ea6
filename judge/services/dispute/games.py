"""What each game offers to the dispute room: one record per game, in one registry.

A record is loaded when its game is first needed, so that a cold `judge rule` on a table of one game never
imports the other. Ids and names of the games are in judge.core.games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from judge.core.games import DICE_FORGE, DICE_THRONE
from judge.core.json_types import TableFile
from judge.core.messages import Lang, Message, Ref
from judge.rules.ruling import Report, Ruling

T = TypeVar("T")  # the game's own table
P = TypeVar("P", bound=Report)  # how it shows a player
R = TypeVar("R", bound=Report)  # how it shows the turn
Names = Callable[[Ref, Lang], str]
Entry = Mapping[str, Any]  # an event as a table file writes it


@dataclass(frozen=True, slots=True)
class Now(Generic[P, R]):
    """Players, turn and open verbs at one moment of a game."""

    players: dict[str, P]
    turn: R
    may: dict[str, list[str]]
    state: Any = None  # the engine's own


class Play(Protocol[P, R]):
    """One table with its events played. Each result is worked out once."""

    @property
    def ruling(self) -> Ruling[P, R, Any]:
        """The ruling; anything pending when the events end is concluded."""

    @property
    def now(self) -> Now[P, R]:
        """The game as it stands: anything pending can still be answered."""

    def allows(self, actions: Sequence[Any]) -> list[bool]:
        """Which of these events could be done now, each by itself."""

    def refusals(self, actions: Sequence[Any]) -> list[list[Message]]:
        """What speaks against each of these events now."""


@dataclass(frozen=True, slots=True)
class Game(Generic[T, P, R]):
    """One game: how its table files are read, played, named, continued, compared."""

    id: str
    verbs: tuple[str, ...]  # of its events
    read: Callable[[Any, str], T]  # a table file, and where it stands in the file it came in
    play: Callable[[T, int | None], Play[P, R]]  # of all events, or of the first ones
    names: Callable[[T], Names]
    cut: Callable[[T, int], T]  # the table with its first events only
    beginning: Callable[[T], dict[str, P]]  # the players before the first event
    read_actions: Callable[[Any, T, Sequence[Entry]], Sequence[Any]]  # events that could come next
    go_on: Callable[[T, int | None], TableFile]  # the table file that continues the game
    counting: Callable[[T, int], Ruling[P, R, Any]] | None  # the ruling as if an illegal event had counted
    looks_ahead: bool  # an event may depend on one that is entered after it
    deals_damage: bool  # the answer to a dispute is who takes how much
    has_heroes: bool  # players have heroes with abilities and cards, and a table may bring its own catalogue
    dials: tuple[str, ...]  # the numbers on a player's board


def _dice_throne() -> Game[Any, Any, Any]:
    from judge.services.dispute.dice_throne.game import GAME

    return GAME


def _dice_forge() -> Game[Any, Any, Any]:
    from judge.services.dispute.dice_forge.game import GAME

    return GAME


_LOADERS: dict[str, Callable[[], Game[Any, Any, Any]]] = {DICE_THRONE: _dice_throne, DICE_FORGE: _dice_forge}


def game_of(game_id: str) -> Game[Any, Any, Any]:
    """The record of a game; KeyError if there is no such game."""
    return _LOADERS[game_id]()

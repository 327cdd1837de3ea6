"""The bans and picks of a match as a value, from and to the JSON of `Match.selection`.

Beside what a tournament file holds (`schemas.tournament.selections`) the desk keeps the boxes that are lent,
and what phones need: the toss, dice that one player has thrown, and heroes declared in secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from judge.core.json_types import JsonObject
from judge.schemas.tournament.selections import SIDES as SIDES
from judge.schemas.tournament.selections import write_selection
from judge.tournament import model
from judge.tournament.model import Side

Rolls = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Toss:
    """The seed of the dice, and its hash, which is shown before they are thrown."""

    seed: str
    hash: str


@dataclass(frozen=True, slots=True)
class Sealed:
    """A hero declared in secret, with the proof that it was not changed afterwards."""

    hero: str
    at: str
    salt: str
    hash: str


@dataclass(frozen=True, slots=True)
class Selection(model.Selection):
    """Who rolled what, banned, starts and plays which hero, as far as it has come."""

    boxes: Mapping[Side, int] | None = None  # None: no box was looked for
    toss: Toss | None = None
    thrown: Mapping[str, Mapping[Side, int]] = field(default_factory=dict)  # stage -> dice of one player
    sealed: Mapping[Side, Sealed] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self != NOTHING

    @property
    def is_complete(self) -> bool:
        return len(self.picks) == len(SIDES)

    def rolls(self, stage: str) -> Rolls:
        """The rolls for who bans first (`ban`) or who starts (`start`)."""
        return self.ban_rolls if stage == "ban" else self.start_rolls

    def with_rolls(self, stage: str, dice: tuple[int, int]) -> Selection:
        """One more throw of both; a die that one player threw alone is used up."""
        rolls = (*self.rolls(stage), dice)
        if stage == "ban":
            return replace(self, thrown={}, ban_rolls=rolls)
        return replace(self, thrown={}, start_rolls=rolls)

    def as_json(self) -> JsonObject:
        """Only what is known, as the column stores it."""
        of_phones: JsonObject = {
            "toss": self.toss and asdict(self.toss),
            "thrown": {stage: dict(dice) for stage, dice in self.thrown.items()},
            "sealed": {side: asdict(sealed) for side, sealed in self.sealed.items()},
        }
        known = write_selection(self) | {key: value for key, value in of_phones.items() if value}
        return known if self.boxes is None else {**known, "boxes": dict(self.boxes)}


NOTHING = Selection()


def read_selection(stored: JsonObject) -> Selection:
    """The value of the column, which only this product writes."""
    if not stored:
        return NOTHING
    toss = stored.get("toss")
    return Selection(
        ban_rolls=tuple((a, b) for a, b in stored.get("ban_rolls") or ()),
        ban_first=stored.get("ban_first"),
        bans={side: tuple(heroes) for side, heroes in (stored.get("bans") or {}).items()},
        start_rolls=tuple((a, b) for a, b in stored.get("start_rolls") or ()),
        first=stored.get("first"),
        picks=stored.get("picks") or {},
        boxes=stored.get("boxes"),
        toss=Toss(**toss) if toss else None,
        thrown=stored.get("thrown") or {},
        sealed={side: Sealed(**sealed) for side, sealed in (stored.get("sealed") or {}).items()},
    )

"""Reads the events of a Dice Forge table file: one verb each, and the keys that may go with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, get_args

from judge.core.errors import InputError, fail, problem
from judge.rules.dice_forge.state.catalog import RESOURCES, Catalog
from judge.rules.dice_forge.state.table import Cause, Choices, Copy, Event, OthersRoll, Placement
from judge.schemas.dice_forge.words import (
    amounts,
    face_id,
    feat_id,
    flag,
    player_id,
    read_convert,
    shown_faces,
    two_faces,
)
from judge.schemas.shape import (
    MAX_CHOICES,
    MAX_COLLIDING,
    MAX_EVENTS,
    Fields,
    at,
    each,
    listing,
    mapping,
    number,
    one_of,
    text,
)

T = TypeVar("T")

CHOICES = ("choose", "hammer", "copy", "buy", "forge", "convert", "order", "between")
VERB_KEYS = {
    "bless": ("cause", *CHOICES),
    "minor": ("die", "cause", *CHOICES),
    "reinforce": ("die", "rolled", *CHOICES),
    "offer": ("extra",),
    "feat": ("extra", "oust", "rolls", *CHOICES),
    "token": CHOICES,
    "ship": (),
    "does": ("gain", "lose", "shown", *CHOICES),
    "advance": (),
    "collide": ("timing",),
}
NOBODYS = ("advance", "collide")
PLACE_KEYS = ("face", "die", "over", "player")
_ALLOWED = {
    verb: frozenset((verb, *keys, *(() if verb in NOBODYS else ("by",)))) for verb, keys in VERB_KEYS.items()
}
CAUSES: tuple[Cause, ...] = get_args(Cause)
ADVANCES = ("step", "turn", "round", "end")


class EventReader:
    """Reads events, given the players at the table and the game's components."""

    def __init__(self, players: tuple[str, ...], box: Catalog) -> None:
        self.players, self.box = players, box

    def events(self, value: Any, path: str) -> tuple[Event, ...]:
        values = listing(value, path)
        if len(values) > MAX_EVENTS:
            raise fail(path, "too_many_events", limit=MAX_EVENTS)
        return tuple(each(values, path, self.event))

    def event(self, value: Any, path: str, is_inner: bool = False) -> Event:
        entry = mapping(value, path)
        verbs = [verb for verb in VERB_KEYS if verb in entry]
        if len(verbs) != 1:
            raise _which_verb(entry, verbs, path)
        verb = verbs[0]
        if is_inner and verb in NOBODYS:
            raise fail(at(path, verb), "df_not_inside_collide")
        fields = Fields(entry, path, _ALLOWED[verb])
        event = Event(verb)
        if verb not in NOBODYS:
            event.by = fields.must("by", self.player, "")
        fields.check(self._read_value, event, entry[verb], at(path, verb))
        if any(key in entry for key in CHOICES if key in _ALLOWED[verb]):
            event.choices = self._choices(fields, event.by, verb)
        self._read_rest(event, fields)
        fields.done()
        return event

    def player(self, value: Any, path: str) -> str:
        return player_id(value, path, self.players)

    def _read_value(self, event: Event, value: Any, path: str) -> None:
        if event.verb == "bless":
            event.value = two_faces(value, path, self.box)
        elif event.verb == "minor":
            event.value = face_id(value, path, self.box)
        elif event.verb in ("reinforce", "feat"):
            event.value = feat_id(value, path, self.box)
        elif event.verb == "offer":
            event.value = tuple(each(listing(value, path, MAX_CHOICES), path, self._placement))
        elif event.verb == "ship":
            event.value = self._buying(value, path)
        elif event.verb == "token":
            event.value = one_of(value, path, tuple(self.box.tokens))
        elif event.verb == "does":
            event.value = text(value, path)
        elif event.verb == "advance":
            event.value = one_of(value, path, ADVANCES)
        else:
            event.inner = tuple(each(listing(value, path, MAX_COLLIDING), path, self.event, True))

    def _read_rest(self, event: Event, fields: Fields) -> None:
        entry = fields.entry
        event.extra = fields.get("extra", flag, False)
        event.cause = fields.get("cause", one_of, event.cause, CAUSES)
        event.die = fields.get("die", number, event.die, 1, 2)
        event.rolled = fields.get("rolled", face_id, event.rolled, self.box)
        event.oust = fields.get("oust", self._oust) if entry.get("oust") else event.oust
        event.rolls = fields.get("rolls", self._rolls, ()) if entry.get("rolls") else event.rolls
        event.gain = fields.get("gain", amounts, {})
        event.lose = fields.get("lose", amounts, {})
        event.shown = fields.get("shown", shown_faces, event.shown, self.box)
        event.timing = fields.get("timing", one_of, "at-once", ("at-once", "in-answer"))

    def _oust(self, value: Any, path: str) -> OthersRoll:
        rolls = self._others_rolls(value, path)
        if len(rolls) != 1:
            raise fail(path, "df_one_ousted")
        return rolls[0]

    def _rolls(self, value: Any, path: str) -> tuple[OthersRoll, ...]:
        groups = each([value] if isinstance(value, dict) else listing(value, path), path, self._others_rolls)
        rolls = tuple(roll for group in groups for roll in group)
        if len({roll.player for roll in rolls}) < len(rolls):
            raise fail(path, "df_rolls_twice")
        return rolls

    def _others_rolls(self, value: Any, path: str) -> list[OthersRoll]:
        """`{B: [x, y]}`, or `{B: {bless: [x, y], choose: S}}` if that player has choices."""
        fields = Fields(value, path)
        for who in fields.entry:
            fields.check(self.player, who, at(path, who))
        rolls = [fields.read(who, self._others_roll, None, who) for who in fields.entry]
        fields.done()
        return [roll for roll in rolls if roll is not None]

    def _others_roll(self, value: Any, path: str, who: str) -> OthersRoll:
        if not isinstance(value, dict):
            return OthersRoll(who, two_faces(value, path, self.box))
        fields = Fields(value, path, ("bless", *CHOICES))
        faces = fields.read("bless", two_faces, ("", ""), self.box)
        roll = OthersRoll(who, faces, self._choices(fields, who, "bless"))
        fields.done()
        return roll

    # -------------------------------------------------------------- choices

    def _choices(self, fields: Fields, who: str, verb: str) -> Choices:
        forge = self._correction if verb == "does" else self._placement
        return Choices(
            choose=fields.get("choose", _one_or_many, (), one_of, (*RESOURCES, "none")),
            hammer=fields.get("hammer", number, 0),
            copy=fields.get("copy", _one_or_many, (), self._copy),
            buy=fields.get("buy", _one_or_many, (), self._buying),
            forge=fields.get("forge", forge),
            convert=fields.get("convert", read_convert, False),
            order=fields.get("order", _order, (1, 2)),
            between=fields.get("between", self._between, None, who),
        )

    def _between(self, value: Any, path: str, who: str) -> Event:
        """`{token: triton, choose: G}`: spent after the first face and before the second."""
        fields = Fields(value, path, ("token", "choose", "hammer"))
        tokens = [token.id for token in self.box.tokens.values() if token.kind == "choice"]
        event = Event("token", who, fields.must("token", one_of, "", tokens))
        event.choices = Choices(
            choose=fields.get("choose", _one_or_many, (), one_of, (*RESOURCES, "none")),
            hammer=fields.get("hammer", number, 0),
        )
        fields.done()
        return event

    def _copy(self, value: Any, path: str) -> Copy:
        fields = Fields(value, path, ("player", "die"))
        copy = Copy(fields.read("player", self.player, ""), fields.read("die", number, 1, 1, 2))
        fields.done()
        return copy

    def _placement(self, value: Any, path: str) -> Placement:
        """A face and where it goes; a face alone is kept back."""
        if isinstance(value, str):
            return Placement(face_id(value, path, self.box))
        fields = Fields(value, path, PLACE_KEYS)
        placement = self._place(fields)
        fields.done()
        return placement

    def _place(self, fields: Fields) -> Placement:
        return Placement(
            fields.get("face", face_id, None, self.box),
            fields.get("die", number, None, 1, 2),
            fields.get("over", face_id, None, self.box),
            fields.get("player", self.player),
        )

    def _buying(self, value: Any, path: str, is_second: bool = False) -> Placement:
        """A face for a Ship; `else` is the one to take if it is gone."""
        if isinstance(value, str):
            return self._placement(value, path)
        fields = Fields(value, path, PLACE_KEYS if is_second else (*PLACE_KEYS, "else"))
        placement = self._place(fields)
        placement.otherwise = fields.get("else", self._buying, None, True)
        fields.done()
        return placement

    def _correction(self, value: Any, path: str) -> Placement:
        """Where a face was meant to go; `instead` is the face it was forged over by mistake."""
        if isinstance(value, str):
            return self._placement(value, path)
        fields = Fields(value, path, (*PLACE_KEYS, "instead"))
        placement = self._place(fields)
        placement.instead = fields.get("instead", self._instead, None, placement.die or 1)
        fields.done()
        return placement

    def _instead(self, value: Any, path: str, die: int) -> tuple[int, str]:
        if not isinstance(value, dict):
            return die, face_id(value, path, self.box)
        fields = Fields(value, path, ("die", "over"))
        place = fields.get("die", number, die, 1, 2), fields.must("over", face_id, "", self.box)
        fields.done()
        return place


def _which_verb(entry: dict[str, Any], verbs: list[str], path: str) -> InputError:
    if verbs:
        return fail(path, "df_two_verbs", verbs=verbs)
    details = {"by", *(key for keys in VERB_KEYS.values() for key in keys)}
    strangers = [str(key) for key in entry if key not in details]
    if not strangers:
        return fail(path, "df_no_verb", verbs=list(VERB_KEYS))
    verbs = list(VERB_KEYS)
    return InputError(
        *(problem(at(path, key), "df_unknown_verb", word=key, verbs=verbs) for key in strangers)
    )


def _one_or_many(value: Any, path: str, read: Callable[..., T], *args: Any) -> tuple[T, ...]:
    if isinstance(value, list):
        return tuple(each(listing(value, path, MAX_CHOICES), path, read, *args))
    return (read(value, path, *args),)


def _order(value: Any, path: str) -> tuple[int, int]:
    if value not in ([1, 2], [2, 1]):
        raise fail(path, "expected_one_of", words=["[1, 2]", "[2, 1]"])
    return value[0], value[1]

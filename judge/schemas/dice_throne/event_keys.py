"""The keys of an event: which go with each verb, and how the value of each is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from judge.core.errors import fail
from judge.rules.dice_throne.state.table import Change, Event, place
from judge.schemas.dice_throne.effects import read_needs
from judge.schemas.shape import (
    MAX_COUNT,
    Fields,
    dice,
    each,
    listing,
    name,
    number,
    one_of,
    text,
    truth,
)

if TYPE_CHECKING:
    from judge.schemas.dice_throne.events import EventReader

# The keys that each verb takes, besides `by` and the verb itself.
EVENT_KEYS: dict[str, tuple[str, ...]] = {
    "roll": ("reroll",),
    "announce": ("needs", "kind", "on"),
    "activate": ("on", "effects", "needs", "kind", "dice", "choice", "against", "changes"),
    "target": ("die", "on"),
    "defend": ("dice", "effects", "choice", "on", "against", "changes"),
    "play": (
        "card", "cost", "on", "effects", "modifier", "when_attacked", "against", "changes", "dice", "choice",
    ),
    "spend": ("dice", "on", "effects", "against", "changes", "modifier", "choice"),
    "upgrade": ("level", "cost"),
    "sell": ("from",),
    "pay": ("cost",),
    "resolve": ("dice", "effects", "on", "choice", "changes", "against"),
    "does": ("effects", "on", "dice", "choice", "against", "changes"),
    "choose": ("on",),
}  # fmt: skip
CARD_WORDS = ("main", "roll", "instant")
CHANGE_OF = ("offensive", "targeting", "defensive", "effect", "upkeep")
_LABEL = re.compile(r"[0-9]{1,4}(\.[0-9]{1,2})?")  # of an event, as `against` names it


# ------------------------------------------------------------------ values of the verbs


def _value_roll(reader: EventReader, event: Event, value: Any, path: str) -> None:
    event.dice = dice(value, path, 5, 5)


def _value_word(reader: EventReader, event: Event, value: Any, path: str) -> None:
    event.value = name(value, path)


def _value_text(reader: EventReader, event: Event, value: Any, path: str) -> None:
    event.value = text(value, path)


def _value_target(reader: EventReader, event: Event, value: Any, path: str) -> None:
    event.value = None if value is None else reader.player(value, path)


def _value_sell(reader: EventReader, event: Event, value: Any, path: str) -> None:
    event.value = number(value, path, 1, MAX_COUNT)


def _value_choose(reader: EventReader, event: Event, value: Any, path: str) -> None:
    event.choice = _choices(value, path, "expected_text")
    event.value = event.choice[0] if len(event.choice) == 1 else event.choice


def _choices(value: Any, path: str, expected: str) -> tuple[Any, ...]:
    """One word or number, or a list of them."""
    if isinstance(value, list):
        return tuple(each(value, path, _choice, expected))
    return (_choice(value, path, expected),)


def _choice(value: Any, path: str, expected: str) -> Any:
    if isinstance(value, str):
        return name(value, path)
    if isinstance(value, int) and not isinstance(value, bool):
        return number(value, path, -MAX_COUNT, MAX_COUNT)
    if not isinstance(value, (bool, float)):
        raise fail(path, expected)
    return value


READ_VALUE: dict[str, Callable[[EventReader, Event, Any, str], None]] = {
    **dict.fromkeys(EVENT_KEYS, _value_word),
    "roll": _value_roll,
    "target": _value_target,
    "sell": _value_sell,
    "does": _value_text,
    "choose": _value_choose,
}


# ------------------------------------------------------------------ keys for details


def _key_on(reader: EventReader, event: Event, value: Any, path: str) -> None:
    is_list = isinstance(value, list)
    event.on = tuple(each(value, path, reader.player) if is_list else (reader.player(value, path),))


def _key_effects(reader: EventReader, event: Event, value: Any, path: str) -> None:
    event.effects = reader.effects.effects(value, path)


def _key_against(reader: EventReader, event: Event, value: Any, path: str) -> None:
    event.against = "isolated" if value == "isolated" else _earlier(event, value, path)


def _earlier(event: Event, value: Any, path: str) -> int | str:
    """The number of an event before this one; `3.2` is an action inside a collide, perhaps the same one."""
    if isinstance(value, (float, str)):
        if not _LABEL.fullmatch(str(value)):
            raise fail(path, "expected_earlier_event")
        numbers = [int(part) for part in str(value).split(".")]
    else:
        numbers = [number(value, path, 1, MAX_COUNT)]
    own = place(event.n)
    if 0 in numbers or numbers[0] > own[0] or (numbers[0] == own[0] and len(own) == 1):
        raise fail(path, "expected_earlier_event")
    return numbers[0] if len(numbers) == 1 else ".".join(map(str, numbers))


def _key_changes(reader: EventReader, event: Event, value: Any, path: str) -> None:
    def change(item: Any, here: str) -> Change:
        fields = Fields(item, here, ("whose", "die", "to", "of"))
        result = Change(
            whose=fields.get("whose", reader.player, event.by),
            die=fields.must("die", number, 1, 1, 5),
            to=fields.must("to", number, 1, 1, 6),
            of=fields.get("of", one_of, "offensive", CHANGE_OF),
        )
        fields.done()
        return result

    event.changes = tuple(each(listing(value, path), path, change))


def _key_choice(reader: EventReader, event: Event, value: Any, path: str) -> None:
    event.choice = _choices(value, path, "expected_integer")


def _key_reroll(reader: EventReader, event: Event, value: Any, path: str) -> None:
    event.reroll = tuple(each(listing(value, path), path, number, 1, 5))


def _key_level(reader: EventReader, event: Event, value: Any, path: str) -> None:
    event.level = number(value, path, 2, 3)


def _set(field: str, read: Callable[..., Any], *args: Any) -> Callable[[EventReader, Event, Any, str], None]:
    def setter(reader: EventReader, event: Event, value: Any, path: str) -> None:
        setattr(event, field, read(value, path, *args))

    return setter


READ_KEY: dict[str, Callable[[EventReader, Event, Any, str], None]] = {
    "on": _key_on,
    "effects": _key_effects,
    "needs": _set("needs", read_needs),
    "kind": _set("kind", one_of, ("offensive", "ultimate")),
    "dice": _set("dice", dice, 10),
    "die": _set("die", number, 1, 6),
    "card": _set("card", one_of, CARD_WORDS),
    "cost": _set("cost", number, 0, MAX_COUNT),
    "modifier": _set("modifier", truth),
    "when_attacked": _set("when_attacked", truth),
    "against": _key_against,
    "changes": _key_changes,
    "level": _key_level,
    "from": _set("source", one_of, ("hand", "board")),
    "choice": _key_choice,
    "reroll": _key_reroll,
}
ALLOWED = {verb: frozenset(("by", verb, *keys)) for verb, keys in EVENT_KEYS.items()}

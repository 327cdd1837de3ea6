"""Stores the engine's sentences with a round, to show them later in the reader's language with current names.

They name players by number (`⟦12⟧`), so that renaming or erasing a player works everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from judge.core.games import DICE_THRONE
from judge.core.messages import Lang, Message, Phrasebook, Ref
from judge.schemas.fixtures import sentences
from judge.services.rulebook.heroes import hero_name
from judge.storage.events import Player

NUMBERED = re.compile(r"⟦(\d+)⟧")


def numbered(player: Player) -> str:
    """How stored sentences name a player."""
    return f"⟦{player.id}⟧"


def pack(messages: Iterable[Message]) -> list[Any]:
    return [_plain(message) for message in messages]


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return {"key": value.key, "params": {name: _plain(v) for name, v in value.params.items()}}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, int | str) else str(value)


def _message(stored: Any) -> Any:
    if isinstance(stored, dict):
        return Message(stored["key"], **{name: _message(v) for name, v in stored["params"].items()})
    return [_message(item) for item in stored] if isinstance(stored, list) else stored


def with_names(messages: Iterable[Message], players: Iterable[Player]) -> list[Message]:
    """The sentences with names instead of numbers, for an answer that is not stored."""
    names = {p.id: p.name for p in players}

    def named(value: Any) -> Any:
        if isinstance(value, Message):
            return Message(value.key, **{name: named(one) for name, one in value.params.items()})
        if isinstance(value, str):
            return NUMBERED.sub(lambda mark: names.get(int(mark[1]), mark[0]), value)
        return [named(one) for one in value] if isinstance(value, list | tuple) else value

    return [named(message) for message in messages]


def phrasebook(lang: Lang) -> Phrasebook:
    return Phrasebook(lang, sentences(lang), _name)


def _name(ref: Ref, lang: Lang) -> str:
    return hero_name(DICE_THRONE, ref.id, lang) if ref.kind == "hero" else ref.id


def say_stored(stored: Iterable[Any], name_of: Callable[[int], str], lang: Lang) -> list[str]:
    """Stored sentences in a language."""
    book = phrasebook(lang)
    return [
        NUMBERED.sub(lambda match: name_of(int(match[1])), book.say(_message(message))) for message in stored
    ]

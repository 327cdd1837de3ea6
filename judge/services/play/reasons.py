"""An engine's sentences, kept with a round and said later in the reader's language and with today's names.

Players stand in them by number (`⟦12⟧`), never by name: a player who is renamed or erased is so everywhere.
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
    """What a sentence that is kept calls a player."""
    return f"⟦{player.id}⟧"


def pack(messages: Iterable[Message]) -> list[Any]:
    return [_plain(message) for message in messages]


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return {"key": value.key, "params": {name: _plain(v) for name, v in value.params.items()}}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, int | str) else str(value)


def _message(kept: Any) -> Any:
    if isinstance(kept, dict):
        return Message(kept["key"], **{name: _message(v) for name, v in kept["params"].items()})
    return [_message(item) for item in kept] if isinstance(kept, list) else kept


def phrasebook(lang: Lang) -> Phrasebook:
    return Phrasebook(lang, sentences(lang), _name)


def _name(ref: Ref, lang: Lang) -> str:
    return hero_name(DICE_THRONE, ref.id, lang) if ref.kind == "hero" else ref.id


def say_kept(kept: Iterable[Any], name_of: Callable[[int], str], lang: Lang) -> list[str]:
    """Kept sentences in words."""
    book = phrasebook(lang)
    return [
        NUMBERED.sub(lambda found: name_of(int(found[1])), book.say(_message(message))) for message in kept
    ]

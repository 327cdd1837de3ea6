"""What the settings of an event and their values are called, from the sentences that the log uses too."""

from __future__ import annotations

from collections.abc import Iterable

from judge.core.messages import Message
from judge.web.frame.errors import phrasebook


class SettingLabel:
    """The name of a setting, put into the reader's language each time it is shown."""

    def __init__(self, key: str) -> None:
        self.message = Message(f"setting_{key}".replace("-", "_"))

    def __str__(self) -> str:
        return phrasebook().say(self.message)

    def __html__(self) -> str:
        return str(self)


def values_named(words: Iterable[str]) -> dict[str, SettingLabel]:
    """The values of a setting with what they are called."""
    return {word: SettingLabel(f"value_{word}") for word in words}

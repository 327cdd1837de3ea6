"""What was changed in the settings of an event, in words for the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judge.core.games import GAME_IDS
from judge.core.json_types import JsonObject
from judge.core.messages import Message, Phrasebook, Ref
from judge.schemas.books import books
from judge.tournament.formats import FORMATS
from judge.tournament.tiebreaks import TIEBREAKERS

NOTHING = "–"
COLUMNS = ("name", "day", "edition")
# Of these the log says that they changed; their values would fill the page.
LARGE = ("place_points", "stages", "stage_times", "stage_clocks", "schedule", "more", "about")


def changed_settings(old: JsonObject, new: JsonObject, book: Phrasebook) -> Iterator[str]:
    """One sentence for each column and each setting of an event that changed."""
    for column in COLUMNS:
        if column in new:
            yield _changed(column, old[column], new[column], book)
    was, now = _flat(old.get("settings") or {}), _flat(new.get("settings") or {})
    for key in sorted({*was, *now}):
        if was.get(key) != now.get(key):
            yield _changed(key, was.get(key), now.get(key), book)


def _flat(settings: JsonObject, before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in settings.items():
        if isinstance(value, dict) and key not in LARGE:
            flat |= _flat(value, f"{before}{key}_")
        else:
            flat[before + key] = value
    return flat


def _changed(key: str, old: Any, new: Any, book: Phrasebook) -> str:
    setting = book.say(Message(f"setting_{key}"))
    if key in LARGE:
        return book.say(Message("setting_changed", setting=setting))
    was, now = (_value(key, value, book) for value in (old, new))
    return book.say(Message("setting_was", setting=setting, old=was, new=now))


def _value(key: str, value: Any, book: Phrasebook) -> str:
    if value is None or value in ("", []):
        return NOTHING
    if isinstance(value, bool):
        return book.say(Message(f"setting_value_{'yes' if value else 'no'}"))
    if isinstance(value, list):
        return ", ".join(_value(key, one, book) for one in value)
    if key.endswith("_s"):
        return f"{value / 60:g}"
    if key == "edition":
        titles = {edition.id: edition.titles for game in GAME_IDS for edition in books(game)}
        return titles[value][book.lang] if value in titles else str(value)
    if key == "heroes_allowed":
        return book.word(Ref("hero", value))
    if key == "format_kind" and value in FORMATS:
        return FORMATS[value].name(book)
    if key == "tiebreakers" and value in TIEBREAKERS:
        return TIEBREAKERS[value].name(book)
    word = f"setting_value_{value}".replace("-", "_")
    return book.say(Message(word)) if word in book.sentences else str(value)

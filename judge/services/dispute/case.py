"""A case: one table file, read once, played once, then asked.

`rule_table`, the pages, the papers, the API and the commands all ask a case. It reads its file when it is
first asked something; a fault of the file is an InputError then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from judge.core.errors import InputError, fail
from judge.core.games import GAME_IDS
from judge.core.json_types import TableFile
from judge.core.messages import Lang, Message, Phrasebook, Ref
from judge.rules.ruling import AnyRuling, as_json
from judge.schemas.books import short_name
from judge.schemas.fixtures import rulebook, sentences
from judge.schemas.shape import at
from judge.services.dispute.games import Entry, Game, Now, Play, game_of

if TYPE_CHECKING:  # a cold start need not load it
    from judge.rules.ruling_json import RulingJson

_CONTINUED = ("id", "title", "note", "game", "edition", "mode", "catalogue", "rulings")


class Case:
    """One table. `data` is the table file, `path` its place in a larger file; with `stop`, only the first
    events are played."""

    def __init__(self, data: Any, path: str = "", stop: int | None = None) -> None:
        self.data, self.path, self.stop = _checked(data, path), path, stop
        self.game: Game[Any, Any, Any] = game_of(data["game"])
        self._said: dict[Lang, RulingJson] = {}
        self._under: dict[str, Case] = {}
        self._cut: dict[int, Case] = {}

    # -- read once, played once -----------------------------------------------------------------------------

    @cached_property
    def table(self) -> Any:
        """The engine's own table."""
        return self.game.read(self.data, self.path)

    @cached_property
    def _play(self) -> Play[Any, Any]:
        return self.game.play(self.table, self.stop)

    @property
    def ruling(self) -> AnyRuling:
        return self._play.ruling

    def check(self) -> None:
        """InputError if the table cannot be ruled."""
        _ = self.ruling

    @property
    def now(self) -> Now[Any, Any]:
        """The game as it stands, before anything pending is concluded."""
        return self._play.now

    @cached_property
    def beginning(self) -> Mapping[str, Any]:
        """The players before the first event."""
        return self.game.beginning(self.table)

    # -- asked ----------------------------------------------------------------------------------------------

    def allowed(self, actions: Sequence[Entry]) -> list[bool]:
        """Which of these events could come next; none if any of them cannot be read."""
        try:
            events = self.game.read_actions(self.data, self.table, actions)
        except InputError:
            return [False] * len(actions)
        return self._play.allows(events)

    def refusals(self, actions: Sequence[Entry]) -> list[list[Message]] | None:
        """What speaks against each of these events as the next one; None if they cannot be read."""
        try:
            events = self.game.read_actions(self.data, self.table, actions)
        except InputError:
            return None
        return self._play.refusals(events)

    def phrases(self, lang: Lang) -> Phrasebook:
        """The sentences of a language with the names of this table's things."""
        return phrasebook(lang, self.game.names(self.table))

    def said(self, lang: Lang) -> RulingJson:
        """The ruling as JSON (docs/files.md), its sentences in a language."""
        if lang not in self._said:
            self._said[lang] = as_json(self.ruling, rulebook(self.game.id), self.phrases(lang))
        return self._said[lang]

    def said_in_brief(self, lang: Lang) -> RulingJson:
        """The same without its steps, the cited rules and what each player may do next."""
        return as_json(self.ruling, rulebook(self.game.id), self.phrases(lang), in_brief=True)

    # -- other cases ----------------------------------------------------------------------------------------

    def under(self, edition: str) -> Case:
        """The same table under another rulebook."""
        if edition not in self._under:
            is_this = edition == self.ruling.edition
            self._under[edition] = self if is_this else Case({**self.data, "edition": edition}, self.path)
        return self._under[edition]

    def cut(self, count: int) -> Case:
        """The table as it was after its first events, with nothing known of those that followed."""
        if count not in self._cut:
            cut = Case({**self.data, "events": (self.data.get("events") or [])[:count]}, self.path)
            cut.table = self.game.cut(self.table, count)
            self._cut[count] = cut
        return self._cut[count]

    def changed_to(self, data: TableFile) -> Case:
        """The case of the same table after a change. Cuts before the changed event are reused."""
        changed = Case(data, self.path)
        same = _same_events(self.data, data)
        changed._cut = {count: case for count, case in self._cut.items() if count <= same}
        return changed

    def after(self, count: int) -> Case:
        """The table after its first events; a game that looks ahead knows those that follow."""
        if not self.game.looks_ahead:
            return self.cut(count)
        after = Case(self.data, self.path, count)
        after.table = self.table
        return after

    def continuation(self) -> TableFile:
        """A table file without events that goes on from here."""
        kept = {key: self.data[key] for key in _CONTINUED if key in self.data}
        return {**kept, **self.game.go_on(self.table, self.stop)}


def phrasebook(lang: Lang, names: Callable[[Ref, Lang], str]) -> Phrasebook:
    """The sentences of a language; `names` knows the things on the table, books have names of their own."""

    def name_of(ref: Ref, lang: Lang) -> str:
        return short_name(ref.id, lang) if ref.kind == "book" else names(ref, lang)

    return Phrasebook(lang, sentences(lang), name_of)


def _checked(data: Any, path: str) -> TableFile:
    """Check what the files of both games have in common."""
    if not isinstance(data, dict):
        raise fail(path, "expected_mapping")
    if not isinstance(data.get("game"), str) or data["game"] not in GAME_IDS:
        raise fail(at(path, "game"), "expected_one_of", words=list(GAME_IDS))
    return data


def _same_events(before: TableFile, after: TableFile) -> int:
    """How many events two table files have in common at the beginning; -1 if anything but events differs."""
    keys = (before.keys() | after.keys()) - {"events"}
    if any(before.get(key) != after.get(key) for key in keys):
        return -1
    old, new = before.get("events") or [], after.get("events") or []
    pairs = zip(old, new, strict=False)
    return next((n for n, pair in enumerate(pairs) if pair[0] != pair[1]), min(len(old), len(new)))


def case_after(data: Any, path: str, after: int | None) -> Case:
    """The case of a file after its first events; the events after them need not be readable."""
    case = Case(data, path)
    if after is None:
        return case
    shortened = cut_table(data, after)
    return Case(data, path, after) if case.game.looks_ahead else Case(shortened, path)


def cut_table(table: Any, after: int) -> Any:
    """The same table file with its first events only."""
    events = table.get("events") if isinstance(table, dict) else None
    if not isinstance(events, list):
        return table
    if not 0 <= after <= len(events):
        raise fail("events", "expected_event_number", high=len(events))
    return {**table, "events": events[:after]}

"""Reads answers (one file per question in fixtures/answers) and notes on rules (one file per group of
rules in fixtures/notes). An event's own answers are files of the same shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

from judge.core.errors import fail
from judge.core.games import GAME_IDS
from judge.core.json_types import JsonObject, TableFile
from judge.core.messages import LANGS
from judge.paths import FIXTURES
from judge.rules.answers import Answer, Authority, Departure, Note, Proof, Texts
from judge.schemas.books import books
from judge.schemas.files import MARK, read_file
from judge.schemas.fixtures import load_json, rulebook
from judge.schemas.shape import at, each, gathered, listing, mapping, name, one_of, text

ANSWER_KEYS = (
    MARK, "game", "subject", "question", "says", "authority", "source", "rules",
    "table", "editions", "expect", "differs",
)  # fmt: skip
NOTE_KEYS = ("rule", "why", "mistake", "example", "table", "editions", "expect", "differs")
DEPARTURE_KEYS = ("says", "expect")
_OF_THE_TABLE = ("game", "edition", "expect")  # what an answer says beside its table


@cache
def shipped_answers() -> dict[str, Answer]:
    """Every answer by id, in the order of the subjects."""
    answers = [read_answer(read_file(path)) for path in _files("answers")]
    order = list(subjects())
    answers.sort(key=lambda each: (order.index(each.subject), each.id))
    return {each.id: each for each in answers}


@cache
def shipped_notes() -> dict[str, Note]:
    """The note on each rule that has one."""
    notes = [note for path in _files("notes") for note in read_notes(read_file(path))]
    return {note.rule: note for note in notes}


def _files(folder: str) -> Iterator[Path]:
    for game in GAME_IDS:
        yield from sorted((FIXTURES / folder / game).glob("*.yaml"))


@cache
def subjects() -> dict[str, Texts]:
    """The subjects of answers in the order of the booklet, with their names."""
    return {entry["id"]: entry["names"] for entry in load_json("answers", "subjects.json")}


def subjects_of(game: str) -> dict[str, Texts]:
    """The subjects that an answer about one game may stand under."""
    return {
        entry["id"]: entry["names"]
        for entry in load_json("answers", "subjects.json")
        if entry["game"] == game
    }


@cache
def sources() -> dict[str, Texts]:
    """Where answers come from, in words."""
    return {entry["id"]: entry["names"] for entry in load_json("answers", "sources.json")}


def proof_tables(data: Any) -> Iterator[tuple[str, TableFile]]:
    """The tables of an answer or of notes with what they expect, one for each book."""
    if isinstance(data, dict):
        for answer in read_answers(data):
            for book in answer.proof.editions:
                yield f"{answer.id}.table", answer.proof.checked(book, answer.id)
        return
    for n, note in enumerate(read_notes(data), start=1):
        for book in note.proof.editions:
            yield f"[{n}].table", note.proof.checked(book, note.rule)


def read_answer(data: Any, path: str = "") -> Answer:
    entry = mapping(data, path, ANSWER_KEYS)
    game = one_of(entry.get("game"), at(path, "game"), GAME_IDS)

    def reader(key: str, read: Callable[..., Any], *args: Any) -> Callable[[], Any]:
        return lambda: read(entry.get(key), at(path, key), *args)

    return Answer(
        **gathered(
            {
                "id": reader(MARK, name),
                "subject": reader("subject", one_of, tuple(subjects())),
                "question": reader("question", _texts),
                "says": reader("says", _texts),
                "authority": reader("authority", one_of, get_args(Authority)),
                "source": reader("source", name),
                "rules": reader("rules", _names),
                "proof": lambda: _proof(entry, game, path),
            }
        )
    )


def _names(value: Any, path: str) -> tuple[str, ...]:
    return tuple(each(listing(value, path), path, name))


def read_answers(data: Any, path: str = "") -> list[Answer]:
    """A file of several answers: `answers: [...]`; one alone may stand without a list."""
    if isinstance(data, dict) and MARK in data:
        return [read_answer(data, path)]
    entry = mapping(data, path, ("answers",))
    return each(listing(entry.get("answers"), at(path, "answers")), at(path, "answers"), read_answer)


def read_notes(data: Any, path: str = "") -> list[Note]:
    return each(listing(data, path), path, _note)


def _note(data: Any, path: str) -> Note:
    entry = mapping(data, path, NOTE_KEYS)
    rule = name(entry.get("rule"), at(path, "rule"))
    game = next((game for game in GAME_IDS if rule in rulebook(game).rules), None)
    if game is None:
        raise fail(at(path, "rule"), "no_such_rule", wanted=rule)
    return Note(
        rule,
        _texts(entry.get("why"), at(path, "why")),
        _texts(entry.get("mistake"), at(path, "mistake")),
        _texts(entry.get("example"), at(path, "example")),
        _proof(entry, game, path),
    )


def _proof(entry: JsonObject, game: str, path: str) -> Proof:
    known = tuple(book.id for book in books(game))
    given = listing(entry.get("editions"), at(path, "editions"))
    editions = each(given, at(path, "editions"), lambda value, here: one_of(value, here, known))
    differs = {
        one_of(edition, at(path, "differs"), known): _departure(value, at(at(path, "differs"), edition))
        for edition, value in mapping(entry.get("differs"), at(path, "differs")).items()
    }
    table = _table(entry.get("table"), at(path, "table"))
    expect = mapping(entry.get("expect"), at(path, "expect"))
    return Proof(game, table, tuple(editions) or known, expect, differs)


def _table(value: Any, path: str) -> TableFile:
    table = mapping(value, path)
    if not table:
        raise fail(path, "expected_mapping")
    for key in _OF_THE_TABLE:
        if key in table:
            raise fail(at(path, key), "unknown_key")
    return table


def _departure(value: Any, path: str) -> Departure:
    entry = mapping(value, path, DEPARTURE_KEYS)
    return Departure(
        _texts(entry.get("says"), at(path, "says")), mapping(entry.get("expect"), at(path, "expect"))
    )


def _texts(value: Any, path: str) -> Texts:
    """A text in each language; a plain text serves for all of them."""
    if isinstance(value, str):
        return dict.fromkeys(LANGS, text(value, path))
    entry = mapping(value, path, LANGS)
    return {lang: text(entry.get(lang), at(path, lang)) for lang in LANGS}

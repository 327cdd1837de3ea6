"""Reads answers (one file per question in fixtures/answers) and notes on rules (one file per group of
rules in fixtures/notes). An event's own answers are files of the same shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

from judge.core.errors import fail, problem
from judge.core.games import GAME_IDS
from judge.core.json_types import TableFile
from judge.core.messages import LANGS
from judge.paths import FIXTURES
from judge.rules.answers import Answer, Authority, Departure, Note, Proof, Texts
from judge.schemas.books import books
from judge.schemas.files import MARK, read_file
from judge.schemas.fixtures import load_json, rulebook
from judge.schemas.shape import Fields, at, each, listing, mapping, name, one_of, raise_all, text

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
    fields = Fields(data, path, ANSWER_KEYS)
    game = fields.must("game", one_of, None, GAME_IDS)
    answer = Answer(
        id=fields.must(MARK, name, ""),
        subject=fields.must("subject", one_of, "", tuple(subjects())),
        question=fields.must("question", _texts, {}),
        says=fields.must("says", _texts, {}),
        authority=fields.must("authority", one_of, "publisher", get_args(Authority)),
        source=fields.must("source", name, ""),
        rules=fields.get("rules", _names, ()),
        proof=_proof(fields, game),
    )
    fields.done()
    return answer


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
    fields = Fields(data, path, NOTE_KEYS)
    rule = fields.must("rule", name, "")
    game = next((game for game in GAME_IDS if rule in rulebook(game).rules), None)
    if game is None and rule:
        fields.fault("rule", "no_such_rule", wanted=rule)
    note = Note(
        rule=rule,
        why=fields.must("why", _texts, {}),
        mistake=fields.must("mistake", _texts, {}),
        example=fields.must("example", _texts, {}),
        proof=_proof(fields, game),
    )
    fields.done()
    return note


def _proof(fields: Fields, game: str | None) -> Proof:
    """The proof among the fields of an answer or a note; without a known game no book is refused."""
    known = tuple(book.id for book in books(game)) if game else None
    editions = fields.get("editions", _editions, (), known)
    differs = fields.get("differs", _departures, {}, known)
    table = fields.must("table", _table, {})
    expect = fields.get("expect", mapping, {})
    return Proof(game or "", table, editions or known or (), expect, differs)


def _editions(value: Any, path: str, known: tuple[str, ...] | None) -> tuple[str, ...]:
    return tuple(each(listing(value, path), path, _edition, known))


def _edition(value: Any, path: str, known: tuple[str, ...] | None) -> str:
    return name(value, path) if known is None else one_of(value, path, known)


def _departures(value: Any, path: str, known: tuple[str, ...] | None) -> dict[str, Departure]:
    """What other books say, by book."""
    fields = Fields(value, path)
    for book in fields.entry:
        fields.check(_edition, book, at(path, book), known)
    departures = {book: fields.must(book, _departure, Departure({}, {})) for book in fields.entry}
    fields.done()
    return departures


def _table(value: Any, path: str) -> TableFile:
    table = mapping(value, path)
    if not table:
        raise fail(path, "expected_mapping")
    raise_all([problem(at(path, key), "unknown_key") for key in _OF_THE_TABLE if key in table])
    return table


def _departure(value: Any, path: str) -> Departure:
    fields = Fields(value, path, DEPARTURE_KEYS)
    departure = Departure(fields.must("says", _texts, {}), fields.get("expect", mapping, {}))
    fields.done()
    return departure


def _texts(value: Any, path: str) -> Texts:
    """A text in each language; a plain text serves for all of them."""
    if isinstance(value, str):
        return dict.fromkeys(LANGS, text(value, path))
    fields = Fields(value, path, LANGS)
    texts = {lang: fields.must(lang, text, "") for lang in LANGS}
    fields.done()
    return texts

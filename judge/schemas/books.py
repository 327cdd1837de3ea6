"""Reads the rule books of each game, one file per book in fixtures/<game>/editions."""

from __future__ import annotations

from functools import cache
from typing import Any

from judge.core.games import GAME_IDS
from judge.core.messages import LANGS, Lang
from judge.paths import FIXTURES
from judge.rules.rulebook import Book
from judge.schemas.fixtures import load_json
from judge.schemas.shape import at, mapping, text

BOOK_KEYS = (
    "id", "published", "names", "short_names", "titles", "origins", "like", "rules", "sections", "switches",
)  # fmt: skip


@cache
def books(game: str) -> tuple[Book, ...]:
    """Every book of a game, oldest first; books of the same year by id."""
    files = sorted(path.name for path in (FIXTURES / game / "editions").glob("*.json"))
    editions = [_read(load_json(game, "editions", name), game, f"{game}/editions/{name}") for name in files]
    return tuple(sorted(editions, key=lambda book: (book.published, book.id)))


@cache
def newest_first(game: str) -> tuple[Book, ...]:
    """Every book of a game, newest first; books of the same year by id."""
    return tuple(sorted(books(game), key=lambda book: book.published, reverse=True))


def newest(game: str) -> Book:
    """The book by which a game is ruled unless the table says otherwise."""
    return newest_first(game)[0]


def usual(game: str, lang: Lang) -> Book:
    """The book that a reader of this language most likely has: the newest in it, else the newest of all."""
    ordered = newest_first(game)
    return next((book for book in ordered if book.id.partition("-")[0] == lang), ordered[0])


def newest_describing(game: str, mode: str) -> Book:
    """The newest book that describes a mode of play."""
    return next(book for book in newest_first(game) if mode in book.modes)


def find_book(edition: str) -> Book | None:
    """The book with this id, of any game."""
    return next((book for game in GAME_IDS for book in books(game) if book.id == edition), None)


@cache
def lineage(game: str, edition: str) -> tuple[str, ...]:
    """A book and those it is like, nearest first: what is said of one of them holds for it too."""
    like = {book.id: book.like for book in books(game)}
    ids = [edition]
    while (other := like.get(ids[-1])) and other not in ids:
        ids.append(other)
    return tuple(ids)


def short_name(edition: str, lang: Lang) -> str:
    """What a book is called in a sentence: its short name, or its id if it is no longer known."""
    book = find_book(edition)
    return book.short_names[lang] if book is not None else edition


def _read(data: Any, game: str, path: str) -> Book:
    entry = mapping(data, path, BOOK_KEYS)
    modes = mapping(entry.get("switches"), at(path, "switches")).get("modes", {})
    return Book(
        id=text(entry.get("id"), at(path, "id")),
        game=game,
        published=text(entry.get("published"), at(path, "published")),
        names=_names(entry, "names", path),
        short_names=_names(entry, "short_names", path),
        titles=_names(entry, "titles", path),
        origins=_names(entry, "origins", path),
        modes={mode: (low, high) for mode, (low, high) in modes.items()},
        like=text(entry.get("like") or "", at(path, "like")),
    )


def _names(entry: dict[str, Any], key: str, path: str) -> dict[Lang, str]:
    names = mapping(entry.get(key), at(path, key), LANGS)
    return {lang: text(names.get(lang), at(at(path, key), lang)) for lang in LANGS}

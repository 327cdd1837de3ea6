"""The rule books: order, names and modes come from their files."""

import json

import pytest

from judge.core.errors import InputError
from judge.core.games import DICE_FORGE, DICE_THRONE, GAME_IDS, GAME_NAMES
from judge.core.messages import LANGS
from judge.rules.dice_throne.state.table import MODES, PHASES
from judge.schemas import books as shelf
from judge.schemas.books import books, find_book, newest, newest_describing, newest_first
from judge.schemas.dice_throne import read_table
from judge.services.rulebook.pages import book_names
from judge.web.dispute.words import PHASES as PHASE_NAMES


def ids(found):
    return [book.id for book in found]


def test_books_stand_in_the_order_of_their_publication():
    assert ids(books(DICE_THRONE)) == ["fr-2.2", "ru-2.2", "fr-2.4.1"]
    assert ids(newest_first(DICE_THRONE)) == ["fr-2.4.1", "fr-2.2", "ru-2.2"]
    assert ids(books(DICE_FORGE)) == ["fr-1"]


def test_a_table_that_names_no_book_is_ruled_by_the_newest():
    table = read_table({"game": DICE_THRONE, "players": [{"id": "A"}, {"id": "B"}]})

    assert table.edition.id == newest(DICE_THRONE).id == "fr-2.4.1"


def test_every_mode_is_described_by_some_book_and_3v3_by_the_russian_one_alone():
    assert {mode: newest_describing(DICE_THRONE, mode).id for mode in MODES} == {
        "duel": "fr-2.4.1",
        "2v2": "fr-2.4.1",
        "3v3": "ru-2.2",
        "king-of-the-hill": "fr-2.4.1",
    }


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_book_has_all_its_names_in_every_language(game):
    for book in books(game):
        for names in (book.names, book.short_names, book.titles, book.origins):
            assert all(names[lang] for lang in LANGS)
        assert find_book(book.id) is book
        assert GAME_NAMES[game] in book.titles["en"]


@pytest.fixture
def house_rules(tmp_path, monkeypatch):
    """A shelf with one book more: a file in the folder of editions."""
    folder = tmp_path / DICE_THRONE / "editions"
    folder.mkdir(parents=True)
    for book in books(DICE_THRONE):
        data = shelf.load_json(DICE_THRONE, "editions", f"{book.id}.json")
        (folder / f"{book.id}.json").write_text(json.dumps(data), encoding="utf-8")
    data |= {"id": "house-3", "published": "2025", "names": dict.fromkeys(LANGS, "House rules")}
    monkeypatch.setattr(shelf, "FIXTURES", tmp_path)
    monkeypatch.setattr("judge.schemas.fixtures.FIXTURES", tmp_path)

    def put(**changes):
        (folder / "house-3.json").write_text(json.dumps(data | changes), encoding="utf-8")
        for forget in (books, newest_first, book_names):
            forget.cache_clear()

    yield put
    monkeypatch.undo()
    for forget in (books, newest_first, book_names):
        forget.cache_clear()


def test_a_new_book_is_a_new_file(house_rules):
    house_rules()

    assert newest(DICE_THRONE).id == "house-3"
    assert [book.name for book in book_names(DICE_THRONE, "fr")][-1] == "House rules"


def test_a_book_without_a_name_in_some_language_is_refused_by_file_and_field(house_rules):
    house_rules(short_names={"en": "house"})

    with pytest.raises(InputError) as error:
        newest(DICE_THRONE)
    assert error.value.problems[0].path == f"{DICE_THRONE}/editions/house-3.json.short_names.fr"


def test_every_phase_has_a_name_on_pages_in_the_order_of_the_turn():
    assert tuple(PHASE_NAMES) == PHASES

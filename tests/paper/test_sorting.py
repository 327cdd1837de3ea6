"""Names as each language looks them up."""

import random

import pytest

from judge.printing.sorting import page_range, sorted_by_name


def in_order(names: list[str], lang: str) -> bool:
    mixed = names[:]
    random.Random(3).shuffle(mixed)
    return sorted_by_name(mixed, str, lang) == names


@pytest.mark.parametrize(
    ("lang", "names"),
    [
        ("en", ["Adam", "ana", "Ana B", "Anabel", "Zoe", "Анна"]),
        ("fr", ["Cote", "Coté", "Côte", "Côté", "Éa", "Eb", "Œdipe", "Ofra", "Zoé"]),
        ("ru", ["Анна", "Евгений", "Ёжик", "Жанна", "Иван", "Йован", "Кира", "Щукин", "Яна", "Ana"]),
    ],
)
def test_names_are_sorted_as_the_language_does(lang, names):
    assert in_order(names, lang)


def test_names_that_are_no_words_have_a_place_too():
    names = ["", "🎲", "42", "7 Up", "Ana", "דוד"]

    assert sorted(sorted_by_name(names, str, "en")) == sorted(names)


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [
        ("Élodie", "Fanny", "E – F"),
        ("Ёжик", "Юля", "Ё – Ю"),
        ("Mara", "Moritz", "Ma – Mo"),
        ("Ana", "Ana", "A"),
    ],
)
def test_a_page_says_which_letters_it_holds(first, last, shown):
    assert page_range(first, last, "fr") == shown

"""The one search of the rules: words as written, their stems, slips of the pen, names of things."""

import pytest

from judge.core.folding import folded
from judge.services.dispute.find_by_name import letters_of
from judge.services.rulebook.search import search


def ids(words):
    return [rule.id for rule in search(words)]


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("retribition", "DT-RET-01"),
        ("Retribution", "DT-RET-01"),
        ("damage rounding", "DT-DMG-05"),
        ("two instants", "DT-TIME-05"),
        ("Divine Defence", "DT-DRP-04"),
        ("concusion", "DT-TOK-31"),
        ("attack modifer", "DT-ATK-03"),
    ],
)
def test_names_stems_and_near_misses_are_found(typed, rule):
    assert rule in ids(typed)


def test_what_nothing_looks_like_finds_nothing():
    assert search("xyzzy") == []


def test_words_as_they_are_written_come_first():
    assert ids("dt-dmg-04") == ["DT-DMG-04"]


@pytest.mark.parametrize(
    ("typed", "plain"), [("Cœur", "coeur"), ("Ёлка", "елка"), ("Élan d’épée", "elan d'epee")]
)
def test_every_search_folds_letters_alike(typed, plain):
    assert folded(typed) == folded(plain) == plain
    assert letters_of(typed) == letters_of(plain)
    assert ids(typed) == ids(plain)

"""Sentences: plurals, names, and the same keys in every language."""

import string

import pytest

from judge.core.messages import LANGS, Message, Phrasebook, Ref
from judge.schemas.fixtures import sentences


@pytest.mark.parametrize(
    ("n", "word"), [(1, "1 кубик"), (3, "3 кубика"), (11, "11 кубиков"), (22, "22 кубика")]
)
def test_russian_has_three_plural_forms(n: int, word: str):
    book = Phrasebook("ru", {"dice": "{n:# кубик|# кубика|# кубиков}"})

    assert book.say(Message("dice", n=n)) == word


def test_names_lists_and_negative_numbers_are_written_for_people():
    book = Phrasebook("en", {"x": "{who} loses {what}: {n}"}, lambda ref, lang: ref.id.title())

    assert (
        book.say(Message("x", who=["A", "B"], what=Ref("status", "protect"), n=-1))
        == "A, B loses Protect: −1"
    )


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("lang", LANGS)
def test_every_sentence_exists_in_every_language_with_the_same_parameters(lang):
    english, other = sentences("en"), sentences(lang)

    assert other.keys() == english.keys()
    assert {key: placeholders(other[key]) for key in english} == {
        key: placeholders(english[key]) for key in english
    }

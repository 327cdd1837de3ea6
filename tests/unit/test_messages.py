"""Sentences: plurals and names."""

import pytest

from judge.core.messages import Message, Phrasebook, Ref


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


def test_a_form_may_have_places_of_its_own():
    book = Phrasebook("fr", {"x": "{n:# lancer de {who} manque|# lancers de {who} manquent}"})

    assert book.say(Message("x", n=1, who="Ben")) == "1 lancer de Ben manque"
    assert book.say(Message("x", n=2, who="#1")) == "2 lancers de #1 manquent"

"""Spelling that depends on what a sentence is filled with."""

import pytest

from judge.core.grammar import polished
from judge.core.messages import Message, Phrasebook


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("Santé de Erik", "Santé d’Erik"),
        ("Plus que Anna", "Plus qu’Anna"),
        ("le lancer de <b>Éva</b>", "le lancer d’<b>Éva</b>"),
        ("Santé de Hugo", "Santé de Hugo"),
        ("le tour de Ben", "le tour de Ben"),
        ("modifié par eux", "modifié par eux"),
    ],
)
def test_french_elides_before_a_vowel(written, spelled):
    assert polished(written, "fr") == spelled


@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_no_full_stop_follows_a_name_that_ends_in_a_mark(lang):
    assert polished("A plays Concuss!.", lang) == "A plays Concuss!"
    assert polished("«Concuss!».", lang) == "«Concuss!»."
    assert polished("Wait …", lang) == "Wait …"


def test_english_and_russian_elide_nothing():
    assert polished("de Erik", "en") == polished("de Erik", "ru") == "de Erik"


def test_a_sentence_is_spelled_when_it_is_filled():
    book = Phrasebook("fr", {"turn": "le tour de {player}"})

    assert book.say(Message("turn", player="Erik")) == "le tour d’Erik"

"""Letters: nothing the font lacks, names in reading order, text that fits its room."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.messages import LANGS
from judge.printing.lettering import BOLD, ELLIPSIS, ITALIC, MISSING, REGULAR, clean, fit, width, widths, wrap
from judge.schemas.answers import shipped_answers
from judge.schemas.fixtures import sentences
from judge.services.paper.answers_paper import print_answers
from judge.services.paper.documents import PrintOptions, print_file
from tests.paper.papers import HOSTILE
from tests.paper.reading import Read


@pytest.mark.parametrize("lang", LANGS)
def test_every_sentence_can_be_set_in_every_font(lang):
    letters = {c for text in sentences(lang).values() for c in text}

    for font in (REGULAR, BOLD, ITALIC):
        assert {c for c in letters if c not in widths(font)} == set()


def test_french_russian_spaces_and_dice_are_kept():
    text = "Œuvre d’été\u202f: «\u202fça\u202f» — Ёжик № 5 ⚀⚁⚂⚃⚄⚅ ✓✗★→ 12\u202f345,5 −3"

    assert clean(text) == text


@pytest.mark.parametrize(
    ("given_name", "set_name"),
    [
        ("王小明", MISSING * 3),
        ("Ana 👨‍👩‍👧", f"Ana {MISSING}"),
        ("Jose\u0301", "José"),
        ("A\u202eB\u200b", "AB"),
        ("a\tb\nc", "a b c"),
        ("דוד", "דוד"[::-1]),
        ("Ana דוד 42", f"Ana {'דוד'[::-1]} 42"),
    ],
)
def test_a_name_is_set_as_far_as_the_font_goes(given_name, set_name):
    assert clean(given_name) == set_name


def test_arabic_letters_are_joined_and_run_from_right_to_left():
    assert clean("محمد") == "\ufeaa\ufee4\ufea4\ufee3"


def test_a_long_name_shrinks_first_and_is_then_shortened_visibly():
    shrunk, size = fit("Wilhelmina", REGULAR, 20, 90, 8)
    short, least = fit("W" * 60, REGULAR, 20, 90, 8)

    assert shrunk == "Wilhelmina"
    assert 8 <= size < 20
    assert short.endswith(ELLIPSIS)
    assert least == 8


@given(st.text(max_size=80) | st.sampled_from(HOSTILE), st.floats(30, 300), st.sampled_from([REGULAR, BOLD]))
def test_whatever_the_text_it_never_passes_its_room(text, room, font):
    fitted, size = fit(text, font, 18, room, 6)

    assert width(fitted, font, size) <= room
    assert all(width(line, font, 9) <= room for line in wrap(text, font, 9, room))
    assert all(c in widths(font) for c in fitted)


@pytest.mark.parametrize("lang", LANGS)
def test_pocket_cards_are_well_set(lang):
    read = Read(print_file("pocket", None, PrintOptions(lang=lang)))

    read.assert_well_set()
    assert len(read.pages) <= 3


@pytest.mark.parametrize("lang", LANGS)
def test_the_book_of_answers_is_well_set_and_has_every_question(lang):
    read = Read(print_answers(lang))

    read.assert_well_set()
    text = "".join(" ".join(page.extract_text() for page in read.pages).split())
    assert [a.id for a in shipped_answers().values() if "".join(a.question[lang].split()) not in text] == []

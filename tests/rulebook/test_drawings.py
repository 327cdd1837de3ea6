"""The drawings of the dice: one for every symbol, with a word in three languages, on pages and on paper."""

import re
from io import BytesIO

import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream

from judge.core.drawing import SIDE, Shape
from judge.core.messages import LANGS
from judge.printing.drawings import draw, pdf_path
from judge.printing.page import Press
from judge.schemas.dice_throne.drawings import drawings, read_drawing
from judge.schemas.dice_throne.shipped import hero_ids, shipped_hero
from judge.schemas.dice_throne.symbols import shipped_names, symbol_name
from judge.services.rulebook.conditions import DIE, EQUAL, STRAIGHT
from tests.paper.papers import book

CONDITIONS = {DIE, EQUAL, STRAIGHT.format(size="small"), STRAIGHT.format(size="large")}
NAMED_ON_NO_SHEET = {*"abcdef"}


def test_every_symbol_that_has_a_name_has_a_drawing_and_the_other_way_round():
    assert set(shipped_names()) == set(drawings()) - CONDITIONS
    assert set(drawings()) >= CONDITIONS


@pytest.mark.parametrize("symbol", shipped_names())
def test_every_symbol_is_named_in_three_languages(symbol):
    names = shipped_names()[symbol]

    assert set(names) == set(LANGS)
    assert all(names.values())


@pytest.mark.parametrize("hero_id", hero_ids())
def test_every_face_of_every_hero_is_drawn_and_named(hero_id):
    hero = shipped_hero(hero_id)
    for symbol in hero.dice:
        assert symbol in drawings()
        for lang in LANGS:
            assert symbol_name(symbol, lang, [hero])


def test_faces_that_no_sheet_names_are_drawn_as_letters():
    assert set(drawings()) >= NAMED_ON_NO_SHEET


def test_a_symbol_nobody_named_is_called_by_its_id_in_words():
    assert symbol_name("broken-heart", "fr") == "broken heart"


@pytest.mark.parametrize("name", drawings())
def test_a_drawing_stays_inside_its_square(name):
    for shape in drawings()[name].shapes:
        points = [float(word) for command in pdf_path(shape.path) for word in command.split()[:-1]]
        assert min(points) >= (shape.thick or 0) / 2 - 0.1
        assert max(points) <= SIDE - (shape.thick or 0) / 2 + 0.1


def test_an_arc_of_the_page_is_the_same_arc_on_paper():
    circle = list(pdf_path("M2 12A10 10 0 1 0 22 12A10 10 0 1 0 2 12Z"))
    small = list(pdf_path("M2 12a10 10 0 0 1 10 -10"))

    ends = [command.split()[-3:-1] for command in circle if command.endswith(" c")]
    assert ends == [["12.00", "22.00"], ["22.00", "12.00"], ["12.00", "2.00"], ["2.00", "12.00"]]
    assert small == ["2.00 12.00 m", "2.00 6.48 6.48 2.00 12.00 2.00 c"]


@pytest.mark.parametrize(
    "svg",
    [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"/>',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle r="3"/></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0Z" fill="red"/></svg>',
    ],
)
def test_a_drawing_that_paper_cannot_show_is_refused(svg):
    with pytest.raises(ValueError, match="odd: expected"):
        read_drawing("odd", svg)


def test_an_unknown_command_of_a_path_is_refused():
    with pytest.raises(ValueError, match="unknown command 'T'"):
        list(pdf_path("M1 1T5 5"))


def test_every_drawing_is_drawn_on_paper():
    press = Press(book("en"))
    for drawing in drawings().values():
        draw(press, drawing, 100, 100, 16)
    press.end_page()
    reader = PdfReader(BytesIO(press.finish()))

    done = [op for _, op in ContentStream(reader.pages[0].get_contents(), reader).operations]
    shapes: list[Shape] = [shape for drawing in drawings().values() for shape in drawing.shapes]
    assert done.count(b"f*") == sum(shape.thick is None for shape in shapes)
    assert done.count(b"S") == sum(shape.thick is not None for shape in shapes)


def test_one_file_holds_every_drawing_and_may_be_kept(client):
    page = client.get("/heroes/paladin").text
    address = re.search(r'href="(/drawings\.svg\?v=\w+)#sword"', page)[1]
    answer = client.get(address)

    assert answer.mimetype == "image/svg+xml"
    assert "immutable" in answer.headers["Cache-Control"]
    assert re.findall(r'<symbol id="([^"]+)"', answer.text) == list(drawings())


@pytest.mark.parametrize(
    ("lang", "says"),
    [("en", "3 × sword, 1 × prayer"), ("fr", "3 × épée, 1 × prière"), ("ru", "3 × меч, 1 × молитва")],
)
def test_a_condition_is_drawn_die_by_die_and_said_in_words(client, lang, says):
    page = client.get(f"/heroes/paladin?lang={lang}").text
    mighty_prayer = re.search(rf'<span class="need" title="{says}">(.*?)</p>', page, re.S)[1]

    assert mighty_prayer.count("#sword") == 3
    assert mighty_prayer.count("#prayer") == 1
    assert f'<span class="unseen">{says}' in mighty_prayer


def test_the_five_dice_of_the_calculator_are_drawn(client):
    page = client.get("/tools/dice?hero=paladin&dice=11356").text

    assert page.count('class="die-face"') == 5
    assert page.count("#helmet") >= 1

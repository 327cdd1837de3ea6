"""A hero's sheet on paper: everything on one page, dice and conditions drawn, in three languages."""

from io import BytesIO

import pytest
from click.testing import CliRunner
from pypdf import PdfReader
from pypdf.generic import ContentStream

from judge.cli import cli
from judge.core.errors import InputError
from judge.core.messages import LANGS
from judge.printing.lettering import REGULAR, width, wrap
from judge.schemas.dice_throne.shipped import hero_ids
from judge.services.paper.hero_paper import print_hero
from judge.services.rulebook.hero_sheet import hero_sheet
from tests.paper.reading import Read

SMALLEST = 4.5  # points; smaller letters nobody reads


def squeezed(text: str) -> str:
    return "".join(text.split())


# Every hero in one language, the three languages in turn; the fullest sheets in all of them.
PRINTED = {(hero_id, LANGS[n % 3]) for n, hero_id in enumerate(hero_ids())}
PRINTED |= {(hero_id, lang) for hero_id in ("thor", "artificer", "cursed-pirate", "seraph") for lang in LANGS}


@pytest.mark.parametrize(("hero_id", "lang"), sorted(PRINTED))
def test_a_hero_stands_on_one_page_with_everything_it_has(hero_id, lang):
    sheet = hero_sheet(hero_id, lang)
    read = Read(print_hero(hero_id, lang))
    text = squeezed(" ".join(read.texts))

    read.assert_well_set()
    assert len(read.pages) == 1
    assert min(word.size for word in read.words) >= SMALLEST
    assert min(word.y for word in read.words) > 25
    assert squeezed(sheet.name.text) in text
    for space in sheet.spaces:
        assert squeezed(space.name.text) in text
    for entry in (*sheet.cards, *sheet.tokens, *sheet.companions):
        assert squeezed(entry.name.text) in text
        for line in entry.effects:
            assert squeezed(str(line)) in text


def test_a_letter_page_holds_it_too():
    read = Read(print_hero("gunslinger", "fr", "letter"))

    read.assert_well_set()
    assert len(read.pages) == 1
    assert float(read.pages[0].mediabox.width) == 612


def test_dice_and_conditions_are_drawn():
    reader = PdfReader(BytesIO(print_hero("gunslinger", "en")))
    done = [op for _, op in ContentStream(reader.pages[0].get_contents(), reader).operations]
    sheet = hero_sheet("gunslinger", "en")
    levels = [e for space in sheet.spaces for level in space.levels for e in (level, level.second) if e]
    needed = sum(part.times for e in levels for tier in e.tiers for part in tier.needs.drawn)

    assert done.count(b"cm") >= needed + len(sheet.die)


def test_the_command_prints_a_hero_by_any_of_its_names(tmp_path):
    first, second = tmp_path / "a.pdf", tmp_path / "b.pdf"
    answers = [
        CliRunner().invoke(cli, ["print", "hero", name, "-o", str(file), "--lang", "ru"])
        for name, file in (("gunslinger", first), ("Наёмница", second))
    ]

    assert [answer.exit_code for answer in answers] == [0, 0]
    assert first.read_bytes() == second.read_bytes()
    assert "Разборки" in Read(first.read_bytes()).text()


def test_a_hero_nobody_knows_is_refused_with_those_that_are_known():
    with pytest.raises(InputError, match="gunslinger"):
        print_hero("nobody", "en")


def test_the_page_of_a_hero_leads_to_its_paper(client):
    page = client.get("/heroes/paladin?lang=fr").text
    answer = client.get("/heroes/paladin.pdf?lang=fr")

    assert 'href="/heroes/paladin.pdf"' in page
    assert answer.mimetype == "application/pdf"
    assert "Défense divine" in Read(answer.data).text()
    assert client.get("/heroes/nobody.pdf").status_code == 404


@pytest.mark.parametrize("lead", [20, 60, 99])
def test_words_begin_beside_what_stands_before_them(lead):
    text = "heals one for each heart and deals five damage"
    lines = wrap(text, REGULAR, 10, 100, lead)

    assert " ".join(filter(None, lines)) == text
    assert width(lines[0], REGULAR, 10) <= 100 - lead
    assert all(width(line, REGULAR, 10) <= 100 for line in lines)

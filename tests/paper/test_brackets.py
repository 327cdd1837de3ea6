"""Brackets of every size: each match once, every name, connectors, and pages that say where it goes on."""

from itertools import pairwise

import pytest

from judge.core.messages import LANGS
from judge.printing.bracket import bracket_pdf
from judge.printing.bracket_pages import bracket_pages
from judge.printing.cross_table import CrossTable, cross_table_pdf
from judge.services.paper.shapes import bracket_of, cross_table_of
from tests.paper.papers import SHEET, book, people, played
from tests.paper.reading import Read

SIZES = [*range(2, 41), 63, 64, 65, 100, 127, 128, 129, 200, 255, 256]


def entered(count: int, kind: str):
    return bracket_of(played(people(count), kind, rounds=0), book("en"))


@pytest.mark.parametrize("kind", ["single-elimination", "double-elimination"])
def test_every_match_of_every_size_stands_on_one_page_only(kind):
    for count in SIZES:
        matches = entered(count, kind)
        placed = [p.match.id for page in bracket_pages(matches) for p in page.placed]

        assert sorted(placed) == sorted(match.id for match in matches), count
        least = count - 1 if kind == "single-elimination" else 2 * count - 2
        assert len(placed) == least, count


@pytest.mark.parametrize("kind", ["single-elimination", "double-elimination"])
def test_no_two_boxes_of_a_page_touch(kind):
    for count in (2, 3, 24, 37, 100, 256):
        for page in bracket_pages(entered(count, kind)):
            columns: dict[int, list[float]] = {}
            for p in page.placed:
                columns.setdefault(p.column, []).append(p.y)
            for ys in columns.values():
                ys.sort()
                assert all(below - above >= 1.74 for above, below in pairwise(ys)), count


@pytest.mark.parametrize("lang", LANGS)
def test_a_bracket_of_37_has_every_name_and_number(lang):
    names = people(37, lang)
    t = played(names, "single-elimination", rounds=0)
    matches = bracket_of(t, book(lang))

    read = Read(bracket_pdf(SHEET, matches, book(lang)))

    read.assert_well_set()
    assert sorted(text for text in read.texts if text in set(names)) == sorted(names)
    assert {match.label for match in matches} == set(map(str, range(1, 37)))
    assert {match.label for match in matches} <= set(read.texts)


def test_connectors_join_every_match_to_the_one_it_feeds():
    matches = entered(16, "single-elimination")
    read = Read(bracket_pdf(SHEET, matches, book("en")))
    paths = [line for line in read.content(0).splitlines() if line.count(" l") == 3 and " m " in line]

    assert len(paths) == 14


@pytest.mark.parametrize("rounds", [0, 4, 9])
def test_a_double_elimination_of_24_shows_both_sides(rounds):
    names = people(24)
    t = played(names, "double-elimination", rounds=rounds)

    read = Read(bracket_pdf(SHEET, bracket_of(t, book("en")), book("en")))

    read.assert_well_set()
    assert {"Winners’ bracket", "Losers’ bracket", "Grand final"} <= set(read.texts)
    assert set(names) <= set(read.texts)
    if rounds == 0:
        assert any(text.startswith("Loser of ") for text in read.texts)


def test_the_champion_stands_under_the_final():
    names = people(8)
    t = played(names, "single-elimination", rounds=3)

    read = Read(bracket_pdf(SHEET, bracket_of(t, book("en")), book("en")))

    assert [text for text in read.texts if text.startswith("★")] == [f"★ {t.rounds[2][0].a}"]


def test_a_page_says_on_which_page_its_winner_goes_on():
    read = Read(bracket_pdf(SHEET, entered(128, "single-elimination"), book("en")))
    onward = [word for word in read.words if word.text.startswith("→")]

    assert len(read.pages) == 5
    assert all(word.text.endswith("(p. 5)") for word in onward)
    assert len(onward) == 4
    assert sum(word.text.startswith("Winner of") for word in read.words if word.page == 4) == 4


@pytest.mark.parametrize("count", [3, 9, 24, 45])
def test_a_cross_table_shows_every_result_in_its_row(count):
    names = tuple(people(count, "fr"))
    cells = {(i, j): f"{i}.{j}" for i in range(count) for j in range(count) if i != j}

    read = Read(cross_table_pdf(SHEET, [("", CrossTable(names, cells, ("7",) * count))], book("fr")))

    read.assert_well_set()
    assert sorted(t for t in read.texts if "." in t) == sorted(cells.values())
    assert set(names) <= set(read.texts)


def test_a_cross_table_comes_from_a_round_robin():
    t = played(people(5), "round-robin", rounds=5)
    table = cross_table_of(t, book("en"))

    assert len(table.cells) == 20
    assert all({table.cells[i, j], table.cells[j, i]} == {"3", "0"} for i, j in table.cells)


def test_a_very_long_name_stands_on_two_lines_that_can_be_read():
    long = "Maximilian-Alexander von Hohenstaufen-Württemberg zu Sigmaringen-Donaueschingen"
    t = played([long, *people(7)], "single-elimination", rounds=1)

    read = Read(bracket_pdf(SHEET, bracket_of(t, book("en")), book("en")))

    read.assert_well_set()
    sizes = [word.size for word in read.words if word.text in long.split() or word.text.startswith("Maxim")]
    assert min(sizes) >= 7
    assert len(sizes) > 1

"""Pairings, standings and players, read back from the paper."""

from itertools import pairwise

import pytest

from judge.core.messages import LANGS
from judge.printing.lettering import ELLIPSIS, clean
from judge.printing.page import Press
from judge.printing.pairings import PairingLine, pairings_pdf
from judge.printing.sorting import sorted_by_name
from judge.printing.standings import PlayerLine, StandingLine, StandingsTable, draw_players, standings_pdf
from judge.services.paper.shapes import pairing_lines, standings_table
from judge.tournament.event_ranking import rank_event
from tests.paper.papers import HOSTILE, SHEET, book, people, played
from tests.paper.reading import Read


def tables(names: list[str]) -> list[PairingLine]:
    lines = [PairingLine(n // 2 + 1, (names[n], names[n + 1])) for n in range(0, len(names) - 1, 2)]
    return [*lines, PairingLine(None, (names[-1],))] if len(names) % 2 else lines


def found(read: Read, names: list[str]) -> list[str]:
    """The names on the paper, in the order in which they are read."""
    wanted = {clean(name) for name in names}
    return [text for text in read.texts if text in wanted]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("lang", LANGS)
def test_pairings_by_table_name_everybody_once_in_table_order(lang, paper):
    names = people(101, lang)

    read = Read(pairings_pdf(SHEET, tables(names), book(lang), paper))

    read.assert_well_set()
    assert found(read, names) == names
    numbers = [int(word.text) for word in read.words if word.text.isdigit() and word.font.endswith("Bold")]
    assert numbers == list(range(1, 51))


@pytest.mark.parametrize("lang", LANGS)
def test_pairings_by_name_stand_in_the_order_of_the_language(lang):
    names = people(101, lang)
    lines = tables(names)

    read = Read(pairings_pdf(SHEET, lines, book(lang), by="name"))

    read.assert_well_set()
    bold = [int(word.text) for word in read.words if word.text.isdigit() and word.font.endswith("Bold")]
    tables_by_name = {p: line.table for line in lines for p in line.players}
    in_order = sorted_by_name(names, str, lang)
    assert bold == [tables_by_name[name] for name in in_order if tables_by_name[name] is not None]
    listed = found(read, names)
    rows = [name for n, name in enumerate(in_order) for name in (name, *others(lines, name))]
    assert listed == rows


def others(lines: list[PairingLine], name: str) -> tuple[str, ...]:
    line = next(line for line in lines if name in line.players)
    return tuple(p for p in line.players if p != name)


def test_pairings_of_301_with_names_of_60_characters():
    names = [
        f"{name} of the very long name".ljust(59 - len(str(n)), "x") + f" {n}"
        for n, name in enumerate(people(301))
    ]
    assert {len(name) for name in names} == {60}

    by_table = Read(pairings_pdf(SHEET, tables(names), book("en")))
    by_name = Read(pairings_pdf(SHEET, tables(names), book("en"), by="name"))

    for read in (by_table, by_name):
        read.assert_well_set()
        assert not any(ELLIPSIS in text for text in read.texts)
    assert found(by_table, names) == names
    assert {name: found(by_name, names).count(name) for name in names[:-1]} == dict.fromkeys(names[:-1], 2)


@pytest.mark.parametrize("by", ["table", "name"])
def test_hostile_names_neither_break_nor_leave_the_page(by):
    names = [*HOSTILE, "Ana", "Ana"] * 4

    read = Read(pairings_pdf(SHEET, tables(names), book("en"), by=by))

    read.assert_well_set()
    assert found(read, ["Ana"]).count("Ana") >= 8
    assert '<b>Bob</b> & "Co" \\(x)' in read.texts


def test_columns_never_run_into_each_other():
    names = [*people(120), *(["W" * 60] * 10)]

    read = Read(pairings_pdf(SHEET, tables(names), book("en"), by="name"))

    rows: dict[tuple[int, float], list] = {}
    for word in read.words:
        rows.setdefault((word.page, round(word.y, 1)), []).append(word)
    for row in rows.values():
        row.sort(key=lambda word: word.x)
        assert all(left.right <= right.x + 0.5 for left, right in pairwise(row))


def test_head_and_foot_tell_event_round_time_and_number():
    read = Read(pairings_pdf(SHEET, tables(people(301)), book("en"), by="name"))
    ranges = [word.text for word in read.words if " – " in word.text]

    assert read.texts.count("Spring Throne · Round 3") == len(read.pages)
    assert read.texts.count("Printed 14:05") == len(read.pages)
    assert sum(text.startswith("Sheet 41 · ") for text in read.texts) == len(read.pages)
    assert ranges[0].startswith("A – ")
    assert len(ranges) == len(read.pages)


def test_another_pairing_has_another_code_under_the_same_number():
    first, second = (
        next(t for t in Read(pairings_pdf(SHEET, tables(names), book("en"))).texts if t.startswith("Sheet"))
        for names in (people(10), people(10)[::-1])
    )

    assert first != second


def test_a_pod_of_four_stands_on_one_line():
    names = people(16)
    lines = [PairingLine(n // 4 + 1, tuple(names[n : n + 4])) for n in range(0, 16, 4)]

    read = Read(pairings_pdf(SHEET, lines, book("fr")))

    read.assert_well_set()
    assert found(read, names) == names


def test_the_round_comes_from_the_tournament_with_points_and_bye():
    t = played(people(7), rounds=2)

    lines = pairing_lines(t, 2, "en")

    assert [line.table for line in lines] == [1, 2, 3, None]
    assert lines[0].points == ("3", "3")
    assert len(lines[-1].players) == 1


@pytest.mark.parametrize("lang", LANGS)
def test_standings_show_everybody_once_with_every_value(lang):
    names = people(70, lang)
    t = played(names, rounds=3)
    table = standings_table(rank_event([t]), book(lang))

    read = Read(standings_pdf(SHEET, table, book(lang)))

    read.assert_well_set()
    assert found(read, names) == [line.player for line in table.lines]
    cells = read.texts
    at = cells.index(table.lines[4].player)
    line = table.lines[4]
    assert cells[at - 1 : at + 4 + len(line.values) - 1] == [
        str(line.rank), line.player, line.points, line.record, *line.values,
    ]  # fmt: skip


def test_shares_carry_the_decimal_sign_of_the_language():
    t = played(people(8), rounds=2, tiebreakers=["omw"])

    english, french = (
        standings_table(rank_event([t]), book(lang)).lines[-1].values[0] for lang in ("en", "fr")
    )

    assert "." in english
    assert french == english.replace(".", ",")


def test_the_last_round_gives_the_final_standings():
    t = played(people(8), rounds=3, format={"kind": "swiss", "rounds": 3})

    assert (
        "Final standings"
        in Read(standings_pdf(SHEET, standings_table(rank_event([t]), book("en")), book("en"))).texts
    )
    assert not standings_table(rank_event([t], after=2), book("en"), after=2).is_final


def test_thirteen_tiebreakers_turn_the_page():
    lines = tuple(
        StandingLine(n, name, "9", "3–0–0", ("0.1234",) * 13) for n, name in enumerate(people(30), 1)
    )
    table = StandingsTable(lines, tuple(f"Tie-breaker {n}" for n in range(13)))

    read = Read(standings_pdf(SHEET, table, book("en")))

    read.assert_well_set()
    assert read.pages[0].mediabox.width > read.pages[0].mediabox.height


def test_the_list_of_players_is_sorted_and_complete():
    names = people(90, "ru")
    press = Press(book("ru"))
    draw_players(press, SHEET, [PlayerLine(name, "Клуб") for name in names])

    read = Read(press.finish())

    read.assert_well_set()
    assert found(read, names) == sorted_by_name(names, str, "ru")

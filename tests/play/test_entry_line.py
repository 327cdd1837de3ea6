"""What a scorekeeper may type in one line, and what it means."""

import pytest

from judge.core.errors import Refused
from judge.services.play.entry_line import read_line, turned
from judge.services.play.outcomes import Outcome


@pytest.mark.parametrize(
    ("typed", "table", "outcome"),
    [
        ("12 a 22 0", 12, Outcome("a", None, 22, 0)),
        ("12 1 22 0", 12, Outcome("a", None, 22, 0)),
        ("12 22 0", 12, Outcome("a", None, 22, 0)),
        ("12 0-7", 12, Outcome("b", None, 0, 7)),
        ("12 0 0", 12, Outcome("draw", None, 0, 0)),
        ("3 b", 3, Outcome("b")),
        ("3 2", 3, Outcome("b")),
        ("3 = 14 9", 3, Outcome("draw", None, 14, 9)),
        ("t3 d", 3, Outcome("draw")),
        ("#3 i", 3, Outcome("draw", "intentional-draw")),
        ("3 ac 12 30", 3, Outcome("a", "concession", 12, 30)),
        ("3 a c", 3, Outcome("a", "concession")),
        ("3 na", 3, Outcome("no_show_a")),
        ("3 NB", 3, Outcome("no_show_b")),
        ("3 x", 3, Outcome("double_loss")),
        ("3 б 0 5", 3, Outcome("b", None, 0, 5)),
    ],
)
def test_a_table_number_a_result_and_healths(typed, table, outcome):
    line = read_line(typed)

    assert (line.table, line.outcome, line.is_own) == (table, outcome, False)


def test_a_named_players_win_is_theirs_whatever_side_they_sit_on():
    line = read_line("Ana Maria w 22 0")

    assert (line.table, line.name, line.is_own) == (None, "ana maria", True)
    assert turned(line.outcome) == Outcome("b", None, 0, 22)


def test_a_name_with_a_side_speaks_of_the_table():
    assert read_line("ben b 0 7").is_own is False


def test_an_exclamation_mark_says_it_is_meant():
    assert read_line("3 a 22 5 !").is_sure
    assert read_line("3 a 22 5!").is_sure


@pytest.mark.parametrize(("typed", "meant"), [("u", "undo"), ("-", "undo"), ("?", "help"), ("  ", None)])
def test_one_key_commands(typed, meant):
    assert read_line(typed) == meant


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("3", "line_needs_result"),
        ("3 a 22", "line_not_understood"),
        ("3 22 5", "line_needs_winner"),
        ("3 w 22 0", "line_needs_name"),
        ("3 q", "line_not_understood"),
        ("3 a 22 0 7", "line_not_understood"),
        ("3 a 2222 0", "line_not_understood"),
        ("!", "line_needs_result"),
    ],
)
def test_what_cannot_be_meant_is_said_so(typed, reason):
    with pytest.raises(Refused) as refused:
        read_line(typed)

    assert [r.key for r in refused.value.reasons] == [reason]

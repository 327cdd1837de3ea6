"""Checks of shape: every value within bounds, every fault with its place, nothing slow to refuse."""

from fractions import Fraction

import pytest

from judge.core.errors import InputError, problem
from judge.schemas import shape


def key_of(read, value, *args):
    with pytest.raises(InputError) as caught:
        read(value, "here", *args)
    assert caught.value.problems[0].path.startswith("here")
    return caught.value.problems[0].message.key


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1/2", "1/2"),
        ("0.5", "1/2"),
        (".25", "1/4"),
        (" 1/3 ", "1/3"),
        (0.33, "33/100"),
        (1, "1"),
        ("+2", "2"),
    ],
)
def test_a_fraction_is_taken_as_written(written, value):
    assert shape.exact(written, "") == Fraction(value)


@pytest.mark.parametrize(
    "written",
    ["1e10000000", "1e1", "1/0", "1/" + "9" * 5000, "9" * 5000, 10**30, "²", "½", "1_000", "１/２", "", "nan",
     "inf", float("inf"), float("nan"), True, None, [], {}, "1/2/3", "--5"],
    ids=lambda written: str(written)[:12],
)  # fmt: skip
def test_what_is_no_plain_fraction_is_refused_unread(written):
    assert key_of(shape.exact, written) == "expected_fraction"


@pytest.mark.parametrize(("value", "key"), [
    (True, "expected_integer"), ("5", "expected_integer"), (5.0, "expected_integer"),
    (None, "expected_integer"), (-1, "expected_at_least"), (10_000, "expected_between"),
    (10**5000, "expected_between"),
], ids=["truth", "word", "decimal", "nothing", "below", "above", "digits"])  # fmt: skip
def test_a_number_is_whole_and_within_what_a_table_can_show(value, key):
    assert key_of(shape.number, value) == key


@pytest.mark.parametrize(
    "written",
    ["²", "--5", "+-5", "１２", "٣", "1_0", "0x10", "1e3", "", " ", "-", "2147483648", "9" * 5000],
    ids=lambda written: written[:12],
)
def test_a_form_takes_plain_digits_that_a_database_can_hold(written):
    with pytest.raises(ValueError, match="whole number"):
        shape.whole(written)


@pytest.mark.parametrize(
    ("written", "value"), [("12", 12), (" -5 ", -5), ("+3", 3), ("2147483647", 2**31 - 1)]
)
def test_a_form_takes_whole_numbers_with_a_sign(written, value):
    assert shape.whole(written) == value


@pytest.mark.parametrize(
    ("value", "key"),
    [("a\x00b", "text_unusable"), ("\ud800", "text_unusable"), ("\x1b[2J", "text_unusable"),
     ("x" * 4001, "text_too_long"), (True, "expected_text"), (1.5, "expected_text"), (None, "expected_text"),
     (10**5000, "expected_text"), ([], "expected_text")],
    ids=["nul", "surrogate", "escape", "long", "truth", "decimal", "nothing", "digits", "list"],
)  # fmt: skip
def test_a_text_is_one_that_can_be_stored(value, key):
    assert key_of(shape.text, value) == key


def test_the_fields_of_a_mapping_are_all_read_and_all_faults_named():
    fields = shape.Fields({"b": -1, "a": 5, "c": "x", "odd": 1}, "here", ("a", "b", "c", "d", "e"))

    values = [fields.get(key, shape.number, 7) for key in "abce"]
    values.append(fields.must("d", shape.number, 8))

    assert values == [5, 7, 7, 7, 8]
    with pytest.raises(InputError) as caught:
        fields.done()
    assert [p.path for p in caught.value.problems] == ["here.odd", "here.b", "here.c", "here.d"]


def test_faults_are_told_in_the_order_of_the_file():
    data = {"events": [{"by": 1, "on": 2}], "players": [{"id": 1}, {"id": 2}]}
    paths = ["turn", "players[2].id", "players[1].id", "events[1].on", "events[1].by", "events[1]"]

    error = shape.in_order(InputError(*(problem(path, "key_missing") for path in paths)), data)

    assert [p.path for p in error.problems] == [
        "events[1]", "events[1].by", "events[1].on", "players[1].id", "players[2].id", "turn",
    ]  # fmt: skip


def test_no_more_than_a_thousand_faults_are_named_at_once():
    with pytest.raises(InputError) as caught:
        shape.each(["x"] * 100_000, "here", shape.number)

    assert len(caught.value.problems) == shape.MAX_PROBLEMS

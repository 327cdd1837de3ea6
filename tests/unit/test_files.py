"""Reading files: words stay words, faults name their place, nothing explodes."""

import pytest

from judge.core.errors import InputError
from judge.schemas.files import MAX_BYTES, TooLarge, parse


def key_of(data: bytes) -> str:
    with pytest.raises(InputError) as caught:
        parse(data)
    return caught.value.problems[0].message.key


def test_words_that_yaml_1_1_takes_for_truth_stay_words():
    assert parse(b"{on: B, name: No, day: 2026-11-16, edition: 2.4.1}") == {
        "on": "B", "name": "No", "day": "2026-11-16", "edition": "2.4.1",
    }  # fmt: skip


def test_numbers_nulls_and_truth_are_read_as_such():
    assert parse(b"[1, -2, 1.5, null, ~, true, '7', 1/2]") == [1, -2, 1.5, None, None, True, "7", "1/2"]


def test_json_is_read_as_json():
    assert parse('{"a": [1, "é"]}'.encode()) == {"a": [1, "é"]}


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"", "file_empty"),
        (b"  \n", "file_empty"),
        (b"\xff\xfe", "not_utf8"),
        (b"a: [", "not_yaml"),
        (b"a: 1\na: 2", "key_twice_at"),
        (b'{"a": 1, "a": 2}', "key_twice"),
        (b"--- 1\n--- 2\n", "several_documents"),
        (b"a: *nobody", "unknown_alias"),
        (b"[" * 100 + b"]" * 100 + b" x", "too_deep"),
        (b'{"a": NaN}', "not_a_number"),
    ],
)
def test_a_fault_is_named(data: bytes, key: str):
    assert key_of(data) == key


def test_an_alias_bomb_is_refused_without_being_unfolded():
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]

    assert key_of("\n".join(levels).encode()) == "too_many_values"


def test_a_file_over_the_limit_is_refused_as_too_large():
    with pytest.raises(TooLarge):
        parse(b"#" * (MAX_BYTES + 1))

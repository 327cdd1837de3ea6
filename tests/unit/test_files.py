"""Reading files: words stay words, faults name their place, nothing explodes."""

import json

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
        (b'{"a": 1e999}', "not_a_number"),
        (b"a: 1e999", "not_a_number"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not_a_number"),
        (b'{"a": -' + b"9" * 19 + b"}", "not_a_number"),
        (b'{"a": 0.' + b"3" * 1_000_000 + b"}", "not_a_number"),
        (b'{"a": ' + b"[" * 200 + b"]" * 200 + b"}", "too_deep"),
        (b'{"a": ' * 5000 + b"1" + b"}" * 5000, "too_deep"),
        (b"[" + b"1," * 500_000 + b"1]", "too_many_values"),
        (b'{"a": "\\u0000"}', "text_unusable"),
        (b'{"a": "\\ud800"}', "text_unusable"),
        (b'{"\\udfff": 1}', "text_unusable"),
        (b'a: "\\0"', "text_unusable"),
        (b'a: "\\e[2J"', "text_unusable"),
        (b"a: \x01", "not_yaml"),
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


def test_a_text_that_cannot_be_stored_is_refused_with_its_place():
    with pytest.raises(InputError) as caught:
        parse(b'{"players": [{"id": "A"}, {"id": "a\\u0000b"}]}')

    assert caught.value.problems[0].path == "players[2].id"


def test_a_deep_nest_built_from_aliases_is_refused():
    levels = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 100))]

    assert key_of("\n".join(levels).encode()) == "too_deep"


def test_a_long_row_of_digits_is_a_word_in_yaml():
    assert parse(b"{id: 33123456789, card: 1234567890123456789012}") == {
        "id": 33123456789, "card": "1234567890123456789012",
    }  # fmt: skip


def test_a_key_that_stands_twice_among_many_is_found_at_once():
    keys = ",".join(f'"k{n}": 1' for n in range(200_000))

    assert key_of(f'{{{keys}, "k7": 2}}'.encode()) == "key_twice"


def test_notes_keep_their_lines_and_every_script():
    text = "tab\tline\nй ß 龍 🎲 \N{ZERO WIDTH JOINER}"

    assert parse(json.dumps({"note": text}).encode()) == {"note": text}

"""docs/effect-words.md lists the vocabulary as the tables of the engine hold it."""

from __future__ import annotations

import re
from pathlib import Path

import judge.rules.dice_throne  # registers the words
from judge.rules.catalog import WINDOWS
from judge.rules.dice_throne.effects.conditions import CONDITIONS
from judge.rules.dice_throne.effects.numbers import COUNTS
from judge.rules.dice_throne.effects.vocabulary import OPTIONS, SHAPE_KEYS, WORDS
from judge.schemas.dice_throne.uses import USE_KEYS

PAGE = (Path(judge.rules.dice_throne.__file__).parents[3] / "docs" / "effect-words.md").read_text("utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading."""
    part = PAGE.split(f"## {heading}", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in part.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def first_column(heading: str) -> list[str]:
    return [name for row in rows(heading) for name in named(row[0])]


def test_every_word_is_listed_with_the_keys_it_takes():
    assert {named(row[0])[0]: set(named(row[2])) for row in rows("Words")} == {
        word.name: set(word.options) for word in WORDS.values()
    }


def test_every_named_amount_and_phase_of_a_word_is_listed():
    for row in rows("Words"):
        word = WORDS[named(row[0])[0]]
        assert {*word.amounts, *word.becomes, *word.phases} <= set(named(row[1])), word.name


def test_every_further_key_is_listed():
    assert sorted(first_column("Further keys")) == sorted(OPTIONS)
    assert {key for keys in SHAPE_KEYS.values() for key in keys} <= {
        key for row in rows("Words") for key in named(row[2])
    }


def test_every_receiver_is_listed():
    assert set(first_column("Receivers")) == {target for word in WORDS.values() for target in word.targets}


def test_every_count_condition_and_window_is_listed():
    assert sorted(first_column("Counts")) == sorted(COUNTS)
    assert sorted(first_column("Conditions")) == sorted(CONDITIONS)
    assert sorted(first_column("Windows")) == sorted(WINDOWS)


def test_every_key_of_a_use_is_listed():
    assert sorted(first_column("Uses")) == sorted(set(USE_KEYS) - {"note"})

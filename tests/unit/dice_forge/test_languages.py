"""Dice Forge rulings in every language: sentences change, nothing else does."""

import re
from pathlib import Path

import pytest

from judge.cli.ruling_text import RulingText
from judge.core.messages import LANGS
from judge.schemas.files import read_file
from judge.services.dispute.case import Case
from judge.services.dispute.rulings import rule_table, tables_in

CASES = Path(__file__).parents[2] / "cases"
TABLES = [
    pytest.param(table, id=table["id"])
    for file in sorted(CASES.glob("dice-forge*.yaml"))
    for _, table in tables_in(read_file(file))
]
SPOKEN = {"says", "text"}


def unspoken(value):
    if isinstance(value, dict):
        return {key: unspoken(item) for key, item in value.items() if key not in SPOKEN}
    return [unspoken(item) for item in value] if isinstance(value, list) else value


def spoken(value):
    if isinstance(value, dict):
        for key, item in value.items():
            yield from [item] if key in SPOKEN else spoken(item)
    elif isinstance(value, list):
        for item in value:
            yield from spoken(item)


@pytest.mark.parametrize("table", TABLES)
def test_only_the_sentences_change_with_the_language(table):
    english, french, russian = (rule_table(table, lang) for lang in LANGS)

    assert unspoken(english) == unspoken(french) == unspoken(russian)
    for sentence in spoken(russian):
        assert not re.search(r"[{}]|\bNone\b", sentence)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("lang", LANGS)
def test_the_terminal_shows_words_and_no_data(table, lang):
    case = Case(table)
    shown = "\n".join(RulingText(case.said(lang), case.phrases(lang)).lines())

    assert not re.search(r"None|True|False|\['|\{'|\b[GSMV]\d\b", shown.split("\n", 1)[1])

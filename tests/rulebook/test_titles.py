"""Titles of rules in words."""

import pytest

from judge.core.games import GAME_IDS
from judge.schemas.fixtures import rulebook
from judge.services.rulebook.search import search
from judge.services.rulebook.titles import rule_title, titles

LONGEST = 48  # two lines of a phone


@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_every_rule_has_a_short_title_of_its_own(lang):
    rules = {rule for game in GAME_IDS for rule in rulebook(game).rules}
    mine = [titles()[rule][lang] for rule in rules]

    assert titles().keys() == rules
    assert len(set(mine)) == len(mine)
    assert [title for title in mine if not 3 <= len(title) <= LONGEST or title.endswith(".")] == []


def test_a_rule_is_found_by_its_title_and_shown_with_it(client):
    title = rule_title("DT-RET-02", "en")

    assert search(title)[0].id == "DT-RET-02"
    assert title in client.get("/rules/DT-RET-02?lang=en").text
    assert title in client.get("/rules?q=halving&lang=en").text
    assert rule_title("DT-RET-02", "ru") in client.get("/rules/DT-RET-02?lang=ru").text

"""Titles of rules in words: fixtures/<game>/titles.json. Only pages need them, so no ruling loads them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from judge.core.games import GAME_IDS
from judge.core.messages import Lang
from judge.paths import FIXTURES
from judge.schemas.fixtures import load_json

FILE = "titles.json"


def rule_title(rule_id: str, lang: Lang) -> str:
    """What the rule is about, in a few words; its id if nobody has given it a title."""
    return titles().get(rule_id, {}).get(lang, rule_id)


@cache
def titles() -> Mapping[str, Mapping[str, str]]:
    games = [game for game in GAME_IDS if FIXTURES.joinpath(game, FILE).exists()]
    return {rule_id: names for game in games for rule_id, names in load_json(game, FILE).items()}

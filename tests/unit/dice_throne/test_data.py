"""Rules, heroes and editions as data: complete in three languages, and no hero named in engine code."""

import copy
import json
import re
from pathlib import Path

import pytest

from judge.core.messages import LANGS
from judge.paths import FIXTURES
from judge.rules.dice_throne import rule
from judge.rules.dice_throne.effects.vocabulary import WORDS
from judge.schemas.dice_throne import table as schema
from judge.schemas.dice_throne.shipped import (
    catalog_for,
    hero_ids,
    shipped_cards,
    shipped_hero,
    shipped_statuses,
)
from judge.schemas.fixtures import rulebook, sentences
from judge.services.rulebook.rules import coverage

ENGINE = Path(schema.__file__).parents[2] / "rules"


def catalogue_ids() -> set[str]:
    heroes = [shipped_hero(name) for name in hero_ids()]
    things = {thing for hero in heroes for kind in (hero.abilities, hero.cards) for thing in kind}
    return things | set(hero_ids()) | set(shipped_statuses()) | set(shipped_cards())


def test_the_engine_names_no_hero_card_or_status():
    words = set()
    for path in [*(ENGINE / "dice_throne").rglob("*.py"), ENGINE / "catalog.py"]:
        words |= set(re.findall(r'"([a-z0-9-]+)"', path.read_text()))

    assert words & (catalogue_ids() - set(WORDS)) == set()


@pytest.mark.parametrize("hero", hero_ids())
def test_every_shipped_hero_can_be_read(hero):
    assert shipped_hero(hero).id == hero


def test_statuses_cite_rules_that_exist():
    rules = rulebook("dice-throne").rules

    assert {rule for status in shipped_statuses().values() for rule in status.rules} <= set(rules)


def test_rules_speak_three_languages():
    for entry in rulebook("dice-throne").rules.values():
        texts = [entry.text, *(reading.text for reading in entry.readings)]
        assert all(text.get(lang) for text in texts for lang in LANGS), entry.id


def test_every_sentence_has_the_same_places_in_three_languages():
    english = sentences("en")
    for lang in LANGS:
        other = sentences(lang)
        assert set(other) == set(english)
        for key, template in english.items():
            names = set(re.findall(r"\{(\w+)", template))
            assert names == set(re.findall(r"\{(\w+)", other[key])), (lang, key)


def test_every_message_of_the_engine_has_a_sentence():
    source = "".join(path.read_text() for path in (ENGINE / "dice_throne").rglob("*.py"))
    used = set(re.findall(r'"((?:step|ask|collide|legal|dt)_[a-z_]+)"', source)) - {"legal_"}

    assert used <= set(sentences("en"))


def test_every_rule_that_an_engine_can_decide_is_decided_by_a_case():
    assert [e["id"] for e in coverage() if e["kind"] == "decided" and not e["cases"]] == []


def test_a_fourth_rulebook_is_a_file():
    book = json.loads((FIXTURES / "dice-throne" / "editions" / "fr-2.4.1.json").read_text())
    book["id"] = "house-3"
    book["switches"]["priority"] = "clockwise"
    book["switches"]["spending_is_instant"] = False
    book["switches"]["numbers"]["cp_cap"] = 20
    book["switches"]["types"]["undefendable"]["defendable"] = True
    table = schema.read_table(
        {
            "game": "dice-throne",
            "players": [{"id": "A", "cp": 2}, {"id": "B", "cp": 15, "statuses": {"protect": 1}}],
            "turn": {"active": "A"},
            "events": [
                {"by": "A", "activate": "x", "effects": [{"deal": 8, "type": "undefendable"}]},
                {"by": "B", "defend": "y", "effects": [{"prevent": 1}, {"gain_cp": 9}]},
                {"collide": [{"by": "B", "spend": "protect"}, {"by": "A", "play": "buh-bye", "on": "B"}]},
            ],
        }
    )

    table.edition = schema.read_edition(copy.deepcopy(book))
    ruling = rule(table)

    assert [event.verdict for event in ruling.events] == ["legal", "legal", "legal"]
    assert ruling.order[0].sequence == [1, 2]
    assert ruling.players["B"].cp == 20
    assert ruling.resolutions[0].totals["B"].final == 3


def test_the_catalogue_of_a_table_comes_before_the_shipped_one():
    from judge.schemas.dice_throne.catalog import read_catalogue

    own = read_catalogue(
        {"cards": [{"id": "buh-bye", "kind": "instant", "cost": 0, "effects": []}]}, "catalogue"
    )

    assert catalog_for([], own).cards["buh-bye"].cost == 0

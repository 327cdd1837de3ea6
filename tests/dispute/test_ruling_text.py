"""A Dice Throne ruling in the terminal: words in the asked language, and the rules that decide."""

import re

import pytest

from judge.cli.ruling_text import RulingText
from judge.core.messages import LANGS
from judge.services.dispute.case import Case

TABLE = {
    "game": "dice-throne",
    "edition": "fr-2.4.1",
    "players": [
        {"id": "Ana", "hero": "barbarian", "upgrades": {"smack": 2}},
        {"id": "Ben", "hero": "paladin", "statuses": {"protect": 2}, "limits": {"protect": 2}},
    ],
    "turn": {"active": "Ana", "phase": "offensive-roll"},
    "events": [
        {"by": "Ana", "activate": "smack", "on": "Ben", "effects": [{"deal": 17}]},
        {"by": "Ben", "spend": "protect"},
        {"by": "Ben", "spend": "protect"},
        {"by": "Ben", "play": "vegas-baby", "dice": [3]},
    ],
}


def text_of(table, lang="en", all_rules=False) -> str:
    case = Case(table)
    return "\n".join(RulingText(case.said(lang), case.phrases(lang), all_rules).lines())


@pytest.mark.parametrize("lang", LANGS)
def test_the_table_afterwards_and_what_players_may_do_are_words(lang):
    shown = text_of(TABLE, lang).split("\n", 1)[1]

    assert not re.search(r"None|True|\['|\{'|play-|attempts_left|main-2|\b(cp|barbarian|protect)\b", shown)


def test_the_table_afterwards_names_heroes_dials_and_upgrades():
    shown = text_of(TABLE)

    assert "Ana (Barbarian): health 50, CP 2, 4 cards in hand, Smack II" in shown
    assert "Ana: play a Main Phase card, play an Instant card" in shown


def test_the_deciding_rules_come_with_book_section_and_page_and_the_rest_is_folded():
    shown = text_of(TABLE)

    assert "2.4.1 (book in French), Total final des dégâts, p. 14 · DT-DMG-04" in shown
    assert "DT-STAT-05" not in shown
    assert "DT-STAT-05" in text_of(TABLE, all_rules=True)


def test_an_illegal_event_and_a_total_name_the_rules_that_decide():
    ruling = Case(TABLE).said("en")

    assert ruling["events"][3]["decides"][0] == "DT-CARD-02"
    assert "decides" not in ruling["events"][0]
    assert ruling["resolutions"][0]["totals"]["Ben"]["decides"] == ["DT-DMG-04", "DT-DMG-06", "DT-DMG-05"]


@pytest.mark.parametrize(
    ("event", "decides"),
    [
        ({"by": "Ben", "spend": "evasive", "dice": [1]}, ["DT-DMG-08", "DT-TOK-08"]),
        ({"by": "Ben", "spend": "protect"}, ["DT-DMG-03", "DT-DMG-05"]),
        ({"by": "Ben", "defend": "guard", "effects": [{"prevent": 4}]}, ["DT-DMG-02"]),
        ({"by": "Ana", "play": "more", "card": "roll", "cost": 0, "effects": [{"add": 4}]}, ["DT-ATK-05"]),
        ({"by": "Ben", "does": "nothing", "effects": []}, ["DT-DMG-01"]),
    ],
)
def test_a_total_is_decided_by_what_made_its_number(event, decides):
    players = [{"id": "Ana"}, {"id": "Ben", "statuses": {"evasive": 1, "protect": 1}}]
    strike = {"by": "Ana", "activate": "strike", "effects": [{"deal": 7, "type": "normal"}]}
    ruling = Case({**TABLE, "players": players, "events": [strike, event]}).said("en")

    assert ruling["resolutions"][0]["totals"]["Ben"]["decides"] == decides


def test_damage_from_a_defence_rests_on_the_rule_about_it():
    players = [{"id": "Ana"}, {"id": "Ben"}]
    strike = {"by": "Ana", "activate": "strike", "effects": [{"deal": 7, "type": "normal"}]}
    answer = {"by": "Ben", "defend": "thorns", "effects": [{"deal": 2, "type": "normal", "to": "attacker"}]}
    ruling = Case({**TABLE, "players": players, "events": [strike, answer]}).said("en")

    assert ruling["resolutions"][0]["totals"]["Ana"]["decides"] == ["DT-ATK-08"]

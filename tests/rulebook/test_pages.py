"""The rule book and the calculators, as anybody may read them."""

import html
import json
import re

import pytest

from judge.core.games import GAME_IDS
from judge.paths import FIXTURES
from judge.schemas.fixtures import rulebook
from judge.services.rulebook.pages import groups
from judge.services.rulebook.search import search


def text(page):
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def get(client, path, status=200):
    answer = client.get(path)
    assert answer.status_code == status, path
    return text(answer.text)


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("subtotal reduction", "DT-DMG-02"),
        ("degats entrants avant", "DT-DMG-01"),
        ("входящий урон установить", "DT-DMG-01"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_words_of_any_language_find_a_rule(client, words, rule, lang):
    page = get(client, f"/rules?lang={lang}&q={words}")

    assert rule in page


def test_an_id_comes_first_and_leads_to_its_page(client):
    found = search("dt-dmg-04")
    page = get(client, "/rules/DT-DMG-04")

    assert found[0].id == "DT-DMG-04"
    assert "Total final des dégâts" in page
    assert client.get("/rules/dt-dmg-04").headers["Location"].endswith("/rules/DT-DMG-04")
    get(client, "/rules/DT-DMG-99", 404)


def test_a_book_filters_what_it_does_not_state():
    ids = {entry.id for entry in search("", edition="fr-2.4.1")}

    assert "DT-TIME-10" in ids
    assert "DT-TIME-01" not in ids
    assert not any(rule.startswith("DF-") for rule in ids)


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_rule_belongs_to_a_named_group_and_every_group_opens(client, game):
    shown = groups(game, "fr")

    assert sum(group.count for group in shown) == len(rulebook(game).rules)
    for group in shown:
        assert group.name in get(client, f"/rules?lang=fr&group={group.id}")


@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_every_rule_has_its_page(client, lang):
    for game in GAME_IDS:
        for rule in rulebook(game).rules.values():
            assert client.get(f"/rules/{rule.id}?lang={lang}").status_code == 200


def test_an_open_point_shows_its_readings_and_which_is_followed(client):
    page = get(client, "/rules/J-02")

    assert "How it can be read" in page
    assert "followed here" in page


def test_the_differences_name_every_switch_in_which_the_books_differ(client):
    """The page is written from the edition data: nothing the engine distinguishes is missing on it."""
    switches = [
        json.loads(path.read_bytes())["switches"]
        for path in (FIXTURES / "dice-throne/editions").glob("*.json")
    ]
    differing = {name for name in switches[0] if len({json.dumps(s[name]) for s in switches}) > 1}
    entries = json.loads((FIXTURES / "dice-throne/differences.json").read_bytes())
    known = rulebook("dice-throne").rules

    assert {entry["switch"] for entry in entries} - {""} == differing
    assert all(rule in known for entry in entries for rule in entry["rules"])
    assert "For a ruling:" in get(client, "/rules/differences")


def test_the_damage_calculator_counts_the_books_example(client):
    """18, +5, −3 −3, two halves and one half back: the worked example of every book."""
    page = get(client, "/tools/damage?incoming=18&adds=5&prevents=3+3&halves=2&returns=1&edition=fr-2.4.1")

    assert "Defender takes 0." in page
    assert "Attacker takes 9." in page
    assert "Subtotal for Defender: 17." in page
    assert "Every fraction of the same Subtotal" in page


def test_the_damage_calculator_says_what_a_type_does_not_allow(client):
    page = get(client, "/tools/damage?incoming=8&type=pure&adds=5")

    assert "Defender takes 8." in page
    assert "Not counted: This damage cannot be increased (pure)." in page


def test_five_dice_show_what_activates_and_by_which_line(client):
    page = get(client, "/tools/dice?hero=barbarian&die=1&die=2&die=3&die=3&die=6")
    smack = page[page.index("Smack") : page.index("Smack") + 120]

    assert "activates" in smack
    assert "6 damage" in smack
    assert "does not activate" in page


@pytest.mark.parametrize(
    ("mode", "die", "says"),
    [("2v2", 2, "on the left"), ("2v2", 4, "on the right"), ("2v2", 5, "opposing team chooses"),
     ("2v2", 6, "Whoever rolled chooses"), ("3v3", 3, "in the middle")],
)  # fmt: skip
def test_the_targeting_die_names_the_target(client, mode, die, says):
    assert says in get(client, f"/tools/target?mode={mode}&die={die}")


def test_level_three_over_level_two_costs_the_difference(client):
    over = get(client, "/tools/upgrade?in_play=2&cost_in_play=3&level=3&cost=4&cp=5")
    whole = get(client, "/tools/upgrade?in_play=1&level=3&cost=4&cp=3")

    assert "It costs 1 CP." in over
    assert "It cannot be played." in whole


@pytest.mark.parametrize(
    "query",
    ["damage?incoming=abc", "damage?incoming=-5&adds=x,-1", "damage?incoming=99999&halves=99&type=evil",
     "dice?hero=nobody&die=7", "dice?hero=monk&dice=11111", "target?die=9&mode=5v5",
     "upgrade?level=9&cost=99&in_play=0"],
)  # fmt: skip
def test_nonsense_in_the_address_does_no_harm(client, query):
    get(client, f"/tools/{query}")


@pytest.mark.parametrize(
    "query", ["damage?incoming=ten&adds=5", "damage?incoming=8&adds=five+2", "upgrade?level=3&cost=x"]
)
def test_a_calculator_refuses_what_is_no_number_and_keeps_it(client, query):
    page = get(client, f"/tools/{query}")

    assert "is not a number." in page
    assert "takes" not in page.split("Work it out")[-1]

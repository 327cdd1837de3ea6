"""The page, the command and the API search the same rule book."""

import html
import json
import re

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.services.rulebook.search import folded

QUESTIONS = (
    "DT-DMG-04",
    "j-03",
    "df-forge-02",
    "retribution",
    "subtotal reduction",
    "undefendable",
    "hero upgrade",
    "final damage",
    "dégâts entrants",
    "degats entrants",
    "Modificateur d’Attaque",
    "forger une face",
    "tour supplémentaire",
    "tour supplementaire",
    "входящий урон",
    "счёт",
    "счет",
    "подвиг",
    "золото",
    "no rule has these words",
)


def ids_on_the_page(client, words, lang):
    page = client.get("/rules", query_string={"q": words, "lang": lang}).text
    return re.findall(r'<strong class="rule-id">([^<]+)</strong>', html.unescape(page))


def ids_of_the_command(words, lang):
    answer = CliRunner().invoke(cli, ["rules", *words.split(), "--json", "--lang", lang])
    return [rule["id"] for rule in json.loads(answer.output)] if answer.exit_code == 0 else []


def ids_of_the_api(client, words, lang):
    answer = client.get("/api/v1/rules", query_string={"q": words, "lang": lang})
    return [rule["id"] for rule in answer.get_json()]


@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_page_command_and_api_find_the_same_rules_in_the_same_order(client, lang):
    for words in QUESTIONS:
        shown = ids_on_the_page(client, words, lang)

        assert ids_of_the_command(words, lang) == shown, words
        assert ids_of_the_api(client, words, lang) == shown, words


def test_the_questions_find_something_in_every_language_but_for_the_last(client):
    found = {words: ids_of_the_api(client, words, "en") for words in QUESTIONS}

    assert [words for words, ids in found.items() if not ids] == [QUESTIONS[-1]]


@pytest.mark.parametrize(("plain", "written"), [("degats entrants", "dégâts entrants"), ("счет", "счёт")])
def test_accents_make_no_difference(client, plain, written):
    assert ids_of_the_api(client, plain, "en") == ids_of_the_api(client, written, "en") != []


def test_the_ligature_and_the_dots_are_folded_like_accents():
    assert folded("Œuvre, cœur") == "oeuvre, coeur"
    assert folded("Счёт") == "счет"


def test_one_rule_is_found_by_its_id_in_small_letters_too(client):
    assert client.get("/api/v1/rules/dt-dmg-04").get_json()["id"] == "DT-DMG-04"

"""The book of answers: every answer and every note is what the engine rules, and is found by its words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from judge.core.messages import LANGS
from judge.rules.answers import Proof, Texts
from judge.schemas.answers import shipped_answers, shipped_notes, sources
from judge.schemas.fixtures import load_json, rulebook
from judge.services.dispute.case import Case
from judge.services.dispute.rulings import departures
from judge.services.rulebook.answers import search, touching
from tests.cases.index import titles_by_rule

NUMBER = re.compile(r"(?<![\w.-])\d+(?![\w.-]\d)")


def proofs() -> Iterator[tuple[str, Proof, list[Texts]]]:
    for answer in shipped_answers().values():
        yield answer.id, answer.proof, [answer.question, answer.says]
    for note in shipped_notes().values():
        yield note.rule, note.proof, [note.why, note.mistake, note.example]


def test_every_answer_and_every_note_is_ruled_as_told_under_each_book():
    wrong = {
        f"{name} ({book})": [str(each) for each in differences]
        for name, proof, _ in proofs()
        for book in proof.editions
        if (differences := list(departures(proof.checked(book, name))))
    }

    assert wrong == {}


def test_what_is_expected_says_something_under_each_book():
    empty = [
        (name, book)
        for name, proof, _ in proofs()
        for book in proof.editions
        if not proof.checked(book, name)["expect"]
    ]

    assert empty == []


def test_every_number_in_a_sentence_is_in_the_table_or_its_ruling():
    unproven = []
    for name, proof, texts in proofs():
        known = set()
        for book in proof.editions:
            ruling = Case(proof.under(book)).said("en")
            known |= set(re.findall(r"\d+", json.dumps([proof.under(book), ruling], ensure_ascii=False)))
        for text in texts:
            unproven += [
                (name, lang, n) for lang in LANGS for n in NUMBER.findall(text[lang]) if n not in known
            ]

    assert unproven == []


def test_answers_rest_on_rules_that_exist_and_name_their_source():
    rules = {rule for game in ("dice-throne", "dice-forge") for rule in rulebook(game).rules}
    answers = shipped_answers().values()

    assert [(a.id, set(a.rules) - rules) for a in answers if set(a.rules) - rules or not a.rules] == []
    assert [a.id for a in answers if a.source not in sources()] == []


@pytest.mark.parametrize(
    "question",
    [
        "Can I use Protect against undefendable damage?",
        "protection contre imparable",
        "Можно ли Оборону против неблокируемого урона",
    ],
)
def test_a_question_in_any_language_finds_its_answer_first(question: str):
    assert search(question)[0].id == "protect-against-undefendable"


def test_words_that_no_answer_has_find_none():
    assert search("xyzzy") == []


def test_a_table_is_offered_the_answers_about_its_tokens():
    table = {"game": "dice-throne", "players": [{"id": "A", "statuses": {"protect": 1}}, {"id": "B"}]}

    assert "protect-against-undefendable" in [answer.id for answer in touching(table)]


def test_the_cases_named_on_a_rule_page_are_decided_by_that_rule():
    decided = titles_by_rule()
    shipped = load_json("cases.json")

    wrong = [
        (rule, title)
        for rule, entry in shipped.items()
        for title in entry["titles"]
        if title not in decided.get(rule, ())
    ]
    assert wrong == [], "run: make cases"


def test_a_rule_page_shows_why_an_example_the_mistake_answers_and_cases(client):
    page = client.get("/rules/DT-DMG-04").text

    for shown in (
        "Why it is so",
        "17 −9 −9 → 0",
        "The usual mistake",
        "Two effects each prevent half",
        "tested cases",
    ):
        assert shown in page

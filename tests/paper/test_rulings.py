"""A ruling on paper: the answer first, one page, two languages side by side."""

import pytest

from judge.core.messages import LANGS
from judge.printing.page import Sheet
from judge.printing.ruling import MARKS, ruling_pdf
from judge.rules.ruling_words import deciding_rules
from judge.services.dispute.rulings import rule_table
from judge.services.paper.documents import PrintOptions, print_file, print_rulings
from tests.paper.papers import book
from tests.paper.reading import Read

TABLE = {
    "id": "barbarian-paladin",
    "game": "dice-throne",
    "edition": "fr-2.4.1",
    "players": [
        {"id": "B", "hero": "barbarian"},
        {
            "id": "P",
            "hero": "paladin",
            "statuses": {"protect": 2, "retribution": 1},
            "limits": {"protect": 2},
        },
    ],
    "turn": {"active": "B", "phase": "offensive-roll"},
    "events": [
        {"by": "B", "activate": "smack", "on": "P", "effects": [{"deal": 17}]},
        {"by": "P", "spend": "protect"},
        {"by": "P", "spend": "protect"},
        {"by": "P", "play": "vegas-baby", "card": "main", "cost": 0, "effects": [{"gain_cp": 1}]},
    ],
    "claims": [{"by": "B", "player": "P", "final": 4}],
}


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("lang", LANGS)
def test_a_ruling_stands_on_one_page_with_the_answer_first(lang, paper):
    ruling = rule_table(TABLE, lang)
    read = Read(print_rulings(TABLE, PrintOptions(lang=lang, paper=paper, url="https://j.example/r/1")))
    text = squeezed(" ".join(read.texts))

    read.assert_well_set()
    assert len(read.pages) == 1
    places = [text.index(squeezed(step["says"])) for step in ruling["steps"]]
    largest = max(word.size for word in read.words if word.y < 740)
    answers = [word for word in read.words if word.size == largest and word.y < 740]
    assert all(text.index(squeezed(word.text)) < places[0] for word in answers)
    assert set(ruling["citations"]) == {rule for rule in ruling["citations"] if rule in text}
    for rule in deciding_rules(ruling):
        assert squeezed(ruling["citations"][rule]["text"]) in text


def test_french_and_russian_stand_side_by_side():
    options = PrintOptions(lang="fr", second_lang="ru")
    read = Read(print_rulings(TABLE, options))
    middle = float(read.pages[0].mediabox.width) / 2
    left = squeezed(" ".join(w.text for w in read.words if w.x < middle))
    right = squeezed(" ".join(w.text for w in read.words if w.x > middle))

    read.assert_well_set()
    assert len(read.pages) == 1
    for lang, column in (("fr", left), ("ru", right)):
        ruling = rule_table(TABLE, lang)
        assert all(squeezed(step["says"]) in column for step in ruling["steps"])
        assert all(squeezed(ruling["citations"][rule]["text"]) in column for rule in deciding_rules(ruling))


def test_every_table_of_a_file_has_its_page():
    read = Read(print_file("ruling", {"tables": [TABLE, {**TABLE, "id": "again"}]}))

    assert len(read.pages) == 2
    assert {"barbarian-paladin", "again"} <= set(read.texts)


@pytest.mark.parametrize("lang", LANGS)
def test_readings_claims_and_open_points_are_printed(lang):
    reading = {"id": "J-03", "reading": "a", "says": "The one way.", "ruling": {}}
    ruling = {
        "id": "x", "game": "dice-forge", "edition": "fr-1", "discretion": ["J-03"], "readings": [reading],
        "events": [{"n": n, "verdict": v, "rules": [], "says": ""} for n, v in enumerate(MARKS, start=1)],
        "order": [{"event": 1, "sequence": [2, 1], "outcomes": ["resolves", "no effect"]}],
        "asks": [{"event": 1, "for": "effects", "says": "What does it do?"}],
        "claims": [{"by": "A", "player": "B", "claimed": 4, "right": True, "mistakes": []}],
        "outcome": {"state": "shared", "winners": ["A", "B"], "scores": {"A": 100, "B": 100}},
        "players": {"A": {"glory": 100, "gold": 2, "tokens": {}}},
    }  # fmt: skip

    read = Read(ruling_pdf(Sheet(), [(ruling, book(lang))]))
    text = " ".join(read.texts)

    read.assert_well_set()
    for words in ("J-03 a: The one way.", "What does it do?", "A 100, B 100", "2 → 1"):
        assert words in text

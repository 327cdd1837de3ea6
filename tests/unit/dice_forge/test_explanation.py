"""What the explanation of a Dice Forge ruling says: reason before effect, and where a rule comes from."""

import pytest

from judge.services.dispute.rulings import rule_table

X3 = [["X3", "G1", "G1", "G1", "G1", "S1"], ["G1", "G1", "G1", "G1", "M1", "V2"]]


def ruled(*events, lang="en", a=None, b=None, **more):
    players = [
        {"id": "A", "gold": 0, **(a or {})},
        {"id": "B", "gold": 0, **(b or {})},
        {"id": "C", "gold": 0},
    ]
    turn = {"active": "A", "first": "A", "step": 1}
    data = {"game": "dice-forge", "players": players, "turn": turn, "events": list(events), **more}
    return rule_table(data, lang)


def said(ruling):
    return [step["says"] for step in ruling["steps"]]


def before(lines, first, second):
    """Whether a line with the first words stands before one with the second."""
    at = [next(n for n, line in enumerate(lines) if words in line) for words in (first, second)]
    return at[0] < at[1]


def die(face):
    return [[face, "G1", "G1", "G1", "G1", "S1"], ["G1", "G1", "G1", "G1", "M1", "V2"]]


def test_a_shield_says_what_the_other_die_gave():
    match = said(ruled({"by": "A", "bless": ["SHIELD_M", "M1"]}, a={"dice": die("SHIELD_M")}))
    lower = said(ruled({"by": "A", "bless": ["SHIELD_M", "V2"]}, a={"dice": die("SHIELD_M")}))

    assert before(match, "The other die gives moon", "A gains 5 glory points")
    assert before(lower, "The other die gives no moon", "A gains 2 moon shards")


def test_an_x3_says_what_it_triples():
    lines = said(ruled({"by": "A", "bless": ["X3", "V2"]}, a={"dice": X3}))

    assert before(lines, "×3 triples", "A gains 6 glory points")


def test_a_boar_says_whose_card_pays():
    event = {"by": "B", "bless": ["BOAR_RED", "G1"], "choose": ["S", "V"]}
    lines = said(ruled(event, b={"dice": die("BOAR_RED")}, a={"feats": ["tenacious_boar"]}))

    assert before(lines, "A, who owns its card, is rewarded", "A gains 3 glory points")


def test_a_great_bear_says_that_the_ousting_pays():
    event = {"by": "A", "feat": "great_bear", "oust": {"B": ["G1", "G1"]}}
    lines = said(ruled(event, a={"moon": 2}, b={"island": 2, "feats": ["great_bear"]}))

    assert before(lines, "ousts B", "rewards B for the ousting")
    assert before(lines, "rewards B for the ousting", "B gains 3 glory points")


def test_the_gain_stands_before_the_limit():
    event = {"by": "A", "bless": ["G6", "G1"]}
    lines = said(ruled(event, a={"gold": 8, "dice": die("G6")}))

    assert before(lines, "A gains 6 gold", "stops at 12")


def test_gold_is_sent_to_the_hammer_before_a_lap_is_done():
    hammer = {"feats": ["blacksmiths_hammer"], "hammer": {"lap": 1, "position": 13}, "dice": die("G6")}
    lines = said(ruled({"by": "A", "bless": ["G6", "M1"], "hammer": 4}, a=hammer))

    assert before(lines, "sends 4 gold to the Hammer", "completes lap 1")
    assert before(lines, "completes lap 1", "stands at lap 2, space 2")


def test_nobody_loses_nothing():
    event = {"by": "A", "feat": "minotaur", "rolls": [{"B": ["S1", "V2"]}, {"C": ["G1", "G1"]}]}
    lines = said(ruled(event, a={"sun": 3}))

    assert not [line for line in lines if "loses 0" in line]
    assert any("B has nothing left to lose" in line for line in lines)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "The rules leave this open"),
        ("fr", "laissent ce point ouvert"),
        ("ru", "Правила это не решают"),
    ],
)
def test_an_open_point_is_said_as_a_question_with_our_reading(lang, words):
    event = {"by": "A", "offer": [{"face": "G3", "die": 1, "over": "G1"}], "extra": True}
    ruling = ruled(event, lang=lang, a={"gold": 2, "sun": 2})

    line = next(step for step in ruling["steps"] if "DF-AMB-08" in step["rules"] and words in step["says"])
    assert "?" in line["says"]
    assert "DF-AMB" not in line["says"]


def test_the_refusal_of_a_reading_says_the_question_too():
    event = {"by": "A", "offer": [{"face": "G3", "die": 1, "over": "G1"}], "extra": True}
    ruling = ruled(event, a={"gold": 2, "sun": 2}, rulings={"DF-AMB-08": "b"})

    assert ruling["events"][0]["verdict"] == "illegal"
    assert "The rules leave this open" in ruling["events"][0]["says"]


def test_the_citation_of_a_card_or_a_special_face_says_that_it_comes_from_public_data():
    ruling = ruled({"by": "A", "bless": ["X3", "V2"]}, a={"dice": X3})

    assert "public" in ruling["citations"]["DF-FACE-03"]["text"]
    assert "hors de la feuille" in ruling["citations"]["DF-FACE-03"]["section"]
    assert "public" not in ruling["citations"]["DF-BLESS-02"]["text"]


def test_an_illegal_event_names_the_rules_that_decide_it():
    twice = [{"face": "G4", "die": 1, "over": "G1"}, {"face": "G4", "die": 2, "over": "G1"}]
    ruling = ruled({"by": "A", "offer": twice}, a={"gold": 6})

    assert ruling["events"][0]["decides"] == ["DF-OFFER-02"]


def test_a_legal_event_names_none():
    assert "decides" not in ruled({"by": "A", "bless": ["G1", "G1"]})["events"][0]

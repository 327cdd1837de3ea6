"""Every face of the box in every way it can be applied: in a blessing, alone, tripled, and as a loss."""

import pytest

from judge.schemas.dice_forge.catalog import catalog
from judge.services.dispute.rulings import rule_table

WORDS = {"G": "gold", "S": "sun", "M": "moon", "V": "glory"}
PLAIN = {
    "G1": {"G": 1}, "V2": {"V": 2}, "G3": {"G": 3}, "M1": {"M": 1}, "G4": {"G": 4}, "S1": {"S": 1},
    "G6": {"G": 6}, "S1V1": {"S": 1, "V": 1}, "G2M1": {"G": 2, "M": 1}, "M2": {"M": 2}, "S2": {"S": 2},
    "V3": {"V": 3}, "V4": {"V": 4}, "M2V2": {"M": 2, "V": 2}, "ALL1": {"G": 1, "S": 1, "M": 1, "V": 1},
}  # fmt: skip
CHOICES = {
    "CH1": {"G": 1, "S": 1, "M": 1}, "G3orV2": {"G": 3, "V": 2}, "CH2": {"G": 2, "S": 2, "M": 2},
}  # fmt: skip
LOWER = {"SHIELD_G": {"G": 3}, "SHIELD_S": {"S": 2}, "SHIELD_M": {"M": 2}, "SHIELD_V": {"V": 3}}
MATCHING = {"SHIELD_G": "G1", "SHIELD_S": "S1", "SHIELD_M": "M1", "SHIELD_V": "V2"}
BOARS = ("BOAR_RED", "BOAR_GREEN", "BOAR_YELLOW", "BOAR_BLUE")
# a letter for `choose` where there is one, and what the face then gives to whoever applies it
GIVEN = [
    *((face, None, amounts) for face, amounts in PLAIN.items()),
    *((face, letter, {letter: n}) for face, options in CHOICES.items() for letter, n in options.items()),
    *((face, None, amounts) for face, amounts in LOWER.items()),
]
CASES = pytest.mark.parametrize(("face", "choice", "gives"), GIVEN)


def table(face, beside, *events, have=None, **more):
    filler = ["G1"] * 4
    seat = {"id": "A", "gold": 0, "dice": [[face, "S1", *filler], [beside, "M1", *filler]], **(have or {})}
    others = [{"id": "B", "gold": 0, "feats": ["tenacious_boar"]}, {"id": "C", "gold": 0, "sun": 3}]
    turn = {"active": "A", "first": "A", "step": 1}
    return {"game": "dice-forge", "players": [seat, *others], "turn": turn, "events": list(events), **more}


def after(data):
    ruling = rule_table(data)
    assert {event["verdict"] for event in ruling["events"]} == {"legal"}, ruling["events"]
    return {
        name: {letter: player[word] for letter, word in WORDS.items() if player[word]}
        for name, player in ruling["players"].items()
    }


def chosen(event, choice):
    return event if choice is None else {**event, "choose": choice}


def times(amounts, n):
    return {letter: n * each for letter, each in amounts.items()}


def test_no_face_is_left_out():
    special = {"MIRROR", "X3", "SHIP", *BOARS}

    assert {face for face, _, _ in GIVEN} | special == set(catalog().faces)


@CASES
def test_a_blessing_applies_the_face_once(face, choice, gives):
    # a Ship that buys nothing leaves the other die alone
    found = after(table(face, "SHIP", chosen({"by": "A", "bless": [face, "SHIP"]}, choice)))

    assert found["A"] == gives


@CASES
def test_a_minor_blessing_applies_the_face_once(face, choice, gives):
    roll = {"by": "A", "reinforce": "silver_hind", "die": 1, "rolled": face}
    data = table(face, "X3", {"advance": "step"}, chosen(roll, choice), have={"feats": ["silver_hind"]})

    assert after(data)["A"] == gives


@CASES
def test_an_x3_triples_the_face(face, choice, gives):
    chest = {"feats": ["blacksmiths_chest", "blacksmiths_chest"]}

    found = after(table(face, "X3", chosen({"by": "A", "bless": [face, "X3"]}, choice), have=chest))

    assert found["A"] == times(gives, 3)


@CASES
def test_the_minotaur_takes_what_the_face_would_give(face, choice, gives):
    full = {"gold": 12, "sun": 6, "moon": 6, "glory": 9}
    feat = chosen(
        {"by": "C", "feat": "minotaur", "rolls": [{"A": [face, "SHIP"]}, {"B": ["G1", "G1"]}]}, choice
    )
    data = table(face, "SHIP", feat, have=full)
    data["turn"] = {"active": "C", "first": "A", "step": 3}

    found = after(data)

    assert found["A"] == {letter: full[word] - gives.get(letter, 0) for letter, word in WORDS.items()}
    assert found["C"] == {}


@pytest.mark.parametrize("shield", LOWER)
def test_a_shield_gives_5_glory_beside_its_own_resource(shield):
    beside = MATCHING[shield]
    data = table(shield, beside, {"by": "A", "bless": [shield, beside]})

    found = after(data)["A"]

    assert found == {**PLAIN[beside], "V": 5 + PLAIN[beside].get("V", 0)}


@pytest.mark.parametrize("boar", BOARS)
@pytest.mark.parametrize("owner", [{"S": 1}, {"M": 1}, {"V": 3}])
@pytest.mark.parametrize("bearer", ["S", "M"])
def test_a_boar_pays_bearer_and_owner(boar, bearer, owner):
    letter = next(iter(owner))
    data = table(boar, "G1", {"by": "A", "bless": [boar, "G1"], "choose": [bearer, letter]})

    found = after(data)

    assert found["A"] == {"G": 1, bearer: 1}
    assert found["B"] == owner


@pytest.mark.parametrize("face", [*PLAIN, *LOWER])
def test_a_mirror_applies_what_another_shows(face):
    data = table(
        "MIRROR", "SHIP", {"by": "A", "bless": ["MIRROR", "SHIP"], "copy": {"player": "C", "die": 2}}
    )
    data["players"][2] |= {"shown": ["G1", face], "dice": [["G1"] * 6, [face, *["G1"] * 5]]}

    assert after(data)["A"] == {**PLAIN, **LOWER}[face]

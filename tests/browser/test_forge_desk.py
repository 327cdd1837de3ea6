"""Dice Forge at the judge's desk on a phone: four disputes from nothing by tapping alone, taps counted."""

import pytest

from tests.browser.tapping import Phone
from tests.browser.test_judge_desk import SMALL

PORTAL, MOON, GLORY = ".island", ".moon", ".glory"


@pytest.fixture
def hand(phone, shared_server):
    hand = Phone(phone, shared_server.url)
    phone.set_default_timeout(10_000)
    phone.goto(f"{shared_server.url}/rule?lang=en")
    return hand


def start(hand, players):
    hand.tap(f'.start-forge[value="{players}"]')
    hand.page.wait_for_selector("#table")
    return hand


def begin(hand, p, part, value):
    """One tap on how a player began."""
    return hand.enter(f'.beginning:nth-of-type({p}) {part} [name="value"][value="{value}"]')


def bless(hand, p, first, second):
    hand.player(p).tap(f'#bless .die:nth-of-type(1) .face:has([value="{first}"])')
    return hand.enter(f'#bless .die:nth-of-type(2) .face:has([value="{second}"])')


def headlines(hand):
    """The headline of the ruling in English, and in French."""
    hand.tap("#to-ruling")
    hand.page.wait_for_selector(".the-answer")
    said = []
    for lang in ("en", "fr"):
        hand.page.goto(f"{hand.page.url.split('?')[0]}?lang={lang}")
        said.append(" ".join(hand.page.locator(".the-answer").inner_text().split()))
    return said


def table_of(hand):
    return hand.page.request.get(f"{hand.page.url.split('?')[0]}/table.json").json()


def fits(hand):
    return hand.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_ousting_by_the_ferryman_takes_at_most_fifteen_taps(hand, axe):
    start(hand, 3)
    begin(hand, 1, MOON, 4)
    begin(hand, 2, PORTAL, 3)
    assert fits(hand)
    assert hand.page.evaluate(SMALL) == []
    axe(hand.page)
    hand.enter("#feats .chip", has_text="Ferryman")
    box = hand.page.locator(".forge-roll").first.bounding_box()
    assert 0 <= box["y"] < 844 - 100, "the open question is not in view"
    hand.tap('.forge-roll .face:has([name="d1"][value="S1"])')
    hand.enter('.forge-roll .face:has([name="d2"][value="V2"])')

    english, french = headlines(hand)

    assert "✓ Allowed" in english
    assert "B 2 gold, 1 sun, 0 moon, 2 glory" in english
    assert "✓ Permis" in french
    assert "B or : 2, Fragments Solaires : 1, Fragments Lunaires : 0, Points de Gloire : 2" in french
    assert hand.taps <= 15


def test_a_mirror_between_two_players_takes_at_most_eighteen_taps(hand):
    start(hand, 2)
    hand.tap(".beginning:nth-of-type(1) .dice-of > summary")
    hand.tap('.beginning:nth-of-type(1) .dice-of .face:has([value="0-0"])')
    begin(hand, 1, ".dice-of", "MIRROR")
    bless(hand, 1, "MIRROR", "G1")
    bless(hand, 2, "G1", "V2")
    hand.enter(".events .line-says", has_text="1")
    copied = hand.page.locator('.copies button[value="2"]')
    assert "2 glory" in copied.inner_text()
    hand.enter('.copies button[value="2"]')

    english, french = headlines(hand)

    assert "✓ Allowed" in english
    assert "A 4 gold, 0 sun, 0 moon, 2 glory" in english
    assert "✓ Permis" in french
    assert "A or : 4, Fragments Solaires : 0, Fragments Lunaires : 0, Points de Gloire : 2" in french
    assert hand.taps <= 18


def test_the_same_face_twice_takes_at_most_twelve_taps(hand):
    start(hand, 3)
    begin(hand, 1, ".gold", 9)
    hand.enter('#faces .chip[value*="\\"G4\\""]')
    hand.tap(".current summary").enter('.current [name="face"][value="G4"]')

    english, french = headlines(hand)

    assert "✗ Not allowed" in english
    assert "taken twice" in english
    assert "✗ Pas permis" in french
    assert "deux fois" in french
    assert hand.taps <= 12


def test_a_final_score_takes_at_most_twenty_taps(hand):
    start(hand, 2)
    begin(hand, 1, ".glory .tens", 40)
    begin(hand, 1, ".glory .units", 47)
    begin(hand, 1, ".hundreds", 1)
    hand.tap(".beginning:nth-of-type(1) .feats-of > summary")
    begin(hand, 1, ".feats-of .feat", "gorgon")
    begin(hand, 2, ".glory .tens", 90)
    hand.tap(".beginning:nth-of-type(2) .feats-of > summary")
    begin(hand, 2, ".feats-of .feat", "hydra")
    hand.enter('.offers [name="event"][value*="\\"end\\""]')

    english, french = headlines(hand)

    assert "A 161 glory" in english
    assert "B 116 glory" in english
    assert "Winner: A" in english
    assert "A 161 gloire" in french
    assert "Vainqueur : A" in french
    assert hand.taps <= 20


def test_every_feat_token_hammer_and_set_is_reached_by_tapping(hand):
    start(hand, 4)
    hand.tap(".beginning:nth-of-type(1) .feats-of > summary")
    assert hand.page.locator('.beginning:nth-of-type(1) .feat [name="value"]').count() == 24
    hand.enter('.beginning:nth-of-type(1) .token:has([value="cerberus"]) [name="by"][value="1"]')
    hand.tap(".beginning:nth-of-type(1) .feats-of > summary")
    begin(hand, 1, ".hammer", "2-9")
    hand.tap(".sets > summary")
    hand.enter('.sets [name="value"][value="great_bear"]')
    hand.tap(".beginning:nth-of-type(2) .dice-of > summary")
    hand.tap('.beginning:nth-of-type(2) .dice-of .face:has([value="1-5"])')
    begin(hand, 2, ".dice-of", "V4")
    hand.tap(".beginning:nth-of-type(2) .dice-of > summary")
    hand.tap('.beginning:nth-of-type(2) .dice-of .face:has([value="1-5"])')
    hand.enter('.beginning:nth-of-type(2) .dice-of [name="what"][value="up"]')

    table = table_of(hand)
    assert table["sets"] == {"M2": "great_bear"}
    assert table["players"][0]["tokens"] == {"cerberus": 1}
    assert table["players"][0]["hammer"] == {"lap": 2, "position": 9}
    assert sorted(table["players"][0]["feats"]) == ["blacksmiths_hammer", "cerberus"]
    assert table["players"][1]["dice"][1] == ["G1", "G1", "G1", "G1", "M1", "V4"]
    assert table["players"][1]["shown"] == [None, "V4"]


def test_an_ordinary_action_is_never_entered_as_the_paid_extra_one(hand):
    start(hand, 3)
    begin(hand, 1, ".sun", 6)
    hand.enter("#feats .chip", has_text="Wild Spirits")
    hand.enter("#extra .chip", has_text="Owl")

    events = table_of(hand)["events"]
    assert events[0] == {"by": events[0]["by"], "feat": "wild_spirits"}
    assert events[1] == {"by": events[0]["by"], "feat": "guardians_owl", "extra": True}

"""The equation and the bars of a damage total."""

import pytest

from judge.rules.ruling_picture import bars, equation
from judge.services.dispute.case import Case

STRIKE = {"by": "A", "activate": "s", "effects": [{"deal": 18, "type": "normal"}]}
MORE = {"by": "A", "play": "m", "card": "roll", "cost": 0, "effects": [{"add": 5}]}
GUARD = {"by": "B", "defend": "g", "effects": [{"prevent": 3}]}
HALF = {"by": "B", "spend": "protect"}
DODGE = {"by": "B", "spend": "evasive", "dice": [1]}


def total(*events):
    statuses = {"protect": 2, "evasive": 1}
    players = [{"id": "A"}, {"id": "B", "statuses": statuses, "limits": {"protect": 2}}]
    table = {"game": "dice-throne", "edition": "fr-2.4.1", "players": players, "events": list(events)}
    return Case(table).said("en")["resolutions"][0]["totals"]["B"]


@pytest.mark.parametrize(
    ("events", "written"),
    [
        ((STRIKE,), ""),
        ((STRIKE, MORE), "18 + 5 = 23"),
        ((STRIKE, GUARD), "18 − 3 = 15"),
        ((STRIKE, HALF), "18 −9 → 9"),
        ((STRIKE, MORE, GUARD, HALF), "18 + 5 − 3 = 20, −10 → 10"),
        ((STRIKE, MORE, HALF, HALF), "18 + 5 = 23, −12 −12 → 0"),
        ((STRIKE, DODGE), "18 −18 → 0"),
        ((STRIKE, {**GUARD, "effects": [{"prevent": 20}]}), "18 − 20 = −2 → 0"),
    ],
)
def test_the_equation_shows_subtotal_fractions_and_the_final_number(events, written):
    assert equation(total(*events)) == written


def test_each_bar_begins_where_the_one_before_ended():
    drawn = bars(total(STRIKE, MORE, GUARD, HALF))

    assert [(bar.low, bar.high) for bar in drawn] == [(0, 18), (18, 23), (20, 23), (10, 20), (0, 10)]
    assert [bar.number for bar in drawn] == ["18", "+5", "−3", "−10", "10"]
    assert [bar.by for bar in drawn] == ["A", "A", "B", "B", ""]
    assert drawn[3].name == "Protect"


def test_bars_never_go_below_zero():
    drawn = bars(total(STRIKE, MORE, HALF, HALF))

    assert min(bar.low for bar in drawn) == 0
    assert drawn[-1].number == "0"

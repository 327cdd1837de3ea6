"""Small questions of legality: whose damage an answer means, which tokens may go, what is open to whom."""

from copy import deepcopy

import pytest

from judge.rules.dice_throne import rule
from judge.rules.dice_throne.effects.foresight import taken_words
from judge.schemas.dice_throne.effects import EffectReader
from judge.schemas.dice_throne.table import read_table
from tests.unit.dice_throne.test_steps import ruled, strike


def card(effects, by="B", **more):
    return {"by": by, "play": "trick", "card": "instant", "cost": 0, "effects": effects, **more}


def does(*effects, by="A", on="B"):
    return {"by": by, "does": "something", "on": on, "effects": list(effects)}


def verdicts(ruling):
    return [event.verdict for event in ruling.events]


def finals(ruling, player="B"):
    return [(each.when, each.totals[player].final) for each in ruling.resolutions]


# ------------------------------------------------------------------ which damage is answered

ISOLATED = {"deal": 3, "type": "undefendable", "isolated": True}
PROTECT = {"by": "B", "spend": "protect"}
EVADE = {"spend": "evasive", "dice": [1], "against": "isolated"}


def test_an_answer_to_the_attack_leaves_isolated_damage_alone():
    events = [strike({"deal": 5}), does(ISOLATED), {**PROTECT, "against": 1}]

    ruling = ruled(events, b={"statuses": {"protect": 1}})

    assert finals(ruling) == [("isolated", 3), ("roll-phase", 2)]


def test_a_number_means_the_attack_of_that_event_also_among_other_damage():
    events = [does({"deal": 2}), strike({"deal": 5}, ISOLATED), {**PROTECT, "against": 2}]

    ruling = ruled(events, b={"statuses": {"protect": 1}}, turn={"active": "A", "phase": "offensive-roll"})

    assert finals(ruling) == [("isolated", 3), ("roll-phase", 3)]


def test_isolated_damage_is_evaded_only_by_whom_it_hits():
    evasive = {"statuses": {"evasive": 1}}
    events = [strike({"deal": 5}), does(ISOLATED), {"by": "A", **EVADE}, {"by": "B", **EVADE}]

    assert verdicts(ruled(events[:3], a=evasive))[2] == "illegal"
    assert verdicts(ruled([*events[:2], events[3]], b=evasive))[2] == "legal"


def test_damage_of_nothing_beside_damage_can_be_evaded():
    events = [strike({"deal": 0}, {"deal": 5}), {"by": "B", "spend": "evasive", "dice": [1]}]

    ruling = ruled(events, b={"statuses": {"evasive": 1}})

    assert verdicts(ruling) == ["legal", "legal"]
    assert finals(ruling) == [("roll-phase", 0)]


# ------------------------------------------------------------------ for whom, and which tokens


def test_a_prevention_may_name_its_own_user_and_even_the_opponent():
    for whom in "AB":
        ruling = ruled([strike({"deal": 5}), card([{"prevent": 2}], on=whom)])

        assert verdicts(ruling) == ["legal", "legal"]


DOUBLOON = {"statuses": {"cursed-doubloon": 1}}
PIRATE = {"hero": "cursed-pirate"}
TAKE = {"remove": "cursed-doubloon", "from": "target"}


def test_the_owners_board_takes_its_token_and_the_owners_card_does_not():
    by_board = ruled([strike(TAKE, {"deal": 1})], a=PIRATE, b=DOUBLOON)
    by_card = ruled([card([TAKE], by="A", on="B")], a=PIRATE, b=DOUBLOON)

    assert verdicts(by_board) == ["legal"]
    assert by_board.players["B"].statuses == {}
    assert verdicts(by_card) == ["illegal"]
    assert "DT-TOK-20" in by_card.events[0].rules


def test_a_token_that_stays_may_be_placed_by_the_card_that_removes_another():
    ruling = ruled(
        [card([{"remove": "protect"}, {"inflict": "cursed-doubloon"}], by="A", on="B")],
        b={"statuses": {"protect": 1}},
    )

    assert verdicts(ruling) == ["legal"]
    assert ruling.players["B"].statuses == {"cursed-doubloon": 1}


# ------------------------------------------------------------------ what is open


def test_without_a_phase_everything_timed_is_taken_to_be_right():
    players = [{"id": "A"}, {"id": "B"}]
    table = {"game": "dice-throne", "players": players, "turn": {"active": "A"}, "events": []}

    may = rule(read_table(table)).may

    assert {"play-main", "play-roll", "upgrade", "sell"} <= set(may["A"])
    assert "play-roll" in may["B"]
    assert "play-main" not in may["B"]


def test_in_upkeep_neither_main_nor_roll_cards_are_open():
    may = ruled([], turn={"active": "A", "phase": "upkeep"}).may

    assert may == {"A": ["play-instant"], "B": ["play-instant"]}


def test_under_an_ultimate_nothing_is_open_to_the_opponent():
    doom = {"by": "A", "activate": "doom", "kind": "ultimate", "on": "B", "effects": [{"deal": 9}]}

    ruling = ruled([doom], turn={"active": "A", "phase": "offensive-roll"})

    assert ruling.extra.meanwhile["B"] == []
    assert "play-roll" in ruling.extra.meanwhile["A"]


# ------------------------------------------------------------------ the target, once

TEAMS = {"game": "dice-throne", "mode": "2v2", "turn": {"active": "A", "phase": "offensive-roll"}}
TEAMS["players"] = [{"id": name, "team": "red" if name in "AB" else "blue"} for name in "ABCD"]
BLOW = {"by": "A", "activate": "blow", "effects": [{"deal": 5}]}


def aimed(*events, at=None):
    """Verdicts after the activation, and what is open to the attacker meanwhile."""
    blow = {**BLOW, "on": at} if at else BLOW
    ruling = rule(read_table({**TEAMS, "events": [blow, *events]}))
    return verdicts(ruling)[1:], "target" in ruling.extra.meanwhile["A"]


def target(whom, die=None):
    return {"by": "A", "target": whom, **({"die": die} if die else {})}


def test_a_target_is_named_once():
    assert aimed() == ([], True)
    assert aimed(target("C", 1)) == (["legal"], False)
    assert aimed(target("C", 1), target("C", 2)) == (["legal", "illegal"], False)


def test_the_targeting_roll_may_confirm_whom_the_activation_named():
    assert aimed(at="C") == ([], True)
    assert aimed(target("D", 3), target("C", 1), at="C") == (["illegal", "legal"], False)
    assert aimed(target("C", 1), target("C", 1), at="C") == (["legal", "illegal"], False)


def test_whoever_rolled_a_five_does_not_choose_nor_roll_again():
    assert aimed(target(None, 5), target("C")) == (["legal", "illegal"], False)
    assert aimed(target(None, 5), target("C", 1)) == (["legal", "illegal"], False)


def test_the_choice_of_a_six_is_made_by_choosing():
    choose = {"by": "A", "choose": "D"}

    assert aimed(target(None, 6), target("D", 3), choose) == (["legal", "illegal", "legal"], False)


def test_a_prevention_waits_until_the_dice_have_counted():
    """A Protect does not answer dice that lie there; once they count there may be none left to spend."""
    purge = card([{"roll": 1, "on": {"1-6": [{"remove": "all"}]}}], by="A", on="B", dice=[3])
    start = {"active": "A", "phase": "main-1"}

    with_protect = ruled([purge], b={"statuses": {"protect": 1}}, turn=start)
    with_wellspring = ruled(
        [card(purge["effects"], by="B", on="A", dice=[3])], a={"statuses": {"wellspring": 1}}, turn=start
    )

    assert "spend" not in with_protect.extra.meanwhile["B"]
    assert "spend" in with_wellspring.extra.meanwhile["A"]


# ------------------------------------------------------------------ a check writes nothing


def test_ruling_leaves_the_events_as_they_were_entered():
    """A token with several uses means the open one; the event that names none still names none afterwards."""
    chi = {"by": "A", "spend": "chi"}
    meeting = {"collide": [{**chi, "by": "B"}, chi], "timing": "at-once"}
    players = [{"id": name, "hero": "monk", "statuses": {"chi": 4}} for name in "AB"]
    table = {
        "game": "dice-throne",
        "edition": "fr-2.4.1",
        "players": players,
        "turn": {"active": "A", "phase": "offensive-roll"},
        "events": [chi, strike({"deal": 5}), chi, {**chi, "by": "B"}, meeting],
    }
    read = read_table(table)
    before = deepcopy(read.events)

    ruling = rule(read)

    assert verdicts(ruling) == ["illegal", "legal", "legal", "legal", "legal"]
    assert ruling.resolutions[0].totals["B"].subtotal == 5 + 2 - 2
    assert read.events == before


# ------------------------------------------------------------------ nothing is left out without a word


def said(ruling, n=1):
    return [message.key for message in ruling.events[n - 1].reasons]


def test_what_the_file_gives_and_the_text_has_no_use_for_is_named():
    paid = {"by": "A", "play": "getting-paid"}

    assert said(ruled([{**paid, "dice": [3]}])) == ["legal_play", "dice_not_used"]
    assert said(ruled([{**paid, "choice": 2}])) == ["legal_play", "choice_not_used"]
    assert said(ruled([paid])) == ["legal_play"]
    assert "choice_not_used" in said(ruled([{**strike({"deal": 5}), "choice": 1}]))
    assert "choice_not_used" not in said(ruled([{**strike({"may": [{"deal": 5}]}), "choice": 1}]))


def test_the_line_of_an_ability_is_one_choice_and_an_option_of_its_text_another():
    smack = {"by": "A", "activate": "smack", "on": "B"}
    hero, written = {"hero": "barbarian"}, {"effects": [{"deal": 6}]}

    assert said(ruled([{**smack, "choice": 2}], a=hero)) == ["legal_activate"]
    assert said(ruled([{**smack, "choice": [2, 1]}], a=hero)) == ["legal_activate", "choice_not_used"]
    assert "choice_not_used" in said(ruled([{**smack, **written, "choice": 2}], a=hero))


MAY_DRAW_MAY_ADD = [{"may": [{"draw": 1}]}, {"may": [{"add": 1}]}]
ADD_OR_HEAL = {"choose": [[{"add": 1}], [{"heal": 1}]]}


@pytest.mark.parametrize(
    ("text", "choice", "words"),
    [
        ([{"may": [{"add": 2}]}], (), {"may", "add"}),
        ([{"may": [{"add": 2}]}, {"heal": 1}], (), {"may", "heal"}),
        ([ADD_OR_HEAL], (1,), {"choose", "add"}),
        ([ADD_OR_HEAL], (2,), {"choose", "heal"}),
        ([ADD_OR_HEAL], (3,), {"choose"}),
        (MAY_DRAW_MAY_ADD, (0, 1), {"may", "add"}),
        (MAY_DRAW_MAY_ADD, (1, 0), {"may", "draw"}),
        (MAY_DRAW_MAY_ADD, (1, 1), {"may", "draw", "add"}),
        ([{"may": [ADD_OR_HEAL]}, {"may": [{"draw": 1}]}], (2, 1), {"may", "choose", "heal", "draw"}),
    ],
)
def test_the_words_that_act_are_those_whose_options_are_taken(text, choice, words):
    assert taken_words(EffectReader().effects(text, ""), choice) == words


def test_what_the_file_says_otherwise_than_print_is_named():
    paid = {"by": "A", "play": "getting-paid"}
    knocked = {"statuses": {"knockdown": 1}}

    assert said(ruled([{**paid, "cost": 1, "card": "main"}])) == [
        "legal_play",
        "cost_differs",
        "card_differs",
    ]
    assert said(ruled([{**paid, "cost": 0, "card": "instant"}])) == ["legal_play"]
    assert "cost_differs" in said(ruled([{"by": "A", "pay": "knockdown", "cost": 1}], a=knocked))
    assert "cost_differs" not in said(ruled([{"by": "A", "pay": "knockdown", "cost": 2}], a=knocked))


def test_a_condition_and_labels_of_the_file_that_print_has_otherwise_are_named():
    attack, paid = strike({"deal": 5}), {"play": "getting-paid"}
    rolled = {"phase": "offensive-roll", "dice": [1, 2, 3, 4, 4]}

    def activated(ability, needs):
        events = [{"by": "A", "activate": ability, "needs": needs}]
        return said(ruled(events, a={"hero": "barbarian"}, turn={"active": "A", **rolled}))

    assert "modifier_differs" in said(ruled([attack, {"by": "A", **paid, "modifier": True}]), 2)
    assert "modifier_differs" not in said(
        ruled(
            [attack, {"by": "A", "play": "get-some", "dice": [4] * 5, "modifier": True}],
            a={"hero": "barbarian"},
        ),
        2,
    )
    assert "when_attacked_differs" in said(ruled([attack, {"by": "B", **paid, "when_attacked": True}]), 2)
    assert activated("mighty-blow", {"straight": "large"})[-1] == "needs_differ"  # refused by it
    assert "needs_differ" not in activated("mighty-blow", {"straight": "small"})
    assert "needs_differ" not in activated("smack", {"symbols": {"sword": 3}})  # one of its lines


def test_a_name_that_another_hero_has_too_is_named():
    events = [{"by": "A", "activate": "overpower", "effects": [{"deal": 4}]}]

    assert "name_of_another_hero" in said(ruled(events, a={"hero": "gunslinger"}))
    assert "name_of_another_hero" not in said(ruled(events, a={"hero": "barbarian"}))
    assert "name_of_another_hero" not in said(ruled(events))


def test_a_name_of_several_words_is_another_heros_whatever_text_the_file_gives():
    attack = strike({"deal": 5})
    defence = {"by": "B", "defend": "divine-defense", "effects": [{"prevent": 3}]}
    card = {"by": "B", "play": "not-on-my-watch", "card": "instant", "cost": 0, "effects": [{"heal": 3}]}

    assert verdicts(ruled([attack, defence], b={"hero": "barbarian"})) == ["legal", "illegal"]
    assert verdicts(ruled([attack, defence], b={"hero": "paladin"})) == ["legal", "legal"]
    assert verdicts(ruled([attack, defence])) == ["legal", "legal"]
    assert verdicts(ruled([attack, card], b={"hero": "barbarian"})) == ["legal", "legal"]

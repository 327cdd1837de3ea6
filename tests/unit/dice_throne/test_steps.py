"""What the steps of a ruling say about damage: the numbers shown, the rules cited, nothing twice."""

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table


def ruled(events, a=None, b=None, **more):
    players = [{"id": "A", **(a or {})}, {"id": "B", **(b or {})}]
    table = {"game": "dice-throne", "players": players, "turn": {"active": "A"}, "events": events, **more}
    return rule(read_table(table))


def steps(ruling, key):
    return [step for step in ruling.steps if step.says.key == key]


def strike(*effects):
    return {"by": "A", "activate": "strike", "on": "B", "effects": list(effects)}


def test_a_reduction_by_the_attackers_status_is_called_so():
    ruling = ruled([strike({"deal": 5})], a={"statuses": {"wither": 1}})

    assert [step.value for step in steps(ruling, "step_reduced")] == [-1]
    assert steps(ruling, "step_prevented") == []


def test_a_token_that_is_used_up_leaves_no_entry():
    ruling = ruled([strike({"deal": 5})], a={"statuses": {"shame": 1}})

    assert ruling.players["A"].statuses == {}


def test_damage_that_is_barred_is_shown_as_nothing():
    (step,) = steps(ruled([strike({"deal": 5})], a={"statuses": {"parley": 1}}), "step_no_damage")

    assert (step.value, step.says.params["n"]) == (0, 5)


def test_an_avoidance_by_lying_there_names_its_status_and_no_event():
    (step,) = steps(ruled([strike({"deal": 5})], b={"statuses": {"shadows": 1}}), "step_avoided")

    assert step.events == ()
    assert step.says.params["thing"].id == "shadows"


def test_the_floor_is_cited_only_below_zero():
    guard = {"by": "B", "defend": "guard", "effects": [{"prevent": 5}]}

    exactly, below = ruled([strike({"deal": 5}), guard]), ruled([strike({"deal": 4}), guard])

    assert steps(exactly, "step_floor") == []
    assert [step.value for step in steps(exactly, "step_final")] == [0]
    assert [step.value for step in steps(below, "step_floor")] == [0]


def test_nobody_is_said_to_fall_who_does_not():
    assert steps(ruled([strike({"deal": 5})]), "step_defeated") == []


def test_what_follows_the_damage_is_worked_out_once():
    after = {"if": {"dealt_at_least": 1}, "effects": [{"deal": 4, "to": "self"}]}

    ruling = ruled([strike({"deal": 5}, after)])

    assert [step.says.params["player"] for step in steps(ruling, "step_incoming")] == ["B", "A"]


def test_a_team_dial_is_never_shown_below_zero():
    players = [{"id": name, "team": "red" if name in "AB" else "blue"} for name in "ABCD"]
    event = {"by": "A", "activate": "strike", "on": "C", "effects": [{"deal": 9}]}
    table = {"game": "dice-throne", "mode": "2v2", "players": players, "teams": {"blue": 4}}

    (step,) = steps(
        rule(read_table({**table, "turn": {"active": "A"}, "events": [event]})), "step_team_health"
    )

    assert (step.value, step.says.params["n"]) == (0, 0)


def test_incoming_damage_names_the_event_it_comes_from_once():
    (step,) = steps(ruled([strike({"deal": 5}, {"deal": 2})]), "step_incoming")

    assert (step.value, step.events) == (7, (1,))


def test_barred_damage_is_nothing_and_not_less():
    ruling = ruled([strike({"deal": 5})], a={"statuses": {"parley": 1}})

    assert ruling.resolutions[0].totals["B"].subtotal == 0
    assert steps(ruling, "step_reduced") == []


def status(name, when, *effects):
    return {"id": name, "polarity": "negative", "spendable": False, "when": when, "effects": list(effects)}


def test_only_its_reduction_is_taken_off_by_a_status_that_does_more():
    heavy = status("heavy", "dealing", {"reduce": 1}, {"gain_cp": 3})

    ruling = ruled([strike({"deal": 5})], a={"statuses": {"heavy": 1}}, catalogue={"statuses": [heavy]})

    assert ruling.resolutions[0].totals["B"].final == 4


def test_a_status_that_avoids_and_does_more_still_avoids():
    mist = status("mist", "damaged-by-offensive-roll", {"draw": 1}, {"avoid": "all"})

    ruling = ruled([strike({"deal": 5})], b={"statuses": {"mist": 1}}, catalogue={"statuses": [mist]})

    assert ruling.resolutions[0].totals["B"].final == 0


def test_a_prevention_without_damage_is_no_sum():
    after = {"if": {"dealt_at_least": 1}, "effects": [{"draw": 1}]}
    cloak = {"by": "A", "play": "cloak", "card": "instant", "cost": 0, "effects": [{"prevent": 2}]}

    ruling = ruled([strike({"deal": 5}, after), cloak])

    assert list(ruling.resolutions[0].totals) == ["B"]


def test_a_blessing_that_saves_takes_one_token():
    blessed = {"health": 3, "statuses": {"blessing-of-divinity": 2}, "limits": {"blessing-of-divinity": 2}}

    ruling = ruled([strike({"deal": 5})], b=blessed)

    assert ruling.players["B"].health == 1
    assert ruling.players["B"].statuses == {"blessing-of-divinity": 1}


def test_damage_of_a_roll_phase_that_is_nobodys_turn_is_concluded():
    table = {
        "game": "dice-throne",
        "players": [{"id": "A"}, {"id": "B"}],
        "turn": {"phase": "offensive-roll"},
    }
    fall = {"by": "A", "does": "stumble", "on": "B", "effects": [{"deal": 4}]}

    ruling = rule(read_table({**table, "events": [fall]}))

    assert ruling.players["B"].health == 46

"""What the steps of a ruling say about damage: the numbers shown, the rules cited, nothing twice."""

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne import read_table


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

    assert ruling.players["A"]["statuses"] == {}


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

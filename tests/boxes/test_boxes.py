"""Shared hero boxes: one physical box in one running match, lent in turn, clashes shown before a round."""

import re

import pytest
from sqlmodel import select

from judge.core.errors import Refused
from judge.services.boxes.boxes import add_boxes, read_boxes, remove_box
from judge.services.boxes.lending import clashes, read_shelf
from judge.services.event.event_rows import read_rows
from judge.services.log.changes import undo
from judge.services.pairing.rounds import pair_next, publish
from judge.services.phone.hero_steps import PhoneAct, act_by_phone
from judge.services.play.bans_and_picks import Act, act
from judge.services.play.outcomes import Outcome
from judge.services.play.results import enter
from judge.storage.boxes import HeroBox
from judge.storage.events import Match
from tests.builders import DESK, NOW, make_event, make_players, make_round, make_staff

FREE = {"heroes": {"mode": "free"}}


@pytest.fixture
def hall(database):
    """Two tables at which a starts and picks first; one Monk to be lent."""
    with database.transaction() as session:
        event = make_event(session, settings=FREE)
        people = make_players(session, event, 4)
        make_round(session, event, [(people[0], people[1]), (people[2], people[3])])
        for match in session.exec(select(Match)):
            match.selection = {"start_rolls": [[6, 1]], "first": "a"}
        session.flush()
        add_boxes(session, event, DESK, "Monk", 1, "M", None)
        first, second = session.exec(select(Match).order_by(Match.id)).all()
        yield session, event, people, first, second


def pick(session, event, match, hero):
    return act(session, event, DESK, match.id, match.version, Act(heroes=(hero,)))


def test_a_box_is_in_one_running_match_and_free_again_with_its_result(hall):
    session, event, _, first, second = hall
    pick(session, event, first, "monk")
    with pytest.raises(Refused) as refused:
        pick(session, event, second, "monk")
    assert [(r.key, r.params["tables"]) for r in refused.value.reasons] == [("box_none_free", [1])]
    assert [line.table for line in read_boxes(session, event)] == [1]
    enter(session, event, DESK, first.id, Outcome("a", None, 9, 0))
    pick(session, event, second, "monk")

    assert [line.table for line in read_boxes(session, event)] == [2]
    assert second.selection["boxes"] == {"a": read_shelf(session, event).boxes[0].id}


def test_a_players_own_box_is_theirs_alone_and_comes_first(hall):
    session, event, people, first, second = hall
    add_boxes(session, event, DESK, "monk", 1, "own", people[2].id)
    pick(session, event, second, "monk")
    own = session.exec(select(HeroBox).where(HeroBox.player_id == people[2].id)).one()
    assert second.selection["boxes"] == {"a": own.id}
    pick(session, event, first, "monk")

    with pytest.raises(Refused):
        pick(session, event, first, "monk")


def test_a_hero_without_a_box_in_the_list_is_brought_by_the_player(hall):
    session, event, _, first, second = hall
    pick(session, event, first, "treant")
    pick(session, event, second, "treant")

    assert "boxes" not in first.selection or first.selection["boxes"] == {}


def test_by_phone_too(hall):
    session, event, people, first, second = hall
    act_by_phone(session, event, first.id, people[0].id, PhoneAct("pick", hero="monk"), NOW)
    with pytest.raises(Refused):
        act_by_phone(session, event, second.id, people[2].id, PhoneAct("pick", hero="monk"), NOW)

    assert "boxes" in first.selection


def test_a_secret_choice_is_never_refused_for_a_box(database):
    """A refusal would tell the second player what the first has chosen."""
    with database.transaction() as session:
        event = make_event(session, settings={"heroes": {"mode": "lockout", "bring": 2, "ban": 0}})
        people = make_players(session, event, 2, heroes=["monk", "treant"])
        make_round(session, event, [(people[0], people[1])])
        match = session.exec(select(Match)).one()
        match.selection = {"start_rolls": [[6, 1]], "first": "a"}
        session.flush()
        add_boxes(session, event, DESK, "monk", 1, "", None)
        for player in people:
            act_by_phone(session, event, match.id, player.id, PhoneAct("reveal", hero="monk"), NOW)

        assert match.selection["picks"] == {"a": "monk", "b": "monk"}
        assert list(match.selection["boxes"]) == ["a"], "the second is told to ask the desk"


def test_clashes_are_seen_before_a_round_is_published(database):
    with database.transaction() as session:
        event = make_event(session, settings={"heroes": {"mode": "bring-ban", "bring": 1, "ban": 0}})
        people = make_players(session, event, 6, heroes=["monk"])
        people[5].heroes = ["treant"]
        session.flush()
        add_boxes(session, event, DESK, "monk", 2, "M", None)
        add_boxes(session, event, DESK, "monk", 1, "", people[0].id)
        round_ = pair_next(session, event, DESK, 1).result
        found = clashes(read_rows(session, event), round_, read_shelf(session, event))
        assert [(c.hero, c.needed, c.boxes) for c in found] == [("monk", 4, 2)]
        add_boxes(session, event, DESK, "monk", 2, "M", None)

        assert clashes(read_rows(session, event), round_, read_shelf(session, event)) == []


def test_heroes_are_drawn_so_that_every_box_is_used_once(database):
    with database.transaction() as session:
        event = make_event(session, settings={"heroes": {"mode": "random"}})
        make_players(session, event, 8)
        for hero in ("monk", "treant", "paladin", "barbarian"):
            add_boxes(session, event, DESK, hero, 2, hero, None)
        round_ = pair_next(session, event, DESK, 1).result
        publish(session, event, DESK, 1, round_.version, NOW)
        tables = session.exec(select(Match)).all()
        heroes = [hero for m in tables for hero in m.selection["picks"].values()]
        boxes = [box for m in tables for box in m.selection.get("boxes", {}).values()]

    assert max(heroes.count(hero) for hero in heroes) <= 3
    assert len(set(boxes)) == len(boxes) >= 6


def test_boxes_are_added_and_removed_in_the_log_and_not_while_in_use(hall):
    session, event, _, first, _ = hall
    change = add_boxes(session, event, DESK, "treant", 3, "T", None)
    labels = [line.label for line in read_boxes(session, event) if line.hero == "treant"]
    undo(session, event, change.entry, DESK)
    assert labels == ["T 1", "T 2", "T 3"]
    assert len(read_boxes(session, event)) == 1
    pick(session, event, first, "monk")
    box = read_boxes(session, event)[0].id
    with pytest.raises(Refused):
        remove_box(session, event, DESK, box)
    with pytest.raises(Refused):
        add_boxes(session, event, DESK, "", 1, "", None)


def test_the_page_shows_where_each_box_is(app, sign_in):
    app.config["WTF_CSRF_ENABLED"] = False
    with app.extensions["judge.database"].transaction() as session:
        event = make_event(session, settings={"heroes": {"mode": "bring-ban", "bring": 1, "ban": 0}})
        make_players(session, event, 4, heroes=["monk"])
        pair_next(session, event, DESK, 1)
        desk = sign_in(app.test_client(), make_staff(session, event, "organiser"))
    address = "/e/autumn-throne/desk/boxes"
    wrong = desk.post(address, data={"hero": "monk", "count": "0", "label": "Blue"})
    desk.post(address, data={"hero": "monk", "count": "1", "label": "Blue"})
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", desk.get(address).text))
    draft = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", desk.get("/e/autumn-throne/desk/rounds/1").text))

    assert wrong.status_code == 422
    assert 'value="Blue"' in wrong.text
    assert "Monk · Blue to be lent free" in page
    assert "Monk: needed by 4, 1 to be lent" in draft

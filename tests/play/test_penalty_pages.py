"""Penalties: given at the desk, remembered on the player, carried into the results; and missed triggers."""

import html
import json
import re

import pytest
from sqlmodel import select

from judge.core.errors import InputError
from judge.paths import FIXTURES
from judge.services.play.penalties import missed_trigger, read_infractions
from judge.storage.rulings import EventCatalogue, Penalty
from judge.storage.tables import Match, Player
from tests.builders import make_event, make_players, make_round, make_staff

DESK = "/e/autumn-throne/desk"


@pytest.fixture
def desk(app, sign_in):
    app.config["WTF_CSRF_ENABLED"] = False
    database = app.extensions["judge.database"]

    class Desk:
        def __init__(self):
            with database.transaction() as session:
                event = make_event(session)
                ana, ben, cleo, dov = make_players(session, event, 4)
                make_round(session, event, [(ana, ben), (cleo, dov)])
                self.ana, self.ben = ana.id, ben.id
                staff = {
                    role: make_staff(session, event, role) for role in ("organiser", "judge", "scorekeeper")
                }
                self.clients = {role: sign_in(app.test_client(), one) for role, one in staff.items()}
            self.client = self.clients["judge"]

        def rows(self, model):
            with database.session() as session:
                return session.exec(select(model).order_by(model.id)).all()

        def get(self, path="/penalties", who="judge"):
            answer = self.clients[who].get(f"{DESK}{path}")
            assert answer.status_code == 200
            return text(answer.text)

        def give(self, player, infraction, penalty, status=302, **form):
            form = {"player": player, "infraction": infraction, "penalty": penalty, "match": "1", **form}
            answer = self.client.post(f"{DESK}/penalties/new", data=form)
            assert answer.status_code == status, text(answer.text)
            return text(answer.text)

        def post(self, path, status=302, who="organiser", **form):
            answer = self.clients[who].post(f"{DESK}{path}", data=form)
            assert answer.status_code == status, text(answer.text)
            return text(answer.text)

    return Desk()


def text(page):
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def test_remedy_and_penalty_are_kept_apart_on_the_player(desk):
    desk.give(desk.ana, "wrong-count", "caution", remedy="Ben is at 30 again.", note="second turn")
    (given,) = desk.rows(Penalty)
    page = desk.get(f"/penalties?player={desk.ana}")

    assert (given.infraction, given.penalty, given.remedy) == (
        "wrong-count",
        "caution",
        "Ben is at 30 again.",
    )
    assert "Remedy: Ben is at 30 again." in page
    assert "Caution" in page
    assert desk.rows(Match)[0].result is None


def test_the_second_time_is_shown_and_costs_more(desk):
    desk.give(desk.ana, "slow-play", "caution")
    form = desk.client.get(f"{DESK}/penalties/new?player={desk.ana}&infraction=slow-play").text
    desk.give(desk.ana, "slow-play", "warning")

    assert "1 earlier time at this event." in text(form)
    assert re.search(r'value="warning" checked', form)
    assert "2 times so far" in desk.get()


def test_a_game_loss_becomes_the_result_of_a_match_of_one_game(desk):
    desk.give(desk.ana, "wrong-hero", "game-loss")
    match = desk.rows(Match)[0]

    assert (match.result, match.health_a) == ("b", None)
    assert "Game loss: Hero that was not allowed" in desk.get("/log")


def test_a_loss_corrects_a_result_that_stands_and_says_why(desk):
    desk.post("/matches/1/result", result="a", health_a="20", health_b="0", next="/")
    desk.give(desk.ana, "wrong-hero", "match-loss")

    assert desk.rows(Match)[0].result == "b"
    assert "corrected" in desk.get("/log")


def test_a_disqualified_player_loses_and_leaves_the_event(desk):
    desk.give(desk.ben, "cheating", "disqualification")
    ben = next(p for p in desk.rows(Player) if p.id == desk.ben)

    assert desk.rows(Match)[0].result == "a"
    assert (ben.state, ben.last_round) == ("dropped", 1)


def test_everything_can_be_taken_back_in_the_log(desk):
    desk.give(desk.ben, "cheating", "disqualification")
    found = re.findall(r"/log/(\d+)/undo", desk.client.get(f"{DESK}/log").text)
    entries = sorted(set(map(int, found)), reverse=True)
    for entry in entries:
        desk.post(f"/log/{entry}/undo", who="judge")

    assert len(entries) == 3
    assert desk.rows(Penalty) == []
    assert desk.rows(Match)[0].result is None
    assert next(p for p in desk.rows(Player) if p.id == desk.ben).state == "present"


def test_a_loss_without_a_match_is_refused_and_keeps_what_was_typed(desk):
    page = desk.give(desk.ana, "late", "game-loss", 422, match="", note="came at ten")

    assert "belongs to a match" in page
    assert desk.rows(Penalty) == []


def test_a_match_of_somebody_else_is_refused(desk):
    desk.give(desk.ana, "late", "game-loss", 409, match="2")

    assert desk.rows(Match)[1].result is None


def test_a_scorekeeper_reads_and_a_judge_gives(desk):
    assert "Give a penalty" not in desk.get(who="scorekeeper")
    assert desk.clients["scorekeeper"].post(f"{DESK}/penalties/new").status_code == 403


@pytest.mark.parametrize(
    ("noticed", "state", "answer"),
    [
        ("same", "ok", "resolve"),
        ("same", "disturbs", "lost"),
        ("later", "ok", "lost-late"),
        ("same", "", ""),
        ("", "ok", ""),
    ],
)  # fmt: skip
def test_a_missed_trigger_counts_in_the_same_turn_only(noticed, state, answer):
    assert missed_trigger(noticed, state) == answer


def test_the_aid_answers_with_its_source(desk):
    assert "It must be allowed" in desk.get("/penalties?noticed=same&state=ok")
    assert "is our reading" in desk.get("/penalties?noticed=later")


def test_the_shipped_catalogue_says_that_it_is_our_assumption(desk):
    shipped = json.loads((FIXTURES / "penalties.json").read_bytes())
    read_infractions(shipped["infractions"])

    assert {entry["source"] for entry in shipped["infractions"]} == {"assumption"}
    assert "our assumption" in desk.get("/penalties/catalogue")


def test_an_event_changes_its_catalogue_and_goes_back_to_the_usual_one(desk):
    form = {"text": "Not there.", "remedy": "", "penalty": "game-loss", "repeat": "disqualification"}
    desk.post("/penalties/catalogue", id="late", name="Late", version="0", **form)
    desk.post("/penalties/catalogue", id="", name="No sleeves", version="1", **form)
    page = desk.get("/penalties/catalogue")
    desk.post("/penalties/catalogue/remove", id="cheating", version="2")
    stale = desk.post("/penalties/catalogue/remove", 409, id="late", version="2")
    own = desk.rows(EventCatalogue)[0]
    desk.post("/penalties/catalogue/usual", version=own.version)

    assert "No sleeves" in page
    assert "changed by this event" in page
    assert stale
    assert {"late", "no-sleeves"} <= {entry["id"] for entry in own.infractions}
    assert "cheating" not in {entry["id"] for entry in own.infractions}
    assert desk.rows(EventCatalogue)[0].infractions == []


def test_an_entry_that_is_not_right_names_its_field_and_stays_in_the_form(desk):
    page = desk.clients["organiser"].post(
        f"{DESK}/penalties/catalogue",
        data={"id": "", "name": "Odd", "text": "kept", "penalty": "lashes", "repeat": "warning"},
    )
    with pytest.raises(InputError) as caught:
        read_infractions([{"id": "x", "name": "X", "penalty": "warning", "repeat": "none"}])

    assert page.status_code == 422
    assert "penalty:" in text(page.text)
    assert "kept" in page.text
    assert caught.value.problems[0].path == "[1].repeat"

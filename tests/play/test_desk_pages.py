"""The desk in a browser's shoes: an event is run page by page, by forms alone."""

import re

import pytest
from sqlmodel import select

from judge.services.accounts.accounts import make_token
from judge.services.play.outcomes import Outcome
from judge.services.play.reports import report
from judge.storage.tables import Event, Match, Player, Round
from tests.builders import NOW, make_event, make_players, make_staff

DESK = "/e/autumn-throne/desk"


@pytest.fixture
def desk(app, client, sign_in):
    """An event of five players with an organiser signed in; desk.rows(model) reads its rows."""
    database = app.extensions["judge.database"]

    class Desk:
        def __init__(self):
            with database.transaction() as session:
                event = make_event(session, settings={"format": {"kind": "swiss", "rounds": 3}})
                make_players(session, event, 5, heroes=["monk", "paladin", "pyromancer"])
                self.accounts = {
                    role: make_staff(session, event, role)
                    for role in ("organiser", "head-judge", "judge", "scorekeeper")
                }
                [session.refresh(a) for a in self.accounts.values()]
                session.expunge_all()
            self.client, self.tokens = sign_in(client, self.accounts["organiser"]), {}

        def rows(self, model):
            with database.session() as session:
                found = session.exec(select(model).order_by(model.id)).all()
                session.expunge_all()
                return found

        def get(self, path="", status=200):
            answer = self.client.get(f"{DESK}{path}")
            assert answer.status_code == status, answer.text
            return answer.text

        def post(self, path, status=302, client=None, **form):
            client = client or self.client
            answer = client.post(f"{DESK}{path}", data={**form, "csrf_token": self.token(client)})
            assert answer.status_code == status, answer.text
            return answer.text

        def token(self, client):
            """One token serves a whole session."""
            if client not in self.tokens:
                page = client.get(f"{DESK}/results").text
                self.tokens[client] = re.search(r'name="csrf_token" value="([^"]+)"', page)[1]
            return self.tokens[client]

        def publish(self, number):
            self.post("/rounds", number=number)
            version = self.rows(Round)[-1].version
            self.post(f"/rounds/{number}/publish", version=version)

        def open(self):
            return [m for m in self.rows(Match) if m.result is None]

    return Desk()


def text(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_the_dashboard_leads_from_pairing_to_the_end(desk):
    for number in (1, 2, 3):
        assert f"Pair round {number}" in text(desk.get())
        desk.post("/rounds", number=number)
        assert f"Look at round {number}" in text(desk.get())
        page = text(desk.get(f"/rounds/{number}"))
        assert f"Round {number} of 3 draft" in page
        desk.post(f"/rounds/{number}/publish", version=desk.rows(Round)[-1].version)
        assert "2 tables are still playing" in text(desk.get())
        for match in desk.open():
            desk.post(f"/matches/{match.id}/result", result="a", health_a="20", health_b="0")
    assert "Finish the event" in text(desk.get())
    desk.post("/finish")
    assert "The event is over" in text(desk.get())


def test_each_table_of_a_draft_says_why(desk):
    desk.publish(1)
    for match in desk.open():
        desk.post(f"/matches/{match.id}/result", result="a", health_a="20", health_b="0")
    desk.post("/rounds", number=2)

    page = text(desk.get("/rounds/2"))
    assert "no better pairing exists" in page
    assert "points" in page
    assert "очк" in text(desk.client.get(f"{DESK}/rounds/2?lang=ru").text)


def test_results_by_the_line(desk):
    desk.publish(1)
    page = desk.post("/results", 200, line="1 a 22 0")
    assert "1: " in text(page)
    assert "won, 22–0" in text(page)
    assert "1 table missing" in text(page)

    assert "There is no table 9" in text(desk.post("/results", 422, line="9 a"))
    assert "already has a result" in text(desk.post("/results", 409, line="1 b 0 5"))
    doubted = desk.post("/results", 422, line="2 a 22 5")
    assert 'value="2 a 22 5 !"' in doubted, "one Enter more and it is meant"
    assert "Every result is in" in text(desk.post("/results", 200, line="2 a 22 5 !"))
    assert "Taken back: table 2" in text(desk.post("/results", 200, line="u"))
    assert len(desk.open()) == 1


def test_a_result_by_name_is_turned_to_the_right_side(desk):
    desk.publish(1)
    match = desk.open()[0]
    names = {p.id: p.name for p in desk.rows(Player)}
    desk.post("/results", 200, line=f"{names[match.b_id]} w 17 0")

    entered = next(m for m in desk.rows(Match) if m.id == match.id)
    assert (entered.result, entered.health_a, entered.health_b) == ("b", 0, 17)


def test_an_unusual_result_is_asked_about_once(desk):
    desk.publish(1)
    match = desk.open()[0]
    page = desk.post(f"/matches/{match.id}/result", 200, result="a", health_a="20", health_b="5")
    assert "Is that right?" in page
    desk.post(f"/matches/{match.id}/result", result="a", health_a="20", health_b="5", sure="1")

    assert len(desk.open()) == 1


def test_the_second_of_two_forms_on_one_table_is_told_what_stands_there(desk):
    desk.publish(1)
    match = desk.open()[0]
    desk.post(f"/matches/{match.id}/result", result="a", health_a="20", health_b="0")
    page = text(desk.post(f"/matches/{match.id}/result", 409, result="b", health_a="0", health_b="3"))

    assert "already has a result" in page
    assert "20–0" in page


def test_a_correction_is_shown_then_made_then_taken_back(desk):
    desk.publish(1)
    for match in desk.open():
        desk.post(f"/matches/{match.id}/result", result="a", health_a="20", health_b="0")
    desk.publish(2)
    match = desk.rows(Match)[0]
    form = {"version": match.version, "result": "b", "health_a": "0", "health_b": "20", "why": "slip misread"}
    shown = text(desk.post(f"/matches/{match.id}/correct", 200, step="preview", **form))
    assert "Standings that change" in shown
    assert "Round 2 would have been paired otherwise" in shown
    assert desk.rows(Match)[0].result == "a"

    before = [(m.a_id, m.b_id) for m in desk.rows(Match)]
    desk.post(f"/matches/{match.id}/correct", step="apply", **form)
    assert desk.rows(Match)[0].result == "b"
    assert [(m.a_id, m.b_id) for m in desk.rows(Match)] == before, "round 2 stays as it is"
    done = desk.get(f"/matches/{match.id}")
    assert "Later rounds stay" in done
    undo = re.search(r'action="(/e/autumn-throne/desk)(/log/\d+/undo)"', done)[2]
    desk.post(undo)
    assert desk.rows(Match)[0].result == "a"
    desk.post(f"/matches/{match.id}/correct", 409, step="apply", **form)


def test_a_dispute_is_settled_by_taking_one_of_the_reports(desk, app, app_database):
    desk.publish(1)
    match = desk.open()[0]
    with app_database.transaction() as session:
        event = session.exec(select(Event)).one()
        report(session, event, match.id, "a", Outcome("a", None, 12, 0), NOW)
        report(session, event, match.id, "b", Outcome("b", None, 0, 9), NOW)
    page = desk.get(f"/matches/{match.id}")
    forms = re.findall(r"<form[^>]*/result.>(.*?)</form>", page, re.S)
    theirs = next(form for form in forms if "Take this" in form)
    desk.post(
        f"/matches/{match.id}/result", **dict(re.findall(r'name="(?!csrf)(\w+)" value="([^"]*)"', theirs))
    )
    link = make_token(str(app.secret_key), "table", match.id, match.link)

    settled = next(m for m in desk.rows(Match) if m.id == match.id)
    assert (settled.result, settled.health_a, settled.health_b) == ("a", 12, 0)
    assert "The result" in app.test_client().get(f"/table/{link}?side=b").text


def test_a_player_whose_report_differs_agrees_with_one_tap(desk, app, app_database):
    desk.publish(1)
    match = desk.open()[0]
    with app_database.transaction() as session:
        event = session.exec(select(Event)).one()
        report(session, event, match.id, "a", Outcome("a", None, 12, 0), NOW)
        report(session, event, match.id, "b", Outcome("b", None, 0, 9), NOW)
    link = f"/table/{make_token(str(app.secret_key), 'table', match.id, match.link)}"
    phone = app.test_client()
    page = phone.get(f"{link}?side=b").text
    agree = re.search(r'<form class="buttons" method="post".*?</form>', page, re.S)[0]
    phone.post(link, data=dict(re.findall(r'name="(\w+)" value="([^"]*)"', agree)))

    settled = next(m for m in desk.rows(Match) if m.id == match.id)
    assert (settled.result, settled.health_a, settled.health_b) == ("a", 12, 0)


def test_the_log_is_readable_filtered_and_takes_things_back(desk):
    desk.publish(1)
    match = desk.open()[0]
    desk.post(f"/matches/{match.id}/result", result="a", health_a="20", health_b="0")
    page = desk.get("/log")

    assert "won, 20–0" in text(page)
    assert "Round 1 published" in text(page)
    assert "won, 20–0" not in text(desk.get("/log?kind=round"))
    assert "won, 20–0" in text(desk.get(f"/log?subject=match-{match.id}&text=20"))
    assert "Nothing here" in text(desk.get("/log?text=zzz"))
    undo = re.search(r'action="/e/autumn-throne/desk(/log/\d+/undo)"', page)[1]
    desk.post(undo)
    assert len(desk.open()) == 2


def test_a_swap_is_priced_before_it_is_made(desk):
    desk.post("/rounds", number=1)
    first, second = [m for m in desk.rows(Match) if m.b_id]
    version = desk.rows(Round)[0].version
    page = text(desk.get(f"/rounds/1/swap?one={first.a_id}&other={second.a_id}&version={version}"))
    assert "What it costs" in page
    assert desk.rows(Match)[0].a_id == first.a_id

    desk.post("/rounds/1/swap", one=first.a_id, other=second.a_id, version=version)
    assert desk.rows(Match)[0].a_id == second.a_id
    assert "changed by hand" in text(desk.get("/rounds/1"))


def test_missing_results_are_asked_about_before_the_next_round(desk):
    desk.publish(1)
    assert "Pair anyway" in desk.post("/rounds", 200, number=2)
    desk.post("/rounds", number=2, despite_missing=1)

    assert len(desk.rows(Round)) == 2


def test_bans_and_picks_step_by_step(desk):
    desk.publish(1)
    match = desk.open()[0]

    def step(status=302, **form):
        version = next(m for m in desk.rows(Match) if m.id == match.id).version
        return text(desk.post(f"/matches/{match.id}/selection", status, version=version, **form))

    step(die_a=3, die_b=3)
    assert "again" in text(desk.get(f"/matches/{match.id}"))
    step(die_a=5, die_b=2)
    step(side="b")
    step(hero="monk")
    step(hero="paladin")
    step(die_a=1, die_b=6)
    step(side="a")
    assert "banned" in step(422, hero="monk")
    assert "did not bring" in step(422, hero="treant")
    step(hero="pyromancer")
    step(hero="pyromancer")

    kept = next(m for m in desk.rows(Match) if m.id == match.id).selection
    assert kept["first"] == "a"
    assert kept["picks"] == {"a": "pyromancer", "b": "pyromancer"}


def test_a_scorekeeper_corrects_the_newest_round_only(desk, sign_in, app):
    desk.publish(1)
    keeper = sign_in(app.test_client(), desk.accounts["scorekeeper"])
    match = desk.open()[0]
    desk.post(f"/matches/{match.id}/result", client=keeper, result="a", health_a="20", health_b="0")

    assert keeper.get(f"{DESK}/matches/{match.id}/correct").status_code == 200
    desk.post("/results/undo", client=keeper)
    assert len(desk.open()) == 2

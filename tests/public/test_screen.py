"""The big screen: the clock above everything, lists by table and by name, the bracket, the podium at the end;
and no QR code that leads nowhere but to the server itself.
"""

import re
import zipfile
from io import BytesIO

import pytest
from sqlmodel import select

from judge.config import address_for_phones, is_loopback, lan_address
from judge.services.pairing.rounds import finish, pair_next, publish, start_stage
from judge.services.play.outcomes import Outcome
from judge.services.play.results import enter
from judge.services.rulebook.heroes import hero_name
from judge.storage.events import Match, Player
from tests.builders import DESK, NOW, make_event, make_players, make_staff
from tests.paper.reading import Read

RANDOM = {"heroes": {"mode": "random"}, "cut": 4, "format": {"kind": "swiss", "rounds": 1}}


def text(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def text_of(pdf):
    return " ".join(word.text for word in Read(pdf).words)


def play(session, event, number, *, cut=False):
    round_ = (start_stage if cut else pair_next)(session, event, DESK, number).result
    publish(session, event, DESK, number, round_.version, NOW)
    for match in session.exec(select(Match).where(Match.round_id == round_.id, Match.b_id.is_not(None))):
        enter(session, event, DESK, match.id, Outcome("a", None, 9, 0))


@pytest.fixture
def finished(app):
    """Eight players, one round, a bracket of four, over."""
    with app.extensions["judge.database"].transaction() as session:
        event = make_event(session, settings=RANDOM)
        make_players(session, event, 8)
        play(session, event, 1)
        play(session, event, 2, cut=True)
        play(session, event, 3)
        final = session.exec(select(Match).order_by(Match.id.desc())).first()
        winner = final.a_id
        finish(session, event, DESK)
        name = session.get_one(Player, winner).name
    return name


def test_the_clock_and_the_names_are_there_while_a_round_is_played(app, client, sign_in):
    with app.extensions["judge.database"].transaction() as session:
        event = make_event(session, settings=RANDOM)
        make_players(session, event, 5)
        staff = make_staff(session, event, "organiser", "olga")
        round_ = pair_next(session, event, DESK, 1).result
        publish(session, event, DESK, 1, round_.version, NOW)
        names = {p.id: p.name for p in session.exec(select(Player))}
        tables = list(session.exec(select(Match).where(Match.round_id == round_.id)))
        session.expunge_all()

    page = client.get("/e/autumn-throne/screen").text
    organiser = sign_in(app.test_client(), staff)
    log = text(organiser.get("/e/autumn-throne/desk/log", headers={"Accept-Language": "fr"}).text)
    a = next(m for m in tables if m.table_no == 1)
    assert f"{names[a.a_id]} joue {hero_name('dice-throne', a.selection['picks']['a'], 'fr')}" in log
    head, _, panels = page.partition('<section class="panel"')
    assert "data-clock" in head, "above every panel"
    assert re.findall(r'data-panel="(\w+)"', page) == ["pairings", "names", "standings"]
    picks = {m.table_no: m.selection["picks"] for m in tables if m.table_no}
    ana = next(m for m in tables if names[m.a_id] == "Ana" or names.get(m.b_id) == "Ana")
    hero = hero_name("dice-throne", picks[ana.table_no]["a" if names[ana.a_id] == "Ana" else "b"], "en")
    assert f"By name Ana {hero} {ana.table_no} " in text(panels), "the hero that the lot gave"
    for m in tables:
        if m.table_no:
            a, b = (hero_name("dice-throne", picks[m.table_no][side], "en") for side in "ab")
            assert f"{m.table_no} {names[m.a_id]} {a} {names[m.b_id]} {b}" in text(panels)
            assert f"{names[m.a_id]} {a}" in text(client.get("/e/autumn-throne").text)
    french = client.get("/e/autumn-throne/screen", headers={"Accept-Language": "fr"}).text
    assert hero_name("dice-throne", picks[1]["a"], "fr") in text(french)
    for only in ("names", "clock"):
        assert re.findall(r'data-panel="(\w+)"', client.get(f"/e/autumn-throne/screen?show={only}").text) == [
            only
        ]


def test_the_podium_comes_first_when_the_event_is_over(client, finished):
    page = client.get("/e/autumn-throne/screen").text

    assert re.findall(r'data-panel="(\w+)"', page) == ["podium", "standings", "bracket"]
    steps = re.findall(r'<li class="step-(\d)"><b>\d</b>((?:<span>[^<]+</span>)+)', page)
    assert [place for place, _ in steps] == ["1", "2", "3"]
    assert text(steps[0][1]).strip() == finished, "who won the bracket, not the rounds"
    assert '<svg class="bracket-svg"' in page


def test_a_code_for_phones_never_leads_to_this_computer_alone(monkeypatch):
    monkeypatch.setattr("judge.config.lan_address", lambda: "192.168.7.7")
    for host in ("127.0.0.1", "localhost", "[::1]", "127.9.9.9", "judge.localhost"):
        assert address_for_phones(f"http://{host}:8000/e/x?a=1") == "http://192.168.7.7:8000/e/x?a=1"
    assert address_for_phones("https://judge.example.org/e/x") == "https://judge.example.org/e/x"
    assert address_for_phones("http://10.0.0.4/e/x") == "http://10.0.0.4/e/x"
    monkeypatch.setattr("judge.config.lan_address", lambda: None)
    assert address_for_phones("http://127.0.0.1:8000/") is None


def test_the_local_address_is_none_or_reachable():
    address = lan_address()

    assert address is None or not is_loopback(address)


def test_pages_with_a_code_warn_and_papers_follow(app, sign_in, monkeypatch):
    app.config["WTF_CSRF_ENABLED"] = False
    with app.extensions["judge.database"].transaction() as session:
        event = make_event(session, settings={**RANDOM, "registration": {"mode": "open"}})
        make_players(session, event, 4)
        round_ = pair_next(session, event, DESK, 1).result
        publish(session, event, DESK, 1, round_.version, NOW)
        desk = sign_in(app.test_client(), make_staff(session, event, "organiser"))
        drawn = [m.selection["picks"] for m in session.exec(select(Match).order_by(Match.table_no))]
    monkeypatch.setattr("judge.config.lan_address", lambda: "192.168.7.7")
    players = text(desk.get("/e/autumn-throne/desk/players").text)
    screen = desk.get("/e/autumn-throne/screen").text
    monkeypatch.setattr("judge.config.lan_address", lambda: None)
    without = text(desk.get("/e/autumn-throne/desk/players").text)

    assert "this code leads to 192.168.7.7" in players
    assert "192.168.7.7/e/autumn-throne" in screen
    assert "localhost/e/" not in screen
    assert "No QR code" in without
    heroes = [hero_name("dice-throne", hero, "fr") for picks in drawn for hero in picks.values()]
    for paper in ("desk/slips.pdf", "pairings.pdf", "pairings.pdf?by=name"):
        sign = "&" if "?" in paper else "?"
        printed = text_of(desk.get(f"/e/autumn-throne/{paper}{sign}language=fr").data)
        assert all(hero in printed for hero in heroes), (paper, heroes)
    with zipfile.ZipFile(BytesIO(desk.get("/e/autumn-throne/desk/round.zip?language=fr").data)) as papers:
        slips = next(name for name in papers.namelist() if "slips" in name)
        assert all(hero in text_of(papers.read(slips)) for hero in heroes)

"""The static copy of an event: pages that need no server, each link leading to a file that is there."""

import json
import re
import zipfile
from io import BytesIO

import pytest
from sqlmodel import select

from judge.services.pairing.rounds import pair_next, publish, start_stage
from judge.services.play.outcomes import Outcome
from judge.services.play.results import enter
from judge.storage.events import Match, Player
from tests.builders import DESK, NOW, make_event, make_players, make_staff

SETTINGS = {"cut": 4, "format": {"kind": "swiss", "rounds": 1}}


@pytest.fixture
def desk(app, sign_in):
    with app.extensions["judge.database"].transaction() as session:
        event = make_event(session, settings=SETTINGS)
        people = make_players(session, event, 9)
        people[0].name, people[0].public_name = "Ana Secret", "<b>Ana</b> & co"
        for number, pair in ((1, pair_next), (2, start_stage), (3, pair_next)):
            round_ = pair(session, event, DESK, number).result
            publish(session, event, DESK, number, round_.version, NOW)
            tables = select(Match).where(Match.round_id == round_.id, Match.b_id.is_not(None))
            for match in session.exec(tables):
                enter(session, event, DESK, match.id, Outcome("a", None, 9, 0))
        return sign_in(app.test_client(), make_staff(session, event, "organiser"))


def unzipped(client, lang="en"):
    answer = client.get(f"/e/autumn-throne/desk/public.zip?lang={lang}")
    with zipfile.ZipFile(BytesIO(answer.data)) as files:
        return {name: files.read(name) for name in files.namelist()}


def test_every_link_leads_to_a_file_and_nothing_needs_the_server(app, desk):
    files = unzipped(desk)
    pages = {name: content.decode() for name, content in files.items() if name.endswith(".html")}

    assert {
        "index.html",
        "round-1.html",
        "round-2.html",
        "round-3.html",
        "bracket.html",
        "figures.html",
    } <= set(pages)
    assert sum(name.startswith("player-") for name in pages) == 9
    for name, page in pages.items():
        links = re.findall(r'(?:href|src)="([^"]*)"', page)
        assert [link for link in links if link.split("#")[0] not in files] == [], name
        assert "<script" not in page
        assert "<form" not in page
    assert "&lt;b&gt;Ana&lt;/b&gt; &amp; co" in pages["index.html"]
    assert not any("Ana Secret" in page for page in pages.values())
    assert json.loads(files["data/standings.json"])["final"] is True
    assert files["standings.pdf"].startswith(b"%PDF")
    with app.extensions["judge.database"].session() as session:
        assert len(session.exec(select(Player)).all()) == 9


def test_the_copy_speaks_the_language_asked_for_and_is_the_same_each_time(desk):
    french = unzipped(desk, "fr")["index.html"].decode()

    assert 'lang="fr"' in french
    assert "Classement" in french
    first = {name: data for name, data in unzipped(desk).items() if not name.endswith(".pdf")}
    assert first == {name: data for name, data in unzipped(desk).items() if not name.endswith(".pdf")}


def test_an_event_without_rounds_has_a_copy_too(app, sign_in):
    with app.extensions["judge.database"].transaction() as session:
        event = make_event(session)
        client = sign_in(app.test_client(), make_staff(session, event, "organiser"))

    assert "index.html" in unzipped(client)

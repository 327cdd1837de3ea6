"""What the desk asks and tells: games of a match, missing health, who may correct, one phone, the log."""

import re

import pytest

from judge.core.errors import Refused
from judge.services.play.entry_line import read_line
from judge.storage.tables import Match, Player
from judge.web.public.private_links import table_link
from tests.hall import text


@pytest.mark.parametrize(
    ("line", "result", "games", "is_own"),
    [
        ("1 a 2-1", "a", (2, 1, 0), False),
        ("1 b 0:2", "b", (0, 2, 0), False),
        ("1 2-1", "a", (2, 1, 0), False),
        ("1 1-1-1", "draw", (1, 1, 1), False),
        ("ana 2-0", "a", (2, 0, 0), True),
        ("ana w 2–1", "a", (2, 1, 0), True),
        ("ana l 1-2", "b", (1, 2, 0), True),
    ],
)
def test_games_of_a_match_are_typed(line, result, games, is_own):
    read = read_line(line, best_of=3)

    assert (read.outcome.result, read.outcome.games, read.is_own) == (result, games, is_own)
    assert read.outcome.health is None


def test_healths_go_with_games_and_a_single_game_has_only_healths():
    read = read_line("1 a 2-1 12 0", best_of=3).outcome
    assert (read.games, read.health) == ((2, 1, 0), (12, 0))
    assert read_line("1 22-0").outcome.health == (22, 0)
    assert read_line("1 2-0").outcome.health == (2, 0)
    with pytest.raises(Refused):
        read_line("1 2-1 5", best_of=3)


def test_one_phone_a_correction_and_the_log(hall, app, sign_in):
    hall = hall("dice-throne-ranked", 6, best_of=3)
    hall.publish(1)
    first, second, third = hall.open()
    hall.post("/results", 200, line=f"{first.table_no} a 2-1 22 0")
    keeper = hall.staff(sign_in, "scorekeeper")
    assert keeper.get(f"/e/{hall.slug}/desk/matches/{first.id}/correct").status_code == 200
    hall.post("/results", 200, line=f"{second.table_no} b 0-2 0 9")

    with app.test_request_context():
        link = table_link(third)
    phone = app.test_client()
    for side in "ab":
        page = phone.get(f"{link}?side={side}").text
        token = re.search(r'csrf_token" value="([^"]+)"', page)[1]
        form = {"csrf_token": token, "side": side, "result": "a", "games_a": 2, "games_b": 0}
        phone.post(link, data=form)
    assert hall.rows(Match)[2].result is None, "one phone cannot agree with itself"
    assert "reported from one phone" in hall.get(f"/matches/{third.id}")
    hall.post("/results", 200, line=f"{third.table_no} a 2-0 9 0")

    hall.publish(2)
    assert keeper.get(f"/e/{hall.slug}/desk/matches/{first.id}/correct").status_code == 403
    player = hall.rows(Player)[0]
    hall.post(f"/players/{player.id}", version=player.version, name=player.name, club="Lyon")
    log = text(hall.client.get(f"/e/{hall.slug}/desk/log").text)
    assert "– → Lyon" in log
    names = hall.names()
    assert f"{names[third.a_id]}: {names[third.a_id]} won, 2–0" in log, "the claim of a report"
    new = hall.get("/penalties/new")
    assert "Choose …" in new

"""Public pages: what everybody sees, at what cost, and what they must never show."""

import gzip
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import event as sa_event
from sqlmodel import select

from judge.app import create_app
from judge.printing.lettering import BOLD, REGULAR, width
from judge.services.accounts.accounts import make_token
from judge.services.log.changes import changing
from judge.storage.events import Event, Match, Player
from judge.storage.reader import Reader
from judge.web.public.pages import in_box
from tests.builders import DESK, make_event, make_players, make_round

LATER = datetime(2027, 1, 1, 10, 0, tzinfo=UTC)
PAGES = ("", "?by=name", "?q=ana", "/standings", "/bracket", "/clock", "/screen", "/about")


@pytest.fixture
def hall(app_database):
    """hall(players): an event whose first round is published; returns its slug."""

    def make(players: int, **values) -> str:
        with app_database.transaction() as session:
            event = make_event(session, **values)
            people = make_players(session, event, players)
            pairs = list(zip(people[::2], [*people[1::2], None], strict=False))
            make_round(session, event, pairs)
            return event.slug

    return make


def change(app_database, slug, **values):
    """Somebody enters the result of table 1."""
    with app_database.transaction() as session:
        event = session.exec(select(Event).where(Event.slug == slug)).one()
        match = session.exec(select(Match).where(Match.event_id == event.id, Match.table_no == 1)).one()
        with changing(session, event, DESK, "result.entered", match):
            for name, value in (values or {"result": "a", "health_a": 12, "health_b": 0}).items():
                setattr(match, name, value)


def player(session, name):
    return session.exec(select(Player).where(Player.name == name)).one()


def test_a_phone_that_has_the_page_gets_304_and_nothing_else(client, hall):
    slug = hall(8)
    first = client.get(f"/e/{slug}")

    again = client.get(f"/e/{slug}", headers={"If-None-Match": first.headers["ETag"]})

    assert again.status_code == 304
    assert not again.data
    assert again.headers["ETag"] == first.headers["ETag"]


def test_a_result_changes_the_page_and_its_validator(client, app_database, hall):
    slug = hall(8)
    first = client.get(f"/e/{slug}")
    change(app_database, slug)

    again = client.get(f"/e/{slug}", headers={"If-None-Match": first.headers["ETag"]})

    assert again.status_code == 200
    assert "12–0" in again.text
    assert again.headers["ETag"] != first.headers["ETag"]


def test_a_page_that_stayed_the_same_is_not_sent_again_when_another_changed(client, app_database, hall):
    slug = hall(8)
    part = client.get(f"/e/{slug}/clock?part=1")
    change(app_database, slug)

    again = client.get(f"/e/{slug}/clock?part=1", headers={"If-None-Match": part.headers["ETag"]})

    assert again.status_code == 304
    assert again.headers["ETag"] != part.headers["ETag"]


def test_the_page_itself_carries_the_validator_of_its_part(client, hall):
    slug = hall(8)
    page = client.get(f"/e/{slug}").text
    tag = re.search(r'data-tag="([^"]+)"', page)[1].replace("&#34;", '"')

    assert client.get(f"/e/{slug}?part=1", headers={"If-None-Match": tag}).status_code == 304


def test_another_language_is_another_page(client, hall):
    slug = hall(8)
    english = client.get(f"/e/{slug}")

    french = client.get(
        f"/e/{slug}", headers={"If-None-Match": english.headers["ETag"], "Accept-Language": "fr"}
    )

    assert french.status_code == 200
    assert 'lang="fr"' in french.text


def test_a_new_event_with_the_number_of_a_removed_one_shows_nothing_of_it(client, app_database, hall):
    slug = hall(8)
    client.get(f"/e/{slug}")
    with app_database.transaction() as session:
        old = session.exec(select(Event)).one()
        number = old.id
        session.delete(old)
    with app_database.transaction() as session:
        make_event(
            session,
            id=number,
            slug=slug,
            name="Another",
            created_at=datetime.fromisoformat("2027-01-01T10:00:00+00:00"),
        )

    assert "Ana" not in client.get(f"/e/{slug}").text


FORGED = {
    "X-Forwarded-Prefix": "/evil", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https",
    "X-Script-Name": "/evil", "Forwarded": "host=evil.example",
}  # fmt: skip


@pytest.mark.parametrize("proxies", [0, 1])
@pytest.mark.parametrize("base_url", [None, "https://judge.example"])
def test_a_visitor_cannot_put_an_address_into_the_page_of_others(settings, app, hall, proxies, base_url):
    slug = hall(8)
    other = create_app(replace(settings, proxies=proxies, base_url=base_url))
    client = other.test_client()
    for page in ("", "/standings", "/screen", "?by=name"):
        client.get(f"/e/{slug}{page}", headers=FORGED)
        client.get(f"/e/{slug}{page}", headers={"Host": "evil.example"})
        answer = client.get(f"/e/{slug}{page}")

        assert answer.status_code == 200
        assert "evil" not in answer.text + str(answer.headers), page
    other.extensions["judge.database"].close()


def test_made_up_arguments_do_not_fill_the_cache(app, client, hall):
    slug = hall(8)
    client.get(f"/e/{slug}?by=name&part=1")
    sizes = [len(cache._values) for cache in app.extensions["judge.pages"]]
    for n in range(2, 20):
        for name in ("by", "part", "show", "lang", "theme", "x"):
            assert client.get(f"/e/{slug}?{name}={n}").status_code == 200

    assert [len(cache._values) for cache in app.extensions["judge.pages"]] == sizes


def test_a_browser_that_can_unzip_gets_a_zipped_page(client, hall):
    slug = hall(40)

    zipped = client.get(f"/e/{slug}", headers={"Accept-Encoding": "gzip"})

    assert zipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.data) == client.get(f"/e/{slug}").data


@pytest.mark.parametrize("page", PAGES)
def test_no_page_asks_more_of_the_database_when_there_are_more_players(client, hall, page):
    counts = [_queries(client, f"/e/{hall(n, slug=f'hall-{n}')}{page}") for n in (8, 120)]

    assert counts[0] == counts[1]
    assert counts[1] <= 9


def _queries(client, address):
    sent = []
    fetch = Reader._fetch
    engine = client.application.extensions["judge.database"].engine
    sa_event.listen(engine, "before_cursor_execute", lambda *a: sent.append(a[2]))
    Reader._fetch = lambda self, sql, given: sent.append(sql) or fetch(self, sql, given)
    try:
        assert client.get(address).status_code == 200
    finally:
        Reader._fetch = fetch
    return len(sent)


@pytest.mark.parametrize("page", PAGES)
def test_no_page_is_for_search_engines(client, hall, page):
    answer = client.get(f"/e/{hall(8)}{page}")

    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert '<meta name="robots" content="noindex' in answer.text


def test_robots_are_told_to_stay_out(client):
    assert "Disallow: /e/" in client.get("/robots.txt").text
    assert "Disallow: /me/" in client.get("/robots.txt").text


@pytest.mark.parametrize("wanted", ["ben", "BEN", "1"])
def test_a_player_is_found_by_name_and_by_table_without_javascript(client, hall, wanted):
    page = client.get(f"/e/{hall(8)}?q={wanted}").text

    assert "Ben" in page
    assert "Cleo" not in page


def test_a_draft_is_nobody_elses_business(client, app_database):
    with app_database.transaction() as session:
        event = make_event(session)
        ana, ben = make_players(session, event, 2)
        make_round(session, event, [(ana, ben)], state="draft", published_at=None)

    page = client.get("/e/autumn-throne").text

    assert "No pairings yet" in page
    assert 'class="pairs' not in page


def test_public_pages_show_the_display_name_alone(client, app_database, hall):
    slug = hall(8)
    with app_database.transaction() as session:
        player(session, "Ana").public_name = "Queen of Dice"

    for page in ("", "?by=name", "/standings", "/screen"):
        text = client.get(f"/e/{slug}{page}").text
        assert "Queen of Dice" in text
        assert "Ana" not in text


def test_two_of_the_same_name_are_told_apart(client, app_database, hall):
    slug = hall(8)
    with app_database.transaction() as session:
        player(session, "Ben").name = "Ana"

    assert "Ana (2)" in client.get(f"/e/{slug}").text


def test_a_name_cannot_become_markup(client, app_database, hall):
    slug = hall(8)
    with app_database.transaction() as session:
        player(session, "Ana").name = "<script>alert(1)</script>"

    for page in ("", "?by=name", "/standings", "/screen", "?q=script"):
        assert "<script>alert" not in client.get(f"/e/{slug}{page}").text


def test_nobody_is_looked_up_for_a_public_page_even_when_signed_in(client, hall):
    slug = hall(8)
    with client.session_transaction() as cookie:
        cookie["account"] = [1, 1]
        cookie["_flashes"] = [("good", "a private message")]

    page = client.get(f"/e/{slug}").text

    assert "a private message" not in page


def test_standings_show_how_a_value_came_about(client, app_database, hall):
    slug = hall(8)
    change(app_database, slug)

    page = client.get(f"/e/{slug}/standings").text
    ana = re.search(r'href="(/e/[^"]+/standings/\d+)">Ana<', page)[1]
    about = client.get(ana).text

    assert "1–0–0" in page
    assert "Median Buchholz" in about
    assert "12 " in about or "12)" in about


def test_a_players_own_page_names_table_opponent_and_the_way_to_report(client, app, hall):
    hall(8)
    token = make_token(str(app.secret_key), "player", 1, 1)

    page = client.get(f"/me/{token}").text

    assert "Table 1" in page
    assert "against Ben" in page
    assert f"/me/{token}/report" in page


def test_a_link_that_was_issued_anew_or_forged_opens_nothing(client, app, hall):
    hall(8)

    assert client.get(f"/me/{make_token(str(app.secret_key), 'player', 1, 2)}").status_code == 410
    assert client.get(f"/me/{make_token('another secret key', 'player', 1, 1)}").status_code == 404
    assert client.get(f"/me/{make_token(str(app.secret_key), 'table', 1, 1)}").status_code == 404


def test_an_unknown_event_is_404(client):
    for page in PAGES:
        assert client.get(f"/e/nowhere{page}").status_code == 404


def test_a_bracket_has_a_drawing_and_a_table(client, app_database):
    with app_database.transaction() as session:
        event = make_event(
            session, preset="single-elimination", settings={"format": {"kind": "single-elimination"}}
        )
        people = make_players(session, event, 4)
        make_round(session, event, [(people[0], people[3]), (people[1], people[2])])

    page = client.get("/e/autumn-throne/bracket").text

    assert "<svg" in page
    assert 'id="bracket-table"' in page
    assert page.count("Ana") >= 2


def test_a_round_robin_has_a_cross_table(client, app_database):
    with app_database.transaction() as session:
        event = make_event(session, preset="round-robin", settings={"format": {"kind": "round-robin"}})
        people = make_players(session, event, 4)
        make_round(session, event, [(people[0], people[3]), (people[1], people[2])])

    assert 'class="cross"' in client.get("/e/autumn-throne/bracket").text


@pytest.mark.parametrize("is_bold", [True, False])
@pytest.mark.parametrize(
    "name", ["Al", "Maximiliane-Theodora von Hohenstaufen", "W" * 40, "Ж" * 30, "i" * 60]
)
def test_a_name_in_the_drawing_of_a_bracket_stays_in_its_box(name, is_bold):
    shown = in_box(name, 130, is_bold)

    assert width(shown, BOLD if is_bold else REGULAR, 14) <= 130
    assert shown == name or (shown.endswith("…") and name.startswith(shown[:-1].rstrip()))

"""Signing in and out, links that let people in, and passwords."""

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from judge.services.accounts.accounts import first_invite, make_invite
from judge.services.accounts.signing_in import ATTEMPTS
from judge.storage.tables import Account, Invite, SignInAttempt, Staff
from judge.web.frame.links import local_path
from tests.builders import make_staff

PASSWORD = "correct horse"


def sign_in_by_form(desk, login="organiser", password=PASSWORD, **more):
    return desk.post("/sign-in", login=login, password=password, **more)


def invite(desk, kind, now, **values):
    with desk.database.transaction() as session:
        made = make_invite(session, kind, now, **values)
        return made.id, f"/join/{made.token}"


@pytest.fixture
def now():
    from datetime import UTC, datetime

    return datetime.now(UTC)


def test_the_right_password_signs_in_and_leads_back(visitor):
    answer = sign_in_by_form(visitor, next="/events?lang=fr")

    assert answer.status_code == 302
    assert answer.headers["Location"] == "/events?lang=fr"
    assert visitor.get("/events").status_code == 200


def test_the_sign_in_name_is_not_case_sensitive(visitor):
    assert sign_in_by_form(visitor, login=" Organiser ").status_code == 302


@pytest.mark.parametrize(("login", "password"), [("organiser", "wrong horse"), ("nobody", PASSWORD)])
def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(visitor, login, password):
    answer = sign_in_by_form(visitor, login=login, password=password)

    assert answer.status_code == 422
    assert "Name or password is not right." in answer.text
    assert visitor.get("/events").status_code == 302


def test_after_many_failures_even_the_right_password_waits(visitor, app_database):
    for _ in range(ATTEMPTS):
        sign_in_by_form(visitor, password="wrong horse")
    answer = sign_in_by_form(visitor)

    assert answer.status_code == 422
    assert "Too many failed attempts" in answer.text
    with app_database.session() as session:
        assert len(session.exec(select(SignInAttempt)).all()) == 3 * ATTEMPTS, "by name, address and both"


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil",
        "javascript:alert(1)",
        "/a\nb",
        "",
    ],
)
def test_nobody_is_sent_elsewhere_after_signing_in(visitor, wanted):
    assert local_path(wanted) is None
    assert sign_in_by_form(visitor, next=wanted).headers["Location"] == "/events"


def test_the_session_cookie_is_safe(visitor):
    cookie = sign_in_by_form(visitor).headers["Set-Cookie"]

    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_signing_out_needs_the_form(desk):
    assert desk.client.get("/sign-out").status_code == 405
    desk.post("/sign-out")

    assert desk.get("/events").headers["Location"].startswith("/sign-in")


def test_a_new_password_ends_every_other_session(app, desk, sign_in):
    with desk.database.session() as session:
        elsewhere = sign_in(app.test_client(), session.exec(select(Account)).one())
    desk.post("/account/password", old=PASSWORD, password="battery staple")

    assert desk.get("/events").status_code == 200, "here one stays signed in"
    assert elsewhere.get("/events").headers["Location"].startswith("/sign-in")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [("wrong", "battery staple", "not your password"), (PASSWORD, "short", "at least 10")],
)
def test_a_password_is_changed_only_by_who_knows_it_and_to_a_long_one(desk, old, new, says):
    answer = desk.post("/account/password", old=old, password=new)

    assert answer.status_code == 422
    assert says in answer.text


def test_the_name_can_be_changed(desk):
    desk.post("/account/name", name="  Olga   Orga ")

    assert "Olga Orga" in desk.get("/account").text


def test_the_first_organiser_comes_by_a_link_that_works_once(app, app_database, now):
    from tests.conftest import Desk

    with app_database.transaction() as session:
        made = first_invite(session, now)
        assert first_invite(session, now).id == made.id, "the same link until it is used"
        link = f"/join/{made.token}"
    newcomer = Desk(app.test_client(), app_database, 0, "")
    assert "The first organiser’s link" in newcomer.get("/sign-in").text
    answer = newcomer.post(link, name="Olga", login="Olga", password=PASSWORD)

    assert answer.headers["Location"] == "/events"
    assert "New event" in newcomer.get("/events").text
    assert newcomer.get(link).status_code == 410
    with app_database.transaction() as session:
        assert first_invite(session, now) is None


def test_an_invited_judge_makes_an_account_and_is_on_the_staff(desk, visitor):
    page = desk.post(f"/e/{desk.slug}/desk/staff/invites", role="judge", note="Jo")
    link = re.search(r"(/join/[\w.-]+)", desk.get(page.headers["Location"]).text)[1]
    visitor.post(link, name="Jo", login="jo", password=PASSWORD)

    assert visitor.get(f"/e/{desk.slug}/desk/players").status_code == 200
    assert visitor.get(f"/e/{desk.slug}/desk/staff").status_code == 403
    assert visitor.get("/events/new").status_code == 403, "invited staff creates no events"


def test_somebody_with_an_account_joins_with_it(app, desk, sign_in, now):
    with desk.database.transaction() as session:
        jo = sign_in(app.test_client(), make_staff(session, None, "stranger", "jo"))
    from judge.storage.events import Event
    from tests.conftest import Desk

    with desk.database.transaction() as session:
        made = make_invite(session, "staff", now, event=session.get(Event, desk.event_id), role="head-judge")
        link = f"/join/{made.token}"
    guest = Desk(jo, desk.database, desk.event_id, desk.slug)
    assert "Join as Jo" in guest.get(link).text
    guest.post(link)

    with desk.database.session() as session:
        assert {s.role for s in session.exec(select(Staff))} == {"organiser", "head-judge"}


@pytest.mark.parametrize("spoiled", ["used_at", "revoked_at", "expires_at"])
def test_a_used_revoked_or_old_link_opens_nothing(visitor, app_database, now, spoiled):
    number, link = invite(visitor, "organiser", now)
    with app_database.transaction() as session:
        setattr(session.get(Invite, number), spoiled, now - timedelta(minutes=1))

    assert visitor.get(link).status_code == 410
    assert visitor.post(link, name="X", login="x", password=PASSWORD).status_code == 410


def test_the_log_shows_no_links(visitor, caplog):
    caplog.set_level("INFO", "judge.request")
    visitor.get("/join/secret-key")
    visitor.get(f"/e/{visitor.slug}/register/secret-key")

    assert "GET /join/…" in caplog.text
    assert "secret-key" not in caplog.text


def test_a_forged_link_opens_nothing(visitor, now):
    _, link = invite(visitor, "organiser", now)

    assert visitor.get(link[:-3] + "abc").status_code == 410
    assert visitor.get("/join/forged").status_code == 410


def test_a_revoked_invite_is_gone_from_the_page(desk, visitor):
    desk.post(f"/e/{desk.slug}/desk/staff/invites", role="scorekeeper", note="Sam")
    page = desk.get(f"/e/{desk.slug}/desk/staff").text
    link = re.search(r"(/join/[\w.-]+)", page)[1]
    number = re.search(r"invites/(\d+)/revoke", page)[1]
    desk.post(f"/e/{desk.slug}/desk/staff/invites/{number}/revoke")

    assert link not in desk.get(f"/e/{desk.slug}/desk/staff").text
    assert visitor.get(link).status_code == 410


def member(desk, role, login):
    with desk.database.transaction() as session:
        from judge.storage.events import Event

        account = make_staff(session, session.get(Event, desk.event_id), role, login)
        account.may_create = False
        session.flush()
        return session.exec(select(Staff.id).where(Staff.account_id == account.id)).one()


def test_an_organiser_changes_roles_and_removes_staff(desk):
    jo = member(desk, "judge", "jo")
    desk.post(f"/e/{desk.slug}/desk/staff/{jo}/role", role="head-judge")
    with desk.database.session() as session:
        assert session.get(Staff, jo).role == "head-judge"
    desk.post(f"/e/{desk.slug}/desk/staff/{jo}/remove")

    with desk.database.session() as session:
        assert session.get(Staff, jo) is None


@pytest.mark.parametrize(("path", "data"), [("role", {"role": "judge"}), ("remove", {})])
def test_the_last_organiser_stays(desk, path, data):
    with desk.database.session() as session:
        number = session.exec(select(Staff.id)).one()
    answer = desk.post(f"/e/{desk.slug}/desk/staff/{number}/{path}", data)

    assert answer.status_code == 422
    assert "needs an organiser" in answer.text


def test_a_new_password_link_from_the_organiser_lets_staff_in_again(desk, visitor):
    jo = member(desk, "judge", "jo")
    page = desk.post(f"/e/{desk.slug}/desk/staff/{jo}/password-link").text
    link = re.search(r"(/join/[\w.-]+)", page)[1]
    answer = visitor.post(link, password="battery staple")

    assert answer.status_code == 302
    assert visitor.get(f"/e/{desk.slug}/desk/players").status_code == 200
    assert visitor.get(link).status_code == 410
    assert sign_in_by_form(visitor, "jo", "battery staple").status_code == 302


def test_an_organiser_cannot_take_over_an_account_with_rights_elsewhere(desk):
    jo = member(desk, "judge", "jo")
    with desk.database.transaction() as session:
        from tests.builders import make_event

        other = make_event(session, slug="other")
        session.add(Staff(event_id=other.id, account_id=session.get(Staff, jo).account_id, role="judge"))
    answer = desk.post(f"/e/{desk.slug}/desk/staff/{jo}/password-link")

    assert answer.status_code == 422
    assert "judge reset-password jo" in answer.text


def test_a_second_organiser_comes_in_by_a_link_of_the_command(app, settings, monkeypatch):
    from click.testing import CliRunner

    from judge.cli import cli

    monkeypatch.setenv("JUDGE_INSTANCE", str(settings.instance))
    monkeypatch.setenv("JUDGE_SECRET_KEY", settings.secret_key)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    link = CliRunner().invoke(cli, ["invite-organiser"]).output.strip()
    page = app.test_client().get("/join/" + link.rpartition("/")[2])

    assert page.status_code == 200
    assert 'name="login"' in page.text

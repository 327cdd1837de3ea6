"""Attempts, devices and sessions: nobody is locked out by others, and signing out ends the cookie."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from judge.core.errors import Refused
from judge.services.accounts.passwords import check_strength
from judge.services.accounts.signing_in import ATTEMPTS, FROM_ADDRESS, FROM_ANYWHERE, reserve_attempt
from judge.services.log.chain import walk
from judge.storage.tables import AccountSession, AuditRow, SignInAttempt
from judge.web.accounts import proof
from judge.web.frame.work import Gate
from tests.builders import NOW

PASSWORD = "correct horse"


def sign_in_by_form(desk, login="organiser", password=PASSWORD, **more):
    return desk.post("/sign-in", login=login, password=password, **more)


def attempt(database, times=1, login="ana", address="192.0.2.1", device="", at=NOW):
    with database.transaction() as session:
        for _ in range(times):
            reserve_attempt(session, login, address, device, at)


def test_a_stranger_elsewhere_does_not_lock_out_a_judge(database):
    attempt(database, ATTEMPTS, address="198.51.100.7")
    with pytest.raises(Refused):
        attempt(database, address="198.51.100.7")

    attempt(database, address="192.0.2.1")


def test_strangers_from_everywhere_do_not_lock_out_a_known_browser(database):
    for n in range(FROM_ANYWHERE):
        attempt(database, address=f"198.51.100.{n}")
    with pytest.raises(Refused):
        attempt(database)

    attempt(database, device="a mark")
    with pytest.raises(Refused):
        attempt(database, ATTEMPTS, device="a mark")


def test_one_visitor_does_not_lock_out_the_known_browsers_of_a_hall(database):
    for n in range(FROM_ADDRESS):
        attempt(database, login=f"name {n}")
    with pytest.raises(Refused):
        attempt(database, login="ben")

    attempt(database, login="ben", device="a mark")


def test_a_clock_set_back_keeps_nobody_waiting(database):
    attempt(database, ATTEMPTS, at=NOW + timedelta(days=1))

    attempt(database)


def test_the_limit_holds_when_all_try_at_once(database):
    counted, refused = [], []

    def try_it():
        try:
            attempt(database)
            counted.append(1)
        except Refused:
            refused.append(1)

    def try_often():
        for _ in range(6):
            try_it()

    threads = [threading.Thread(target=try_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(counted), len(refused)) == (ATTEMPTS, 24 - ATTEMPTS)


def test_a_browser_is_known_after_signing_in_and_out(app, visitor, app_database):
    sign_in_by_form(visitor)
    visitor.post("/sign-out")
    for _ in range(ATTEMPTS):
        attempt(app_database, address="127.0.0.1", login="organiser", at=datetime.now(UTC))

    assert sign_in_by_form(visitor).status_code == 302
    stranger = type(visitor)(app.test_client(), app_database, 0, "")
    assert sign_in_by_form(stranger).status_code == 422


def test_a_success_forgives_the_attempts_of_this_name(visitor, app_database):
    for _ in range(ATTEMPTS - 1):
        sign_in_by_form(visitor, password="wrong horse")
    assert sign_in_by_form(visitor).status_code == 302
    with app_database.session() as session:
        assert {row.who.split(":")[0] for row in session.exec(select(SignInAttempt))} == {"from"}


def test_a_copied_cookie_opens_nothing_after_signing_out(app, visitor):
    sign_in_by_form(visitor)
    copied = visitor.client.get_cookie("judge").value
    visitor.post("/sign-out")
    thief = app.test_client()
    thief.set_cookie("judge", copied)

    assert thief.get("/events").status_code == 302
    assert thief.get("/account").status_code == 302


def test_browsers_are_listed_and_signed_out_one_by_one_or_all(app, app_database, visitor):
    here, there = visitor, type(visitor)(app.test_client(), app_database, 0, "")
    sign_in_by_form(here)
    agent = "Mozilla/5.0 (Android 14; Mobile) Firefox/130.0"
    there.client.environ_base["HTTP_USER_AGENT"] = agent
    sign_in_by_form(there)
    page = here.get("/account").text
    with app_database.session() as session:
        other = session.exec(select(AccountSession).where(AccountSession.browser == "Firefox, Android")).one()

    assert "Firefox, Android" in page
    assert "this one" in page
    here.post(f"/account/sessions/{other.id}/end")
    assert there.get("/events").status_code == 302
    assert here.get("/events").status_code == 200

    sign_in_by_form(there)
    here.post("/account/sessions/end")
    assert [each.get("/events").status_code for each in (here, there)] == [302, 302]


def test_nobody_ends_the_session_of_another_account(app, app_database, desk, visitor, sign_in):
    sign_in_by_form(visitor)
    with app_database.transaction() as session:
        from tests.builders import make_staff

        stranger = type(visitor)(app.test_client(), app_database, 0, "")
        sign_in(stranger.client, make_staff(session, None, "judge", "stranger"))
        number = session.exec(select(AccountSession.id)).first()

    assert stranger.post(f"/account/sessions/{number}/end").status_code == 404
    assert visitor.get("/events").status_code == 200


def test_a_server_clock_set_back_signs_nobody_out(app, visitor, monkeypatch):
    import itsdangerous.timed

    sign_in_by_form(visitor)
    real = itsdangerous.timed.TimestampSigner.get_timestamp
    monkeypatch.setattr(itsdangerous.timed.TimestampSigner, "get_timestamp", lambda self: real(self) - 86_400)

    assert visitor.get("/events").status_code == 200


def test_signing_in_stands_in_the_log_and_the_log_is_a_chain(visitor, app_database):
    sign_in_by_form(visitor)
    with app_database.session() as session:
        assert [row.what for row in session.exec(select(AuditRow))] == ["account.signed-in"]
        assert walk(session).broken_at is None


WEAK = ("password123", "Passwort2026", "1234567890", "qwertyuiop", "aaaaaaaaaaaa", "azertyuiop",
        "motdepasse1", "abcdefghijkl", "0987654321", "ana.lopez.1", "dicethrone1!", "йцукенгшщз")  # fmt: skip


@pytest.mark.parametrize("password", WEAK)
def test_a_password_that_is_easy_to_guess_is_refused(password):
    with pytest.raises(Refused, match="password_too_common"):
        check_strength(password, "ana", "Ana Lopez")


@pytest.mark.parametrize("password", ["correct horse", "battery staple", "тихий вечер дома", "vW8#k2pQz!r"])
def test_a_short_sentence_is_a_good_password(password):
    check_strength(password, "ana", "Ana Lopez")


def test_pages_with_secrets_are_kept_by_no_browser(desk, visitor):
    for client, path in (
        (visitor, "/sign-in"),
        (visitor, "/join/nothing"),
        (desk, "/account"),
        (desk, f"/e/{desk.slug}/desk/staff"),
    ):
        assert client.get(path).headers["Cache-Control"] == "no-store", path


@pytest.mark.parametrize("path", ["//evil.example/", "/%5C/evil.example", "//evil.example/%2e%2e"])
def test_links_to_another_language_stay_on_this_site(client, path):
    page = client.get(path).text

    assert 'href="//' not in page
    assert 'action="//' not in page
    assert 'href="/\\' not in page


def test_the_log_holds_no_links_and_no_parameters(app, client, caplog, monkeypatch):
    def fail(*_args, **_values):
        raise RuntimeError("broken")

    monkeypatch.setattr("judge.web.public.private_links.find_linked_player", fail)
    from judge.services.accounts.accounts import make_token

    token = make_token(str(app.secret_key), "player", 1, 1)
    caplog.set_level("INFO")
    assert client.get(f"/me/{token}/report").status_code == 500

    assert "broken" in caplog.text
    assert token not in caplog.text


def test_when_many_sign_in_at_once_the_next_is_told_to_come_back_and_not_counted(desk, visitor, monkeypatch):
    sign_in_by_form(desk)
    monkeypatch.setattr(proof, "CHECKING", Gate(at_once=1, waiting=0, seconds=0))
    assert proof.CHECKING.enter()
    refused = [sign_in_by_form(visitor, password="a wrong one") for _ in range(ATTEMPTS + 1)]
    assert sign_in_by_form(desk).status_code == 302, "this browser is known"
    proof.CHECKING.leave()

    assert {answer.status_code for answer in refused} == {503}
    assert all(answer.headers["Retry-After"] for answer in refused)
    assert "a wrong one" not in refused[0].text
    assert sign_in_by_form(visitor).status_code == 302, "the refused ones were not counted"

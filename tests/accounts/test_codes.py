"""Codes of an authenticator app: the second step of signing in, never twice, never without the password."""

import base64
import re
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from judge.core.errors import Refused
from judge.services.accounts.account_view import account_view
from judge.services.accounts.accounts import accept_password_invite, find_login, invite_view, make_invite
from judge.services.accounts.codes import (
    APP,
    NEIGHBOURS,
    RECOVERY,
    RECOVERY_CODES,
    STEP_SECONDS,
    app_set_up,
    begin_app,
    code_at,
    codes_of,
    confirm_app,
    new_recovery_codes,
    use_code,
)
from judge.services.accounts.signing_in import ATTEMPTS
from judge.storage.tables import AuditRow, AuthenticatorApp, RecoveryCode
from tests.builders import NOW, make_staff
from tests.conftest import SECRET

PASSWORD = "correct horse"


@pytest.mark.parametrize(
    ("seconds", "code"), [(59, "287082"), (1111111109, "081804"), (20000000000, "353130")]
)
def test_the_codes_are_those_of_rfc_6238(seconds, code):
    assert code_at(b"12345678901234567890", seconds // 30) == code


class Phone:
    """An authenticator app that was told the letters of the page."""

    def __init__(self, typed):
        self.secret = base64.b32decode(typed.replace(" ", ""))

    def shows(self, at, steps=0):
        return code_at(self.secret, int(at.timestamp()) // STEP_SECONDS + steps)


@pytest.fixture
def set_up(database):
    """An account with an app, its phone and its recovery codes."""
    with database.transaction() as session:
        account = make_staff(session, None, "organiser")
        begin_app(session, account.id, NOW)
        phone = Phone(app_set_up(session, SECRET, account.id, account.login, "judge.example").typed)
        codes = confirm_app(session, SECRET, account_view(account), phone.shows(NOW), NOW).result
        return account_view(account), phone, codes


def use(database, account, code, at):
    with database.transaction() as session:
        use = use_code(session, SECRET, account, code, at)
        return use and use.result


def test_a_code_works_once_and_so_do_none_before_it(database, set_up):
    account, phone, _ = set_up
    later = NOW + timedelta(minutes=2)

    assert use(database, account, phone.shows(NOW), NOW) is None, "it confirmed the app"
    assert use(database, account, phone.shows(later), later) == APP
    assert use(database, account, phone.shows(later), later) is None
    assert use(database, account, phone.shows(later, -1), later) is None
    assert use(database, account, phone.shows(later, 1), later) == APP


@pytest.mark.parametrize("steps", [-NEIGHBOURS, NEIGHBOURS])
def test_a_phone_may_go_half_a_minute_wrong_but_no_more(database, set_up, steps):
    account, phone, _ = set_up
    later = NOW + timedelta(hours=1)

    assert use(database, account, phone.shows(later, steps * 2), later) is None
    assert use(database, account, f" {phone.shows(later, steps)[:3]} {phone.shows(later, steps)[3:]}", later)


def test_a_clock_set_back_refuses_nobody(database, set_up):
    account, phone, _ = set_up
    ahead, back = NOW + timedelta(days=3), NOW + timedelta(hours=1)

    assert use(database, account, phone.shows(ahead), ahead) == APP
    assert use(database, account, phone.shows(back), back) == APP


def test_a_recovery_code_replaces_the_phone_once(database, set_up):
    account, _, codes = set_up

    assert len(set(codes)) == RECOVERY_CODES
    assert use(database, account, codes[3].upper().replace("-", " "), NOW) == RECOVERY
    assert use(database, account, codes[3], NOW) is None
    with database.transaction() as session:
        assert codes_of(session, account.id).recovery_left == RECOVERY_CODES - 1
        assert all(code not in row.key for row in session.exec(select(RecoveryCode)) for code in codes)
        new = new_recovery_codes(session, account, NOW).result
    assert use(database, account, codes[4], NOW) is None, "the codes before are worth nothing"
    assert use(database, account, new[4], NOW) == RECOVERY


@pytest.mark.parametrize("typed", ["", "000000", "²²²²²²", "١٢٣٤٥٦", "\ud800", "9" * 40, "-"])
def test_whatever_else_is_typed_is_no_code(database, set_up, typed):
    account, _, _ = set_up

    assert use(database, account, typed, NOW + timedelta(days=1)) is None


def test_the_database_alone_holds_no_secret(database, set_up):
    account, phone, _ = set_up
    later = NOW + timedelta(days=1)
    with database.transaction() as session:
        assert phone.secret.hex() not in str(session.exec(select(AuthenticatorApp)).one())
        other = use_code(session, "another server's secret", account, phone.shows(later), later)

    assert other is None


def test_an_app_that_showed_no_code_yet_is_not_asked_for(database):
    with database.transaction() as session:
        account = account_view(make_staff(session, None, "organiser"))
        begin_app(session, account.id, NOW)
        assert not codes_of(session, account.id).is_on
        with pytest.raises(Refused, match="code_wrong"):
            confirm_app(session, SECRET, account, "123456", NOW)
        assert use_code(session, SECRET, account, "123456", NOW) is None


@pytest.mark.parametrize("made_on_server", [True, False])
def test_a_link_made_on_the_server_takes_the_codes_away(database, set_up, made_on_server):
    account, _, _ = set_up
    with database.transaction() as session:
        row = find_login(session, "organiser")
        invite = make_invite(
            session, "password", NOW, account=row, made_by=None if made_on_server else account.id
        )
        accept_password_invite(session, invite_view(invite), "a hash", NOW)

        assert codes_of(session, account.id).is_on is not made_on_server


@pytest.fixture
def asked(desk, visitor):
    """The organiser has an app; a browser that is not signed in; the phone; the recovery codes."""
    desk.post("/account/codes", password=PASSWORD, what="begin")
    page = desk.get("/account/codes").text
    phone = Phone(re.search(r'<code class="break">([A-Z2-7 ]+)</code>', page)[1])
    assert '<svg role="img"' in page
    shown = desk.post("/account/codes/confirm", code=now_shown(phone)).text
    return visitor, phone, re.findall(r"<code>([a-z2-7-]+)</code>", shown)


def now_shown(phone, steps=0):
    return phone.shows(datetime.now(UTC), steps)


def log_of_accounts(desk):
    with desk.database.session() as session:
        return [row.what for row in session.exec(select(AuditRow)) if row.what.startswith("account.")]


def test_signing_in_asks_for_the_code_after_the_password(asked, desk):
    visitor, phone, codes = asked
    answer = visitor.post("/sign-in", login="organiser", password=PASSWORD, next="/account")

    assert answer.location.endswith("/sign-in/code?next=/account")
    assert visitor.get("/account").status_code == 302, "not signed in yet"
    wrong = visitor.post("/sign-in/code", code="000000")
    assert wrong.status_code == 422
    assert "not right" in wrong.text
    entered = visitor.post("/sign-in/code", code=now_shown(phone, 1), next="/account")
    assert entered.location == "/account"
    assert visitor.get("/account").status_code == 200
    assert wrong.headers["Cache-Control"] == "no-store"
    assert {"account.codes-on", "account.code-refused", "account.signed-in"} <= set(log_of_accounts(desk))
    assert len(codes) == RECOVERY_CODES


def test_a_recovery_code_signs_in_and_the_log_says_so(asked, desk):
    visitor, _, codes = asked
    visitor.post("/sign-in", login="organiser", password=PASSWORD)
    answer = visitor.post("/sign-in/code", code=codes[0])

    assert answer.status_code == 302
    assert "9 are left" in visitor.client.get(answer.location).text
    assert "account.recovery-code-used" in log_of_accounts(desk)


def test_codes_cannot_be_guessed_and_the_right_password_forgives_nothing(asked):
    visitor, phone, _ = asked
    for _ in range(ATTEMPTS // 2):
        visitor.post("/sign-in", login="organiser", password=PASSWORD)
        visitor.post("/sign-in/code", code="000000")

    refused = visitor.post("/sign-in/code", code=now_shown(phone, 1))
    assert refused.status_code == 422
    assert "minutes" in refused.text


def test_without_the_password_there_is_no_second_step(visitor):
    for answer in (visitor.get("/sign-in/code"), visitor.post("/sign-in/code", code="123456")):
        assert answer.status_code == 302
        assert "/sign-in?" in answer.location


@pytest.mark.parametrize("what", ["begin", "off", "recovery"])
def test_nothing_changes_without_the_password(desk, what):
    answer = desk.post("/account/codes", password="wrong horse", what=what)

    assert answer.status_code == 422
    assert "not your password" in answer.text


def test_codes_are_switched_off_with_the_password(asked, desk):
    visitor, _, _ = asked
    assert "New recovery codes" in desk.get("/account/codes").text
    again = desk.post("/account/codes", password=PASSWORD, what="recovery").text
    assert len(re.findall(r"<code>([a-z2-7-]+)</code>", again)) == RECOVERY_CODES
    desk.post("/account/codes", password=PASSWORD, what="off")
    answer = visitor.post("/sign-in", login="organiser", password=PASSWORD)

    assert "/sign-in/code" not in answer.location
    assert "account.codes-off" in log_of_accounts(desk)

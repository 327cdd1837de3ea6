"""Passkeys: made with the password, used without it; a lie in any part of an answer is refused."""

import json
import subprocess
import sys

import pytest
from sqlmodel import select

from judge.core.errors import Refused
from judge.services.accounts.accounts import accept_password_invite, find_login, invite_view, make_invite
from judge.services.accounts.passkeys import MOST_PASSKEYS, Site, sign_in_with
from judge.storage.tables import AuditRow, Passkey
from tests.accounts.soft_key import PRESENT, SoftKey, text
from tests.builders import NOW, make_staff

PASSWORD = "correct horse"
JSON = {"Accept": "application/json"}


def options(desk, name="my phone", password=PASSWORD):
    data = {"csrf_token": desk.token(), "name": name, "password": password}
    return desk.client.post("/account/passkeys/options", data=data, headers=JSON)


def add(desk, key, name="my phone"):
    return desk.post("/account/passkeys", name=name, credential=key.made(options(desk).json["challenge"]))


def challenge(visitor, login=""):
    data = {"csrf_token": visitor.token(), "login": login}
    return visitor.client.post("/sign-in/passkey/options", data=data, headers=JSON).json


def enter(visitor, key, **changed):
    answer = json.loads(key.used(challenge(visitor)["challenge"])) | changed
    return visitor.post("/sign-in/passkey", credential=json.dumps(answer), next="/account")


@pytest.fixture
def key(desk):
    key = SoftKey()
    assert add(desk, key).status_code == 302
    return key


def test_a_passkey_signs_in_without_name_or_password(desk, visitor, key):
    answer = enter(visitor, key)

    assert (answer.status_code, answer.location) == (302, "/account")
    page = visitor.get("/account/passkeys").text
    assert "my phone" in page
    assert "last used" in page
    assert visitor.get("/account").status_code == 200
    with desk.database.session() as session:
        log = [row.what for row in session.exec(select(AuditRow))]
    assert log[-2:] == ["account.passkey-added", "account.signed-in-by-passkey"]


def test_an_answer_works_once_even_with_a_copy_of_the_cookie(app, visitor, key):
    asked = challenge(visitor)["challenge"]
    cookie = visitor.client.get_cookie("judge").value
    answer = key.used(asked, uses=0)
    assert visitor.post("/sign-in/passkey", credential=answer).status_code == 302
    thief = app.test_client()
    thief.set_cookie("judge", cookie)
    app.config["WTF_CSRF_ENABLED"] = False

    assert thief.post("/sign-in/passkey", data={"credential": answer}).status_code == 422
    assert thief.get("/account").status_code == 302


@pytest.mark.parametrize(
    "parts",
    [{"origin": "http://evil.example"}, {"host": "evil.example"}, {"flags": PRESENT}, {"flags": 0}],
    ids=["origin", "host", "no-verification", "nobody-there"],
)
def test_a_lie_is_refused_when_made_and_when_used(desk, visitor, key, parts):
    liar = SoftKey()
    vars(liar).update(parts)
    assert add(desk, liar).status_code == 422
    vars(key).update(parts)

    assert enter(visitor, key).status_code == 422
    assert visitor.get("/account").status_code == 302


def test_another_key_with_the_same_id_is_refused(visitor, key):
    false = SoftKey()
    false.id = key.id

    assert enter(visitor, false).status_code == 422


def test_a_copied_key_that_counts_too_little_is_refused(visitor, key):
    key.uses = 8
    assert enter(visitor, key).status_code == 302
    key.uses = 3

    assert enter(visitor, key).status_code == 422


HOSTILE = [
    "", "null", "[]", "{}", '{"id": "\\u0000"}', '{"id": "\\ud800"}', '{"id": 5}', "[" * 5000, "x" * 30_000,
    '{"id": "aaaa", "rawId": "aaaa", "type": "public-key", "response": {}}',
]  # fmt: skip


def test_whatever_else_is_sent_is_refused(desk, visitor, key):
    for answer in HOSTILE:
        challenge(visitor)
        assert visitor.post("/sign-in/passkey", credential=answer).status_code == 422, answer
    options(desk)
    assert desk.post("/account/passkeys", credential="{}").status_code == 422


def test_no_part_of_an_answer_makes_the_server_fail(desk, key):
    site = Site("localhost", ["http://localhost"], "a secret of the server")
    right = json.loads(key.used(text(b"asked")))
    parts = [{part: wrong} for part in right for wrong in (None, 5, "", "a", "²", {}, [], "A" * 2000)]
    parts += [{"response": right["response"] | {part: wrong}} for part in right["response"]
              for wrong in (None, 5, "", "a", "²", "AAAA", "A" * 2000)]  # fmt: skip
    with desk.database.session(writes=True) as session:
        for part in parts:
            with pytest.raises(Refused):
                sign_in_with(session, site, json.dumps(right | part), b"asked", NOW)
            session.rollback()
        assert sign_in_with(session, site, json.dumps(right), b"asked", NOW).login == "organiser"


def test_a_challenge_is_needed_and_grows_old(app, visitor, key):
    assert visitor.post("/sign-in/passkey", credential=key.used("AAAA")).status_code == 422
    asked = challenge(visitor)["challenge"]
    with visitor.client.session_transaction() as cookie:
        cookie["challenge"] = [cookie["challenge"][0], cookie["challenge"][1] - 301]

    late = visitor.post("/sign-in/passkey", credential=key.used(asked))
    assert late.status_code == 422
    assert "too long" in late.text


def test_a_name_without_passkeys_looks_like_one_with(visitor, key):
    known, unknown = challenge(visitor, "organiser"), challenge(visitor, "nobody")

    assert len(known["allowCredentials"]) == len(unknown["allowCredentials"]) == 1
    assert challenge(visitor, "nobody")["allowCredentials"] == unknown["allowCredentials"]
    assert "allowCredentials" not in challenge(visitor) or not challenge(visitor)["allowCredentials"]


def test_making_one_asks_for_the_password_and_a_name(desk):
    assert options(desk, password="wrong horse").status_code == 422
    assert options(desk, name=" ").status_code == 422
    assert options(desk).status_code == 200


def test_a_device_is_registered_once_and_an_account_has_so_many(desk, key):
    assert add(desk, key).status_code == 422
    with desk.database.transaction() as session:
        row = session.exec(select(Passkey)).one()
        for n in range(MOST_PASSKEYS - 1):
            session.add(Passkey(**row.model_dump(exclude={"id", "credential"}), credential=f"other-{n}"))

    assert options(desk).status_code == 422


def test_a_removed_passkey_opens_nothing_and_only_its_owner_removes_it(app, desk, visitor, key, sign_in):
    with desk.database.transaction() as session:
        number = session.exec(select(Passkey.id)).one()
        other = sign_in(app.test_client(), make_staff(session, None, "judge"))
    app.config["WTF_CSRF_ENABLED"] = False
    assert other.post(f"/account/passkeys/{number}/remove").status_code == 404
    assert desk.post(f"/account/passkeys/{number}/remove").status_code == 302

    assert enter(visitor, key).status_code == 422


def test_a_link_made_on_the_server_takes_the_passkeys_away(desk, key):
    with desk.database.transaction() as session:
        invite = make_invite(session, "password", NOW, account=find_login(session, "organiser"))
        accept_password_invite(session, invite_view(invite), "a hash", NOW)

        assert session.exec(select(Passkey)).all() == []


@pytest.mark.parametrize(
    ("address", "works", "says"),
    [
        ("http://localhost:8000", True, ""),
        ("https://judge.example", True, ""),
        ("http://192.168.1.7:8000", False, "Passkeys work only"),
        ("http://127.0.0.1:8000", False, "http://localhost:8000/sign-in"),
        ("https://192.168.1.7", False, "Passkeys work only"),
        ("http://judge.lan", False, "Passkeys work only"),
    ],
)
def test_a_page_says_where_passkeys_do_not_work(client, address, works, says):
    page = client.get("/sign-in?lang=en", base_url=address).text

    assert ("data-passkey" in page) is works
    assert says in page


def test_the_library_is_loaded_only_when_a_passkey_is_used():
    code = "import sys, judge.app; print([m for m in ('webauthn', 'cryptography') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"

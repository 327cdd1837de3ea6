"""When something is wrong: a clear answer in the right status, nothing half stored, no traceback shown."""

import sqlite3
import time
from datetime import UTC, datetime

import pytest
from flask import Blueprint, abort, jsonify, request
from sqlalchemy import create_engine, event, make_url, text
from sqlmodel import func, select

from judge.app import create_app
from judge.config import Settings
from judge.core.errors import InputError, problem
from judge.storage.migrate import migrate
from judge.storage.tables import AuditRow
from judge.web.frame.errors import refuse
from judge.web.frame.security import LONGEST_FORM, csrf
from judge.web.frame.transaction import session

CODES = (400, 403, 404, 405, 409, 413, 422, 429, 500)
NOW = datetime(2026, 5, 3, tzinfo=UTC)


def probe_pages() -> Blueprint:
    """Pages that get into trouble on purpose."""
    probe = Blueprint("probe", __name__)

    @probe.post("/note")
    def note():
        why = request.form.get("why", "")
        session().add(AuditRow(at=NOW, actor="Ana", what="note", subject_kind="x", subject_id="1", why=why))
        return "kept" if "fail" not in request.args else (jsonify(), int(request.args["fail"]))

    @probe.get("/count")
    def count():
        return str(session().exec(select(func.count()).select_from(AuditRow)).one())

    @probe.get("/abort/<int:code>")
    def stop(code):
        abort(code)

    @probe.post("/api/echo")
    @csrf.exempt
    def echo():
        return jsonify(request.get_json())

    @probe.get("/api/malformed")
    def malformed():
        raise InputError(problem("events[3].tpye", "unknown_key"))

    @probe.get("/stale")
    def stale():
        refuse(409, "Ben changed table 4.")

    @probe.get("/broken")
    def broken():
        raise RuntimeError("the secret inside")

    return probe


def prepared(settings):
    app = create_app(settings)
    app.register_blueprint(probe_pages())
    app.config["WTF_CSRF_ENABLED"] = False
    migrate(app.extensions["judge.database"], settings.instance / "backups")
    return app


@pytest.fixture
def app(settings):
    made = prepared(settings)
    yield made
    made.extensions["judge.database"].close()


@pytest.fixture
def app_on_either(database_url, tmp_path):
    """The app on SQLite and on PostgreSQL."""
    made = prepared(Settings(tmp_path, database_url, "a secret for tests only", busy_seconds=0.3))
    yield made
    made.extensions["judge.database"].close()


TITLES = {
    404: {"en": "There is nothing here", "fr": "Il n’y a rien ici", "ru": "Здесь ничего нет"},
    500: {"en": "Our mistake", "fr": "Une erreur de notre part", "ru": "Наша ошибка"},
}


@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
@pytest.mark.parametrize("code", CODES)
def test_every_error_has_a_friendly_page_in_every_language(client, code, lang):
    answer = client.get(f"/abort/{code}?lang={lang}")

    assert answer.status_code == code
    assert f'<html lang="{lang}"' in answer.text
    assert TITLES.get(code, {}).get(lang, "") in answer.text
    assert 'class="button"' in answer.text
    assert answer.headers["X-Request-ID"] in answer.text


@pytest.mark.parametrize("code", CODES)
def test_the_pages_differ_in_what_they_say(client, code):
    said = client.get(f"/abort/{code}").text
    others = [client.get(f"/abort/{other}").text for other in CODES if other != code]
    heading = said.split("<h1>")[1].split("</h1>")[0]

    assert not any(f"<h1>{heading}</h1>" in other for other in others)


def test_programs_get_a_problem_document(client):
    under_api = client.get("/api/nope")
    asked_for = client.get("/nope", headers={"Accept": "application/json"})

    for answer in (under_api, asked_for):
        assert answer.mimetype == "application/problem+json"
        assert answer.json["status"] == answer.status_code == 404
        assert answer.json["title"] == "There is nothing here"


def test_a_wrong_method_names_the_right_ones(client):
    assert client.get("/api/echo").status_code == 405
    assert client.get("/api/echo").headers["Allow"] == "OPTIONS, POST"


def test_a_route_can_say_more_than_the_usual_sentence(client):
    assert "Ben changed table 4." in client.get("/stale").text


def test_malformed_json_is_400_and_a_wrong_content_type_415(client):
    malformed = client.post("/api/echo", data="{", content_type="application/json")
    wrong = client.post("/api/echo", data="a=b", content_type="application/x-www-form-urlencoded")

    assert (malformed.status_code, wrong.status_code) == (400, 415)
    assert malformed.mimetype == wrong.mimetype == "application/problem+json"


def test_malformed_input_is_422_with_its_place_in_the_visitors_language(client):
    answer = client.get("/api/malformed?lang=ru")

    assert answer.status_code == 422
    assert answer.json["errors"][0]["path"] == "events[3].tpye"
    assert "ключ" in answer.json["errors"][0]["says"]


@pytest.mark.parametrize("path", ["/note", "/api/echo", "/nope"])
def test_a_body_over_the_limit_is_413(client, settings, path):
    answer = client.post(path, data=b"x" * (settings.max_body + 1), content_type="application/json")

    assert answer.status_code == 413


def test_a_body_just_under_the_limit_is_read(client, settings):
    form = client.post("/note", data={"why": "x" * (LONGEST_FORM - 100)})
    file = client.post(
        "/api/echo", data=b"[]" + b" " * (settings.max_body - 2), content_type="application/json"
    )

    assert (form.status_code, file.status_code) == (200, 200)


@pytest.mark.parametrize("cookie", ["garbage", "eyJ4IjoxfQ.x.y", "\x01" * 5, "a" * 4000])
def test_a_broken_cookie_is_as_good_as_none(client, cookie):
    for name in ("judge", "judge_lang", "judge_theme"):
        client.set_cookie(name, cookie)

    assert client.get("/").status_code == 200


def test_a_form_without_its_token_is_refused_and_leaves_no_trace(app, client):
    app.config["WTF_CSRF_ENABLED"] = True
    for token in ({}, {"csrf_token": "wrong"}):
        answer = client.post("/note", data={"why": "forged", **token})

        assert answer.status_code == 400
        assert "This form was open for too long" in answer.text
    assert client.get("/count").text == "0"


@pytest.mark.parametrize("status", [400, 409, 422, 500])
def test_a_refused_request_stores_nothing(client, status):
    client.post(f"/note?fail={status}")

    assert client.get("/count").text == "0"


def test_an_accepted_request_is_stored(app_on_either):
    client = app_on_either.test_client()
    assert client.post("/note").status_code == 200

    assert client.get("/count").text == "1"


def test_our_own_fault_shows_a_number_and_no_traceback(client, caplog):
    answer = client.get("/broken")

    assert answer.status_code == 500
    assert "secret inside" not in answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["X-Request-ID"] in answer.text
    assert answer.headers["X-Request-ID"] in caplog.text
    assert "secret inside" in caplog.text


def test_a_locked_database_is_503_for_writers_and_no_trouble_for_readers(client, settings):
    other = sqlite3.connect(settings.instance / "judge.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    locked, read = client.post("/note"), client.get("/count")
    other.execute("ROLLBACK")
    other.close()

    assert (locked.status_code, read.status_code) == (503, 200)
    assert locked.headers["Retry-After"]
    assert "Nothing was saved" in locked.text
    assert client.post("/note").status_code == 200


def test_a_locked_table_on_postgresql_is_503(postgresql_url, tmp_path):
    app = prepared(Settings(tmp_path, postgresql_url, "a secret for tests only", busy_seconds=0.3))
    engine = app.extensions["judge.database"].engine
    with engine.begin() as other:
        other.execute(text("LOCK TABLE audit IN ACCESS EXCLUSIVE MODE"))
        locked = app.test_client().post("/note")

    assert locked.status_code == 503
    assert app.test_client().post("/note").status_code == 200
    engine.dispose()


def test_a_database_that_is_gone_is_503_and_its_return_is_noticed(client, settings):
    file, hidden = settings.instance / "judge.sqlite3", settings.instance / "elsewhere"
    assert client.post("/note").status_code == 200
    file.rename(hidden)
    gone = [client.post("/note").status_code, client.get("/count").status_code]
    made = file.exists()
    hidden.rename(file)

    assert gone == [503, 503]
    assert not made
    assert client.get("/count").text == "1"


def test_a_postgresql_that_is_gone_is_503(postgresql, postgresql_url, tmp_path):
    app = prepared(Settings(tmp_path, postgresql_url, "a secret for tests only", busy_seconds=0.3))
    name = make_url(postgresql_url).database
    admin = create_engine(postgresql, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
        connection.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :d"), {"d": name}
        )
        gone = app.test_client().post("/note")
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true"))

    assert gone.status_code == 503
    assert app.test_client().post("/note").status_code == 200
    admin.dispose()
    app.extensions["judge.database"].close()


def test_a_full_disk_is_507_and_what_was_there_stays(app, client):
    engine = app.extensions["judge.database"].engine
    assert client.post("/note").status_code == 200
    engine.dispose()

    def allow_no_growth(connection, _record):
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages}")

    event.listen(engine, "connect", allow_no_growth)

    full = client.post("/note", data={"why": "x" * 200_000})
    assert full.status_code == 507
    assert "no room" in full.text
    assert client.get("/count").text == "1"


def lock(settings):
    other = sqlite3.connect(settings.instance / "judge.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


def test_a_locked_database_tells_signed_in_staff_so_and_keeps_what_they_typed(desk, settings):
    token = desk.token()
    other = lock(settings)
    began = time.monotonic()
    answer = desk.client.post("/account/name", data={"csrf_token": token, "name": "Ana <b>"})
    took = time.monotonic() - began
    other.close()

    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert 'name="name" value="Ana &lt;b&gt;"' in answer.text, "sent again with one tap"
    assert took < 1
    assert desk.client.post("/account/name", data={"csrf_token": token, "name": "Ana"}).status_code == 302


def test_a_form_with_a_password_is_not_repeated(client, settings):
    other = lock(settings)
    answer = client.post("/sign-in", data={"login": "ana", "password": "a secret of mine"})
    other.close()

    assert answer.status_code == 503
    assert "a secret of mine" not in answer.text


def test_the_page_of_a_lost_database_asks_no_database(desk, settings):
    file, hidden = settings.instance / "judge.sqlite3", settings.instance / "elsewhere"
    desk.get("/account")
    file.rename(hidden)
    pages = [
        desk.get(path) for path in ("/account", f"/e/{desk.slug}/desk", f"/e/{desk.slug}", "/events", "/")
    ]
    missing = desk.get("/nothing/here")
    hidden.rename(file)

    assert [page.status_code for page in pages] == [503] * 5
    assert all("Not available just now" in page.text and page.headers["Retry-After"] for page in pages)
    assert missing.status_code == 404
    assert desk.get("/account").status_code == 200


def test_the_default_patience_is_under_a_second():
    assert Settings.busy_seconds < 1

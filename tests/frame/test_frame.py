"""What every page has: its language, its look, its headers, its log line, its way out."""

import json
import logging
import re

import pytest

PAGES = ("/", "/nope")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_every_page_speaks_the_language_that_was_asked_for(client, path, lang):
    html = client.get(path, query_string={"lang": lang}).text

    assert f'<html lang="{lang}"' in html
    assert {"en": "Skip to content", "fr": "Aller au contenu", "ru": "К содержанию"}[lang] in html


def test_the_browser_chooses_first_and_the_visitor_last(client):
    french = {"Accept-Language": "de, fr-CA;q=0.8, en;q=0.5"}

    assert 'lang="fr"' in client.get("/", headers=french).text
    assert 'lang="ru"' in client.get("/?lang=ru", headers=french).text
    assert 'lang="ru"' in client.get("/", headers=french).text, "the choice is remembered"


@pytest.mark.parametrize("wrong", ["zz", "", "en-US-x-12", "../../etc", "ф"])
def test_an_unknown_language_is_passed_over(client, wrong):
    client.set_cookie("judge_lang", "xx")
    answer = client.get("/", query_string={"lang": wrong}, headers={"Accept-Language": wrong.encode()})

    assert answer.status_code == 200
    assert '<html lang="en"' in answer.text
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_light_and_dark_are_chosen_by_a_link_and_remembered(client, theme):
    client.get(f"/?theme={theme}")

    assert f'data-theme="{theme}"' in client.get("/").text


def test_the_switches_keep_the_rest_of_the_address(client):
    html = client.get("/nope?q=a%26b&lang=fr").text

    assert "/nope?q=a%26b&amp;lang=ru" in html
    assert "/nope?q=a%26b&amp;theme=dark" in html


def test_a_page_needs_nothing_from_elsewhere_and_nothing_inline(client):
    answer = client.get("/")
    policy = answer.headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', answer.text)
    assert not re.findall(r"<style|style=|<script(?! src)| on\w+=|javascript:", answer.text)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_static_files_are_kept_for_a_year_under_their_fingerprint(client):
    address = re.search(r'href="(/static/judge.css\?v=\w+)"', client.get("/").text)
    with client.get(address[1]) as kept, client.get("/static/judge.css") as asked_each_time:
        assert "max-age=31536000" in kept.headers["Cache-Control"]
        assert "max-age" not in asked_each_time.headers["Cache-Control"]


def test_one_log_line_a_request_without_what_was_sent(client, caplog):
    caplog.set_level(logging.INFO, "judge.request")
    answer = client.get("/healthz?token=hush%0d%0aforged")
    client.get("/a%0Ab")

    first, second = (record.getMessage() for record in caplog.records)
    assert re.fullmatch(rf"{answer.headers['X-Request-ID']} GET /healthz 200 \d+ms", first)
    assert "hush" not in caplog.text
    assert "/a%0Ab" in second


@pytest.mark.parametrize(("given", "kept"), [("abc-123", True), ("x" * 65, False), ("a b", False)])
def test_a_proxys_request_id_is_used_if_it_is_sound(client, given, kept):
    answer = client.get("/healthz", headers={"X-Request-ID": given})

    assert (answer.headers["X-Request-ID"] == given) is kept


def test_healthz_asks_nothing_of_the_database(client, settings):
    (settings.instance / "judge.sqlite3").unlink()

    assert client.get("/healthz").json == {"status": "ok"}


def test_readyz_tells_whether_the_database_can_be_used(client, settings, app):
    assert client.get("/readyz").status_code == 200
    with app.extensions["judge.database"].engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'older'")
    assert client.get("/readyz").json["database"] == "needs migration"
    (settings.instance / "judge.sqlite3").unlink()
    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert json.loads(answer.text)["database"] == "unreachable"
    assert not (settings.instance / "judge.sqlite3").exists(), "no empty database is made in its place"

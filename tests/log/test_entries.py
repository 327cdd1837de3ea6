"""The log on both databases: a search goes through all of it, and pages hold what fits."""

import time
from datetime import UTC, datetime

import pytest
from sqlmodel import select

from judge.schemas.tournament.player_lists import PlayerFacts
from judge.services.log.changes import Actor, changing
from judge.services.log.entries import PAGE, read_log
from judge.services.log.search import Filters
from judge.services.pairing.rounds import pair_next, publish
from judge.services.play.outcomes import Outcome
from judge.services.play.results import correct, enter
from judge.services.players.players import add_players, drop_player, remove_player, set_present
from judge.storage.tables import Match
from judge.web.log.undo_offer import moment
from tests.builders import DESK, NOW, make_event, make_players, make_round

NEWER = 2 * PAGE + 10


@pytest.fixture
def evening(database):
    """A round, a correction, a drop and a removal; then check-ins that push it off two pages."""
    with database.transaction() as session:
        event = make_event(session)
        anna, dov = add_players(
            session, event, DESK, [PlayerFacts("Анна"), PlayerFacts("Дов")], NOW
        ).result.players
        remove_player(session, event, DESK, dov.id, dov.version)
        drop_player(session, event, DESK, anna.id, anna.version, "Поезд ушёл")
        make_players(session, event, 4)
        round_ = pair_next(session, event, DESK, 1).result
        publish(session, event, DESK, 1, round_.version, NOW)
        match = session.exec(select(Match).where(Match.table_no == 2)).one()
        enter(session, event, Actor("Élodie"), match.id, Outcome("a", None, 20, 0))
        correct(
            session,
            event,
            DESK,
            match.id,
            match.version,
            Outcome("b", "concession"),
            "misheard",
            is_sure=True,
        )
        (guest,) = add_players(session, event, DESK, [PlayerFacts("Zoe")], NOW).result.players
        for n in range(NEWER):
            set_present(session, event, DESK, guest.id, n % 2 == 1)
        yield session, event


def found(evening, text, lang="en", **wanted):
    session, event = evening
    return [line.what for line in read_log(session, event, Filters(text=text, **wanted), lang).lines]


def test_a_search_finds_what_stands_on_no_page_one_has_opened(evening):
    assert found(evening, "misheard") == ["result.corrected"]
    assert found(evening, "ПОЕЗД") == ["player.dropped"]
    assert "player.dropped" in found(evening, "анна")
    assert found(evening, "élodie") == ["result.entered"]


def test_the_words_of_the_sentence_are_found_in_the_readers_language(evening):
    assert found(evening, "corrected") == ["result.corrected"]
    assert found(evening, "исправлен", "ru") == ["result.corrected"]
    assert found(evening, "round 1 published") == ["round.published"]
    assert found(evening, "table 2 conceded corrected") == ["result.corrected"]


def test_somebody_who_is_gone_is_found_by_the_name_they_had(evening):
    session, event = evening
    (line,) = read_log(session, event, Filters(text="Дов"), "en").lines

    assert line.says == "Дов removed from the list"


def test_everybody_at_a_pod_is_found(database):
    with database.transaction() as session:
        event = make_event(session)
        ana, ben, cleo, dov, eva = make_players(session, event, 5)
        round_ = make_round(session, event, [(ana, ben), (eva, None)])
        match = session.exec(select(Match).where(Match.round_id == round_.id)).first()
        match.more = [cleo.id, dov.id]
        with changing(session, event, DESK, "table.extended", match):
            match.extension_s = 60

        for name in ("ana", "ben", "cleo", "dov"):
            assert found((session, event), name) == ["table.extended"], name
        assert found((session, event), "eva") == []


@pytest.mark.parametrize("text", ["%", "_", "\\", "'", "99999999999999999999", "nowhere", "( – )"])
def test_odd_texts_harm_nothing(evening, text):
    found(evening, text)


def test_pages_hold_what_fits_and_lead_to_the_end(evening):
    session, event = evening
    pages, before = [], 0
    while True:
        page = read_log(session, event, Filters(text="zoe check", before=before), "en")
        pages.append(len(page.lines))
        before = page.older or 0
        if not before:
            break

    assert pages == [PAGE, PAGE, NEWER - 2 * PAGE]


def test_a_moment_is_said_in_the_machines_own_time_with_its_zone(monkeypatch, app):
    monkeypatch.setenv("TZ", "Europe/Paris")
    time.tzset()
    with app.test_request_context("/?lang=fr"):
        says = moment(datetime(2026, 7, 1, 22, 30, tzinfo=UTC))
    monkeypatch.undo()
    time.tzset()

    assert says == "02/07/2026 00:30 CEST"

"""Penalties on both databases: results, drops, erasure, and the cost of the list."""

import pytest
from sqlalchemy import event as sa_event
from sqlmodel import select

from judge.core.errors import Refused
from judge.services.log.changes import undo
from judge.services.play.penalties import (
    Infraction,
    Sentence,
    catalogue,
    change_infraction,
    give,
    read_penalties,
)
from judge.services.players.erasure import erase_player
from judge.storage.audit import AuditRow
from judge.storage.rulings import Penalty
from judge.storage.tables import Match
from tests.builders import DESK, NOW, make_event, make_players, make_round


@pytest.fixture
def hall(database):
    with database.session() as session:
        event = make_event(session)
        people = make_players(session, event, 4)
        make_round(session, event, [(people[0], people[1]), (people[2], people[3])])
        session.commit()
        yield session, event, session.exec(select(Match).order_by(Match.table_no)).all(), people


def test_a_disqualification_is_three_entries_and_each_can_be_undone(hall):
    session, event, (match, _), people = hall
    give(
        session,
        event,
        DESK,
        Sentence(people[1].id, "cheating", "disqualification", match_id=match.id),
        NOW,
        "out",
    )
    entries = session.exec(select(AuditRow).order_by(AuditRow.id.desc())).all()

    assert [entry.what for entry in entries] == ["player.dropped", "result.entered", "penalty.given"]
    assert (match.result, people[1].state) == ("a", "dropped")
    for entry in entries:
        undo(session, event, entry.id, DESK)
    assert (match.result, people[1].state) == (None, "present")
    assert session.exec(select(Penalty)).all() == []


def test_a_game_loss_in_a_longer_match_is_recorded_and_leaves_the_match_open(hall):
    session, event, (match, _), people = hall
    event.settings = {"best_of": 3}
    give(session, event, DESK, Sentence(people[0].id, "late", "game-loss", match_id=match.id), NOW, "late")

    assert match.result is None
    assert read_penalties(session, event, "en")[0].penalty == "game-loss"


def test_an_erased_player_is_given_nothing_any_more(hall):
    session, event, _, people = hall
    erase_player(session, event, DESK, people[0].id, people[0].version)
    with pytest.raises(Refused):
        give(session, event, DESK, Sentence(people[0].id, "late", "caution"), NOW, "late")


def test_an_erased_players_name_goes_from_remedies_and_notes(hall):
    session, event, _, people = hall
    asked = Sentence(people[1].id, "wrong-count", "caution", remedy="Ana is at 30.", note="Ana noticed it")
    give(session, event, DESK, asked, NOW, "Caution")
    erase_player(session, event, DESK, people[0].id, people[0].version)
    given = session.exec(select(Penalty)).one()
    log = [(e.why, e.before, e.after) for e in session.exec(select(AuditRow))]

    assert "Ana" not in f"{given.remedy} {given.note} {log}"


def test_the_list_takes_as_many_queries_for_one_as_for_fifty(hall):
    session, event, _, people = hall
    seen = []
    sa_event.listen(session.get_bind(), "before_cursor_execute", lambda *a: seen.append(a[2]))
    costs = []
    for count in (1, 49):
        for _ in range(count):
            give(session, event, DESK, Sentence(people[0].id, "late", "note"), NOW, "late")
        session.commit()
        assert event.id
        seen.clear()
        found = read_penalties(session, event, "fr")
        costs.append(len(seen))

    assert [found[0].times, found[-1].times] == [50, 1]
    assert costs[0] == costs[1]


def test_a_text_changed_in_one_language_leaves_the_others_of_untouched_fields(hall):
    session, event, _, _ = hall
    usual = {entry.id: entry for entry in catalogue(session, event, "fr")}["late"]
    change_infraction(
        session,
        event,
        DESK,
        Infraction("late", "En retard !", usual.text, usual.remedy, "warning", "warning"),
        "fr",
    )
    english = {entry.id: entry for entry in catalogue(session, event, "en")}["late"]

    assert english.name == "En retard !"
    assert english.text.startswith("The player is not at the table")
    assert not english.is_ours

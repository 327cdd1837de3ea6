"""Judge calls and the event's own words on both databases."""

from datetime import timedelta

import pytest
from sqlalchemy import event as sa_event
from sqlmodel import select

from judge.core.errors import Conflict, InputError, Refused
from judge.services.dispute.rulings import rule_table
from judge.services.event.catalogue import (
    as_yaml,
    forget_word,
    from_yaml,
    id_from,
    remember_word,
    replace_words,
    words_of,
)
from judge.services.log.changes import Actor
from judge.services.play import calls
from judge.services.players.erasure import erase_player
from judge.storage.audit import AuditRow
from judge.storage.rulings import JudgeCall
from judge.storage.tables import Match
from tests.builders import DESK, NOW, make_event, make_players, make_round

OTHER = Actor("Emil", 2)
BLAST = {"names": {"en": "Big Blast"}, "kind": "offensive", "effects": [{"deal": 7, "type": "pure"}]}


@pytest.fixture
def hall(database):
    with database.session() as session:
        event = make_event(session)
        people = make_players(session, event, 40)
        make_round(session, event, list(zip(people[::2], people[1::2], strict=True)))
        session.commit()
        yield session, event, session.exec(select(Match).order_by(Match.table_no)).all(), people


def test_a_call_is_claimed_once_and_its_minutes_count_from_the_call(hall):
    session, event, (match, *_), _ = hall
    call = calls.call_judge(session, event, match.id, "Ana", " Who is first? ", NOW).result
    calls.claim(session, event, DESK, call.id, NOW + timedelta(minutes=2))
    with pytest.raises(Conflict):
        calls.claim(session, event, OTHER, call.id, NOW + timedelta(minutes=2))
    calls.resolve(session, event, DESK, call.id, NOW + timedelta(minutes=5), 5)

    assert (call.note, call.claimed_by, call.state) == ("Who is first?", "Dana Desk", "resolved")
    assert calls.minutes_taken(call, NOW + timedelta(hours=1)) == 5
    assert match.extension_s == 300


def test_the_queue_takes_one_query_however_long_it_is(hall):
    session, event, matches, _ = hall
    for match in matches:
        calls.call_judge(session, event, match.id, "Ana", "", NOW)
    session.commit()
    seen = []
    sa_event.listen(session.get_bind(), "before_cursor_execute", lambda *a: seen.append(a[2]))
    event_id = event.id
    seen.clear()
    waiting, resolved = calls.read_calls(session, event, NOW + timedelta(minutes=1))

    assert event_id
    assert len(waiting) == 20
    assert not resolved
    assert [call.table for call in waiting] == list(range(1, 21))
    assert len([s for s in seen if s.startswith("SELECT") and "judge_call" in s]) == 1


def test_a_call_needs_a_table_with_two_players(hall):
    session, event, _, _ = hall
    with pytest.raises(Refused):
        calls.call_judge(session, event, 9999, "Ana", "", NOW)


def test_an_erased_player_is_gone_from_calls_and_their_log(hall):
    session, event, (match, *_), people = hall
    calls.call_judge(session, event, match.id, "Ana", "Ana says 5, Ben says 7", NOW)
    erase_player(session, event, DESK, people[0].id, people[0].version)
    call = session.exec(select(JudgeCall)).one()
    kept = [(e.actor, e.why, e.before, e.after) for e in session.exec(select(AuditRow))]

    assert call.called_by == f"N. N. {people[0].id}"
    assert call.note == f"N. N. {people[0].id} says 5, Ben says 7"
    assert "Ana" not in str(kept)


def test_words_are_kept_replaced_and_forgotten(hall):
    session, event, _, _ = hall
    kept = remember_word(session, event, DESK, "ability", BLAST).result
    remember_word(session, event, DESK, "ability", {**kept, "effects": [{"deal": 9, "type": "pure"}]})
    remember_word(session, event, DESK, "card", {"id": "oops", "kind": "instant", "effects": [{"draw": 1}]})
    forget_word(session, event, DESK, "card", "oops")

    assert kept["id"] == "big-blast"
    assert words_of(session, event) == {
        "abilities": [{**BLAST, "id": "big-blast", "effects": [{"deal": 9, "type": "pure"}]}]
    }


def test_a_word_can_be_used_at_a_table_of_the_event(hall):
    session, event, _, _ = hall
    remember_word(session, event, DESK, "ability", BLAST)
    ruling = rule_table(
        {
            "game": "dice-throne",
            "edition": "fr-2.4.1",
            "mode": "duel",
            "players": [{"id": "A", "hero": "barbarian"}, {"id": "B", "hero": "paladin"}],
            "events": [{"by": "A", "activate": "big-blast", "on": "B"}],
            "catalogue": words_of(session, event),
        }
    )

    assert ruling["players"]["B"]["health"] == 43


def test_what_a_table_file_would_refuse_is_not_kept(hall):
    session, event, _, _ = hall
    with pytest.raises(InputError) as caught:
        remember_word(session, event, DESK, "status", {"id": "doom", "polarity": "evil"})

    assert caught.value.problems[0].path == "statuses[1].polarity"
    assert words_of(session, event) == {}


def test_a_file_is_read_beside_or_in_place_of_what_is_there(hall):
    session, event, _, _ = hall
    remember_word(session, event, DESK, "ability", BLAST)
    file = from_yaml("catalogue:\n  statuses:\n  - {id: doom, polarity: negative, stack_limit: 1}\n")
    replace_words(session, event, DESK, file)
    both = words_of(session, event)
    replace_words(session, event, DESK, file, keep_others=False)

    assert set(both) == {"abilities", "statuses"}
    assert set(words_of(session, event)) == {"statuses"}
    assert from_yaml(as_yaml(both)) == both


def test_an_id_is_made_from_a_name_in_any_language():
    names = ["Buh-Bye!", "Brûlure  d’Âme", "Тройной Удар"]
    assert [id_from(name) for name in names] == ["buh-bye", "brulure-dame", "тройной-удар"]

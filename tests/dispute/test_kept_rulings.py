"""Kept rulings on both databases: stored, found, marked, and rid of a name."""

import json

from sqlmodel import select

from judge.core.messages import LANGS
from judge.services.dispute import drafts as table_drafts
from judge.services.dispute import kept_rulings
from judge.services.dispute.case import Case
from judge.services.dispute.rulings import check_file, rule_table
from judge.services.players.erasure import erase_player
from judge.storage.rulings import KeptRuling, TableDraft
from tests.builders import DESK, NOW, make_event, make_players

TABLE = {
    "game": "dice-throne",
    "edition": "fr-2.2",
    "players": [{"id": "Ana", "hero": "barbarian"}, {"id": "Ben", "hero": "paladin"}],
    "events": [{"by": "Ana", "activate": "overpower", "on": "Ben", "effects": [{"deal": 8}]}],
}


def test_a_ruling_is_stored_in_every_language_and_found_by_its_words(database):
    with database.transaction() as session:
        event = make_event(session)
        kept_rulings.keep(session, Case(TABLE), NOW, actor=DESK, event=event, title="Eight")

    with database.transaction() as session:
        row = session.exec(select(KeptRuling)).one()
        assert row.rulings == {lang: rule_table(TABLE, lang) for lang in LANGS}
        (found,) = kept_rulings.search(session, [row.event_id], None, "barbare 2.2")
        assert (found.key, found.title) == (row.key, "Eight")
        assert kept_rulings.search(session, [row.event_id], None, "100%_") == []
        assert kept_rulings.rule_again(found, "fr")[1] == []


def test_a_ruling_and_its_table_are_kept_letter_by_letter(database):
    with database.transaction() as session:
        row = kept_rulings.keep(session, Case(TABLE), NOW, actor=DESK).result
        draft = table_drafts.begin(session, TABLE, NOW)
        keys = row.id, draft.id

    with database.transaction() as session:
        row, draft = session.get(KeptRuling, keys[0]), session.get(TableDraft, keys[1])
        assert json.dumps(row.table) == json.dumps(TABLE)
        assert json.dumps(row.rulings) == json.dumps({lang: rule_table(TABLE, lang) for lang in LANGS})
        assert json.dumps(table_drafts.table_of(draft)) == json.dumps(TABLE)


def test_a_name_is_erased_from_a_ruling_whose_catalogue_todays_reader_refuses(database):
    with database.transaction() as session:
        event = make_event(session)
        ana, _ = make_players(session, event, 2)
        row = kept_rulings.keep(session, Case(TABLE), NOW, actor=DESK, event=event, title="Ana").result
        row.table = {**TABLE, "catalogue": {"spells": {"zap": 1}}}
        erase_player(session, event, DESK, ana.id, ana.version)

        assert "ana" not in row.words.split()
        assert "barbarian" in row.words.split()


def test_precedents_come_first(database):
    with database.transaction() as session:
        event = make_event(session)
        first = kept_rulings.keep(session, Case(TABLE), NOW, actor=DESK, event=event, title="First").result
        kept_rulings.keep(session, Case(TABLE), NOW, actor=DESK, event=event, title="Second")
        kept_rulings.mark_precedent(session, event, DESK, first.key, True, first.version)

        found = kept_rulings.search(session, [event.id], None)
        assert [row.title for row in found] == ["First", "Second"]
        assert kept_rulings.similar(session, [event.id], None, TABLE)[0].title == "First"


def test_an_erased_name_is_gone_from_rulings_and_tables_and_the_cases_still_hold(database):
    with database.transaction() as session:
        event = make_event(session)
        ana, _ = make_players(session, event, 2)
        kept_rulings.keep(session, Case(TABLE), NOW, actor=DESK, event=event, title="Ana and Ben")
        table_drafts.begin(session, TABLE, NOW, event=event)
        erase_player(session, event, DESK, ana.id, ana.version)

        row, draft = session.exec(select(KeptRuling)).one(), session.exec(select(TableDraft)).one()
        assert "Ana" not in str([row.table, row.rulings, row.title, row.players, row.words, draft.steps])
        assert [found for _, found in check_file(kept_rulings.as_cases([row]))] == [[]]

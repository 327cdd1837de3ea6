"""Players on the list, on both databases: places, waiting, dropping, erasing, deleting."""

import threading

import pytest
from sqlmodel import SQLModel, select

from judge.core.errors import Conflict, Refused
from judge.core.messages import Message
from judge.schemas.tournament.player_lists import ListedRow, PlayerFacts
from judge.services.dispute import drafts as table_drafts
from judge.services.dispute import kept_rulings
from judge.services.dispute.case import Case
from judge.services.event.events import delete_event
from judge.services.event.tournament_files import phrasebook
from judge.services.log.changes import Actor, undo
from judge.services.pairing.rounds import pair_next, publish
from judge.services.play.calls import call_judge
from judge.services.play.outcomes import Outcome
from judge.services.play.penalties import Sentence, give
from judge.services.play.reports import report
from judge.services.play.results import correct
from judge.services.players.erasure import erase_player
from judge.services.players.players import (
    FIELDS,
    add_players,
    admit,
    change_player,
    check_rows,
    drop_player,
    reissue_link,
    remove_player,
    restore_player,
)
from judge.services.players.registration import register
from judge.services.players.roster import roster
from judge.storage.tables import AuditRow, Event, Match, Player
from tests.builders import DESK, NOW, make_event, make_players, make_round


def event_with(session, **registration):
    return make_event(session, settings={"registration": {"mode": "open", **registration}})


def states(session):
    return [p.state for p in session.exec(select(Player).order_by(Player.id))]


def facts(*names):
    return [PlayerFacts(name) for name in names]


def test_beyond_the_capacity_people_wait_and_move_up_when_somebody_drops(database):
    with database.transaction() as session:
        event = event_with(session, capacity=2)
        added = add_players(session, event, DESK, facts("Ana", "Ben", "Cleo", "Dov"), NOW).result
        ana, *_ = added.players
        assert states(session) == ["registered", "registered", "waiting", "waiting"]
        let_in = drop_player(session, event, DESK, ana.id, ana.version).result

        assert added.waiting == 2
        assert [p.name for p in let_in] == ["Cleo"]
        assert states(session) == ["dropped", "registered", "registered", "waiting"]


def test_removing_somebody_who_never_played_frees_the_place_too(database):
    with database.transaction() as session:
        event = event_with(session, capacity=2)
        ana, *_ = add_players(session, event, DESK, facts("Ana", "Ben", "Cleo"), NOW).result.players
        remove_player(session, event, DESK, ana.id, ana.version)

        assert states(session) == ["registered", "registered"]


def test_a_player_with_a_penalty_stays_on_the_list_until_it_is_taken_back(database):
    with database.transaction() as session:
        event = event_with(session)
        (ana,) = make_players(session, event, 1)
        give(session, event, DESK, Sentence(ana.id, "late", "warning"), NOW, "came at ten")
        with pytest.raises(Refused, match="player_has_penalty"):
            remove_player(session, event, DESK, ana.id, ana.version)
        (entry,) = session.exec(select(AuditRow)).all()
        undo(session, event, entry.id, DESK)
        remove_player(session, event, DESK, ana.id, ana.version)

        assert session.exec(select(Player)).all() == []


def test_two_players_with_one_fixed_table_are_named_in_a_warning(database):
    with database.transaction() as session:
        event = event_with(session)
        given = [PlayerFacts("Ana", fixed_table=5), PlayerFacts("Ben", fixed_table=5), PlayerFacts("Cleo")]
        rows = [ListedRow(n, one.name, one) for n, one in enumerate(given, start=1)]
        checked = check_rows(session, event, rows)
        add_players(session, event, DESK, given, NOW)
        (warning,) = roster(session, event).warnings

        assert [len(row.warnings) for row in checked] == [0, 1, 0]
        assert checked[1].warnings[0].params == {"table": 5, "names": ["Ana", "Ben"]}
        assert warning.params == {"table": 5, "names": ["Ana", "Ben"]}


def test_of_ten_who_register_for_the_last_place_one_gets_it(database):
    with database.transaction() as session:
        event_id = event_with(session, capacity=2).id
        add_players(session, session.get(Event, event_id), DESK, facts("Ana"), NOW)
    troubles = []

    def come(name):
        try:
            with database.transaction() as session:
                register(session, session.get(Event, event_id), PlayerFacts(name), NOW)
        except Exception as error:
            troubles.append(error)

    visitors = [threading.Thread(target=come, args=(f"Guest {n}",)) for n in range(10)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()

    with database.session() as session:
        assert not troubles
        assert sorted(states(session)) == ["registered"] * 2 + ["waiting"] * 9


def test_a_late_entry_plays_from_the_next_round(database):
    with database.transaction() as session:
        event = event_with(session)
        ana, ben = make_players(session, event, 2)
        make_round(session, event, [(ana, ben)])
        (eva,) = add_players(session, event, DESK, facts("Eva"), NOW).result.players

        assert (eva.first_round, eva.state) == (2, "present")


def test_a_player_drops_after_the_round_that_is_published_and_can_come_back(database):
    with database.transaction() as session:
        event = event_with(session)
        ana, ben = make_players(session, event, 2)
        make_round(session, event, [(ana, ben)])
        drop_player(session, event, DESK, ana.id, ana.version, "train")
        assert (ana.state, ana.last_round) == ("dropped", 1)
        restore_player(session, event, DESK, ana.id, ana.version)

        assert (ana.state, ana.last_round) == ("present", None)
        whys = session.exec(select(AuditRow.why).order_by(AuditRow.id)).all()
        assert whys == ["train", ""]


def test_nobody_drops_out_of_a_draft_or_is_removed_from_a_pairing(database):
    with database.transaction() as session:
        event = event_with(session)
        ana, ben = make_players(session, event, 2)
        make_round(session, event, [(ana, ben)], state="draft")

        with pytest.raises(Refused, match="player_in_pairing"):
            drop_player(session, event, DESK, ana.id, ana.version)
        with pytest.raises(Refused, match="player_has_played"):
            remove_player(session, event, DESK, ana.id, ana.version)


def test_a_stale_form_is_told_who_changed_what(database):
    with database.transaction() as session:
        event = event_with(session)
        (ana,) = make_players(session, event, 1)
        seen = ana.version
        change_player(session, event, DESK, ana.id, seen, PlayerFacts("Ana", club="Lyon"))
        with pytest.raises(Conflict) as refused:
            change_player(session, event, DESK, ana.id, seen, PlayerFacts("Anna"))

        (reason,) = refused.value.reasons
        assert reason.params["actor"] == "Dana Desk"
        assert [field.key for field in reason.params["fields"]] == ["player_field_club"]


def test_every_column_of_a_player_that_changes_has_a_word_for_a_stale_form(database):
    """Also what phones change, and a player nobody has changed since it was added."""
    unsaid = {"id", "event_id", "created_at", "version"}
    assert {column.name for column in Player.__table__.columns} - unsaid == set(FIELDS)
    book = phrasebook("en")
    assert all(book.say(Message(f"player_field_{name}")) for name in FIELDS)
    with database.transaction() as session:
        event = event_with(session)
        ana = add_players(session, event, DESK, facts("Ana"), NOW).result.players[0]
        with pytest.raises(Conflict) as refused:
            change_player(session, event, DESK, ana.id, ana.version + 1, PlayerFacts("Anna"))
        assert all(book.say(reason) for reason in refused.value.reasons)


def test_an_asker_at_a_full_event_waits_until_the_staff_says_otherwise(database):
    with database.transaction() as session:
        event = event_with(session, mode="approval", capacity=2)
        add_players(session, event, DESK, facts("Ana", "Ben"), NOW)
        cleo = register(session, event, PlayerFacts("Cleo"), NOW).result
        assert cleo.state == "pending"
        admit(session, event, DESK, cleo.id, cleo.version)
        assert cleo.state == "waiting"
        admit(session, event, DESK, cleo.id, cleo.version)

        assert cleo.state == "registered"


def test_a_namesake_is_asked_once_more_and_then_told_apart(database):
    with database.transaction() as session:
        event = event_with(session)
        register(session, event, PlayerFacts("Ana", club="Lyon"), NOW)
        with pytest.raises(Refused, match="player_twins"):
            register(session, event, PlayerFacts("ana"), NOW)
        register(session, event, PlayerFacts("Ana", club="Nice"), NOW, is_another=True)

        assert [line.label for line in roster(session, event).lines] == ["Ana (Lyon)", "Ana (Nice)"]


def test_a_new_link_ends_the_old_one(database):
    with database.transaction() as session:
        event = event_with(session)
        (ana,) = make_players(session, event, 1)

        old = ana.link
        assert reissue_link(session, event, DESK, ana.id, ana.version).result.link == old + 1


def test_the_link_of_somebody_removed_does_not_open_who_comes_next(database):
    with database.transaction() as session:
        event = event_with(session)
        links = set()
        for name in ("Ana", "Ben", "Cleo"):  # SQLite gives all three the same number
            (player,) = add_players(session, event, DESK, facts(name), NOW).result.players
            links.add((player.id, player.link))
            remove_player(session, event, DESK, player.id, player.version)

        assert len(links) == 3


def everything(session):
    """Every text of every table of the database."""
    return repr([session.execute(table.select()).all() for table in SQLModel.metadata.sorted_tables])


def test_an_erased_name_is_in_no_table_of_the_database(database):
    """Said wherever somebody can be named: rulings, drafts, calls, penalties, reports, the log."""
    name, shown = "Zephyrine Quill", "Quillette"
    with database.transaction() as session:
        event = event_with(session)
        ana, _ = add_players(
            session, event, DESK, [PlayerFacts(name, shown, "Lyon"), PlayerFacts("Ben")], NOW
        ).result.players
        round_ = pair_next(session, event, DESK, 1).result
        publish(session, event, DESK, 1, round_.version, NOW)
        match = session.exec(select(Match)).one()
        table = {
            "game": "dice-throne",
            "edition": "fr-2.2",
            "note": f"{name} says so",
            "players": [{"id": name, "hero": "barbarian"}, {"id": "Ben", "hero": "paladin"}],
            "events": [{"by": name, "activate": "overpower", "on": "Ben", "effects": [{"deal": 8}]}],
        }
        draft = table_drafts.begin(session, table, NOW, event=event, match=match, title=f"{name} – Ben")
        table_drafts.OpenDraft(session, draft.token).change(Case({**table, "note": shown}), NOW)
        kept = kept_rulings.keep(
            session, Case(table), NOW, actor=Actor(shown), event=event, match_id=match.id, title=name
        ).result
        kept_rulings.appeal(session, event, DESK, kept.key, name, f"{shown} disagrees", NOW)
        kept_rulings.decide(session, event, DESK, kept.key, "upheld", "ZEPHYRINE QUILL heard", NOW)
        call_judge(session, event, match.id, shown, f"about {name}’s dice", NOW)
        sentence = Sentence(
            ana.id, "late", "warning", remedy=f"{shown} waits", note=f"told {name}", match_id=match.id
        )
        give(session, event, DESK, sentence, NOW, f"{name} was late")
        report(session, event, match.id, "a" if match.a_id == ana.id else "b", Outcome("draw"), NOW)
        report(session, event, match.id, "b" if match.a_id == ana.id else "a", Outcome("draw"), NOW)
        correct(session, event, DESK, match.id, match.version, Outcome("a"), f"{name} misheard", is_sure=True)
        change_player(session, event, DESK, ana.id, ana.version, PlayerFacts("Zephyrine Q.", shown, "Lyon"))
        assert all(word in everything(session) for word in (name, shown, "Lyon"))
        erase_player(session, event, DESK, ana.id, ana.version)

    with database.session() as session:
        told = everything(session).casefold()
        assert not [word for word in ("zephyrine", "quill", "lyon") if word in told]
        assert session.exec(select(Match.result)).one() == "a"


def test_an_erased_name_is_nowhere_and_the_results_stay(database):
    with database.transaction() as session:
        event = event_with(session)
        ana, ben = make_players(session, event, 2)
        round_ = make_round(session, event, [(ana, ben)])
        match = session.exec(select(Match)).one()
        match.result, match.why = "a", [{"key": "why", "params": {"a": "Ana", "b": "Ben"}}]
        round_.report = {"notes": ["Ana had the bye"]}
        change_player(session, event, DESK, ana.id, ana.version, PlayerFacts("Annabel", "Belle", "Lyon"))
        drop_player(session, event, DESK, ana.id, ana.version, "Annabel is ill")
        session.flush()
        erase_player(session, event, DESK, ana.id, ana.version)
        session.expire_all()

        told = everything(session)
        assert not [name for name in ("Ana", "Annabel", "Belle", "Lyon") if name in told]
        assert "Ben" in told
        assert session.exec(select(Match.result)).one() == "a"
        assert session.get(Player, ana.id).name == f"N. N. {ana.id}"


def test_an_erased_name_does_not_come_back_by_undo(database):
    with database.transaction() as session:
        event = event_with(session)
        (ana,) = make_players(session, event, 1)
        change_player(session, event, DESK, ana.id, ana.version, PlayerFacts("Annabel"))
        erase_player(session, event, DESK, ana.id, ana.version)
        changed, erased = session.exec(select(AuditRow).order_by(AuditRow.id)).all()

        with pytest.raises(Conflict):
            undo(session, event, erased.id, DESK)
        with pytest.raises(Refused):
            restore_player(session, event, DESK, ana.id, ana.version)
        assert "Ana" not in repr([changed.before, changed.after, erased.before, erased.after])


def test_a_namesake_of_an_erased_player_keeps_their_name(database):
    with database.transaction() as session:
        event = event_with(session)
        first, second = add_players(session, event, DESK, facts("Ana", "Ana"), NOW).result.players
        erase_player(session, event, DESK, first.id, first.version)
        session.expire_all()

        assert session.get(Player, second.id).name == "Ana"
        (added, _) = session.exec(select(AuditRow).order_by(AuditRow.id)).all()
        assert [row["row"]["name"] for row in added.after] == [f"N. N. {first.id}", "Ana"]


def test_a_deleted_event_takes_all_its_rows_along(database):
    with database.transaction() as session:
        event, other = event_with(session), make_event(session, slug="other")
        ana, ben = make_players(session, event, 2)
        make_round(session, event, [(ana, ben)])
        give(session, event, DESK, Sentence(ana.id, "late", "warning"), NOW, "came at ten")
        (kept,) = make_players(session, other, 1)
        add_players(session, event, DESK, facts("Cleo"), NOW)
        delete_event(session, event, DESK, "Autumn  Throne", NOW)

        assert session.exec(select(Player.id)).all() == [kept.id]
        assert session.exec(select(Match)).all() == []
        kept_log = [row.what for row in session.exec(select(AuditRow).order_by(AuditRow.id))]
        assert kept_log[-1] == "event.deleted"  # the log outlives the event
        assert "penalty.given" in kept_log

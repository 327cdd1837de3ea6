"""Taking things back from the log, on both databases: what goes back, what is refused, and why."""

from dataclasses import replace

import pytest
from sqlmodel import select

from judge.core.errors import Conflict, Missing, Refused
from judge.schemas.tournament.player_lists import PlayerFacts
from judge.services.boxes.boxes import add_boxes
from judge.services.event.events import EventFacts, change_event, fingerprint, settings_of
from judge.services.event.staff import change_role, invite_staff
from judge.services.log.entries import read_log
from judge.services.log.search import Filters
from judge.services.log.undo import take_back
from judge.services.pairing.rounds import discard, finish, pair_again, pair_next, publish, reopen, unpublish
from judge.services.pairing.swaps import swap
from judge.services.play.calls import call_judge
from judge.services.play.clock import extend, start
from judge.services.play.outcomes import Outcome
from judge.services.play.penalties import Sentence, give
from judge.services.play.results import enter
from judge.services.players.erasure import erase_player
from judge.services.players.players import add_players, admit, drop_player, remove_player
from judge.services.players.registration import register
from judge.storage.boxes import HeroBox
from judge.storage.tables import AuditRow, Match, Player, Round, Staff
from tests.builders import DESK, NOW, make_event, make_players, make_round, make_staff


def newest(session, what):
    query = select(AuditRow.id).where(AuditRow.what == what).order_by(AuditRow.id.desc())
    return session.exec(query).first()


def undo_newest(session, event, what, role="organiser"):
    take_back(session, event, DESK, role, newest(session, what))


def refusal(session, event, what, role="organiser"):
    with pytest.raises(Refused) as refused:
        undo_newest(session, event, what, role)
    return refused.value.reasons[0].key


def change_settings(session, event, **changes):
    settings = replace(settings_of(event), **changes)
    facts = EventFacts(event.name, event.day, event.edition, event.preset, settings)
    change_event(session, event, DESK, facts, fingerprint(event))


def play_round_1(session, event, *, results=True):
    round_ = pair_next(session, event, DESK, 1).result
    publish(session, event, DESK, 1, round_.version, NOW)
    matches = session.exec(select(Match).where(Match.round_id == round_.id).order_by(Match.id)).all()
    for match in matches if results else ():
        if match.b_id:
            enter(session, event, DESK, match.id, Outcome("a", None, 20, 0))
    return round_, matches


def test_settings_that_decide_who_wins_stay_once_round_1_is_published(database):
    with database.transaction() as session:
        event = make_event(session, settings={"registration": {"mode": "open"}})
        make_players(session, event, 4)
        change_settings(session, event, best_of=3)
        decides = newest(session, "event.changed")
        play_round_1(session, event, results=False)
        registration = replace(settings_of(event).registration, capacity=8)
        change_settings(session, event, registration=registration)
        undo_newest(session, event, "event.changed")
        assert settings_of(event).registration.capacity is None

        with pytest.raises(Refused, match="settings_locked"):
            take_back(session, event, DESK, "organiser", decides)


def test_a_swap_is_not_taken_back_under_a_round_that_everybody_sees(database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 4)
        round_ = pair_next(session, event, DESK, 1).result
        first, second = session.exec(select(Match).order_by(Match.id)).all()
        swap(session, event, DESK, 1, round_.version, first.a_id, second.a_id)
        publish(session, event, DESK, 1, round_.version, NOW)

        assert refusal(session, event, "round.swapped") == "undo_round_is_public"


def test_a_result_stays_where_a_later_round_rests_on_it(database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 4)
        play_round_1(session, event)
        undo_newest(session, event, "result.entered")
        undo_newest(session, event, "undone")  # the result is back
        pair_next(session, event, DESK, 2)

        assert refusal(session, event, "undone") == "result_has_later_round"
        assert refusal(session, event, "round.published") == "round_has_later"


def test_a_discarded_draft_does_not_come_back_beside_another(database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 4)
        round_ = pair_next(session, event, DESK, 1).result
        discard(session, event, DESK, 1, round_.version)
        pair_next(session, event, DESK, 1)

        # SQLite gives the numbers of rows that are gone to new ones, PostgreSQL does not
        assert refusal(session, event, "round.discarded") in ("still_needed", "changed_since")


def test_a_round_comes_back_to_the_public_only_if_it_can_be_played(database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 4)
        round_, _ = play_round_1(session, event, results=False)
        unpublish(session, event, DESK, 1, round_.version)
        session.exec(select(Player)).first().state = "dropped"
        session.flush()

        assert refusal(session, event, "round.unpublished") == "fault_not_in_event"


def test_who_is_paired_does_not_go_back_to_the_waiting_list(database):
    with database.transaction() as session:
        event = make_event(session, settings={"registration": {"mode": "approval"}})
        make_players(session, event, 3, state="registered")
        dov = register(session, event, PlayerFacts("Dov"), NOW).result
        admit(session, event, DESK, dov.id, dov.version)
        play_round_1(session, event, results=False)

        assert refusal(session, event, "player.admitted") == "undo_player_is_paired"


def test_an_entry_with_a_penalty_on_it_says_that_it_is_still_needed(database):
    with database.transaction() as session:
        event = make_event(session)
        (ana,) = add_players(session, event, DESK, [PlayerFacts("Ana")], NOW).result.players
        give(session, event, DESK, Sentence(ana.id, "late", "warning"), NOW, "late")

        assert refusal(session, event, "players.added") == "still_needed"


def test_somebody_at_a_pod_is_not_taken_off_the_list_and_the_log_does_not_offer_it(database):
    with database.transaction() as session:
        event = make_event(session)
        ana, ben = make_players(session, event, 2)
        (cleo,) = add_players(session, event, DESK, [PlayerFacts("Cleo")], NOW).result.players
        make_round(session, event, [(ana, ben)])
        session.exec(select(Match)).one().more = [cleo.id]
        session.flush()
        (line,) = read_log(session, event, Filters(), "en").lines

        assert not line.can_undo
        assert refusal(session, event, "players.added") == "still_needed"


def test_a_judge_does_not_take_back_what_the_organiser_said_about_the_staff(database):
    with database.transaction() as session:
        event = make_event(session)
        for role in ("organiser", "judge"):
            make_staff(session, event, role)
        member = session.exec(select(Staff).where(Staff.role == "judge")).one()
        change_role(session, event, DESK, member.id, "scorekeeper")

        assert refusal(session, event, "staff.role", role="judge") == "undo_not_yours"
        undo_newest(session, event, "staff.role")
        assert refusal(session, event, "undone", role="judge") == "undo_not_yours"


def test_the_last_organiser_is_not_taken_away_by_an_undo(database):
    with database.transaction() as session:
        event = make_event(session)
        for role in ("organiser", "judge"):
            make_staff(session, event, role)
        first, second = session.exec(select(Staff).order_by(Staff.id)).all()
        change_role(session, event, DESK, second.id, "organiser")
        promoted = newest(session, "staff.role")
        change_role(session, event, DESK, first.id, "judge")

        with pytest.raises(Refused, match="last_organiser"):
            take_back(session, event, DESK, "organiser", promoted)


def test_an_event_is_not_finished_by_an_undo_while_a_result_is_missing(database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 4)
        play_round_1(session, event)
        finish(session, event, DESK)
        reopen(session, event, DESK)
        undo_newest(session, event, "result.entered")

        assert refusal(session, event, "event.reopened") == "undo_not_finished"


@pytest.mark.parametrize("what", ["player.erased", "staff.invited"])
def test_what_cannot_be_taken_back_says_what_to_do_instead(database, what):
    with database.transaction() as session:
        event = make_event(session)
        (ana,) = make_players(session, event, 1)
        invite_staff(session, event, DESK, "judge", "Ben", NOW)
        erase_player(session, event, DESK, ana.id, ana.version)

        assert refusal(session, event, what).startswith("undo_")


def test_an_entry_that_is_not_there_is_missing_and_one_taken_back_stays_so(database):
    with database.transaction() as session:
        event = make_event(session)
        add_players(session, event, DESK, [PlayerFacts("Ana")], NOW)
        entry = newest(session, "players.added")
        take_back(session, event, DESK, "judge", entry)

        with pytest.raises(Conflict, match="already_undone"):
            take_back(session, event, DESK, "judge", entry)
        with pytest.raises(Missing):
            take_back(session, event, DESK, "judge", 4711)


def test_an_evening_is_taken_back_entry_by_entry_to_the_beginning(database):
    with database.transaction() as session:
        event = make_event(session)
        players = add_players(
            session, event, DESK, [PlayerFacts(n) for n in ("Ana", "Ben", "Cleo")], NOW
        ).result
        gone = players.players[2]
        drop_player(session, event, DESK, gone.id, gone.version, "train")
        round_, matches = play_round_1(session, event, results=False)
        start(session, event, round_, DESK, NOW)
        extend(session, event, matches[0], DESK, 3)
        enter(session, event, DESK, matches[0].id, Outcome("a", None, 20, 0))
        finish(session, event, DESK)
        entries = session.exec(select(AuditRow.id).order_by(AuditRow.id.desc())).all()
        for entry in entries:
            take_back(session, event, DESK, "organiser", entry)

        assert len(entries) == 8
        assert [session.exec(select(table)).all() for table in (Player, Round, Match)] == [[], [], []]
        assert event.state == "setup"


def test_a_removed_player_comes_back(database):
    with database.transaction() as session:
        event = make_event(session)
        (ana,) = add_players(session, event, DESK, [PlayerFacts("Ana", club="Lyon")], NOW).result.players
        remove_player(session, event, DESK, ana.id, ana.version)
        undo_newest(session, event, "player.removed")

        assert session.exec(select(Player.name, Player.club)).one() == ("Ana", "Lyon")


def test_what_referred_to_a_deleted_row_refers_to_it_again(database):
    """A call from a round that went back to a draft and was paired again; a box of a removed player."""
    with database.transaction() as session:
        event = make_event(session)
        players = make_players(session, event, 5)
        round_, (first, *_) = play_round_1(session, event, results=False)
        call = call_judge(session, event, first.id, "Ana", "dice", NOW).result
        unpublish(session, event, DESK, 1, round_.version)
        pair_again(session, event, DESK, 1, round_.version)
        session.refresh(call)
        assert call.match_id is None
        undo_newest(session, event, "round.paired-again")
        session.refresh(call)
        assert call.match_id == first.id

        discard(session, event, DESK, 1, round_.version)
        undo_newest(session, event, "round.discarded")
        session.refresh(call)
        assert call.match_id == first.id
        undo_newest(session, event, "undone")
        add_boxes(session, event, DESK, "monk", 1, "", players[4].id)
        remove_player(session, event, DESK, players[4].id, players[4].version)
        box = session.exec(select(HeroBox)).one()
        assert box.player_id is None
        undo_newest(session, event, "player.removed")
        session.refresh(box)
        assert box.player_id is not None

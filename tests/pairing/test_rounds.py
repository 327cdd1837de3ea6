"""A round's life on both databases: paired, swapped, published, taken back; two at once make one round."""

import threading

import pytest
from sqlmodel import select

from judge.core.errors import Conflict, Refused
from judge.services.event.event_rows import read_rows
from judge.services.event.tournament_of import tournament_of
from judge.services.log.changes import undo
from judge.services.pairing.last_minute import seat_late
from judge.services.pairing.reasons import say_stored
from judge.services.pairing.round_page import round_page
from judge.services.pairing.rounds import (
    discard,
    finish,
    pair_again,
    pair_next,
    plan_next,
    planned_rounds,
    publish,
    reopen,
    start_stage,
    unpublish,
)
from judge.services.pairing.swaps import preview_swap, swap
from judge.services.pairing.table_numbers import set_table
from judge.services.play.outcomes import Outcome
from judge.services.play.results import correct, enter
from judge.storage.database import Database
from judge.storage.tables import AuditRow, Event, Match, Round
from judge.tournament.formats import play_bracket
from judge.tournament.ranking import rank
from tests.builders import DESK, NOW, make_event, make_players, make_round


def play(session, event, number, result="a"):
    """Publish a round and let side a win everywhere."""
    round_ = session.exec(select(Round).where(Round.event_id == event.id, Round.number == number)).one()
    publish(session, event, DESK, number, round_.version, NOW)
    health = (20, 0) if result == "a" else (0, 20)
    for match in session.exec(select(Match).where(Match.round_id == round_.id)).all():
        if match.b_id:
            enter(session, event, DESK, match.id, Outcome(result, None, *health))


def pairs(session, round_):
    return [(m.a_id, m.b_id) for m in session.exec(select(Match).where(Match.round_id == round_.id)).all()]


def test_a_paired_round_is_a_draft_with_reasons_and_its_price(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 5)
        round_ = pair_next(session, event, DESK, 1).result

        rows = read_rows(session, event)
        tables = rows.matches[round_.id]
        assert (round_.state, len(tables)) == ("draft", 3)
        assert round_.report["cost"] == {"rematches": 0, "repeat_byes": 0, "score_gap": 0, "floats": 0}
        assert round_.report["faults"] == []
        (said,) = say_stored(tables[0].why, lambda p: rows.players[p].name, "fr")
        assert said.startswith("Première ronde")
        assert tables[-1].result == "bye"


def test_reasons_speak_of_players_by_their_name_of_today(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        players = make_players(session, event, 5)
        round_ = pair_next(session, event, DESK, 1).result
        bye = read_rows(session, event).matches[round_.id][-1].a_id
        next(p for p in players if p.id == bye).name = "Somebody Else"

        rows = read_rows(session, event)
        (said, *_) = say_stored(round_.report["bye_why"], lambda p: rows.players[p].name, "en")
        assert "Somebody Else" in said


def test_namesakes_are_told_apart_in_a_draft(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        for player in make_players(session, event, 2):
            player.name = "Ana"
        round_ = pair_next(session, event, DESK, 1).result
        (table,) = round_page(read_rows(session, event), round_, "en").tables

        assert {table.a, table.b} == {"Ana", "Ana (2)"}


def test_two_people_pairing_at_once_make_one_round(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 8)
        event_id = event.id
    made, start = [], threading.Barrier(4)

    def click():
        start.wait()
        with database.transaction() as session:
            made.append(pair_next(session, session.get(Event, event_id), DESK, 1).result.id)

    threads = [threading.Thread(target=click) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]

    with database.session() as session:
        assert len(session.exec(select(Round)).all()) == 1
        assert len(session.exec(select(Match)).all()) == 4
    assert len(made) == 4
    assert len(set(made)) == 1, "the second gets the first's round"


def test_a_plan_is_taken_as_it_is_and_thrown_away_if_the_event_has_changed_since(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 4)
        plan, stale = (plan_next(session, event, 1, seed=n) for n in (7, 8))
        first = pair_next(session, event, DESK, 1, plan=plan).result
        assert first.seed == 7
        discard(session, event, DESK, 1, first.version)
        assert pair_next(session, event, DESK, 1, plan=stale).result.seed == 0, "paired anew"


def test_missing_results_block_the_next_round_unless_postponed(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 4)
        first = pair_next(session, event, DESK, 1).result
        publish(session, event, DESK, 1, first.version, NOW)
        with pytest.raises(Refused) as refused:
            pair_next(session, event, DESK, 2)
        assert refused.value.reasons[0].params == {"n": 2, "tables": [1, 2]}

        second = pair_next(session, event, DESK, 2, despite_missing=True).result
        met = {frozenset(pair) for pair in pairs(session, first)}
        assert not met & {frozenset(pair) for pair in pairs(session, second)}, "postponed is not unplayed"


def test_a_swap_shows_its_price_first_and_then_is_done(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 4)
        pair_next(session, event, DESK, 1)
        play(session, event, 1)
        second = pair_next(session, event, DESK, 2).result
        first = [frozenset(p) for p in pairs(session, read_rows(session, event).rounds[0])]
        (a, b), (c, d) = pairs(session, second)
        partner = next(x for x in (c, d) if frozenset((a, x)) in first)

        shown = preview_swap(session, event, 2, second.version, b, partner)
        assert shown.after["rematches"] == 2
        assert "hand_rematch" in [m["key"] for m in shown.remarks]
        assert [m["key"] for m in shown.faults] == ["fault_avoidable"]
        assert pairs(session, second) == [(a, b), (c, d)], "nothing is done yet"

        swap(session, event, DESK, 2, second.version, b, partner)
        assert {a, partner} in [set(p) for p in pairs(session, second)]
        assert second.report["cost"]["rematches"] == 2
        assert second.report["faults"], "the checker's word stays with the draft"


def test_a_player_can_change_places_with_the_bye(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 5)
        round_ = pair_next(session, event, DESK, 1).result
        tables = read_rows(session, event).matches[round_.id]
        bye, other = tables[-1].a_id, tables[0].a_id

        swap(session, event, DESK, 1, round_.version, bye, other)
        assert (tables[-1].a_id, tables[-1].result, tables[0].a_id) == (other, "bye", bye)


def test_a_fixed_table_follows_its_player_through_a_swap(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        ana, *_ = make_players(session, event, 6)
        ana.fixed_table = 3
        round_ = pair_next(session, event, DESK, 1).result
        tables = read_rows(session, event).matches[round_.id]
        assert ana.id in (tables[2].a_id, tables[2].b_id)

        swap(session, event, DESK, 1, round_.version, ana.id, tables[0].a_id)
        (seat,) = [m for m in tables if ana.id in (m.a_id, m.b_id)]
        assert seat.table_no == 3


def test_only_a_published_round_counts_and_it_goes_back_while_unplayed(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 4)
        round_ = pair_next(session, event, DESK, 1).result
        assert tournament_of(read_rows(session, event)).rounds == ()

        publish(session, event, DESK, 1, round_.version, NOW)
        assert (round_.state, event.state) == ("published", "running")
        assert publish(session, event, DESK, 1, 0, NOW).result is round_, "published twice is published"

        unpublish(session, event, DESK, 1, round_.version)
        assert (round_.state, event.state) == ("draft", "setup")
        discard(session, event, DESK, 1, round_.version)
        assert session.exec(select(Match)).all() == []


def test_a_round_in_which_somebody_played_stays(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 4)
        round_ = pair_next(session, event, DESK, 1).result
        publish(session, event, DESK, 1, round_.version, NOW)
        match = read_rows(session, event).matches[round_.id][0]
        enter(session, event, DESK, match.id, Outcome("a", None, 12, 0))

        with pytest.raises(Refused) as refused:
            unpublish(session, event, DESK, 1, round_.version)
        assert refused.value.reasons[0].key == "round_was_played"


def test_who_has_gone_since_the_draft_is_not_published(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        ana, *_ = make_players(session, event, 4)
        round_ = pair_next(session, event, DESK, 1).result
        ana.state, ana.last_round = "dropped", 0

        with pytest.raises(Refused) as refused:
            publish(session, event, DESK, 1, round_.version, NOW)
        assert [(r.key, r.params) for r in refused.value.reasons] == [("fault_not_in_event", {"name": "Ana"})]


def test_a_form_that_saw_another_draft_is_refused(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 4)
        round_ = pair_next(session, event, DESK, 1).result
        seen = round_.version
        pair_again(session, event, DESK, 1, seen)
        assert round_.seed == 1

        with pytest.raises(Conflict) as refused:
            discard(session, event, DESK, 1, seen)
        assert refused.value.reasons[0].key == "round_is_draft_now"


def test_a_discarded_draft_comes_back_by_undo(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 5)
        round_ = pair_next(session, event, DESK, 1).result
        before = sorted(pairs(session, round_), key=str)
        discard(session, event, DESK, 1, round_.version)
        entry = session.exec(select(AuditRow).where(AuditRow.what == "round.discarded")).one()

        undo(session, event, entry.id, DESK)
        (again,) = session.exec(select(Round)).all()
        assert sorted(pairs(session, again), key=str) == before


def test_a_whole_swiss_event_with_its_cut(database: Database):
    with database.transaction() as session:
        event = make_event(session, settings={"format": {"kind": "swiss", "rounds": 3}, "cut": 4})
        make_players(session, event, 9)
        for number in (1, 2, 3):
            pair_next(session, event, DESK, number)
            play(session, event, number)
        rows = read_rows(session, event)
        assert planned_rounds(rows) == 3
        best = [int(s.player) for s in rank(tournament_of(rows))[:4]]

        semi = start_stage(session, event, DESK, 4).result
        assert start_stage(session, event, DESK, 4).result is semi, "clicked twice it is one cut"
        assert (semi.stage, semi.number, semi.report["seeds"]) == (2, 4, best)
        assert {frozenset(p) for p in pairs(session, semi)} == {
            frozenset((best[0], best[3])),
            frozenset((best[1], best[2])),
        }
        play(session, event, 4)
        pair_next(session, event, DESK, 5)
        play(session, event, 5)
        cut = tournament_of(read_rows(session, event), 2)
        assert [s.rank for s in rank(cut)] == [1, 2, 3, 3]
        with pytest.raises(Refused) as refused:
            pair_next(session, event, DESK, 6)
        assert refused.value.reasons[0].key == "tournament_finished"


@pytest.mark.parametrize("players", [8, 6])
def test_a_double_elimination_runs_to_its_champion(database: Database, players):
    with database.transaction() as session:
        event = make_event(session, preset="double-elimination")
        make_players(session, event, players)
        number, champion = 0, None
        while champion is None:
            number += 1
            pair_next(session, event, DESK, number)
            play(session, event, number, "b" if number == 1 else "a")
            champion = play_bracket(tournament_of(read_rows(session, event))).champion()

        rows = read_rows(session, event)
        assert {m.slot for m in rows.matches[rows.rounds[0].id] if m.b_id} >= {"W1.2"}
        ranks = [s.rank for s in rank(tournament_of(rows))]
        assert ranks[:4] == [1, 2, 3, 4]


def test_a_round_robin_plays_everybody_once(database: Database):
    with database.transaction() as session:
        event = make_event(session, preset="round-robin")
        make_players(session, event, 5)
        assert planned_rounds(read_rows(session, event)) == 5
        for number in range(1, 6):
            pair_next(session, event, DESK, number)
            play(session, event, number)

        rows = read_rows(session, event)
        met = [frozenset((m.a_id, m.b_id)) for _, m in rows.all_matches() if m.b_id]
        assert len(met) == len(set(met)) == 10


def test_a_bracket_result_is_not_corrected_from_under_the_matches_that_followed(database: Database):
    with database.transaction() as session:
        event = make_event(session, preset="single-elimination")
        make_players(session, event, 4)
        for number in (1, 2):
            pair_next(session, event, DESK, number)
            play(session, event, number)
        semi = read_rows(session, event).matches[read_rows(session, event).rounds[0].id][0]

        correct(session, event, DESK, semi.id, semi.version, Outcome("a", None, 7, 0), "health misread")
        with pytest.raises(Refused) as refused:
            correct(session, event, DESK, semi.id, semi.version, Outcome("b", None, 0, 7), "wrong winner")
        assert refused.value.reasons[0].key == "correction_breaks_bracket"


def test_the_settings_decide_about_third_place_and_the_grand_final(database: Database):
    with database.transaction() as session:
        event = make_event(session, preset="single-elimination", settings={"third_place": True})
        make_players(session, event, 4)
        for number in (1, 2):
            pair_next(session, event, DESK, number)
            play(session, event, number)
        rows = read_rows(session, event)
        assert {m.slot for m in rows.matches[rows.rounds[1].id]} == {"W2.1", "T.1"}
        assert [s.rank for s in rank(tournament_of(rows))] == [1, 2, 3, 4]

        other = make_event(
            session, slug="other", preset="double-elimination", settings={"grand_final": "single"}
        )
        assert tournament_of(read_rows(session, other)).format.grand_final == "single"


def tables(session, round_):
    matches = session.exec(select(Match).where(Match.round_id == round_.id).order_by(Match.id)).all()
    return {m.id: m.table_no for m in matches if m.b_id}


def test_a_match_gets_another_table_and_no_two_sit_at_one(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 6)
        round_ = pair_next(session, event, DESK, 1).result
        first, second, third = tables(session, round_)

        assert set_table(session, event, DESK, 1, round_.version, first, 12).result is None
        assert set_table(session, event, DESK, 1, round_.version, second, 12).result == 2
        assert tables(session, round_) == {first: 2, second: 12, third: 3}
        for table in (0, 10_000):
            with pytest.raises(Refused, match="table_out_of_range"):
                set_table(session, event, DESK, 1, round_.version, first, table)
        publish(session, event, DESK, 1, round_.version, NOW)
        with pytest.raises(Refused, match="change_needs_reason"):
            set_table(session, event, DESK, 1, round_.version, first, 7)


def test_a_form_that_saw_other_tables_is_refused(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 4)
        round_ = pair_next(session, event, DESK, 1).result
        seen, (first, second) = round_.version, tables(session, round_)
        set_table(session, event, DESK, 1, seen, first, 9)

        with pytest.raises(Conflict):
            set_table(session, event, DESK, 1, seen, second, 9)


def test_the_draft_says_who_is_not_at_the_table_kept_for_them(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        ana, *_ = make_players(session, event, 4)
        ana.fixed_table = 2
        round_ = pair_next(session, event, DESK, 1).result
        (kept,) = [n for n, table in tables(session, round_).items() if table == 2]
        assert round_page(read_rows(session, event), round_, "en").notes == []
        set_table(session, event, DESK, 1, round_.version, kept, 1)

        notes = round_page(read_rows(session, event), round_, "en").notes
        assert notes == ["Ana should sit at table 2 but is at table 1."]


@pytest.mark.parametrize("kind", ["single-elimination", "double-elimination"])
def test_in_the_first_round_of_a_bracket_two_change_seeds(database: Database, kind):
    with database.transaction() as session:
        event = make_event(session, settings={"format": {"kind": kind}})
        players = make_players(session, event, 6)
        for n, player in enumerate(players, start=1):
            player.seed = n
        round_ = pair_next(session, event, DESK, 1).result
        top, last = players[0], players[5]  # the top seed has the bye
        (remark,) = preview_swap(session, event, 1, round_.version, top.id, last.id).remarks
        assert (remark["params"]["to_a"], remark["params"]["to_b"]) == (6, 1)
        swap(session, event, DESK, 1, round_.version, top.id, last.id)
        byes = [m.a_id for m in session.exec(select(Match)).all() if m.b_id is None]
        shown = round_page(read_rows(session, event), round_, "en")

        assert sorted(byes) == [players[1].id, last.id]
        assert (shown.is_by_hand, last.name in shown.bye_why[0]) == (True, True)
        number = 1
        while number:  # the bracket is played to its end from the seeds as they are now
            play(session, event, number)
            try:
                number = pair_next(session, event, DESK, number + 1).result.number
            except Refused:
                number = 0
        assert play_bracket(tournament_of(read_rows(session, event))).champion()


def test_later_rounds_of_a_bracket_and_a_round_robin_are_not_swapped_and_say_why(database: Database):
    with database.transaction() as session:
        for n, (kind, rounds) in enumerate([("single-elimination", 2), ("round-robin", 1)]):
            event = make_event(session, slug=f"event-{n}", settings={"format": {"kind": kind}})
            make_players(session, event, 4)
            for number in range(1, rounds + 1):
                round_ = pair_next(session, event, DESK, number).result
                if number < rounds:
                    play(session, event, number)
            (a, b), *_ = pairs(session, round_)

            with pytest.raises(Refused, match="swap_in_"):
                swap(session, event, DESK, rounds, round_.version, a, b)
            assert round_page(read_rows(session, event), round_, "en").why_no_swap


def test_a_refusal_of_the_engine_names_players(database: Database):
    """A form from before the last result asks for another round of a bracket that is decided."""
    with database.transaction() as session:
        event = make_event(session, settings={"format": {"kind": "single-elimination"}})
        ana, ben = make_players(session, event, 2)
        make_round(session, event, [(ana, ben)])
        session.exec(select(Match)).one().result = "a"
        with pytest.raises(Refused) as refused:
            pair_next(session, event, DESK, 2)

        assert ana.name in str(refused.value.reasons[0].params)
        assert "⟦" not in str(refused.value.reasons[0].params)


def test_a_finished_event_goes_on_only_after_it_was_reopened(database: Database):
    """A window from before somebody finished the event still offers the next round."""
    with database.transaction() as session:
        event = make_event(session, settings={"format": {"kind": "swiss", "rounds": 3}})
        make_round(session, event, [tuple(make_players(session, event, 2))])
        session.exec(select(Match)).one().result = "a"
        make_players(session, event, 2, state="present")
        finish(session, event, DESK)
        for go_on in (pair_next, start_stage):
            with pytest.raises(Refused, match="event_is_finished"):
                go_on(session, event, DESK, 2)

        with pytest.raises(Refused, match="event_is_finished"):
            seat_late(session, event, DESK, 1, session.exec(select(Round)).one().version, 3)

        reopen(session, event, DESK)
        assert pair_next(session, event, DESK, 2).result.number == 2
        early = make_event(session, slug="early")
        finish(session, early, DESK)
        reopen(session, early, DESK)
        assert early.state == "setup", "nothing has begun"

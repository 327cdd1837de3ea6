"""A group stage at the desk, on both databases: dealt, played, corrected, cut into a bracket, as a file."""

import json

import pytest
from sqlmodel import select

from judge.core.errors import Refused
from judge.schemas.tournament.event_settings import settings_of_preset
from judge.schemas.tournament.presets import presets
from judge.services.event.event_rows import read_rows
from judge.services.event.files import export_file
from judge.services.event.importing import import_file
from judge.services.event.tournament_files import standings_file, standings_json
from judge.services.event.tournament_of import groups_in, tournament_of
from judge.services.log.changes import undo
from judge.services.pairing.cuts import how_many_go_on, qualified
from judge.services.pairing.reasons import say_stored
from judge.services.pairing.rounds import pair_again, pair_next, planned_rounds, publish, start_stage
from judge.services.pairing.swaps import preview_swap, swap
from judge.services.play.corrections import consequences
from judge.services.play.outcomes import Outcome
from judge.services.play.results import enter
from judge.storage.database import Database
from judge.storage.tables import AuditRow, Match, Player, Round
from judge.tournament.ranking import rank
from tests.builders import DESK, NOW, make_event, make_players, make_staff


def group_event(session, count, preset="groups-and-bracket", **settings):
    given = {**settings_of_preset(presets()[preset]).as_row(), **settings}
    event = make_event(session, preset=preset, settings=given)
    return event, make_players(session, event, count)


def play(session, event, number):
    """Pair and publish a round; the player of the lower number wins everywhere."""
    round_ = pair_next(session, event, DESK, number).result
    publish(session, event, DESK, number, round_.version, NOW)
    for match in session.exec(select(Match).where(Match.round_id == round_.id)).all():
        if match.b_id:
            result = "a" if match.a_id < match.b_id else "b"
            enter(
                session, event, DESK, match.id, Outcome(result, None, *((9, 0) if result == "a" else (0, 9)))
            )
    return round_


def test_a_group_stage_is_dealt_and_says_why(database: Database):
    with database.transaction() as session:
        event, _ = group_event(session, 8)
        round_ = pair_next(session, event, DESK, 1).result

        rows = read_rows(session, event)
        known = groups_in(rows, 1)
        assert sorted(known.values()) == [1] * 4 + [2] * 4
        assert all(known[m.a_id] == known[m.b_id] for m in rows.matches[round_.id])
        (said,) = say_stored(rows.matches[round_.id][0].why, lambda p: rows.players[p].name, "fr")
        assert said == "Poule A, ronde 1 sur 3 : chacun y rencontre chacun une fois."
        assert planned_rounds(rows) == 3
        pair_again(session, event, DESK, 1, round_.version)
        assert groups_in(read_rows(session, event), 1) != known, "other lots deal other groups"


def test_two_change_groups_with_their_seats_in_round_1_only(database: Database):
    with database.transaction() as session:
        event, _ = group_event(session, 8)
        round_ = pair_next(session, event, DESK, 1).result
        known = groups_in(read_rows(session, event), 1)
        one = min(p for p in known if known[p] == 1)
        other = min(p for p in known if known[p] == 2)

        shown = preview_swap(session, event, 1, round_.version, one, other)
        assert shown.faults == []
        assert groups_in(read_rows(session, event), 1) == known, "a look changes nothing"
        swap(session, event, DESK, 1, round_.version, one, other)
        now = groups_in(read_rows(session, event), 1)
        assert (now[one], now[other]) == (2, 1)
        publish(session, event, DESK, 1, round_.version, NOW)

        for match in session.exec(select(Match).where(Match.round_id == round_.id)).all():
            enter(session, event, DESK, match.id, Outcome("a", None, 9, 0))
        second = pair_next(session, event, DESK, 2).result
        with pytest.raises(Refused) as refused:
            swap(session, event, DESK, 2, second.version, one, other)
        assert refused.value.reasons[0].key == "swap_across_groups"


def test_the_first_of_each_group_go_on_and_no_earlier(database: Database):
    with database.transaction() as session:
        event, _ = group_event(session, 8)
        for number in (1, 2, 3):
            play(session, event, number)
        with pytest.raises(Refused):
            pair_next(session, event, DESK, 4)

        rows = read_rows(session, event)
        known = groups_in(rows, 1)
        best = {group: sorted(p for p in known if known[p] == group)[:2] for group in (1, 2)}
        assert how_many_go_on(rows) == 4
        seeds, notes = qualified(rows)
        assert set(seeds[:2]) == {best[1][0], best[2][0]}, "winners before seconds"
        assert set(seeds) == {*best[1], *best[2]}
        assert notes == []

        cut = start_stage(session, event, DESK, 4).result
        assert (cut.stage, cut.report["seeds"]) == (2, seeds)


def test_winners_alone_go_on_from_a_lockout_and_a_tie_is_said(database: Database):
    with database.transaction() as session:
        event, _ = group_event(session, 8, "dice-throne-lockout", tiebreakers=[])
        for number in (1, 2, 3):
            round_ = pair_next(session, event, DESK, number).result
            publish(session, event, DESK, number, round_.version, NOW)
            for match in session.exec(select(Match).where(Match.round_id == round_.id)).all():
                enter(session, event, DESK, match.id, Outcome("draw"))

        rows = read_rows(session, event)
        seeds, notes = qualified(rows)
        assert len(seeds) == how_many_go_on(rows) == 2
        assert [note.key for note in notes] == ["cut_level", "cut_level"]


def test_a_late_entry_and_a_drop_leave_the_groups_as_they_are(database: Database):
    with database.transaction() as session:
        event, players = group_event(session, 7)
        play(session, event, 1)
        known = groups_in(read_rows(session, event), 1)
        late = Player(event_id=event.id, name="Late", state="present", first_round=2, created_at=NOW)
        session.add(late)
        players[0].state, players[0].last_round = "dropped", 1
        session.flush()
        play(session, event, 2)

        now = groups_in(read_rows(session, event), 1)
        assert {p: now[p] for p in known} == known
        sizes = [list(known.values()).count(n) for n in (1, 2)]
        assert now[late.id] == 1 + sizes.index(min(sizes))
        assert tournament_of(read_rows(session, event)).late == {str(late.id): 2}


def test_the_file_gives_the_desks_standings_and_comes_back_the_same(database: Database):
    with database.transaction() as session:
        event, _ = group_event(session, 9)
        for number in (1, 2):
            play(session, event, number)
        text = export_file(session, event, "json")
        t = tournament_of(read_rows(session, event))
        of_desk = standings_json(t, rank(t))

        data = json.loads(text)
        assert {p["group"] for p in data["players"]} == {1, 2, 3}
        assert standings_file(data) == of_desk

        again = import_file(session, make_staff(session, None, "organiser"), text.encode(), NOW).result
        known = groups_in(read_rows(session, again), 1)
        assert sorted(known.values()) == sorted(p["group"] for p in data["players"])
        other = standings_file(json.loads(export_file(session, again, "json")))
        assert [{**line, "player": ""} for line in other] == [{**line, "player": ""} for line in of_desk]
        assert pair_next(session, again, DESK, 3).result.state == "draft"


def test_a_correction_in_a_group_shows_what_moves_and_can_be_taken_back(database: Database):
    with database.transaction() as session:
        event, _ = group_event(session, 8)
        play(session, event, 1)
        first = read_rows(session, event).matches[session.exec(select(Round.id)).first()][0]

        found = consequences(session, event, first.id, Outcome("draw", None, 5, 5))

        assert {m.points[1] for m in found.moved} >= {"1"}
        entered = session.get(Match, first.id)
        entry = enter(
            session, event, DESK, first.id, Outcome(entered.result, None, entered.health_a, entered.health_b)
        )
        assert entry.entry is None, "exactly this stands there already"


def test_a_paired_round_of_groups_can_be_taken_back(database: Database):
    with database.transaction() as session:
        event, _ = group_event(session, 8)
        play(session, event, 1)
        known = groups_in(read_rows(session, event), 1)
        round_ = pair_next(session, event, DESK, 2).result

        entry = session.exec(select(AuditRow).where(AuditRow.what == "round.paired")).all()[-1]
        undo(session, event, entry.id, DESK)

        assert session.get(Round, round_.id) is None
        assert groups_in(read_rows(session, event), 1) == known

"""Pods at the desk, on both databases: paired, entered, corrected, reported, taken back, as a file."""

import json

import pytest
from sqlmodel import select

from judge.core.errors import Conflict, InputError, Refused
from judge.schemas.tournament.event_settings import settings_of_preset
from judge.schemas.tournament.presets import presets
from judge.services.event.event_rows import read_rows
from judge.services.event.files import export_file, export_list
from judge.services.event.importing import import_file
from judge.services.event.stage_format import kind_of
from judge.services.event.tournament_files import standings_file, standings_json
from judge.services.event.tournament_of import tournament_of
from judge.services.log.changes import Actor, undo
from judge.services.log.entries import read_log
from judge.services.log.search import Filters
from judge.services.pairing.reasons import say_stored
from judge.services.pairing.rounds import pair_next, publish, start_stage
from judge.services.pairing.swaps import preview_swap, swap
from judge.services.play.corrections import consequences
from judge.services.play.entry_line import pod_outcome, read_pod_line
from judge.services.play.outcomes import Outcome, outcome_of, places_of, scores_of
from judge.services.play.reports import match_to_report, report
from judge.services.play.results import correct, enter, take_back_last
from judge.services.play.running_tables import find_table, tables_now
from judge.services.players.erasure import erase_player
from judge.services.players.players import drop_player, remove_player
from judge.storage.database import Database
from judge.storage.tables import AuditRow, Match
from judge.tournament.ranking import rank
from tests.builders import DESK, NOW, make_event, make_players, make_staff


def pod_event(session, count, preset="dice-forge-pods", **settings):
    given = {**settings_of_preset(presets()[preset]).as_row(), **settings}
    game = "dice-forge" if preset == "dice-forge-pods" else "dice-throne"
    event = make_event(session, preset=preset, settings=given, game=game)
    return event, make_players(session, event, count)


def pods(session, round_):
    found = session.exec(select(Match).where(Match.round_id == round_.id).order_by(Match.id)).all()
    return [match for match in found if match.b_id is not None]


def published(session, event, number):
    round_ = pair_next(session, event, DESK, number).result
    publish(session, event, DESK, number, round_.version, NOW)
    return round_


def scored(match):
    """Whoever has the lower number plays better."""
    return Outcome("pod", scores=tuple(200 - p for p in match.seats))


def play(session, event, number):
    round_ = published(session, event, number)
    for match in pods(session, round_):
        enter(session, event, DESK, match.id, scored(match))
    return round_


def test_a_round_of_pods_is_a_draft_with_reasons_everybody_seated_once(database: Database):
    with database.transaction() as session:
        event, players = pod_event(session, 10)
        round_ = pair_next(session, event, DESK, 1).result

        rows, tables = read_rows(session, event), pods(session, round_)
        assert sorted(len(m.seats) for m in tables) == [3, 3, 4]
        assert sorted(p for m in tables for p in m.seats) == sorted(p.id for p in players)
        assert round_.report["faults"] == []
        said = say_stored(tables[-1].why, lambda p: rows.players[p].name, "ru")
        assert said[0] == "Первый тур: по жребию."


def test_five_players_leave_one_with_a_bye(database: Database):
    with database.transaction() as session:
        event, _ = pod_event(session, 5)
        play(session, event, 1)

        table = rank(tournament_of(read_rows(session, event)))
        assert [str(line.points) for line in table] == ["4", "4", "2", "1", "0"]
        assert [line.byes for line in table].count(1) == 1


def test_scores_give_points_by_place_and_ties_are_averaged(database: Database):
    with database.transaction() as session:
        event, _ = pod_event(session, 4)
        (match,) = pods(session, published(session, event, 1))
        entered = enter(session, event, DESK, match.id, Outcome("pod", scores=(90, 110, 90, 70)))

        assert entered.result.key == "outcome_pod"
        points = {int(s.player): s.points for s in rank(tournament_of(read_rows(session, event)))}
        assert [points[p] for p in match.seats] == [1.5, 4, 1.5, 0]


def test_whoever_did_not_come_missed_the_round_and_the_others_share_their_places(database: Database):
    with database.transaction() as session:
        event, _ = pod_event(session, 4)
        (match,) = pods(session, published(session, event, 1))
        enter(session, event, DESK, match.id, Outcome("pod", scores=(90, None, 80, 70)))

        table = {int(s.player): s for s in rank(tournament_of(read_rows(session, event)))}
        assert [table[p].points for p in match.seats] == [4, 0, 2, 0]
        assert table[match.seats[1]].record == "0-1-0"
        data = json.loads(export_file(session, event, "json"))
        assert {"result": "missed"}.items() <= data["rounds"][0][1].items()


@pytest.mark.parametrize("scores", [(1, 2, 3), (1, 2, 3, 4, 5), (1, 2, 3, 99999), None])
def test_scores_that_do_not_fit_the_table_are_refused(database: Database, scores):
    with database.transaction() as session:
        event, _ = pod_event(session, 4)
        (match,) = pods(session, published(session, event, 1))
        with pytest.raises(Refused):
            enter(session, event, DESK, match.id, Outcome("pod", scores=scores))
        with pytest.raises(Refused):
            enter(session, event, DESK, match.id, Outcome("a", None, 20, 0))


def test_places_are_kept_as_places():
    assert places_of(scores_of([2, 1, 4, 3])) == [2, 1, 4, 3]
    assert places_of(scores_of([1, 1, 3, None])) == [1, 1, 3, None]
    assert scores_of([1, 3, 3, 4]) is None
    with pytest.raises(Refused):
        pod_outcome([1, 3, 3, 4], "places")


@pytest.mark.parametrize(
    ("typed", "table", "name", "values"),
    [
        ("3 112 98 87 75", 3, "", (112, 98, 87, 75)),
        ("t3 112,98,87,x", 3, "", (112, 98, 87, None)),
        ("ana maria -3 0 7 х", None, "ana maria", (-3, 0, 7, None)),
    ],
)
def test_a_line_for_a_pod_is_read(typed, table, name, values):
    line = read_pod_line(typed)

    assert (line.table, line.name, line.values) == (table, name, values)


@pytest.mark.parametrize("typed", ["3", "3 a 22 0", "3 1 2 3.5"])
def test_a_line_that_is_no_pods_is_refused(typed):
    with pytest.raises(Refused):
        read_pod_line(typed)


def test_the_first_to_enter_wins_and_a_correction_shows_what_follows(database: Database):
    with database.transaction() as session:
        event, _ = pod_event(session, 8)
        first = play(session, event, 1)
        published(session, event, 2)
        match = pods(session, first)[0]
        turned = Outcome("pod", scores=tuple(reversed(scored(match).scores)))
        with pytest.raises(Conflict):
            enter(session, event, DESK, match.id, turned)

        found = consequences(session, event, match.id, turned)
        assert len(found.moved) >= 2
        assert [r.round for r in found.rounds] == [2]
        assert {len(table) for table in found.rounds[0].pairs} == {4}

        correct(session, event, DESK, match.id, match.version, turned, "read upside down")
        assert outcome_of(session.get(Match, match.id)) == turned
        line = read_log(session, event, Filters(), "en").lines[0]
        players = read_rows(session, event).players
        assert all(players[p].name in line.says for p in match.seats)
        found = read_log(session, event, Filters(text=players[match.seats[3]].name), "en").lines
        assert line.id in [one.id for one in found], "found by whoever sits last"
        undo(session, event, line.id, DESK)
        assert outcome_of(session.get(Match, match.id)) == scored(match)


def test_an_entry_is_taken_back(database: Database):
    with database.transaction() as session:
        event, _ = pod_event(session, 4)
        account = make_staff(session, event, "scorekeeper")
        keeper = Actor(account.name, account.id)
        (match,) = pods(session, published(session, event, 1))
        enter(session, event, keeper, match.id, scored(match))
        take_back_last(session, event, keeper)

        assert (match.result, match.scores) == (None, None)


def test_two_of_a_table_report_the_same_and_it_is_settled(database: Database):
    with database.transaction() as session:
        event, players = pod_event(session, 4)
        (match,) = pods(session, published(session, event, 1))
        fourth = next(p for p in players if p.id == match.seats[3])

        assert match_to_report(session, fourth).id == match.id
        assert report(session, event, match.id, "d", scored(match), NOW).result == "waiting"
        other = Outcome("pod", scores=(1, 2, 3, 4))
        assert report(session, event, match.id, "b", other, NOW).result == "disputed"
        assert tables_now(session, event, NOW)[0].is_disputed
        assert report(session, event, match.id, "b", scored(match), NOW).result == "settled"
        assert outcome_of(match) == scored(match)


def test_a_table_is_found_by_anybody_at_it(database: Database):
    with database.transaction() as session:
        event, players = pod_event(session, 8)
        round_ = published(session, event, 1)
        last = pods(session, round_)[1].seats[3]
        name = next(p.name for p in players if p.id == last)

        table = find_table(tables_now(session, event, NOW), None, name.lower())
        assert table.id == pods(session, round_)[1].id
        assert len(table.names) == 4


def test_two_change_tables_in_a_draft_of_pods(database: Database):
    with database.transaction() as session:
        event, _ = pod_event(session, 8)
        play(session, event, 1)
        round_ = pair_next(session, event, DESK, 2).result
        one, other = (m.seats for m in pods(session, round_))

        shown = preview_swap(session, event, 2, round_.version, one[3], other[0])
        assert "rematches" in shown.after
        swap(session, event, DESK, 2, round_.version, one[3], other[0])
        now = [m.seats for m in pods(session, round_)]
        assert now == [(*one[:3], other[0]), (one[3], *other[1:])]
        publish(session, event, DESK, 2, round_.version, NOW)


def test_a_player_at_any_seat_is_neither_removed_nor_dropped_from_a_draft(database: Database):
    with database.transaction() as session:
        event, players = pod_event(session, 4)
        (match,) = pods(session, pair_next(session, event, DESK, 1).result)
        last = next(p for p in players if p.id == match.seats[3])
        with pytest.raises(Refused):
            drop_player(session, event, DESK, last.id, last.version)
        with pytest.raises(Refused):
            remove_player(session, event, DESK, last.id, last.version)

        erase_player(session, event, DESK, last.id, last.version)
        assert last.name.startswith("N. N.")
        assert last.id in session.get(Match, match.id).seats


def test_the_best_four_meet_at_a_final_table(database: Database):
    with database.transaction() as session:
        event, _ = pod_event(session, 8)
        for number in (1, 2, 3):
            play(session, event, number)
        best = [int(s.player) for s in rank(tournament_of(read_rows(session, event)))][:4]

        final = start_stage(session, event, DESK, 4).result
        (table,) = pods(session, final)
        assert (kind_of(event, 2).id, sorted(table.seats)) == ("pods", sorted(best))
        publish(session, event, DESK, 4, final.version, NOW)
        enter(session, event, DESK, table.id, scored(table))
        ranks = rank(tournament_of(read_rows(session, event), 2))
        assert int(ranks[0].player) == min(best)


@pytest.mark.parametrize("preset", ["dice-forge-pods", "king-of-the-hill"])
def test_the_file_gives_the_desks_standings_and_comes_back_the_same(database: Database, preset):
    with database.transaction() as session:
        event, _ = pod_event(session, 9, preset)
        play(session, event, 1)
        match = pods(session, published(session, event, 2))[0]
        enter(session, event, DESK, match.id, Outcome("pod", scores=(3, 2, None)))
        text = export_file(session, event, "json")
        t = tournament_of(read_rows(session, event))
        of_desk = standings_json(t, rank(t))

        data = json.loads(text)
        assert standings_file(data) == of_desk
        assert [len(m["players"]) for m in data["rounds"][1] if "players" in m] == [3, 3]

        again = import_file(session, make_staff(session, None, "organiser"), text.encode(), NOW).result
        assert again.settings["format"]["counts"] == event.settings["format"]["counts"]
        other = standings_file(json.loads(export_file(session, again, "json")))
        assert [{**line, "player": ""} for line in other] == [{**line, "player": ""} for line in of_desk]
        assert len(export_list(session, event, "results").splitlines()) > 9


def test_pairing_pods_is_logged_once_and_can_be_taken_back(database: Database):
    with database.transaction() as session:
        event, _ = pod_event(session, 8)
        pair_next(session, event, DESK, 1)
        pair_next(session, event, DESK, 1)
        (entry,) = session.exec(select(AuditRow).where(AuditRow.what == "round.paired")).all()
        undo(session, event, entry.id, DESK)

        assert session.exec(select(Match)).all() == []


def test_a_table_that_the_desk_cannot_seat_is_refused_on_import(database: Database):
    names = [f"P{n}" for n in range(7)]
    data = {
        "tournament": 1, "format": {"kind": "pods"}, "players": names,
        "place_points": {"7": [6, 5, 4, 3, 2, 1, 0]}, "rounds": [[{"scores": dict.fromkeys(names, 1)}]],
    }  # fmt: skip
    with database.transaction() as session, pytest.raises(InputError) as refused:
        import_file(session, make_staff(session, None, "organiser"), json.dumps(data).encode(), NOW)
    assert refused.value.problems[0].path == "rounds[1][1]"

"""An event's rows become the engine's tournament: who plays when, which rounds count, under which names."""

from sqlalchemy import event as sa_event

from judge.schemas.tournament.reader import read_tournament
from judge.services.event.event_rows import read_rows
from judge.services.event.tournament_of import display_name, player_id, tournament_file, tournament_of
from judge.storage.database import Database
from judge.tournament.ranking import rank
from tests.builders import make_event, make_players, make_round


def results(session, rows, *entries):
    for match, (result, health_a, health_b) in zip(rows.matches[rows.rounds[-1].id], entries, strict=False):
        match.result, match.health_a, match.health_b = result, health_a, health_b
    session.flush()


def names(rows, table):
    return [rows.players[int(line.player)].name for line in table]


def test_standings_come_from_the_published_rounds(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        ana, ben, cleo = make_players(session, event, 3)
        make_round(session, event, [(ana, ben), (cleo, None)])
        results(session, read_rows(session, event), ("b", 0, 12))
        make_round(session, event, [(ana, cleo), (ben, None)], number=2, state="draft", published_at=None)

        rows = read_rows(session, event)
        tournament = tournament_of(rows)
        assert len(tournament.rounds) == 1
        assert tournament.rounds[0][0].health == (0, 12)
        assert names(rows, rank(tournament)) == ["Ben", "Cleo", "Ana"]


def test_who_drops_or_comes_late_plays_only_in_between(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        ana, ben, cleo, dov = make_players(session, event, 4)
        make_round(session, event, [(ana, ben)])
        ben.state, ben.last_round = "dropped", 1
        cleo.first_round = dov.first_round = 2

        tournament = tournament_of(read_rows(session, event))
        assert tournament.drops == {player_id(ben.id): 1}
        assert tournament.late == {player_id(cleo.id): 2, player_id(dov.id): 2}
        assert {e.name for e in tournament.active(2)} == {"Ana", "Cleo", "Dov"}


def test_those_who_have_not_checked_in_are_left_out_once_somebody_has(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        players = make_players(session, event, 4, state="registered")
        assert len(tournament_of(read_rows(session, event)).entrants) == 4

        for player in players[:2]:
            player.state = "present"
        players[3].state = "waiting"
        session.flush()
        assert len(tournament_of(read_rows(session, event)).entrants) == 2


def test_the_file_can_be_read_again_and_carries_public_names_if_asked(database: Database):
    with database.transaction() as session:
        event = make_event(session, settings={"format": {"kind": "swiss", "rounds": 3}})
        ana, ben = make_players(session, event, 2, public_name=None)
        ana.public_name, ben.club, ben.fixed_table = "A. from Lyon", "Lyon", 4
        make_round(session, event, [(ana, ben)])

        rows = read_rows(session, event)
        data = tournament_file(rows, name_of=display_name)
        assert data["preset"] == "dice-throne-ranked"
        assert data["players"][1] == {"name": "Ben", "club": "Lyon", "table": 4}
        again = read_tournament(data)
        assert again.format.rounds == 3
        assert again.label(again.rounds[0][0].a) == "A. from Lyon"


def test_reading_takes_as_many_queries_for_many_players_as_for_few(database: Database):
    counted = []
    for size in (4, 40):
        with database.transaction() as session:
            event = make_event(session, slug=f"event-{size}")
            players = make_players(session, event, size)
            make_round(session, event, list(zip(players[::2], players[1::2], strict=True)))
            event_id = event.id
        with database.session() as session:
            queries = []
            sa_event.listen(
                database.engine, "before_cursor_execute", lambda *args, q=queries: q.append(args[2])
            )
            event = session.get(type(event), event_id)
            tournament_of(read_rows(session, event))
            counted.append(len([q for q in queries if q.startswith("SELECT")]))

    assert counted[0] == counted[1] <= 4

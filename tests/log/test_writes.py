"""Every write returns the change it made, and the answer offers to undo that very change."""

import ast
import inspect
import pkgutil
import re
from importlib import import_module

import pytest
from flask import g, get_flashed_messages
from sqlmodel import select

import judge.services
from judge.paths import PACKAGE
from judge.schemas.tournament.player_lists import PlayerFacts
from judge.services.log.changes import Actor, Change
from judge.services.log.undo import take_back
from judge.services.pairing.rounds import pair_next, publish
from judge.services.play import calls, clock
from judge.services.play.outcomes import Outcome
from judge.services.play.reports import report
from judge.services.play.results import correct, enter
from judge.services.players.players import add_players, check_in_all, drop_player, restore_player, set_present
from judge.storage.audit import AuditRow
from judge.storage.events import Match, Round
from judge.web.log.undo_offer import done
from tests.builders import DESK, NOW, make_event, make_players, make_round, make_staff

OTHER = Actor("Otto Other")
WON = Outcome("a", None, 9, 0)
RECORDS = {"changing", "note", "note_account", "undo"}  # what writes into the log


@pytest.fixture
def hall(database):
    """An event with two tables that are being played."""
    with database.transaction() as session:
        event = make_event(session)
        ana, ben, cleo, dov = make_players(session, event, 4)
        make_round(session, event, [(ana, ben), (cleo, dov)])
        first, second = session.exec(select(Match).order_by(Match.id)).all()
        yield session, event, first, second


def functions():
    """Every public function of the services, with the syntax tree of its body."""
    for module in pkgutil.walk_packages(judge.services.__path__, "judge.services."):
        loaded = import_module(module.name)
        for name, function in inspect.getmembers(loaded, inspect.isfunction):
            if function.__module__ == module.name and not name.startswith("_"):
                yield f"{module.name}.{name}", function


def writes(function):
    tree = ast.parse(inspect.getsource(function))
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = {call.id for call in calls if isinstance(call, ast.Name)}
    takes_actor = "Actor" in {str(p.annotation) for p in inspect.signature(function).parameters.values()}
    return bool(called & RECORDS) or takes_actor


def test_every_write_service_says_that_it_returns_its_change():
    found = {name: str(inspect.signature(f).return_annotation) for name, f in functions() if writes(f)}
    del found["judge.services.log.changes.changing"]  # makes the change, and hands it to the service

    assert len(found) > 50
    assert [name for name, returned in found.items() if not returned.startswith("Change[")] == []


def test_pages_add_nothing_to_the_log_themselves():
    """What a page changes goes through a service, which records it and returns the entry."""
    calls = {
        f"{path.name}: {node.func.id}"
        for path in (PACKAGE / "web").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RECORDS
    }

    assert calls == set()


def test_a_change_names_its_own_entry_though_somebody_else_writes_after_it(hall):
    session, event, first, second = hall
    mine = enter(session, event, DESK, first.id, WON)
    theirs = enter(session, event, OTHER, second.id, WON)

    assert session.get(AuditRow, mine.entry).actor == DESK.name
    assert session.get(AuditRow, theirs.entry).actor == OTHER.name
    assert (mine.what, mine.subject) == ("result.entered", ("match", first.id))


def test_what_stood_so_already_names_no_entry(hall):
    session, event, first, second = hall
    ana, played = first.a_id, session.get(Round, first.round_id)
    enter(session, event, DESK, first.id, WON)
    set_present(session, event, DESK, ana, True)
    call = calls.call_judge(session, event, second.id, "Cleo", "", NOW)
    enter(session, event, OTHER, second.id, WON)

    repeated = [
        enter(session, event, DESK, first.id, WON),
        set_present(session, event, DESK, ana, True),
        calls.call_judge(session, event, second.id, "Cleo", "", NOW),
        report(session, event, first.id, "a", WON, NOW),
        publish(session, event, DESK, 1, 0, NOW),
        clock.reset(session, event, played, DESK),
    ]

    assert call.entry is not None
    assert [change.entry for change in repeated] == [None] * len(repeated)


def test_each_write_names_the_entry_it_added_to_the_log(database):
    def newest():
        return session.exec(select(AuditRow.id).order_by(AuditRow.id.desc())).first()

    with database.transaction() as session:
        event = make_event(session)
        added = add_players(session, event, DESK, [PlayerFacts(n) for n in ("Ana", "Ben", "Cleo")], NOW)
        cleo = added.result.players[2]
        steps = [lambda: add_players(session, event, DESK, [PlayerFacts("Dov")], NOW)]
        steps.append(lambda: drop_player(session, event, DESK, cleo.id, cleo.version))
        steps.append(lambda: restore_player(session, event, DESK, cleo.id, cleo.version))
        steps.append(lambda: check_in_all(session, event, DESK))
        steps.append(lambda: pair_next(session, event, DESK, 1))
        steps.append(lambda: publish(session, event, DESK, 1, round_().version, NOW))
        steps.append(lambda: clock.start(session, event, round_(), DESK, NOW))
        steps.append(lambda: enter(session, event, DESK, table().id, WON, is_sure=True))
        steps.append(lambda: correct(session, event, DESK, table().id, table().version, Outcome("b"), "slip"))
        steps.append(lambda: take_back(session, event, DESK, "organiser", newest()))

        round_ = lambda: session.exec(select(Round)).one()  # noqa: E731
        table = lambda: session.exec(select(Match).order_by(Match.id)).first()  # noqa: E731
        for step in steps:
            before = newest()
            change = step()

            assert isinstance(change, Change)
            assert change.entry == newest() > before
            assert session.get(AuditRow, change.entry).what == change.what


def test_the_answer_offers_to_undo_ones_own_change_though_somebody_acted_before_it_was_drawn(app):
    with app.extensions["judge.database"].transaction() as session:
        event = make_event(session)
        ana, ben, cleo, dov = make_players(session, event, 4)
        make_round(session, event, [(ana, ben), (cleo, dov)])
        first, second = session.exec(select(Match).order_by(Match.id)).all()
        mine = enter(session, event, DESK, first.id, WON)
        enter(session, event, OTHER, second.id, WON)
        with app.test_request_context("/"):
            g.role = "judge"
            done(event, mine, "Ana wins")
            (offer,) = get_flashed_messages()

    assert offer == {"text": "Ana wins", "undo": f"/e/autumn-throne/desk/log/{mine.entry}/undo"}


@pytest.fixture
def two_judges(app, sign_in):
    """Two judges at an event with two tables: act(who, table) enters that the first won; offers(who)."""
    with app.extensions["judge.database"].transaction() as session:
        event = make_event(session)
        ana, ben, cleo, dov = make_players(session, event, 4)
        make_round(session, event, [(ana, ben), (cleo, dov)])
        tables = session.exec(select(Match.id).order_by(Match.id)).all()
        people = [make_staff(session, event, "judge", login) for login in ("dana", "otto")]
        clients = {who.login: sign_in(app.test_client(), who) for who in people}
    app.config["WTF_CSRF_ENABLED"] = False

    class Hall:
        def act(self, who, table):
            form = {"result": "a", "health_a": "9", "health_b": "0"}
            path = f"/e/autumn-throne/desk/matches/{tables[table - 1]}/result"
            assert clients[who].post(path, data=form).status_code == 302

        def offers(self, who):
            """Whether the answer says how it stands, and the entries it offers to undo."""
            page = clients[who].get("/e/autumn-throne/desk").text
            return "Ana won" in page, re.findall(r"/log/(\d+)/undo", page)

    return Hall()


def test_a_result_sent_twice_never_offers_to_undo_somebody_elses(two_judges):
    two_judges.act("dana", 1)
    is_said, (own,) = two_judges.offers("dana")
    two_judges.act("otto", 2)
    two_judges.act("dana", 1)
    is_said_again, offered = two_judges.offers("dana")

    assert (is_said, is_said_again) == (True, True), "the page says how it stands, both times"
    assert own, "the first time it is one's own change"
    assert offered == [], "nothing was changed, and the newest change is somebody else's"

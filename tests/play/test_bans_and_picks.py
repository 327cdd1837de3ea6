"""Bans and picks: the order of steps, what is refused and why, and the lockout ledger."""

import pytest
from sqlmodel import select

from judge.core.errors import Refused
from judge.services.event.event_rows import read_rows
from judge.services.play.bans_and_picks import Act, act, hero_rules, locks, next_step, start_over
from judge.services.play.outcomes import Outcome
from judge.services.play.results import enter
from judge.services.play.selection import read_selection
from judge.storage.database import Database
from judge.storage.tables import Match
from tests.builders import DESK, make_event, make_players, make_round

ANAS, BENS = ["monk", "paladin", "treant"], ["barbarian", "shadow-thief", "moon-elf"]


def start(session, **values):
    event = make_event(session, **values)
    ana, ben = make_players(session, event, 2)
    ana.heroes, ben.heroes = ANAS, BENS
    make_round(session, event, [(ana, ben)])
    return event, session.exec(select(Match)).one()


def do(session, event, match, *steps):
    for step in steps:
        act(session, event, DESK, match.id, match.version, step)


def dice(a, b):
    return Act(dice=(a, b))


def hero(*names):
    return Act(heroes=names)


def refused_for(session, event, match, step):
    with pytest.raises(Refused) as refused:
        act(session, event, DESK, match.id, match.version, step)
    return [r.key for r in refused.value.reasons]


def test_bring_three_ban_one_from_the_first_roll_to_the_last_pick(database: Database):
    with database.transaction() as session:
        event, match = start(session)
        rules = hero_rules(event)
        do(session, event, match, dice(4, 4))
        assert next_step(read_selection(match.selection), rules).kind == "roll", "a tie is rolled again"
        do(session, event, match, dice(6, 4))
        assert next_step(read_selection(match.selection), rules).by == "a", "the winner decides"
        do(session, event, match, Act(side="b"))
        step = next_step(read_selection(match.selection), rules)
        assert (step.kind, step.by) == ("ban", "b")
        do(session, event, match, hero("monk"), hero("moon-elf"), dice(1, 2), Act(side="b"))
        step = next_step(read_selection(match.selection), rules)
        assert (step.kind, step.by) == ("pick", "b")
        do(session, event, match, hero("barbarian"), hero("treant"))

        assert next_step(read_selection(match.selection), rules).kind == "done"
        assert match.selection["picks"] == {"b": "barbarian", "a": "treant"}
        assert match.selection["ban_rolls"] == [[4, 4], [6, 4]]


def test_a_pick_that_is_not_allowed_is_refused_with_the_reason(database: Database):
    with database.transaction() as session:
        event, match = start(session)
        do(session, event, match, dice(6, 4), Act(side="a"))
        assert refused_for(session, event, match, hero("monk")) == ["hero_not_brought"]
        do(session, event, match, hero("moon-elf"), hero("monk"), dice(6, 1), Act(side="a"))

        assert refused_for(session, event, match, hero("monk")) == ["hero_banned"]
        assert refused_for(session, event, match, hero("barbarian")) == ["hero_not_brought"]
        assert refused_for(session, event, match, dice(1, 2)) == ["selection_incomplete"]


def test_bans_and_picks_stand_once_there_is_a_result(database: Database):
    with database.transaction() as session:
        event, match = start(session)
        do(session, event, match, dice(6, 4))
        start_over(session, event, DESK, match.id, match.version)
        assert match.selection == {}
        enter(session, event, DESK, match.id, Outcome("a", None, 3, 0))

        assert refused_for(session, event, match, dice(1, 2)) == ["selection_over"]


def lockout(session, unlock_round=None):
    heroes = {"mode": "lockout", "bring": 3, "ban": 0, "unlock_round": unlock_round}
    return start(session, preset="dice-throne-lockout", settings={"heroes": heroes})


def play_with(session, event, match, mine, theirs):
    do(session, event, match, dice(6, 1), Act(side="a"), hero(mine, theirs))
    enter(session, event, DESK, match.id, Outcome("a", None, 9, 0))


def next_match(session, event, number):
    rows = read_rows(session, event)
    make_round(session, event, [tuple(rows.players.values())], number=number)
    return session.exec(select(Match).order_by(Match.id.desc())).first()


def test_a_hero_that_won_is_locked_for_its_owner_and_the_losers_is_not(database: Database):
    with database.transaction() as session:
        event, match = lockout(session)
        play_with(session, event, match, "monk", "barbarian")
        second = next_match(session, event, 2)
        do(session, event, second, dice(6, 1), Act(side="b"))

        assert refused_for(session, event, second, hero("monk", "barbarian")) == ["hero_locked"]
        do(session, event, second, hero("treant", "barbarian"))
        assert second.selection["picks"]["b"] == "barbarian"


def test_locked_heroes_are_free_again_in_the_unlock_round(database: Database):
    with database.transaction() as session:
        event, match = lockout(session, unlock_round=3)
        play_with(session, event, match, "monk", "barbarian")
        rules, ana = hero_rules(event), match.a_id
        for number, held in ((2, ["monk"]), (3, [])):
            next_match(session, event, number)
            rows = read_rows(session, event)
            ledger = locks(rows, ana, rows.rounds[-1], rules)
            assert [lock.hero for lock in ledger] == held


def test_lots_give_two_different_heroes(database: Database):
    with database.transaction() as session:
        heroes = {"mode": "random", "allowed": ["monk", "treant"]}
        event, match = start(session, settings={"heroes": heroes})
        do(session, event, match, dice(2, 5), Act(side="a"), Act())

        assert sorted(match.selection["picks"].values()) == ["monk", "treant"]


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"ban_rolls": [[4, 4], [6, 4]], "ban_first": "a", "bans": {"b": ["monk"]}},
        {"start_rolls": [[1, 6]], "first": "b", "picks": {"a": "treant"}, "boxes": {}},
        {"toss": {"seed": "1f", "hash": "2e"}, "thrown": {"start": {"b": 3}}},
        {"sealed": {"a": {"hero": "monk", "at": "2026-11-14T10:00:00", "salt": "0a", "hash": "9c"}}},
    ],
)
def test_a_stored_selection_is_written_as_it_was_read(stored):
    selection = read_selection(stored)

    assert selection.as_json() == stored
    assert bool(selection) == bool(stored)

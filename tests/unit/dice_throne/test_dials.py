"""What the defeated get, and what is taken where nothing lies: the dials and tokens themselves."""

from judge.rules.dice_throne.flow.engine import beginning
from judge.rules.dice_throne.state import tokens
from judge.rules.ruling import steps_of
from judge.schemas.dice_throne.table import read_table


def game_of(**a):
    players = [{"id": "A", **a}, {"id": "B"}, {"id": "C"}]
    table = {"game": "dice-throne", "edition": "fr-2.4.1", "mode": "king-of-the-hill", "players": players}
    return beginning(read_table({**table, "events": []}))


def test_the_defeated_get_no_token_no_cp_and_no_card():
    game = game_of(health=0)
    fallen = game.players["A"]

    assert tokens.place(game, fallen, "evasive", 1, 1) == 0
    assert tokens.gain_cp(game, fallen, 1) == 0
    assert tokens.draw(game, fallen, 1) == 0
    assert (fallen.statuses, fallen.cp, fallen.hand) == ({}, 2, 4)


def test_nothing_is_taken_where_nothing_lies():
    game = game_of(statuses={"protect": 1})
    player, other = game.players["A"], game.players["B"]

    assert tokens.take(player, "evasive", 1) == 0
    assert tokens.takeable(game, player, "evasive", other) == 0
    assert tokens.remove(game, player, "evasive", 2, 1, other) == 0
    assert player.statuses == {"protect": 1}


def test_a_limit_of_nothing_says_that_nothing_lies_there():
    game = game_of(limits={"evasive": 0})

    assert tokens.place(game, game.players["A"], "evasive", 1, 1) == 0
    assert steps_of(game.steps)[-1].value == 0
    assert game.lost == {"A": {"evasive": 1}}

"""Whom an effect reaches: every word of `to`, with and without names, in a duel and among several players."""

import pytest

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table

TEAMS = {"A": "red", "B": "red", "C": "red", "D": "blue", "E": "blue", "F": "blue"}
MODES = {"duel": "AB", "2v2": "ABDE", "3v3": "ABCDEF", "king-of-the-hill": "ABC"}
STRIKE = {"by": "A", "activate": "strike", "on": ["D"], "effects": [{"deal": 2}]}


def ruled(*events, mode="3v3", fallen="", phase="offensive-roll", **turn):
    players = [{"id": name, "health": 0 if name in fallen else 50} for name in MODES[mode]]
    if mode in ("2v2", "3v3"):
        players = [{"id": player["id"], "team": TEAMS[player["id"]]} for player in players]
    turn = {"active": "A", "phase": phase, **turn}
    table = {"game": "dice-throne", "edition": "fr-2.4.1", "mode": mode, "players": players, "turn": turn}
    return rule(read_table({**table, "events": list(events)}))


def holders(ruling):
    """Who got a token, and how many; a question instead where the event does not say whom."""
    if ruling.asks:
        return [ask.what for ask in ruling.asks]
    counts = {name: player.statuses.get("evasive", 0) for name, player in ruling.players.items()}
    return "".join(name * count for name, count in counts.items())


def gives(to, by="A", on=(), word="gain"):
    event = {"by": by, "does": "something", "effects": [{word: "evasive", "to": to}]}
    return {**event, "on": list(on)} if on else event


@pytest.mark.parametrize(
    ("to", "on", "mode", "reached"),
    [
        ("self", "", "3v3", "A"),
        ("holder", "D", "3v3", "A"),
        ("all-opponents", "", "3v3", "DEF"),
        ("all-players", "", "3v3", "ABCDEF"),
        ("target", "E", "3v3", "E"),
        ("target", "", "duel", "B"),
        ("attacker", "D", "3v3", "D"),
        ("that-opponent", "", "3v3", "A"),
        ("E", "", "3v3", "E"),
        ("E", "F", "3v3", "E"),
        ("chosen-player", "", "3v3", "A"),
        ("chosen-player", "E", "3v3", "E"),
        ("chosen-opponent", "E", "3v3", "E"),
        ("chosen-opponent", "", "duel", "B"),
        ("chosen-teammate", "", "2v2", "B"),
        ("chosen-teammate", "", "duel", ""),
        ("chosen-teammate", "DC", "3v3", "C"),
        ("next-chosen-player", "", "3v3", "A"),
        ("next-chosen-player", "EF", "3v3", "E"),
        ("next-chosen-opponent", "", "duel", "B"),
        ("next-chosen-opponent", "EF", "3v3", "E"),
        ("2-chosen-opponents", "", "2v2", "DE"),
        ("2-chosen-opponents", "DEF", "3v3", "DE"),
        ("2-chosen-opponents", "DD", "3v3", "D"),
        ("up-to-2-chosen-opponents", "DD", "3v3", "DD"),
        ("up-to-2-chosen-opponents", "DEF", "3v3", "DE"),
        ("up-to-3-chosen-opponents", "", "3v3", "DEF"),
        ("up-to-3-chosen-opponents", "DDE", "3v3", "DE"),
        ("up-to-3-chosen-opponents", "DEF", "3v3", "DEF"),
        ("up-to-2-chosen-players", "", "3v3", "A"),
        ("up-to-2-chosen-players", "BDE", "3v3", "BD"),
    ],
)
def test_a_text_outside_an_attack_reaches_whom_it_names(to, on, mode, reached):
    assert holders(ruled(gives(to, on=on), mode=mode, phase="main-1")) == reached


@pytest.mark.parametrize(
    ("to", "mode"),
    [
        ("target", "3v3"),
        ("chosen-opponent", "2v2"),
        ("chosen-teammate", "3v3"),
        ("next-chosen-opponent", "2v2"),
        ("2-chosen-opponents", "3v3"),
        ("up-to-2-chosen-opponents", "3v3"),
    ],
)
def test_a_text_that_could_mean_several_players_asks_whom(to, mode):
    assert holders(ruled(gives(to), mode=mode, phase="main-1")) == ["on"]


@pytest.mark.parametrize(
    ("to", "by", "reached"),
    [
        ("target", "A", "D"),
        ("target", "B", "D"),
        ("target", "E", "A"),
        ("attacker", "E", "A"),
        ("chosen-opponent", "A", "D"),
    ],
)
def test_a_text_during_an_attack_means_its_target_or_its_attacker(to, by, reached):
    assert holders(ruled(STRIKE, gives(to, by=by))) == reached


def test_a_mate_of_the_attacker_still_has_to_choose_among_opponents():
    assert holders(ruled(STRIKE, gives("chosen-opponent", by="B"))) == ["on"]


def test_a_defeated_player_cannot_be_chosen():
    alone = gives("chosen-player", on="BC", word="inflict")

    assert holders(ruled(alone, mode="king-of-the-hill", fallen="B", phase="main-1")) == "C"
    assert holders(ruled(alone, mode="king-of-the-hill", phase="main-1")) == "B"
    both = gives("up-to-2-chosen-players", on="BC")
    assert holders(ruled(both, mode="king-of-the-hill", fallen="B", phase="main-1")) == "C"


@pytest.mark.parametrize(
    ("to", "on", "reached"),
    [
        ("chosen-player", ["D"], "A"),
        ("chosen-player", ["D", "B"], "B"),
        ("chosen-teammate", ["D", "B"], "B"),
        ("2-chosen-opponents", ["D", "E"], "DE"),
        ("2-chosen-opponents", ["D"], "D"),
        ("up-to-3-chosen-opponents", ["E", "D"], "DE"),
        ("next-chosen-opponent", ["D", "E"], "D"),
        ("next-chosen-player", ["D"], "D"),
    ],
)
def test_an_ability_reaches_the_players_it_names_besides_its_target(to, on, reached):
    effects = [{"deal": 2}, {"gain": "evasive", "to": to}]

    assert holders(ruled({"by": "A", "activate": "strike", "on": on, "effects": effects})) == reached


@pytest.mark.parametrize(
    ("to", "reached"),
    [
        ("2-chosen-opponents", "E"),
        ("up-to-2-chosen-opponents", "E"),
        ("up-to-3-chosen-opponents", "E"),
        ("next-chosen-opponent", "E"),
        ("chosen-opponent", "E"),
        ("up-to-2-chosen-players", "A"),
        ("next-chosen-player", "A"),
    ],
)
def test_in_an_extra_phase_its_target_is_the_opponent_meant_and_help_stays_at_home(to, reached):
    effects = [{"deal": 2}, {"gain": "evasive", "to": to}]

    assert holders(ruled({"by": "A", "activate": "strike", "effects": effects}, extra_target="E")) == reached


@pytest.mark.parametrize(
    ("to", "on", "reached"),
    [("target", "", "A"), ("self", "", "D"), ("next-chosen-player", "F", "F"), ("chosen-player", "F", "D")],
)
def test_a_defence_reaches_the_attacker_itself_or_whom_it_names(to, on, reached):
    guard = {"by": "D", "defend": "guard", "effects": [{"gain": "evasive", "to": to}]}

    assert holders(ruled(STRIKE, {**guard, "on": list(on)} if on else guard)) == reached


def test_separate_choices_take_the_names_one_after_the_other():
    effects = [{"gain": "evasive", "to": "next-chosen-opponent"}] * 3
    event = {"by": "A", "does": "something", "on": ["D", "F"], "effects": effects}

    assert holders(ruled(event, phase="main-1")) == "DFF"

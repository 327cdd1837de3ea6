"""Teams on paper: members find their table by their own name, and their heroes stand on the slip."""

from judge.schemas.tournament.reader import read_tournament
from judge.services.event.tournament_files import explain_file, pair_file, phrasebook, standings_file
from judge.services.paper.documents import PrintOptions, print_file
from judge.services.paper.shapes import pairing_lines, player_lines, slips_of, standings_table
from judge.tournament.event_ranking import rank_event
from tests.paper.reading import Read

TEAMS = {
    "preset": "dice-throne-2v2", "name": "Duos", "game": "dice-throne",
    "players": [
        {"name": "Red Foxes", "club": "Lyon", "members": ["Ann", {"name": "Bob", "heroes": ["monk"]}]},
        {"name": "Blue Owls", "members": ["Cem", "Dee"]},
        {"name": "Grey Cats", "members": [{"name": "Eli", "heroes": ["paladin", "treant"]}, "Fay"]},
    ],
    "rounds": [
        [{"a": "Red Foxes", "b": "Blue Owls", "result": "a", "health": [22, 0]},
         {"a": "Grey Cats", "result": "bye"}],
    ],
}  # fmt: skip


def test_the_entrant_is_the_team():
    assert [line["player"] for line in standings_file(TEAMS)] == ["Red Foxes", "Grey Cats", "Blue Owls"]
    assert pair_file(TEAMS)["tables"][0]["a"] == "Red Foxes"


def test_a_member_finds_the_standing_of_the_team():
    assert explain_file(TEAMS, "Bob")["player"] == "Red Foxes"


def test_pairings_by_name_have_a_line_for_every_member():
    pages = Read(print_file("pairings", TEAMS, PrintOptions(by="name"))).texts

    for line in ("Ann (Red Foxes)", "Bob (Red Foxes)", "Cem (Blue Owls)", "Fay (Grey Cats)", "Blue Owls"):
        assert line in pages


def test_the_members_stand_beside_their_team_and_their_heroes_on_the_slip():
    t = read_tournament(TEAMS)
    book = phrasebook("en")

    assert standings_table(rank_event([t]), book).lines[0].player == "Red Foxes (Ann, Bob)"
    assert slips_of(t, 1)[0].players[0].heroes == ("Bob: monk",)
    assert player_lines(t, str)[0].detail == "Lyon · Ann, Bob: monk"
    assert pairing_lines(t, 1, "en")[0].members == (("Ann", "Bob"), ("Cem", "Dee"))

"""A file is read to its end: every fault is named with its place, in every kind of file."""

import pytest

from judge.core.errors import InputError
from judge.schemas.answers import read_answer
from judge.schemas.files import parse
from judge.services.dispute.rulings import rule_file
from judge.services.event.tournament_files import pair_file, standings_file
from judge.services.rulebook.rules import read_own_catalogue
from judge.services.season.season_files import season_file

THRONE = """
game: dice-throne
edition: fr-9
mode: duell
colour: red
players:
- {id: A, hero: barbarian, health: -3, cp: 99, statuses: {protect: -1}, upgrades: {smack: 7}, side: left}
- {id: A, hand: lots, nonsense: 1}
turn: {active: Z, phase: lunch, attempts: 9, dice: [1, 2, 9]}
events:
- {by: A, activat: smack}
- {by: Q, activate: smack, on: X, effects: [{deel: 5}]}
- {by: A, roll: [1,2,3]}
- {by: A, sell: none}
- {by: A, play: card, card: big, cost: -1, changes: [{whose: Y, die: 7, to: 9}]}
- {advance: breakfast}
claims: [{by: A, player: Q, final: much}]
"""
FORGE = """
game: dice-forge
edition: xx
players:
- {id: A, gold: -1, sun: 99, moon: x, feats: [nothing], dice: [[G1], [G1]],
   island: 12, tokens: {wolf: 1}, hammer: {lap: 0}}
- {id: A, colour: red}
turn: {active: Z, step: 9, round: 0}
pools: {P99: [V4]}
piles: {gorgonzola: 1}
events:
- {by: A, bless: [XX, G1]}
- {by: Q, minor: G1, die: 3}
- {by: A, offer: [{face: ZZ, die: 4}]}
- {by: A, feat: nope}
- {advance: breakfast}
"""
CATALOGUE = """
game: dice-throne
players: [{id: A}, {id: B}]
catalogue:
  colours: 1
  heroes:
  - {names: {de: X}, dice: [a, b], abilities: [{id: x, kind: odd, level: IX, activation: {symbols: 3},
                   effects: [{deel: 1}]}]}
  cards: [{id: c, kind: odd, cost: -4, attack_modifier: maybe}, {id: c, kind: main}]
  statuses: [{id: s, polarity: good, stack_limit: 0, when: lunch, persistent: often, uses: [{price: x}]}]
  companions: [{id: k, health: 0, levels: 9, stages: [{limit: x}]}]
"""
HERO = """
names: {de: X}
dice: [a]
abilities: [{id: x, kind: odd, level: IX, activation: {symbols: 3}, effects: [{deel: 1}]}]
cards: [{id: c, kind: odd, cost: -4, attack_modifier: maybe}]
statuses: [{id: s, polarity: good, stack_limit: 0}]
setup: {statuses: {s: -1}}
colour: red
"""
TOURNAMENT = """
tournament: 7
game: chess
format: {kind: swizz, rounds: -2, pods: 3}
scoring: {win: many, draw: -1, tie: 1}
best_of: 0
floor: 7/0
tiebreakers: [omw, nothing]
colour: red
players: [Ana, Ana, {nome: Ben}, {name: Cleo, seed: first, table: -1}]
drops: {Zoe: 1}
late: {Ana: x}
rounds:
- - {a: Ana, b: Nobody, result: q, health: [1]}
  - {a: Cleo, b: Cleo, result: a, games: [x, 1]}
"""
STAGES = """
tournament: 2
name: [x]
game: chess
colour: red
rounds: [[]]
players: [Ana, Ana, {nome: Ben}, Cleo, Dov]
drops: {Zoe: x}
stages:
- {name: 3, format: {kind: swiss, rounds: 0}, rounds: [[{a: Ana, b: Cleo, result: q}]], tables: {ranges: [x]}}
- {take: {top: 0}, seeding: odd, carry: all, format: {kind: nothing}, colour: red}
- [no]
penalties: [{player: Ana}]
desk: {colour: 1}
"""
SEASON = """
season: 4
nome: X
points: {places: [a, -1], win: x}
best: 0
events:
- {name: 1, standings: [{player: Ana, rank: 0}, {plyer: Ben}]}
- {file: 3, tournament: x}
- {name: M}
- nothing
colour: red
"""
ANSWER = """
answer: 3
subject: nothing
question: {de: x}
says: 4
authority: king
source: nowhere
rules: [XX-1]
colour: red
table: 3
expect: 4
editions: [zz]
"""

# What reads each file, and the places of its faults.
FILES = {
    "a table of Dice Throne": (
        rule_file,
        THRONE,
        """
        edition mode colour players[1].id players[1].health players[1].cp players[1].statuses.protect
        players[1].upgrades.smack players[1].side players[2].id players[2].hand players[2].nonsense
        turn.active turn.phase turn.dice events[1].activat events[2].by events[2].on
        events[2].effects[1].deel events[3].roll events[4].sell events[5].card events[5].cost
        events[5].changes[1].whose events[5].changes[1].die events[5].changes[1].to events[6].advance
        claims[1].player claims[1].final
        """,
    ),
    "a table of Dice Forge": (
        rule_file,
        FORGE,
        """
        edition players[1].gold players[1].sun players[1].moon players[1].feats[1] players[1].dice[1]
        players[1].dice[2] players[1].island players[1].tokens.wolf players[1].hammer.lap players[2].id
        players[2].colour turn.active turn.step turn.round pools.P99 piles.gorgonzola events[1].bless[1]
        events[2].by events[2].die events[3].offer[1].face events[3].offer[1].die events[4].feat
        events[5].advance
        """,
    ),
    "a catalogue": (
        rule_file,
        CATALOGUE,
        """
        catalogue.colours catalogue.heroes[1].names.de catalogue.heroes[1].dice
        catalogue.heroes[1].abilities[1].kind catalogue.heroes[1].abilities[1].level
        catalogue.heroes[1].abilities[1].activation.symbols
        catalogue.heroes[1].abilities[1].effects[1].deel catalogue.heroes[1].id catalogue.cards[1].kind
        catalogue.cards[1].cost catalogue.cards[1].attack_modifier catalogue.statuses[1].polarity
        catalogue.statuses[1].stack_limit catalogue.statuses[1].when catalogue.statuses[1].persistent
        catalogue.statuses[1].uses[1].price catalogue.statuses[1].uses[1].effects
        catalogue.companions[1].health catalogue.companions[1].levels
        catalogue.companions[1].stages[1].limit catalogue.companions[1].stages[1].id
        """,
    ),
    "a hero": (
        read_own_catalogue,
        HERO,
        """
        colour id names.de dice abilities[1].effects[1].deel abilities[1].kind abilities[1].level
        abilities[1].activation.symbols cards[1].kind cards[1].cost cards[1].attack_modifier
        statuses[1].polarity statuses[1].stack_limit setup.statuses.s
        """,
    ),
    "a tournament": (
        standings_file,
        TOURNAMENT,
        """
        tournament game format.kind format.rounds format.pods scoring.win scoring.draw scoring.tie
        best_of floor tiebreakers[2] colour players[2] players[3].nome players[3].name players[4].seed
        players[4].table late.Ana rounds[1][1].result rounds[1][1].health rounds[1][2].games[1]
        """,
    ),
    "an event of several stages": (
        pair_file,
        STAGES,
        """
        tournament name game colour rounds players[2] players[3].nome players[3].name drops.Zoe
        stages[1].format.rounds stages[1].rounds[1][1].result stages[1].tables.ranges[1]
        stages[2].take.top stages[2].seeding stages[2].carry stages[2].format.kind stages[2].colour
        stages[3] penalties[1].infraction penalties[1].penalty desk.colour
        """,
    ),
    "a season": (
        season_file,
        SEASON,
        """
        season nome points points.places[1] points.places[2] points.win best events[1].standings[1].rank
        events[1].standings[2].plyer events[1].standings[2].player events[1].standings[2].rank events[2]
        events[3] events[4] colour
        """,
    ),
    "an answer": (
        read_answer,
        ANSWER,
        """
        colour game subject question.de question.en question.fr question.ru says authority table expect
        """,
    ),
}


@pytest.mark.parametrize("kind", FILES)
def test_every_fault_of_a_file_is_named_with_its_place(kind):
    read, text, places = FILES[kind]
    with pytest.raises(InputError) as caught:
        read(parse(text.encode()))

    assert [problem.path for problem in caught.value.problems] == places.split()


def test_a_list_of_players_that_cannot_be_read_hides_no_fault_behind_it():
    with pytest.raises(InputError) as caught:
        standings_file({"players": [{"nome": "Ana"}], "drops": {"Ben": 0.5}, "desk": {"colour": 1}})

    assert [problem.path for problem in caught.value.problems] == [
        "players[1].nome", "players[1].name", "drops.Ben", "desk.colour",
    ]  # fmt: skip

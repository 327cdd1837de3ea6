"""Brackets of every size: seeding, byes, who can meet whom, played to the end by random results."""

import dataclasses
import itertools
import random
from collections import Counter

import pytest

from judge.core.errors import InputError
from judge.tournament.brackets.elimination import places
from judge.tournament.brackets.layout import lay_out
from judge.tournament.brackets.plan import (
    DROP_MASKS,
    From,
    Node,
    Seed,
    double_elimination,
    seeding,
    single_elimination,
    size_for,
)  # fmt: skip
from judge.tournament.formats import pair_round, play_bracket
from judge.tournament.model import Entrant, Format, Match, PlayerId, Result, Tournament
from judge.tournament.ranking import rank
from judge.tournament.round_robin import pair_round_robin, schedule

SIZES = range(2, 65)


def event(count: int, kind: str = "single-elimination", **options) -> Tournament:
    entrants = tuple(Entrant(PlayerId(f"P{n:02}"), f"P{n:02}", seed=n) for n in range(1, count + 1))
    return Tournament(entrants=entrants, format=Format(kind=kind, **options), tiebreakers=())


def play_out(now: Tournament, pick) -> Tournament:
    """Round after round until the bracket says it is finished."""
    while True:
        try:
            pairing = pair_round(now)
        except InputError:
            return now
        matches = tuple(Match(a=t.a, b=t.b, result=pick(t.a, t.b)) for t in pairing.tables)
        now = dataclasses.replace(now, rounds=(*now.rounds, matches))


def better_seed(a: str, b: str) -> Result:
    return Result.A if a < b else Result.B


def reachable(nodes: list[Node], players: int) -> dict[str, tuple[set[int], set[int]]]:
    """For each match, the seeds that can sit at a and at b."""
    found: dict[str, tuple[set[int], set[int]]] = {}
    for node in nodes:
        sides = []
        for source in (node.a, node.b):
            if isinstance(source, Seed):
                sides.append({source.number} if source.number <= players else set())
            else:
                a, b = found[source.match]
                is_walkover = not a or not b
                sides.append(set() if is_walkover and source.what == "loser" else a | b)
        found[node.id] = (sides[0], sides[1])
    return found


def test_the_order_of_seeds_is_the_usual_one():
    assert seeding(4) == [1, 4, 2, 3]
    assert seeding(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert seeding(16) == [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]


@pytest.mark.parametrize("count", SIZES)
def test_everybody_can_reach_the_final_and_one_and_two_meet_only_there(count):
    nodes = single_elimination(count)
    meeting = reachable(nodes, count)
    final = nodes[-1].id

    assert meeting[final][0] | meeting[final][1] == set(range(1, count + 1))
    for node in nodes[:-1]:
        a, b = meeting[node.id]
        assert not ({1, 2} <= a | b)


@pytest.mark.parametrize("count", SIZES)
def test_byes_fall_to_the_top_seeds_and_never_meet_each_other(count):
    bracket = play_bracket(event(count))
    free = size_for(count) - count

    assert bracket.first_round_byes() == [f"P{n:02}" for n in range(1, free + 1)]
    assert all(bout.status != "void" for bout in bracket.bouts.values())


@pytest.mark.parametrize("count", SIZES)
def test_a_single_elimination_of_any_size_is_played_to_the_end(count):
    for seed in range(3):
        chance = random.Random(seed)
        options = [Result.A, Result.B, Result.NO_SHOW_A, Result.NO_SHOW_B]
        done = play_out(event(count, third_place=seed == 1), lambda a, b, c=chance, o=options: c.choice(o))
        bracket = play_bracket(done)
        place = places(bracket)

        assert bracket.champion() is not None
        assert place[bracket.champion()] == 1
        assert sum(len(r) for r in done.rounds) == count - 1 + (seed == 1 and count >= 4)


def test_seeds_that_always_win_finish_in_order():
    done = play_out(event(8, third_place=True), better_seed)

    assert list(places(play_bracket(done)).values()) == [1, 2, 3, 4, 5, 5, 5, 5]


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("grand_final", ["reset", "single", "skip"])
def test_a_double_elimination_of_any_size_is_played_to_the_end(count, grand_final):
    chance = random.Random(count)
    start = event(count, "double-elimination", grand_final=grand_final)
    done = play_out(start, lambda a, b: chance.choice([Result.A, Result.B]))
    bracket = play_bracket(done)
    lost = {e.id: 0 for e in done.entrants}
    for matches in done.rounds:
        for m in matches:
            lost[m.b if m.result is Result.A else m.a] += 1

    champion = bracket.champion()
    assert champion is not None
    assert sorted(places(bracket).values())[:2] == [1, 2]
    if grand_final == "reset":
        assert lost[champion] <= 1
        assert all(n == 2 for player, n in lost.items() if player != champion)


@pytest.mark.parametrize("count", SIZES)
def test_everybody_can_reach_the_grand_final_by_either_side(count):
    nodes = double_elimination(count, "single")
    a, b = reachable(nodes, count)["F.1"]

    assert a == set(range(1, count + 1))
    # with byes a top seed may have no way down before losing later; everybody who can lose can come back
    assert b == set(range(1, count + 1))


def repeats(nodes: list[Node], chance: random.Random) -> int:
    """Toss up every match of a full bracket; how many losers' matches repeat a meeting."""
    winner: dict[str, int] = {}
    loser: dict[str, int] = {}
    met: set[frozenset[int]] = set()
    again = 0
    for node in (n for n in nodes if n.side != "final"):
        a, b = (
            source.number
            if isinstance(source, Seed)
            else {"winner": winner, "loser": loser}[source.what][source.match]
            for source in (node.a, node.b)
        )
        again += frozenset((a, b)) in met
        met.add(frozenset((a, b)))
        winner[node.id], loser[node.id] = chance.choice([(a, b), (b, a)])
    return again


def in_order_of_play(nodes: list[Node]) -> list[Node]:
    """Losers' rounds after the winners' rounds that feed them."""
    return sorted(nodes, key=lambda n: (n.round, 0) if n.side == "winners" else (n.round // 2 + 1, n.round))


def expected_repeats(size: int, masks: tuple[int, ...]) -> float:
    """The same exactly: over every two who can meet among the losers, the chance that they both come so far
    and have met before."""
    total, sides = 0.0, [{(1, n ^ masks[0]): 1.0} for n in range(size // 2)]
    for number, mask in enumerate(masks, start=1):
        if number > 1:
            dropping = [{(number, n ^ mask): 1.0} for n in range(size >> number)]
            pairs = list(zip(dropping, sides, strict=True))
            total += sum(meet_again(a, b) for a, b in pairs)
            sides = [half(a, b) for a, b in pairs]
        pairs = list(zip(sides[::2], sides[1::2], strict=False))
        total += sum(meet_again(a, b) for a, b in pairs)
        sides = [half(a, b) for a, b in pairs] or sides
    return total


def half(a: dict, b: dict) -> dict:
    return {origin: chance / 2 for origin, chance in (*a.items(), *b.items())}


def meet_again(a: dict, b: dict) -> float:
    """An origin is the winners' match in which a player lost: round and number."""
    return sum(
        p * q * 2.0 ** -abs(r - s)
        for (r, k), p in a.items()
        for (s, j), q in b.items()
        if (k >> (s - r) == j if r < s else r > s and j >> (r - s) == k)
    )


@pytest.mark.parametrize(
    ("size", "published", "best"),
    [
        (8, (0, 1, 0), 0.625),
        (16, (0, 1, 1, 0), 0.75),
        (32, (0, 7, 2, 0, 0), 0.734375),
        (64, (0, 15, 4, 3, 0, 0), 0.7027),
    ],
)
def test_losers_drop_so_that_as_few_meetings_repeat_as_any_order_of_halves_allows(size, published, best):
    mine = expected_repeats(size, DROP_MASKS[size])
    masks = [range(1), *(range(size >> number) for number in range(2, size.bit_length()))]

    assert mine == pytest.approx(best, abs=1e-4)
    assert mine <= expected_repeats(size, published)
    if size <= 32:
        assert mine == min(expected_repeats(size, order) for order in itertools.product(*masks))


@pytest.mark.parametrize("size", [128, 256])
def test_the_largest_brackets_repeat_no_more_meetings_than_small_ones(size):
    assert expected_repeats(size, DROP_MASKS[size]) < expected_repeats(16, DROP_MASKS[16])


@pytest.mark.parametrize("size", [8, 16, 64])
def test_a_simulated_double_elimination_repeats_as_many_meetings_as_expected(size):
    nodes, chance = in_order_of_play(double_elimination(size, "single")), random.Random(size)

    played = sum(repeats(nodes, chance) for _ in range(2000)) / 2000

    assert played == pytest.approx(expected_repeats(size, DROP_MASKS[size]), abs=0.08)


def test_the_second_grand_final_exists_only_when_it_is_needed():
    def last_two(winner_of_final: str) -> Tournament:
        return play_out(
            event(2, "double-elimination"),
            lambda a, b: Result.A if a == winner_of_final else Result.B,
        )

    assert "F.2" not in play_bracket(last_two("P01")).bouts
    upset = event(2, "double-elimination")
    for result in (Result.A, Result.B):  # P01 wins the first, P02 the grand final
        table = pair_round(upset).tables[0]
        pick = result if table.a == "P01" else {Result.A: Result.B, Result.B: Result.A}[result]
        match = Match(a=table.a, b=table.b, result=pick)
        upset = dataclasses.replace(upset, rounds=(*upset.rounds, (match,)))

    assert play_bracket(upset).bouts["F.2"].status == "due"


def test_who_drops_out_is_walked_over():
    now = event(4)
    first = tuple(Match(a=t.a, b=t.b, result=Result.A) for t in pair_round(now).tables)
    now = dataclasses.replace(now, rounds=(first,), drops={PlayerId("P01"): 1})

    assert play_bracket(now).champion() == "P02"


def test_after_a_double_loss_the_next_opponent_moves_on():
    now = event(4)
    tables = pair_round(now).tables
    results = [Result.DOUBLE_LOSS, Result.A]
    first = tuple(Match(a=t.a, b=t.b, result=r) for t, r in zip(tables, results, strict=True))

    assert play_bracket(dataclasses.replace(now, rounds=(first,))).champion() == tables[1].a


def test_a_match_that_is_not_due_is_refused_with_its_path():
    now = dataclasses.replace(
        event(4), rounds=((Match(a=PlayerId("P01"), b=PlayerId("P02"), result=Result.A),),)
    )

    with pytest.raises(InputError) as caught:
        play_bracket(now)

    assert caught.value.problems[0].path == "rounds[1][1]"


# -- drawing


@pytest.mark.parametrize("kind", ["single-elimination", "double-elimination"])
@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 32, 64])
def test_boxes_never_overlap_and_lines_join_them(kind, count):
    done = play_out(event(count, kind, third_place=True), lambda a, b: Result.B)
    layout = lay_out(play_bracket(done))
    at = {box.match: box for box in layout.boxes}

    spots = sorted((box.x, box.y) for box in layout.boxes)
    for (x, y), (next_x, next_y) in itertools.pairwise(spots):
        assert next_x > x or next_y >= y + 44
    for box in layout.boxes:
        assert box.x >= 0
        assert box.x + box.width <= layout.width
        assert box.y + box.height <= layout.height
    for line in layout.lines:
        assert line.points[0] == (at[line.source].x + 160, at[line.source].y + 22)
        assert line.points[-1] == (at[line.target].x, at[line.target].y + 22)
        assert at[line.source].x < at[line.target].x


def test_a_match_stands_half_way_between_the_two_that_feed_it():
    layout = lay_out(play_bracket(event(8)))
    y = {box.match: box.y for box in layout.boxes}

    assert y["W2.1"] == (y["W1.1"] + y["W1.2"]) / 2
    assert y["W3.1"] == (y["W2.1"] + y["W2.2"]) / 2
    assert [h.text.key for h in layout.headings] == [
        "round_quarter_finals",
        "round_semi_finals",
        "round_final",
    ]


def test_sources_are_named_in_the_plan():
    final = single_elimination(4)[-1]

    assert (final.a, final.b) == (From("W1.1", "winner"), From("W1.2", "winner"))


# -- round robin


def test_five_players_meet_as_on_the_published_sheet():
    rounds = schedule("ABCDE")

    assert [[*sorted("".join(sorted(p)) for p in pairs), out] for pairs, out in rounds] == [
        ["BE", "CD", "A"], ["AE", "BC", "D"], ["AD", "CE", "B"], ["AC", "BD", "E"], ["AB", "DE", "C"],
    ]  # fmt: skip


@pytest.mark.parametrize("count", range(2, 41))
def test_everybody_meets_everybody_once(count):
    rounds = schedule(range(count))
    met = [frozenset(pair) for pairs, _ in rounds for pair in pairs]

    assert len(met) == len(set(met)) == count * (count - 1) // 2
    for pairs, out in rounds:
        seated = [p for pair in pairs for p in pair] + ([out] if out is not None else [])
        assert sorted(seated) == list(range(count))


@pytest.mark.parametrize("count", range(2, 31))
@pytest.mark.parametrize("cycles", [1, 2])
def test_everybody_is_named_first_as_often_as_second_or_once_more_or_less(count, cycles):
    first = Counter(a for pairs, _ in schedule(range(count), cycles) for a, _ in pairs)
    second = Counter(b for pairs, _ in schedule(range(count), cycles) for _, b in pairs)

    assert max(abs(first[p] - second[p]) for p in range(count)) <= (
        1 if cycles == 1 and count % 2 == 0 else 0
    )


@pytest.mark.parametrize("count", range(4, 31, 2))
def test_with_an_even_number_nobody_has_the_same_side_three_times_running(count):
    sides = dict.fromkeys(range(count), "")
    for pairs, _ in schedule(range(count)):
        for a, b in pairs:
            sides[a], sides[b] = sides[a] + "a", sides[b] + "b"

    assert not any("aaa" in own or "bbb" in own for own in sides.values())


def dropped_after(games: int, policy: str) -> Tournament:
    """Four players, each wins against all below; P04 leaves after so many games."""
    now = dataclasses.replace(
        event(4, "round-robin"), drop_policy=policy, drops={PlayerId("P04"): games}, tiebreakers=()
    )
    for _ in range(3):
        pairing = pair_round_robin(now)
        matches = [Match(a=t.a, b=t.b, result=better_seed(t.a, t.b)) for t in pairing.tables]
        matches += [Match(a=p, result=Result.BYE) for p in pairing.byes]
        now = dataclasses.replace(now, rounds=(*now.rounds, tuple(matches)))
    return now


@pytest.mark.parametrize(
    ("games", "policy", "records"),
    [
        (1, "annul", {"P01": "2-0-0", "P02": "1-1-0", "P03": "0-2-0", "P04": "0-0-0"}),
        (2, "annul", {"P01": "3-0-0", "P02": "2-1-0", "P03": "1-2-0", "P04": "0-3-0"}),
        (1, "forfeit", {"P01": "3-0-0", "P02": "2-1-0", "P03": "1-2-0", "P04": "0-3-0"}),
        (0, "forfeit", {"P01": "3-0-0", "P02": "2-1-0", "P03": "1-2-0", "P04": "0-3-0"}),
    ],
)
def test_who_drops_before_half_of_the_games_is_annulled_later_games_are_forfeits(games, policy, records):
    table = rank(dropped_after(games, policy))

    assert {line.player: line.record for line in table} == records
    points = {line.player: line.points for line in table}
    assert points == {p: 3 * int(record[0]) for p, record in records.items()}


def test_the_opponent_of_one_who_dropped_sits_out():
    now = dataclasses.replace(event(4, "round-robin"), drops={PlayerId("P04"): 0})

    pairing = pair_round_robin(now)

    assert [(t.a, t.b) for t in pairing.tables] == [("P02", "P03")]
    assert pairing.byes == ("P01",)


def test_a_schedule_ends():
    now = event(2, "round-robin")
    done = (Match(a=PlayerId("P01"), b=PlayerId("P02"), result=Result.DRAW),)

    with pytest.raises(InputError):
        pair_round_robin(dataclasses.replace(now, rounds=(done,)))


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("kind", ["single-elimination", "double-elimination"])
def test_in_the_first_round_everybody_plays_or_rests(kind, count):
    pairing = pair_round(event(count, kind))
    seen = [player for table in pairing.tables for player in (table.a, table.b)] + list(pairing.byes)

    assert sorted(seen) == [f"P{n:02}" for n in range(1, count + 1)]

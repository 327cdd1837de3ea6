"""A group stage: everybody meets everybody in their own group, once or more; then the best may go on.

An entrant may name their group; if nobody does, players are dealt in a snake by seed (1-2-3, then 6-5-4).
A late entry joins the smallest group. The rounds follow the circle method as long as everybody is there from
the start; after a late entry, players who have not met yet are paired.
`across_groups` compares players of different groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import rustworkx

from judge.core.errors import fail
from judge.core.messages import Message
from judge.tournament.brackets.elimination import seeded
from judge.tournament.model import USUAL_SIZE, Entrant, Match, PlayerId, Tournament
from judge.tournament.pairing import Pairing, seat, split
from judge.tournament.round_robin import round_count, round_of, settled
from judge.tournament.standings import Standing, explain, standings
from judge.tournament.tiebreaks import Worked

Groups = dict[PlayerId, int]
Pairs = list[tuple[PlayerId, PlayerId]]
MOST_MATCHED = 128  # players of a group up to whom the most matches at once are proven


# -- membership ---------------------------------------------------------------------------------------------


def group_count(t: Tournament, players: int) -> int:
    if t.format.groups:
        return max(1, min(t.format.groups, players // 2))
    size = t.format.group_size or USUAL_SIZE
    return len(split(players, size)) or 1


def deal(order: Sequence[PlayerId], count: int) -> Groups:
    """Deal in a snake: the strongest are spread, and group sizes differ by at most one."""
    there_and_back = [*range(1, count + 1), *range(count, 0, -1)]
    return {player: there_and_back[n % (2 * count)] for n, player in enumerate(order)}


def groups_of(t: Tournament) -> Groups:
    """Everybody's group. A player without one joins the first of the smallest groups."""
    group_of: Groups = {e.id: e.group for e in t.entrants if e.group is not None}
    order = seeded(t.entrants)
    if not group_of:
        return deal(order, group_count(t, len(order)))
    sizes = Counter(dict.fromkeys(range(1, max(group_of.values()) + 1), 0))
    sizes.update(group_of.values())
    for player in (p for p in order if p not in group_of):
        group_of[player] = min(sizes, key=lambda n: (sizes[n], n))
        sizes[group_of[player]] += 1
    return group_of


def in_groups(t: Tournament) -> Tournament:
    """The same event with everybody's group filled in."""
    group_of = groups_of(t)
    return replace(t, entrants=tuple(replace(e, group=group_of[e.id]) for e in t.entrants))


def crossing(t: Tournament) -> tuple[int, int] | None:
    """Round and match, counted from 1, of the first match between two groups."""
    group_of = groups_of(t)
    for r, matches in enumerate(t.rounds, start=1):
        for m, match in enumerate(matches, start=1):
            if len({group_of[player] for player in match.players}) > 1:
                return r, m
    return None


def by_group(t: Tournament) -> list[Tournament]:
    """Every group as a tournament of its own, in order. Assumes that nobody has met across groups."""
    group_of = groups_of(t)
    count = max(group_of.values(), default=0)
    rounds: list[list[list[Match]]] = [[[] for _ in t.rounds] for _ in range(count)]
    for r, matches in enumerate(t.rounds):
        for match in matches:
            rounds[group_of[match.players[0]] - 1][r].append(match)
    entrants: list[list[Entrant]] = [[] for _ in range(count)]
    for entrant in t.entrants:
        entrants[group_of[entrant.id] - 1].append(replace(entrant, group=group_of[entrant.id]))
    return [
        replace(
            t,
            entrants=tuple(entrants[n]),
            drops={e.id: t.drops[e.id] for e in entrants[n] if e.id in t.drops},
            late={e.id: t.late[e.id] for e in entrants[n] if e.id in t.late},
            rounds=tuple(map(tuple, rounds[n])),
        )
        for n in range(count)
    ]


def settled_groups(t: Tournament) -> list[Tournament]:
    """Every group as its standings see it: drops annulled or forfeited."""
    return [settled(group) for group in by_group(t)]


# -- pairing ------------------------------------------------------------------------------------------------


def pair_groups(t: Tournament, seed: int = 0) -> Pairing:
    t = in_groups(t)
    crossed = crossing(t)
    if crossed:
        raise fail(f"rounds[{crossed[0]}][{crossed[1]}]", "tournament_across_groups")
    number, planned = len(t.rounds) + 1, planned_rounds(t)
    if not is_open(t):
        raise fail("rounds", "tournament_schedule_over", n=planned)
    pairs: list[tuple[PlayerId, PlayerId, tuple[Message, ...]]] = []
    resting: list[PlayerId] = []
    for group_number, group in enumerate(by_group(t), start=1):
        playing, out = _next_in_group(group)
        facts = {"round": number, "n": planned, "cycles": t.format.cycles}
        why = (Message("why_group", group=group_name(group_number), **facts),)
        pairs += [(a, b, why) for a, b in playing]
        resting += out
    reasons = tuple(Message("why_group_rest", name=t.label(p)) for p in resting)
    notes = _fewer_groups(t) if number == 1 else ()
    return Pairing(number, seat(pairs, t), tuple(resting), seed=seed, bye_why=reasons, notes=notes)


def _fewer_groups(t: Tournament) -> tuple[Message, ...]:
    """Said where there are too few players for the groups that were asked for."""
    count, asked = max(groups_of(t).values(), default=0), t.format.groups or 0
    return (Message("note_fewer_groups", n=count, asked=asked),) if count < asked else ()


def _next_in_group(group: Tournament) -> tuple[Pairs, list[PlayerId]]:
    """The pairs of a group's next round, and who sits out."""
    number = len(group.rounds) + 1
    here = {e.id for e in group.active(number)}
    met = _met(group)
    planned, _ = round_of(seeded(group.entrants), number) if len(group.entrants) > 1 else ([], None)
    pairs = [(a, b) for a, b in planned if a in here and b in here]
    has_stayed = len(here) == len(group.entrants) and not group.late
    if not has_stayed or not all(met[frozenset(pair)] < group.format.cycles for pair in pairs):
        pairs = _sides(group, _as_many_as_possible(sorted(here), met, group.format.cycles))
    resting = here - {p for pair in pairs for p in pair} if pairs else set()
    return pairs, [e.id for e in group.entrants if e.id in resting]


def _met(group: Tournament) -> Counter[frozenset[PlayerId]]:
    """How often each two players have met."""
    return Counter(frozenset(m.players) for matches in group.rounds for m in matches if m.b is not None)


def _sides(group: Tournament, pairs: Pairs) -> Pairs:
    """The same pairs, with the one first who has been `a` less often."""
    first = Counter(m.a for matches in group.rounds for m in matches if m.b is not None)
    return [(a, b) if first[a] <= first[b] else (b, a) for a, b in pairs]


def _as_many_as_possible(here: list[PlayerId], met: Counter[frozenset[PlayerId]], cycles: int) -> Pairs:
    """As many of the missing matches as possible at once; players with the most of them left come first."""
    if len(here) > MOST_MATCHED:
        return _in_turn(here, met, cycles)
    waiting = [pair for pair in combinations(here, 2) if met[frozenset(pair)] < cycles]
    owed = Counter(p for pair in waiting for p in pair)
    place = {player: n for n, player in enumerate(here)}
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(here)
    for a, b in waiting:
        graph.add_edge(place[a], place[b], owed[a] + owed[b])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int, verify_optimum=False)
    return sorted((here[min(pair)], here[max(pair)]) for pair in matching)


def _in_turn(here: list[PlayerId], met: Counter[frozenset[PlayerId]], cycles: int) -> Pairs:
    """Each takes the first missing opponent who is free: not always the most matches, but quick."""
    done = Counter(p for pair, times in met.items() if times >= cycles for p in pair)
    order = sorted(here, key=lambda p: (done[p], p), reverse=True)  # the next is the last
    pairs: Pairs = []
    while order:
        player = order.pop()
        other = next(
            (n for n in reversed(range(len(order))) if met[frozenset((player, order[n]))] < cycles), None
        )
        if other is not None:
            pairs.append((min(player, order[other]), max(player, order[other])))
            del order[other]
    return sorted(pairs)


def is_open(t: Tournament) -> bool:
    """Whether two players of one group still have to meet, and a round is left for it."""
    number = len(t.rounds) + 1
    is_left = number <= (t.format.rounds or number)
    return is_left and any(_has_unmet(group, {e.id for e in group.active(number)}) for group in by_group(t))


def _has_unmet(group: Tournament, here: set[PlayerId]) -> bool:
    done = sum(times >= group.format.cycles and pair <= here for pair, times in _met(group).items())
    return done < len(here) * (len(here) - 1) // 2


def planned_rounds(t: Tournament) -> int:
    """Rounds of the whole stage: those of the biggest group, and more if late entries need them."""
    sizes = Counter(groups_of(t).values())
    planned = max((round_count(n, t.format.cycles) for n in sizes.values() if n > 1), default=1)
    planned = max(planned, len(t.rounds) + is_open(t))
    return min(t.format.rounds or planned, planned)


# -- standings ----------------------------------------------------------------------------------------------


def group_name(number: int) -> str:
    """A, B, C ... and after Z the number."""
    return chr(ord("A") + number - 1) if number <= 26 else str(number)


def group_standings(t: Tournament, after: int | None = None) -> list[Standing]:
    """Group by group, everybody's rank inside it; one list for all if players met across groups."""
    if crossing(t):
        return standings(t, after)
    return [
        replace(line, group=number)
        for number, group in enumerate(settled_groups(t), start=1)
        for line in standings(group, after)
    ]


def explain_in_group(t: Tournament, player: PlayerId, after: int | None = None) -> dict[str, Worked]:
    if crossing(t):
        return explain(t, player, after)
    return explain(settled_groups(t)[groups_of(t)[player] - 1], player, after)

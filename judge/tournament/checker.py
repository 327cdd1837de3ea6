"""Checks a pairing independently of the code that made it: reads the rounds itself and trusts no number.

Faults: a player who is missing, paired twice or not in the event; a forbidden pair; a rematch or second bye
that another pairing avoids; a table used twice; a reported cost that is not the real one. Only if there is a
rematch or a second bye does a matching over 0/1 costs look for a pairing that avoids it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

import rustworkx

from judge.core.messages import Message
from judge.tournament.groups import groups_of
from judge.tournament.model import SMALLEST_TABLE, USUAL_SIZE, PlayerId, Result, Tournament
from judge.tournament.pairing import Pairing


def faults(tournament: Tournament, pairing: Pairing) -> list[Message]:
    """What is wrong with this pairing of the next round; empty if it is sound."""
    messages = _attendance(tournament, pairing) + _forbidden(tournament, pairing)
    messages += _tables_twice(pairing) + _no_such_table(tournament, pairing)
    return messages + _costs(tournament, pairing) + _avoidable(tournament, pairing)


def pod_faults(tournament: Tournament, pairing: Pairing) -> list[Message]:
    """The same for tables of three and more. Checks legality only, not how good the tables are."""
    due, most = _due(tournament), max(tournament.format.pod_size or USUAL_SIZE, SMALLEST_TABLE + 1)
    messages = _seen(tournament, pairing, due) + _tables_twice(pairing)
    messages += [
        Message("fault_table_size", table=table.number, n=len(table.players))
        for table in pairing.tables
        if not SMALLEST_TABLE <= len(table.players) <= most
    ]
    fewest = next((n for n in range(len(due)) if _fits(len(due) - n, most)), 0)
    if len(_own_byes(tournament, pairing)) > fewest:
        messages.append(Message("fault_needless_bye"))
    return messages + _forbidden(tournament, pairing)


def _fits(players: int, most: int) -> bool:
    """Whether this many players fill tables of three to `most` seats."""
    return any(SMALLEST_TABLE * k <= players <= most * k for k in range(1, players + 1))


def group_faults(tournament: Tournament, pairing: Pairing) -> list[Message]:
    """The same for a round of groups: each player is in the event, at one table, against their own group."""
    group_of = groups_of(tournament)
    messages = [f for f in _seen(tournament, pairing, _due(tournament)) if f.key != "fault_missing"]
    messages += [
        Message("fault_across_groups", a=tournament.label(table.a), b=tournament.label(table.b))
        for table in pairing.tables
        if group_of.get(table.a) != group_of.get(table.b)
    ]
    return messages + _tables_twice(pairing)


def seat_faults(tournament: Tournament, pairing: Pairing) -> list[Message]:
    """What is wrong with a round of any format: a player at two tables, a stranger, a table used twice."""
    seen = [f for f in _seen(tournament, pairing, _due(tournament)) if f.key != "fault_missing"]
    return _tables_twice(pairing) + seen


def _tables_twice(pairing: Pairing) -> list[Message]:
    numbers = Counter(table.number for table in pairing.tables)
    return [Message("fault_table_twice", table=n) for n, count in numbers.items() if count > 1]


def _no_such_table(t: Tournament, pairing: Pairing) -> list[Message]:
    """A skipped number that nobody needs, or a number outside the ranges while one inside is free."""
    wanted = {e.table for e in t.entrants}
    used = {table.number for table in pairing.tables}
    inside = {n for low, high in t.tables.ranges for n in range(low, high + 1)} - t.tables.skip
    is_full = inside <= used
    wrong = [
        n for n in sorted(used - wanted) if n in t.tables.skip or (inside and n not in inside and not is_full)
    ]
    return [Message("fault_no_such_table", table=n) for n in wrong]


def _due(t: Tournament) -> set[PlayerId]:
    """Who is to be paired in the next round."""
    number = len(t.rounds) + 1
    away = {p for kept in (t.byes, t.half_byes, t.absent) for p, rounds in kept.items() if number in rounds}
    return {
        e.id
        for e in t.entrants
        if not (e.id in t.late and t.late[e.id] > number)
        and not (e.id in t.drops and t.drops[e.id] < number)
        and e.id not in away
        and not _is_through_or_out(t, e.id)
    }


def _is_through_or_out(t: Tournament, player: PlayerId) -> bool:
    """Whether a player of a Swiss until so many wins plays no more."""
    wins = t.format.until_wins
    if wins is None:
        return False
    seen: Counter[str] = Counter()
    for number, matches in enumerate(t.rounds, start=1):
        own = [m for m in matches if player in m.players and m.result is not None]
        outcome = own[0].result.outcomes[own[0].players.index(player)] if own and own[0].result else None
        is_awarded = not own and number in t.byes.get(player, ())
        is_missed = number in t.absent.get(player, ()) or number < t.late.get(player, 1)
        won = is_awarded or outcome in ("win", "bye")
        seen["won"] += won
        seen["lost"] += not won and (is_missed or outcome in ("loss", "missed"))
    return seen["won"] >= wins or seen["lost"] >= (t.format.until_losses or wins)


def _awarded(t: Tournament) -> set[PlayerId]:
    """Who has a bye in the next round without being paired for it."""
    number = len(t.rounds) + 1
    return {
        e.id
        for e in t.entrants
        if number in t.byes.get(e.id, ()) and not (e.id in t.drops and t.drops[e.id] < number)
    }


def _own_byes(t: Tournament, pairing: Pairing) -> list[PlayerId]:
    """The byes that the pairing itself gives."""
    awarded = _awarded(t)
    return [p for p in pairing.byes if p not in awarded]


def _attendance(t: Tournament, pairing: Pairing) -> list[Message]:
    due = _due(t)
    messages = _seen(t, pairing, due)
    if len(_own_byes(t, pairing)) > len(due) % 2:
        messages.append(Message("fault_needless_bye"))
    return messages


def _seen(t: Tournament, pairing: Pairing, due: set[PlayerId]) -> list[Message]:
    due = due | _awarded(t)
    seen = Counter([p for table in pairing.tables for p in table.players] + list(pairing.byes))
    messages = [Message("fault_missing", name=t.label(p)) for p in sorted(due - seen.keys())]
    messages += [Message("fault_not_in_event", name=t.label(p)) for p in sorted(seen.keys() - due)]
    return messages + [Message("fault_twice", name=t.label(p)) for p in sorted(seen) if seen[p] > 1]


def _barred(t: Tournament) -> set[frozenset[PlayerId]]:
    """The pairs that may not meet in the next round."""
    barred = {frozenset(pair) for pair in t.forbidden}
    number = len(t.rounds) + 1 + (len(t.carried.all_rounds) if t.carried else 0)
    if t.clubs.is_hard and (t.clubs.rounds is None or number <= t.clubs.rounds):
        mates = combinations([e for e in t.entrants if e.club], 2)
        barred |= {frozenset((a.id, b.id)) for a, b in mates if a.club == b.club}
    return barred


def _forbidden(t: Tournament, pairing: Pairing) -> list[Message]:
    barred = _barred(t)
    return [
        Message("fault_forbidden", a=t.label(a), b=t.label(b))
        for table in pairing.tables
        for a, b in combinations(table.players, 2)
        if frozenset((a, b)) in barred
    ]


def _meetings(t: Tournament) -> set[frozenset[PlayerId]]:
    met = {frozenset((m.a, m.b)) for r in t.rounds for m in r if m.a is not None and m.b is not None}
    return met | _meetings(t.carried) if t.carried else met


def _byes(t: Tournament) -> set[PlayerId]:
    had: set[PlayerId] = {m.a for r in t.rounds for m in r if m.a is not None and m.result is Result.BYE}
    had |= {p for p, rounds in t.byes.items() if any(n <= len(t.rounds) for n in rounds)}
    return had | _byes(t.carried) if t.carried else had


def points_of(t: Tournament) -> dict[PlayerId, Fraction]:
    """Everybody's points, counted from the results."""
    earlier = points_of(t.carried) if t.carried else {}
    points = {e.id: earlier.get(e.id, Fraction(0)) for e in t.entrants}
    s = t.scoring
    for excused, worth_of_one in (
        (t.byes, s.bye),
        (t.half_byes, s.draw if s.half_bye is None else s.half_bye),
    ):
        for who, rounds in excused.items():
            last = min(len(t.rounds), t.drops.get(who, len(t.rounds)))
            recorded = {n for n, r in enumerate(t.rounds, 1) for m in r if m.a == who and m.b is None}
            points[who] += worth_of_one * len([n for n in rounds if n <= last and n not in recorded])
    worth = {"win": s.win, "draw": s.draw, "bye": s.bye, "loss": s.loss}
    for matches in t.rounds:
        for m in matches:
            if m.scores is not None:
                _add_places(t, m.scores, points)
            if m.result is None:
                continue
            for player, outcome in zip((m.a, m.b), m.result.outcomes, strict=True):
                if player is not None and outcome in worth and (outcome != "loss" or m.result.is_played):
                    points[player] += worth[outcome]
    return points


def _add_places(t: Tournament, scores: Mapping[PlayerId, Fraction], points: dict[PlayerId, Fraction]) -> None:
    """Points by place at one table; players with the same score share those of their places."""
    order = sorted(scores.values(), reverse=True)
    for player, score in scores.items():
        shared = [n for n, other in enumerate(order) if other == score]
        points[player] += sum((t.place_points[len(order)][n] for n in shared), Fraction(0)) / len(shared)


def _costs(tournament: Tournament, pairing: Pairing) -> list[Message]:
    points, met, had_bye = points_of(tournament), _meetings(tournament), _byes(tournament)
    gaps = [points.get(t.a, Fraction(0)) - points.get(t.b, Fraction(0)) for t in pairing.tables]
    real = (
        sum(frozenset((table.a, table.b)) in met for table in pairing.tables),
        sum(p in had_bye for p in _own_byes(tournament, pairing)),
        sum((g * g for g in gaps), Fraction(0)),
        sum(g != 0 for g in gaps),
    )
    cost = pairing.cost
    said = (cost.rematches, cost.repeat_byes, cost.score_gap, cost.floats)
    if real == said:
        return []
    return [Message("fault_cost", said=[str(x) for x in said], real=[str(x) for x in real])]


def _avoidable(t: Tournament, pairing: Pairing) -> list[Message]:
    met, had_bye = _meetings(t), _byes(t)
    rematches = sum(frozenset((table.a, table.b)) in met for table in pairing.tables)
    second_byes = sum(p in had_bye for p in _own_byes(t, pairing))
    if not rematches and not second_byes:
        return []
    best = least(sorted(_due(t)), met, had_bye, _barred(t))
    if best is not None and (rematches, second_byes) > best:
        return [Message("fault_avoidable", rematches=rematches, byes=second_byes, fewest=list(best))]
    return []


def least(
    players: list[PlayerId],
    met: set[frozenset[PlayerId]],
    had_bye: set[PlayerId],
    barred: set[frozenset[PlayerId]],
) -> tuple[int, int] | None:
    """The fewest rematches, and among those the fewest second byes, of any pairing; None if there is none."""
    seats: list[PlayerId | None] = [*players]
    if len(players) % 2:
        seats.append(None)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(seats)
    for x, player in enumerate(seats):
        for y in range(x + 1, len(seats)):
            other = seats[y]
            if player is None or other is None:
                graph.add_edge(x, y, (0, int((player or other) in had_bye)))
            elif frozenset((player, other)) not in barred:
                graph.add_edge(x, y, (int(frozenset((player, other)) in met), 0))
    matching = rustworkx.max_weight_matching(
        graph, max_cardinality=True, weight_fn=lambda cost: 5 - 2 * cost[0] - cost[1], verify_optimum=False
    )
    if 2 * len(matching) < len(seats):
        return None
    costs = [graph.get_edge_data(x, y) for x, y in matching]
    return sum(c[0] for c in costs), sum(c[1] for c in costs)

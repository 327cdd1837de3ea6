"""The next round of a Swiss event: who meets whom, at which table, why, and what the round costs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from judge.core.errors import fail
from judge.core.messages import Message
from judge.tournament.model import PlayerId, Tournament
from judge.tournament.pairing import Cost, Pairing, Table, seat
from judge.tournament.swiss.contenders import Contender, Draw, next_draw
from judge.tournament.swiss.solver import Found, solve
from judge.tournament.swiss.why import Reasons

Explained = tuple[PlayerId, PlayerId, tuple[Message, ...]]


def pair_swiss(tournament: Tournament, seed: int = 0) -> Pairing:
    """The next round. Raises InputError if the forbidden pairs leave no pairing."""
    draw = next_draw(tournament, seed)
    if len(draw.contenders) < 2:
        raise fail("rounds", "tournament_all_through", n=tournament.format.until_wins)
    solution = solve(draw)
    reasons = Reasons(tournament, draw, solution.bye, lambda c: cost_with_bye(draw, c))
    explained = in_order_of_tables(draw, solution, reasons)
    byes = (solution.bye.id,) if solution.bye else ()
    return Pairing(
        round=draw.round,
        tables=seat(explained, tournament),
        byes=byes,
        cost=cost_of(draw, solution),
        is_optimal=solution.is_proven,
        seed=seed,
        bye_why=reasons.bye_itself(),
        notes=_notes(tournament, draw.round),
    )


def in_order_of_tables(draw: Draw, solution: Found, reasons: Reasons) -> list[Explained]:
    """The pairs from the top table down, each with its reasons."""
    pairs = sorted(solution.pairs, key=lambda p: (-p[0].points, -p[1].points, p[0].standing))
    return [(*_first_second(draw, a, b), reasons.table(a, b)) for a, b in pairs]


def _notes(tournament: Tournament, number: int) -> tuple[Message, ...]:
    planned = tournament.format.rounds
    if planned is None or number <= planned:
        return ()
    return (Message("note_rounds_over", n=planned, round=number),)


def _first_second(draw: Draw, a: Contender, b: Contender) -> tuple[PlayerId, PlayerId]:
    """`a` is the player with the better standing, or the one who has started less often."""
    if draw.balances_starts and a.starts > b.starts:
        a, b = b, a
    return a.id, b.id


def cost_of(draw: Draw, solution: Found) -> Cost:
    differences = [a.points - b.points for a, b in solution.pairs]
    return Cost(
        rematches=sum(b.id in a.met for a, b in solution.pairs),
        repeat_byes=int(solution.bye is not None and solution.bye.byes > 0),
        score_gap=Fraction(sum(d * d for d in differences), draw.unit**2),
        floats=sum(d != 0 for d in differences),
    )


def cost_with_bye(draw: Draw, bye: Contender) -> Cost:
    """What the best round costs in which this player sits out."""
    rest = replace(draw, contenders=tuple(c for c in draw.contenders if c is not bye))
    return cost_of(draw, replace(solve(rest), bye=bye))


def swiss_cost(t: Tournament, tables: Iterable[Table], byes: Iterable[PlayerId]) -> Cost:
    """The cost of any pairing of the next round. Players who are not in the round cost nothing."""
    return cost_in(next_draw(t), tables, byes)


def cost_in(draw: Draw, tables: Iterable[Table], byes: Iterable[PlayerId]) -> Cost:
    """The same for a draw that is known already."""
    contenders = {c.id: c for c in draw.contenders}
    pairs = [
        _upper_first(contenders[x.a], contenders[x.b])
        for x in tables
        if x.a in contenders and x.b in contenders
    ]
    bye = next((contenders[p] for p in byes if p in contenders), None)
    return cost_of(draw, Found(pairs, bye, is_proven=False))


def _upper_first(a: Contender, b: Contender) -> tuple[Contender, Contender]:
    return (a, b) if a.standing <= b.standing else (b, a)

"""Changes to a published round that is being played: only tables without a result move, the rest stay.

`t.rounds[-1]` is the round, with the results that are in. Every change returns the whole round as it would
be, and what it costs before and after, so that a judge sees the price first.

  pair_again     pairs some unplayed tables (all if none are named) anew among their players
  swap           two players of unplayed tables change seats; the bye is a seat too
  seat_late      a late player takes the bye: they meet who sat out, or sit out where nobody did
  take_seat      a late player takes the seat of somebody who left
  move           the match of an unplayed table moves to another table, whose match comes back for it
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from judge.core.errors import fail
from judge.core.messages import Message
from judge.tournament.model import Match, PlayerId, Result, Round, Tournament
from judge.tournament.pairing import Cost, Table, seat_all
from judge.tournament.swiss.contenders import Draw, next_draw
from judge.tournament.swiss.next_round import cost_in, cost_with_bye, in_order_of_tables
from judge.tournament.swiss.solver import solve
from judge.tournament.swiss.why import Reasons


@dataclass(frozen=True, slots=True)
class Changed:
    """The round after a change, and its cost before and after. `tables` are those that changed."""

    matches: tuple[Match, ...]
    tables: tuple[Table, ...]
    byes: tuple[PlayerId, ...]
    before: Cost
    after: Cost
    bye_why: tuple[Message, ...] = ()
    is_optimal: bool = True  # no other way to pair these tables costs less, and that is proven


def pair_again(t: Tournament, tables: Collection[int] | None = None, seed: int = 0) -> Changed:
    """Pair these unplayed tables anew, with whoever has the bye and whoever has entered since."""
    matches = _published(t)
    wanted = None if tables is None else set(tables)
    open_tables = {m.table for m in matches if _is_open(m)}
    if wanted is not None and not wanted <= open_tables:
        raise fail("rounds", "tournament_table_not_open", tables=sorted(wanted - open_tables))
    awarded = set(t.awarded(len(t.rounds)))
    free: list[Match] = []
    kept: list[Match] = []
    for match in matches:
        is_named = _is_open(match) and (wanted is None or match.table in wanted)
        is_bye = match.result is Result.BYE and match.a not in awarded
        (free if is_named or is_bye else kept).append(match)
    return _paired(t, seed, kept, free)


def seat_late(t: Tournament, player: PlayerId, seed: int = 0) -> Changed:
    """Seat somebody who comes after the round was published: against the bye, else with the bye."""
    draw, matches = _draw(t, seed, ()), _published(t)
    if any(player in m.players for m in matches):
        raise fail("rounds", "tournament_already_seated", name=t.label(player))
    bye = next((m for m in matches if m.result is Result.BYE and m.a not in t.awarded(len(t.rounds))), None)
    if bye is None or bye.a is None:
        added = Match(a=player, result=Result.BYE)
        return _changed(t, draw, (*matches, added), (), (Message("why_late_bye", name=t.label(player)),))
    why = (Message("why_late_meets_bye", name=t.label(player), other=t.label(bye.a)),)
    used = {m.table for m in matches if m.table is not None}
    (table,) = seat_all([((bye.a, player), why)], t, used)
    kept = [m for m in matches if m is not bye]
    return _changed(t, draw, (*kept, Match(a=bye.a, b=player, table=table.number)), (table,))


def take_seat(t: Tournament, player: PlayerId, leaver: PlayerId) -> Changed:
    """Seat somebody who comes late in the seat of somebody who left an unplayed table."""
    matches = _published(t)
    left = next((m for m in matches if leaver in m.players and _is_open(m)), None)
    if left is None or left.a is None or left.b is None:
        raise fail("rounds", "tournament_seat_not_open", name=t.label(leaver))
    a, b = (player if seat == leaver else seat for seat in (left.a, left.b))
    why = (Message("why_late_takes_seat", name=t.label(player), other=t.label(leaver)),)
    after = tuple(replace(m, a=a, b=b) if m is left else m for m in matches)
    return _changed(t, _draw(t, 0, ()), after, (Table(left.table or 0, a, b, why),))


def swap(t: Tournament, one: PlayerId, other: PlayerId) -> Changed:
    """Two players of unplayed tables change seats."""
    matches = _published(t)
    for player in (one, other):
        own = next((m for m in matches if player in m.players), None)
        if own is None or not (_is_open(own) or own.result is Result.BYE):
            raise fail("rounds", "tournament_seat_not_open", name=t.label(player))
    turned = {one: other, other: one}
    after = tuple(
        replace(m, a=turned.get(m.a, m.a) if m.a else m.a, b=turned.get(m.b, m.b) if m.b else m.b)
        for m in matches
    )
    why = (Message("why_by_hand"),)
    moved = [(m, n) for m, n in zip(after, matches, strict=True) if m != n and m.a and m.b]
    tables = tuple(Table(m.table or 0, m.a, m.b, why) for m, _ in moved if m.a and m.b)
    return _changed(t, _draw(t, 0, ()), after, tables)


def move(t: Tournament, table: int, to: int) -> Changed:
    """The match of one unplayed table moves to another number; an unplayed match there comes back."""
    matches = _published(t)
    here, there = (next((m for m in matches if m.table == n), None) for n in (table, to))
    if here is None or not _is_open(here) or (there is not None and not _is_open(there)):
        raise fail("rounds", "tournament_table_not_open", tables=[table, to])
    numbers = {table: to, to: table}
    after = tuple(replace(m, table=numbers.get(m.table or 0, m.table)) for m in matches)
    moved = [m for m in after if m.table in numbers and m.a and m.b]
    why = (Message("why_by_hand"),)
    tables = tuple(Table(m.table or 0, m.a, m.b, why) for m in moved if m.a and m.b)
    return _changed(t, _draw(t, 0, ()), after, tables)


def _is_open(match: Match) -> bool:
    return match.b is not None and not match.is_finished


def _published(t: Tournament) -> Round:
    if not t.rounds:
        raise fail("rounds", "tournament_no_such_round", round=1, n=0)
    return t.rounds[-1]


def _draw(t: Tournament, seed: int, players: Collection[PlayerId]) -> Draw:
    """The draw of the published round: everybody as they stood before it, these players in their order."""
    return next_draw(replace(t, rounds=t.rounds[:-1]), seed, players)


def _paired(t: Tournament, seed: int, kept: list[Match], free: list[Match]) -> Changed:
    seated = {player for match in kept for player in match.players}
    draw = _draw(t, seed, {entrant.id for entrant in t.entrants} - seated)
    pool = tuple(c for c in draw.contenders if c.id not in seated)
    if len(pool) < 2:
        raise fail("rounds", "tournament_nobody_to_pair")
    part = replace(draw, contenders=pool)
    solution = solve(part)
    reasons = Reasons(t, part, solution.bye, lambda c: cost_with_bye(part, c))
    why = Message("why_again")
    pairs = [((a, b), (*said, why)) for a, b, said in in_order_of_tables(part, solution, reasons)]
    used = {m.table for m in kept if m.table is not None}
    tables = seat_all(pairs, t, used)
    matches = [*kept, *(Match(a=table.a, b=table.b, table=table.number) for table in tables)]
    if solution.bye:
        matches.append(Match(a=solution.bye.id, result=Result.BYE))
    before = {frozenset(m.players): m.table for m in free}
    new = tuple(x for x in tables if before.get(frozenset(x.players), 0) != x.number)
    changed = _changed(t, draw, tuple(matches), new, reasons.bye_itself())
    return replace(changed, is_optimal=solution.is_proven)


def _changed(
    t: Tournament,
    draw: Draw,
    after: Sequence[Match],
    tables: tuple[Table, ...],
    bye_why: tuple[Message, ...] = (),
) -> Changed:
    byes = tuple(m.a for m in after if m.a and m.result is Result.BYE)
    costs = [_cost(draw, matches) for matches in (t.rounds[-1], after)]
    in_order = sorted(after, key=lambda m: (m.b is None, m.table is None, m.table or 0))
    return Changed(tuple(in_order), tables, byes, costs[0], costs[1], bye_why)


def _cost(draw: Draw, matches: Sequence[Match]) -> Cost:
    tables = [Table(m.table or 0, m.a, m.b) for m in matches if m.a and m.b]
    return cost_in(draw, tables, [m.a for m in matches if m.a and m.result is Result.BYE])

"""Turns the engine's pairings into the rows of a draft, and a draft back into a pairing to check and price.

Stored sentences name players by number (see `reasons`). The seeds of a bracket are stored in the report of
the stage's first round.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from fractions import Fraction

from judge.core.errors import InputError, Refused
from judge.core.json_types import JsonObject
from judge.core.messages import Message
from judge.schemas.tournament.writer import number
from judge.services.event.event_rows import EventRows
from judge.services.event.tournament_of import player_id, seeds_of, tournament_of
from judge.services.pairing.reasons import numbered, pack, with_names
from judge.storage.events import HALF_BYE, Match, Round
from judge.tournament.formats import format_of, pair_round, play_bracket
from judge.tournament.groups import deal, group_count, in_groups
from judge.tournament.model import PlayerId, Result, Tournament
from judge.tournament.pairing import Cost, Pairing, Table
from judge.tournament.swiss.contenders import Contender, Draw

# Faults that make a round unplayable; the others have a cost that somebody may accept.
CostJson = dict[str, int | float]
UNPLAYABLE = (
    "fault_missing", "fault_not_in_event", "fault_twice", "fault_needless_bye", "fault_table_twice",
    "fault_across_groups", "fault_table_size",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Drawn:
    """A pairing and the seeds it was made from (empty without a bracket)."""

    tournament: Tournament
    pairing: Pairing
    seeds: list[int]


def draw_round(rows: EventRows, stage: int, seed: int, seeds: list[int] | None = None) -> Drawn:
    """Pair the next round of the stage; refused with the engine's reason if there is none."""
    tournament = tournament_of(rows, stage, name_of=numbered)
    kind = format_of(tournament)
    if kind.has_bracket and not tournament.rounds:
        seeds = seeds if seeds is not None else _draw_seeds(tournament, seed)
        tournament = with_seeds(tournament, seeds)
    return drawn_from(rows, tournament, seed, seeds or [])


def drawn_from(rows: EventRows, tournament: Tournament, seed: int, seeds: list[int]) -> Drawn:
    """The next round of this tournament, whose players go by number."""
    if format_of(tournament).has_groups:
        tournament = _with_groups(tournament, seed)
    try:
        pairing = _pair(tournament, seed)
    except InputError as error:
        raise refused_by_engine(rows, error) from error
    return Drawn(tournament, pairing, seeds)


def refused_by_engine(rows: EventRows, error: InputError) -> Refused:
    return Refused(*with_names((p.message for p in error.problems), rows.players.values()))


def _pair(tournament: Tournament, seed: int) -> Pairing:
    if tournament.first_missing_result() is None:
        return pair_round(tournament, seed)
    return format_of(tournament).pair(without_repeating_open_tables(tournament), seed)


def without_repeating_open_tables(t: Tournament) -> Tournament:
    """Forbid pairings that would repeat a postponed match."""
    open_pairs = [(m.a, m.b) for matches in t.rounds for m in matches if not m.is_finished and m.a and m.b]
    return replace(t, forbidden=(*t.forbidden, *open_pairs))


def _draw_seeds(t: Tournament, seed: int) -> list[int]:
    """The players by seed; those without one follow in random order."""
    lots = random.Random(f"seeds/{seed}")  # noqa: S311 - a stored seed is the point
    order = sorted(t.active(1), key=lambda e: e.id)
    lots.shuffle(order)
    return [int(e.id) for e in sorted(order, key=lambda e: (e.seed is None, e.seed or 0))]


def _with_groups(t: Tournament, seed: int) -> Tournament:
    """Deal groups for the first round, by seed and then by lot; late entries join the smallest group."""
    if t.rounds or any(e.group is not None for e in t.entrants):
        return in_groups(t)
    order = [player_id(p) for p in _draw_seeds(t, seed)]
    dealt = deal(order, group_count(t, len(order)))
    return replace(t, entrants=tuple(replace(e, group=dealt.get(e.id)) for e in t.entrants))


def with_seeds(t: Tournament, seeds: list[int]) -> Tournament:
    by_id = {e.id: e for e in t.entrants}
    entrants = (replace(by_id[player_id(p)], seed=n) for n, p in enumerate(seeds, start=1))
    return replace(t, entrants=tuple(entrants))


def report_of(drawn: Drawn, notes: Iterable[Message] = ()) -> JsonObject:
    pairing = drawn.pairing
    return {
        "cost": cost_json(pairing.cost),
        "optimal": pairing.is_optimal,
        "bye_why": pack(pairing.bye_why),
        "notes": pack([*notes, *pairing.notes]),
        "faults": pack(judge_pairing(drawn.tournament, pairing)),
        "seeds": drawn.seeds,
        **groups_json(drawn.tournament),
    }


def groups_json(t: Tournament) -> JsonObject:
    if not format_of(t).has_groups:
        return {}
    return {"groups": {e.id: e.group for e in t.entrants if e.group is not None}}


def cost_json(cost: Cost) -> CostJson:
    return {k: number(v) if isinstance(v, Fraction) else v for k, v in asdict(cost).items()}


def judge_pairing(tournament: Tournament, pairing: Pairing) -> list[Message]:
    """Faults that the checker finds; formats without a checker have none."""
    check = format_of(tournament).check
    return check(tournament, pairing) if check else []


def matches_of(drawn: Drawn) -> list[Match]:
    """The pairing as rows that belong to no round yet."""
    slots = _slots(drawn)
    tables = [
        Match(
            round_id=0,
            table_no=table.number,
            a_id=int(table.a),
            b_id=int(table.b),
            more=[int(p) for p in table.more] or None,
            slot=slots.get(frozenset((table.a, table.b))),
            why=pack(table.why),
        )
        for table in drawn.pairing.tables
    ]
    byes = [Match(round_id=0, a_id=int(p), result=Result.BYE.value) for p in drawn.pairing.byes]
    return [*tables, *byes, *_excused(drawn.tournament)]


def _excused(t: Tournament) -> list[Match]:
    """A row for everybody who sits the round out with a half bye, or misses it, so that lists show it."""
    number = len(t.rounds) + 1
    here = [e for e in t.entrants if t.drops.get(e.id, number) >= number >= t.late.get(e.id, 1)]
    return [
        Match(round_id=0, a_id=int(e.id), result=word)
        for excused, word in ((t.half_byes, HALF_BYE), (t.absent, Result.MISSED.value))
        for e in here
        if number in excused.get(e.id, ())
    ]


def _slots(drawn: Drawn) -> dict[frozenset[PlayerId], str]:
    """Which match of the bracket each table is."""
    if not format_of(drawn.tournament).has_bracket:
        return {}
    due = play_bracket(drawn.tournament).due()
    return {frozenset((bout.a, bout.b)): bout.id for bout in due if bout.a and bout.b}


# -- a draft after changes by hand ------------------------------------------------------------------------


def before_round(rows: EventRows, round_: Round) -> Tournament:
    """The tournament as it was before this round."""
    t = tournament_of(rows, round_.stage, upto=round_.number - 1, name_of=numbered)
    seeds = seeds_of(rows, round_.stage)
    return with_seeds(t, seeds) if seeds and not t.rounds else t


def pairing_as_it_stands(
    rows: EventRows, round_: Round, matches: Iterable[Match]
) -> tuple[Tournament, Pairing]:
    """The draft as a pairing with its current cost, for the checker."""
    t = before_round(rows, round_)
    matches = list(matches)
    tables = tuple(
        Table(m.table_no or 0, player_id(m.a_id), player_id(m.b_id), more=tuple(map(player_id, m.more or ())))
        for m in matches
        if m.b_id is not None
    )
    byes = tuple(player_id(m.a_id) for m in matches if m.b_id is None and m.result == Result.BYE)
    price = format_of(t).cost
    cost = price(t, tables, byes) if price else Cost()
    return t, Pairing(round_.number, tables, byes, cost, is_optimal=False, seed=round_.seed)


def contenders_of(draw: Draw) -> dict[int, Contender]:
    return {int(c.id): c for c in draw.contenders}

"""Two players of a draft change seats by hand: first what it costs, then done. The bye is a seat like any
other. Fixed tables follow the player who needs them.

In the first round of a bracket the two change seeds, and so their whole way through it; in later rounds the
results say who meets whom, and in a round robin the schedule does.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

from sqlmodel import Session

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.services.event.event_view import AnyEvent, MatchView, match_view
from judge.services.event.stage_format import kind_of
from judge.services.event.tournament_of import (
    EventRows,
    first_number,
    groups_in,
    player_id,
    read_rows,
)
from judge.services.log.changes import Actor, Change, changing, hold
from judge.services.play.pairing_drafts import (
    before_round,
    contenders_of,
    cost_json,
    judge_pairing,
    pairing_as_it_stands,
)
from judge.services.play.reasons import NUMBERED, numbered, pack
from judge.services.play.rounds import get_round
from judge.storage.events import Match, Round
from judge.tournament.pods.seen import meetings
from judge.tournament.swiss.contenders import Contender, Draw, next_draw


@dataclass(frozen=True, slots=True)
class Seat:
    match: Match
    place: int  # 0 is a, 1 is b; a pod has more

    @property
    def player(self) -> int:
        return self.match.seats[self.place]

    def give_to(self, player: int) -> None:
        if self.place < 2:
            setattr(self.match, "ab"[self.place] + "_id", player)
        else:
            more = list(self.match.more or ())
            more[self.place - 2] = player
            self.match.more = more


@dataclass(slots=True)
class Swap:
    """What a swap does: the tables as they would be, what they cost, what the checker says."""

    tables: list[Match] = field(default_factory=list)
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    remarks: list[Any] = field(default_factory=list)  # kept sentences, as `why` keeps them
    faults: list[Any] = field(default_factory=list)


def swap(
    session: Session, event: AnyEvent, actor: Actor, number: int, version: int, one: int, other: int
) -> Change[Swap]:
    """Exchange the seats of two players in the draft."""
    event = hold(session, event)
    rows = read_rows(session, event)
    round_ = get_round(rows, number, version)
    with changing(session, event, actor, "round.swapped", round_) as recording:
        result = _exchange(rows, round_, one, other)
        if is_bracket(rows, round_):
            _exchange_seeds(round_, result.tables, one, other)
        else:
            _note_by_hand(rows, round_, result)
    return recording.change.giving(result)


def _note_by_hand(rows: EventRows, round_: Round, swapped: Swap) -> None:
    """The tables and the draft say that somebody changed them, and what they cost now."""
    for match in swapped.tables:
        match.why = _why(rows, round_, match)
    report = {**round_.report, "cost": swapped.after, "optimal": False, "faults": swapped.faults}
    bye = next((match for match in swapped.tables if match.b_id is None), None)
    round_.report = {**report, "by_hand": True, **({"bye_why": bye.why} if bye else {})}


@dataclass(frozen=True, slots=True)
class SwapPreview:
    """What a swap would do, to be shown before it is done."""

    tables: list[MatchView]
    before: dict[str, Any]
    after: dict[str, Any]
    remarks: list[Any]
    faults: list[Any]


def preview_swap(
    session: Session, event: AnyEvent, number: int, version: int, one: int, other: int
) -> SwapPreview:
    """The same, without doing it: nothing of it is stored."""
    rows = read_rows(session, event)
    round_ = get_round(rows, number, version)
    with session.no_autoflush:
        result = _exchange(rows, round_, one, other)
        tables = [match_view(match) for match in result.tables]
        session.expire_all()
    return SwapPreview(tables, result.before, result.after, result.remarks, result.faults)


def _exchange(rows: EventRows, round_: Round, one: int, other: int) -> Swap:
    _check(rows, round_, one, other)
    matches = rows.matches[round_.id or 0]
    seats = {s.player: s for m in matches for s in _seats(m)}
    if one not in seats or other not in seats:
        raise Refused(Message("swap_not_in_round"))
    before = _price(rows, round_)
    first, second = seats[one], seats[other]
    first.give_to(other)
    second.give_to(one)
    _exchange_groups(rows, round_, one, other)
    changed = [first.match] if first.match is second.match else [first.match, second.match]
    _follow_fixed_tables(rows, matches, changed)
    if is_bracket(rows, round_):
        return Swap(changed, remarks=pack(_reseeded(round_, rows, one, other)))
    t, pairing = pairing_as_it_stands(rows, round_, matches)
    remarks = [m for match in changed for m in _why(rows, round_, match)[1:]]
    return Swap(
        changed, before, cost_json(pairing.cost), remarks, pack(judge_pairing(t, pairing)),
    )  # fmt: skip


def _check(rows: EventRows, round_: Round, one: int, other: int) -> None:
    if round_.state != "draft":
        raise Refused(Message("round_is_public", round=round_.number))
    if reason := why_no_swap(rows, round_):
        raise Refused(reason)
    if one == other:
        raise Refused(Message("swap_needs_two"))


def is_bracket(rows: EventRows, round_: Round) -> bool:
    return kind_of(rows.event, round_.stage).has_bracket


def why_no_swap(rows: EventRows, round_: Round) -> Message | None:
    """Why nobody changes places in this round, whoever it is."""
    swaps = kind_of(rows.event, round_.stage).swaps
    if swaps == "never":
        return Message("swap_in_round_robin")
    if swaps == "first-round" and round_.number != first_number(rows, round_.stage):
        return Message("swap_in_bracket")
    return None


def _reseeded(round_: Round, rows: EventRows, one: int, other: int) -> list[Message]:
    seeds = round_.report["seeds"]
    a, b = (numbered(rows.players[player]) for player in (one, other))
    return [Message("hand_seeds", a=a, b=b, to_a=seeds.index(other) + 1, to_b=seeds.index(one) + 1)]


def _exchange_seeds(round_: Round, tables: list[Match], one: int, other: int) -> None:
    """The bracket is played on from its seeds, so these change with the seats."""
    for match in tables:
        if match.b_id is not None:
            match.why = [
                *(m for m in match.why if m["key"] != "hand_seeded"),
                *pack([Message("hand_seeded")]),
            ]
    turned = {one: other, other: one}
    seeds = [turned.get(player, player) for player in round_.report["seeds"]]
    said = json.dumps(round_.report["bye_why"], ensure_ascii=False)
    said = NUMBERED.sub(lambda found: f"⟦{turned.get(int(found[1]), int(found[1]))}⟧", said)
    round_.report = {**round_.report, "seeds": seeds, "bye_why": json.loads(said), "by_hand": True}


def _exchange_groups(rows: EventRows, round_: Round, one: int, other: int) -> None:
    """In round 1 two of different groups change groups with their seats."""
    known = groups_in(rows, round_.stage)
    if known.get(one) == known.get(other):
        return
    if round_.number > 1:
        raise Refused(Message("swap_across_groups"))
    moved = {**round_.report["groups"], str(one): known[other], str(other): known[one]}
    round_.report = {**round_.report, "groups": moved}


def _seats(match: Match) -> list[Seat]:
    return [Seat(match, place) for place in range(len(match.seats))]


def _price(rows: EventRows, round_: Round) -> dict[str, Any]:
    _, pairing = pairing_as_it_stands(rows, round_, rows.matches[round_.id or 0])
    return cost_json(pairing.cost)


def _follow_fixed_tables(rows: EventRows, matches: tuple[Match, ...], changed: list[Match]) -> None:
    """A player who needs a table keeps it: the two tables change numbers."""
    for match in changed:
        needed = {p for p in _fixed(rows, match) if p != match.table_no}
        if match.b_id is None or not needed or match.table_no in _fixed(rows, match):
            continue
        wanted = min(needed)
        there = next((m for m in matches if m.table_no == wanted), None)
        if there is None:
            match.table_no = wanted
        elif wanted not in _fixed(rows, there):
            match.table_no, there.table_no = there.table_no, match.table_no


def _fixed(rows: EventRows, match: Match) -> set[int]:
    players = [rows.players[p] for p in match.seats]
    return {p.fixed_table for p in players if p.fixed_table is not None}


def _why(rows: EventRows, round_: Round, match: Match) -> list[Any]:
    """What is to be said of a table that was made by hand."""
    if match.more:
        met = meetings(before_round(rows, round_))
        again = sum(met[frozenset(pair)] > 0 for pair in combinations(map(player_id, match.seats), 2))
        return pack([Message("hand_made"), *([Message("why_pod_again_many", n=again)] if again else [])])
    draw = next_draw(before_round(rows, round_))
    known = contenders_of(draw)
    a, b = known.get(match.a_id), known.get(match.b_id or 0)
    said = [Message("hand_made")]
    if match.b_id is None:
        if a and a.byes:
            said.append(Message("hand_bye_again", name=numbered(rows.players[match.a_id])))
        return pack(said)
    if a and b:
        said += _meeting(rows, draw, a, b)
    return pack(said)


def _meeting(rows: EventRows, draw: Draw, a: Contender, b: Contender) -> list[Message]:
    names = {"a": numbered(rows.players[int(a.id)]), "b": numbered(rows.players[int(b.id)])}
    said = []
    if b.id in a.met:
        said.append(Message("hand_rematch", **names, round=a.met[b.id][-1]))
    if a.points != b.points:
        gap = abs(Fraction(a.points - b.points, draw.unit))
        said.append(Message("hand_gap", **names, gap=str(gap)))
    if a.club and a.club == b.club:
        said.append(Message("hand_club_mates", **names, club=a.club))
    return said

"""Swaps two players of a draft by hand, with a preview of the cost. The bye is a seat like any other. Fixed
tables follow the player who needs them.

In the first round of a bracket the two swap seeds, and so their whole path through it; in later rounds the
results decide who meets whom, and in a round robin the schedule does.
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
from judge.services.event.event_rows import EventRows, read_rows
from judge.services.event.event_view import AnyEvent, MatchView, match_view
from judge.services.event.stage_format import kind_of
from judge.services.event.tournament_of import first_number, groups_in, is_excused, player_id
from judge.services.log.changes import Actor, Change, changing, hold
from judge.services.pairing.last_minute import check_open, is_last
from judge.services.pairing.pairing_drafts import (
    CostJson,
    before_round,
    contenders_of,
    cost_json,
    judge_pairing,
    pairing_as_it_stands,
)
from judge.services.pairing.reasons import NUMBERED, numbered, pack
from judge.services.pairing.rounds import get_round
from judge.services.play.bans_and_picks import draw_for_round
from judge.storage.events import Match, Round, first_link
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
        if self.match.selection:
            self.match.selection = {}  # heroes belong to the players who were to meet
        if self.place < 2:
            setattr(self.match, "ab"[self.place] + "_id", player)
        else:
            more = list(self.match.more or ())
            more[self.place - 2] = player
            self.match.more = more


@dataclass(slots=True)
class Swap:
    """The result of a swap: the changed tables, the cost before and after, and the checker's faults."""

    tables: list[Match] = field(default_factory=list)
    before: CostJson = field(default_factory=dict)
    after: CostJson = field(default_factory=dict)
    remarks: list[Any] = field(default_factory=list)  # stored sentences (`reasons`)
    faults: list[Any] = field(default_factory=list)


def swap(
    session: Session,
    event: AnyEvent,
    actor: Actor,
    number: int,
    version: int,
    first_id: int,
    second_id: int,
    why: str = "",
) -> Change[Swap]:
    """Exchange the seats of two players: in a draft, or with a reason at unplayed tables of a published
    round."""
    event = hold(session, event)
    rows = read_rows(session, event)
    round_ = get_round(rows, number, version)
    with changing(session, event, actor, "round.swapped", round_, why.strip()) as recording:
        result = _exchange(rows, round_, first_id, second_id)
        check_open(round_, result.tables, why)
        if is_bracket(rows, round_):
            _exchange_seeds(round_, result.tables, first_id, second_id)
        else:
            _note_by_hand(rows, round_, result)
        if round_.state == "published":
            _start_anew(session, rows, round_, result.tables)
    return recording.change.giving(result)


def _start_anew(session: Session, rows: EventRows, round_: Round, tables: list[Match]) -> None:
    """Other players at a published table: an old slip reports nothing, and heroes are chosen again."""
    for match in tables:
        match.link, match.selection = first_link(), {}
    session.flush()  # their boxes are free again
    draw_for_round(session, rows, round_)


def _note_by_hand(rows: EventRows, round_: Round, swapped: Swap) -> None:
    """Note at the tables and in the report that somebody changed them, and what they cost now."""
    for match in swapped.tables:
        match.why = _why(rows, round_, match)
    report = {**round_.report, "cost": swapped.after, "optimal": False, "faults": swapped.faults}
    bye = next((match for match in swapped.tables if match.b_id is None), None)
    round_.report = {**report, "by_hand": True, **({"bye_why": bye.why} if bye else {})}


@dataclass(frozen=True, slots=True)
class SwapPreview:
    """What a swap would change, to be shown beforehand."""

    tables: list[MatchView]
    before: CostJson
    after: CostJson
    remarks: list[Any]
    faults: list[Any]


def preview_swap(
    session: Session, event: AnyEvent, number: int, version: int, first_id: int, second_id: int
) -> SwapPreview:
    """Work out a swap without storing it."""
    rows = read_rows(session, event)
    round_ = get_round(rows, number, version)
    with session.no_autoflush:
        result = _exchange(rows, round_, first_id, second_id)
        check_open(round_, result.tables, why="asked for later")
        tables = [match_view(match) for match in result.tables]
        session.expire_all()
    return SwapPreview(tables, result.before, result.after, result.remarks, result.faults)


def _exchange(rows: EventRows, round_: Round, first_id: int, second_id: int) -> Swap:
    _check(rows, round_, first_id, second_id)
    matches = rows.matches[round_.id or 0]
    seats = {s.player: s for m in matches if not is_excused(rows, round_, m) for s in _seats(m)}
    if first_id not in seats or second_id not in seats:
        raise Refused(Message("swap_not_in_round"))
    before = _price(rows, round_)
    first, second = seats[first_id], seats[second_id]
    first.give_to(second_id)
    second.give_to(first_id)
    _exchange_groups(rows, round_, first_id, second_id)
    changed = [first.match] if first.match is second.match else [first.match, second.match]
    _follow_fixed_tables(rows, matches, changed)
    if is_bracket(rows, round_):
        return Swap(changed, remarks=pack(_reseeded(round_, rows, first_id, second_id)))
    t, pairing = pairing_as_it_stands(rows, round_, matches)
    remarks = [m for match in changed for m in _why(rows, round_, match)[1:]]
    return Swap(
        changed, before, cost_json(pairing.cost), remarks, pack(judge_pairing(t, pairing)),
    )  # fmt: skip


def _check(rows: EventRows, round_: Round, first_id: int, second_id: int) -> None:
    if reason := why_no_swap(rows, round_):
        raise Refused(reason)
    if first_id == second_id:
        raise Refused(Message("swap_needs_two"))


def is_bracket(rows: EventRows, round_: Round) -> bool:
    return kind_of(rows.event, round_.stage).has_bracket


def why_no_swap(rows: EventRows, round_: Round) -> Message | None:
    """Why no two players can swap in this round; None if they can."""
    swaps = kind_of(rows.event, round_.stage).swaps
    if not is_last(rows, round_):
        return Message("round_has_later", round=round_.number)
    if round_.state == "published" and swaps == "first-round":
        return Message("swap_in_bracket")
    if swaps == "never":
        return Message("swap_in_round_robin")
    if swaps == "first-round" and round_.number != first_number(rows, round_.stage):
        return Message("swap_in_bracket")
    return None


def _reseeded(round_: Round, rows: EventRows, first_id: int, second_id: int) -> list[Message]:
    seeds = round_.report["seeds"]
    a, b = (numbered(rows.players[player]) for player in (first_id, second_id))
    return [Message("hand_seeds", a=a, b=b, to_a=seeds.index(second_id) + 1, to_b=seeds.index(first_id) + 1)]


def _exchange_seeds(round_: Round, tables: list[Match], first_id: int, second_id: int) -> None:
    """Swap the seeds with the seats, since the bracket is played from its seeds."""
    for match in tables:
        if match.b_id is not None:
            match.why = [
                *(m for m in match.why if m["key"] != "hand_seeded"),
                *pack([Message("hand_seeded")]),
            ]
    swapped = {first_id: second_id, second_id: first_id}
    seeds = [swapped.get(player, player) for player in round_.report["seeds"]]
    reasons = json.dumps(round_.report["bye_why"], ensure_ascii=False)
    reasons = NUMBERED.sub(lambda match: f"⟦{swapped.get(int(match[1]), int(match[1]))}⟧", reasons)
    round_.report = {**round_.report, "seeds": seeds, "bye_why": json.loads(reasons), "by_hand": True}


def _exchange_groups(rows: EventRows, round_: Round, first_id: int, second_id: int) -> None:
    """In round 1, two players of different groups swap groups with their seats."""
    groups = groups_in(rows, round_.stage)
    if groups.get(first_id) == groups.get(second_id):
        return
    if round_.number > 1:
        raise Refused(Message("swap_across_groups"))
    swapped = {**round_.report["groups"], str(first_id): groups[second_id], str(second_id): groups[first_id]}
    round_.report = {**round_.report, "groups": swapped}


def _seats(match: Match) -> list[Seat]:
    return [Seat(match, place) for place in range(len(match.seats))]


def _price(rows: EventRows, round_: Round) -> CostJson:
    _, pairing = pairing_as_it_stands(rows, round_, rows.matches[round_.id or 0])
    return cost_json(pairing.cost)


def _follow_fixed_tables(rows: EventRows, matches: tuple[Match, ...], changed: list[Match]) -> None:
    """Let a player who needs a fixed table keep it: the two tables swap numbers."""
    for match in changed:
        needed = {p for p in _fixed(rows, match) if p != match.table_no}
        if match.b_id is None or not needed or match.table_no in _fixed(rows, match):
            continue
        number = min(needed)
        occupant = next((m for m in matches if m.table_no == number), None)
        if occupant is None:
            match.table_no = number
        elif number not in _fixed(rows, occupant):
            match.table_no, occupant.table_no = occupant.table_no, match.table_no


def _fixed(rows: EventRows, match: Match) -> set[int]:
    players = [rows.players[p] for p in match.seats]
    return {p.fixed_table for p in players if p.fixed_table is not None}


def _why(rows: EventRows, round_: Round, match: Match) -> list[Any]:
    """The reasons shown at a table that was made by hand."""
    if match.more:
        met = meetings(before_round(rows, round_))
        repeated = sum(met[frozenset(pair)] > 0 for pair in combinations(map(player_id, match.seats), 2))
        remarks = [Message("why_pod_again_many", n=repeated)] if repeated else []
        return pack([Message("hand_made"), *remarks])
    draw = next_draw(before_round(rows, round_))
    contenders = contenders_of(draw)
    a, b = contenders.get(match.a_id), contenders.get(match.b_id or 0)
    reasons = [Message("hand_made")]
    if match.b_id is None:
        if a and a.byes:
            reasons.append(Message("hand_bye_again", name=numbered(rows.players[match.a_id])))
        return pack(reasons)
    if a and b:
        reasons += _meeting(rows, draw, a, b)
    return pack(reasons)


def _meeting(rows: EventRows, draw: Draw, a: Contender, b: Contender) -> list[Message]:
    names = {"a": numbered(rows.players[int(a.id)]), "b": numbered(rows.players[int(b.id)])}
    reasons = []
    if b.id in a.met:
        reasons.append(Message("hand_rematch", **names, round=a.met[b.id][-1]))
    if a.points != b.points:
        gap = abs(Fraction(a.points - b.points, draw.unit))
        reasons.append(Message("hand_gap", **names, gap=str(gap)))
    if a.club and a.club == b.club:
        reasons.append(Message("hand_club_mates", **names, club=a.club))
    return reasons

"""Read models of the standings, the bracket and a player's own page, with the arithmetic of each value.

They are made from the event's rows (`plain_rows`) and cached by the event's version.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, NamedTuple, cast

from judge.core.messages import Lang
from judge.printing.bracket import BracketMatch
from judge.printing.cross_table import CrossTable
from judge.services.event.event_rows import EventRows
from judge.services.event.event_view import MatchView
from judge.services.event.ranking import event_ranking, named_stage
from judge.services.event.stage_format import kind_of, planned_stages, pod_counts
from judge.services.event.tournament_files import arithmetic, byes_in, definition_in, phrasebook
from judge.services.event.tournament_of import members_of, player_id, stages_begun, tournament_of
from judge.services.paper.shapes import (
    bracket_of,
    cross_tables_of,
    group_heading,
    number_text,
    values_of,
)
from judge.services.play.outcomes import places_of
from judge.services.players.player_names import shown_names
from judge.services.public.plain_rows import read_plain_rows
from judge.services.public.read_models import Stamp, cached, latest, note_latest
from judge.storage.events import HALF_BYE, Round
from judge.storage.reader import Reader
from judge.tournament.brackets.layout import Layout, Sizes, lay_out
from judge.tournament.event_ranking import EventRanking, Place
from judge.tournament.formats import format_of, play_bracket
from judge.tournament.model import Outcome, outcome_for
from judge.tournament.ranking import explain
from judge.tournament.tiebreaks import TIEBREAKERS

# -- standings ----------------------------------------------------------------------------------------------


class FinalSeat(NamedTuple):
    """A player at the final table, whose order there is the final ranking."""

    name: str
    place: int | None
    score: str


@dataclass(frozen=True, slots=True)
class Scores:
    rows: EventRows
    names: dict[int, str]
    ranking: EventRanking | None  # None before the first round
    missing: int  # results not entered yet
    final: tuple[FinalSeat, ...] = ()  # the last table of pods

    @property
    def rounds(self) -> int:
        """How many are published so far."""
        return self.ranking.rounds if self.ranking else 0

    @property
    def is_final(self) -> bool:
        return self.ranking is not None and self.ranking.is_over

    @property
    def has_cut(self) -> bool:
        return any(place.is_above_cut for place in self.places)

    @property
    def places(self) -> tuple[Place, ...]:
        return self.ranking.places if self.ranking else ()

    @property
    def tiebreakers(self) -> tuple[str, ...]:
        return self.ranking.first.tiebreakers if self.ranking else ()


class Line(NamedTuple):
    """A line of the standings as a page shows it."""

    rank: int
    player: int
    name: str
    points: str
    record: str
    values: tuple[str, ...]
    group: str = ""  # its heading, where the event has groups
    is_above_cut: bool = False  # those below do not go on
    members: str = ""  # of a team


def read_scores(reader: Reader, stamp: Stamp) -> Scores:
    return cached(reader, "scores", stamp, lambda: _scores(read_plain_rows(reader, stamp)))


def _scores(rows: EventRows) -> Scores:
    names = shown_names(rows.players.values(), public=True)
    ranking = event_ranking(rows, names) if rows.published else None
    return Scores(rows, names, ranking, len(rows.missing()), _final(rows, names))


def _final(rows: EventRows, names: dict[int, str]) -> tuple[FinalSeat, ...]:
    stage = stages_begun(rows)
    counts = pod_counts(rows.event, stage) if stage > 1 else None
    tables = [m for r in rows.of_stage(stage) for m in rows.matches.get(r.id or 0, ()) if m.b_id is not None]
    if counts is None or len(tables) != 1:
        return ()
    (match,) = tables
    scores = match.scores or [None] * len(match.seats)
    seats = [
        FinalSeat(names[p], place, str(score) if counts == "scores" and score is not None else "")
        for p, place, score in zip(match.seats, places_of(scores), scores, strict=True)
    ]
    return tuple(sorted(seats, key=lambda seat: (seat.place is None, seat.place or 0)))


def standing_lines(scores: Scores, lang: Lang) -> list[Line]:
    book = phrasebook(lang)
    return [
        Line(
            place.rank, int(place.player), scores.names[int(place.player)],
            number_text(place.standing.points, lang), place.standing.record.replace("-", "–"),
            values_of(place, scores.tiebreakers, lang), group_heading(place.group, book), place.is_above_cut,
            ", ".join(m.name for m in members_of(scores.rows.players[int(place.player)])),
        )
        for place in scores.places
    ]  # fmt: skip


def tiebreaker_names(scores: Scores, lang: Lang) -> list[str]:
    book = phrasebook(lang)
    return [TIEBREAKERS[name].name(book) for name in scores.tiebreakers]


def notes_on_byes(scores: Scores, lang: Lang) -> list[str]:
    """How byes count in the tie-breakers, once somebody has had one."""
    if scores.ranking is None or not any(place.standing.byes for place in scores.places):
        return []
    book, first = phrasebook(lang), scores.ranking.first
    notes = ((name, byes_in(first, name)) for name in scores.tiebreakers)
    return [f"{TIEBREAKERS[name].name(book)}: {book.say(note)}" for name, note in notes if note]


class Working(NamedTuple):
    """The arithmetic of a tie-breaker's value."""

    name: str
    value: str
    arithmetic: str
    says: str


def workings(scores: Scores, player: int, lang: Lang) -> list[Working]:
    if scores.ranking is None:
        return []
    t, book = scores.ranking.first, phrasebook(lang)
    worked = explain(t, player_id(player))
    return [
        Working(
            TIEBREAKERS[name].name(book), number_text(w.value, lang), arithmetic(t, w),
            definition_in(t, name, book),
        )
        for name, w in worked.items()
    ]  # fmt: skip


# -- bracket ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BracketBoard:
    """A bracket as drawing and as table, and the cross tables of a round robin or of groups."""

    matches: list[BracketMatch]
    layout: Layout | None
    headings: list[tuple[str, float, float]]
    crosses: list[tuple[str, CrossTable]]  # with the group's name; of a round robin there is one without
    champion: str | None


BOX = Sizes(box_width=190, box_height=52, column_gap=36, row_gap=14, heading=30, margin=6)


def read_bracket(reader: Reader, stamp: Stamp, lang: Lang) -> BracketBoard | None:
    """The bracket, of the cut if there is one; None before its first round is published."""
    return cached(reader, "bracket", stamp, lambda: _bracket(read_plain_rows(reader, stamp), lang), lang)


def _bracket(rows: EventRows, lang: Lang) -> BracketBoard | None:
    if not rows.published:
        return None
    names, book = shown_names(rows.players.values(), public=True), phrasebook(lang)
    stages = [named_stage(rows, n, names) for n in range(1, stages_begun(rows) + 1)]
    crosses = [cross for stage in stages for cross in cross_tables_of(stage, book)]
    t = stages[-1]
    if not format_of(t).has_bracket:
        return BracketBoard([], None, [], crosses, None) if crosses else None
    bracket = play_bracket(t)
    layout = lay_out(bracket, BOX)
    champion = bracket.champion()
    headings = [(book.say(h.text), h.x, h.y) for h in layout.headings]
    return BracketBoard(
        bracket_of(t, book), layout, headings, crosses, names[int(champion)] if champion else None
    )


# -- a player's own page ------------------------------------------------------------------------------------


class Game(NamedTuple):
    """One round of a player. won: yes | no | draw | absent (from a pod); None while it is being played.
    `us` and `them`: health or games."""

    round: int
    stage: int
    table: int | None
    opponent: str | None  # None: nobody, see `alone`
    won: str | None
    us: int | None
    them: int | None
    match_id: int
    extension_s: int
    place: int | None = None  # in a pod, where `us` is the own score
    alone: str | None = None  # without an opponent: bye | half_bye | missed


class PlayerBoard(NamedTuple):
    """Everything a player's page shows of the tournament; equal boards make equal pages."""

    name: str
    state: str
    games: tuple[Game, ...]  # the newest first
    now: Game | None  # in the round that is being played
    rank: int | None  # after the last round whose results are all in, or of the live standings
    points: str
    record: str
    after: int
    players: int  # how many players the rank is among: all, or the player's group
    group: str = ""
    is_final: bool = False
    is_out: bool = False  # has no further match in this event


_WON: dict[Outcome, str] = {"win": "yes", "bye": "yes", "draw": "draw"}  # all others: no


@dataclass(frozen=True, slots=True)
class Everybody:
    """The games of all players."""

    rows: EventRows
    names: dict[int, str]
    games: dict[int, list[Game]]
    out: frozenset[int] = frozenset()  # who has no further match in this event


def read_everybody(reader: Reader, stamp: Stamp) -> Everybody:
    return cached(reader, "everybody", stamp, lambda: _everybody(reader, stamp))


def _everybody(reader: Reader, stamp: Stamp) -> Everybody:
    rows, before = read_plain_rows(reader, stamp), latest(reader, "everybody", stamp)
    people = before and _after_results(before, rows)
    if people is None:
        names = shown_names(rows.players.values(), public=True)
        people = Everybody(rows, names, _games(rows, names, rows.players), _out(rows))
    note_latest(reader, "everybody", stamp, people)
    return people


def _games(rows: EventRows, names: dict[int, str], players: Collection[int]) -> dict[int, list[Game]]:
    """The games of these players, the newest first."""
    games: dict[int, list[Game]] = {number: [] for number in players}
    for r in reversed(rows.published):
        for m in rows.matches.get(r.id or 0, ()):
            for player in m.seats:
                if player in games:
                    games[player].append(_game(names, player, r, cast(Any, m)))
    return games


def _after_results(before: Everybody, rows: EventRows) -> Everybody | None:
    """What was made of the rows before, with new games for the players of tables that have changed. None if
    more than tables has changed: then `rows` has other players and rounds."""
    old = before.rows
    if rows.players is not old.players or rows.rounds is not old.rounds:
        return None
    changed: set[int] = set()
    for number, matches in rows.matches.items():
        for m, was in zip(matches, old.matches[number], strict=True):
            if m is not was:
                changed.update(m.seats)
    games = before.games | _games(rows, before.names, changed)
    return Everybody(rows, before.names, games, _out(rows) if changed else before.out)


def _out(rows: EventRows) -> frozenset[int]:
    """Whoever is not in the last stage of the event, or is out of its bracket."""
    stage = rows.current.stage if rows.current else 0
    if stage < planned_stages(rows.event):
        return frozenset()
    if kind_of(rows.event, stage).has_bracket:
        bouts = play_bracket(tournament_of(rows, stage)).bouts.values()
        going = {int(p) for bout in bouts if bout.status != "done" for p in (bout.a, bout.b) if p}
    elif stage > 1:
        going = {int(e.id) for e in tournament_of(rows, stage).entrants}
    else:
        return frozenset()
    return frozenset(rows.players.keys() - going)


def player_board(people: Everybody, player: int, settled: Settled, lang: Lang) -> PlayerBoard | None:
    row = people.rows.players.get(player)
    if row is None:
        return None
    games = tuple(people.games[player])
    current = people.rows.current
    playing = next((g for g in games if g.won is None), None)  # also of an earlier round
    now = playing or next((g for g in games if current and g.round == current.number), None)
    place = settled.of.get(player)
    group = place.group if place else None
    players = sum(other.group == group for other in settled.of.values())
    return PlayerBoard(
        people.names[player], row.state, games, now, place.rank if place else None,
        number_text(place.standing.points, lang) if place else "",
        place.standing.record.replace("-", "–") if place else "", settled.after, players,
        group_heading(group, phrasebook(lang)), settled.is_final, player in people.out,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settled:
    """The standings after the last complete round. Five hundred phones ask for them after every result, but
    results of the round being played do not change them."""

    after: int
    of: dict[int, Place]
    is_final: bool = False


def read_settled(reader: Reader, stamp: Stamp) -> Settled:
    rows = read_everybody(reader, stamp).rows
    complete = list(
        takewhile(lambda r: all(m.result for m in rows.matches.get(r.id or 0, ())), rows.published)
    )
    if not complete:
        return Settled(0, {})
    states = tuple((p.id, p.state, p.last_round) for p in rows.players.values())
    key = hash((states, tuple(repr(m) for r in complete for m in rows.matches.get(r.id or 0, ()))))
    same = Stamp(stamp.id, len(complete), stamp.born)
    return cached(reader, "settled", same, lambda: _settled(rows, tuple(complete)), key)


def _settled(rows: EventRows, complete: tuple[Round, ...]) -> Settled:
    ranking = event_ranking(EventRows(rows.event, rows.players, complete, rows.matches))
    return Settled(len(complete), {int(place.player): place for place in ranking.places}, ranking.is_over)


def _game(names: dict[int, str], player: int, round_: Round, m: MatchView) -> Game:
    if m.more or m.scores:
        return _pod_game(names, player, round_, m)
    is_a = m.a_id == player
    other = m.b_id if is_a else m.a_id
    pair = m.games[:2] if m.games else [m.health_a, m.health_b]
    us, them = pair if is_a else pair[::-1]
    outcome = outcome_for(m.result, "a" if is_a else "b")
    won = _WON.get(outcome, "no") if outcome else None
    opponent = names[other] if other is not None else None
    if m.result == HALF_BYE:
        won = "draw"  # the points of a draw, or what the event says
    return Game(
        round_.number, round_.stage, m.table_no, opponent, won, us, them, m.id, m.extension_s,
        alone=m.result if other is None else None,
    )  # fmt: skip


def _pod_game(names: dict[int, str], player: int, round_: Round, m: MatchView) -> Game:
    others = ", ".join(names[p] for p in m.seats if p != player)
    if m.scores is None:
        return Game(
            round_.number, round_.stage, m.table_no, others, None, None, None, m.id, m.extension_s
        )  # fmt: skip
    places, at = places_of(m.scores), m.seats.index(player)
    is_first = places[at] == 1
    won = "no" if not is_first else "draw" if places.count(1) > 1 else "yes"
    if places[at] is None:
        won = "absent"
    return Game(
        round_.number, round_.stage, m.table_no, others, won, m.scores[at], None, m.id, m.extension_s,
        places[at],
    )  # fmt: skip

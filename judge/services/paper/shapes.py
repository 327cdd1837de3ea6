"""Turns a tournament into the lines, slips, tables and brackets that `judge.printing` draws, in one language.

The command starts from a file, the pages from an event; both print the same paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Literal

from judge.core.games import DICE_THRONE
from judge.core.messages import Lang, Message, Phrasebook
from judge.printing.bracket import BracketMatch, Slot
from judge.printing.cross_table import CrossTable
from judge.printing.pairings import Alone, PairingLine
from judge.printing.slips import Counts, Slip, SlipPlayer
from judge.printing.standings import PlayerLine, StandingLine, StandingsTable
from judge.tournament import model
from judge.tournament.brackets.elimination import Bout, Bracket, round_name
from judge.tournament.brackets.layout import is_drawn
from judge.tournament.brackets.plan import From
from judge.tournament.event_ranking import EventRanking, Place
from judge.tournament.formats import format_of, play_bracket
from judge.tournament.groups import group_name
from judge.tournament.history import histories
from judge.tournament.model import Entrant, Match, PlayerId, Result, Round, Side, Tournament, winner
from judge.tournament.tiebreaks import TIEBREAKERS


@dataclass(frozen=True, slots=True)
class Selection:
    """The selection of a match before it begins: hero names by player, and who takes the first turn."""

    picks: Mapping[PlayerId, tuple[str, ...]] = field(default_factory=dict)
    bans: Mapping[PlayerId, tuple[str, ...]] = field(default_factory=dict)
    starts: PlayerId | None = None


def printed_names(t: Tournament) -> dict[PlayerId, str]:
    """The names of all entrants; namesakes get their club, else their id."""
    times = Counter(e.name for e in t.entrants)
    clubs = Counter((e.name, e.club) for e in t.entrants)
    return {
        e.id: e.name
        if times[e.name] == 1
        else f"{e.name} ({e.club if e.club and clubs[e.name, e.club] == 1 else e.id})"
        for e in t.entrants
    }


def members_of(t: Tournament) -> dict[PlayerId, tuple[str, ...]]:
    """The names of each team's members; empty for a player."""
    return {e.id: tuple(member.name for member in e.members) for e in t.entrants}


def names_with_members(t: Tournament) -> dict[PlayerId, str]:
    """Printed names, a team's with its members: `Red Foxes (Ann, Bob)`."""
    members = members_of(t)
    return {
        p: f"{name} ({', '.join(members[p])})" if members[p] else name for p, name in printed_names(t).items()
    }


def number_text(value: Fraction | int, lang: Lang) -> str:
    """A number as text: whole, or with four decimals and the decimal sign of the language."""
    value = Fraction(value)
    text = str(value.numerator) if value.denominator == 1 else f"{float(value):.4f}"
    return (text if lang == "en" else text.replace(".", ",")).replace("-", "−")


def sheet_number(t: Tournament) -> str:
    """A number that rises with every round and result: `3.12` is round 3 with twelve results so far."""
    return f"{len(t.rounds)}.{sum(m.is_finished for matches in t.rounds for m in matches)}"


# -- lists --------------------------------------------------------------------------------------------------


def tables_of(matches: Round) -> list[tuple[int | None, Match]]:
    """Each match with its table: as in the file, or numbered in its order; None for a player alone."""
    used = {m.table for m in matches if m.table is not None}
    free = iter(n for n in range(1, 2 * len(matches) + 2) if n not in used)
    return [(None if len(m.players) < 2 else m.table or next(free), m) for m in matches]


def pairing_lines(
    t: Tournament, round_number: int, lang: Lang, matches: Round | None = None,
    selections: Mapping[int, Selection] | None = None,
) -> list[PairingLine]:  # fmt: skip
    """The tables of a round with the points of each player before it; `matches` if not in the file yet.
    Heroes that are known stand beside the names; players who are not paired follow at the end."""
    names, members = printed_names(t), members_of(t)
    for table in (selections or {}).values():
        names |= {p: f"{names[p]} · {', '.join(heroes)}" for p, heroes in table.picks.items()}
    before = histories(t, round_number - 1) if round_number > 1 else {}
    in_round = t.rounds[round_number - 1] if matches is None else matches

    def line(table: int | None, players: tuple[PlayerId, ...], alone: Alone) -> PairingLine:
        return PairingLine(
            table,
            tuple(names[p] for p in players),
            tuple(number_text(before[p].points, lang) for p in players) if before else (),
            alone,
            tuple(members[p] for p in players) if any(members.values()) else (),
        )

    tables = [
        line(n, m.players, "missed" if m.result is Result.MISSED else "bye") for n, m in tables_of(in_round)
    ]
    seen = {p for match in in_round for p in match.players}
    return [*tables, *(line(None, (p,), why) for p, why in _excused(t, round_number) if p not in seen)]


def _excused(t: Tournament, number: int) -> list[tuple[PlayerId, Alone]]:
    """Who is in the event but not paired in this round, and why."""
    ways: tuple[Alone, ...] = ("bye", "half_bye", "missed")
    return [
        (e.id, why)
        for excused, why in zip(t.excused, ways, strict=True)
        for e in t.entrants
        if number in excused.get(e.id, ()) and t.drops.get(e.id, number) >= number
    ]


def standings_table(ranking: EventRanking, book: Phrasebook, after: int | None = None) -> StandingsTable:
    first = ranking.first
    names = names_with_members(first)
    count = ranking.rounds if after is None else after
    dropped = book.say(Message("print_dropped"))
    lines = []
    for group, places in groupby(ranking.places, key=lambda place: place.group):
        if group is not None:
            lines.append(StandingLine(0, "", "", "", heading=group_heading(group, book)))
        lines += [
            StandingLine(
                place.rank,
                names[place.player],
                number_text(place.standing.points, book.lang),
                place.standing.record.replace("-", "–"),
                values_of(place, first.tiebreakers, book.lang),
                dropped if first.drops.get(place.player, count) < count else "",
                is_above_cut=place.is_above_cut,
            )
            for place in places
        ]
    headings = tuple(TIEBREAKERS[name].name(book) for name in first.tiebreakers)
    return StandingsTable(tuple(lines), headings, count or None, ranking.is_over)


def values_of(place: Place, tiebreakers: Sequence[str], lang: Lang) -> tuple[str, ...]:
    """The values of these tie-breakers as text; empty where the player's stage does not have one."""
    values = place.standing.tiebreakers
    return tuple(number_text(values[name], lang) if name in values else "" for name in tiebreakers)


def group_heading(group: int | None, book: Phrasebook) -> str:
    return "" if group is None else book.say(Message("print_group", name=group_name(group)))


def player_lines(t: Tournament, hero_name: Callable[[str], str] = str) -> list[PlayerLine]:
    names = printed_names(t)
    return [
        PlayerLine(
            names[e.id], " · ".join(filter(None, (e.club, ", ".join(heroes_of(e, hero_name, is_list=True)))))
        )
        for e in t.entrants
    ]


def heroes_of(entrant: Entrant, hero_name: Callable[[str], str], *, is_list: bool = False) -> tuple[str, ...]:
    """A player's heroes; a team's by member: `Ann: Monk, Paladin`. `is_list`: members without heroes too."""
    own = tuple(map(hero_name, entrant.heroes))
    return own + tuple(
        f"{member.name}: {', '.join(map(hero_name, member.heroes))}" if member.heroes else member.name
        for member in entrant.members
        if member.heroes or is_list
    )


def met_lines(stages: Sequence[Tournament], book: Phrasebook) -> list[tuple[str, str]]:
    """Everybody by name, with the opponents round by round, through all stages: `1 Ben · 2 bye`."""
    names = {player: name for t in stages for player, name in printed_names(t).items()}
    met: dict[PlayerId, list[str]] = {player: [] for player in names}
    for number, matches in enumerate((matches for t in stages for matches in t.rounds), start=1):
        for match in matches:
            for player in match.players:
                others = [names[p] for p in match.players if p != player]
                met[player].append(f"{number} {', '.join(others) or book.say(Message('print_met_bye'))}")
    lines = ((names[player], " · ".join(opponents)) for player, opponents in met.items() if opponents)
    return sorted(lines, key=lambda line: line[0].casefold())


# -- slips --------------------------------------------------------------------------------------------------


def slips_of(
    t: Tournament, round_number: int, *, matches: Round | None = None,
    url_of: Callable[[int], str] | None = None, hero_name: Callable[[str], str] = str,
    selections: Mapping[int, Selection] | None = None,
) -> list[Slip]:  # fmt: skip
    """One slip for every table of the round, in table order. `url_of(table)` is that table's result page."""
    in_round = t.rounds[round_number - 1] if matches is None else matches
    tables = [(table, match) for table, match in tables_of(in_round) if table is not None]
    names, heroes = names_with_members(t), {e.id: heroes_of(e, hero_name) for e in t.entrants}
    slips = []
    for table, match in sorted(tables, key=lambda pair: pair[0]):
        selection = (selections or {}).get(table) or _selection(match, hero_name)
        players = tuple(_slip_player(p, names, heroes, selection) for p in match.players)
        url = url_of(table) if url_of else ""
        slips.append(Slip(table, players, url, counted(t), t.best_of))
    return slips


def counted(t: Tournament) -> Counts:
    """What the boxes of a slip are for."""
    if format_of(t).has_pods:
        return "place" if t.format.counts == "places" else "score"
    return "health" if t.game == DICE_THRONE else "score"


def _selection(match: Match, hero_name: Callable[[str], str]) -> Selection:
    seats, chosen = {"a": match.a, "b": match.b}, match.selection or model.Selection()
    picks = chosen.picks if len(chosen.picks) == len(seats) else {}
    return Selection(
        picks={seat: (hero_name(hero),) for side, hero in picks.items() if (seat := seats[side])},
        bans={
            seat: tuple(map(hero_name, heroes))
            for side, heroes in chosen.bans.items()
            if (seat := seats[side])
        },
        starts=seats.get(match.first or chosen.first or ""),
    )


def _slip_player(
    player: PlayerId,
    names: Mapping[PlayerId, str],
    heroes: Mapping[PlayerId, tuple[str, ...]],
    selection: Selection,
) -> SlipPlayer:
    return SlipPlayer(
        names[player],
        picks=selection.picks.get(player, ()),
        bans=selection.bans.get(player, ()),
        starts=None if selection.starts is None else selection.starts == player,
        heroes=heroes.get(player, ()),
    )


# -- brackets and cross tables ------------------------------------------------------------------------------


def bracket_of(t: Tournament, book: Phrasebook, after: int | None = None) -> list[BracketMatch]:
    """Every match that is or may be played, numbered in the order of play; byes have none."""
    bracket = play_bracket(t, after)
    names = printed_names(t)
    drawn = {bout.id: bout for bout in bracket.bouts.values() if is_drawn(bout)}
    seeds = {player: n for n, player in enumerate(bracket.seeds, start=1)}
    return [
        BracketMatch(
            id=bout.id,
            label=str(n),
            part="losers" if bout.node.side == "losers" else "main",
            round=bout.node.round,
            a=_slot(bout, "a", names, seeds, drawn, bracket),
            b=_slot(bout, "b", names, seeds, drawn, bracket),
            stage=book.say(round_name(bracket, bout.node)),
            won=None if not bout.winner else "a" if bout.winner == bout.a else "b",
        )
        for n, bout in enumerate(drawn.values(), start=1)
    ]


def _slot(
    bout: Bout, side: Literal["a", "b"], names: Mapping[PlayerId, str], seeds: Mapping[PlayerId, int],
    drawn: Mapping[str, Bout], bracket: Bracket,
) -> Slot:  # fmt: skip
    source = bout.node.a if side == "a" else bout.node.b
    player = bout.a if side == "a" else bout.b
    origin = _played_source(source, drawn, bracket)
    is_first = not isinstance(source, From) or (origin is None and source.what == "winner")
    return Slot(
        name=names[player] if player else "",
        seed=seeds[player] if player and is_first else None,
        score=_score(bout, side),
        winner_of=origin.match if origin and origin.what == "winner" else None,
        loser_of=origin.match if origin and origin.what == "loser" else None,
    )


def _played_source(source: object, drawn: Mapping[str, Bout], bracket: Bracket) -> From | None:
    """The match that a player comes from, skipping matches that nobody plays."""
    while isinstance(source, From) and source.match not in drawn:
        before = bracket.bouts.get(source.match)
        if before is None or source.what == "loser":
            return None
        source = before.node.b if before.a == "" else before.node.a
    return source if isinstance(source, From) else None


def _score(bout: Bout, side: Literal["a", "b"]) -> str:
    match = bout.match
    if match is None:
        return ""
    is_same_side = (match.a == bout.a) == (side == "a")
    pair = match.games[:2] if match.games else match.health
    return "" if pair is None else str(pair[0] if is_same_side else pair[1])


def cross_tables_of(t: Tournament, book: Phrasebook) -> list[tuple[str, CrossTable]]:
    """The cross table of a round robin, without a name, or one for each group; none in other formats."""
    crosses = format_of(t).crosses
    groups = crosses(t) if crosses else ()
    return [(group_heading(n, book), cross_table_of(group, book)) for n, group in groups]


def cross_table_of(t: Tournament, book: Phrasebook) -> CrossTable:
    """The points of every player against every other."""
    order = [e.id for e in t.entrants]
    place = {player: n for n, player in enumerate(order)}
    names = printed_names(t)
    cells: dict[tuple[int, int], str] = {}
    for match in (m for matches in t.rounds for m in matches):
        if match.a is None or match.b is None or match.result is None:
            continue
        a, b = place[match.a], place[match.b]
        cells[a, b], cells[b, a] = _worth(t, match.result, "a", book), _worth(t, match.result, "b", book)
    history = histories(t)
    points = tuple(number_text(history[p].points, book.lang) for p in order)
    return CrossTable(tuple(names[p] for p in order), cells, points)


def _worth(t: Tournament, result: Result, side: Side, book: Phrasebook) -> str:
    if result is Result.DRAW:
        return number_text(t.scoring.draw, book.lang)
    return number_text(t.scoring.win if winner(result) == side else t.scoring.loss, book.lang)

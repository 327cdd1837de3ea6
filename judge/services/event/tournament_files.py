"""Standings, pairings and brackets of tournament files as JSON, with sentences in a language. The commands,
the API, the pages and the paper use them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NotRequired, TypedDict

import yaml

from judge.core.errors import fail
from judge.core.json_types import JsonObject
from judge.core.messages import Lang, Message, Phrasebook
from judge.schemas.fixtures import sentences
from judge.schemas.tournament.foreign import parse_tournament
from judge.schemas.tournament.reader import read_event
from judge.schemas.tournament.spreadsheets import players_csv, results_csv, standings_csv
from judge.schemas.tournament.writer import number
from judge.tournament.brackets.elimination import Bout, Bracket, Occupant, places, round_name
from judge.tournament.brackets.layout import Layout, is_drawn, lay_out
from judge.tournament.brackets.plan import Seed, Source
from judge.tournament.formats import format_of, play_bracket
from judge.tournament.model import Entrant, PlayerId, Tournament
from judge.tournament.pairing import Cost, Pairing, Table
from judge.tournament.ranking import explain
from judge.tournament.stages import event_standings, pair_stage, stage_standings, upto
from judge.tournament.standings import Standing
from judge.tournament.tiebreaks import TIEBREAKERS, Term, Worked


class StandingJson(TypedDict):
    """A line of the standings."""

    group: NotRequired[int]
    rank: int
    player: str
    points: int | float
    record: str
    byes: int
    tiebreakers: dict[str, int | float]
    stage: NotRequired[int]


class CostJson(TypedDict):
    """What a round costs."""

    rematches: int
    repeat_byes: int
    score_gap: int | float
    floats: int


class TableJson(TypedDict):
    """A table of a round: `a` and `b`, or the `players` of a pod."""

    table: int
    a: NotRequired[str]
    b: NotRequired[str]
    players: NotRequired[list[str]]
    why: str


class PairingJson(TypedDict):
    """A round; `before` is the cost of one that was paired again."""

    round: int
    tables: list[TableJson]
    bye: str | None
    cost: CostJson
    optimal: bool
    seed: int
    byes: list[str]
    bye_why: str
    notes: list[str]
    stage: NotRequired[int]
    stage_name: NotRequired[str]
    before: NotRequired[CostJson]


def phrasebook(lang: Lang) -> Phrasebook:
    return Phrasebook(lang, sentences(lang))


def say_all(messages: Sequence[Message], lang: Lang) -> str:
    book = phrasebook(lang)
    return " ".join(book.say(message) for message in messages)


# -- standings ----------------------------------------------------------------------------------------------


def standings_file(
    data: Any, after: int | None = None, stage: int | None = None, *, whole_event: bool = False
) -> list[StandingJson]:
    """The standings of a tournament file, as docs/files.md shows them (3.4): of the stage being played, of
    another, or of the whole event."""
    event = read_event(data)
    if not whole_event:
        return standings_json(event.stages[0].plan, stage_standings(event, stage, after))
    table = event_standings(event if after is None else upto(event, after))
    lines = standings_json(event.stages[0].plan, [line for _, line in table])
    return [{**line, "stage": number} for (number, _), line in zip(table, lines, strict=True)]


def standings_json(tournament: Tournament, table: Sequence[Standing]) -> list[StandingJson]:
    return [_standing_json(tournament, standing) for standing in table]


def _standing_json(tournament: Tournament, standing: Standing) -> StandingJson:
    line: StandingJson = {
        "rank": standing.rank,
        "player": tournament.label(standing.player),
        "points": number(standing.points),
        "record": standing.record,
        "byes": standing.byes,
        "tiebreakers": {name: number(value) for name, value in standing.tiebreakers.items()},
    }
    return line if standing.group is None else {"group": standing.group, **line}


def explain_file(
    data: Any, player: str, after: int | None = None, lang: Lang = "en", stage: int | None = None
) -> JsonObject:
    """One player's line of the standings, each tie-breaker with its arithmetic. A member finds the team."""
    event = read_event(data)
    tournament = event.tournament(event.begun if stage is None else stage)
    who = entrant_called(tournament, player)
    line = next(s for s in stage_standings(event, stage, after) if s.player == who.id)
    book = phrasebook(lang)
    worked = explain(tournament, line.player, after)
    return {
        **standings_json(tournament, [line])[0],
        "workings": {
            name: {
                "value": number(w.value),
                "arithmetic": arithmetic(tournament, w),
                "says": definition_in(tournament, name, book),
            }
            for name, w in worked.items()
        },
    }


def definition_in(tournament: Tournament, name: str, book: Phrasebook) -> str:
    """What a tie-breaker adds up, and how rounds without play count in this event."""
    said = TIEBREAKERS[name].definition(book)
    note = byes_in(tournament, name)
    return f"{said} {book.say(note)}" if note else said


def byes_in(tournament: Tournament, name: str) -> Message | None:
    """How a round without play counts in a tie-breaker, where it matters."""
    record = TIEBREAKERS[name]
    if record.is_of_opponents:
        return Message(f"tiebreaker_unplayed_{tournament.unplayed.replace('-', '_')}")
    if record.is_of_match_wins:
        return Message("tiebreaker_byes_won" if tournament.byes_in_omw else "tiebreaker_byes_left_out")
    return None


def arithmetic(tournament: Tournament, worked: Worked) -> str:
    """The sum as text, `3 (Ben) + 9 (Cleo) = 12`: terms left out in brackets, an arrow where the floor
    applies, a dash for a dummy opponent; after a semicolon the same among those whom it left tied."""
    text = _sum(tournament, worked)
    return f"{text}; {arithmetic(tournament, worked.again)}" if worked.again else text


def _sum(tournament: Tournament, worked: Worked) -> str:
    def term(t: Term) -> str:
        value = shown(abs(t.value))
        if t.is_dummy:
            return f"{value} (–)"
        return f"{value} ({tournament.label(t.opponent)})" if t.opponent else value

    total = "".join(f" {'−' if t.value < 0 else '+'} {term(t)}" for t in worked.terms) or " + 0"
    total = total.removeprefix(" + ").removeprefix(" ")
    if worked.divisor > 1:
        total = f"({total}) / {worked.divisor}"
    left_out = f" [{', '.join(term(t) for t in worked.left_out)}]" if worked.left_out else ""
    sign = "→" if worked.is_floored else "="
    return f"{total}{left_out} {sign} {shown(worked.value)}"


def shown(value: Fraction) -> str:
    """A number as pages show it: whole, or with four decimals."""
    text = str(abs(value.numerator)) if value.denominator == 1 else f"{float(abs(value)):.4f}"
    return f"−{text}" if value < 0 else text


def entrant_called(tournament: Tournament, name: str) -> Entrant:
    """The player or team of this name or id, or the team with a member of this name."""
    entrants = tournament.entrants
    entrant = next((e for e in entrants if name in (e.id, e.name)), None)
    entrant = entrant or next((e for e in entrants if e.is_called(name)), None)
    if entrant is None:
        raise fail("players", "tournament_unknown_player", name=name)
    return entrant


def csv_file(data: Any, what: str, after: int | None = None, stage: int | None = None) -> str:
    """`players`, `results` or `standings` of a tournament file, for a spreadsheet."""
    event = read_event(data)
    tournament = event.tournament(event.begun if stage is None else stage)
    if what == "players":
        return players_csv(tournament)
    if what == "results":
        return results_csv(tournament)
    return standings_csv(tournament, stage_standings(event, stage, after))


def converted(data: bytes) -> dict[str, Any]:
    """A file of another tool as a tournament file, checked."""
    values = parse_tournament(data)
    read_event(values)
    result: dict[str, Any] = values
    return result


def as_yaml(data: dict[str, Any]) -> str:
    text: str = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=110)
    return text


# -- pairings -----------------------------------------------------------------------------------------------


def pair_file(data: Any, seed: int = 0, lang: Lang = "en", stage: int | None = None) -> PairingJson:
    """The next round of a tournament file, as docs/files.md shows it (3.5)."""
    event = read_event(data)
    number, pairing = pair_stage(event, seed, stage)
    paired = pairing_json(event.tournament(number), pairing, lang)
    if event.is_staged:
        paired["stage"], paired["stage_name"] = number, event.stages[number - 1].name
    return paired


def pair_again_file(
    data: Any, seed: int = 0, lang: Lang = "en", stage: int | None = None, tables: Sequence[int] = ()
) -> PairingJson:
    """The last round of a Swiss file with its unplayed tables (or those named) paired again; `before` has the
    cost of the round as it was."""
    from judge.tournament.swiss.again import pair_again  # numpy takes long to load

    event = read_event(data)
    tournament = event.tournament(stage or event.begun)
    if not format_of(tournament).can_pair_again:
        raise fail("format.kind", "tournament_only_swiss_again", kind=tournament.format.kind)
    changed = pair_again(tournament, tables or None, seed)
    pairing = Pairing(
        len(tournament.rounds), changed.tables, changed.byes, changed.after, changed.is_optimal, seed,
        changed.bye_why,
    )  # fmt: skip
    return {**pairing_json(tournament, pairing, lang), "before": _cost_json(changed.before)}


def _cost_json(cost: Cost) -> CostJson:
    return {
        "rematches": cost.rematches,
        "repeat_byes": cost.repeat_byes,
        "score_gap": number(cost.score_gap),
        "floats": cost.floats,
    }


def pairing_json(tournament: Tournament, pairing: Pairing, lang: Lang = "en") -> PairingJson:
    label = tournament.label
    return {
        "round": pairing.round,
        "tables": [_table_json(t, label, lang) for t in pairing.tables],
        "bye": label(pairing.byes[0]) if pairing.byes else None,
        "cost": _cost_json(pairing.cost),
        "optimal": pairing.is_optimal,
        "seed": pairing.seed,
        "byes": [label(p) for p in pairing.byes],
        "bye_why": say_all(pairing.bye_why, lang),
        "notes": [phrasebook(lang).say(note) for note in pairing.notes],
    }


def _table_json(table: Table, label: Callable[[PlayerId], str], lang: Lang) -> TableJson:
    why = say_all(table.why, lang)
    if table.more:
        return {"table": table.number, "players": [label(p) for p in table.players], "why": why}
    return {"table": table.number, "a": label(table.a), "b": label(table.b), "why": why}


# -- brackets -----------------------------------------------------------------------------------------------


def bracket_file(data: Any, lang: Lang = "en", stage: int | None = None) -> JsonObject:
    """The bracket of a tournament file: rounds with their matches, places so far, and where to draw them."""
    event = read_event(data)
    number = event.due if stage is None else stage
    tournament = event.tournament(number)
    with event.inside(number):
        return bracket_json(play_bracket(tournament), lang)


def bracket_json(bracket: Bracket, lang: Lang = "en") -> JsonObject:
    t, book = bracket.tournament, phrasebook(lang)
    rounds: dict[tuple[str, int], JsonObject] = {}
    for bout in bracket.bouts.values():
        node = bout.node
        entry = rounds.setdefault(
            (node.side, node.round),
            {
                "side": node.side,
                "round": node.round,
                "name": book.say(round_name(bracket, node)),
                "matches": [],
            },
        )
        entry["matches"].append(_bout_json(bracket, bout))
    champion = bracket.champion()
    place = places(bracket)
    return {
        "kind": t.format.kind,
        "players": len(bracket.seeds),
        "size": bracket.size,
        "champion": t.label(champion) if champion else None,
        "rounds": list(rounds.values()),
        "places": [
            {"place": place[p], "player": t.label(p)} for p in sorted(bracket.seeds, key=place.__getitem__)
        ],
        "layout": layout_json(lay_out(bracket), lang),
    }


def _bout_json(bracket: Bracket, bout: Bout) -> JsonObject:
    def name(occupant: Occupant) -> str | None:
        return bracket.tournament.label(occupant) if occupant else None

    def seat(occupant: Occupant, source: Source) -> JsonObject:
        origin = {"seed": source.number} if isinstance(source, Seed) else {source.what: source.match}
        return {"player": name(occupant), "from": origin, "is_bye": occupant == ""}

    match = bout.match
    return {
        "id": bout.id,
        "a": seat(bout.a, bout.node.a),
        "b": seat(bout.b, bout.node.b),
        "status": bout.status,
        "winner": name(bout.winner),
        "result": match.result.value if match and match.result else None,
        "health": list(match.health) if match and match.health else None,
        "games": list(match.games) if match and match.games else None,
        "is_drawn": is_drawn(bout),
    }


def layout_json(layout: Layout, lang: Lang = "en") -> JsonObject:
    book = phrasebook(lang)
    return {
        "width": layout.width,
        "height": layout.height,
        "boxes": [dataclasses.asdict(box) for box in layout.boxes],
        "lines": [{"from": line.source, "to": line.target, "points": line.points} for line in layout.lines],
        "headings": [{"text": book.say(h.text), "x": h.x, "y": h.y} for h in layout.headings],
    }

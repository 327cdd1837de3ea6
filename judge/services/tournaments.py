"""A tournament file in; standings, the next round or the bracket out. The same functions behind the commands,
the API, the pages and the paper: JSON-able values, with sentences in the asked language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from judge.core.errors import fail
from judge.core.messages import Lang, Message, Phrasebook
from judge.schemas.fixtures import sentences
from judge.schemas.tournament import read_tournament
from judge.schemas.tournament_write import number
from judge.tournament.model import ELIMINATION, Tournament
from judge.tournament.pairing import Pairing
from judge.tournament.standings import Standing, explain, standings
from judge.tournament.tiebreaks import Term, Worked


def phrasebook(lang: Lang) -> Phrasebook:
    return Phrasebook(lang, sentences(lang))


def say_all(messages: Sequence[Message], lang: Lang) -> str:
    book = phrasebook(lang)
    return " ".join(book.say(message) for message in messages)


# -- standings ----------------------------------------------------------------------------------------------


def standings_file(data: Any, after: int | None = None) -> list[dict[str, Any]]:
    """The standings of a tournament file, as CONTRACT section 2 shows them."""
    tournament = read_tournament(data)
    return standings_json(tournament, standings_of(tournament, after))


def standings_of(tournament: Tournament, after: int | None = None) -> list[Standing]:
    if after is not None and not 0 <= after <= len(tournament.rounds):
        raise fail("rounds", "tournament_no_such_round", round=after, n=len(tournament.rounds))
    return standings(tournament, after)


def standings_json(tournament: Tournament, table: Sequence[Standing]) -> list[dict[str, Any]]:
    return [
        {
            "rank": s.rank,
            "player": tournament.label(s.player),
            "points": number(s.points),
            "record": s.record,
            "byes": s.byes,
            "tiebreakers": {name: number(value) for name, value in s.tiebreakers.items()},
        }
        for s in table
    ]


def explain_file(data: Any, player: str, after: int | None = None, lang: Lang = "en") -> dict[str, Any]:
    """One player's line of the standings, each tie-breaker with its arithmetic."""
    tournament = read_tournament(data)
    table = standings_of(tournament, after)
    line = next((s for s in table if player in (tournament.label(s.player), s.player)), None)
    if line is None:
        raise fail("players", "tournament_unknown_player", name=player)
    book = phrasebook(lang)
    worked = explain(tournament, line.player, after)
    return {
        **standings_json(tournament, [line])[0],
        "workings": {
            name: {
                "value": number(w.value),
                "arithmetic": arithmetic(tournament, w),
                "says": book.say(Message(f"tiebreaker_{name.replace('-', '_')}")),
            }
            for name, w in worked.items()
        },
    }


def arithmetic(tournament: Tournament, worked: Worked) -> str:
    """`3 (Ben) + 9 (Cleo) = 12`; what was left out stands in brackets."""

    def term(t: Term) -> str:
        return f"{shown(t.value)} ({tournament.label(t.opponent)})" if t.opponent else shown(t.value)

    kept = " + ".join(term(t) for t in worked.terms) or "0"
    if worked.divisor > 1:
        kept = f"({kept}) / {worked.divisor}"
    out = f" [{', '.join(term(t) for t in worked.left_out)}]" if worked.left_out else ""
    return f"{kept}{out} = {shown(worked.value)}"


def shown(value: Fraction) -> str:
    """As pages and tables show a number: whole, or four decimals."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.4f}"


# -- pairings -----------------------------------------------------------------------------------------------


def pair_file(data: Any, seed: int = 0, lang: Lang = "en") -> dict[str, Any]:
    """The next round of a tournament file, as CONTRACT section 2 shows it."""
    tournament = read_tournament(data)
    return pairing_json(tournament, pair(tournament, seed), lang)


def pair(tournament: Tournament, seed: int = 0) -> Pairing:
    """The next round by the event's format. Says which result is missing rather than pairing without it."""
    kind = tournament.format.kind
    if kind not in PAIRERS:
        raise fail("format.kind", "tournament_cannot_pair_kind", kind=kind)
    _check_ready(tournament)
    missing = tournament.first_missing_result()
    if missing:
        raise fail(f"rounds[{missing[0]}][{missing[1]}].result", "tournament_result_missing")
    return PAIRERS[kind](tournament, seed)


def _check_ready(t: Tournament) -> None:
    if not t.entrants:
        raise fail("players", "tournament_no_players")
    active = t.active(len(t.rounds) + 1)
    if not active and all(e.id in t.drops for e in t.entrants):
        raise fail("drops", "tournament_everybody_dropped")
    if len(active) < 2 and t.format.kind not in ELIMINATION:
        raise fail("players", "tournament_too_few_players", n=len(active))


def _swiss(tournament: Tournament, seed: int) -> Pairing:
    from judge.tournament.swiss import pair_swiss

    return pair_swiss(tournament, seed)


PAIRERS: dict[str, Callable[[Tournament, int], Pairing]] = {"swiss": _swiss}


def pairing_json(tournament: Tournament, pairing: Pairing, lang: Lang = "en") -> dict[str, Any]:
    label, cost = tournament.label, pairing.cost
    return {
        "round": pairing.round,
        "tables": [
            {"table": t.number, "a": label(t.a), "b": label(t.b), "why": say_all(t.why, lang)}
            for t in pairing.tables
        ],
        "bye": label(pairing.byes[0]) if pairing.byes else None,
        "cost": {
            "rematches": cost.rematches,
            "repeat_byes": cost.repeat_byes,
            "score_gap": number(cost.score_gap),
            "floats": cost.floats,
        },
        "optimal": pairing.is_optimal,
        "seed": pairing.seed,
        "byes": [label(p) for p in pairing.byes],
        "bye_why": say_all(pairing.bye_why, lang),
        "notes": [phrasebook(lang).say(note) for note in pairing.notes],
    }

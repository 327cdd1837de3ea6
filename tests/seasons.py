"""Simulated events for the tests: played round by round with draws, drops, late entries and no-shows."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator

from judge.tournament.model import Entrant, Format, Match, PlayerId, Result, Tournament
from judge.tournament.pairing import Pairing
from judge.tournament.swiss.next_round import pair_swiss

OTHER_RESULTS = [Result.DRAW, Result.NO_SHOW_A, Result.NO_SHOW_B, Result.DOUBLE_LOSS]


def players(count: int, clubs: int = 0) -> tuple[Entrant, ...]:
    return tuple(
        Entrant(PlayerId(f"P{n:04}"), f"P{n:04}", club=f"club {n % clubs}" if clubs else None)
        for n in range(1, count + 1)
    )


def event(count: int, **settings) -> Tournament:
    return Tournament(entrants=players(count), format=Format(kind="swiss"), **settings)


def played(tournament: Tournament, pairing: Pairing, chance: random.Random, odd: float = 0.08) -> Tournament:
    """The tournament after this round, with results by lot."""
    matches = [Match(a=p, result=Result.BYE) for p in pairing.byes]
    for table in pairing.tables:
        usual = chance.random() >= odd
        result = chance.choice([Result.A, Result.B] if usual else OTHER_RESULTS)
        matches.append(Match(a=table.a, b=table.b, result=result))
    return dataclasses.replace(tournament, rounds=(*tournament.rounds, tuple(matches)))


def season(
    count: int, rounds: int, seed: int, turnover: float = 0.03
) -> Iterator[tuple[Tournament, Pairing]]:
    """Each state of the event with the pairing made from it."""
    chance = random.Random(seed)
    now = event(count)
    late = {e.id: chance.randint(2, max(2, rounds)) for e in now.entrants if chance.random() < turnover}
    now = dataclasses.replace(now, late=late if len(late) < count - 2 else {})
    for number in range(1, rounds + 1):
        if len(now.active(number)) < 2:
            return
        pairing = pair_swiss(now, seed)
        yield now, pairing
        now = played(now, pairing, chance)
        leaving = {e.id: number for e in now.active(number) if chance.random() < turnover}
        leaving = {p: n for p, n in leaving.items() if now.late.get(p, 1) <= number}
        now = dataclasses.replace(now, drops={**now.drops, **leaving})

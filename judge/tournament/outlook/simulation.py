"""Plays the rest of a stage many times by lot: how often each player is inside the cut, by points alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from judge.tournament.formats import format_of
from judge.tournament.model import PlayerId
from judge.tournament.outlook.contest import Contest

Ints = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]


def chances(contest: Contest, scenarios: int, draws: float, seed: int) -> dict[PlayerId, float]:
    """Each player's share of the scenarios in which they are inside; players level at the edge share the
    places that are left."""
    players = list(contest.points)
    place = {player: n for n, player in enumerate(players)}
    lot = np.random.default_rng(seed)
    points = np.tile(np.array([contest.certain[p] for p in players], np.int64), (scenarios, 1))
    for matches in _at_once(contest.matches):
        first, second = (np.array([[place[pair[side]] for pair in matches]]) for side in (0, 1))
        _play(contest, points, first, second, draws, lot.random((len(matches), scenarios)).T)
    worths = np.array(contest.per_round, np.int64)
    for seats in contest.pods:
        inside = [place[p] for p in seats if p in place]
        points[:, inside] += lot.choice(worths, (scenarios, len(inside)))
    for number in contest.rounds_to_pair:
        paired = [n for p, n in place.items() if contest.sure(p, number) is None]
        _next_round(contest, points, np.array(paired, np.int64), draws, lot)
    return dict(zip(players, _inside(contest, points).tolist(), strict=True))


def _next_round(contest: Contest, points: Ints, paired: Ints, draws: float, lot: np.random.Generator) -> None:
    """Neighbours in the standings meet, equals in an order by lot; an odd one, the last, has a bye."""
    if format_of(contest.tournament).has_pods:
        worths = np.array(contest.per_round, np.int64)
        points[:, paired] += lot.choice(worths, (len(points), len(paired)))
        return
    order = paired[np.argsort(-points[:, paired] - lot.random((len(points), len(paired))), axis=1)]
    even = len(paired) // 2 * 2
    chance = lot.random((len(points), even // 2))
    _play(contest, points, order[:, 0:even:2], order[:, 1:even:2], draws, chance)
    if even < len(paired):
        rows = np.arange(len(points))
        points[rows, order[:, -1]] += int(contest.tournament.scoring.bye * contest.unit)


def _at_once(matches: list[tuple[PlayerId, PlayerId]]) -> Iterator[list[tuple[PlayerId, PlayerId]]]:
    """The matches in their order, in parts in which nobody plays twice."""
    part: list[tuple[PlayerId, PlayerId]] = []
    playing: set[PlayerId] = set()
    for pair in matches:
        if playing & set(pair):
            yield part
            part, playing = [], set()
        part.append(pair)
        playing |= set(pair)
    if part:
        yield part


def _play(contest: Contest, points: Ints, first: Ints, second: Ints, draws: float, chance: Shares) -> None:
    rows = np.arange(len(points))[:, None]
    worth = contest.worth
    win, draw, loss = worth["win"], worth["draw"], worth["loss"]
    wins, is_draw = chance < (1 - draws) / 2, chance >= 1 - draws
    points[rows, first] += np.where(is_draw, draw, np.where(wins, win, loss))
    points[rows, second] += np.where(is_draw, draw, np.where(wins, loss, win))


def _inside(contest: Contest, points: Ints) -> Shares:
    if contest.threshold is not None:
        reached: Shares = np.mean(points >= contest.threshold, axis=0)
        return reached
    size = min(contest.places, points.shape[1])
    edge = np.sort(points, axis=1)[:, -size][:, None]
    above, level = (points > edge).sum(axis=1), (points == edge).sum(axis=1)
    shared = ((size - above) / level)[:, None]
    inside: Shares = np.mean(np.where(points > edge, 1.0, np.where(points == edge, shared, 0.0)), axis=0)
    return inside

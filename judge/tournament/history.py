"""Each player's rounds so far: one `Played` per round, with the points it brought.

A bye, paired or awarded, gives points, but no opponent; one that is worth nothing is no win. Half a bye gives
the points of a draw. A no-show or double loss counts like a played match without health. A round missed by a
late entry or an absence is a loss without an opponent. After a drop nothing counts. For game-win shares a bye
counts as the games that win a match, a missed round or double loss as the same number lost: our assumption
where nothing is published. Where points are given per game, each game of a match brings them, and a bye those
of the games that win a match.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from judge.tournament.model import Format, Match, Outcome, PlayerId, Result, Round, Tournament

ZERO = Fraction(0)


class Played(NamedTuple):
    round: int
    outcome: Outcome
    points: Fraction
    opponent: PlayerId | None = None
    over_the_board: bool = False  # both sat down: health counts
    health: tuple[int, int] | None = None  # own, opposing
    games: tuple[int, int, int] = (0, 0, 0)  # won, lost, drawn
    place_share: Fraction = ZERO  # pods: 1 for the first place, 1/k if k share it
    score: Fraction = ZERO  # pods
    score_share: Fraction = ZERO  # pods: own score x table size / table total


@dataclass(slots=True)
class History:
    """One player's rounds, in order."""

    player: PlayerId
    played: list[Played] = field(default_factory=list)
    points: Fraction = ZERO
    wins: int = 0
    losses: int = 0
    draws: int = 0
    byes: int = 0

    def add(self, played: Played) -> None:
        self.played.append(played)
        self.points += played.points
        self.byes += played.outcome == "bye"
        if played.outcome == "bye" and not played.points:
            return
        if played.outcome in ("win", "bye") or (played.outcome == "pod" and played.place_share == 1):
            self.wins += 1
        elif played.outcome in ("draw", "half-bye") or (played.outcome == "pod" and played.place_share > 0):
            self.draws += 1
        else:
            self.losses += 1

    @property
    def record(self) -> str:
        return f"{self.wins}-{self.losses}-{self.draws}"

    def opponents(self) -> Iterator[Played]:
        return (p for p in self.played if p.opponent is not None)


def has_finished(shape: Format, history: History) -> bool:
    """Whether a player of a Swiss until so many wins is through or out, and plays no more."""
    if shape.until_wins is None:
        return False
    most_losses = shape.until_losses or shape.until_wins
    return history.wins >= shape.until_wins or history.losses >= most_losses


def histories(tournament: Tournament, after: int | None = None) -> dict[PlayerId, History]:
    """Every entrant's history over the first `after` rounds. Matches without a result do not count.

    A stage that carries points on begins with the histories of the stage before, also of players who are
    no longer in: they stay opponents."""
    t = tournament
    result = histories(t.carried) if t.carried is not None else {}
    for entrant in t.entrants:
        result.setdefault(entrant.id, History(entrant.id))
    unpaired = [p for kept in (t.late, *t.excused) for p in kept if p in result]
    for number, matches in enumerate(_rounds(t, after), start=1):
        alone = {p: played for p in unpaired if (played := _without_pairing(t, p, number))}
        for player, played in alone.items():
            result[player].add(played)
        for match in matches:
            if match.is_finished and match.a not in alone:
                for player, played in played_in(t, number, match):
                    result[player].add(played)
    return result


def played_of(tournament: Tournament, player: PlayerId, after: int | None = None) -> Iterator[Played]:
    """One player's rounds, without computing anybody else's."""
    if tournament.carried is not None:
        yield from played_of(tournament.carried, player)
    for number, matches in enumerate(_rounds(tournament, after), start=1):
        alone = _without_pairing(tournament, player, number)
        if alone:
            yield alone
            continue
        for match in matches:
            if match.is_finished and player in match.players:
                yield from (p for who, p in played_in(tournament, number, match) if who == player)


def _without_pairing(t: Tournament, player: PlayerId, number: int) -> Played | None:
    """The round of a player who is not to be paired in it; None of one who is, or who has dropped."""
    if number > t.drops.get(player, number):
        return None
    if number in t.byes.get(player, ()):
        return _bye(t, number)
    if number in t.half_byes.get(player, ()):
        return Played(t.rounds_before + number, "half-bye", t.scoring.worth_of_half_bye)
    if number < t.late.get(player, 1) or number in t.absent.get(player, ()):
        return _missed(t, number)
    return None


def _rounds(tournament: Tournament, after: int | None) -> tuple[Round, ...]:
    return tournament.rounds if after is None else tournament.rounds[:after]


def played_in(tournament: Tournament, number: int, match: Match) -> Iterator[tuple[PlayerId, Played]]:
    """What a finished match of round `number` means for each of its players."""
    if match.scores is not None:
        yield from _pod(tournament, number, match)
    elif match.a is None:
        return
    elif match.result is Result.BYE:
        yield match.a, _bye(tournament, number)
    elif match.result is Result.MISSED:
        yield match.a, _missed(tournament, number)
    elif match.b is not None and match.result is not None:
        yield from _two_sided(tournament, number, match, match.a, match.b, match.result)


def _two_sided(
    t: Tournament, number: int, match: Match, a: PlayerId, b: PlayerId, result: Result
) -> Iterator[tuple[PlayerId, Played]]:
    (of_a, of_b), sat_down = result.outcomes, result.is_played
    assert of_b is not None, "a bye and a missed round have nobody on the other side"
    health = match.health if sat_down else None
    won, lost, drawn = match.games or _usual_games(of_a, of_b, t.best_of)
    games_b = (lost, won, drawn)
    if result is Result.DOUBLE_LOSS and match.games is None:
        won, lost, drawn = games_b = (0, needed(t.best_of), 0)
    points = (_points(t, of_a, (won, lost, drawn), sat_down), _points(t, of_b, games_b, sat_down))
    counted = t.rounds_before + number
    yield a, Played(counted, of_a, points[0], b, sat_down, health, (won, lost, drawn))
    turned = (health[1], health[0]) if health else None
    yield b, Played(counted, of_b, points[1], a, sat_down, turned, games_b)


def _points(t: Tournament, outcome: Outcome, games: tuple[int, int, int], sat_down: bool) -> Fraction:
    """What a match brings one player. Who was absent, and double losers, get nothing, even where a played
    loss is worth something."""
    if outcome == "loss" and not sat_down:
        return ZERO
    s = t.scoring
    if s.per == "game":
        return s.win * games[0] + s.loss * games[1] + s.draw * games[2]
    return {"win": s.win, "loss": s.loss, "draw": s.draw}[outcome]


def needed(best_of: int) -> int:
    """How many games win a match."""
    return best_of // 2 + 1


def _usual_games(of_a: Outcome, of_b: Outcome, best_of: int) -> tuple[int, int, int]:
    """Assumed games of a match without recorded games: all won, or one drawn."""
    if of_a == of_b:
        return (0, 0, 1)
    return (needed(best_of), 0, 0) if of_a == "win" else (0, needed(best_of), 0)


def _bye(t: Tournament, number: int) -> Played:
    games = needed(t.best_of) if t.scoring.bye else 0
    points = t.scoring.bye * (games if t.scoring.per == "game" else 1)
    return Played(t.rounds_before + number, "bye", points, games=(games, 0, 0))


def _missed(t: Tournament, number: int) -> Played:
    return Played(t.rounds_before + number, "missed", ZERO, games=(0, needed(t.best_of), 0))


def _pod(t: Tournament, number: int, match: Match) -> Iterator[tuple[PlayerId, Played]]:
    """Points per place, ties averaged; the share is normalised so that small tables gain nothing."""
    scores = match.scores or {}
    by_place = t.place_points.get(len(scores), ())
    total = sum(scores.values(), ZERO)
    for player, score in scores.items():
        above = sum(other > score for other in scores.values())
        level = sum(other == score for other in scores.values())
        shared = by_place[above : above + level]
        yield (
            player,
            Played(
                t.rounds_before + number,
                "pod",
                sum(shared, ZERO) / level,
                place_share=Fraction(1, level) if above == 0 else ZERO,
                score=score,
                score_share=score * len(scores) / total if total else ZERO,
            ),
        )

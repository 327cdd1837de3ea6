"""Finds contradictions in a tournament file: a player twice in a round, a result that contradicts its health,
a match after a drop. Each fault names the place in the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.errors import InputError, Problem, fail, problem
from judge.schemas.shape import raise_all
from judge.tournament.formats import format_of
from judge.tournament.model import Match, PlayerId, Result, Tournament, winner


def check_story(tournament: Tournament) -> None:
    """Raise all contradictions at once; of each match only the first."""
    problems = [*_seed_problems(tournament), *_drop_problems(tournament)]
    for r, matches in enumerate(tournament.rounds, start=1):
        seen: set[PlayerId] = set()
        for m, match in enumerate(matches, start=1):
            try:
                _check_match(tournament, match, f"rounds[{r}][{m}]")
                _check_players(tournament, match, r, f"rounds[{r}][{m}]", seen)
            except InputError as error:
                problems += error.problems
            seen.update(match.players)
    raise_all(problems)


def _drop_problems(t: Tournament) -> Iterator[Problem]:
    for player, last in t.drops.items():
        if last < t.late.get(player, 1) - 1:
            yield problem(f"drops.{player}", "tournament_dropped_before_entry", name=player)


def _seed_problems(t: Tournament) -> Iterator[Problem]:
    seen: set[int] = set()
    for n, entrant in enumerate(t.entrants, start=1):
        if entrant.seed is None:
            continue
        if entrant.seed in seen:
            yield problem(f"players[{n}].seed", "tournament_same_seed", seed=entrant.seed)
        seen.add(entrant.seed)


def _check_players(t: Tournament, match: Match, number: int, path: str, seen: set[PlayerId]) -> None:
    for player in match.players:
        _check_present(t, player, match, number, path)
        if player in seen:
            raise fail(path, "tournament_twice_in_round", name=player, round=number)


def _check_present(t: Tournament, player: PlayerId, match: Match, number: int, path: str) -> None:
    if match.result is Result.MISSED:
        return
    if number < t.late.get(player, 1):
        raise fail(path, "tournament_plays_before_entry", name=player, round=t.late[player])
    if number > t.drops.get(player, number):
        raise fail(path, "tournament_plays_after_drop", name=player, round=t.drops[player])


def _check_match(t: Tournament, match: Match, path: str) -> None:
    if match.scores is not None or match.seats:
        if len(match.players) not in t.place_points:
            where = "players" if match.scores is None else "scores"
            raise fail(f"{path}.{where}", "tournament_no_place_points", n=len(match.players))
        return
    if match.a == match.b:
        raise fail(f"{path}.b", "tournament_against_oneself", name=match.a)
    if match.b is None and not (match.result and match.result.is_alone):
        raise fail(f"{path}.b", "tournament_opponent_missing")
    if match.b is not None and match.result and match.result.is_alone:
        raise fail(f"{path}.b", "tournament_alone_has_opponent", result=match.result)
    if match.result is Result.DRAW and not format_of(t).has_draws:
        raise fail(f"{path}.result", "tournament_draw_in_bracket")
    _check_health(match, path)
    _check_games(match, path)


def _check_health(match: Match, path: str) -> None:
    """Check a result against its health: a player at 0 has lost to one above 0; a winner has no less."""
    if match.health is None or match.result is None:
        return
    a, b = (max(h, 0) for h in match.health)
    if match.result.is_played and winner(match.result):
        wrong = a < b if winner(match.result) == "a" else b < a
    else:
        wrong = match.result is Result.DRAW and 0 in (a, b) and a != b
    if wrong:
        raise fail(
            f"{path}.health", "tournament_health_contradicts", result=match.result, health=match.health
        )


def _check_games(match: Match, path: str) -> None:
    if match.games is None or match.result is None:
        return
    a, b, _ = match.games
    if match.result.is_played and winner(match.result):
        wrong = a < b if winner(match.result) == "a" else b < a
    else:
        wrong = match.result is Result.DRAW and a != b
    if wrong:
        raise fail(f"{path}.games", "tournament_games_contradict", result=match.result, games=match.games)

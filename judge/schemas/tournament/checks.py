"""Finds contradictions in a tournament file: a player twice in a round, a result that contradicts its health,
a match after a drop. Each fault names the place in the file.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from judge.core.errors import InputError, Problem, fail, problem
from judge.schemas.shape import raise_all
from judge.schemas.tournament.story_reader import EXCUSED
from judge.tournament.formats import format_of
from judge.tournament.model import HOWS, Match, PlayerId, Result, Tournament, winner


def check_story(tournament: Tournament) -> None:
    """Raise all contradictions at once; of each match only the first."""
    problems = [*_seed_problems(tournament), *_drop_problems(tournament), *_excuse_problems(tournament)]
    everybody = {e.id for e in tournament.entrants}
    for r, matches in enumerate(tournament.rounds, start=1):
        seen: set[PlayerId] = set()
        for m, match in enumerate(matches, start=1):
            try:
                _check_match(tournament, match, f"rounds[{r}][{m}]")
                _check_entered(tournament, match, f"rounds[{r}][{m}]", everybody)
                _check_players(tournament, match, r, f"rounds[{r}][{m}]", seen)
            except InputError as error:
                problems += error.problems
            seen.update(match.players)
    raise_all(problems)


def _drop_problems(t: Tournament) -> Iterator[Problem]:
    for player, last in t.drops.items():
        if last < t.late.get(player, 1) - 1:
            yield problem(f"drops.{player}", "tournament_dropped_before_entry", name=player)


def _excuse_problems(t: Tournament) -> Iterator[Problem]:
    """A round in two of byes, half byes and absences; or any of them in a bracket, which waits for nobody."""
    seen: set[tuple[PlayerId, int]] = set()
    if format_of(t).has_bracket:
        for player, first in t.late.items():
            if first > 1:
                yield problem(f"late.{t.label(player)}", "tournament_excused_in_bracket")
    for key, excused in zip(EXCUSED, t.excused, strict=True):
        for player, rounds in excused.items():
            path = f"{key}.{t.label(player)}"
            if rounds and format_of(t).has_bracket:
                yield problem(path, "tournament_excused_in_bracket")
            for number in rounds:
                if (player, number) in seen:
                    yield problem(path, "tournament_excused_twice", name=t.label(player), round=number)
                seen.add((player, number))


def _check_entered(t: Tournament, match: Match, path: str, everybody: Container[PlayerId]) -> None:
    """In a later stage only those play who went on."""
    for player in match.players:
        if player not in everybody:
            raise fail(path, "tournament_not_through", name=t.label(player))


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
    for excused, as_recorded in zip(t.excused, (Result.BYE, None, Result.MISSED), strict=True):
        if number in excused.get(player, ()) and match.result is not (as_recorded or object()):
            raise fail(path, "tournament_plays_excused", name=t.label(player), round=number)
    if match.result is Result.MISSED:
        return
    if number in t.byes.get(player, ()):
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
    if match.how and match.result not in HOWS[match.how]:
        raise fail(f"{path}.how", "tournament_how_contradicts", how=match.how)
    if match.how != "concession":  # whoever leads may give in
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

"""The outcome of a match, and which outcomes the event's rules allow.

`refusals` are contradictions and always refused. `doubts` are unusual under the event's rules and accepted
once they are confirmed (a judge may have decided so): a win on time where time means a draw, a winner at 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judge.core.games import DICE_THRONE
from judge.core.messages import Message
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import best_of, has_draws, place_points, pod_counts, setting
from judge.services.event.tournament_of import games_of
from judge.storage.events import Match
from judge.tournament.model import HOWS, Result

PLAYED = tuple(r.value for r in Result if r.is_played)
UNPLAYED = tuple(r.value for r in Result if not r.is_played and not r.is_alone)
RESULTS = (*PLAYED, *UNPLAYED)
POD = "pod"  # three and more at a table: scores instead of sides
MOST_SCORE = 9999
HOW: dict[str, tuple[str, ...]] = {how: tuple(r.value for r in results) for how, results in HOWS.items()}
MOST_HEALTH = 999


Score = int | float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. result: as in the tournament file. how: intentional-draw, concession, or None."""

    result: str
    how: str | None = None
    health_a: int | None = None
    health_b: int | None = None
    games: tuple[int, int, int] | None = None
    scores: tuple[Score, ...] | None = None  # of a pod, by seat; None: absent

    @property
    def places(self) -> list[int | None]:
        return places_of(self.scores or ())

    @property
    def health(self) -> tuple[int, int] | None:
        if self.health_a is None or self.health_b is None:
            return None
        return self.health_a, self.health_b


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The event's settings that decide which outcomes are allowed or unusual."""

    at_time: str = "tie"
    simultaneous_defeat: str = "draw"
    most_health: int | None = None  # starting health and what healing may add
    best_of: int = 1
    has_draws: bool = True
    counts: str | None = None  # of pods: scores | places
    place_points: Mapping[int, Any] = field(default_factory=dict)


def house_rules(event: AnyEvent, stage: int = 1) -> HouseRules:
    start = setting(event, "starting_health", 50 if event.game == DICE_THRONE else None)
    return HouseRules(
        at_time=str(setting(event, "at_time", "tie", stage=stage)).replace("_", "-"),
        simultaneous_defeat=setting(event, "simultaneous_defeat", "draw"),
        most_health=start + 10 if start else None,  # healing stops 10 above the start
        best_of=best_of(event, stage),
        has_draws=has_draws(event, stage),
        counts=pod_counts(event, stage),
        place_points=place_points(event, stage) if pod_counts(event, stage) else {},
    )


def outcome_of(match: Match) -> Outcome | None:
    if match.result is None:
        return None
    games, scores = games_of(match.games), None if match.scores is None else tuple(match.scores)
    return Outcome(match.result, match.how, match.health_a, match.health_b, games, scores)


def write(match: Match, outcome: Outcome | None) -> None:
    match.result = outcome.result if outcome else None
    match.how = outcome.how if outcome else None
    match.health_a = outcome.health_a if outcome else None
    match.health_b = outcome.health_b if outcome else None
    match.games = list(outcome.games) if outcome and outcome.games else None
    match.scores = list(outcome.scores) if outcome and outcome.scores is not None else None


def refusals(outcome: Outcome, rules: HouseRules, seats: int = 2) -> list[Message]:
    if outcome.how and outcome.how not in HOW:
        return [Message("outcome_unknown")]
    if rules.counts:
        return _pod_refusals(outcome, rules, seats)
    reasons = []
    if outcome.result not in RESULTS:
        return [Message("outcome_unknown")]
    if outcome.result == "draw" and not rules.has_draws:
        reasons.append(Message("outcome_draw_in_bracket"))
    if outcome.how and outcome.result not in HOW[outcome.how]:
        reasons.append(Message(f"outcome_not_{outcome.how.replace('-', '_')}"))
    healths = [h for h in (outcome.health_a, outcome.health_b) if h is not None]
    if len(healths) == 1:
        reasons.append(Message("outcome_one_health"))
    if any(not 0 <= h <= MOST_HEALTH for h in healths):
        reasons.append(Message("outcome_health_range", most=MOST_HEALTH))
    if healths and outcome.result in UNPLAYED:
        reasons.append(Message("outcome_health_unplayed"))
    return reasons + _contradictions(outcome) + _games(outcome, rules)


def _pod_refusals(outcome: Outcome, rules: HouseRules, seats: int) -> list[Message]:
    if outcome.result != POD or outcome.scores is None or len(outcome.scores) != seats:
        return [Message("outcome_scores_for_all", n=seats)]
    scores = [score for score in outcome.scores if score is not None]
    if any(abs(score) > MOST_SCORE for score in scores):
        return [Message("outcome_score_range", most=MOST_SCORE)]
    if len(scores) > 1 and len(scores) not in rules.place_points:
        return [Message("tournament_no_place_points", n=len(scores))]
    return []


def places_of(scores: Sequence[Score]) -> list[int | None]:
    """The place of each seat by score; equal scores share a place."""
    present = [score for score in scores if score is not None]
    return [None if own is None else 1 + sum(other > own for other in present) for own in scores]


def scores_of(places: Sequence[int | None]) -> tuple[Score, ...] | None:
    """Scores that give these places; None for impossible places (1, 3, 3)."""
    present = [place for place in places if place is not None]
    if any(place != 1 + sum(other < place for other in present) for place in present):
        return None
    return tuple(None if place is None else len(present) - place for place in places)


def _contradictions(outcome: Outcome) -> list[Message]:
    """Reject a draw with only one player at 0, and a winner with less health."""
    if outcome.health is None or outcome.how == "concession":
        return []
    a, b = outcome.health
    if outcome.result == "draw" and 0 in (a, b) and a != b:
        return [Message("outcome_draw_but_defeated", a=a, b=b)]
    if (outcome.result == "a" and a < b) or (outcome.result == "b" and b < a):
        return [Message("outcome_winner_has_less", a=a, b=b)]
    return []


def _games(outcome: Outcome, rules: HouseRules) -> list[Message]:
    if outcome.games is None:
        return []
    won, lost, drawn = outcome.games
    if min(outcome.games) < 0 or sum(outcome.games) > rules.best_of + drawn or max(won, lost) > rules.best_of:
        return [Message("outcome_games_range", n=rules.best_of)]
    leads = {"a": won > lost, "b": lost > won, "draw": won == lost}
    if not leads.get(outcome.result, True) and outcome.how != "concession":
        return [Message("outcome_games_contradict", a=won, b=lost)]
    return []


def doubts(outcome: Outcome, rules: HouseRules) -> list[Message]:
    """What is unusual about the outcome under the event's rules."""
    if outcome.health is None or outcome.how is not None or outcome.result not in PLAYED:
        return []
    a, b = outcome.health
    reasons = []
    if rules.most_health and max(a, b) > rules.most_health:
        reasons.append(Message("doubt_health_high", most=rules.most_health))
    if outcome.result == "draw":
        if a != b and rules.at_time == "most-health":
            reasons.append(Message("doubt_draw_most_health", a=a, b=b))
    elif a == b == 0:
        if rules.simultaneous_defeat == "draw" and rules.has_draws:
            reasons.append(Message("doubt_both_at_zero"))
    elif min(a, b) > 0 and rules.best_of == 1:
        reasons += _won_on_time(a, b, rules)
    return reasons


def _won_on_time(a: int, b: int, rules: HouseRules) -> list[Message]:
    if a == b:
        return [Message("doubt_level_health", a=a)]
    if rules.at_time == "tie" and rules.has_draws:
        return [Message("doubt_time_is_draw", a=a, b=b)]
    return []


def describe(names: Sequence[str], outcome: Outcome | None, counts: str | None = None) -> Message:
    """The outcome in words, for two players or a pod: "1. Ana 112, 2. Ben 98"."""
    if outcome is not None and outcome.scores is not None:
        return _described_pod(names, outcome.scores, counts)
    return described(names[0], " – ".join(names[1:]), outcome)


def _described_pod(names: Sequence[str], scores: Sequence[Score], counts: str | None) -> Message:
    ranked = sorted(
        zip(places_of(scores), names, scores, strict=True), key=lambda line: (line[0] is None, line[0] or 0)
    )
    lines: list[Any] = [
        Message("outcome_absent", name=name)
        if place is None
        else f"{place}. {name}" + ("" if counts == "places" else f" {score}")
        for place, name, score in ranked
    ]
    return Message("outcome_pod", lines=lines)


def described(a: str, b: str, outcome: Outcome | None) -> Message:
    """The outcome of two players in words: "Ana won, 22–0"."""
    if outcome is None:
        return Message("outcome_none", a=a, b=b)
    params = {"a": a, "b": b}
    key = f"outcome_{outcome.result}"
    if outcome.how:
        key = f"outcome_{outcome.how.replace('-', '_')}" + (
            "" if outcome.result == "draw" else f"_{outcome.result}"
        )
    if outcome.games and sum(outcome.games) > 1:
        games = outcome.games if outcome.games[2] else outcome.games[:2]
        return Message("outcome_with", outcome=Message(key, **params), detail="–".join(map(str, games)))
    if outcome.health:
        health = f"{outcome.health_a}–{outcome.health_b}"
        return Message("outcome_with", outcome=Message(key, **params), detail=health)
    return Message(key, **params)

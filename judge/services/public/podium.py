"""The first three places of an event that is over."""

from __future__ import annotations

from typing import NamedTuple

from judge.services.public.standings import Scores

STEPS = 3


class Step(NamedTuple):
    """A place and whoever shares it."""

    place: int
    names: tuple[str, ...]


def podium(scores: Scores) -> tuple[Step, ...]:
    """Empty while the event is not over, and where it ended with several groups, each with its own places."""
    best = [place for place in scores.places if place.rank <= STEPS] if scores.is_final else []
    if any(place.group for place in best):
        return ()
    steps: dict[int, list[str]] = {}
    for place in best:
        steps.setdefault(place.rank, []).append(scores.names[int(place.player)])
    return tuple(Step(place, tuple(names)) for place, names in sorted(steps.items()))

"""What a player still needs to go on, or to be first. Worked out once for each version of the event."""

from __future__ import annotations

from dataclasses import dataclass

from judge.core.errors import InputError
from judge.core.messages import Lang
from judge.services.event.tournament_files import say_all
from judge.services.event.tournament_of import player_id, staged_event_of
from judge.services.public.read_models import Stamp, cached
from judge.services.public.standings import read_everybody
from judge.storage.reader import Reader
from judge.tournament.outlook.needs import Outlook, outlook
from judge.tournament.stages import Take


@dataclass(frozen=True, slots=True)
class Needs:
    """state: in | out | open. chance: in percent, with its error, where it is only estimated."""

    state: str
    says: str
    draw_is_safe: bool
    is_exact: bool
    chance: int | None
    error: int | None
    is_for_cut: bool  # else it is about first place


@dataclass(frozen=True, slots=True)
class Outlooks:
    of: dict[str, Outlook]
    take: Take | None


def read_needs(reader: Reader, stamp: Stamp, player: int, lang: Lang) -> Needs | None:
    """None while nothing can be said: before round 1, or if nobody knows how many rounds there will be."""
    outlooks = cached(reader, "outlooks", stamp, lambda: _outlooks(reader, stamp))
    own = outlooks.of.get(player_id(player)) if outlooks else None
    if own is None or outlooks is None:
        return None
    return Needs(
        own.state,
        say_all(own.needs, lang),
        own.draw_is_safe,
        own.is_exact,
        None if own.chance is None else round(100 * own.chance),
        None if own.error is None else max(1, round(100 * own.error)),
        outlooks.take is not None,
    )


def _outlooks(reader: Reader, stamp: Stamp) -> Outlooks | None:
    people = read_everybody(reader, stamp)
    if not people.rows.published:
        return None
    event = staged_event_of(people.rows, lambda player: people.names[player.id], with_planned=True)
    try:
        everybody = outlook(event, seed=stamp.id)
    except InputError:
        return None
    following = event.stages[event.begun] if event.begun < len(event.stages) else None
    return Outlooks({str(one.player): one for one in everybody}, following.take if following else None)

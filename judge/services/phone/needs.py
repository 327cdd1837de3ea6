"""What a player still needs to go on, or to be first.

Results come in every second, and in a big hall working this out takes longer than anything else on a phone.
So it is worked out again only if it would take less than a fortieth of the time: at once in a small event,
every second or two in one of five hundred.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Lock
from weakref import WeakKeyDictionary

from sqlalchemy import Engine

from judge.core.errors import InputError
from judge.core.messages import Lang
from judge.services.event.tournament_files import say_all
from judge.services.event.tournament_of import player_id, staged_event_of
from judge.services.public.read_models import Stamp
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


@dataclass(frozen=True, slots=True)
class Latest:
    """The outlooks worked out last: of which version, when, and how long it took."""

    version: int
    at: float
    seconds: float
    outlooks: Outlooks | None


LEAST_PAUSE = 40  # times as long as it took
LONG = 0.02  # seconds; what takes less is always worked out anew
_LATEST: WeakKeyDictionary[Engine, dict[tuple[int, str], Latest]] = WeakKeyDictionary()
_WORKING = Lock()


def read_needs(reader: Reader, stamp: Stamp, player: int, lang: Lang) -> Needs | None:
    """None while nothing can be said: before round 1, or if nobody knows how many rounds there will be."""
    outlooks = _read_outlooks(reader, stamp)
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


def _read_outlooks(reader: Reader, stamp: Stamp) -> Outlooks | None:
    """The outlooks of this version, or those of a moment ago."""
    known = _LATEST.setdefault(reader.engine, {})
    key = (stamp.id, stamp.born)
    with _WORKING:  # if several phones ask at once, the first works it out
        latest = known.get(key)
        if latest is None or not _will_do(latest, stamp.version):
            begin = time.monotonic()
            outlooks = _outlooks(reader, stamp)
            end = time.monotonic()
            latest = known[key] = Latest(stamp.version, end, end - begin, outlooks)
    return latest.outlooks


def _will_do(latest: Latest, version: int) -> bool:
    is_recent = time.monotonic() - latest.at < LEAST_PAUSE * latest.seconds
    return latest.version == version or (latest.seconds > LONG and is_recent)


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

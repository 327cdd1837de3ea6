"""When rounds and stages begin and end: the forecast before an event, the projected end during it.

Times are those of the server's time zone, which is the hall's if it runs there. Later stages begin at their
own time and day where the settings say so, else directly after the stage before.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from judge.services.event.event_rows import EventRows
from judge.services.event.event_view import AnyEvent
from judge.services.event.events import settings_of
from judge.services.event.stage_format import later_stage, planned_stages, stage_rules, take_of
from judge.services.event.tournament_of import tournament_of
from judge.services.play.clock import round_face, timer_of
from judge.storage.events import Round
from judge.tournament.forecast import Pace, rounds_of
from judge.tournament.model import Format, Tournament
from judge.tournament.stages import is_complete

ANOTHER_DAY = timedelta(hours=12)
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Stretch:
    """The rounds of a stage that are still to come or being played."""

    stage: int
    name: str
    first: int  # number of its first round, counted through the event
    rounds: int
    starts: datetime | None  # None: the event has no time yet
    ends: datetime | None
    seconds: int
    text: str = ""

    @property
    def minutes(self) -> int:
        return -(-self.seconds // 60)


@dataclass(frozen=True, slots=True)
class Occasion:
    """A line of the schedule that is no round."""

    at: datetime
    text: str
    ends: datetime | None = None

    @property
    def starts(self) -> datetime:
        return self.at


@dataclass(frozen=True, slots=True)
class Timetable:
    stretches: list[Stretch]
    occasions: list[Occasion]
    planned_end: datetime | None
    projected_end: datetime | None  # while the event runs

    @property
    def seconds(self) -> int:
        return sum(stretch.seconds for stretch in self.stretches)

    @property
    def minutes(self) -> int:
        return -(-self.seconds // 60)

    @property
    def lines(self) -> list[Stretch | Occasion]:
        """Rounds and everything else, in the order of time; without times in the order of play."""
        if any(stretch.starts is None for stretch in self.stretches):
            return [*self.occasions, *self.stretches]
        return sorted([*self.occasions, *self.stretches], key=lambda line: line.starts or _NEVER)

    @property
    def days(self) -> int:
        return len({stretch.starts.date() for stretch in self.stretches if stretch.starts}) or 1

    @property
    def late_minutes(self) -> int:
        """How much later than planned it ends, as it stands; 0 if it is played on another day."""
        if self.planned_end is None or self.projected_end is None:
            return 0
        late = self.projected_end - self.planned_end
        return int(late.total_seconds() // 60) if late < ANOTHER_DAY else 0


def pace_of(event: AnyEvent, stage: int) -> Pace:
    timer = timer_of(event.settings, stage)
    return Pace(timer.setup_s, timer.round_s, settings_of(event).between_s)


def moment_of(event: AnyEvent, day: int, at: str) -> datetime | None:
    """A time of day on a day of the event, counted from 1."""
    if not at:
        return None
    hours, minutes = map(int, at.split(":"))
    return datetime.combine(event.day + timedelta(days=day - 1), time(hours, minutes)).astimezone()


def timetable(rows: EventRows, now: datetime) -> Timetable:
    event, settings = rows.event, settings_of(rows.event)
    occasions = [
        Occasion(at, line.text) for line in settings.schedule if (at := moment_of(event, line.day, line.at))
    ]
    stretches = _stretches(rows)
    planned = stretches[-1].ends if stretches else None
    projected = _projected(rows, stretches, now) if event.state == "running" and rows.published else None
    return Timetable(stretches, sorted(occasions, key=lambda o: o.at), planned, projected)


def _stretches(rows: EventRows) -> list[Stretch]:
    event = rows.event
    own = {t.stage: moment_of(event, t.day, t.at) for t in settings_of(event).stage_times}
    stretches: list[Stretch] = []
    number, free = 1, moment_of(event, 1, settings_of(event).starts_at)
    for stage in range(1, planned_stages(event) + 1):
        rounds, pace = planned_number(rows, stage), pace_of(event, stage)
        starts = own.get(stage) or free
        seconds = pace.needed(rounds)
        ends = starts + timedelta(seconds=seconds) if starts else None
        name = later_stage(event, stage).name if stage > 1 else ""
        stretches.append(Stretch(stage, name, number, rounds, starts, ends, seconds))
        number += rounds
        free = ends + timedelta(seconds=pace.between_s) if ends else None
    return stretches


def planned_number(rows: EventRows, stage: int) -> int:
    """How many rounds a stage has, or will have with the players there are."""
    t = tournament_of(rows, stage)
    if t.rounds and is_complete(t):
        return len(t.rounds)
    count = len(t.entrants) if t.entrants else _expected(rows, stage)
    if not t.entrants:
        t = Tournament(format=_shape(rows.event, stage, count))
    return max(rounds_of(t, count), len(t.rounds))


def _shape(event: AnyEvent, stage: int, players: int) -> Format:
    return stage_rules(event, stage, players).format


def _expected(rows: EventRows, stage: int) -> int:
    """How many players a stage will have."""
    here = sum(p.state in ("registered", "present") for p in rows.players.values())
    if stage == 1:
        return here or settings_of(rows.event).registration.capacity or 8
    before = _expected(rows, stage - 1)
    take = take_of(rows.event, stage)
    if take is None:
        return before
    if take.of_each_group:
        shape = _shape(rows.event, stage - 1, before)
        groups = shape.groups or -(-before // (shape.group_size or 4))
        return min(before, take.of_each_group * groups)
    if take.players is not None:
        return len(take.players)
    return min(before, take.top or before)


def _projected(rows: EventRows, stretches: list[Stretch], now: datetime) -> datetime | None:
    """When the last round ends, as things stand: the round being played, then every round to come."""
    current = rows.current
    assert current is not None, "asked only once a round is published"
    end = _end_of(rows, current, now)
    for stretch in stretches:
        played = len(rows.of_stage(stretch.stage))
        left = max(0, stretch.rounds - played)
        if stretch.stage < current.stage or not left:
            continue
        pace = pace_of(rows.event, stretch.stage)
        begins = end + timedelta(seconds=pace.between_s)
        if not played and stretch.starts:
            begins = max(begins, stretch.starts)
        end = begins + timedelta(seconds=pace.needed(left))
    return end.astimezone()


def _end_of(rows: EventRows, round_: Round, now: datetime) -> datetime:
    """When the round ends: now if every result is in, else with its clock and the longest extra time."""
    open_tables = [m for m in rows.matches.get(round_.id or 0, ()) if m.result is None]
    if not open_tables:
        return now
    clock, pace = round_face(round_, rows.event), pace_of(rows.event, round_.stage)
    extra = timedelta(seconds=max(m.extension_s for m in open_tables))
    left = timedelta(seconds=clock.setup_left + clock.left)
    if clock.phase == "idle":
        left = timedelta(seconds=pace.setup_s + pace.round_s)
    return max(now, (clock.ends or now + left) + extra)

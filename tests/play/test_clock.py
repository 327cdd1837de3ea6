"""The clock's arithmetic: set-up turns into the round by itself, a pause keeps the time."""

from datetime import UTC, datetime, timedelta

import pytest

from judge.services.play.clock import Moment, Timer, at, face, time_called, timer_of
from judge.storage.events import Event
from judge.tournament.model import Result

NOON = datetime(2026, 11, 14, 12, 0, tzinfo=UTC)
RANKED = Timer(setup_s=120, round_s=1800)


def later(**span: float) -> datetime:
    return NOON + timedelta(**span)


def test_set_up_turns_into_the_round_without_anybody_pressing_a_button():
    shown = face("setup", NOON, 120, RANKED)

    assert at(shown, later(seconds=30)) == Moment("setup", 90)
    assert at(shown, later(seconds=120)) == Moment("round", 1800)
    assert at(shown, later(minutes=12)) == Moment("round", 1200)


def test_time_that_has_run_out_goes_on_below_zero():
    shown = face("round", NOON, 1800, RANKED)

    assert at(shown, later(minutes=30)) == Moment("over", 0)
    assert at(shown, later(minutes=31)) == Moment("over", -60)


def test_a_clock_shows_one_second_until_the_very_end():
    shown = face("round", NOON, 1800, RANKED)

    assert at(shown, later(seconds=1799.4)).left == 1
    assert at(shown, later(seconds=0.001)).left == 1800


def test_a_paused_clock_stands_still():
    shown = face("round", None, 754, RANKED)

    assert not shown.is_running
    assert at(shown, later(hours=3)) == Moment("round", 754)


def test_a_pause_in_set_up_keeps_the_whole_round():
    shown = face("setup", None, 45, RANKED)

    assert (shown.setup_left, shown.left) == (45, 1800)
    assert at(shown, later(hours=1)) == Moment("setup", 45)


def test_a_face_names_its_ends_and_never_the_present():
    shown = face("setup", NOON, 120, RANKED)

    assert shown.setup_ends == later(minutes=2)
    assert shown.ends == later(minutes=32)


def test_an_event_that_says_nothing_has_two_and_thirty_minutes():
    assert timer_of({}) == RANKED
    assert timer_of({"clock": {"setup_s": 0, "round_s": 2700}}) == Timer(0, 2700)


@pytest.mark.parametrize(
    ("preset", "settings", "result"),
    [
        ("dice-throne-ranked", {}, Result.DRAW),
        ("dice-throne-lockout", {}, Result.A),
        ("dice-throne-ranked", {"at_time": "most-health"}, Result.A),
        ("", {"format": {"kind": "single-elimination"}}, Result.A),
        ("", {}, Result.DRAW),
    ],
)
def test_the_event_says_how_a_game_ends_at_time(preset, settings, result):
    event = Event(preset=preset, settings=settings)

    assert time_called(event, 1, "a", (4, 4), (12, 9)).result == result


def test_a_bracket_never_ends_a_game_in_a_tie():
    event = Event(preset="", settings={"format": {"kind": "double-elimination"}})

    assert time_called(event, 1, "a", (4, 4), (9, 9)).needs_roll_off

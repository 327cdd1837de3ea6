"""A short evening against a real server."""

import pytest

from bench.hall import run


def test_an_evening_of_forty_loses_and_doubles_nothing():
    report = run("sqlite", 0, 40, 15)

    assert not report.errors
    assert (report.lost, report.doubled) == (0, 0)
    assert len(report.acknowledged) == 20


def test_of_two_scorekeepers_on_one_table_in_the_same_second_one_is_told():
    report = run("sqlite", 0, 80, 12)

    assert report.took["result, refused"]
    assert report.doubled == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_on_postgresql_with_several_workers(workers):
    report = run("postgresql", workers, 40, 10)

    assert not report.errors
    assert (report.lost, report.doubled) == (0, 0)

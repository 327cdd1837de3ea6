"""Steps of a table being entered: kept small, and every state comes back exactly."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from judge.services.dispute.draft_steps import first_step, is_known, step_between, table_at

EVENTS = st.lists(st.sampled_from([{"by": "A", "sell": n} for n in range(1, 4)]), max_size=6)
TABLES = st.fixed_dictionaries(
    {"events": EVENTS}, optional={"title": st.text(max_size=3), "mode": st.just("duel")}
)


@given(st.lists(TABLES, min_size=1, max_size=8))
def test_every_table_comes_back_as_it_was(tables):
    steps = first_step(tables[0])
    for before, after in pairwise(tables):
        steps.append(step_between(before, after))

    assert [table_at(steps, n) for n in range(len(tables))] == tables


def test_an_added_event_is_kept_alone():
    long = {"players": ["..."], "events": [{"by": "A", "sell": 1}] * 500}
    step = step_between(long, {**long, "events": [*long["events"], {"by": "B", "sell": 2}]})

    assert step == {"events": (500, 0, [{"by": "B", "sell": 2}])}


def test_what_was_sent_once_is_known():
    steps = [*first_step({}), step_between({}, {"title": "x"}, "tap-1")]

    assert is_known(steps, "tap-1")
    assert not is_known(steps, "tap-2")
    assert not is_known(steps, "")

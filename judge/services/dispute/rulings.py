"""Rules on table files, for the command and the API."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from judge.core.errors import InputError, fail
from judge.core.json_types import TableFile
from judge.core.messages import Lang
from judge.rules.expectations import Difference, differences
from judge.schemas.files import is_proof
from judge.schemas.shape import each, is_digits
from judge.services.dispute.case import Case, case_after, cut_table

if TYPE_CHECKING:  # a cold start need not load it
    from judge.rules.ruling_json import RulingJson


def tables_in(data: Any) -> list[tuple[str, Any]]:
    """The tables of a file with their path: one table, `tables: [...]`, or the table of an answer (or of each
    note on a rule) under every book."""
    if is_proof(data):
        from judge.schemas.answers import proof_tables  # a cold start need not load it

        return [(path, table) for path, table in proof_tables(data)]
    if not isinstance(data, dict):
        raise fail("", "expected_mapping")
    if "tables" not in data:
        return [("", data)]
    if not isinstance(data["tables"], list):
        raise fail("tables", "expected_list")
    for key in data.keys() - {"tables"}:
        raise fail(key, "unknown_key")
    return [(f"tables[{n}]", table) for n, table in enumerate(data["tables"], start=1)]


def _has_many(data: Any) -> bool:
    """Whether a file holds a list of tables, not one table itself."""
    return is_proof(data) or "tables" in data


def rule_table(data: Any, lang: Lang = "en", path: str = "", after: int | None = None) -> RulingJson:
    """The ruling on one table as JSON (docs/files.md); with `after`, on its first events only."""
    return case_after(data, path, after).said(lang)


def rule_file(data: Any, lang: Lang = "en", after: int | None = None) -> Any:
    """The ruling on a file: one, or a list in the order of its tables."""
    rulings = each(tables_in(data), "", lambda pair, _: rule_table(pair[1], lang, pair[0], after))
    return rulings if _has_many(data) else rulings[0]


def cases_in(data: Any, after: int | None = None) -> list[Case]:
    """The case of every table of a file."""
    return [case_after(table, path, after) for path, table in tables_in(data)]


def continue_table(data: Any, path: str = "", after: int | None = None) -> TableFile:
    """The table without its events; players and turn are as they stand after them, or after the first
    ones."""
    return case_after(data, path, after).continuation()


def continue_file(data: Any, after: int | None = None) -> Any:
    """The continuation of a file: of one table, or of `tables:` in the same order."""
    tables = [continue_table(table, path, after) for path, table in tables_in(data)]
    return {"tables": tables} if _has_many(data) else tables[0]


def cut(data: Any, after: int) -> Any:
    """The same file with only the first `after` events of every table."""
    shortened = [cut_table(table, after) for _, table in tables_in(data)]
    return {"tables": shortened} if _has_many(data) else shortened[0]


Report = Callable[[InputError], None]


def check_file(
    data: Any, lang: Lang = "en", report: Report | None = None
) -> Iterator[tuple[str, list[Difference]]]:
    """Each table's id and where its ruling departs from its `expect`."""
    for n, (path, table) in enumerate(tables_in(data), start=1):
        differing = list(departures(table, lang, path, report))  # refuses a table that is no mapping
        yield str(table.get("id") or f"table {n}"), differing


def departures(
    table: Any, lang: Lang = "en", path: str = "", report: Report | None = None
) -> Iterator[Difference]:
    """Where the ruling departs from `expect`; `expect.after` does the same after earlier events."""
    case = _readable(table, path, report)
    ruling = case.said(lang)
    expected = dict(table.get("expect") or {})
    here = f"{path}.expect.after" if path else "expect.after"
    after = expected.pop("after", None) or {}
    if not isinstance(after, dict):
        raise fail(here, "expected_mapping")
    for n, part in after.items():
        if not is_digits(str(n)):  # JSON has no numbers for keys
            raise fail(f"{here}.{n}", "expected_event_number", high=len(table.get("events") or []))
        cut_table(table, int(n))  # a number beyond the last event is a fault of the file
        yield from differences(part, case.cut(int(n)).said(lang), f"after.{n}")
    yield from differences(expected, ruling)


_EFFECT = re.compile(r"events\[([0-9]+)\](?:\.collide\[([0-9]+)\])?\.effects\[([0-9]+)\]")


def _readable(table: Any, path: str, report: Report | None) -> Case:
    """The case to check. An effect with an unknown word, receiver or option is reported and does nothing, so
    that it does not hide what the other tables of a file come to; any other fault is raised."""
    case = Case(table, path)
    try:
        case.check()
    except InputError as error:
        places = [_EFFECT.search(problem.path) for problem in error.problems]
        if None in places:
            raise
        if report is not None:
            report(error)
        return Case(_without(table, [place.groups() for place in places if place is not None]), path)
    return case


def _without(table: Any, places: Iterable[tuple[str | Any, ...]]) -> Any:
    """The table without the effects at these places: event, action inside a collide, effect."""
    table = deepcopy(table)
    for event, action, effect in sorted(set(places), key=lambda place: -int(place[2])):
        entry = table["events"][int(event) - 1]
        if action is not None:
            entry = entry["collide"][int(action) - 1]
        del entry["effects"][int(effect) - 1]
    return table

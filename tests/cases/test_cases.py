"""Every table in tests/cases/*.yaml: its ruling must contain what its `expect` names."""

from pathlib import Path

import pytest

from judge.schemas.files import read_file
from judge.services.dispute.rulings import departures, tables_in

CASES = [
    pytest.param(table, path, id=f"{file.stem}:{table.get('id')}")
    for file in sorted(Path(__file__).parent.glob("*.yaml"))
    for path, table in tables_in(read_file(file))
]


@pytest.mark.parametrize(("table", "path"), CASES)
def test_the_ruling_is_as_expected(table, path):
    assert table["expect"]
    assert list(departures(table, "en", path)) == []

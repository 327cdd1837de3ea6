"""Every table in tests/cases, its heroes and its rules: the ruling must contain what `expect` names."""

from pathlib import Path

import pytest

from judge.schemas.files import read_file
from judge.services.dispute.rulings import departures, tables_in

HERE = Path(__file__).parent
HEROES = sorted((HERE / "heroes").glob("*.yaml"))
CASES = [
    pytest.param(table, path, id=f"{file.stem}:{table.get('id')}")
    for file in [*sorted(HERE.glob("*.yaml")), *sorted((HERE / "rules").glob("*.yaml")), *HEROES]
    for path, table in tables_in(read_file(file))
]


@pytest.mark.parametrize(("table", "path"), CASES)
def test_the_ruling_is_as_expected(table, path):
    assert table["expect"]
    assert list(departures(table, "en", path)) == []


BY_HERO = [pytest.param(file, id=file.stem) for file in HEROES if file.stem != "old-ids"]


@pytest.mark.parametrize("file", BY_HERO)
def test_every_hero_has_at_least_twelve_cases(file):
    tables = [table for _, table in tables_in(read_file(file))]
    editions = {table["edition"] for table in tables}

    assert len(tables) >= 12
    assert len(editions) > 1
    assert all(any(player.get("hero") == file.stem for player in table["players"]) for table in tables[:12])

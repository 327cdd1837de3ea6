"""Hand-worked tournaments (tournaments/*.yaml): standings, shares as sums, pairings, refused files."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from judge.core.errors import InputError
from judge.schemas.files import read_file
from judge.services.event.tournament_files import pair_file, standings_file

CASES = [
    pytest.param(case, id=case["title"])
    for path in sorted(Path(__file__).with_name("tournaments").glob("*.yaml"))
    for case in read_file(path)["cases"]
]


def worked(expression: Any) -> float:
    """A sum as it stands in the file, `(0.33 + 2/3) / 2`, in exact fractions."""
    text = str(expression)
    assert set(text) <= set("0123456789.+-*/() ")
    numbers = re.sub(r"\d+(\.\d+)?", lambda m: f"F('{m[0]}')", text)
    return float(eval(numbers, {"F": Fraction}))


def contains(found: Any, expected: Any, path: str = "") -> None:
    if isinstance(expected, dict):
        for key, value in expected.items():
            contains(found[key], value, f"{path}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), path
        for n, (one, other) in enumerate(zip(found, expected, strict=True), start=1):
            contains(one, other, f"{path}[{n}]")
    else:
        assert found == expected, path


@pytest.mark.parametrize("case", CASES)
def test_a_worked_tournament(case: dict[str, Any]):
    case = {**case, "file": {**case["file"], **case.get("with", {})}}
    if "refused" in case:
        for run in (standings_file, pair_file) if case["refused"].get("by") != "pair" else (pair_file,):
            with pytest.raises(InputError) as caught:
                run(case["file"])
            paths = [problem.path for problem in caught.value.problems]
            assert paths == case["refused"].get("paths", paths)
            assert paths[0] == case["refused"].get("path", paths[0])
        return
    table = standings_file(
        case["file"], case.get("after"), case.get("stage"), whole_event=case.get("event", False)
    )
    contains(table, case.get("standings", table))
    lines = {line["player"]: line["tiebreakers"] for line in table}
    for player, shares in case.get("shares", {}).items():
        for name, expression in shares.items():
            assert lines[player][name] == pytest.approx(worked(expression), abs=1e-12), (player, name)
    if case.keys() & {"pairing", "pairs", "apart"}:
        pairing = pair_file(case["file"], case.get("seed", 0), stage=case.get("stage"))
        contains(pairing, case.get("pairing", {}))
        pairs = sorted(sorted((t["a"], t["b"])) for t in pairing["tables"])
        assert pairs == case.get("pairs", pairs)
        assert not any(pair in pairs for pair in case.get("apart", ()))

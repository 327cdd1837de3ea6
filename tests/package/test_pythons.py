"""Which other Pythons `make test` finds: in PATH and of pyenv, those that run and have venv."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / ".ci" / "pythons"


def python(folder: Path, version: str, does: str = "exit 0") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"python{version}"
    made.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
    made.chmod(0o755)
    return made


def found(tmp_path: Path, own: str = "3.11") -> tuple[list[str], str]:
    tools = tmp_path / "tools"
    if not tools.exists():
        tools.mkdir()
        (tools / "sort").symlink_to(shutil.which("sort"))
    path = f"{tmp_path / 'bin'}:{tmp_path / 'late'}:{tools}"
    done = subprocess.run(
        [shutil.which("bash"), SCRIPT, own],
        env={"PATH": path, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines(), done.stderr


def test_every_other_python_in_the_path_is_found(tmp_path):
    paths = {version: python(tmp_path / "bin", version) for version in ("3.11", "3.12", "3.13")}
    for own in paths:
        others = [f"{version} {path}" for version, path in paths.items() if version != own]
        assert found(tmp_path, own) == (others, "")


def test_where_none_is_found_it_says_so(tmp_path):
    lines, said = found(tmp_path)
    assert lines == []
    assert said.splitlines() == [
        f"Python {version} is not tested: none found that works." for version in ("3.12", "3.13")
    ]


def test_a_shim_that_does_not_run_gives_way_to_what_pyenv_has(tmp_path):
    python(tmp_path / "bin", "3.12", "echo 'pyenv: python3.12: command not found' >&2; exit 127")
    real = python(tmp_path / ".pyenv" / "versions" / "3.12.1" / "bin", "3.12")
    other = python(tmp_path / "late", "3.13")
    assert found(tmp_path) == ([f"3.12 {real}", f"3.13 {other}"], "")


def test_one_without_venv_is_named_and_why(tmp_path):
    poor = python(tmp_path / "bin", "3.12", "echo \"No module named 'ensurepip'\" >&2; exit 1")
    other = python(tmp_path / "bin", "3.13")
    lines, said = found(tmp_path)
    assert lines == [f"3.13 {other}"]
    assert said.splitlines() == [
        f"Python 3.12: {poor} is of no use: No module named 'ensurepip'",
        "Python 3.12 is not tested: none found that works.",
    ]

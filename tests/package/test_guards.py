"""The guards of the house work: what must not pass `make check` does not."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def lint_imports(folder):
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_flask_inside_the_rules_breaks_the_build(tmp_path):
    house = tmp_path / "house"
    ignored = shutil.ignore_patterns("fonts", "static", "__pycache__")
    shutil.copytree(ROOT / "judge", house / "judge", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", house)
    sound = lint_imports(house)
    (house / "judge" / "rules" / "planted.py").write_text("import flask\n\nprint(flask)\n")
    planted = lint_imports(house)

    assert sound[0] == 0, sound[1]
    assert planted[0] == 1
    assert "judge.rules.planted -> flask" in planted[1]


def test_the_locks_name_no_address():
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text()

        assert "--hash=sha256:" in text
        assert not [word for word in ("://", "--index-url", "--find-links", "--trusted-host") if word in text]

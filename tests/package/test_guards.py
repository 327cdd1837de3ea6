"""The guards of the house work: what must not pass `make check` does not."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


# -- pages know no tables and no transactions ---------------------------------------------------------------

TABLES = {"judge.storage.events", "judge.storage.accounts", "judge.storage.audit", "judge.storage.rulings"}
TABLES |= {"judge.storage.tables"}
DATABASE = {"exec", "execute", "scalar", "get", "get_one", "add", "add_all", "delete", "flush", "refresh"}
TRANSACTIONS = {"commit", "rollback"}
# Where a request's transaction begins and ends, and where a machine asks whether the database answers.
KNOWS_THE_DATABASE = {"frame/transaction.py", "frame/health.py"}


def imports_of(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def is_session(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "session"


def breaches(source):
    """What a module of the web does that belongs into a service or into web/frame/transaction.py."""
    tree = ast.parse(source)
    for name in imports_of(tree):
        if name.split(".")[0] in ("sqlmodel", "sqlalchemy") or name in TABLES:
            yield f"imports {name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (
            node.attr in TRANSACTIONS or (is_session(node.value) and node.attr in DATABASE)
        ):
            yield f"calls .{node.attr}"


def test_pages_ask_services_and_never_the_database():
    web = ROOT / "judge" / "web"
    modules = {path.relative_to(web).as_posix(): path for path in web.rglob("*.py")}
    found = {name: list(breaches(path.read_text())) for name, path in modules.items()}

    assert found.keys() >= KNOWS_THE_DATABASE
    assert {name: what for name, what in found.items() if what and name not in KNOWS_THE_DATABASE} == {}


@pytest.mark.parametrize(
    "source",
    [
        "from sqlmodel import select",
        "import sqlalchemy.exc",
        "from judge.storage.events import Player",
        "session().get(1)",
        "session().rollback()",
        "own.commit()",
    ],
)
def test_a_page_that_asks_the_database_is_found(source):
    assert list(breaches(source))

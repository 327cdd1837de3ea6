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

STORAGE = ROOT / "judge" / "storage"
TABLES = {f"judge.storage.{path.stem}" for path in STORAGE.glob("*.py") if "table=True" in path.read_text()}
TABLES |= {"judge.storage.tables"}
DATABASE = {
    "exec",
    "execute",
    "scalar",
    "scalars",
    "get_one",
    "add_all",
    "flush",
    "refresh",
    "merge",
    "expunge",
}
ON_A_SESSION = {"get", "add", "delete"}  # which other things have too
TRANSACTIONS = {"commit", "rollback"}
# Where a request's transaction begins and ends, and where a machine asks whether the database answers.
KNOWS_THE_DATABASE = {"frame/transaction.py", "frame/health.py"}


def imports_of(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def opens_session(node):
    """`session()`, `database().session()` and `database().transaction()`."""
    called = node.func if isinstance(node, ast.Call) else None
    name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
    return name in ("session", "transaction")


def session_names(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.withitem) and opens_session(node.context_expr):
            yield getattr(node.optional_vars, "id", None)
        elif isinstance(node, ast.Assign) and opens_session(node.value):
            yield from (getattr(target, "id", None) for target in node.targets)
        elif isinstance(node, ast.arg) and "Session" in ast.unparse(node.annotation or ast.Constant("")):
            yield node.arg


def breaches(source):
    """What a module of the web does that belongs into a service or into web/frame/transaction.py."""
    tree = ast.parse(source)
    for name in imports_of(tree):
        if name.split(".")[0] in ("sqlmodel", "sqlalchemy") or name in TABLES:
            yield f"imports {name}"
    names = {*session_names(tree)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        is_session = opens_session(node.value) or getattr(node.value, "id", None) in names
        if node.attr in TRANSACTIONS | DATABASE or (is_session and node.attr in ON_A_SESSION):
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
        "from judge.storage.seasons import SeasonRow",
        "session().get(1)",
        "with database().transaction() as own:\n    own.add(row)",
        "def page(db: Session): db.delete(row)",
        "reader.exec(question)",
        "session().rollback()",
        "own.commit()",
    ],
)
def test_a_page_that_asks_the_database_is_found(source):
    assert list(breaches(source))

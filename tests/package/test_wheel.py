"""The built wheel, installed in a clean environment elsewhere, is the whole product."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import wait_for

ROOT = Path(__file__).parent.parent.parent
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(("JUDGE_", "PYTHON", "VIRTUAL_ENV"))}


def run(*words, cwd, **environ):
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env={**CLEAN, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def install(python, *what, cwd):
    """uv takes seconds; where it does not reach the packages, pip does."""
    options = ("-q", "--no-deps", *what)
    try:
        run(sys.executable, "-m", "uv", "pip", "install", "--python", python, *options, cwd=cwd)
    except AssertionError:
        run(sys.executable, "-m", "pip", "--python", python, "install", *options, cwd=cwd)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (built,) = folder.glob("judge-*.whl")
    return built


def test_the_wheel_carries_everything_and_nothing_of_the_workshop(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())

    assert {
        "judge/_templates/frame/base.html",
        "judge/wsgi.py",
        "judge/web/static/judge.css",
        "judge/web/static/vendor/htmx-4.0.0.min.js",
        "judge/printing/fonts/DejaVuSans.ttf",
        "judge/printing/fonts/LICENSE",
        "judge/storage/migrations/env.py",
        "judge/storage/migrations/versions/0001_audit.py",
    } <= names
    fixtures = {
        f"judge/_{path.relative_to(ROOT)}" for path in (ROOT / "fixtures").rglob("*") if path.is_file()
    }
    catalogues = {str(path.relative_to(ROOT)) for path in (ROOT / "judge" / "translations").rglob("*.json")}
    assert len(catalogues) > 100
    assert fixtures | catalogues <= names
    assert not [name for name in names if name.startswith("tests") or name.endswith((".pyc", ".sqlite3"))]


def test_the_wheel_works_when_installed_elsewhere(wheel, tmp_path, free_port):
    home = tmp_path / "elsewhere"
    venv.create(home / "env")
    bin_ = home / "env" / "bin"
    install(bin_ / "python", "--require-hashes", "-r", ROOT / "requirements.lock", cwd=home)
    install(bin_ / "python", wheel, cwd=home)

    assert run(bin_ / "judge", "--version", cwd=home).startswith("judge, version ")
    assert "serve" in run(bin_ / "judge", "--help", cwd=home)
    log = (home / "log").open("w")
    server = subprocess.Popen(
        [bin_ / "judge", "serve", "--port", str(free_port)],
        cwd=home,
        env={**CLEAN, "JUDGE_INSTANCE": str(home / "data")},
        stdout=log,
        stderr=log,
    )
    try:
        for path in ("/healthz", "/readyz", "/?lang=ru", "/static/judge.css"):
            wait_for(f"http://127.0.0.1:{free_port}{path}")
    finally:
        server.terminate()
        server.wait(timeout=20)
        log.close()
        print((home / "log").read_text())
    assert server.returncode == 0

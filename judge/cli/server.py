"""`judge serve`, `migrate`, `backup`, `restore`, and the commands that print invitation links."""

from __future__ import annotations

import dataclasses
import errno
import os
import signal
import socket
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import click
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from judge.config import Settings, SettingsError, is_loopback, lan_address, load_settings
from judge.services.accounts.accounts import find_login, first_invite, make_invite
from judge.services.log.chain import walk
from judge.storage.accounts import Invite
from judge.storage.auto_backup import keep_backups
from judge.storage.backup import BackupError, holds_data, restore_backup, verify_backup, write_backup
from judge.storage.database import Database, DatabaseUrlError
from judge.storage.migrate import migrate as migrate_database

RESTORE_FIRST = "Keep a copy of the file, then: judge restore --replace THE-NEWEST-BACKUP"
THREADS = 8
CONNECTIONS = 2000  # every phone at the event keeps one open
SPARE_FILES = 100  # descriptors for the database, logs and fonts
LONGEST_HEADER = 32 * 1024
IDLE_SECONDS, SENDING_SECONDS = 60, 120  # of a connection that sends nothing, and of one that never finishes


def stop(says: str, code: int = 1) -> NoReturn:
    click.echo(says, err=True)
    sys.exit(code)


def settings_or_stop() -> Settings:
    try:
        return load_settings()
    except SettingsError as error:
        stop(str(error), 2)


def database_or_stop(settings: Settings) -> Database:
    try:
        return Database(settings.database_url, settings.busy_seconds)
    except DatabaseUrlError as error:
        stop(str(error), 2)


def bring_up_to_date(settings: Settings) -> None:
    database = database_or_stop(settings)
    try:
        if damage := database.file and database.file.exists() and database.damage():
            stop(f"The database at {database.shown} is damaged ({damage}). {RESTORE_FIRST}")
        done = migrate_database(database, settings.backups)
    except (SQLAlchemyError, OSError) as error:
        cause = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        stop(f"The database at {database.shown} cannot be used: {cause}")
    finally:
        database.close()
    if done.backup:
        click.echo(f"Backup before the change: {done.backup}")
    if done.changed:
        click.echo(f"Database {'upgraded' if done.before else 'made'}: {database.shown}")


@click.command()
def migrate() -> None:
    """Bring the database to the shape this version needs; a backup is made first."""
    bring_up_to_date(settings_or_stop())


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    envvar="HOST",
    show_default=True,
    help="Address to listen at; 0.0.0.0 lets the whole hall in.",
)
@click.option("--port", default=8000, envvar="PORT", show_default=True, type=click.IntRange(0, 65535))
def serve(host: str, port: int) -> None:
    """Start the web app. Its data are in a SQLite file, or where DATABASE_URL says."""
    settings = settings_or_stop()
    listening = listen(host, port)
    port = listening.getsockname()[1]
    bring_up_to_date(settings)
    address = f"http://{in_address(reachable(host))}:{port}"
    welcome(settings, settings.base_url or address)
    announce(settings.base_url or address, hall=is_hall(host))
    run(dataclasses.replace(settings, base_url=settings.base_url or address), listening)


def welcome(settings: Settings, address: str) -> None:
    """On an empty database, print the link with which the first organiser creates an account."""
    database = database_or_stop(settings)
    with database.transaction() as session:
        invite = first_invite(session, datetime.now(UTC))
        token = invite.token if invite else None
    database.close()
    if token:
        click.echo(f"First start. The organiser's account is made here, once: {address}/join/{token}")


@click.command("reset-password")
@click.argument("login")
def reset_password(login: str) -> None:
    """Print a link with which the account LOGIN gets a new password. It works once, for a day.

    When it is used, the account's passkeys and codes are taken away.
    """

    def invite(session: Session, now: datetime) -> Invite:
        account = find_login(session, login)
        if account is None:
            stop(f"There is no account called {login!r}.", 2)
        return make_invite(session, "password", now, account=account)

    click.echo(join_link(invite))


@click.command("invite-organiser")
def invite_organiser() -> None:
    """Print a link with which somebody makes an account that may create events. It works once, for a week."""
    click.echo(join_link(lambda session, now: make_invite(session, "organiser", now)))


def join_link(invite: Callable[[Session, datetime], Invite]) -> str:
    """The address of a new invite, at the address of this server."""
    settings = settings_or_stop()
    database = database_or_stop(settings)
    try:
        with database.transaction() as session:
            new_invite = invite(session, datetime.now(UTC))
            session.flush()
            token = new_invite.token
    except SQLAlchemyError as error:
        stop(f"The database at {database.shown} cannot be used: {getattr(error, 'orig', None) or error}")
    finally:
        database.close()
    host, port = os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"
    return f"{settings.base_url or f'http://{in_address(reachable(host))}:{port}'}/join/{token}"


def listen(host: str, port: int) -> socket.socket:
    """Bind the port before anything else, so that a second start fails without touching the data."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(512)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            other = port + 1
            stop(
                f"Port {port} is taken. Choose another: make serve PORT={other} (judge serve --port {other})"
            )
        stop(f"Cannot listen on {host} port {port}: {error.strerror or error}")
    return listening


def is_hall(host: str) -> bool:
    return host in ("0.0.0.0", "::")  # noqa: S104


def reachable(host: str) -> str:
    """The address that other devices in the network use for this computer."""
    if not is_hall(host):
        return host
    return lan_address() or "127.0.0.1"


def in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def announce(address: str, hall: bool) -> None:
    click.echo(f"judge is at {address}   (Ctrl-C stops it)")
    if not hall and is_loopback(urlsplit(address).hostname or ""):
        click.echo("Only this computer can reach it. For phones: make serve HOST=0.0.0.0")
    if hall:
        import segno

        if "://127." in address:
            click.echo("No network was found: only this computer can reach it.", err=True)
        click.echo("Phones in the same network scan this:")
        segno.make(address, micro=False).terminal(compact=True)
    sys.stdout.flush()


def most_files() -> int:
    """How many files and connections this process may have open; raised as far as the system allows."""
    try:
        import resource
    except ImportError:  # Windows
        return CONNECTIONS + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else max(soft, 2 * SPARE_FILES)


def drop_slow_senders(server: Any) -> None:
    """Close connections whose request does not arrive: waitress closes only those that send nothing."""
    usual = server.maintenance
    began: dict[int, tuple[float, Any]] = {}  # when each unfinished request was first seen

    def maintenance(now: float) -> None:
        usual(now)
        open_now = {id(channel): channel for channel in server.active_channels.values() if channel.request}
        for key in set(began) - set(open_now):
            del began[key]
        for key, channel in open_now.items():
            first, request = began.setdefault(key, (now, channel.request))
            if request is not channel.request:
                began[key] = (now, channel.request)
            elif now - first > SENDING_SECONDS:
                channel.will_close = True

    server.maintenance = maintenance


def run(settings: Settings, listening: socket.socket) -> None:
    from waitress import create_server

    from judge.app import create_app
    from judge.services.connect.delivering import Deliverer
    from judge.web.frame.request_log import configure_logging
    from judge.web.frame.serving import settle

    configure_logging()
    app = create_app(settings)
    settle()
    server = create_server(
        app,
        sockets=[listening],
        threads=THREADS,
        ident=None,
        connection_limit=min(CONNECTIONS, most_files() - SPARE_FILES),
        asyncore_use_poll=True,  # select() handles at most 1024
        # Up to here an oversized body is read and refused with our own page; a bigger one is cut off at once.
        max_request_body_size=2 * settings.max_body,
        max_request_header_size=LONGEST_HEADER,
        channel_timeout=IDLE_SECONDS,
        clear_untrusted_proxy_headers=settings.proxies == 0,
    )
    drop_slow_senders(server)
    worker = Deliverer(
        app.extensions["judge.database"], settings.secret_key, allow_private=settings.private_webhooks
    )
    worker.start()
    database = app.extensions["judge.database"]
    stopped = keep_backups(database, settings.backups, settings.backup_minutes, settings.backup_folder)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server.run()  # stops on Ctrl-C and SIGTERM, after finishing open requests
    server.close()
    stopped.set()
    worker.stop()
    app.extensions["judge.database"].close()
    click.echo("judge has stopped.")


@click.command()
def deliver() -> None:
    """Deliver webhooks until Ctrl-C; `judge serve` does so by itself."""
    from judge.services.connect.delivering import Deliverer

    settings = settings_or_stop()
    database = database_or_stop(settings)
    worker = Deliverer(database, settings.secret_key, allow_private=settings.private_webhooks)
    click.echo(f"Delivering webhooks of {database.shown}   (Ctrl-C stops it)")
    worker.run()


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--verify",
    is_flag=True,
    help="Restore it into a scratch database and compare; a FILE that exists is read.",
)
def backup(file: Path | None, verify: bool) -> None:
    """Write all data to FILE (default: a new file in the instance folder). Works while the server runs."""
    settings = settings_or_stop()
    if file and file.exists():
        if verify:
            say_verified(file)
            return
        stop(f"{file} exists already: choose another name", 2)
    database = database_or_stop(settings)
    try:
        path = write_backup(database, settings.backups, to=file)
        click.echo(path)
    except (BackupError, SQLAlchemyError, OSError) as error:
        stop(f"No backup was made: {getattr(error, 'orig', None) or error}")
    if verify:
        say_verified(path)


def say_verified(path: Path) -> None:
    try:
        verified = verify_backup(path)
    except (BackupError, SQLAlchemyError, OSError) as error:
        stop(f"The backup cannot be relied on: {getattr(error, 'orig', None) or error}")
    how = "each the same" if verified.is_same else f"upgraded from {verified.revision}"
    click.echo(f"Verified: {verified.rows} rows of {verified.tables} tables restored, {how}.")


@click.command()
@click.option("--verify", is_flag=True, help="Say whether anything was altered or taken out.")
def log(verify: bool) -> None:
    """Say how long the log is and what its last link is; with --verify, whether it is whole."""
    database = database_or_stop(settings_or_stop())
    try:
        with database.session() as session:
            walked = walk(session)
    except SQLAlchemyError as error:
        stop(f"The database at {database.shown} cannot be used: {getattr(error, 'orig', None) or error}")
    finally:
        database.close()
    if verify and walked.broken_at is not None:
        what = {"altered": "was altered", "unlinked": "does not follow the one before it"}[walked.why]
        stop(f"The log is broken: entry {walked.broken_at} {what}.")
    more = f", {walked.older} older than the chain" if walked.older else ""
    more += f", {walked.erased} with names erased" if walked.erased else ""
    click.echo(f"{walked.entries} entries{more}. Last link: {walked.last or 'none'}")
    if verify:
        click.echo("Nothing was altered, inserted or taken out.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--replace", is_flag=True, help="The database holds data: keep a backup of it, then replace it."
)
def restore(file: Path, replace: bool) -> None:
    """Put the backup FILE into the database. All of it, or on any fault nothing."""
    settings = settings_or_stop()
    database = database_or_stop(settings)
    database.make_file()
    try:
        if holds_data(database):
            if not replace:
                stop(
                    "The database holds data. To replace it (a backup is kept): judge restore --replace FILE",
                    2,
                )
            kept = write_backup(database, settings.backups, "replaced")
            click.echo(f"What was there is kept in {kept}")
        click.echo(f"{restore_backup(database, file)} rows restored to {database.shown}")
    except BackupError as error:
        stop(str(error), 2)
    except (SQLAlchemyError, OSError, ValueError) as error:
        stop(f"Nothing was changed: {getattr(error, 'orig', None) or error}")

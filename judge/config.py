"""Settings, read once from the environment into one frozen dataclass.

DATABASE_URL         sqlite:///path or postgresql://user:word@host/name; default: a file in JUDGE_INSTANCE
JUDGE_INSTANCE       folder for the database file, the secret and backups; default: ./instance
JUDGE_SECRET_KEY     signs cookies; default: created once in the instance folder, readable by its owner only
JUDGE_BASE_URL       how phones reach this server, for links and QR codes: https://judge.example.org
JUDGE_PROXIES        how many reverse proxies in front are trusted with X-Forwarded-* headers; default 0
JUDGE_WEBHOOKS_PRIVATE  1: webhooks may also go to this computer and the local network; default 0
JUDGE_API_RATE       requests a minute that one address may send to the API; default 1200
JUDGE_WORK_SECONDS   seconds of computing for one request without an account; default 5
JUDGE_BACKUP_MINUTES minutes between backups that the server makes by itself; default 15, 0: none
JUDGE_BACKUP_FOLDER  a second folder that gets a copy of each of them, as on another disk
JUDGE_FIXTURES       folder with the rules as data, read by judge.paths; default: the one that ships
JUDGE_BUSY_SECONDS   how long to wait for a locked database before answering 503; default 0.9
"""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

SHORTEST_SECRET = 16
MAX_BODY = 8 * 1024 * 1024


class SettingsError(Exception):
    """A setting cannot be used; the text says which one and what is valid."""


@dataclass(frozen=True)
class Settings:
    instance: Path
    database_url: str = field(repr=False)
    secret_key: str = field(repr=False)
    base_url: str | None = None
    proxies: int = 0
    busy_seconds: float = 0.9
    api_rate: int = 1200
    work_seconds: float = 5.0
    backup_minutes: float = 15.0
    backup_folder: Path | None = None
    max_body: int = MAX_BODY
    private_webhooks: bool = False

    @property
    def backups(self) -> Path:
        return self.instance / "backups"

    @property
    def is_https(self) -> bool:
        return bool(self.base_url and self.base_url.startswith("https://"))


def load_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings from the environment. Creates the instance folder and the secret if missing."""
    instance = Path(environ.get("JUDGE_INSTANCE") or "instance").absolute()
    try:
        instance.mkdir(parents=True, exist_ok=True)
        secret_key = environ.get("JUDGE_SECRET_KEY") or kept_secret(instance / "secret")
    except OSError as error:
        raise SettingsError(f"JUDGE_INSTANCE: cannot use {instance}: {error.strerror}") from error
    if len(secret_key) < SHORTEST_SECRET:
        raise SettingsError(f"JUDGE_SECRET_KEY: needs at least {SHORTEST_SECRET} characters")
    return Settings(
        instance=instance,
        database_url=environ.get("DATABASE_URL") or f"sqlite:///{instance / 'judge.sqlite3'}",
        secret_key=secret_key,
        base_url=read_base_url(environ.get("JUDGE_BASE_URL")),
        proxies=int(read_number(environ, "JUDGE_PROXIES", "0")),
        api_rate=int(read_number(environ, "JUDGE_API_RATE", "1200")),
        private_webhooks=bool(read_number(environ, "JUDGE_WEBHOOKS_PRIVATE", "0")),
        work_seconds=read_number(environ, "JUDGE_WORK_SECONDS", "5"),
        backup_minutes=read_number(environ, "JUDGE_BACKUP_MINUTES", "15"),
        backup_folder=Path(second) if (second := environ.get("JUDGE_BACKUP_FOLDER")) else None,
        busy_seconds=read_number(environ, "JUDGE_BUSY_SECONDS", "0.9"),
    )


def read_base_url(value: str | None) -> str | None:
    if not value:
        return None
    parts = urlsplit(value)
    beyond = parts.path.strip("/") or parts.query or parts.fragment
    if parts.scheme not in ("http", "https") or not parts.netloc or beyond:
        raise SettingsError(
            f"JUDGE_BASE_URL: expected something like https://judge.example.org, not {value!r}"
        )
    return value.rstrip("/")


def is_loopback(host: str) -> bool:
    """Whether only this computer itself can be reached by this name."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def lan_address() -> str | None:
    """This computer's address in the local network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: only asks which interface leads out
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if is_loopback(address) else address


def address_for_phones(address: str) -> str | None:
    """The address with the local network's in place of one that only this computer knows; None if there is
    no network."""
    parts = urlsplit(address)
    if not is_loopback(parts.hostname or ""):
        return address
    host = lan_address()
    if host is None:
        return None
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{host}{port}").geturl()


def read_number(environ: Mapping[str, str], name: str, default: str) -> float:
    text = environ.get(name) or default
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1_000_000:
        raise SettingsError(f"{name}: expected a number, not {text!r}")
    return number


def kept_secret(path: Path) -> str:
    """Read the secret, creating it if there is none. Two processes that start at once agree on one."""
    if not path.exists():
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".secret-")  # mkstemp: owner-only
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            os.link(draft, path)  # fails if another process was first; the file is never half-written
        except FileExistsError:
            pass
        finally:
            os.unlink(draft)
    return path.read_text().strip()

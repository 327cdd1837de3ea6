"""Sends one request to an address that somebody entered, safely: only to public addresses (unless the server
is set up for its own network), to the very address that was checked, without following redirects.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from urllib.parse import urlsplit

TIMEOUT = 5.0
MOST_READ = 1024
NAT64 = ipaddress.ip_network("64:ff9b::/96")


class CannotSend(Exception):
    """The request was not made or not answered; the text says why."""


def check_url(url: str) -> None:
    """CannotSend if the address is none that a webhook can have."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise CannotSend("not an address") from error
    has_user = "@" in parts.netloc
    if parts.scheme not in ("http", "https") or not parts.hostname or has_user or port == 0 or len(url) > 500:
        raise CannotSend("not an address")
    if any(ord(letter) <= 32 or ord(letter) == 127 for letter in url):
        raise CannotSend("not an address")


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet, however it is written."""
    ip = ipaddress.ip_address(address.split("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and ip in NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            ip = inner
    return ip.is_global and not ip.is_multicast


def resolve(url: str, *, allow_private: bool) -> tuple[str, int]:
    """The IP address and port to connect to. Every address of the name must be allowed."""
    check_url(url)
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        hosts = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise CannotSend(f"no such host: {parts.hostname}"[:200]) from error
    addresses = [str(entry[4][0]) for entry in hosts]
    if not allow_private and not all(map(is_public, addresses)):
        raise CannotSend("the address is not public")
    return addresses[0], port


def post(url: str, body: bytes, headers: Mapping[str, str], *, allow_private: bool = False) -> int:
    """The status of the answer; a redirect is an answer like any other."""
    address, port = resolve(url, allow_private=allow_private)
    parts = urlsplit(url)
    host = parts.hostname or ""
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT)
    try:
        plain = socket.create_connection((address, port), timeout=TIMEOUT)
        is_tls = parts.scheme == "https"
        connection.sock = (
            ssl.create_default_context().wrap_socket(plain, server_hostname=host) if is_tls else plain
        )
        place = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", place, body, {"Host": parts.netloc, **headers})
        answer = connection.getresponse()
        answer.read(MOST_READ)
        return answer.status
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise CannotSend(f"{type(error).__name__}: {error}"[:200]) from error
    finally:
        connection.close()

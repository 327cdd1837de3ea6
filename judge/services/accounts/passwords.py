"""Passwords: which are too weak, and their hashes.

Hashing takes a tenth of a second and 64 MiB on purpose, so it is done outside any transaction, two at a time.
"""

from __future__ import annotations

import re
from functools import cache
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from judge.core.errors import Refused
from judge.core.messages import Message

SHORTEST_PASSWORD = 10
FEWEST_LETTERS = 5  # different characters
AT_ONCE = BoundedSemaphore(2)
# What people choose first, without the digits and signs at the end; from lists of leaked passwords.
COMMON = frozenset(
    [
        "password",
        "passwort",
        "motdepasse",
        "parol",
        "пароль",
        "qwerty",
        "qwertz",
        "azerty",
        "qwertyuiop",
        "йцукен",
        "йцукенгшщз",
        "iloveyou",
        "letmein",
        "welcome",
        "administrator",
        "organiser",
        "organizer",
        "tournament",
        "tournoi",
        "турнир",
        "dicethrone",
        "diceforge",
        "judgejudge",
        "changeme",
        "trustno",
        "sunshine",
        "princess",
        "football",
        "baseball",
        "superman",
        "starwars",
        "dragon",
        "monkey",
        "master",
        "shadow",
        "whatever",
        "abcdefghij",
        "asdfghjkl",
        "zxcvbnm",
        "bonjour",
        "soleil",
        "doudou",
        "loulou",
        "chouchou",
        "любовь",
        "наташа",
    ]
)
ROWS = (
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjklzxcvbnm",
    "azertyuiopqsdfghjklmwxcvbn",
    "01234567890",
)


@cache
def hasher() -> PasswordHasher:
    return PasswordHasher()


def hashed(password: str, *names: str) -> str:
    """The hash of a new password; Refused if it is too weak for somebody with these names."""
    check_strength(password, *names)
    with AT_ONCE:
        return hasher().hash(password)


def is_password(stored: str, password: str) -> bool:
    try:
        with AT_ONCE:
            return hasher().verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False


@cache
def of_nobody() -> str:
    """A hash to check when there is no such account, so that both answers take the same time."""
    return hasher().hash("nobody has this password")


def check_strength(password: str, *names: str) -> None:
    if len(password) < SHORTEST_PASSWORD:
        raise Refused(Message("password_too_short", least=SHORTEST_PASSWORD))
    plain = re.sub(r"[\W\d_]+$", "", password.casefold())
    is_name = any(
        len(name) > 2 and name.casefold() in password.casefold() and len(plain) < 16 for name in names
    )
    if len(set(password)) < FEWEST_LETTERS or plain in COMMON or is_name or _is_row(password.casefold()):
        raise Refused(Message("password_too_common"))


def _is_row(password: str) -> bool:
    """Whether it is keys or letters in a row, forwards or backwards, perhaps twice."""
    rows = [row * 2 for row in ROWS]
    return any(password in row or password[::-1] in row for row in rows)

"""Secrets that are proved later: a seed or a choice is stored with its hash, which may be shown at once.

The hash is SHA-256 of the salt, a space, and what was chosen, so that anybody can check it by hand.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime

from judge.core.json_types import JsonObject

SALT_BYTES = 8
FAIR_BYTES = 252  # the largest multiple of six in a byte: larger ones would favour low numbers


def seal(words: Sequence[str], now: datetime) -> JsonObject:
    """When something was chosen, with a fresh salt and the hash of both."""
    salt = secrets.token_hex(SALT_BYTES)
    return {"at": now.isoformat(), "salt": salt, "hash": hash_of(salt, words)}


def hash_of(salt: str, words: Sequence[str]) -> str:
    return hashlib.sha256(f"{salt} {' '.join(words)}".encode()).hexdigest()


def new_seed() -> str:
    return secrets.token_hex(16)


def die(seed: str, *place: object) -> int:
    """A fair six-sided die, always the same for the same seed and place."""
    text = "/".join(map(str, (seed, *place)))
    number = 0
    while True:
        for byte in hashlib.sha256(f"{text}/{number}".encode()).digest():
            if byte < FAIR_BYTES:
                return byte % 6 + 1
        number += 1

"""Compiles the catalogues of page texts: people edit .po files, programs read the .mo files made from them.

A checkout compiles outdated ones when it starts; a wheel ships them compiled.
"""

from __future__ import annotations

import os
from pathlib import Path


def compile_catalogues(folder: Path = Path(__file__).parent) -> list[Path]:
    """Compile every .mo file that is missing or older than its .po. Returns all .mo files."""
    targets = []
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime <= source.stat().st_mtime:
            _compile(source, target)
        targets.append(target)
    return targets


def _compile(source: Path, target: Path) -> None:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    draft = target.with_suffix(f".{os.getpid()}")  # another process may be reading the old one
    with source.open("rb") as po, draft.open("wb") as mo:
        write_mo(mo, read_po(po))
    draft.replace(target)

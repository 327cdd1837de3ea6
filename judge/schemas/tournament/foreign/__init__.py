"""Reads files of other tools as tournament files: TRF of chess, and CSV with one match a line."""

from __future__ import annotations

from typing import Any

from judge.schemas.files import MAX_BYTES, parse
from judge.schemas.tournament.foreign.match_csv import is_match_csv, read_match_csv
from judge.schemas.tournament.foreign.trf import is_trf, read_trf


def parse_tournament(data: bytes) -> Any:
    """The values of a tournament file, whichever tool wrote it."""
    if len(data) <= MAX_BYTES:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")  # TRF is older than UTF-8
            return read_trf(text) if is_trf(text) else parse(data)
        if is_trf(text):
            return read_trf(text)
        if is_match_csv(text):
            return read_match_csv(text)
    return parse(data)

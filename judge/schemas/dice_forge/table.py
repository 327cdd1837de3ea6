"""Reads a Dice Forge table file (docs/files.md, section 1.4) into a `Table`, or reports every fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from judge.core.errors import InputError
from judge.core.games import DICE_FORGE
from judge.core.messages import Lang, Ref
from judge.rules.dice_forge.state.desk import READINGS
from judge.rules.dice_forge.state.table import Claim, Table
from judge.schemas.books import books, newest
from judge.schemas.dice_forge.catalog import catalog, name_in
from judge.schemas.dice_forge.doubts import check_pieces, doubts_about
from judge.schemas.dice_forge.events import EventReader
from judge.schemas.dice_forge.players import PlayersReader
from judge.schemas.dice_forge.state import read_state
from judge.schemas.dice_forge.words import Anybody
from judge.schemas.fixtures import rulebook
from judge.schemas.shape import (
    MAX_CLAIMS,
    MAX_COUNT,
    Fields,
    each,
    in_order,
    listing,
    mapping,
    name,
    number,
    one_of,
    text,
)

TABLE_KEYS = (
    "id", "title", "note", "game", "edition", "players", "turn", "events", "claims", "expect", "pools",
    "piles", "sets", "boars", "rulings",
)  # fmt: skip
CLAIMED = ("final", "glory", "gold", "sun", "moon", "hammer", "triton", "cerberus", "island")


def read_table(data: Any, path: str = "") -> Table:
    try:
        return _table(Fields(data, path, TABLE_KEYS))
    except InputError as error:
        raise in_order(error, data, path) from None


def _table(fields: Fields) -> Table:
    box = catalog()
    editions = [book.id for book in books(DICE_FORGE)]
    edition = fields.get("edition", one_of, newest(DICE_FORGE).id, editions)
    players = PlayersReader(fields, box)
    ids = tuple(players.ids) if players.knows_all else Anybody()
    start = read_state(fields, players, ids, box)
    check_pieces(fields, start, box)
    events = fields.get("events", EventReader(ids, box).events, ())
    claims = fields.get("claims", _claims, (), ids)
    fields.get("title", text)
    fields.get("note", text)
    fields.get("expect", mapping)
    table_id = fields.get("id", text)
    rulings = fields.get("rulings", _rulings, {})
    fields.done()
    return Table(
        id=table_id,
        edition=edition,
        catalog=box,
        start=start,
        events=events,
        doubts=tuple(doubts_about(start, box)),
        claims=claims,
        rulings=rulings,
    )


def _claims(value: Any, path: str, ids: tuple[str, ...]) -> tuple[Claim, ...]:
    return tuple(each(listing(value, path, MAX_CLAIMS), path, _claim, ids))


def _claim(value: Any, path: str, ids: tuple[str, ...]) -> Claim:
    fields = Fields(value, path, ("by", "player", *CLAIMED))
    of = [key for key in CLAIMED if key in fields.entry]
    if len(of) != 1:
        fields.fault("", "expected_one_of", words=list(CLAIMED))
    by = fields.get("by", name)
    player = fields.get("player", name) or by
    if player is None:
        fields.fault("by", "expected_text")
    elif player not in ids and not fields.problems:
        fields.fault("player", "expected_one_of", words=list(ids))
    number_said = fields.must(of[0], _claimed, 0, of[0]) if len(of) == 1 else 0
    fields.done()
    return Claim(by or player or "", player or "", of[0], number_said)


def _claimed(value: Any, path: str, of: str) -> int:
    """A number; an island may be `origin`, which is 0, and a Hammer `{lap: 2, position: 3}`, which is 18."""
    if of == "island":
        return 0 if value == "origin" else number(value, path, 0, 7)
    if of == "hammer" and isinstance(value, dict):
        fields = Fields(value, path, ("lap", "position"))
        spaces = catalog().hammer_spaces
        lap, position = fields.get("lap", number, 1, 1, 2), fields.get("position", number, 0, 0, spaces - 1)
        fields.done()
        return (lap - 1) * spaces + position
    return number(value, path, -MAX_COUNT, MAX_COUNT)


def _rulings(value: Any, path: str) -> dict[str, str]:
    """The head judge's decisions on points that the rules leave open."""
    fields = Fields(value, path, tuple(READINGS))
    points = [point for point in fields.entry if point in READINGS]
    chosen = {point: fields.must(point, one_of, "", READINGS[point]) for point in points}
    fields.done()
    return chosen


KINDS = {"face": "faces", "feat": "feats", "token": "tokens", "pool": "pools", "resource": "resources"}


def _reading_text(point_and_letter: str, lang: Lang) -> str:
    """What one reading of an open point says."""
    point, letter = point_and_letter[:-1], point_and_letter[-1]
    readings = rulebook(DICE_FORGE).rules[point].readings
    return next((reading.text[lang] for reading in readings if reading.letter == letter), "")


def name_of(table: Table) -> Callable[[Ref, Lang], str]:
    """The function that names faces, feats and tokens in a language."""

    def name(ref: Ref, lang: Lang) -> str:
        if ref.kind == "point":
            return rulebook(DICE_FORGE).rules[ref.id].text[lang]
        if ref.kind == "reading":
            return _reading_text(ref.id, lang)
        return name_in(KINDS.get(ref.kind, ""), ref.id, lang)

    return name

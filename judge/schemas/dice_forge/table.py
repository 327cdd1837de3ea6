"""A Dice Forge table file into the engine's Table: shape, known ids, and set-up values where it is silent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from judge.core.errors import fail
from judge.core.games import DICE_FORGE
from judge.core.messages import Lang, Ref
from judge.rules.dice_forge.desk import READINGS
from judge.rules.dice_forge.table import Claim, Table
from judge.schemas.books import books, newest
from judge.schemas.dice_forge.catalog import catalog, name_in
from judge.schemas.dice_forge.events import read_event
from judge.schemas.dice_forge.state import read_state
from judge.schemas.shape import at, each, listing, mapping, number, one_of, text

TABLE_KEYS = (
    "id", "title", "note", "game", "edition", "players", "turn", "events", "claims", "expect", "pools",
    "piles", "sets", "boars", "rulings",
)  # fmt: skip
CLAIMED = ("final", "glory", "gold", "sun", "moon")


def read_table(data: Any, path: str = "") -> Table:
    tree = mapping(data, path, TABLE_KEYS)
    box = catalog()
    editions = [book.id for book in books(DICE_FORGE)]
    edition = one_of(tree.get("edition", newest(DICE_FORGE).id), at(path, "edition"), editions)
    start = read_state(tree, path, box)
    players = tuple(start.players)
    events = each(
        listing(tree.get("events"), at(path, "events")),
        at(path, "events"),
        lambda event, place: read_event(event, place, players, box),
    )
    claims = each(
        listing(tree.get("claims"), at(path, "claims")),
        at(path, "claims"),
        lambda claim, place: _claim(claim, place, players),
    )
    return Table(
        id=None if tree.get("id") is None else str(tree["id"]),
        edition=edition,
        catalog=box,
        start=start,
        events=tuple(events),
        step_known="step" in (tree.get("turn") or {}),
        claims=tuple(claims),
        rulings=_rulings(tree.get("rulings"), at(path, "rulings")),
    )


def _claim(data: Any, path: str, players: tuple[str, ...]) -> Claim:
    tree = mapping(data, path, ("by", "player", *CLAIMED))
    of = [key for key in CLAIMED if key in tree]
    if len(of) != 1:
        raise fail(path, "expected_one_of", words=list(CLAIMED))
    by = text(tree.get("by", tree.get("player")), at(path, "by"))
    player = one_of(text(tree.get("player", by), at(path, "player")), at(path, "player"), players)
    return Claim(by, player, of[0], number(tree[of[0]], at(path, of[0]), -10_000))


def _rulings(data: Any, path: str) -> dict[str, str]:
    """What the head judge decided on points that the sheet leaves open."""
    tree = mapping(data, path, tuple(READINGS))
    return {point: one_of(letter, at(path, point), READINGS[point]) for point, letter in tree.items()}


KINDS = {"face": "faces", "feat": "feats", "token": "tokens", "pool": "pools", "resource": "resources"}


def name_of(table: Table) -> Callable[[Ref, Lang], str]:
    """Names of faces, feats and tokens in the asked language."""

    def name(ref: Ref, lang: Lang) -> str:
        return name_in(KINDS.get(ref.kind, ""), ref.id, lang)

    return name

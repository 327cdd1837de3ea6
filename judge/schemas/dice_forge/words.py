"""Reads the single values of a Dice Forge table: faces, feats, players, amounts. Unknown ones are faults."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from judge.core.errors import fail
from judge.rules.dice_forge.state.catalog import RESOURCES, Catalog
from judge.schemas.shape import MAX_NAME, Fields, each, listing, name, number, one_of


class Anybody(tuple[str, ...]):
    """Replaces a faulty list of players: it contains every name, so none is reported as unknown."""

    def __contains__(self, who: object) -> bool:
        return True


def face_id(value: Any, path: str, box: Catalog) -> str:
    if not isinstance(value, str) or value not in box.faces:
        raise fail(path, "df_unknown_face", word=str(value)[:MAX_NAME])
    return value


def feat_id(value: Any, path: str, box: Catalog) -> str:
    if not isinstance(value, str) or value not in box.feats:
        raise fail(path, "df_unknown_feat", word=str(value)[:MAX_NAME])
    return value


def player_id(value: Any, path: str, players: Collection[str]) -> str:
    who = name(value, path)
    if who not in players:
        raise fail(path, "df_unknown_player", word=who, players=list(players))
    return who


def flag(value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise fail(path, "expected_one_of", words=["true", "false"])
    return value


def faces_of(value: Any, path: str, box: Catalog) -> list[str]:
    return each(listing(value, path, box.most_faces), path, face_id, box)


def feats_of(value: Any, path: str, box: Catalog) -> list[str]:
    return each(listing(value, path, box.most_cards), path, feat_id, box)


def two_faces(value: Any, path: str, box: Catalog) -> tuple[str, str]:
    faces = faces_of(value, path, box)
    if len(faces) != 2:
        raise fail(path, "df_expected_two_faces")
    return faces[0], faces[1]


def shown_faces(value: Any, path: str, box: Catalog) -> tuple[str | None, str | None]:
    """The faces that two dice show; `null` for a die nobody has looked at."""
    if len(listing(value, path)) != 2:
        raise fail(path, "df_expected_two_faces")
    first, second = each(value, path, lambda face, here: None if face is None else face_id(face, here, box))
    return first, second


def die_number(value: Any, path: str) -> int:
    """Die 1 or 2, counted from 0."""
    return number(value, path, 1, 2) - 1


def amounts(value: Any, path: str) -> dict[str, int]:
    """`{G: 3, V: 1}`"""
    fields = Fields(value, path)
    for letter in fields.entry:
        fields.check(one_of, letter, path, tuple(RESOURCES))
    result = {letter: fields.must(letter, number, 0) for letter in fields.entry}
    fields.done()
    return result


def read_convert(value: Any, path: str) -> bool | dict[str, int]:
    """All of it, or an amount of each resource."""
    return amounts(value, path) if isinstance(value, dict) else flag(value, path)

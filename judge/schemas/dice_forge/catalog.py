"""Loads the components of Dice Forge from fixtures/dice-forge; an error names the file and the field."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from judge.core.games import DICE_FORGE
from judge.core.messages import Lang
from judge.rules.dice_forge.faces.kinds import FACE_KINDS
from judge.rules.dice_forge.state.catalog import RESOURCES, Catalog, Face, Feat, Pool, Seating, Token
from judge.rules.dice_forge.verbs.feats import FEAT_KINDS, USE
from judge.rules.dice_forge.verbs.tokens import SPEND
from judge.schemas.fixtures import load_json
from judge.schemas.shape import Fields, at, each, each_key, listing, mapping, number, one_of, text, truth

FACE_KEYS = ("id", "effect", "rules", "fixed", "source")
FEAT_KEYS = (
    "id", "slot", "island", "cost", "glory", "pile", "first_game", "effect", "rules", "source",
)  # fmt: skip
EFFECT_KEYS = (
    "kind", "gain", "options", "factor", "discount", "matches", "if_match", "otherwise", "bearer", "owner",
    "count", "convert", "faces", "token", "pay", "caps",
)  # fmt: skip
SETUP_KEYS = (
    "source", "by_players", "start_dice", "caps", "glory_token", "extra_cost", "hammer", "tokens", "pools",
)  # fmt: skip


def read_catalog(faces: Any, feats: Any, setup: Any) -> Catalog:
    """The three files, checked against one another."""
    all_faces = {face.id: face for face in each(listing(faces, "faces.json"), "faces.json", _face)}
    all_feats = {feat.id: feat for feat in each(listing(feats, "feats.json"), "feats.json", _feat)}
    fields = Fields(setup, "setup.json", SETUP_KEYS)
    pools = fields.must("pools", _pools, [], all_faces)
    tokens = fields.must("tokens", _tokens, [])
    hammer = Fields(fields.entry.get("hammer"), "setup.json.hammer", ("spaces", "rewards"))
    dice: list[Any] = fields.must("start_dice", listing, [[], []])
    catalog = Catalog(
        faces=all_faces,
        feats=all_feats,
        pools={pool.id: pool for pool in pools},
        pool_of={face: pool.id for pool in pools for face in pool.faces},
        tokens={token.id: token for token in tokens},
        seatings={int(n): _seating(row) for n, row in fields.must("by_players", mapping, {}).items()},
        start_dice=(tuple(dice[0]), tuple(dice[1])),
        caps=fields.must("caps", _amounts, {}),
        glory_token=fields.must("glory_token", number, 1, 1),
        extra_cost=fields.must("extra_cost", _amounts, {}),
        hammer_spaces=hammer.must("spaces", number, 1, 1),
        hammer_rewards=hammer.must("rewards", _rewards, ()),
    )
    fields.check(hammer.done)
    fields.done()
    _check_references(catalog)
    return catalog


def _rewards(value: Any, path: str) -> tuple[dict[str, int], ...]:
    return tuple(each(listing(value, path), path, _amounts))


def _amounts(value: Any, path: str) -> dict[str, int]:
    fields = Fields(value, path)
    for letter in fields.entry:
        fields.check(one_of, letter, path, tuple(RESOURCES))
    result = {letter: fields.read(letter, number, 1, 1) for letter in fields.entry}
    fields.done()
    return result


def _effect(value: Any, path: str, kinds: Collection[str]) -> dict[str, Any]:
    fields = Fields(value, path, EFFECT_KEYS)
    fields.read("kind", one_of, "", sorted(kinds))
    for key in ("gain", "if_match", "otherwise", "pay", "caps"):
        fields.get(key, _amounts)
    for key in ("options", "bearer", "owner"):
        fields.get(key, _rewards)
    fields.done()
    return fields.entry


def _rules(value: Any, path: str) -> tuple[str, ...]:
    return tuple(each(listing(value, path), path, text))


def _face(value: Any, path: str) -> Face:
    fields = Fields(value, path, FACE_KEYS)
    effect = fields.read("effect", _effect, {"kind": ""}, FACE_KINDS)
    face = Face(
        fields.read("id", text, ""),
        effect["kind"],
        effect,
        fields.get("rules", _rules, ()),
        fields.get("fixed", truth, False),
    )
    fields.done()
    return face


def _feat(value: Any, path: str) -> Feat:
    fields = Fields(value, path, FEAT_KEYS)
    pile = fields.entry.get("pile", "")
    if pile not in (1, 2, 3, "inventory"):
        fields.fault("pile", "expected_one_of", words=[1, 2, 3, "inventory"])
    effect = fields.read("effect", _effect, {"kind": ""}, USE if pile == 3 else FEAT_KINDS)
    feat = Feat(
        id=fields.read("id", text, ""),
        slot=fields.read("slot", text, ""),
        island=fields.read("island", number, 1, 1, 7),
        cost=fields.read("cost", _amounts, {}),
        glory=fields.read("glory", number, 0),
        pile=pile,
        first_game=fields.entry.get("first_game") is True,
        kind=effect["kind"],
        effect=effect,
        rules=fields.get("rules", _rules, ()),
    )
    fields.done()
    return feat


def _tokens(value: Any, path: str) -> list[Token]:
    return each(listing(value, path), path, _token)


def _token(value: Any, path: str) -> Token:
    fields = Fields(value, path, ("id", "effect", "rules"))
    effect = fields.read("effect", _effect, {"kind": ""}, SPEND)
    token = Token(fields.read("id", text, ""), effect["kind"], effect, fields.get("rules", _rules, ()))
    fields.done()
    return token


def _pools(value: Any, path: str, faces: dict[str, Face]) -> list[Pool]:
    return each(listing(value, path), path, _pool, faces)


def _pool(value: Any, path: str, faces: dict[str, Face]) -> Pool:
    fields = Fields(value, path, ("id", "area", "price", "faces"))
    fields.read("area", one_of, "", ("sanctuary", "gardens"))
    copies = fields.get("faces", each_key, {}, number, 1)
    for face in copies:
        fields.check(one_of, face, at(path, "faces"), faces)
    pool = Pool(fields.read("id", text, ""), fields.get("price", number), copies)
    fields.done()
    return pool


def _seating(row: dict[str, Any]) -> Seating:
    return Seating(**{**row, "start_gold": tuple(row["start_gold"])})


def _check_references(catalog: Catalog) -> None:
    for feat in catalog.feats.values():
        for face in feat.effect.get("faces", ()):
            one_of(face, f"feats.json.{feat.id}.effect.faces", catalog.pool_of)
        if "token" in feat.effect:
            one_of(feat.effect["token"], f"feats.json.{feat.id}.effect.token", catalog.tokens)


@cache
def catalog() -> Catalog:
    folder = DICE_FORGE
    return read_catalog(
        load_json(folder, "faces.json"), load_json(folder, "feats.json"), load_json(folder, "setup.json")
    )


def name_in(kind: str, item: str, lang: Lang) -> str:
    """The name of a face, feat, token or pool in a language."""
    return names().get(kind, {}).get(item, {}).get(lang, item)


@cache
def names() -> dict[str, dict[str, dict[Lang, str]]]:
    tree: dict[str, dict[str, dict[Lang, str]]] = load_json(DICE_FORGE, "names.json")
    return tree

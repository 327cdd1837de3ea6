"""Loading the Dice Forge box from fixtures/dice-forge; a fault names the file and the field."""

from __future__ import annotations

from functools import cache
from typing import Any

from judge.core.errors import fail
from judge.core.messages import Lang
from judge.rules.dice_forge.catalog import RESOURCES, Catalog, Face, Feat, Pool, Seating, Token
from judge.rules.dice_forge.faces import FACE_KINDS
from judge.rules.dice_forge.feats import FEAT_KINDS, USE
from judge.rules.dice_forge.tokens import SPEND
from judge.schemas.fixtures import load_json
from judge.schemas.shape import at, listing, mapping, number, one_of, text

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
    all_faces = {
        face.id: face
        for face in (_face(item, at("faces.json", n)) for n, item in _items(faces, "faces.json"))
    }
    setup = mapping(setup, "setup.json", SETUP_KEYS)
    pools = [_pool(item, at("setup.json.pools", n), all_faces) for n, item in _items(setup["pools"], "pools")]
    tokens = [_token(item, at("setup.json.tokens", n)) for n, item in _items(setup["tokens"], "tokens")]
    catalog = Catalog(
        faces=all_faces,
        feats={
            f.id: f for f in (_feat(item, at("feats.json", n)) for n, item in _items(feats, "feats.json"))
        },
        pools={pool.id: pool for pool in pools},
        pool_of={face: pool.id for pool in pools for face in pool.faces},
        tokens={token.id: token for token in tokens},
        seatings={int(n): _seating(row) for n, row in setup["by_players"].items()},
        start_dice=(tuple(setup["start_dice"][0]), tuple(setup["start_dice"][1])),
        caps=_amounts(setup["caps"], "setup.json.caps"),
        glory_token=number(setup["glory_token"], "setup.json.glory_token", 1),
        extra_cost=_amounts(setup["extra_cost"], "setup.json.extra_cost"),
        hammer_spaces=number(setup["hammer"]["spaces"], "setup.json.hammer.spaces", 1),
        hammer_rewards=tuple(_amounts(r, "setup.json.hammer.rewards") for r in setup["hammer"]["rewards"]),
    )
    _check_references(catalog)
    return catalog


def _items(value: Any, path: str) -> Any:
    return enumerate(listing(value, path), start=1)


def _amounts(value: Any, path: str) -> dict[str, int]:
    return {
        one_of(letter, path, tuple(RESOURCES)): number(n, at(path, letter), 1)
        for letter, n in mapping(value, path).items()
    }


def _effect(value: Any, path: str, kinds: Any) -> dict[str, Any]:
    effect = mapping(value, path, EFFECT_KEYS)
    one_of(effect.get("kind"), at(path, "kind"), sorted(kinds))
    for key in ("gain", "if_match", "otherwise", "pay", "caps"):
        if key in effect:
            _amounts(effect[key], at(path, key))
    for key in ("options", "bearer", "owner"):
        for n, option in _items(effect.get(key, []), at(path, key)):
            _amounts(option, at(at(path, key), n))
    return effect


def _face(value: Any, path: str) -> Face:
    item = mapping(value, path, FACE_KEYS)
    effect = _effect(item.get("effect"), at(path, "effect"), FACE_KINDS)
    rules = tuple(listing(item.get("rules"), at(path, "rules")))
    return Face(text(item.get("id"), at(path, "id")), effect["kind"], effect, rules, item.get("fixed", False))


def _feat(value: Any, path: str) -> Feat:
    item = mapping(value, path, FEAT_KEYS)
    pile = item.get("pile")
    if pile not in (1, 2, 3, "inventory"):
        raise fail(at(path, "pile"), "expected_one_of", words=[1, 2, 3, "inventory"])
    effect = _effect(item.get("effect"), at(path, "effect"), USE if pile == 3 else FEAT_KINDS)
    return Feat(
        id=text(item.get("id"), at(path, "id")),
        slot=text(item.get("slot"), at(path, "slot")),
        island=number(item.get("island"), at(path, "island"), 1, 7),
        cost=_amounts(item.get("cost"), at(path, "cost")),
        glory=number(item.get("glory"), at(path, "glory")),
        pile=pile,
        first_game=item.get("first_game") is True,
        kind=effect["kind"],
        effect=effect,
        rules=tuple(listing(item.get("rules"), at(path, "rules"))),
    )


def _token(value: Any, path: str) -> Token:
    item = mapping(value, path, ("id", "effect", "rules"))
    effect = _effect(item.get("effect"), at(path, "effect"), SPEND)
    return Token(text(item.get("id"), at(path, "id")), effect["kind"], effect, tuple(item["rules"]))


def _pool(value: Any, path: str, faces: dict[str, Face]) -> Pool:
    item = mapping(value, path, ("id", "area", "price", "faces"))
    one_of(item.get("area"), at(path, "area"), ("sanctuary", "gardens"))
    for face, copies in mapping(item.get("faces"), at(path, "faces")).items():
        one_of(face, at(path, "faces"), faces)
        number(copies, at(path, f"faces.{face}"), 1)
    return Pool(text(item.get("id"), at(path, "id")), item["price"], item["faces"])


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
    folder = "dice-forge"
    return read_catalog(
        load_json(folder, "faces.json"), load_json(folder, "feats.json"), load_json(folder, "setup.json")
    )


def name_in(kind: str, item: str, lang: Lang) -> str:
    """The name of a face, feat, token or pool in the asked language."""
    return names().get(kind, {}).get(item, {}).get(lang, item)


@cache
def names() -> dict[str, dict[str, dict[Lang, str]]]:
    tree: dict[str, dict[str, dict[Lang, str]]] = load_json("dice-forge", "names.json")
    return tree

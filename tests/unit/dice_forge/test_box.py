"""The Dice Forge box as data: counts that are printed, names in every language, and no id in the engine."""

import ast
import json
import re
from collections import Counter
from pathlib import Path

import pytest

import judge.rules.dice_forge as engine
from judge.core.errors import InputError
from judge.core.messages import LANGS
from judge.paths import FIXTURES
from judge.schemas.dice_forge.catalog import catalog, names, read_catalog
from judge.schemas.fixtures import load_json, rulebook, sentences

BOX = catalog()
MODULES = sorted(Path(engine.__file__).parent.glob("*.py"))


def constants(module: Path):
    tree = ast.parse(module.read_text())
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_the_box_holds_what_is_printed_on_it():
    assert len(BOX.feats) == 24
    assert len({feat.slot for feat in BOX.feats.values()}) == 15
    assert Counter(feat.first_game for feat in BOX.feats.values()) == {True: 15, False: 9}
    assert sum(sum(pool.faces.values()) for pool in BOX.pools.values()) == 60
    assert all(sum(pool.faces.values()) == 4 for pool in BOX.pools.values())
    assert len(BOX.pool_of) == len({face for pool in BOX.pools.values() for face in pool.faces})


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_no_feat_or_face_is_named_in_the_engine(module):
    assert not constants(module) & (BOX.feats.keys() | BOX.faces.keys())


def test_every_rule_the_engine_cites_is_in_the_rulebook():
    cited = {
        rule
        for module in MODULES
        for word in constants(module)
        for rule in re.findall(r"DF-[A-Z]+-\d\d", word)
    }
    cited |= {rule for thing in (*BOX.feats.values(), *BOX.faces.values()) for rule in thing.rules}

    assert cited <= rulebook("dice-forge").rules.keys()


def test_every_sentence_the_engine_says_exists():
    keys = {
        word
        for module in MODULES
        for word in constants(module)
        if re.fullmatch(r"df_[a-z0-9_]+[a-z0-9]", word)
    }

    assert keys <= sentences("en").keys()


def test_every_thing_in_the_box_has_a_name_in_every_language():
    for kind, things in (("faces", BOX.faces), ("feats", BOX.feats), ("tokens", BOX.tokens)):
        for thing in things:
            assert set(LANGS) <= names()[kind][thing].keys(), thing


def box_files():
    return [load_json("dice-forge", name) for name in ("faces.json", "feats.json", "setup.json")]


@pytest.mark.parametrize(
    ("spoil", "path"),
    [
        (lambda faces, feats, box: faces[0].update(colour="red"), "faces.json[1].colour"),
        (lambda faces, feats, box: faces[2]["effect"].update(kind="explode"), "faces.json[3].effect.kind"),
        (lambda faces, feats, box: feats[1].update(island=9), "feats.json[2].island"),
        (lambda faces, feats, box: feats[1]["cost"].update(G="1"), "feats.json[2].cost.G"),
        (lambda faces, feats, box: feats[7]["effect"].update(token="x"), "feats.json.cerberus.effect.token"),
        (lambda faces, feats, box: box["pools"][0]["faces"].update(G9=1), "setup.json.pools[1].faces"),
        (lambda faces, feats, box: box.update(moon=1), "setup.json.moon"),
    ],
)  # fmt: skip
def test_a_fault_in_the_box_names_file_and_field(spoil, path):
    files = box_files()
    spoil(*files)

    with pytest.raises(InputError) as caught:
        read_catalog(*files)

    assert caught.value.problems[0].path == path


def test_every_entry_has_its_source():
    for name in ("faces.json", "feats.json"):
        assert all(entry["source"] for entry in json.loads((FIXTURES / "dice-forge" / name).read_bytes()))

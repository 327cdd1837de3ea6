"""A fact has one home: ids of editions, formats, tie-breakers and games are literals only where declared."""

import ast
import re
from pathlib import Path

import pytest

from judge.core.games import GAME_IDS
from judge.paths import PACKAGE, TEMPLATES
from judge.schemas.books import books
from judge.tournament.formats import FORMATS
from judge.tournament.tiebreaks import TIEBREAKERS

ROOT = PACKAGE.parent
DECLARED = {"judge/core/games.py", "judge/tournament/formats.py", "judge/tournament/tiebreaks.py"}
DECLARED |= {"judge/tournament/model.py"}  # the tie-breakers where a file names none
DECLARED |= {"judge/schemas/tournament/foreign/trf.py"}  # those of chess
DEMO_DATA = {"judge/services/event/demo.py"}
# `groups` is also the number of groups: a key of tournament files, forms and reports.
KEYS = {key for kind in FORMATS.values() for key in kind.keys}
IDS = {*GAME_IDS, *FORMATS, *TIEBREAKERS, *(book.id for game in GAME_IDS for book in books(game))}

JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
QUOTED = re.compile(r"""(["'])([\w.-]+)\1""")
COMPARED = re.compile(r"""(?:[=!]=|\bin)\s*\(?(?:\s*["'][\w.-]+["']\s*,?)+""")
ATTRIBUTE = re.compile(r"""value=(["'])([\w.-]+)\1""")


def operands(node):
    """What a comparison compares: its sides, and what stands in a list of words."""
    sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
    sides += [node.value] if isinstance(node, ast.MatchValue) else []
    for side in sides:
        yield from side.elts if isinstance(side, (ast.Tuple, ast.List, ast.Set)) else [side]


def literals_in_code(source):
    """Every id that stands as a string in Python code; docstrings are prose."""
    tree = ast.parse(source)
    prose = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    compared = {id(operand) for node in ast.walk(tree) for operand in operands(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or node.value not in IDS or id(node) in prose:
            continue
        if node.value not in KEYS or id(node) in compared:
            yield node.value


def literals_in_template(source):
    """Every id that is quoted in Jinja code or is the value of a form's field."""
    yield from (word for _, word in ATTRIBUTE.findall(source) if word in IDS)
    for code in JINJA.findall(source):
        yield from (word for _, word in QUOTED.findall(code) if word in IDS - KEYS)
        for comparison in COMPARED.findall(code):
            yield from (word for _, word in QUOTED.findall(comparison) if word in IDS & KEYS)


def literals_in(path):
    source = path.read_text(encoding="utf-8")
    found = literals_in_code(source) if path.suffix == ".py" else literals_in_template(source)
    return [f"{path.relative_to(ROOT)}: {word}" for word in found]


def files():
    for path in sorted([*PACKAGE.rglob("*.py"), *TEMPLATES.rglob("*.html")]):
        if path.relative_to(ROOT).as_posix() not in DECLARED | DEMO_DATA:
            yield path


def test_editions_formats_tie_breakers_and_games_are_named_only_where_they_are_declared():
    assert [literal for path in files() for literal in literals_in(path)] == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('edition = "fr-2.4.1"', ["fr-2.4.1"]),
        ('if kind in ("swiss", "groups"): pass', ["swiss", "groups"]),
        ('settings["groups"] = 4', []),
        ('if settings.get("groups") is not None: pass', []),
        ('health = "omw" in chosen', ["omw"]),
        ('"""Plays dice-throne."""', []),
        ('"""\ndice-throne\n"""\nx = {"dice-throne": 1}', ["dice-throne"]),
    ],
)
def test_literals_are_found_in_code(source, found):
    assert list(literals_in_code(source)) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('{% if game == "dice-throne" %}', ["dice-throne"]),
        ("{{ 'x' if kind in ('swiss', 'groups') }}", ["swiss", "groups"]),
        ('<ul class="groups">{{ form["groups"] }}</ul>', []),
        ('<input name="game" value="dice-forge">', ["dice-forge"]),
    ],
)
def test_literals_are_found_in_templates(source, found):
    assert list(literals_in_template(source)) == found


def test_every_declaration_is_still_there():
    assert all(Path(ROOT, name).exists() for name in DECLARED | DEMO_DATA)

"""Mutation: change one constant or comparison of the Dice Throne engine at a time; some case must notice.

    python -m tests.deep.mutate [module ...]   damage, priority and legality unless others are named

Every mutant is judged in a process of its own by the cases of tests/cases, and by unit tests of the engine
if no case notices. Survivors are printed. Those in EQUIVALENT were looked at: nothing that shows can tell.
It is a fault if too many survive, or if a line that EQUIVALENT speaks of is no longer there.
"""

from __future__ import annotations

import ast
import copy
import os
import resource
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from judge.schemas.files import read_file
from judge.services.rulings import departures, tables_in

ROOT = Path(__file__).parents[2]
ENGINE = "judge.rules.dice_throne"
MODULES = ("damage", "dials", "conflicts", "legality")
UNIT_TESTS = ("test_throne_steps.py", "test_throne_collisions.py", "test_throne_checks.py")
SECONDS = 30  # of work, however busy the machine is
BYTES = 1_500_000_000
PROCESSES = 2
ALLOWED_SHARE = 0.1

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip
WORDS = {"max": "min", "min": "max", "any": "all", "all": "any"}

# (module, function, line, what the expression became): why nothing can notice
EQUIVALENT: dict[tuple[str, str, str, str], str] = {
    (
        "damage",
        "_work_out",
        "if locked and subtotal < locked:  # DT-ULT-03: nothing lowers ultimate damage",
        "subtotal <= locked",
    ): "where both are equal the same number is set again",
    (
        "damage",
        "_return",
        'target.deals.append(Deal(amount, "normal", n, pool.player, False, True, True))',
        "True",
    ): "nobody asks whether damage is the Attack's once it is being worked out",
    (
        "dials",
        "change_health",
        "if healed and result > game.cap:",
        "result >= game.cap",
    ): "exactly at the cap nothing is lost",
}


@dataclass(frozen=True)
class Mutant:
    module: str
    function: str
    line: int
    text: str
    became: str
    place: int
    change: int

    @property
    def key(self) -> tuple[str, str, str, str]:
        return (self.module, self.function, self.text, self.became)

    def __str__(self) -> str:
        return f"{self.module}.py:{self.line} {self.function}: {self.text}  ->  {self.became}"

    def tree(self) -> ast.Module:
        tree = ast.parse(source_of(self.module))
        _change(_nodes(tree)[self.place][1], self.change)
        return ast.fix_missing_locations(tree)


def source_of(module: str) -> str:
    return (ROOT / ENGINE.replace(".", "/") / f"{module}.py").read_text()


def mutants(module: str) -> Iterator[Mutant]:
    """One mutant for every constant, comparison, sum, `and`, `or`, `max` and `any` inside a function."""
    source = source_of(module)
    lines = source.splitlines()
    for place, (function, node) in enumerate(_nodes(ast.parse(source))):
        for k in range(_changes(node)):
            changed = copy.deepcopy(node)
            _change(changed, k)
            text = lines[node.lineno - 1].strip()
            yield Mutant(module, function, node.lineno, text, ast.unparse(changed), place, k)


def _nodes(tree: ast.Module) -> list[tuple[str, Any]]:
    """What may be changed: expressions inside the bodies of functions, with the function's name."""
    return [
        (function.name, node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for statement in function.body
        if not _is_text(statement)
        for node in ast.walk(statement)
        if isinstance(node, ast.expr)
    ]


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _changes(node: Any) -> int:
    """In how many ways this expression can be changed."""
    if isinstance(node, ast.Compare):
        return len(node.ops)
    if isinstance(node, ast.Constant):
        return int(isinstance(node.value, (bool, int)))
    if isinstance(node, (ast.BoolOp, ast.BinOp)):
        return int(type(node.op) in SWAPS)
    return int(isinstance(node, ast.Name) and node.id in WORDS)


def _change(node: Any, k: int) -> None:
    if isinstance(node, ast.Compare):
        node.ops[k] = SWAPS[type(node.ops[k])]()
    elif isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    elif isinstance(node, (ast.BoolOp, ast.BinOp)):
        node.op = SWAPS[type(node.op)]()
    else:
        node.id = WORDS[node.id]


# ------------------------------------------------------------------ judging a mutant


class Importer(MetaPathFinder, Loader):
    """Hands the engine the mutated module in place of the one on disk."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant, self.name = mutant, f"{ENGINE}.{mutant.module}"

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        return spec_from_loader(fullname, self) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.mutant.tree(), self.name, "exec"), module.__dict__)


def cases() -> list[tuple[str, Any]]:
    files = sorted((ROOT / "tests" / "cases").glob("dice-throne*.yaml"))
    return [each for file in files for each in tables_in(read_file(file))]


def is_noticed(mutant: Mutant, tables: list[tuple[str, Any]], with_unit_tests: bool) -> bool:
    """Does a case (or else a unit test) fail? Whatever breaks has been noticed."""
    sys.meta_path.insert(0, Importer(mutant))
    if with_unit_tests:
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        tests = [str(ROOT / "tests" / "unit" / name) for name in UNIT_TESTS]
        return bool(pytest.main(["-q", "-x", "-p", "no:cacheprovider", *tests]))
    return any(True for path, table in tables for _ in departures(table, "en", path))


def start(mutant: Mutant, tables: list[tuple[str, Any]], with_unit_tests: bool) -> int:
    """A process that ends with 0 if nobody noticed. One that hangs is stopped, and has been noticed."""
    child = os.fork()
    if child:
        return child
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    code = 1
    try:
        code = int(is_noticed(mutant, tables, with_unit_tests))
    finally:
        os._exit(code)


def survivors(of: list[Mutant], tables: list[tuple[str, Any]], with_unit_tests: bool) -> list[Mutant]:
    waiting, running, left = list(of), dict[int, Mutant](), list[Mutant]()
    while waiting or running:
        while waiting and len(running) < PROCESSES:
            mutant = waiting.pop(0)
            running[start(mutant, tables, with_unit_tests)] = mutant
        child, status = os.wait()
        mutant = running.pop(child)
        if status == 0:
            left.append(mutant)
    return left


def main(modules: list[str]) -> int:
    tables = cases()
    chosen = modules or list(MODULES)
    everything = [mutant for module in chosen for mutant in mutants(module)]
    apart = [mutant for mutant in everything if mutant.key not in EQUIVALENT]
    left = survivors(survivors(apart, tables, False), tables, True)
    for mutant in sorted(left, key=lambda each: (each.module, each.line)):
        print("survived:", mutant)
    for module in chosen:
        of_module = [mutant for mutant in apart if mutant.module == module]
        print(f"{module}: {len(of_module)} mutants, {sum(m.module == module for m in left)} survived")
    share = len(left) / max(len(apart), 1)
    print(f"{len(apart)} mutants, {len(apart) - len(left)} noticed, {len(left)} survived ({share:.1%})")
    print(f"{len(everything) - len(apart)} more are equivalent")
    stale = [key for key in EQUIVALENT if key[0] in chosen and key not in {m.key for m in everything}]
    for key in stale:
        print("no such line any more:", *key)
    return int(share >= ALLOWED_SHARE or bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

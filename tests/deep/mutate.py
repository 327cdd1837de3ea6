"""Mutation: change one constant or comparison of the Dice Throne engine at a time; some case must notice.

    python -m tests.deep.mutate [--sample N] [module ...]   every module of the engine unless some are named

Every mutant is judged in a process of its own by those cases of tests/cases and unit tests of the engine that
call the changed function.
Survivors are printed, with what was found when they were looked at (LOOKED_AT). Those in EQUIVALENT do not
count: nothing that shows can tell. Both lists know a mutant by what it says (its function, the statement,
and what one expression of it became), not by its place, so that code may move. It is a fault if too many
survive or, in a whole run, if one was never looked at or a list speaks of a statement that is no longer
there. `--sample 20` judges every twentieth mutant.
"""

from __future__ import annotations

import ast
import copy
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from mmap import mmap
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from judge.schemas.files import read_file
from judge.services.dispute.rulings import departures, tables_in

ROOT = Path(__file__).parents[2]
ENGINE = "judge.rules.dice_throne"
FOLDERS = ("state", "flow", "verbs", "effects", "sum", "claims")
UNIT_TESTS = (
    "test_steps", "test_collisions", "test_checks", "test_activation", "test_altering", "test_cards",
    "test_tokens", "test_windows", "test_words_act", "test_games", "test_switches",
    "test_mistakes", "test_claims", "test_printed", "test_receivers", "test_corners",
    "test_open_verbs", "test_conditions", "test_companions", "test_counting",
)  # fmt: skip
SECONDS = 10  # of work, however busy the machine is
BYTES = 1_500_000_000
PROCESSES = 2
ALLOWED_SHARE = 0.05

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip
WORDS = {"max": "min", "min": "max", "any": "all", "all": "any"}

# (function, statement, what an expression of it became): why nothing can notice
EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "_return",
        "target.deals.append(Deal(amount, 'normal', n, pool.player, False, True, True))",
        "True",
    ): "nobody asks whether damage is the Attack's once it is being worked out",
    (
        "longest_run",
        "for value in range(1, 7):",
        "8",
    ): "no die shows a 7",
    (
        "most_equal",
        "return max((dice.count(value) for value in set(dice)), default=0)",
        "1",
    ): "no text asks for one of a kind",
    (
        "change_health",
        "if healed and result > game.cap:",
        "result >= game.cap",
    ): "exactly at the cap nothing is lost",
    (
        "is_judged_later",
        "if self.is_answer and any((j < k for j in self.after[k])):",
        "j <= k",
    ): "no action follows itself",
}


# The same for survivors that a test could find with some effort, or that show nowhere but in such a corner.
LOOKED_AT: dict[tuple[str, str, str], str] = {
    (
        "_price",
        "return (price_of(event) or 0, 0)",
        "1",
    ): "only for a claim that counts paying off what has no price",
    (
        "check_used_effects",
        "if event.on and words & DEFENSIVE_WORDS:",
        "event.on or words & DEFENSIVE_WORDS",
    ): "saves time only: the check finds nothing to say",
    (
        "_check_pause",
        "if is_next and len(attack.effects) > 1 and (not check.faults):",
        "is_next or len(attack.effects) > 1 or (not check.faults)",
    ): "not tested: answers inside a block that come later than the next event (J-07)",
    (
        "_check_pause",
        "if is_next and len(attack.effects) > 1 and (not check.faults):",
        "len(attack.effects) >= 1",
    ): "not tested: answers inside a block that come later than the next event (J-07)",
    (
        "_check_pause",
        "is_next = game.open is not None or game.last == attack.n",
        "game.open is None",
    ): "not tested: answers inside a block that come later than the next event (J-07)",
    (
        "_reductions",
        "if not dealer.statuses or attack.ultimate or pool.player is dealer:",
        "not dealer.statuses and attack.ultimate and (pool.player is dealer)",
    ): "not tested: an Attack under Wither that also harms its own hero; the types say the rest again",
    (
        "check_against",
        "if any((pool.when == 'isolated' and is_answered(game, pool, event) for pool in game.instances)):",
        "pool.when == 'isolated' or is_answered(game, pool, event)",
    ): "not tested: an answer to other damage while isolated damage waits as well",
    (
        "_attack_damage",
        "return 0",
        "1",
    ): "without an Attack nobody asks how large it is",
    (
        "_attack_damage",
        "return max((sum((d.amount for d in game.pool(t).deals if d.attack)) for t in attack.targets), default=0)",  # noqa: E501
        "1",
    ): "no text asks for an Attack of 1",
    (
        "_attack_damage",
        "return max((sum((d.amount for d in game.pool(t).deals if d.attack)) for t in attack.targets), default=0)",  # noqa: E501
        "min",
    ): "not tested: an Attack that deals its several targets different damage",
    (
        "do_pay",
        "player.cp -= price_of(event) or 0",
        "1",
    ): "what has no price is not paid off",
    (
        "check_choose",
        "if not any((player.id in waiting.by for waiting in game.pending)):",
        "all",
    ): "not tested: two choices that wait at once for different players",
}


@dataclass(frozen=True)
class Mutant:
    module: str
    function: str
    line: int
    statement: str
    became: str
    place: int
    change: int

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from all others wherever the code stands."""
        return (self.function, self.statement, self.became)

    def __str__(self) -> str:
        return f"{self.module}.py:{self.line} {self.function}: {self.statement}  ->  {self.became}"

    def tree(self) -> ast.Module:
        tree = ast.parse(source_of(self.module))
        _change(_nodes(tree)[self.place].node, self.change)
        return ast.fix_missing_locations(tree)


def source_of(module: str) -> str:
    return (ROOT / ENGINE.replace(".", "/") / f"{module.replace('.', '/')}.py").read_text()


def modules() -> list[str]:
    """Every module of the engine, from the bottom up."""
    root = ROOT / ENGINE.replace(".", "/")
    files = [file for folder in FOLDERS for file in sorted((root / folder).glob("*.py"))]
    return [f"{file.parent.name}.{file.stem}" for file in files if file.stem != "__init__"]


def mutants(module: str) -> Iterator[Mutant]:
    """One mutant for every constant, comparison, sum, `and`, `or`, `max` and `any` inside a function."""
    for place, (function, statement, node) in enumerate(_nodes(ast.parse(source_of(module)))):
        for k in range(_changes(node)):
            changed = copy.deepcopy(node)
            _change(changed, k)
            yield Mutant(module, function, node.lineno, _head(statement), ast.unparse(changed), place, k)


class Place(NamedTuple):
    """An expression that may be changed, and where it stands."""

    function: str
    statement: ast.stmt
    node: Any


def _nodes(tree: ast.Module) -> list[Place]:
    """What may be changed: expressions inside the bodies of functions."""
    return [
        Place(function.name, statement, node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for statement in _statements(function.body)
        if not _is_text(statement)
        for node in _expressions(statement)
    ]


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body and of the blocks in it; functions inside it are walked on their own."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            continue
        yield statement
        for block in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, block, []))


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement itself, without those of the blocks under it."""
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt):
            yield from (node for node in ast.walk(child) if isinstance(node, ast.expr))


def _head(statement: ast.stmt) -> str:
    """The statement in one line, without the blocks under it."""
    return ast.unparse(statement).splitlines()[0]


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


def install(mutant: Mutant) -> None:
    """Give the functions of the engine the bodies of the mutant; whoever holds a function has the new one."""
    name = f"{ENGINE}.{mutant.module}"
    bodies = dict(_bodies(compile(mutant.tree(), name, "exec")))
    module = import_module(name)
    for function in _functions(vars(module), name):
        function.__code__ = bodies[function.__qualname__]


def _bodies(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner.co_qualname, inner
            yield from _bodies(inner)


def _functions(names: Mapping[str, Any], module: str) -> Iterator[FunctionType]:
    for thing in names.values():
        if getattr(thing, "__module__", module) != module:
            continue
        if isinstance(thing, FunctionType) and thing.__code__.co_filename.endswith(".py"):
            yield thing
        elif isinstance(thing, property) and isinstance(thing.fget, FunctionType):
            yield thing.fget
        elif isinstance(thing, type):
            yield from _functions(vars(thing), module)


class Witnesses:
    """The cases and the unit tests; those that noticed most mutants of a module come first."""

    def __init__(self) -> None:
        folder = ROOT / "tests" / "cases"
        names = ("dice-throne*.yaml", "heroes/*.yaml", "rules/*.yaml")
        files = [file for name in names for file in sorted(folder.glob(name))]
        cases = [each for file in files for each in tables_in(read_file(file))]
        self.all = [partial(_case, table, path) for path, table in cases]
        self.all += [
            run for name in UNIT_TESTS for run in _tests(import_module(f"tests.unit.dice_throne.{name}"))
        ]
        self.noticed = mmap(-1, 2 * len(self.all))  # a count for each, shared with the processes
        self.callers: dict[tuple[str, str], list[int]] = {}  # of each function, by module and name
        self.seconds: list[float] = []  # what each takes

    def all_pass(self) -> bool:
        """Does every one pass without any change? Also records which functions each of them calls."""
        for k, run in enumerate(self.all):
            called: set[CodeType] = set()
            start = time.process_time()
            sys.setprofile(lambda frame, event, _, called=called: called.add(frame.f_code))
            try:
                run()
            except Exception:
                return False
            finally:
                sys.setprofile(None)
            self.seconds.append(time.process_time() - start)
            for key in {(_module_of(code), code.co_name) for code in called}:
                self.callers.setdefault(key, []).append(k)
        return True

    def forget(self) -> None:
        """Start counting anew: another module has other witnesses."""
        self.noticed[:] = bytes(len(self.noticed))

    def notice(self, mutant: Mutant) -> bool:
        """Does one of them fail? Whatever breaks has been noticed."""
        counts = memoryview(self.noticed).cast("H")
        callers = self.callers.get((mutant.module, mutant.function), [])
        for k in sorted(callers, key=lambda k: (-counts[k], self.seconds[k])):
            try:
                self.all[k]()
            except Exception:
                counts[k] += 1
                return True
        return False


def _module_of(code: CodeType) -> str:
    """The module of a function as mutants name it: folder and file."""
    file = Path(code.co_filename)
    return f"{file.parent.name}.{file.stem}"


def _case(table: Any, path: str) -> None:
    assert not any(True for _ in departures(table, "en", path))


def _tests(module: ModuleType) -> Iterator[Callable[[], None]]:
    """Every test of the module with every row of its table of arguments; without those at random."""
    for name, test in vars(module).items():
        if not name.startswith("test_") or hasattr(test, "hypothesis"):
            continue
        (mark,) = getattr(test, "pytestmark", None) or (None,)
        if mark is None:
            yield test
            continue
        names, rows = mark.args
        for row in rows:
            values = (row,) if isinstance(names, str) else getattr(row, "values", row)
            yield partial(
                test, **dict(zip([names] if isinstance(names, str) else names, values, strict=True))
            )


def start(mutant: Mutant, witnesses: Witnesses) -> int:
    """A process that ends with 0 if nobody noticed. One that hangs is stopped, and has been noticed."""
    child = os.fork()
    if child:
        return child
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    code = 1
    try:
        install(mutant)
        code = int(witnesses.notice(mutant))
    finally:
        os._exit(code)


def survivors(of: list[Mutant], witnesses: Witnesses) -> list[Mutant]:
    waiting, running, left, module = list(of), dict[int, Mutant](), list[Mutant](), ""
    while waiting or running:
        while waiting and len(running) < PROCESSES:
            mutant = waiting.pop(0)
            if mutant.module != module:
                module = mutant.module
                witnesses.forget()
            running[start(mutant, witnesses)] = mutant
        child, status = os.wait()
        mutant = running.pop(child)
        if status == 0:
            left.append(mutant)
            print("survived:", mutant, "--", LOOKED_AT.get(mutant.key, "NOT LOOKED AT YET"), flush=True)
    return left


def main(arguments: list[str]) -> int:
    step = 1
    if arguments[:1] == ["--sample"]:
        step, arguments = int(arguments[1]), arguments[2:]
    witnesses = Witnesses()
    if not witnesses.all_pass():
        print("a case or a test fails without any change")
        return 1
    chosen = arguments or modules()
    everything = [mutant for module in chosen for mutant in mutants(module)]
    apart = [mutant for mutant in everything if mutant.key not in EQUIVALENT][::step]
    left = survivors(apart, witnesses)
    for module in chosen:
        of_module = [mutant for mutant in apart if mutant.module == module]
        print(f"{module}: {len(of_module)} mutants, {sum(m.module == module for m in left)} survived")
    share = len(left) / max(len(apart), 1)
    print(f"{len(apart)} mutants, {len(apart) - len(left)} noticed, {len(left)} survived ({share:.1%})")
    if step > 1 or arguments:
        return int(share >= ALLOWED_SHARE)
    there = {mutant.key for mutant in everything}
    stale = [key for key in (*EQUIVALENT, *LOOKED_AT) if key not in there]
    for key in stale:
        print("no such statement any more:", *key)
    is_new = any(mutant.key not in LOOKED_AT for mutant in left)
    return int(share >= ALLOWED_SHARE or is_new or bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

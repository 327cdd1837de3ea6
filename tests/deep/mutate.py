"""Mutation: change one constant or comparison of the Dice Throne engine at a time; some case must notice.

    python -m tests.deep.mutate [--sample N] [--jobs N] [module ...]   every module of the engine unless named

Every mutant is judged in a process of its own by those cases of tests/cases and unit tests of the engine that
execute the changed statement. What was found is kept outside the repository (MEMORY), so that the next run
judges only what is new.
Survivors are printed, with what was found when they were looked at (`looked_at` in mutants.json). Those that
are `equivalent` there do not count: nothing that shows can tell. Both lists know a mutant by its
function, the statement and what one expression of it became, not by its place: code may move. It is
a fault if too many survive or, in a whole run, if one was never looked at or a list speaks of a statement
that is no longer there. `--sample 20` judges every twentieth mutant.
"""

from __future__ import annotations

import ast
import copy
import gc
import hashlib
import json
import os
import pickle
import resource
import signal
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from io import StringIO
from mmap import mmap
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).parents[2]
ENGINE = "judge.rules.dice_throne"
IN_ENGINE = f"/{ENGINE.replace('.', '/')}/"
FOLDERS = ("state", "flow", "verbs", "effects", "sum", "claims")
TESTS = ("tests/cases/test_cases.py", "tests/unit/dice_throne")
MEMORY = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "judge-mutants"
SECONDS = 5  # of work for one witness more than it takes without any change, however busy the machine is
BYTES = 3_000_000_000
HANGS = "the process was stopped"
ALLOWED_SHARE = 0.05

Key = tuple[str, str, str]  # function, statement, what an expression of it became

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip
WORDS = {"max": "min", "min": "max", "any": "all", "all": "any"}


def _list(name: str) -> dict[Key, str]:
    rows = json.loads((Path(__file__).parent / "mutants.json").read_text())[name]
    return {(function, statement, became): why for function, statement, became, why in rows}


EQUIVALENT = _list("equivalent")  # why nothing can notice
LOOKED_AT = _list("looked_at")  # a test could find them with some effort, or they show only in a corner


@dataclass(frozen=True)
class Mutant:
    module: str
    function: str
    statement: str
    became: str
    line: int
    last_line: int
    place: int
    change: int
    where: str  # tells it from twins, and from itself once its function says something else

    @property
    def key(self) -> Key:
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
    twins: Counter[Key] = Counter()
    for place, (function, statement, node) in enumerate(_nodes(ast.parse(source_of(module)))):
        first, last, body = statement.lineno, _last_line(statement), _hash(ast.unparse(function))
        for k in range(_changes(node)):
            changed = copy.deepcopy(node)
            _change(changed, k)
            key = (function.name, _head(statement), ast.unparse(changed))
            twins[key] += 1
            yield Mutant(module, *key, first, last, place, k, f"{module} {body} {twins[key]}")


class Place(NamedTuple):
    """An expression that may be changed, and where it stands."""

    function: ast.FunctionDef
    statement: ast.stmt
    node: Any


def _nodes(tree: ast.Module) -> list[Place]:
    """What may be changed: expressions inside the bodies of functions."""
    return [
        Place(function, statement, node)
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


def _last_line(statement: ast.stmt) -> int:
    """The last line of its head, before the blocks under it."""
    body = getattr(statement, "body", None)
    return max(statement.lineno, body[0].lineno - 1) if body else statement.end_lineno or statement.lineno


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


@dataclass
class Witness:
    """A case or a test, and what it did without any change."""

    name: str
    run: Callable[[], None]
    lines: frozenset[tuple[str, int]] = frozenset()  # of the engine, by module
    seconds: float = 0.0

    def look(self) -> bool:
        """Run it once and record the lines of the engine that it executes. Does it pass?"""
        lines: set[tuple[str, int]] = set()
        start = time.process_time()
        sys.settrace(partial(_trace, lines))
        try:
            self.run()
        except BaseException as fault:
            print(f"fails without any change: {self.name}: {fault!r}")
            return False
        finally:
            sys.settrace(None)
        self.lines, self.seconds = frozenset(lines), time.process_time() - start
        return True

    def notices(self) -> bool:
        """Does it fail? Whatever breaks has been noticed; one that hangs ends the process."""
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS + self.seconds)
        try:
            self.run()
        except BaseException:
            return True
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return False


def _trace(lines: set[tuple[str, int]], frame: FrameType, event: str, _: Any) -> Any:
    """Trace the functions of the engine, and no others."""
    _, inside, file = frame.f_code.co_filename.rpartition(IN_ENGINE)
    if not inside:
        return None
    module = file.removesuffix(".py").replace("/", ".")

    def of_line(frame: FrameType, event: str, _: Any) -> Any:
        lines.add((module, frame.f_lineno))
        return of_line

    return of_line(frame, event, _)


class Collected:
    """What pytest finds; also those that hypothesis makes, always with the same examples."""

    def __init__(self) -> None:
        self.witnesses: list[Witness] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            assert isinstance(item, pytest.Function)
            values = item.callspec.params if hasattr(item, "callspec") else {}
            if set(item.fixturenames) <= values.keys() | {"request"}:
                content = f"{item.nodeid} {values!r} {item.path.read_text()}"
                self.witnesses.append(Witness(f"{item.nodeid} {_hash(content)}", partial(item.obj, **values)))


def witnesses() -> list[Witness]:
    settings.register_profile("same", derandomize=True, database=None, phases=[Phase.generate], deadline=None)
    settings.load_profile("same")
    collected = Collected()
    with redirect_stdout(StringIO()):
        pytest.main([*TESTS, "--collect-only", "-q", "--assert=plain"], plugins=[collected])
    return collected.witnesses


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class Memory:
    """What former runs found, in a file outside the repository.

    A noticed mutant is not judged again while its function and the witness that noticed it are the same; one
    that survived is shown only to witnesses that it has not met.
    """

    def __init__(self, everybody: list[Witness]) -> None:
        self.now = {witness.name for witness in everybody}
        self.looks: dict[tuple[str, str], tuple[frozenset[tuple[str, int]], float]] = {}
        self.found: dict[tuple[Key, str], str] = {}  # mutant, where: the witness, or whom it met
        self.met: dict[str, set[str]] = {}
        if MEMORY.exists():
            self.looks, self.found, self.met = pickle.loads(MEMORY.read_bytes())

    def look(self, everybody: list[Witness]) -> bool:
        """Know what lines every witness executes. Do all pass?"""
        engine = _hash("".join(source_of(module) for module in modules()))
        for witness in everybody:
            key = (witness.name, engine)
            if key in self.looks:
                witness.lines, witness.seconds = self.looks[key]
            elif not witness.look():
                return False
            self.looks[key] = (witness.lines, witness.seconds)
        self.looks = {(name, of): look for (name, of), look in self.looks.items() if of == engine}
        self.keep()
        return True

    def keep(self) -> None:
        MEMORY.parent.mkdir(parents=True, exist_ok=True)
        MEMORY.write_bytes(pickle.dumps((self.looks, self.found, self.met)))

    def write(self, mutant: Mutant, noticed_by: str) -> None:
        everybody = _hash("".join(sorted(self.now)))
        self.met[everybody] = self.now
        self.found[mutant.key, mutant.where] = noticed_by or everybody

    def is_noticed(self, mutant: Mutant) -> bool:
        return self.found.get((mutant.key, mutant.where)) in self.now

    def has_met(self, mutant: Mutant) -> set[str]:
        return self.met.get(self.found.get((mutant.key, mutant.where), ""), set())


class Jury:
    """Shows mutants to those witnesses that execute the changed statement: first to those that noticed most
    in the same function and module, then to the quickest."""

    def __init__(self, everybody: list[Witness], memory: Memory) -> None:
        self.everybody, self.memory = everybody, memory
        self.noticed: Counter[tuple[str, int]] = Counter()  # by function or module, and witness
        self.by_line: dict[tuple[str, int], list[int]] = {}
        for k, witness in enumerate(everybody):
            for line in witness.lines:
                self.by_line.setdefault(line, []).append(k)

    def called(self, mutant: Mutant) -> list[int]:
        lines = range(mutant.line, mutant.last_line + 1)
        called = {k for line in lines for k in self.by_line.get((mutant.module, line), ())}
        known = self.memory.has_met(mutant)
        return sorted(
            (k for k in called if self.everybody[k].name not in known),
            key=lambda k: (
                -self.noticed[mutant.function, k],
                -self.noticed[mutant.module, k],
                self.everybody[k].seconds,
            ),
        )

    def start(self, mutant: Mutant, answer: memoryview) -> int:
        """A process that says who noticed, and ends with 0 if nobody did."""
        called = self.called(mutant)
        child = os.fork()
        if child:
            return child
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        code = 1
        try:
            install(mutant)
            answer[0] = next((k + 1 for k in called if self.everybody[k].notices()), 0)
            code = int(answer[0] > 0)
        finally:
            os._exit(code)

    def survivors(self, of: list[Mutant], jobs: int) -> list[Mutant]:
        waiting = [mutant for mutant in of if not self.memory.is_noticed(mutant)]
        running, left = dict[int, tuple[Mutant, memoryview]](), list[Mutant]()
        while waiting or running:
            while waiting and len(running) < jobs:
                mutant, answer = waiting.pop(0), memoryview(mmap(-1, 4)).cast("I")
                running[self.start(mutant, answer)] = (mutant, answer)
            child, status = os.wait()
            mutant, answer = running.pop(child)
            name = "" if status == 0 else HANGS
            if answer[0]:
                name = self.everybody[answer[0] - 1].name
                self.noticed[mutant.function, answer[0] - 1] += 1
                self.noticed[mutant.module, answer[0] - 1] += 1
            if name != HANGS:
                self.memory.write(mutant, name)
            if not name:
                left.append(mutant)
                said = LOOKED_AT.get(mutant.key, "NOT LOOKED AT YET")
                print("survived:", mutant, "--", said, flush=True)
        self.memory.keep()
        return left


def main(arguments: list[str]) -> int:
    options = ArgumentParser(prog="python -m tests.deep.mutate")
    options.add_argument("--sample", type=int, default=1, help="judge only every n-th mutant")
    options.add_argument("--jobs", type=int, default=2, help="how many at a time")
    options.add_argument("module", nargs="*")
    asked = options.parse_args(arguments)
    os.nice(5)
    everybody = witnesses()
    memory = Memory(everybody)
    if not memory.look(everybody):
        return 1
    gc.freeze()
    chosen, jury = asked.module or modules(), Jury(everybody, memory)
    everything = {module: list(mutants(module)) for module in chosen}
    apart = [mutant for found in everything.values() for mutant in found if mutant.key not in EQUIVALENT]
    apart, left = apart[:: asked.sample], list[Mutant]()
    for module in chosen:
        of_module = [mutant for mutant in apart if mutant.module == module]
        survived = jury.survivors(of_module, asked.jobs)
        left += survived
        print(f"{module}: {len(of_module)} mutants, {len(survived)} survived", flush=True)
    share = len(left) / max(len(apart), 1)
    print(f"{len(apart)} mutants, {len(apart) - len(left)} noticed, {len(left)} survived ({share:.1%})")
    if asked.sample > 1 or asked.module:
        return int(share >= ALLOWED_SHARE)
    there = {mutant.key for found in everything.values() for mutant in found}
    stale = [key for key in (*EQUIVALENT, *LOOKED_AT) if key not in there]
    for key in stale:
        print("no such statement any more:", *key)
    is_new = any(mutant.key not in LOOKED_AT for mutant in left)
    return int(share >= ALLOWED_SHARE or is_new or bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

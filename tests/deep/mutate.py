"""Mutation: change one constant or comparison of the Dice Throne engine at a time; some case must notice.

    python -m tests.deep.mutate [module ...]   damage, priority and legality unless others are named

Every mutant is judged in a process of its own by the cases of tests/cases and by unit tests of the engine.
Survivors are printed, with what was found when they were looked at (LOOKED_AT). Those in EQUIVALENT do not
count: nothing that shows can tell. It is a fault if too many survive, if one was never looked at, or if
EQUIVALENT or LOOKED_AT speak of a line that is no longer there.
"""

from __future__ import annotations

import ast
import copy
import os
import resource
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from mmap import mmap
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from judge.schemas.files import read_file
from judge.services.dispute.rulings import departures, tables_in

ROOT = Path(__file__).parents[2]
ENGINE = "judge.rules.dice_throne"
MODULES = (
    "sum.damage", "sum.dials", "flow.collide", "verbs.legality", "verbs.activation", "verbs.altering",
    "verbs.playing", "state.tokens", "verbs.spending",
)  # fmt: skip
UNIT_TESTS = (
    "test_steps", "test_collisions", "test_checks", "test_activation", "test_altering", "test_cards",
    "test_tokens", "test_windows",
)  # fmt: skip
SECONDS = 10  # of work, however busy the machine is
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
        "sum.damage",
        "_work_out",
        "if locked and subtotal < locked:  # DT-ULT-03: nothing lowers ultimate damage",
        "subtotal <= locked",
    ): "where both are equal the same number is set again",
    (
        "sum.damage",
        "_return",
        'target.deals.append(Deal(amount, "normal", n, pool.player, False, True, True))',
        "True",
    ): "nobody asks whether damage is the Attack's once it is being worked out",
    (
        "verbs.activation",
        "longest_run",
        "for value in range(1, 7):",
        "8",
    ): "no die shows a 7",
    (
        "verbs.activation",
        "most_equal",
        "return max((dice.count(value) for value in set(dice)), default=0)",
        "1",
    ): "no text asks for one of a kind",
    (
        "flow.collide",
        "_ruling",
        "for k, outcome in zip(sequence, outcomes, strict=True):",
        "False",
    ): "every place of the sequence has its outcome",
    (
        "sum.dials",
        "change_health",
        "if healed and result > game.cap:",
        "result >= game.cap",
    ): "exactly at the cap nothing is lost",
}


# The same for survivors that a test could find with some effort, or that show nowhere but in such a corner.
LOOKED_AT: dict[tuple[str, str, str, str], str] = {
    (
        "flow.collide",
        "_price",
        "return price_of(event) or 0, 0",
        "1",
    ): "only for a claim that counts paying off what has no price",
    (
        "verbs.altering",
        "_most",
        'if inner is not None and holds(game, Context(0, player, "card"), one.condition):',
        "1",
    ): "a question about tokens held asks the file for nothing",
    (
        "verbs.altering",
        "_check_change",
        "now = dice[index_of(game, change)] if dice and index_of(game, change) < len(dice) else None",
        "index_of(game, change) <= len(dice)",
    ): "five dice always lie there, and other rolls were measured before",
    (
        "verbs.altering",
        "dice_on_table",
        "return [attack.die] if attack is not None and attack.die is not None else None",
        "attack is not None or attack.die is not None",
    ): "without an Attack or its die a fault has been found before",
    (
        "verbs.playing",
        "carry_out",
        'if one.op == "then" and n > 0 and game.open is None:',
        "n >= 0",
    ): "a pause before anything has happened ends with the same table",
    (
        "verbs.playing",
        "alter",
        'if game.open.of == "defensive":',
        "game.open.of != 'defensive'",
    ): "the dice of a defence are one list, changed where they lie",
    (
        "verbs.playing",
        "check_used_effects",
        "if event.on and words & DEFENSIVE_WORDS:",
        "event.on or words & DEFENSIVE_WORDS",
    ): "saves time only: the check finds nothing to say",
    (
        "verbs.playing",
        "_chosen_price",
        "is_option = isinstance(wanted, int) and 1 <= wanted <= len(one.options)",
        "1 <= wanted < len(one.options)",
    ): "not tested: a choice given as a word where CP are asked for",
    (
        "verbs.playing",
        "_chosen_price",
        "is_option = isinstance(wanted, int) and 1 <= wanted <= len(one.options)",
        "isinstance(wanted, int) or 1 <= wanted <= len(one.options)",
    ): "not tested: a choice given as a word where CP are asked for",
    (
        "verbs.playing",
        "_check_pause",
        "if is_next and len(attack.effects) > 1 and not check.faults:",
        "is_next or len(attack.effects) > 1 or (not check.faults)",
    ): "not tested: answers inside a block that come later than the next event (J-07)",
    (
        "verbs.playing",
        "_check_pause",
        "if is_next and len(attack.effects) > 1 and not check.faults:",
        "len(attack.effects) >= 1",
    ): "not tested: answers inside a block that come later than the next event (J-07)",
    (
        "verbs.playing",
        "_check_pause",
        "is_next = game.open is not None or game.last == attack.n",
        "game.open is None",
    ): "not tested: answers inside a block that come later than the next event (J-07)",
    (
        "sum.damage",
        "_reductions",
        "if not dealer.statuses or attack.ultimate or pool.player is dealer:",
        "not dealer.statuses and attack.ultimate and (pool.player is dealer)",
    ): "not tested: an Attack under Wither that also harms its own hero; the types say the rest again",
    (
        "verbs.legality",
        "check_against",
        'if any(pool.when == "isolated" and is_answered(game, pool, event) for pool in game.instances):',
        "pool.when == 'isolated' or is_answered(game, pool, event)",
    ): "not tested: an answer to other damage while isolated damage waits as well",
    (
        "verbs.spending",
        "_attack_damage",
        "return 0",
        "1",
    ): "without an Attack nobody asks how large it is",
    (
        "verbs.spending",
        "_attack_damage",
        "return 9999",
        "10000",
    ): "no text asks for so large an Attack",
    (
        "verbs.spending",
        "_attack_damage",
        "return max((sum(d.amount for d in game.pool(t).deals if d.attack) for t in attack.targets), default=0)",  # noqa: E501
        "1",
    ): "no text asks for an Attack of 1",
    (
        "verbs.spending",
        "_attack_damage",
        "return max((sum(d.amount for d in game.pool(t).deals if d.attack) for t in attack.targets), default=0)",  # noqa: E501
        "min",
    ): "not tested: an Attack that deals its several targets different damage",
    (
        "verbs.spending",
        "do_pay",
        "player.cp -= price_of(event) or 0",
        "1",
    ): "what has no price is not paid off",
    (
        "verbs.spending",
        "check_resolve",
        'rolls = any(one.op == "roll" for one in thing.effects or ())',
        "all",
    ): "no status both rolls and does something else at once",
    (
        "verbs.spending",
        "check_resolve",
        'check.fault(("DT-TXT-01",), "wrong_number_of_dice", need=1, has=len(event.dice))',
        "2",
    ): "only the number named in the sentence",
    (
        "verbs.spending",
        "upkeep_effects",
        'if one.op == "if" and one.condition is not None',
        "one.op == 'if' or one.condition is not None",
    ): "only an `if` has a condition",
    (
        "verbs.spending",
        "do_resolve",
        "is_any_time = isinstance(thing, Companion) or (isinstance(thing, Ability) and not upkeep_effects(thing))",  # noqa: E501
        "isinstance(thing, Companion) and (isinstance(thing, Ability) and (not upkeep_effects(thing)))",
    ): "not tested: a Companion or passive used where no phase is known",
    (
        "verbs.spending",
        "do_resolve",
        "rolls = len(event.dice) if isinstance(thing, Status) and event.effects is None else 1",
        "isinstance(thing, Status) or event.effects is None",
    ): "not tested: a passive with dice resolved twice",
    (
        "verbs.spending",
        "do_resolve",
        "rolls = len(event.dice) if isinstance(thing, Status) and event.effects is None else 1",
        "2",
    ): "not tested: a passive with dice resolved twice",
    (
        "verbs.spending",
        "do_resolve",
        "game.at_upkeep.setdefault(name, player.statuses.get(name, 0))",
        "1",
    ): "a thing without tokens is no status that rolls",
    (
        "verbs.spending",
        "do_resolve",
        "if effects is not None and rolls > 1:",
        "rolls >= 1",
    ): "effects taken once are the same effects",
    (
        "verbs.spending",
        "level_effects",
        "if upgrade is not None and upgrade.level > 1:",
        "upgrade.level >= 1",
    ): "not tested: a passive at another level than II",
    (
        "verbs.spending",
        "level_effects",
        "if upgrade is not None and upgrade.level > 1:",
        "2",
    ): "not tested: a passive at another level than II",
    (
        "verbs.spending",
        "level_effects",
        "effects = card.effects if card is not None else None",
        "card is None",
    ): "not tested: an upgraded passive whose card no catalogue holds",
    (
        "verbs.spending",
        "_stage_effects",
        "(c for c in (event.value, *event.choice[:1], *there[: len(there) == 1]) if c in stages), None",
        "2",
    ): "not tested: a Companion with several stages on the board and none named",
    (
        "verbs.spending",
        "_stage_effects",
        "(c for c in (event.value, *event.choice[:1], *there[: len(there) == 1]) if c in stages), None",
        "len(there) != 1",
    ): "not tested: a Companion with several stages on the board and none named",
    (
        "verbs.spending",
        "check_choose",
        "if not any(player.id in waiting.by for waiting in game.pending):",
        "all",
    ): "not tested: two choices that wait at once for different players",
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
    """The cases and the unit tests; those that noticed most mutants so far are asked first."""

    def __init__(self) -> None:
        files = sorted((ROOT / "tests" / "cases").glob("dice-throne*.yaml"))
        cases = [each for file in files for each in tables_in(read_file(file))]
        self.all = [partial(_case, table, path) for path, table in cases]
        self.all += [
            run for name in UNIT_TESTS for run in _tests(import_module(f"tests.unit.dice_throne.{name}"))
        ]
        self.noticed = mmap(-1, 2 * len(self.all))  # a count for each, shared with the processes

    def notice(self) -> bool:
        """Does one of them fail? Whatever breaks has been noticed."""
        counts = memoryview(self.noticed).cast("H")
        for k in sorted(range(len(self.all)), key=lambda k: -counts[k]):
            try:
                self.all[k]()
            except Exception:
                counts[k] += 1
                return True
        return False


def _case(table: Any, path: str) -> None:
    assert not any(True for _ in departures(table, "en", path))


def _tests(module: ModuleType) -> Iterator[Callable[[], None]]:
    """Every test of the module with every row of its table of arguments."""
    for name, test in vars(module).items():
        if not name.startswith("test_"):
            continue
        (mark,) = getattr(test, "pytestmark", None) or (None,)
        if mark is None:
            yield test
        else:
            yield from (partial(test, **dict(zip(mark.args[0], row, strict=True))) for row in mark.args[1])


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
        code = int(witnesses.notice())
    finally:
        os._exit(code)


def survivors(of: list[Mutant], witnesses: Witnesses) -> list[Mutant]:
    waiting, running, left = list(of), dict[int, Mutant](), list[Mutant]()
    while waiting or running:
        while waiting and len(running) < PROCESSES:
            mutant = waiting.pop(0)
            running[start(mutant, witnesses)] = mutant
        child, status = os.wait()
        mutant = running.pop(child)
        if status == 0:
            left.append(mutant)
            print("survived:", mutant, "--", LOOKED_AT.get(mutant.key, "NOT LOOKED AT YET"), flush=True)
    return left


def main(modules: list[str]) -> int:
    witnesses = Witnesses()
    if witnesses.notice():
        print("a case or a test fails without any change")
        return 1
    chosen = modules or list(MODULES)
    everything = [mutant for module in chosen for mutant in mutants(module)]
    apart = [mutant for mutant in everything if mutant.key not in EQUIVALENT]
    left = survivors(apart, witnesses)
    for module in chosen:
        of_module = [mutant for mutant in apart if mutant.module == module]
        print(f"{module}: {len(of_module)} mutants, {sum(m.module == module for m in left)} survived")
    share = len(left) / max(len(apart), 1)
    print(f"{len(apart)} mutants, {len(apart) - len(left)} noticed, {len(left)} survived ({share:.1%})")
    print(f"{len(everything) - len(apart)} more are equivalent")
    there = {mutant.key for mutant in everything}
    stale = [key for key in (*EQUIVALENT, *LOOKED_AT) if key[0] in chosen and key not in there]
    for key in stale:
        print("no such line any more:", *key)
    is_new = any(mutant.key not in LOOKED_AT for mutant in left)
    return int(share >= ALLOWED_SHARE or is_new or bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

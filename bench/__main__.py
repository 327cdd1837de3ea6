"""Run every module of this folder and print its ratios; exit code 1 if one misses its goal."""

import importlib
import pkgutil
import sys

import bench


def main() -> int:
    missed = 0
    for module in sorted(
        info.name for info in pkgutil.iter_modules(bench.__path__) if info.name != "__main__"
    ):
        for name, value, goal, note in importlib.import_module(f"bench.{module}").ratios():
            good = goal is None or value <= goal
            missed += not good
            aim = "" if goal is None else f"goal {goal:g}"
            print(f"{'ok  ' if good else 'SLOW'} {value:9.2f}  {aim:<12} {name}  ({note})", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

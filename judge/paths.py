"""Where templates and fixtures live: inside the package in a wheel, beside it in a checkout.

JUDGE_FIXTURES names another folder with the rules as data: the shipped one with books or heroes of your own.
"""

import os
from pathlib import Path

PACKAGE = Path(__file__).parent


def _folder(name: str) -> Path:
    inside = PACKAGE / f"_{name}"
    return inside if inside.is_dir() else PACKAGE.parent / name


def _fixtures() -> Path:
    chosen = os.environ.get("JUDGE_FIXTURES")
    if not chosen:
        return _folder("fixtures")
    if not Path(chosen).is_dir():
        raise SystemExit(f"JUDGE_FIXTURES: there is no folder {chosen}")
    return Path(chosen)


FIXTURES = _fixtures()
TEMPLATES = _folder("templates")
TRANSLATIONS = PACKAGE / "translations"
STATIC = PACKAGE / "web" / "static"

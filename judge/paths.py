"""Where templates and fixtures live: inside the package in a wheel, beside it in a checkout."""

from pathlib import Path

PACKAGE = Path(__file__).parent


def _folder(name: str) -> Path:
    inside = PACKAGE / f"_{name}"
    return inside if inside.is_dir() else PACKAGE.parent / name


FIXTURES = _folder("fixtures")
TEMPLATES = _folder("templates")
TRANSLATIONS = PACKAGE / "translations"
STATIC = PACKAGE / "web" / "static"

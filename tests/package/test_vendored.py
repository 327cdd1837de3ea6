"""Files from elsewhere are the ones VENDORED.md names, unchanged, with their licences."""

import hashlib
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ROW = re.compile(r"^\| (\S+) \|.*\| ([0-9a-f]{64}) \|$", re.MULTILINE)


def test_vendored_files_have_their_sums():
    listed = dict(ROW.findall((ROOT / "VENDORED.md").read_text()))
    found = {path: hashlib.sha256((ROOT / path).read_bytes()).hexdigest() for path in listed}

    assert listed
    assert found == listed


def test_nothing_from_elsewhere_is_unlisted():
    listed = dict(ROW.findall((ROOT / "VENDORED.md").read_text()))
    folders = [
        ROOT / name for name in ("judge/web/static/vendor", "judge/printing/fonts", "tests/browser/vendor")
    ]
    there = {str(path.relative_to(ROOT)) for folder in folders for path in folder.iterdir()}

    assert {path for path in there if "LICENSE" not in path} == set(listed)

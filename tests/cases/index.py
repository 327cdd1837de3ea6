"""Writes fixtures/cases.json: for each rule how many cases it decides, and the titles of a few. Run it after
adding cases: `make cases`.
"""

from __future__ import annotations

import json
from pathlib import Path

from judge.paths import FIXTURES
from judge.rules.ruling_words import deciding_rules
from judge.schemas.files import read_file
from judge.services.dispute.case import Case
from judge.services.dispute.rulings import tables_in

HERE = Path(__file__).parent
MOST_TITLES = 6


def titles_by_rule() -> dict[str, list[str]]:
    """For each rule the titles of the cases that it decides, in the order of the files."""
    titles: dict[str, dict[str, None]] = {}
    for path in sorted(HERE.rglob("*.yaml")):
        if path.parent.name == "tournaments":
            continue
        for place, table in tables_in(read_file(path)):
            for rule in deciding_rules(Case(table, place).said("en")):
                title = str(table.get("title") or table.get("id") or path.stem)
                titles.setdefault(rule, {})[title] = None
    return {rule: list(found) for rule, found in sorted(titles.items())}


def main() -> None:
    entries = {
        rule: {"count": len(titles), "titles": sorted(titles, key=len)[:MOST_TITLES]}
        for rule, titles in titles_by_rule().items()
    }
    lines = ",\n".join(
        f" {json.dumps(rule)}: {json.dumps(entry, ensure_ascii=False)}" for rule, entry in entries.items()
    )
    (FIXTURES / "cases.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{len(entries)} rules decide cases")


if __name__ == "__main__":
    main()

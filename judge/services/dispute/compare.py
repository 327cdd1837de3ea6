"""One table under every rulebook: only what differs, and by which rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judge.core.errors import fail
from judge.core.messages import Lang
from judge.schemas.books import books
from judge.schemas.fixtures import rulebook
from judge.schemas.shape import at
from judge.services.dispute.case import Case
from judge.services.dispute.rulings import tables_in

# What a judge looks at; sentences and steps differ with every number in them.
COMPARED = ("order", "resolutions", "players", "teams", "turn", "outcome", "may", "lost", "discretion")
_MISSING = "–"


def compare_table(data: Any, lang: Lang = "en", path: str = "") -> dict[str, Any]:
    """What differs between the rulings on a table file under each book."""
    return compare(Case(data, path), lang)


def compare(case: Case, lang: Lang) -> dict[str, Any]:
    """`differences`: one entry per place with the value under each book; `rules`: what the books rest on."""
    editions = _editions(case)
    rulings = [case.under(edition).said(lang) for edition in editions] if editions else [case.said(lang)]
    names = [ruling["edition"] for ruling in rulings]
    flat = [dict(_flat(_compared(ruling))) for ruling in rulings]
    differences = []
    for place in dict.fromkeys(place for one in flat for place in one):
        values = [one.get(place, _MISSING) for one in flat]
        if any(value != values[0] for value in values):
            differences.append({"path": place, "values": dict(zip(names, values, strict=True))})
    return {
        "id": case.data.get("id"),
        "game": case.game.id,
        "editions": names,
        "differences": differences,
        "rules": _rules(case, rulings, lang) if differences else [],
    }


def compare_file(data: Any, lang: Lang = "en") -> Any:
    """The comparison of a file: one, or a list in the order of its tables."""
    comparisons = [compare_table(table, lang, path) for path, table in tables_in(data)]
    return comparisons if "tables" in data else comparisons[0]


def _editions(case: Case) -> list[str]:
    """The books to compare; none where there is only one."""
    editions = sorted(book.id for book in books(case.game.id))
    if len(editions) < 2:
        return []
    if case.data.get("edition", editions[0]) not in editions:  # it is compared, but has to be one
        raise fail(at(case.path, "edition"), "expected_one_of", words=editions)
    return editions


def _compared(ruling: dict[str, Any]) -> dict[str, Any]:
    verdicts = {str(event["n"]): {"verdict": event["verdict"]} for event in ruling["events"]}
    return {"events": verdicts, **{key: ruling[key] for key in COMPARED if key in ruling}}


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every leaf with its path; lists of plain values are leaves."""
    if isinstance(value, dict):
        for key, item in value.items():
            place = f"[{key}]" if path == "events" else f".{key}" if path else str(key)
            yield from _flat(item, path + place)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for n, item in enumerate(value, start=1):
            yield from _flat(item, f"{path}[{n}]")
    else:
        yield path, value


def _rules(case: Case, rulings: list[dict[str, Any]], lang: Lang) -> list[dict[str, Any]]:
    """Rules that only some of the books rest on, those in which the books differ before all others."""
    cited = [_cited(ruling) for ruling in rulings]
    apart = [
        rule
        for rule in dict.fromkeys(r for one in cited for r in one)
        if any(rule not in one for one in cited)
    ]
    book = rulebook(case.game.id)
    differing = book.differing
    telling = [rule for rule in apart if rule in differing] or apart
    return [
        {
            "id": rule,
            "editions": [r["edition"] for r, one in zip(rulings, cited, strict=True) if rule in one],
            "text": book.rules[rule].text[lang],
        }
        for rule in sorted(telling)
        if rule in book.rules
    ]


def _cited(ruling: dict[str, Any]) -> dict[str, None]:
    rules: dict[str, None] = dict.fromkeys(ruling["discretion"])
    for part in (*ruling["events"], *ruling["steps"]):
        rules.update(dict.fromkeys(part["rules"]))
    return rules

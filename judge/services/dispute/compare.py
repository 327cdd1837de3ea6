"""Compares the rulings on one table under every rulebook: what differs, and by which rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from judge.core.errors import fail
from judge.core.json_types import JsonObject
from judge.core.messages import Lang
from judge.schemas.books import books
from judge.schemas.fixtures import rulebook
from judge.schemas.shape import at
from judge.services.dispute.case import Case
from judge.services.dispute.rulings import tables_in

if TYPE_CHECKING:  # a cold start need not load it
    from judge.rules.ruling_json import RulingJson

# What a judge looks at; sentences and steps differ with every number in them.
COMPARED = ("order", "resolutions", "players", "teams", "turn", "outcome", "may", "lost", "discretion")
REASONS = ("decides", "parts")
MISSING = "–"


class Difference(TypedDict):
    """One place of the ruling and its value under each book."""

    path: str
    values: JsonObject  # by book


class DifferingRule(TypedDict):
    id: str
    editions: list[str]
    text: str


class Comparison(TypedDict):
    """The rulings on one table under every book; `rules` are those that only some of the books rest on."""

    id: str | None
    game: str
    editions: list[str]
    differences: list[Difference]
    rules: list[DifferingRule]


def compare_table(data: Any, lang: Lang = "en", path: str = "") -> Comparison:
    """What differs between the rulings on a table file under each book."""
    return compare(Case(data, path), lang)


def compare(case: Case, lang: Lang) -> Comparison:
    editions = _editions(case)
    rulings = [case.under(edition).said(lang) for edition in editions] if editions else [case.said(lang)]
    names = [ruling["edition"] for ruling in rulings]
    flat = [dict(_flat(_compared(ruling))) for ruling in rulings]
    differences: list[Difference] = []
    for place in dict.fromkeys(place for leaves in flat for place in leaves):
        values = [leaves.get(place, MISSING) for leaves in flat]
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
    """The books to compare; none if the game has only one."""
    editions = sorted(book.id for book in books(case.game.id))
    if len(editions) < 2:
        return []
    # All books are compared, but the file must still name one of them.
    if case.data.get("edition", editions[0]) not in editions:
        raise fail(at(case.path, "edition"), "expected_one_of", words=editions)
    return editions


def _compared(ruling: RulingJson) -> JsonObject:
    tree: Mapping[str, Any] = ruling
    verdicts = {str(event["n"]): {"verdict": event["verdict"]} for event in ruling["events"]}
    return {"events": verdicts, **{key: _without_reasons(tree[key]) for key in COMPARED if key in tree}}


def _without_reasons(value: Any) -> Any:
    """Without the rules behind a number and its parts: two books may say the same in other places."""
    if isinstance(value, dict):
        return {key: _without_reasons(item) for key, item in value.items() if key not in REASONS}
    return [_without_reasons(item) for item in value] if isinstance(value, list) else value


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


def _rules(case: Case, rulings: list[RulingJson], lang: Lang) -> list[DifferingRule]:
    """Rules that only some of the rulings cite; if the books differ in any of these, only those."""
    cited = [_cited(ruling) for ruling in rulings]
    apart = [
        rule
        for rule in dict.fromkeys(rule for rules in cited for rule in rules)
        if any(rule not in rules for rules in cited)
    ]
    book = rulebook(case.game.id)
    differing = book.differing
    telling = [rule for rule in apart if rule in differing] or apart
    return [
        {
            "id": rule,
            "editions": [
                ruling["edition"] for ruling, rules in zip(rulings, cited, strict=True) if rule in rules
            ],
            "text": book.rules[rule].text[lang],
        }
        for rule in sorted(telling)
        if rule in book.rules
    ]


def _cited(ruling: RulingJson) -> dict[str, None]:
    rules: dict[str, None] = dict.fromkeys(ruling["discretion"])
    for event in ruling["events"]:
        rules.update(dict.fromkeys(event["rules"]))
    for step in ruling["steps"]:
        rules.update(dict.fromkeys(step["rules"]))
    return rules

"""What a log entry changed, in words: old → new for players, tables, extra time, settings; the claim of a
report; bans and picks; the penalty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from judge.core.json_types import JsonObject
from judge.core.messages import Message, Phrasebook
from judge.services.play.outcomes import Outcome, describe
from judge.storage.audit import AuditRow
from judge.storage.events import seats_of

Name = Callable[[Any], str]
PLAYER_COLUMNS = (
    "name", "public_name", "club", "seed", "fixed_table", "first_round", "heroes", "members", "byes",
    "half_byes", "absent",
)  # fmt: skip
MOST = 8  # lines; a whole round of changed tables is not listed


def details_of(entry: AuditRow, name: Name, counts: str | None, book: Phrasebook) -> list[str]:
    """One sentence for each thing that changed; the names of players by `name`."""
    before = {(copy["table"], copy["id"]): copy["row"] for copy in entry.before or []}
    says = []
    for copy in entry.after or []:
        old, new = before.get((copy["table"], copy["id"])), copy["row"]
        says += list(_details(copy["table"], old, new, name, counts, book))
    return says[:MOST] if entry.what != "round.paired" else []


def _details(
    table: str,
    old: JsonObject | None,
    new: JsonObject | None,
    name: Name,
    counts: str | None,
    book: Phrasebook,
) -> Iterator[str]:
    if table == "penalty" and new is not None and old is None:
        yield f"{new['infraction']}: {new['penalty']}"
    if old is None or new is None:
        return
    if table == "player":
        for column in PLAYER_COLUMNS:
            if column in new:
                yield _arrow(book.say(Message(f"player_field_{column}")), old[column], new[column])
    elif table == "match":
        yield from _match(old, new, name, counts, book)
    elif table == "staff" and "role" in new:
        yield _arrow("", old["role"], new["role"])
    elif table == "event":
        yield from _event(old, new)


def _event(old: JsonObject, new: JsonObject) -> Iterator[str]:
    for column in ("name", "day", "edition"):
        if column in new:
            yield _arrow(column, old[column], new[column])
    was, now = _flat(old.get("settings") or {}), _flat(new.get("settings") or {})
    for key in sorted({*was, *now}):
        if was.get(key) != now.get(key):
            yield _arrow(key, was.get(key), now.get(key))


def _flat(settings: JsonObject, before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in settings.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{before}{key}.")
        else:
            flat[before + key] = value
    return flat


def _match(
    old: JsonObject, new: JsonObject, name: Name, counts: str | None, book: Phrasebook
) -> Iterator[str]:
    if "extension_s" in new:
        yield _arrow("", f"{old['extension_s'] // 60} min", f"{new['extension_s'] // 60} min")
    if "table_no" in new and "a_id" not in new and "b_id" not in new:
        yield _arrow("", _number(old["table_no"]), _number(new["table_no"]))
    if "a_id" in new or "b_id" in new:
        yield _arrow("", _seats(old, name), _seats(new, name))
    for side, claim in (new.get("reports") or {}).items():
        if (old.get("reports") or {}).get(side) != claim:
            games = tuple(claim["games"]) if claim.get("games") else None
            scores = tuple(claim["scores"]) if claim.get("scores") else None
            outcome = Outcome(
                claim["result"], claim["how"], claim["health_a"], claim["health_b"], games, scores
            )
            names = [s.upper() for s in "abcdef"][: len(scores) if scores else 2]
            yield f"{side.upper()}: {book.say(describe(names, outcome, counts))}"
    if "selection" in new:
        chosen = {k: v for k, v in (new["selection"] or {}).items() if (old["selection"] or {}).get(k) != v}
        yield from (f"{key}: {_text(value)}" for key, value in chosen.items() if key in ("bans", "picks"))


def _claim(claim: JsonObject, counts: str | None) -> Message:
    """What a player reported; the seats are called A, B ..."""
    games, scores = (tuple(claim[key]) if claim.get(key) else None for key in ("games", "scores"))
    health = claim["health_a"], claim["health_b"]
    outcome = Outcome(claim["result"], claim["how"], *health, games, scores)
    return describe("ABCDEF"[: len(scores) if scores else 2], outcome, counts)


def _number(table: int | None) -> str:
    return "–" if table is None else f"#{table}"


def _seats(row: JsonObject, name: Name) -> str:
    if "a_id" not in row:
        return name(row.get("b_id"))
    return " – ".join(
        filter(None, (name(p) for p in seats_of(row["a_id"], row.get("b_id"), row.get("more"))))
    )


def _arrow(label: str, old: Any, new: Any) -> str:
    text = f"{_text(old)} → {_text(new)}"
    return f"{label}: {text}" if label else text


def _text(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return "–"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(inner)}" for key, inner in value.items())
    return ", ".join(map(_text, value)) if isinstance(value, list) else str(value)

"""What a log entry changed, in words: old → new for players, tables, extra time, settings; the claim of a
report; bans and picks; the penalty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from judge.core.json_types import JsonObject
from judge.core.messages import Lang, Message, Phrasebook
from judge.services.log.setting_words import changed_settings
from judge.services.play.outcomes import Outcome, describe
from judge.storage.audit import AuditRow
from judge.storage.events import seats_of

Name = Callable[[Any], str]
PLAYER_COLUMNS = (
    "name", "public_name", "club", "seed", "fixed_table", "first_round", "heroes", "members", "byes",
    "half_byes", "absent",
)  # fmt: skip
MOST = 8  # lines; a whole round of changed tables is not listed


class Names(Protocol):
    """What the rows of an event are called."""

    counts: str | None  # of pods: scores | places

    def player(self, number: Any) -> str: ...
    def seats(self, match: int) -> tuple[int, ...]: ...
    def hero(self, hero: str, lang: Lang) -> str: ...
    def penalty(self, infraction: str, penalty: str, lang: Lang) -> str: ...


def details_of(entry: AuditRow, names: Names, book: Phrasebook) -> list[str]:
    """One sentence for each thing that changed."""
    before = {(copy["table"], copy["id"]): copy["row"] for copy in entry.before or []}
    says = []
    for copy in entry.after or []:
        old, new = before.get((copy["table"], copy["id"])), copy["row"]
        says += list(_details(copy["table"], copy["id"], old, new, names, book))
    return says[:MOST] if entry.what != "round.paired" else []


def _details(
    table: str, number: Any, old: JsonObject | None, new: JsonObject | None, names: Names, book: Phrasebook
) -> Iterator[str]:
    if table == "penalty" and new is not None and old is None:
        yield names.penalty(new["infraction"], new["penalty"], book.lang)
    if old is None or new is None:
        return
    if table == "player":
        for column in PLAYER_COLUMNS:
            if column in new:
                was, now = (_player_value(column, row[column], names, book) for row in (old, new))
                yield _arrow(book, f"player_field_{column}", was, now)
    elif table == "match":
        yield from _match(number, old, new, names, book)
    elif table == "staff" and "role" in new:
        yield _arrow(
            book,
            "",
            *(book.say(Message(f"staff_role_{row['role'].replace('-', '_')}")) for row in (old, new)),
        )
    elif table == "event":
        yield from changed_settings(old, new, book)


def _player_value(column: str, value: Any, names: Names, book: Phrasebook) -> Any:
    return [names.hero(hero, book.lang) for hero in value or ()] if column == "heroes" else value


def _match(match: int, old: JsonObject, new: JsonObject, names: Names, book: Phrasebook) -> Iterator[str]:
    if "extension_s" in new:
        was, now = (row["extension_s"] // 60 for row in (old, new))
        yield book.say(Message("log_minutes", old=was, new=now))
    if "table_no" in new and "a_id" not in new and "b_id" not in new:
        yield _arrow(book, "", _number(old["table_no"]), _number(new["table_no"]))
    if "a_id" in new or "b_id" in new:
        yield _arrow(book, "", _seats(old, names.player), _seats(new, names.player))
    at_table = dict(zip("abcdef", map(names.player, names.seats(match)), strict=False))
    for side, claim in (new.get("reports") or {}).items():
        if (old.get("reports") or {}).get(side) != claim:
            says = describe(list(at_table.values()), _claim(claim), names.counts)
            who = at_table.get(side, side.upper())
            yield book.say(Message("out_labelled", label=who, text=book.say(says)))
    if "selection" in new:
        yield from _chosen(old["selection"] or {}, new["selection"] or {}, at_table, names, book)


def _chosen(
    old: JsonObject, new: JsonObject, at_table: dict[str, str], names: Names, book: Phrasebook
) -> Iterator[str]:
    """Heroes banned or picked since, in words."""
    for key, word in (("bans", "log_bans"), ("picks", "log_picks")):
        for side, heroes in (new.get(key) or {}).items():
            if (old.get(key) or {}).get(side) != heroes:
                listed = heroes if isinstance(heroes, list) else [heroes]
                said = [names.hero(hero, book.lang) for hero in listed]
                yield book.say(Message(word, name=at_table.get(side, side.upper()), heroes=said))


def _claim(claim: JsonObject) -> Outcome:
    """What a player reported."""
    games, scores = (tuple(claim[key]) if claim.get(key) else None for key in ("games", "scores"))
    return Outcome(claim["result"], claim["how"], claim["health_a"], claim["health_b"], games, scores)


def _number(table: int | None) -> str:
    return "–" if table is None else f"#{table}"


def _seats(row: JsonObject, name: Name) -> str:
    if "a_id" not in row:
        return name(row.get("b_id"))
    return " – ".join(
        filter(None, (name(p) for p in seats_of(row["a_id"], row.get("b_id"), row.get("more"))))
    )


def _arrow(book: Phrasebook, field: str, old: Any, new: Any) -> str:
    """`Club: – → Lyon`; without a field only the values."""
    if not field:
        return f"{_text(old)} → {_text(new)}"
    label = book.say(Message(field))
    return book.say(Message("setting_was", setting=label, old=_text(old), new=_text(new)))


def _text(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return "–"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(inner)}" for key, inner in value.items())
    return ", ".join(map(_text, value)) if isinstance(value, list) else str(value)

"""What a damage total is made of, part by part, each with the event and the thing it came from.

Worked out only when a ruling is shown: the equation and the picture of a sum need it, the engine does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.rules.dice_throne.state.table import Event, Label, Table
from judge.rules.dice_throne.sum.dials import Total
from judge.rules.ruling import SumPart


def parts_of(table: Table, total: Total) -> list[SumPart]:
    """The parts in the order of the three steps: dealt, added, taken off, fractions, avoided."""
    parts = [*_dealt(total), *_taken_off(total)]
    left = sum(part.amount for part in parts)
    if total.pool.avoided is not None and left > total.final:
        n, source, _ = total.pool.avoided
        parts.append(SumPart("avoided", total.final - left, n, source))
    return [_named(table, part) for part in parts if part.amount]


def _dealt(total: Total) -> Iterator[SumPart]:
    amounts: dict[tuple[bool, bool, Label], SumPart] = {}
    for deal in total.pool.deals:
        key = (not deal.own, deal.returned, deal.n)
        kind = "returned" if deal.returned else "dealt" if deal.own else "added"
        part = amounts.setdefault(key, SumPart(kind, 0, deal.n, deal.source))
        part.amount += deal.amount
    yield from (amounts[key] for key in sorted(amounts, key=lambda key: key[:2]))


def _taken_off(total: Total) -> Iterator[SumPart]:
    for term in total.terms:
        yield SumPart("reduced" if term.reduction else "prevented", -term.amount, term.n, term.source)
    for (_, n, source), amount in zip(total.pool.fractions, total.fractions, strict=True):
        yield SumPart("fraction", -amount, n, source)


def _named(table: Table, part: SumPart) -> SumPart:
    event = event_of(table, part.event)
    if event is not None:
        part.thing, part.by = part.thing or event.ref, event.by
    return part


def event_of(table: Table, n: Label) -> Event | None:
    """The event with this number; 3.2 is the second action inside the third."""
    place, inner = (n, 0) if isinstance(n, int) else _inside(n)
    if not 0 < place <= len(table.events):
        return None
    event = table.events[place - 1]
    return event.inner[inner - 1] if 0 < inner <= len(event.inner) else event


def _inside(n: str) -> tuple[int, int]:
    place, _, inner = n.partition(".")
    return int(place), int(inner or 0)

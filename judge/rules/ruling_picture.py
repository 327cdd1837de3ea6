"""A damage total as an equation and as the bars of a waterfall, from the parts named in the ruling's JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MINUS = "−"


def equation(total: Mapping[str, Any]) -> str:
    """`18 + 5 − 3 − 3 = 17, −9 −9 → 0`: the sum to the Subtotal, then fractions and the final number. Empty
    where there is nothing to work out."""
    parts = total.get("parts") or []
    sums = [part["amount"] for part in parts if part["kind"] not in ("fraction", "avoided")]
    rest = [part["amount"] for part in parts if part["kind"] in ("fraction", "avoided")]
    if len(parts) < 2 or not sums:
        return ""
    written = _terms(sums)
    if len(sums) > 1:
        written += f" = {_number(total['subtotal'])}"
    if rest:
        written += "," if len(sums) > 1 else ""
        written += "".join(f" {_number(amount)}" for amount in rest)
    if rest or total["subtotal"] != total["final"]:
        written += f" → {_number(total['final'])}"
    return written


def _terms(amounts: Sequence[int]) -> str:
    return " ".join([_number(amounts[0]), *(_signed(amount) for amount in amounts[1:])])


def _signed(amount: int) -> str:
    return f"{MINUS if amount < 0 else '+'} {abs(amount)}"


def _number(amount: int) -> str:
    return f"{MINUS}{-amount}" if amount < 0 else str(amount)


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: what it is called, whose it is, where it begins and ends, and the number beside it."""

    name: str
    by: str
    kind: str
    low: int
    high: int
    number: str


def bars(total: Mapping[str, Any]) -> list[Bar]:
    """The parts one below the other, each beginning where the one before ended; the final number last."""
    parts = total.get("parts") or []
    if len(parts) < 2:
        return []
    drawn: list[Bar] = []
    reached = 0
    for part in parts:
        start, reached = reached, reached + part["amount"]
        low, high = max(min(start, reached), 0), max(start, reached, 0)
        number = _number(part["amount"]) if not drawn else _signed(part["amount"]).replace(" ", "")
        drawn.append(Bar(part.get("says", ""), part["by"], part["kind"], low, high, number))
    final = total["final"]
    return [*drawn, Bar("", "", "final", 0, final, _number(final))]

"""What a walk through a hero needs: dice that just meet or miss a condition, dice and choices for a text, and
what a text does whatever is rolled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from judge.rules.catalog import Effect, Hero, Needs
from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table

# What a ruling may ask for: what only the table knows.
MAY_ASK = {"dice", "choice", "on", "target"}
START = {"cp": 8, "hand": 4, "deck": 20, "health": 40}
ONE_DIE = {
    "add_fraction_of_die", "deal_fraction_of_die", "heal_fraction_of_die", "gain_cp_fraction_of_die",
}  # fmt: skip
IN_ORDER = {"then", "additionally"}


def ruled(*events: dict[str, Any], a: dict[str, Any], b: dict[str, Any] | None = None, **turn: Any) -> Any:
    table = {
        "game": "dice-throne",
        "edition": "fr-2.4.1",
        "players": [{"id": "A", **START, **a}, {"id": "B", **START, **(b or {})}],
        "turn": {"active": "A", **turn},
        "events": list(events),
    }
    return rule(read_table(table))


def strike(by: str, damage: int = 12) -> dict[str, Any]:
    """An Attack of no particular hero."""
    return {
        "by": by,
        "activate": "strike",
        "on": "B" if by == "A" else "A",
        "effects": [{"deal": damage, "type": "normal"}],
    }


def unasked(ruling: Any) -> bool:
    return {ask.what for ask in ruling.asks} <= MAY_ASK


# ------------------------------------------------------------------ dice of an activation


def lines(needs: Needs) -> tuple[Needs, ...]:
    return needs.tiers or (needs,)


def meeting(hero: Hero, needs: Needs) -> list[int]:
    """Five dice that just meet one line: no required symbol shows once more than it must."""
    if needs.straight:
        return [1, 2, 3, 4, 6] if needs.straight == "small" else [1, 2, 3, 4, 5]
    dice = [_face(hero, symbol) for symbol, count in needs.symbols.items() for _ in range(count)]
    others = [n for n, symbol in enumerate(hero.dice, start=1) if symbol not in needs.symbols]
    filler = others[-1] if others else 1
    return dice + [filler] * (5 - len(dice))


def missing(hero: Hero, needs: Needs) -> list[int]:
    """The same dice with one required die turned to another symbol."""
    if needs.straight:
        return [1, 2, 3, 5, 6] if needs.straight == "small" else [1, 2, 3, 4, 6]
    dice, symbol = meeting(hero, needs), list(needs.symbols)[-1]
    other = next(n for n, shown in enumerate(hero.dice, start=1) if shown != symbol)
    dice[dice.index(_face(hero, symbol))] = other
    return dice


def _face(hero: Hero, symbol: str) -> int:
    return hero.dice.index(symbol) + 1


def faces(hero: Hero) -> list[int]:
    """One face of each symbol."""
    return [_face(hero, symbol) for symbol in dict.fromkeys(hero.dice)]


# ------------------------------------------------------------------ dice and choices of a text


@dataclass
class Answers:
    """The dice a text rolls and the choices it leaves, if every die shows the same face."""

    dice: int
    choices: list[Any]

    def event(self, face: int) -> dict[str, Any]:
        details: dict[str, Any] = {"dice": [face] * self.dice} if self.dice else {}
        return {**details, "choice": self.choices} if self.choices else details


def answers(hero: Hero, effects: Iterable[Effect], face: int) -> Answers:
    found = Answers(0, [])
    for effect in effects:
        if effect.op == "roll":
            found.dice += effect.amount
            for times, results in ((1, effect.on), (effect.amount, effect.each)):
                for key, inner in results:
                    if _shows(hero, key, face):
                        _join(found, answers(hero, inner, face), times)
        elif effect.op == "duel":
            found.dice += 2
            branch = dict(effect.on)
            _join(found, answers(hero, branch.get("if_higher_or_equal") or branch["otherwise"], face))
        elif effect.op in ONE_DIE:
            found.dice += 1
        elif effect.op == "add_die":
            found.dice += effect.best_of or effect.amount
        elif effect.op == "choose":
            found.choices.append(1)
            _join(found, answers(hero, effect.options[0], face))
        elif effect.op == "may":
            found.choices.append(0)
        elif effect.op in ("build", "improve"):
            found.choices.append(next(iter(hero.companions)))
        elif effect.op in IN_ORDER:
            _join(found, answers(hero, effect.parts, face))
        elif effect.up_to is not None and effect.source == "self":
            found.choices.append(1)
    return found


def _join(found: Answers, more: Answers, times: int = 1) -> None:
    found.dice += more.dice
    found.choices += more.choices * times


def _shows(hero: Hero, key: str, face: int) -> bool:
    if key[0].isdigit():
        low, _, high = key.partition("-")
        return int(low) <= face <= int(high or low)
    return key in (hero.dice[face - 1], "other")


# ------------------------------------------------------------------ what a text does in any case


def plain(effects: Iterable[Effect]) -> Iterator[Effect]:
    """The effects of a text that neither dice, a choice, a count nor a condition decides."""
    for effect in effects:
        if effect.op in IN_ORDER:
            yield from plain(effect.parts)
        elif isinstance(effect.amount, int | None) and effect.per is None and not effect.parts:
            yield effect

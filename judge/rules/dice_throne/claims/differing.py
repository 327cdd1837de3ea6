"""Finds the rules that make two books rule differently on the same table."""

from __future__ import annotations

from judge.rules.dice_throne.state.model import Game


def telling_rules(game: Game, other: Game) -> list[str]:
    """Rules that only one of the two cites: those in which the books differ, or all if there are none."""
    mine, theirs = cited(game), cited(other)
    apart = [rule for rule in (*mine, *theirs) if (rule in mine) != (rule in theirs)]
    differing = [rule for rule in apart if rule in game.table.differing]
    return sorted(dict.fromkeys(differing or apart))


def cited(game: Game) -> dict[str, None]:
    """Every rule a ruling cites, in order."""
    rules: dict[str, None] = {}
    for event in game.events:
        rules.update(dict.fromkeys(event.rules))
    for _, _, _, told_by, _, _ in game.steps:
        rules.update(dict.fromkeys(told_by))
    rules.update(dict.fromkeys(game.discretion))
    return rules

"""By which rule two books come to different rulings on the same table."""

from __future__ import annotations

from judge.rules.dice_throne.state.model import Game


def telling_rules(one: Game, other: Game) -> list[str]:
    """Rules that only one of the two rests on; those in which the books differ first, the rest if none."""
    mine, theirs = cited(one), cited(other)
    apart = [rule for rule in (*mine, *theirs) if (rule in mine) != (rule in theirs)]
    known = [rule for rule in apart if rule in one.table.differing]
    return sorted(dict.fromkeys(known or apart))


def cited(game: Game) -> dict[str, None]:
    """Every rule a ruling cites, in order."""
    rules: dict[str, None] = {}
    for event in game.events:
        rules.update(dict.fromkeys(event.rules))
    for step in game.steps:
        rules.update(dict.fromkeys(step.rules))
    rules.update(dict.fromkeys(game.discretion))
    return rules

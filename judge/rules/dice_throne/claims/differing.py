"""By which rule two books come to different rulings on the same table."""

from __future__ import annotations

from judge.rules.dice_throne.state.model import Game

# Where the books differ in what they say, or in whether they say it at all.
DIFFERING = (
    "DT-TIME-01", "DT-TIME-02", "DT-TIME-03", "DT-TIME-05", "DT-TIME-10", "DT-TIME-11", "DT-TIME-12",
    "DT-TIME-13", "DT-TIME-14", "DT-TIME-15", "DT-TIME-16", "DT-TYPE-03", "DT-TYPE-12", "DT-TYPE-14",
    "DT-ATK-03", "DT-ATK-07", "DT-TOK-10", "DT-TOK-21", "DT-TOK-23", "DT-TOK-24", "DT-ISO-01", "DT-ISO-02",
    "DT-TGT-04", "DT-3V3-01", "DT-KOTH-01", "DT-2V2-01", "DT-STAT-06", "J-03", "J-05", "J-09", "J-10",
)  # fmt: skip


def telling_rules(one: Game, other: Game) -> list[str]:
    """Rules that only one of the two rests on; those in which the books differ first, the rest if none."""
    mine, theirs = cited(one), cited(other)
    apart = [rule for rule in (*mine, *theirs) if (rule in mine) != (rule in theirs)]
    known = [rule for rule in apart if rule in DIFFERING]
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

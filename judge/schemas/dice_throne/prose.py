"""Translates phrases of the hero data into the named windows and conditions of the engine."""

from __future__ import annotations

import re

from judge.rules.catalog import Condition

# When a status acts.
_WINDOWS = {
    "any time": "any",
    "before and at the holder's offensive roll phase": "offensive-roll",
    "from being inflicted until the attack is over": "until-the-attack-is-over",
    "when damaged as a result of an opponent's offensive roll phase": "damaged-by-offensive-roll",
    "when the holder receives damage from an opponent's offensive roll phase": "damaged-by-offensive-roll",
    "upkeep of any holder": "upkeep",
    "holder's offensive roll phase; applied and removed at the conclusion": "conclusion",
    "holder's offensive roll phase; removed at the conclusion": "dealing",
    "when the holder would deal damage": "dealing",
    "when the holder deals at least": "after-attacking",
    "conclusion of the holder's offensive roll phase": "end-of-offensive-roll",
    "when the holder's (team's) health would fall to 0": "would-fall",
    "holder's upkeep": "upkeep",
    "end of the holder's turn": "end-of-turn",
    "holder's main phases": "main",
    "after the holder has attacked": "after-attacking",
    "after the holder has been attacked": "attacked",
    "when the holder receives damage": "damaged",
    "holder's income phase": "income",
    "when the holder is attacked by an opponent": "attacked",
    "when the holder deals attack damage": "dealing",
}
# Conditions of an effect.
_CONDITIONS: dict[str, Condition] = {
    "own upkeep": Condition("when", "upkeep"),
    "end of own turn": Condition("when", "end-of-turn"),
    "health would become 0": Condition("when", "would-fall"),
    "an opponent's offensive roll phase leads to no attack": Condition("when", "opponent-did-not-attack"),
    "none to remove": Condition("none_removed"),
    "an opponent's attack would inflict a negative status": Condition("inflicted"),
    "at least 1 damage was dealt": Condition("dealt_at_least", 1),
    "enough damage was added": Condition("added_at_least"),
}
_NAMED = (  # conditions on a token, by its name
    (re.compile(r"in ([a-z -]{1,40})"), "holds"),
    (re.compile(r"an? ([a-z -]{1,40}) is spent(?: on it)?"), "spent"),
)
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"the sum is at least ([0-9]{1,3})"), "sum_at_least"),
    (re.compile(r"at least ([0-9]{1,3}) damage added"), "added_at_least"),
    (re.compile(r"at least ([0-9]{1,3}) damage was dealt.*"), "dealt_at_least"),
    (re.compile(r"([0-9]{1,3}) of a kind"), "kind"),
)


def window_in(acts: str) -> str:
    """The window in which a status acts, from its `acts`; empty if the phrase names none."""
    return next((window for phrase, window in _WINDOWS.items() if acts.startswith(phrase)), "")


def end_in(acts: str) -> str:
    return "conclusion" if "removed at the conclusion" in acts else ""


def least_damage_in(acts: str) -> int:
    """The least damage of an Attack on which the status can be spent."""
    phrase = re.search(r"at least ([0-9]{1,3}) damage", acts)
    return int(phrase[1]) if phrase else 0


def condition_in(prose: str) -> Condition | None:
    """The named condition for a phrase of the hero data; None if the phrase is unknown."""
    phrase = prose.strip().lower().partition(" (")[0]
    if phrase in _CONDITIONS:
        return _CONDITIONS[phrase]
    for pattern, kind in _PATTERNS:
        if match := pattern.fullmatch(phrase):
            return Condition(kind, int(match[1]))
    for pattern, kind in _NAMED:
        if match := pattern.fullmatch(phrase):
            return Condition(kind, match[1].replace(" ", "-"))
    symbols = _symbols_in(phrase)
    return Condition("symbols", symbols) if symbols else None


_PLURAL = {"leaves": "leaf", "cutlasses": "cutlass"}


def _symbols_in(phrase: str) -> dict[str, int]:
    """`2 helmets and 1 prayer`, `the roll shows a sword` -> how many of each symbol."""
    result: dict[str, int] = {}
    for part in phrase.removeprefix("the roll shows ").split(" and "):
        match = re.fullmatch(r"(an?|[0-9]{1,3}) ([a-z-]+)", part)
        if not match:
            return {}
        count = 1 if match[1] in ("a", "an") else int(match[1])
        word = match[2]
        if count > 1:
            word = _PLURAL.get(word, word.removesuffix("s"))
        result[word] = count
    return result

"""Reads a result typed in one line: `12 a 22 0`, `12 22 0`, `ana w 22 0`, `7 =`, `3 nb`, `u`, `?`.

The table number or a player's name comes first, then the result, then both healths. Without a result the
healths decide. After a name, `w` and `l` (or healths alone) refer to that player, whose health comes first.
At a pod the scores (or places) follow in the order of the seats, with `x` for an absent player: `3 112 98 87
x`. A `c` after a win means that the other conceded; `!` at the end means "yes, really". The letters а, б, н,
х of a Russian keyboard work too. Where a match has several games, `1 a 2-1` is two games to one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.schemas.shape import is_digits
from judge.services.play.outcomes import POD, Outcome, scores_of
from judge.tournament import model

ABSOLUTE = {
    "a": "a", "1": "a", "b": "b", "2": "b", "d": "draw", "=": "draw", "x": "double_loss",
    "na": "no_show_a", "nb": "no_show_b", "i": "draw", "а": "a", "б": "b", "н": "draw", "х": "double_loss",
}  # fmt: skip
RELATIVE = {"w": "a", "l": "b", "nw": "no_show_b", "nl": "no_show_a"}  # as if the named player were a
ABSENT = ("x", "х", "-", "–")
SCORE = re.compile(r"[-−]?\d{1,4}")
UNDO, HELP = ("u", "-"), ("?",)
NUMBER = re.compile(r"\d{1,3}")
GAMES = re.compile(r"\d[-–:/]\d([-–:/]\d)?")


@dataclass(frozen=True, slots=True)
class Line:
    """A typed line. It has either a table or a name; with `is_own`, `outcome` is from the named player's
    point of view (and has to be turned if that player sits on side b)."""

    table: int | None
    name: str
    outcome: Outcome
    is_own: bool
    is_sure: bool


Command = Literal["undo", "help"]


def _command(text: str) -> Command | None:
    if text in UNDO:
        return "undo"
    return "help" if text in HELP else None


def read_line(text: str, best_of: int = 1) -> Line | Command | None:
    """Read a typed line; None if it is empty. Refused, with the reason, if it cannot be read. In a match of
    several games `2-1` are games won."""
    text = text.strip().lower()
    if not text:
        return None
    if command := _command(text):
        return command
    is_sure = text.endswith("!")
    words, games = _games_in(text.rstrip("! ").split()) if best_of > 1 else (text.rstrip("! ").split(), None)
    words = re.sub(r"(?<=\d)[-–:/,](?=\d)", " ", " ".join(words)).split()
    table, name, result_words = _who(words)
    if games and not result_words:
        result_words = ["a" if games[0] > games[1] else "b" if games[1] > games[0] else "d"]
        outcome, is_own = _outcome(result_words, is_named=False)[0], bool(name)
    else:
        outcome, is_own = _outcome(result_words, bool(name))
    return Line(table, name, replace(outcome, games=games), is_own, is_sure)


def _games_in(words: list[str]) -> tuple[list[str], tuple[int, int, int] | None]:
    """The words without the games won, `2-1` or `1-1-1` with the drawn ones last; and those games."""
    for n, word in enumerate(words):
        if n and GAMES.fullmatch(word):
            a, b, *drawn = map(int, re.split(r"[-–:/]", word))
            return words[:n] + words[n + 1 :], (a, b, drawn[0] if drawn else 0)
    return words, None


def _who(words: list[str]) -> tuple[int | None, str, list[str]]:
    first = words[0] if words else ""
    if is_digits(first):
        return int(first), "", words[1:]
    letters = first.lstrip("t#№")
    if letters != first and is_digits(letters):
        return int(letters), "", words[1:]
    end = 1
    while end < len(words) and not _is_result(words[end]):
        end += 1
    return None, " ".join(words[:end]), words[end:]


def _is_result(word: str) -> bool:
    return word in ABSOLUTE or word in RELATIVE or word.removesuffix("c") in "abwl" or is_digits(word)


def _outcome(words: list[str], is_named: bool) -> tuple[Outcome, bool]:
    words, conceded = _without_concession(words)
    healths = words
    code = None
    if words and not (len(words) == 2 and all(NUMBER.fullmatch(w) for w in words)):
        code, healths = words[0], words[1:]
    if len(healths) not in (0, 2) or not all(NUMBER.fullmatch(w) for w in healths):
        raise Refused(Message("line_not_understood"))
    health: list[int | None] = [int(w) for w in healths] or [None, None]
    if code is None and not healths:
        raise Refused(Message("line_needs_result"))
    result = _from_health(*map(int, healths)) if code is None else _result(code, is_named)
    how = "intentional-draw" if code == "i" else "concession" if conceded else None
    is_own = is_named and (code is None or code in RELATIVE)
    return Outcome(result, how, health[0], health[1]), is_own


def _without_concession(words: list[str]) -> tuple[list[str], bool]:
    if words and words[0] in ("ac", "bc", "1c", "2c", "wc", "lc"):
        return [words[0][0], *words[1:]], True
    if len(words) > 1 and words[1] == "c":
        return [words[0], *words[2:]], True
    return words, False


def _from_health(a: int, b: int) -> str:
    if (a == 0) == (b == 0) and a != b:
        raise Refused(Message("line_needs_winner", a=a, b=b))
    return "draw" if a == b else "a" if a > b else "b"


def _result(code: str, is_named: bool) -> str:
    if code in ABSOLUTE:
        return ABSOLUTE[code]
    if code in RELATIVE and is_named:
        return RELATIVE[code]
    if code in RELATIVE:
        raise Refused(Message("line_needs_name", code=code))
    raise Refused(Message("line_not_understood"))


# -- pods ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PodLine:
    """A line for a pod: a value for every seat, None for an absent player."""

    table: int | None
    name: str
    values: tuple[int | None, ...]
    is_sure: bool


def read_pod_line(text: str) -> PodLine | Command | None:
    text = text.strip().lower()
    if not text:
        return None
    if command := _command(text):
        return command
    is_sure = text.endswith("!")
    words = text.rstrip("! ").replace(",", " ").replace("/", " ").split()
    table, name, scores = _pod_who(words)
    if not scores:
        raise Refused(Message("line_needs_scores"))
    values = tuple(None if word in ABSENT else read_score(word) for word in scores)
    return PodLine(table, name, values, is_sure)


def _pod_who(words: list[str]) -> tuple[int | None, str, list[str]]:
    number = words[0].lstrip("t#№") if words else ""
    if is_digits(number):
        return int(number), "", words[1:]
    end = next((n for n, word in enumerate(words) if SCORE.fullmatch(word) or word in ABSENT), len(words))
    return None, " ".join(words[:end]), words[end:]


def read_score(text: str) -> int:
    word = text.strip()
    if not SCORE.fullmatch(word):
        raise Refused(Message("outcome_score_unread", text=word or "–"))
    return int(word.replace("−", "-"))


def pod_outcome(values: Sequence[int | None], counts: str) -> Outcome:
    """The outcome of a pod from its scores or places; impossible places are refused."""
    if counts != "places":
        return Outcome(POD, scores=tuple(values))
    scores = scores_of(values)
    if scores is None:
        raise Refused(Message("outcome_places_wrong"))
    return Outcome(POD, scores=scores)


def turned(outcome: Outcome) -> Outcome:
    """The same outcome with the sides exchanged."""
    games = outcome.games and (outcome.games[1], outcome.games[0], outcome.games[2])
    return replace(
        outcome,
        result=model.turned(outcome.result),
        health_a=outcome.health_b,
        health_b=outcome.health_a,
        games=games,
    )

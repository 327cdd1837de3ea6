"""The catalogues: <lang>/*.json are engine sentences by key, <lang>/pages/*.json page texts by their English.

Both use the notation of judge.core.messages: `{who} draws {n:# card|# cards}`. In templates and Python code a
page text is a gettext call, `_("%(who)s is late", who=name)`; this module turns it into the notation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

_SOURCE = re.compile(r"%\((\w+)\)[sd]|%%|[{}]")
_NUMBER = "{num}"
_WORD = re.compile(r"\{\w+\}|[\w’-]+|.", re.DOTALL)


def template_of(text: str) -> str:
    """A text of the sources in the notation of catalogues: "%(who)s is late" is "{who} is late"."""

    def in_catalogue(place: re.Match[str]) -> str:
        if place[1]:
            return f"{{{place[1]}}}"
        return "%" if place[0] == "%%" else place[0] * 2

    return _SOURCE.sub(in_catalogue, text)


def counted_template(forms: Sequence[str]) -> str:
    """The forms of a counted text as one: ("%(num)d rule", "%(num)d rules") is "{num:# rule|# rules}".

    Words that all forms begin or end with stand outside the choice, but for the number right before it."""
    texts = [_WORD.findall(template_of(form)) for form in forms]
    if all(words == texts[0] for words in texts):
        return "".join(texts[0])
    before = _same(texts)
    if texts[0][max(before - 2, 0) : before] == [_NUMBER, " "]:
        before -= 2
    after = _same([words[: before - 1 : -1] if before else words[::-1] for words in texts])
    choices = ["".join(words[before : len(words) - after]).replace(_NUMBER, "#") for words in texts]
    beginning, end = texts[0][:before], texts[0][len(texts[0]) - after :]
    return "".join([*beginning, "{num:", "|".join(choices), "}", *end])


def _same(texts: Iterable[list[str]]) -> int:
    """How many words at the beginning all texts share."""
    return sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, zip(*texts, strict=False)))

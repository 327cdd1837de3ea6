"""Messages: what engines say, as a key with parameters, before it is put into a language.

An engine returns `Message("not_enough_cp", need=2, has=1)`. The sentence for each key lives in
`judge/translations/<lang>/*.json`; `Phrasebook.say` puts the two together. Nothing here reads a file:
the caller loads the sentences and passes them in.

Templates are `str.format` templates with one extension: `{n:die|dice}` chooses a word by the number n
(two forms in English and French, three in Russian) and `{n:# die|# dice}` also writes the number.
Page texts are templates of the same notation; `Phrasebook.fill` fills in both.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal

from judge.core.grammar import polished

Lang = Literal["en", "fr", "ru"]
LANGS: tuple[Lang, ...] = ("en", "fr", "ru")


@dataclass(slots=True, unsafe_hash=True)
class Ref:
    """A thing with a name in the catalogue: Ref("status", "protect"). Players are plain strings.

    Never changed; not frozen, because a ruling makes dozens and freezing was most of their cost.
    """

    kind: str
    id: str


@dataclass(slots=True, init=False, unsafe_hash=False)
class Message:
    """A sentence's key and its parameters. Not frozen, for speed: a ruling makes hundreds of them."""

    key: str
    params: dict[str, Any]

    def __init__(self, key: str, /, **params: Any) -> None:
        self.key = key
        self.params = params


def _plural_en(n: int) -> int:
    return 0 if n == 1 else 1


def _plural_fr(n: int) -> int:
    return 0 if abs(n) < 2 else 1


def _plural_ru(n: int) -> int:
    n = abs(n)
    if n % 10 == 1 and n % 100 != 11:
        return 0
    return 1 if 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14 else 2


PLURALS: dict[str, Callable[[int], int]] = {"en": _plural_en, "fr": _plural_fr, "ru": _plural_ru}


# Of numbers that are not whole: "1.5 points", « 1,5 point », «1,5 очка».
_OF_A_PART: dict[str, Callable[[Any], int]] = {
    "en": lambda n: 1, "fr": lambda n: 0 if abs(n) < 2 else 1, "ru": lambda n: 1,
}  # fmt: skip
_DECIMAL = re.compile(r"[-−]?\d+(?:[.,]\d+)?")


# A parsed template: its text with `%s` at each place, and for each place the parameter and its forms.
_Parsed = tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]


@cache
def _parsed(template: str) -> _Parsed:
    parts = list(string.Formatter().parse(template))
    places = tuple(
        (name, tuple(spec.split("|")) if spec else ()) for _, name, spec, _ in parts if name is not None
    )
    if not places:
        return "".join(text for text, *_ in parts), ()
    return "".join(text.replace("%", "%%") + ("%s" if name else "") for text, name, *_ in parts), places


class Phrasebook:
    """The sentences and names of one language. Each template is parsed once, on first use."""

    def __init__(
        self,
        lang: Lang,
        sentences: Mapping[str, str],
        name_of: Callable[[Ref, Lang], str] = lambda ref, _: ref.id,
    ) -> None:
        self.lang: Lang = lang
        self.sentences = sentences
        self.name_of = name_of
        self._plural = PLURALS[lang]
        self._names: dict[tuple[str, str], str] = {}

    def say(self, message: Message) -> str:
        return self.fill(self.sentences[message.key], message.params)

    def fill(self, template: str, params: Mapping[str, Any]) -> str:
        """The template with its parameters, spelled as these need it."""
        text, places = _parsed(template)
        if not places:
            return text
        values = []
        for name, forms in places:
            value = params[name]
            if forms:
                value = self._chosen(name, forms, params)
            elif type(value) is not str:
                value = self.word(value)
            values.append(value)
        sentence = text % tuple(values)
        if self.lang == "fr" or "!." in sentence or "?." in sentence:
            return polished(sentence, self.lang)
        return sentence

    def label(self, key: str, otherwise: str) -> str:
        """The text of a key, or `otherwise` if no catalogue has it."""
        return self.sentences.get(key, otherwise)

    def _chosen(self, name: str, forms: tuple[str, ...], params: Mapping[str, Any]) -> str:
        """The form for the number of this name. A form may have places of its own."""
        value, last = params[name], len(forms) - 1
        form = forms[min(self._form(value, last), last)]
        if "{" in form:
            return self.fill(form.replace("#", f"{{{name}}}"), params)
        return form.replace("#", self.word(value))

    def _form(self, value: Any, last: int) -> int:
        """Which form a number takes, also as text ("3", "1,5"), and a list by its length."""
        if isinstance(value, int):
            return self._plural(value)
        if isinstance(value, list | tuple):
            return self._plural(len(value))
        if isinstance(value, str) and _DECIMAL.fullmatch(value):
            value = Fraction(value.replace(",", ".").replace("−", "-"))
        if not isinstance(value, float | Fraction):
            return last
        if value == int(value):
            return self._plural(int(value))
        return _OF_A_PART[self.lang](value)

    def _name(self, ref: Ref) -> str:
        key = (ref.kind, ref.id)
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = self.name_of(ref, self.lang)
        return name

    def word(self, value: Any) -> str:
        """A parameter as it appears in a sentence."""
        if isinstance(value, str):
            return value
        if isinstance(value, Ref):
            return self._name(value)
        if isinstance(value, Message):
            return self.say(value)
        if isinstance(value, (list, tuple)):
            return ", ".join(self.word(item) for item in value)
        if isinstance(value, int) and value < 0:
            return f"−{-value}"
        return str(value)

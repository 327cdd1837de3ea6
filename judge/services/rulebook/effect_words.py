"""Puts effects, conditions and activations into plain words, for hero sheets and lists of choices.

An effect becomes a `Line`; what it contains (the branches of a roll, the parts after "then") are its `parts`.
What no source gives is called unknown, never left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, TypeVar

from judge.core.json_types import JsonObject
from judge.core.messages import Lang, Message, Phrasebook, Ref
from judge.rules.catalog import (
    Ability,
    Card,
    Catalog,
    Companion,
    Condition,
    Effect,
    Effects,
    Hero,
    Needs,
    Status,
    Use,
)
from judge.rules.dice_throne.effects.conditions import CONDITIONS, Wants
from judge.rules.dice_throne.effects.numbers import COUNTS
from judge.rules.dice_throne.effects.vocabulary import WORDS, EffectWord, Shape, Trait
from judge.schemas.dice_throne.effects import fraction_words
from judge.schemas.dice_throne.symbols import symbol_names
from judge.schemas.fixtures import sentences
from judge.services.rulebook.conditions import Need, drawn_need
from judge.services.rulebook.heroes import name_in

Counted = TypeVar("Counted")


@dataclass(frozen=True, slots=True)
class Line:
    """One effect in words, and the effects inside it. A branch of a roll has the symbol it is for."""

    says: str
    parts: tuple[Line, ...] = ()
    symbol: str = ""

    @property
    def has_leaves(self) -> bool:
        """Whether none of its parts holds anything in turn."""
        return not any(part.parts for part in self.parts)

    def __str__(self) -> str:
        """In one line, for a button or a list."""
        if not self.parts:
            return self.says
        return f"{self.says} {'; '.join(str(part) for part in self.parts)}"


class EffectWords:
    """The words of effects in one language, with the names of one catalogue."""

    def __init__(self, lang: Lang, catalog: Catalog) -> None:
        self.lang, self.catalog = lang, catalog
        self.book = Phrasebook(lang, _sentences(lang), self._name_of)

    def _name_of(self, ref: Ref, lang: Lang) -> str:
        names: Mapping[str, str | None] = {}
        if ref.kind == "symbol":
            names = symbol_names(ref.id, self.catalog.heroes.values())
        else:
            thing = self.catalog.statuses.get(ref.id) or self.catalog.companion(ref.id)
            names = thing.names if thing is not None else {}
        return names.get(lang) or names.get("en") or ref.id.replace("-", " ")

    # -- things ---------------------------------------------------------------------------------------------

    def name(self, thing: Ability | Card | Hero | Status) -> str:
        return name_in(thing.names, self.lang, thing.id).text

    def symbol(self, symbol: str) -> str:
        return self._name_of(Ref("symbol", symbol), self.lang)

    def status(self, status: str) -> str:
        return self._name_of(Ref("status", status), self.lang)

    def moment(self, window: str) -> str:
        """When something acts or may be spent."""
        return self._say(f"fx_when_{_key(window)}") if window else ""

    def lines(self, effects: Effects | None) -> tuple[Line, ...]:
        """One line for each effect; the same effect several times in a row is said once."""
        same = [(effect, sum(1 for _ in group)) for effect, group in groupby(effects or ())]
        return tuple(self.line(effect) if n == 1 else self._repeated(effect, n) for effect, n in same)

    def _repeated(self, effect: Effect, times: int) -> Line:
        return Line(self._say("fx_repeated", n=times), (self.line(effect),))

    def does(self, thing: Companion | Status) -> tuple[Line, ...]:
        """What a token or companion does by itself, then its uses in the order of the sheet."""
        uses = tuple(self._use(n if len(thing.uses) > 1 else 0, u) for n, u in _count(thing.uses))
        return (*self.lines(thing.effects), *uses)

    def explosion(self, status: Status) -> tuple[Line, ...]:
        """What happens when the token explodes."""
        lines = self.lines(status.explosion)
        return (Line(self._say("hero_explodes"), lines),) if lines else ()

    def fact(self, key: str, n: int) -> str:
        """A number of a sheet in words."""
        return self._say(key, n=n)

    def _use(self, n: int, use: Use) -> Line:
        """One use, with its number (0: the only one), its price at each level, and when it is allowed."""
        notes = [self._price(price) for price in use.prices]
        if len(notes) > 1:
            notes = [f"{'I' * level} {price}" for level, price in enumerate(notes, start=1)]
        if use.when != "any":
            notes.append(self.moment(use.when))
        if use.per_turn is not None:
            notes.append(self._say("fx_per_turn", n=use.per_turn))
        if use.aged:
            notes.append(self._say("fx_aged"))
        if use.attack_at_least:
            notes.append(self._say("fx_if_attack_at_least", n=use.attack_at_least))
        if use.condition is not None:
            notes.append(self.book.say(self._condition(use.condition)))
        says = "; ".join(notes) + ":" if notes else ""
        return Line(f"{n}. {says}".rstrip() if n else says or self._say("fx_use"), self.lines(use.effects))

    def _price(self, price: Mapping[str, int]) -> str:
        things = [
            Message("hero_cp", n=n) if thing == "cp" else Message("fx_times", thing=Ref("status", thing), n=n)
            for thing, n in price.items()
        ]
        return self._say("fx_price", things=things) if things else self._say("fx_free")

    def in_short(self, effects: Effects | None) -> str:
        return "; ".join(str(line) for line in self.lines(effects))

    def activation(self, needs: Needs | None) -> list[Need]:
        """What has to be rolled; one entry per tier."""
        if needs is None:
            return []
        return [self._need(tier) for tier in needs.tiers or (needs,)]

    def _need(self, needs: Needs) -> Need:
        names = {symbol: self.symbol(symbol) for symbol in needs.symbols}
        return drawn_need(needs, self.book.say(self._needs(needs)), names)

    def _needs(self, needs: Needs) -> Message:
        if needs.passive:
            return Message("fx_needs_passive")
        if needs.most_dice:
            return Message("fx_needs_some_dice", least=needs.dice, most=needs.most_dice)
        if needs.dice:
            return Message("fx_needs_dice", n=needs.dice)
        if needs.straight:
            return Message(f"fx_straight_{needs.straight}")
        if needs.kind:
            return Message("fx_kind", n=needs.kind)
        return self._symbols(needs.symbols)

    def _symbols(self, symbols: Mapping[str, int]) -> Message:
        counts = [Message("fx_symbol", n=n, symbol=Ref("symbol", symbol)) for symbol, n in symbols.items()]
        return Message("fx_symbols", symbols=counts)

    # -- effects --------------------------------------------------------------------------------------------

    def line(self, effect: Effect) -> Line:
        shape = WORDS[effect.op].shape
        if shape is Shape.OPTIONS:
            options = (Line(self._say("fx_option", n=n), self.lines(o)) for n, o in _count(effect.options))
            return Line(self._decided(effect), tuple(options))
        if shape is Shape.CONDITION:
            condition = self._condition(effect.condition)
            is_moment = effect.condition is not None and effect.condition.kind == "when"
            key = "fx_if_instead" if effect.instead else "fx_moment" if is_moment else "fx_if"
            return Line(self._say(key, condition=condition), self.lines(effect.parts))
        if shape is Shape.EFFECTS:
            return Line(self._decided(effect), self.lines(effect.parts))
        return Line(self._qualified(effect), self._branches(effect))

    def _decided(self, effect: Effect) -> str:
        """A text with choices, and who makes them if it is another player."""
        says = self._say(f"fx_{effect.op}")
        return f"{self._say('fx_who', whom=self._whom(effect.who))} {says}" if effect.who else says

    def _say(self, key: str, **params: Any) -> str:
        return self.book.say(Message(key, **params))

    def _branches(self, effect: Effect) -> tuple[Line, ...]:
        lines = []
        on = "fx_moment" if WORDS[effect.op].shape is Shape.DUEL else "fx_on"
        for key, branches in ((on, effect.on), ("fx_each", effect.each)):
            for face, inner in branches:
                word = self._face(face, effect)
                special = "fx_on_other" if face == "other" else "fx_on_number" if face[:1].isdigit() else ""
                says = self._say(special if special and key == "fx_on" else key, face=word, condition=word)
                drawn = word.id if isinstance(word, Ref) and not special else ""
                lines.append(Line(says, self.lines(inner) or (Line(self._say("fx_nothing")),), drawn))
        return tuple(lines)

    def _face(self, face: str, effect: Effect) -> Any:
        if WORDS[effect.op].shape is Shape.DUEL:
            return Message(f"fx_duel_{face}")
        return face if face[:1].isdigit() else Ref("symbol", face)

    def _qualified(self, effect: Effect) -> str:
        """The effect, then its type, what it is counted by, and whom it concerns."""
        named = f"fx_{effect.op}_named"  # "all damage" and "an unknown amount" are not "# damage"
        is_named = not isinstance(effect.amount, int | Fraction) and named in self.book.sentences
        key = named if is_named else f"fx_{effect.op}"
        says = self._say(key, **self._params(effect))
        notes = []
        if effect.type != "normal":
            notes.append(self._say(f"type_{effect.type}"))
        if effect.fraction is not None:
            notes.append(self._say("fx_fraction", n=self._amount(effect.fraction)))
        if effect.best_of is not None:
            notes.append(self._say("fx_best_of", n=effect.best_of))
        for key in ("isolated", "unpreventable", "random"):
            if getattr(effect, key):
                notes.append(self._say(f"fx_{key}"))
        if effect.limit is not None:
            notes.append(self._say("fx_at_most", n=effect.limit))
        if notes:
            says += f" ({', '.join(notes)})"
        if effect.per is not None:
            says += f" {self._per(*effect.per)}"
        if effect.source and effect.source not in ("self", "holder"):
            says += f" {self._say('fx_from', whom=self._whom(effect.source))}"
        if effect.to:
            says += f" {self._say('fx_to', whom=self._whom(effect.to))}"
        return says

    def _whom(self, to: str) -> Message:
        key = f"fx_to_{to.replace('-', '_')}"
        return Message(key) if key in self.book.sentences else Message("fx_to_named", name=to)

    def _per(self, kind: str, thing: str) -> str:
        names = COUNTS[kind].names
        key = f"fx_per_{_key(kind)}"
        if names == "nothing":
            return self._say(key)
        return self._say(key if key in self.book.sentences else "fx_per", thing=Ref(names, thing))

    def _params(self, effect: Effect) -> JsonObject:
        word = WORDS[effect.op]
        if word.shape is Shape.DIE_CHANGE:
            return {"n": self._amount(effect.count), "whose": Message(f"fx_whose_{_key(effect.whose)}"),
                    "to": self._new_face(effect.amount)}  # fmt: skip
        if word.shape is Shape.PHASE:
            return {"phase": Message(f"phase_{_key(effect.status)}")}
        if effect.status:
            return {"status": self._status(effect), "n": self._amount(effect.count)}
        return {"n": self._amount(effect.amount, word)}

    def _status(self, effect: Effect) -> Any:
        shape = WORDS[effect.op].shape
        if shape is Shape.SIDE:
            return self._side(effect.status)
        if Trait.COMPANION in WORDS[effect.op].traits:
            any_one = Message("fx_status_any_companion")
            return any_one if effect.status == "any" else Ref("status", effect.status)
        if effect.status in ("any", "all"):
            return Message(f"fx_status_{effect.status}")
        thing: Any = Ref("status", effect.status)
        count = effect.up_to if effect.up_to is not None else effect.count
        if shape is Shape.LIMIT or (count == 1 and effect.up_to is None):
            return thing
        if count == "any":
            return Message("fx_any_number_of", thing=thing)
        if count == "max":
            return Message("fx_every" if effect.op == "remove" else "fx_to_the_limit", thing=thing)
        return Message("fx_up_to" if effect.up_to is not None else "fx_times", thing=thing, n=count)

    def _side(self, side: str) -> Any:
        key = f"fx_side_{_key(side)}"
        return Message(key) if key in self.book.sentences else side

    def _amount(self, amount: Any, word: EffectWord | None = None) -> Any:
        if amount is None:
            return Message(word.unknown if word is not None else "fx_unknown")
        if isinstance(amount, Fraction):
            return "½" if amount == Fraction(1, 2) else fraction_words(amount)
        if isinstance(amount, str):
            key = f"fx_amount_{_key(amount)}"
            return Message(word.amounts.get(amount, key) if word is not None else key)
        return amount

    def _new_face(self, to: Any) -> Any:
        return Message(f"fx_face_{_key(to)}") if isinstance(to, str) else to

    def _condition(self, condition: Condition | None) -> Message:
        if condition is None:
            return Message("fx_unknown")
        kind, value = condition.kind, condition.value
        if kind == "symbols":
            return self._symbols(value)
        if kind == "straight":
            return Message(f"fx_straight_{value}")
        if kind == "when":
            return Message(f"fx_when_{_key(value)}")
        if kind == "kind":
            return Message("fx_kind", n=self._amount(value))
        negated = CONDITIONS[kind].wants is Wants.TRUTH and value is False
        params = self._condition_params(CONDITIONS[kind].wants, value)
        if negated and f"fx_if_not_{kind}" in self.book.sentences:
            return Message(f"fx_if_not_{kind}", **params)
        says = Message(f"fx_if_{kind}", **params)
        return Message("fx_if_not", condition=says) if negated else says

    def _condition_params(self, wants: Wants, value: Any) -> JsonObject:
        """The parameters of a condition's sentence."""
        if wants is Wants.NAME:
            return {"status": Ref("status", str(value)), "side": self._side(str(value))}
        if wants is Wants.SYMBOL:
            return {"symbol": Ref("symbol", str(value))}
        if wants is Wants.COUNTS:
            things = [Message("fx_times", thing=Ref("status", thing), n=n) for thing, n in value.items()]
            return {"things": things}
        if wants is Wants.PHASES:
            return {"phases": [Message(f"phase_{_key(phase)}") for phase in value]}
        if wants is Wants.CONDITION:
            return {"condition": self._condition(value)}
        return {"n": self._amount(value)}


def _sentences(lang: Lang) -> Mapping[str, str]:
    """The sentences of a language; an effect word without one uses its own label."""
    translated = sentences(lang)
    words = WORDS.values()
    labels = {
        f"fx_{word.name}": word.label or word.name.replace("_", " ")
        for word in words
        if f"fx_{word.name}" not in translated
    }
    return {**translated, **labels} if labels else translated


def _key(word: str) -> str:
    return word.replace("-", "_")


def _count(things: Sequence[Counted]) -> list[tuple[int, Counted]]:
    """From 1, as a sheet counts."""
    return list(enumerate(things, start=1))

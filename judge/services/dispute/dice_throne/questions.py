"""Questions about one entered event, each with the answers that can be tapped.

An answer says only what was asked: a line or an option becomes the `choice` of the event, dice stay dice, a
token is added to the printed text. Effects stand in place of print only where a number replaces dice that
nobody knows, or where no source gives a text; the page then says so, and `as_printed` is the way back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from judge.core.json_types import EventEntry
from judge.core.messages import Lang
from judge.rules.catalog import HERO_DICE, Ability, Card, Catalog, Effects, flat
from judge.rules.dice_throne.effects.vocabulary import WORDS, Trait, words_that
from judge.rules.dice_throne.state.table import Event, Table
from judge.rules.ruling import Ask
from judge.schemas.dice_throne.symbols import symbol_name
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.answer_rows import Row, rows_about
from judge.services.dispute.dice_throne.effect_text import COUNTED, decides_numbers_only, open_numbers
from judge.services.dispute.dice_throne.event_things import (
    Number,
    Thing,
    event_numbered,
    in_play,
    level_of,
    printed_effects,
    texts_of,
)
from judge.services.dispute.entering import event_at
from judge.services.dispute.find_by_name import named
from judge.services.dispute.table_files import verb_of

_ONE_DIE = words_that(Trait.ONE_DIE)
USUAL = {"activate": ("deal",), "defend": ("prevent",), "play": ("add", "prevent"), "spend": ("prevent",)}
ANY_NUMBER = list(range(13))
_PLAIN_VERBS = ("roll", "target", "announce", "choose", "upgrade", "pay")


@dataclass(frozen=True, slots=True)
class Numbers:
    """An effect word and the numbers to choose from; `said` is the one entered."""

    word: str
    values: list[int]
    said: int | None


@dataclass(frozen=True, slots=True)
class Token:
    word: str  # gain | inflict
    id: str
    name: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class Question:
    n: Number
    event: EventEntry
    verb: str
    dice: int = 0  # how many the text rolls
    shown: tuple[int, ...] = ()
    symbols: tuple[str, ...] = ()  # of the six faces
    die: tuple[str, ...] = ()  # the six symbols, named
    numbers: list[Numbers] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)  # what is open
    made: list[Any] = field(default_factory=list)  # the choices made
    others: list[str] = field(default_factory=list)
    wants_changes: bool = False
    wants_roll: bool = False  # the five dice of the Offensive Roll decide something
    unprinted: str = ""  # entered effects: "instead" of print, "added" to it, or a number for "dice"

    @property
    def has_control(self) -> bool:
        return bool(self.dice or self.numbers or self.rows or self.wants_roll or self.wants_changes)


def questions_about(case: Case, n: int, lang: Lang) -> list[Question]:
    """The questions about the n-th event; of colliding actions, those about each of them."""
    entry = case.data["events"][n - 1]
    if "collide" not in entry:
        question = question_about(case, n, lang)
        return [question] if question else []
    labels = [f"{n}.{k}" for k in range(1, len(entry["collide"]) + 1)]
    asked = {str(ask.event) for ask in case.ruling.asks}
    about = [question_about(case, label, lang) for label in labels if label in asked]
    return [question for question in about if question is not None]


def question_about(case: Case, n: Number, lang: Lang) -> Question | None:
    """The questions about one event of a Dice Throne table."""
    entry = event_at(case.data, n)
    verb = verb_of(entry)
    rows = list(rows_about(case, n, entry, lang))
    if verb in ("", "advance", "collide", "sell"):
        return Question(n, entry, verb, rows=rows) if rows else None
    table: Table = case.table
    event = event_numbered(table, n)
    seat = next(seat for seat in table.players if seat.id == event.by)
    thing = in_play(table.catalog, seat.hero, event, level_of(case.data, event, n))
    texts = texts_of(thing) if verb not in _PLAIN_VERBS else []
    asks = [ask for ask in case.ruling.asks if ask.event == n]
    wants_roll = verb == "activate" and _wants_roll(asks)
    dice = _dice_count(event, thing, texts, () if wants_roll else asks)
    symbols = seat.die
    others = [str(p["id"]) for p in case.data["players"]]
    return Question(
        n,
        entry,
        verb,
        dice=dice,
        shown=tuple(event.dice),
        symbols=symbols,
        die=_die_names(table.catalog, seat.hero, symbols, lang),
        numbers=_numbers(case, n, entry, verb, texts, dice),
        tokens=_tokens(entry, table.catalog, seat.hero, lang) if verb not in _PLAIN_VERBS else [],
        rows=rows,
        made=list(event.choice),
        others=others if len(others) > 2 or "on" in entry else [],
        wants_changes=_wants_changes(texts, asks),
        wants_roll=wants_roll,
        unprinted=_unprinted(case, n, entry, texts),
    )


def _dice_count(event: Event, thing: Thing | None, texts: list[Effects], asks: Sequence[Ask]) -> int:
    if event.verb == "roll":
        return 5
    if event.verb == "defend" and isinstance(thing, Ability | Card) and thing.needs:
        return thing.needs.dice
    counts = [_rolled(text) for text in texts]
    asked = [int(ask.says.params.get("n") or 0) for ask in asks if ask.says.key == "ask_dice"]
    return max((*counts, *asked, len(event.dice)), default=0)


def _wants_roll(asks: Sequence[Ask]) -> bool:
    """Whether a text looks at the dice that activated it, and nobody has said what they show."""
    return any(
        ask.says.key == "ask_tier" or (ask.says.key == "ask_dice" and ask.says.params.get("n") == HERO_DICE)
        for ask in asks
    )


def _wants_changes(texts: list[Effects], asks: Sequence[Ask]) -> bool:
    """Whether the text turns dice, or the ruling asks which dice it changed."""
    turns = any(effect.op == "change_die" for text in texts for effect in flat(text))
    return turns or any(ask.what == "changes" for ask in asks)


def _rolled(text: Effects) -> int:
    """How many dice a text rolls."""
    effects = list(flat(text))
    if any(effect.op == "duel" for effect in effects):
        return 2
    rolls = sum(int(effect.best_of or effect.amount or 1) for effect in effects if effect.op == "roll")
    return max(1, rolls) if any(effect.op in _ONE_DIE for effect in effects) else rolls


def _die_names(catalog: Catalog, hero_id: str | None, die: tuple[str, ...], lang: Lang) -> tuple[str, ...]:
    hero = catalog.heroes.get(hero_id or "")
    return tuple(symbol_name(symbol, lang, (hero,) if hero else ()) for symbol in die)


def _numbers(
    case: Case, n: Number, entry: EventEntry, verb: str, texts: list[Effects], dice: int
) -> list[Numbers]:
    """Numbers in place of dice that nobody knows, or of a text that no source gives."""
    counted = [word for word in WORDS if word in COUNTED]
    entered = {word: e[word] for e in entry.get("effects") or [] for word in counted if word in e}
    words: dict[str, list[int]] = {}
    # One die is as quick to tap as a number, and a number must not hide what else the dice decide.
    if not entry.get("dice") and dice != 1 and all(map(decides_numbers_only, texts)):
        for text in texts:
            for word, (_, values) in open_numbers(text, dice).items():
                words.setdefault(word, values)
    is_unknown = any(ask.event == n and ask.what == "effects" for ask in case.ruling.asks)
    if is_unknown or (not texts and verb in USUAL):
        for word in USUAL.get(verb, ("deal", "heal")):
            words.setdefault(word, ANY_NUMBER)
    if not texts:
        for word in entered:
            words.setdefault(word, ANY_NUMBER)
    return [Numbers(word, values, entered.get(word)) for word, values in words.items()]


def _tokens(entry: EventEntry, catalog: Catalog, hero: str | None, lang: Lang) -> list[Token]:
    entered = [(w, str(e[w])) for e in entry.get("effects") or [] for w in ("gain", "inflict") if w in e]
    tokens = []
    for status in catalog.statuses.values():
        word = "inflict" if status.polarity == "negative" else "gain"
        is_entered = (word, status.id) in entered
        if (hero in status.owners and status.removable != "nothing") or is_entered:
            tokens.append(Token(word, status.id, named(status, lang), is_entered))
    listed = {(token.word, token.id) for token in tokens}
    tokens += [Token(w, s, s.replace("-", " "), True) for w, s in entered if (w, s) not in listed]
    return tokens


def _unprinted(case: Case, n: Number, entry: EventEntry, texts: list[Effects]) -> str:
    if entry.get("effects") is None or not texts:
        return ""
    printed = printed_effects(case, n)
    if printed and entry["effects"][: len(printed)] == printed:
        return "added"
    return "instead" if event_numbered(case.table, n).differs else "dice"

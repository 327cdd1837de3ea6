"""Questions about one entered event: its dice, or a number in place of them, tokens, a choice, its target.

The page asks them about the event that was entered last, or that is being changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from judge.core.json_types import EventEntry, JsonObject, TableFile
from judge.core.messages import Lang
from judge.rules.catalog import Ability, Card, Catalog, Companion, Effects, Status, flat
from judge.rules.dice_throne.effects.vocabulary import WORDS, Trait, words_that
from judge.rules.dice_throne.state.table import Event, Table
from judge.schemas.dice_throne.symbols import symbol_name
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.effect_text import COUNTED, open_numbers, without_dice
from judge.services.dispute.find_by_name import named

Thing = Ability | Card | Companion | Status
_ONE_DIE = words_that(Trait.ONE_DIE)
USUAL = {"activate": ("deal",), "defend": ("prevent",), "play": ("add", "prevent"), "spend": ("prevent",)}


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
    n: int
    event: EventEntry
    verb: str
    dice: int = 0  # how many the text rolls
    shown: tuple[int, ...] = ()
    die: tuple[str, ...] = ()  # the six symbols, named
    numbers: list[Numbers] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    choices: int = 0
    choice: Any = None
    others: list[str] = field(default_factory=list)
    wants_changes: bool = False


def verb_of(event: EventEntry) -> str:
    verbs = (
        "activate", "defend", "play", "spend", "announce", "roll", "target", "upgrade", "sell", "pay",
        "resolve", "does", "choose", "advance", "collide", "bless", "minor", "reinforce", "offer", "feat",
        "token",
    )  # fmt: skip
    return next((verb for verb in verbs if verb in event), "")


def question_about(case: Case, n: int, lang: Lang) -> Question | None:
    """The questions about the n-th event of a Dice Throne table."""
    entry = case.data["events"][n - 1]
    verb = verb_of(entry)
    if verb in ("", "advance", "collide", "sell"):
        return None
    table: Table = case.table
    event = table.events[n - 1]
    seat = next(seat for seat in table.players if seat.id == event.by)
    thing = in_play(table.catalog, seat.hero, event, level_of(case.data, event, n))
    texts = texts_of(thing)
    dice = _dice_count(event, thing, texts)
    die = _die_names(table.catalog, seat.hero, seat.die, lang)
    others = [str(p["id"]) for p in case.data["players"]]
    return Question(
        n,
        entry,
        verb,
        dice=dice,
        shown=tuple(event.dice),
        die=die,
        numbers=_numbers(entry, verb, texts, dice),
        tokens=_tokens(entry, table.catalog, seat.hero, lang) if verb not in ("roll", "target") else [],
        choices=_choices(thing, texts),
        choice=entry.get("choice"),
        others=others if len(others) > 2 or "on" in entry else [],
        wants_changes=any(effect.op == "change_die" for text in texts for effect in flat(text)),
    )


def _choices(thing: Thing | None, texts: list[Effects]) -> int:
    """How many options there are: the uses of a token or companion with several, else those of its text."""
    if isinstance(thing, Companion | Status) and len(thing.uses) > 1:
        return len(thing.uses)
    return max((len(effect.options) for text in texts for effect in flat(text)), default=0)


def in_play(catalog: Catalog, hero: str | None, event: Event, level: int) -> Thing | None:
    """The thing an event uses, or its upgrade in play."""
    if isinstance(event.thing, Ability) and level > 1:
        return catalog.find_upgrade(hero, event.thing.id, level) or event.thing
    return event.thing


def texts_of(thing: Thing | None) -> list[Effects]:
    """The texts that may apply: the thing's own, and those of its tiers."""
    if thing is None:
        return []
    texts = [thing.effects] if thing.effects else []
    if isinstance(thing, Ability | Card):
        texts += list(thing.tier_effects)
    return texts


def level_of(table: TableFile, event: Event, n: int) -> int:
    """The level of the ability in play when this event comes."""
    seat = next(p for p in table["players"] if str(p["id"]) == event.by)
    start = (seat.get("upgrades") or {}).get(str(event.value), 1)
    level = start.get("level", 1) if isinstance(start, dict) else start
    for earlier in table["events"][: n - 1]:
        if earlier.get("upgrade") == event.value and str(earlier.get("by")) == event.by:
            level = earlier.get("level", level + 1)
    return int(level)


def _dice_count(event: Event, thing: Thing | None, texts: list[Effects]) -> int:
    if event.verb == "roll":
        return 5
    if event.verb == "defend" and isinstance(thing, Ability | Card):
        return thing.needs.dice if thing.needs else 0
    effects = [effect for text in texts for effect in flat(text)]
    rolls = [int(effect.amount or 1) for effect in effects if effect.op == "roll"]
    if any(effect.op == "duel" for effect in effects):
        return 2
    if any(effect.op in _ONE_DIE for effect in effects):
        return max(1, sum(rolls))
    return sum(rolls)


def _die_names(catalog: Catalog, hero_id: str | None, die: tuple[str, ...], lang: Lang) -> tuple[str, ...]:
    hero = catalog.heroes.get(hero_id or "")
    return tuple(symbol_name(symbol, lang, (hero,) if hero else ()) for symbol in die)


def _numbers(entry: EventEntry, verb: str, texts: list[Effects], dice: int) -> list[Numbers]:
    words: dict[str, list[int]] = {}
    counted = [word for word in WORDS if word in COUNTED]
    for text in texts:
        for word, (_, values) in open_numbers(text, dice).items():
            words.setdefault(word, values)
    if len(texts) > 1:
        for word in counted:
            values = sorted(
                {e.amount for t in texts for e in t if e.op == word and isinstance(e.amount, int)}
            )
            if len(values) > 1:
                words.setdefault(word, values)
    entered = {word: e[word] for e in entry.get("effects") or [] for word in counted if word in e}
    if not texts or entered:
        for word in (*entered, *(() if words or texts else USUAL.get(verb, ()))):
            words.setdefault(word, list(range(13)))
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


def with_number(case: Case, n: int, word: str, value: int) -> EventEntry:
    """The event with this number in place of its dice; the text's other effects stay."""
    entry = dict(case.data["events"][n - 1])
    if verb_of(entry) in ("", "advance", "collide"):
        return entry
    effects, template = _start(case, n, word, value)
    for k, effect in enumerate(effects):
        if word in effect:
            effects[k] = {**effect, word: value}
            break
    else:
        effects.insert(0 if word == "deal" else len(effects), {**template, word: value})
    entry.pop("dice", None)
    return {**entry, "effects": effects}


def with_token(case: Case, n: int, word: str, status: str) -> EventEntry:
    """The event with this token added, or removed if it had it."""
    entry = dict(case.data["events"][n - 1])
    if verb_of(entry) in ("", "advance", "collide"):
        return entry
    effects, _ = _start(case, n, "", None)
    has = [e for e in effects if e.get(word) == status]
    effects = [e for e in effects if e not in has] if has else [*effects, {word: status}]
    entry.pop("dice", None)
    return {**entry, "effects": effects}


def _start(case: Case, n: int, word: str, value: int | None) -> tuple[list[JsonObject], JsonObject]:
    """The effects to start from, and how the printed text qualifies the word."""
    table: Table = case.table
    event = table.events[n - 1]
    seat = next(seat for seat in table.players if seat.id == event.by)
    texts = texts_of(in_play(table.catalog, seat.hero, event, level_of(case.data, event, n)))
    template: JsonObject = {}
    for text in texts:
        printed = next((effect for effect in flat(text) if effect.op == word), None)
        if printed is not None:
            template = {"type": printed.type} if word == "deal" else {}
            if printed.to:
                template["to"] = printed.to
            break
    entered = case.data["events"][n - 1].get("effects")
    if entered is not None:
        return list(entered), template
    tier = next((t for t in texts if any(e.op == word and e.amount == value for e in t)), None)
    text = tier if tier is not None and len(texts) > 1 else (texts[0] if texts else ())
    return without_dice(text, value if word == "deal" else None), template

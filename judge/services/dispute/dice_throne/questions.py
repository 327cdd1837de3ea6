"""What can be asked about one entered event: its dice, a number in place of them, tokens it gave, a choice,
whom it is for. The page shows this with the event that was entered last, or that is being changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from judge.core.messages import Lang
from judge.rules.catalog import Ability, Card, Catalog, Companion, Effects, Status, flat
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.state.table import Event
from judge.schemas.dice_throne.symbols import symbol_name
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.effect_text import COUNTED, open_numbers, without_dice
from judge.services.dispute.find_by_name import named

Thing = Ability | Card | Companion | Status
_ONE_DIE = words_that(Trait.ONE_DIE)
USUAL = {"activate": ("deal",), "defend": ("prevent",), "play": ("add", "prevent"), "spend": ("prevent",)}


@dataclass(frozen=True, slots=True)
class Numbers:
    """A word whose number can be said at once."""

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
    event: dict[str, Any]
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


def verb_of(event: dict[str, Any]) -> str:
    known = (
        "activate", "defend", "play", "spend", "announce", "roll", "target", "upgrade", "sell", "pay",
        "resolve", "does", "choose", "advance", "collide", "bless", "minor", "reinforce", "offer", "feat",
        "token",
    )  # fmt: skip
    return next((verb for verb in known if verb in event), "")


def question_about(case: Case, n: int, lang: Lang) -> Question | None:
    """About the n-th event of a Dice Throne table."""
    table, entry = case.data, case.data["events"][n - 1]
    verb = verb_of(entry)
    if verb in ("", "advance", "collide", "sell"):
        return None
    whole = case.table
    event = whole.events[n - 1]
    seat = next(seat for seat in whole.players if seat.id == event.by)
    thing = in_play(whole.catalog, seat.hero, event, level_of(table, event, n))
    texts = texts_of(thing)
    dice = _dice_count(event, thing, texts)
    die = _die_names(whole.catalog, seat.hero, seat.die, lang)
    others = [str(p["id"]) for p in table["players"]]
    return Question(
        n,
        entry,
        verb,
        dice=dice,
        shown=tuple(event.dice),
        die=die,
        numbers=_numbers(entry, verb, texts, dice),
        tokens=_tokens(entry, whole.catalog, seat.hero, lang) if verb not in ("roll", "target") else [],
        choices=max((len(one.options) for text in texts for one in flat(text)), default=0),
        choice=entry.get("choice"),
        others=others if len(others) > 2 or "on" in entry else [],
        wants_changes=any(one.op == "change_die" for text in texts for one in flat(text)),
    )


def in_play(catalog: Catalog, hero: str | None, event: Event, level: int) -> Thing | None:
    """The thing itself, or its upgrade."""
    if isinstance(event.thing, Ability) and level > 1:
        return catalog.find_upgrade(hero, event.thing.id, level) or event.thing
    return event.thing


def texts_of(thing: Thing | None) -> list[Effects]:
    """The texts that may count: the thing's own, or those of its tiers."""
    if thing is None:
        return []
    texts = [thing.effects] if thing.effects else []
    if isinstance(thing, Ability | Card):
        texts += list(thing.tier_effects)
    return texts


def level_of(table: dict[str, Any], event: Event, n: int) -> int:
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
    rolls = [int(one.amount or 1) for text in texts for one in flat(text) if one.op == "roll"]
    if any(one.op == "duel" for text in texts for one in flat(text)):
        return 2
    if any(one.op in _ONE_DIE for text in texts for one in flat(text)):
        return max(1, sum(rolls))
    return sum(rolls)


def _die_names(catalog: Catalog, hero: str | None, die: tuple[str, ...], lang: Lang) -> tuple[str, ...]:
    known = catalog.heroes.get(hero or "")
    return tuple(symbol_name(symbol, lang, (known,) if known else ()) for symbol in die)


def _numbers(entry: dict[str, Any], verb: str, texts: list[Effects], dice: int) -> list[Numbers]:
    words: dict[str, list[int]] = {}
    for text in texts:
        for word, (_, values) in open_numbers(text, dice).items():
            words.setdefault(word, values)
    if len(texts) > 1:
        for word in COUNTED:
            values = sorted(
                {e.amount for t in texts for e in t if e.op == word and isinstance(e.amount, int)}
            )
            if len(values) > 1:
                words.setdefault(word, values)
    said = {word: e[word] for e in entry.get("effects") or [] for word in COUNTED if word in e}
    if not texts or said:
        for word in (*said, *(() if words or texts else USUAL.get(verb, ()))):
            words.setdefault(word, list(range(13)))
    return [Numbers(word, values, said.get(word)) for word, values in words.items()]


def _tokens(entry: dict[str, Any], catalog: Catalog, hero: str | None, lang: Lang) -> list[Token]:
    given = [(w, str(e[w])) for e in entry.get("effects") or [] for w in ("gain", "inflict") if w in e]
    made = []
    for status in catalog.statuses.values():
        word = "inflict" if status.polarity == "negative" else "gain"
        if (hero in status.owners and _is_given(status)) or (word, status.id) in given:
            made.append(Token(word, status.id, named(status, lang), (word, status.id) in given))
    known = {(token.word, token.id) for token in made}
    made += [Token(w, s, s.replace("-", " "), True) for w, s in given if (w, s) not in known]
    return made


def _is_given(status: Status) -> bool:
    return status.removable != "nothing"


def with_number(case: Case, n: int, word: str, value: int) -> dict[str, Any]:
    """The event with this number said in place of its dice; what the text does anyway stays."""
    entry = dict(case.data["events"][n - 1])
    if verb_of(entry) in ("", "advance", "collide"):
        return entry
    effects, template = _start(case, n, word, value)
    for k, one in enumerate(effects):
        if word in one:
            effects[k] = {**one, word: value}
            break
    else:
        effects.insert(0 if word == "deal" else len(effects), {**template, word: value})
    entry.pop("dice", None)
    return {**entry, "effects": effects}


def with_token(case: Case, n: int, word: str, status: str) -> dict[str, Any]:
    """The event with this token given; taken away again if it was there."""
    entry = dict(case.data["events"][n - 1])
    if verb_of(entry) in ("", "advance", "collide"):
        return entry
    effects, _ = _start(case, n, "", None)
    wanted = {word: status}
    has = [e for e in effects if e.get(word) == status]
    effects = [e for e in effects if e not in has] if has else [*effects, wanted]
    entry.pop("dice", None)
    return {**entry, "effects": effects}


def _start(case: Case, n: int, word: str, value: int | None) -> tuple[list[Any], dict[str, Any]]:
    """The effects to start from, and how the printed text qualifies the word."""
    table, whole = case.data, case.table
    event = whole.events[n - 1]
    seat = next(seat for seat in whole.players if seat.id == event.by)
    texts = texts_of(in_play(whole.catalog, seat.hero, event, level_of(table, event, n)))
    template: dict[str, Any] = {}
    for text in texts:
        found = next((one for one in flat(text) if one.op == word), None)
        if found is not None:
            template = {"type": found.type} if word == "deal" else {}
            if found.to:
                template["to"] = found.to
            break
    given = table["events"][n - 1].get("effects")
    if given is not None:
        return list(given), template
    tier = next((t for t in texts if any(e.op == word and e.amount == value for e in t)), None)
    text = tier if tier is not None and len(texts) > 1 else (texts[0] if texts else ())
    return without_dice(text, value if word == "deal" else None), template

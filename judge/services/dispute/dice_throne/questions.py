"""Questions about one entered event, each with the answers that can be tapped.

An answer says only what was asked: a line or an option becomes the `choice` of the event, dice stay dice, a
token is added to the printed text. Effects stand in place of print only where a number replaces dice that
nobody knows, or where no source gives a text; the page then says so, and `as_printed` is the way back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from judge.core.json_types import EventEntry, JsonObject, TableFile
from judge.core.messages import Lang, Ref
from judge.rules.catalog import HERO_DICE, Ability, Card, Catalog, Companion, Effects, Status, flat
from judge.rules.dice_throne.effects.vocabulary import WORDS, Trait, words_that
from judge.rules.dice_throne.flow.board import board_entry
from judge.rules.dice_throne.state.activation import highest_tier
from judge.rules.dice_throne.state.model import Pending
from judge.rules.dice_throne.state.table import TEAM_MODES, Event, Table
from judge.rules.ruling import Ask
from judge.schemas.dice_throne.symbols import symbol_name
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.effect_text import (
    COUNTED,
    as_file,
    decides_numbers_only,
    open_numbers,
    without_dice,
)
from judge.services.dispute.entering import event_at
from judge.services.dispute.find_by_name import named
from judge.services.rulebook.effect_words import EffectWords

Thing = Ability | Card | Companion | Status
Number = int | str  # of an event: 3, or 3.2 inside a collide
_ONE_DIE = words_that(Trait.ONE_DIE)
USUAL = {"activate": ("deal",), "defend": ("prevent",), "play": ("add", "prevent"), "spend": ("prevent",)}
ANY_NUMBER = list(range(13))
COSTS = range(10)


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
class Answer:
    """One answer: the key of the event it sets, or the event it adds; `says` is the text on the button."""

    says: str
    value: Any
    is_on: bool = False
    is_possible: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """Answers to one question. `key` is the key of the event they set; without it each adds an event.

    kind: line, option, may, number, whom, between, cost, die, own.
    """

    kind: str
    key: str
    answers: tuple[Answer, ...]
    who: str = ""  # who decides or rolls
    thing: str = ""
    comes_before: bool = False  # the added event belongs before this one, not after it


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
        return bool(self.dice or self.numbers or self.rows or self.wants_roll)


def verb_of(event: EventEntry) -> str:
    verbs = (
        "activate", "defend", "play", "spend", "announce", "roll", "target", "upgrade", "sell", "pay",
        "resolve", "does", "choose", "advance", "collide", "bless", "minor", "reinforce", "offer", "feat",
        "token",
    )  # fmt: skip
    return next((verb for verb in verbs if verb in event), "")


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
    rows = list(_rows(case, n, entry, lang))
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
        wants_changes=any(effect.op == "change_die" for text in texts for effect in flat(text)),
        wants_roll=wants_roll,
        unprinted=_unprinted(case, n, entry, texts),
    )


_PLAIN_VERBS = ("roll", "target", "announce", "choose", "upgrade", "pay")


def event_numbered(table: Table, n: Number) -> Event:
    """The event with this number; `3.2` is the second of the third, which is a collide."""
    first, _, inner = str(n).partition(".")
    event = table.events[int(first) - 1]
    return event.inner[int(inner) - 1] if inner else event


def in_play(catalog: Catalog, hero: str | None, event: Event, level: int) -> Thing | None:
    """The thing an event uses, or its upgrade in play."""
    if isinstance(event.thing, Ability) and level > 1:
        return catalog.find_upgrade(hero, event.thing.id, level) or event.thing
    return event.thing


def texts_of(thing: Thing | None) -> list[Effects]:
    """The texts that may apply: the thing's own, and those of its lines and uses."""
    if thing is None:
        return []
    texts = [thing.effects] if thing.effects else []
    if isinstance(thing, Ability | Card):
        texts += list(thing.tier_effects)
    if isinstance(thing, Companion | Status):
        texts += [use.effects for use in thing.uses if use.effects]
    return texts


def level_of(table: TableFile, event: Event, n: Number) -> int:
    """The level of the ability in play when this event comes."""
    seat = next(p for p in table["players"] if str(p["id"]) == event.by)
    start = (seat.get("upgrades") or {}).get(str(event.value), 1)
    level = start.get("level", 1) if isinstance(start, dict) else start
    for earlier in table["events"][: int(str(n).partition(".")[0]) - 1]:
        if earlier.get("upgrade") == event.value and str(earlier.get("by")) == event.by:
            level = earlier.get("level", level + 1)
    return int(level)


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


# -- rows of answers ----------------------------------------------------------------------------------------


def _rows(case: Case, n: Number, entry: EventEntry, lang: Lang) -> Iterator[Row]:
    """What is open about an event, and what it may still choose."""
    words = EffectWords(lang, case.table.catalog)
    asks = [ask for ask in case.ruling.asks if ask.event == n]
    if any(ask.says.key == "ask_tier" for ask in asks) or _names_line(case, n):
        yield _lines(case, n, words)
    yield from _uses(case, n, words)
    for ask in asks:
        yield from _ASKED.get(ask.what, _nothing)(case, n, ask, words)
    for waiting, skipped in _waiting(case, n):
        yield _choice(case, entry, waiting, skipped, words)


def _nothing(case: Case, n: Number, ask: Ask, words: EffectWords) -> Iterator[Row]:
    yield from ()


def _line_texts(case: Case, n: Number) -> Ability | Card | None:
    """The ability with lines that an event activates, at the level in play."""
    event = event_numbered(case.table, n)
    if event.verb != "activate":
        return None
    seat = next(seat for seat in case.table.players if seat.id == event.by)
    thing = in_play(case.table.catalog, seat.hero, event, level_of(case.data, event, n))
    has_lines = isinstance(thing, Ability | Card) and thing.tier_effects
    return thing if isinstance(thing, Ability | Card) and has_lines else None


def _names_line(case: Case, n: Number) -> bool:
    event = event_numbered(case.table, n)
    return bool(event.verb == "activate" and event.choice and event.effects is None and _line_texts(case, n))


def _lines(case: Case, n: Number, words: EffectWords) -> Row:
    thing, event = _line_texts(case, n), event_numbered(case.table, n)
    assert thing is not None
    printed = event.thing.needs if isinstance(event.thing, Ability) else None
    needs = thing.needs if thing.needs and thing.needs.tiers else printed
    rolls = words.activation(needs)
    answers = []
    for k, text in enumerate(thing.tier_effects, start=1):
        roll = rolls[k - 1].says if k <= len(rolls) else str(k)
        is_on = bool(event.choice) and event.choice[0] == k
        answers.append(Answer(f"{roll}: {words.in_short(text)}", [k, *event.choice[1:]], is_on))
    return Row("line", "choice", tuple(answers))


def _uses(case: Case, n: Number, words: EffectWords) -> Iterator[Row]:
    """The uses of a token or companion that has several."""
    event = event_numbered(case.table, n)
    uses = event.thing.uses if isinstance(event.thing, Companion | Status) else ()
    if len(uses) > 1 and event.verb in ("spend", "resolve"):
        says = enumerate((words.in_short(use.effects) for use in uses), start=1)
        yield Row("option", "choice", tuple(Answer(text, [k], event.use_n == k) for k, text in says))


def _asked_choice(case: Case, n: Number, ask: Ask, words: EffectWords) -> Iterator[Row]:
    """A choice among things that the question itself names: uses, tokens, stages, companions."""
    event = event_numbered(case.table, n)
    named_things = [v for v in ask.says.params.values() if isinstance(v, list)]
    refs = [ref for ref in (named_things[0] if named_things else ()) if isinstance(ref, Ref)]
    if refs:
        chosen = list(event.choice)
        yield Row(
            "option",
            "choice",
            tuple(Answer(words.status(ref.id), [*chosen, ref.id]) for ref in refs),
            event.by,
        )


def _asked_dice(case: Case, n: Number, ask: Ask, words: EffectWords) -> Iterator[Row]:
    """A die that belongs to another event: the roll of a token."""
    params = ask.says.params
    if "status" in params and "player" in params:
        status, who = params["status"].id, params["player"]
        events = [{"by": who, "resolve": status, "dice": [face]} for face in range(1, 7)]
        answers = tuple(Answer(str(face), event) for face, event in enumerate(events, start=1))
        is_late = ask.says.key == "ask_upkeep_die"  # the phase it belongs to is over
        yield Row("die", "", answers, who, words.status(status), is_late)


def _asked_target(case: Case, n: Number, ask: Ask, words: EffectWords) -> Iterator[Row]:
    by = event_numbered(case.table, n).by
    rivals = opponents(case.data, by)
    state = case.now.state
    chooser = state.attack.chooser if state.attack is not None else ""
    if chooser:
        who = by if chooser == "roller" else rivals[0]
        yield Row("whom", "", tuple(Answer(name, {"by": who, "choose": name}) for name in rivals), who)
        return
    if case.table.mode in TEAM_MODES:
        answers = [Answer(str(face), {"by": by, "target": None, "die": face}) for face in range(1, 7)]
        yield Row("die", "", tuple(answers), by)
        yield Row("whom", "", tuple(Answer(name, {"by": by, "target": name}) for name in rivals))
        return
    yield Row("whom", "on", tuple(Answer(name, name) for name in rivals), by)


def _asked_whom(case: Case, n: Number, ask: Ask, words: EffectWords) -> Iterator[Row]:
    players = [str(player["id"]) for player in case.data["players"]]
    if ask.says.key == "ask_from_to":
        pairs = [(a, b) for a in players for b in players if a != b]
        yield Row("between", "on", tuple(Answer(f"{a} → {b}", [a, b]) for a, b in pairs))
    else:
        yield Row("whom", "on", tuple(Answer(name, name) for name in players))


def _asked_cost(case: Case, n: Number, ask: Ask, words: EffectWords) -> Iterator[Row]:
    yield Row("cost", "cost", tuple(Answer(str(cp), cp) for cp in COSTS))


def _asked_own(case: Case, n: Number, ask: Ask, words: EffectWords) -> Iterator[Row]:
    """Whether a thing is the hero's own, where the catalogue holds only part of a board or deck. "Yes" is
    what the ruling takes it for; "no" takes the event away."""
    yield Row("own", "", ())


_ASKED = {
    "choice": _asked_choice, "dice": _asked_dice, "target": _asked_target, "on": _asked_whom,
    "cost": _asked_cost, "ability": _asked_own, "card": _asked_own,
}  # fmt: skip


def opponents(table: TableFile, who: str) -> list[str]:
    players = table["players"]
    team = next(p.get("team") for p in players if str(p["id"]) == who)
    return [str(p["id"]) for p in players if str(p["id"]) != who and (team is None or p.get("team") != team)]


def _waiting(case: Case, n: Number) -> Iterator[tuple[Pending, int]]:
    """Choices that wait since this event, each with the number of "may"s left out before it."""
    skipped = 0
    for waiting in _pending(case, n):
        yield waiting, skipped
        if not waiting.optional:
            return
        skipped += waiting.is_of_event


def _pending(case: Case, n: Number) -> Iterable[Pending]:
    """As the table stands; a "may" that nobody mentioned, as it stood right after the event."""
    now = [waiting for waiting in case.now.state.pending if waiting.n == n]
    first = int(str(n).partition(".")[0])
    if now or first == len(case.data["events"]) or not _leaves_choices(event_numbered(case.table, n)):
        return now
    return [waiting for waiting in case.cut(first).now.state.pending if waiting.n == n]


def _leaves_choices(event: Event) -> bool:
    effects = (effect for text in texts_of(event.thing) for effect in flat(text))
    return not event.choice and any(effect.op in ("choose", "may") for effect in effects)


def _choice(case: Case, entry: EventEntry, waiting: Pending, skipped: int, words: EffectWords) -> Row:
    chosen = entry.get("choice")
    before = [*(chosen if isinstance(chosen, list) else [] if chosen is None else [chosen]), *([0] * skipped)]
    who = next(iter(sorted(waiting.by)), "")
    is_yes_no = waiting.optional and waiting.options == (1, 0)
    answers = []
    for k, option in enumerate(waiting.options):
        text = words.in_short(waiting.texts[k]) if k < len(waiting.texts) else ""
        says = text or (words.status(option) if isinstance(option, str) else str(option))
        value: Any = [*before, option] if waiting.is_of_event else {"by": who, "choose": option}
        answers.append(Answer("" if is_yes_no and not option else says, value))
    if waiting.is_of_event and waiting.texts:
        answers = _marked(case, waiting.n, entry, answers)
    has_numbers = not waiting.texts and all(isinstance(option, int) for option in waiting.options)
    kind = "may" if is_yes_no else "number" if has_numbers else "option"
    return Row(kind, "choice" if waiting.is_of_event else "", tuple(answers), who)


def _marked(case: Case, n: Number, entry: EventEntry, answers: list[Answer]) -> list[Answer]:
    """The answers with what the table does not allow, such as a price nobody can pay."""
    first, _, inner = str(n).partition(".")
    if inner:
        return answers
    before = case.cut(int(first) - 1)
    events = [entry, *({**entry, "choice": answer.value} for answer in answers)]
    legal, *allowed = before.allowed(events)
    if not legal:
        return answers
    return [replace(answer, is_possible=ok) for answer, ok in zip(answers, allowed, strict=True)]


# -- numbers and tokens -------------------------------------------------------------------------------------


def with_number(case: Case, n: Number, word: str, value: int) -> EventEntry:
    """The event with this number: the line that has it, or in place of dice; all other effects stay."""
    entry = dict(event_at(case.data, n))
    if verb_of(entry) in ("", "advance", "collide"):
        return entry
    line = _line_with(case, n, word, value) if entry.get("effects") is None else 0
    if line:
        choice = entry.get("choice")
        rest = choice[1:] if isinstance(choice, list) else []
        return {**entry, "choice": [line, *rest] if rest else line}
    effects, template = _start(case, n, word, value)
    for k, effect in enumerate(effects):
        if word in effect:
            effects[k] = {**effect, word: value}
            break
    else:
        effects.insert(0 if word == "deal" else len(effects), {**template, word: value})
    return {**entry, "effects": effects}


def with_token(case: Case, n: Number, word: str, status: str) -> EventEntry:
    """The event with this token added to its text, or removed if it was added before."""
    entry = dict(event_at(case.data, n))
    if verb_of(entry) in ("", "advance", "collide"):
        return entry
    printed = printed_effects(case, n)
    effects = list(entry["effects"]) if entry.get("effects") is not None else list(printed)
    added = {word: status}
    if added in effects[len(printed) if effects[: len(printed)] == printed else 0 :]:
        effects.reverse()
        effects.remove(added)
        effects.reverse()
    else:
        effects.append(added)
    if effects == printed:
        return as_printed(entry)
    line = line_in_play(case, n)
    if line and entry.get("effects") is None:
        entry = without_line(case, n)
    return {**entry, "effects": effects}


def without_line(case: Case, n: Number) -> EventEntry:
    """The event without the line it names."""
    entry = event_at(case.data, n)
    if _line_texts(case, n) is None or entry.get("effects") is not None:
        return entry
    choice = entry.get("choice")
    rest = choice[1:] if isinstance(choice, list) else []
    without = {key: value for key, value in entry.items() if key != "choice"}
    return {**without, "choice": rest} if rest else without


def with_dice(case: Case, n: Number, faces: list[int]) -> EventEntry:
    """The event with these dice. A number that stood in place of them goes; added tokens stay."""
    entry = dict(event_at(case.data, n))
    if "roll" in entry:
        return {**entry, "roll": faces} if faces else entry
    without = {key: value for key, value in entry.items() if key != "dice"}
    if not faces:
        return without
    if entry.get("effects") is not None:
        printed = printed_effects(case, n)
        if printed and entry["effects"][: len(printed)] != printed:
            without.pop("effects")
    return {**without, "dice": faces}


def as_printed(entry: EventEntry) -> EventEntry:
    """The event with its printed text alone."""
    return {key: value for key, value in entry.items() if key != "effects"}


def printed_effects(case: Case, n: Number) -> list[JsonObject]:
    """The printed text of an event's thing in full, at the level and by the line in play."""
    table: Table = case.table
    event = event_numbered(table, n)
    seat = next((seat for seat in table.players if seat.id == event.by), None)
    if seat is None:
        return []
    thing = in_play(table.catalog, seat.hero, event, level_of(case.data, event, n))
    if isinstance(thing, Companion | Status) and thing.uses:
        k = event.use_n or 1
        return [as_file(effect) for effect in thing.uses[k - 1].effects] if k <= len(thing.uses) else []
    effects = tuple(thing.effects or ()) if thing is not None else ()
    line = line_in_play(case, n)
    if line and isinstance(thing, Ability | Card):
        effects = (*thing.tier_effects[line - 1], *effects)
    return [as_file(effect) for effect in effects]


def line_in_play(case: Case, n: Number) -> int:
    """The line that an event's choice or the dice on the table give; 0 if none does."""
    thing, event = _line_texts(case, n), event_numbered(case.table, n)
    if thing is None:
        return 0
    first = event.choice[0] if event.choice else 0
    if isinstance(first, int) and 1 <= first <= len(thing.tier_effects):
        return first
    state = case.cut(int(str(n).partition(".")[0]) - 1).now.state
    player = state.players[event.by]
    needs, _, lines = board_entry(state, player, replace(event, effects=None))
    if not state.dice or needs is None or not needs.tiers:
        return 0
    return min(highest_tier(state, player, needs, state.dice), len(lines))


def _line_with(case: Case, n: Number, word: str, value: int) -> int:
    """The only line whose number this is; 0 if there is none."""
    thing = _line_texts(case, n)
    texts = thing.tier_effects if thing is not None else ()
    fitting = [k for k, t in enumerate(texts, start=1) if any(e.op == word and e.amount == value for e in t)]
    return fitting[0] if len(fitting) == 1 else 0


def _unprinted(case: Case, n: Number, entry: EventEntry, texts: list[Effects]) -> str:
    if entry.get("effects") is None or not texts:
        return ""
    printed = printed_effects(case, n)
    if printed and entry["effects"][: len(printed)] == printed:
        return "added"
    return "instead" if event_numbered(case.table, n).differs else "dice"


def _start(case: Case, n: Number, word: str, value: int | None) -> tuple[list[JsonObject], JsonObject]:
    """The effects to start from, and how the printed text qualifies the word."""
    table: Table = case.table
    event = event_numbered(table, n)
    seat = next(seat for seat in table.players if seat.id == event.by)
    thing = in_play(table.catalog, seat.hero, event, level_of(case.data, event, n))
    texts = texts_of(thing)
    template: JsonObject = {}
    for text in texts:
        qualified = next((effect for effect in flat(text) if effect.op == word), None)
        if qualified is not None:
            template = {"type": qualified.type} if word == "deal" else {}
            if qualified.to:
                template["to"] = qualified.to
            break
    entered = event_at(case.data, n).get("effects")
    printed = printed_effects(case, n)
    is_added = bool(printed) and entered is not None and entered[: len(printed)] == printed
    if entered is not None and not is_added:
        return list(entered), template
    line = line_in_play(case, n)
    text = tuple(thing.effects or ()) if thing is not None else ()
    if line and isinstance(thing, Ability | Card):
        text = (*thing.tier_effects[line - 1], *text)
    if isinstance(thing, Companion | Status) and thing.uses:
        text = thing.uses[max(event.use_n, 1) - 1].effects
    added = list(entered)[len(printed) :] if entered is not None else []
    return [*without_dice(text, value if word == "deal" else None), *added], template

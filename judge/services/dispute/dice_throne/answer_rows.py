"""Rows of answers to what is open about an entered event: lines, uses, choices, targets, costs, dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from judge.core.json_types import EventEntry, TableFile
from judge.core.messages import Lang, Ref
from judge.rules.catalog import Ability, Companion, Status, flat
from judge.rules.dice_throne.state.model import Pending
from judge.rules.dice_throne.state.table import TEAM_MODES, Event
from judge.rules.ruling import Ask
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.event_things import (
    Number,
    event_numbered,
    texts_of,
    use_meant,
    with_lines,
)
from judge.services.rulebook.effect_words import EffectWords

COSTS = range(10)


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


def rows_about(case: Case, n: Number, entry: EventEntry, lang: Lang) -> Iterator[Row]:
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


def _names_line(case: Case, n: Number) -> bool:
    event = event_numbered(case.table, n)
    return bool(event.verb == "activate" and event.choice and event.effects is None and with_lines(case, n))


def _lines(case: Case, n: Number, words: EffectWords) -> Row:
    thing, event = with_lines(case, n), event_numbered(case.table, n)
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
        meant = use_meant(case, n)
        says = enumerate((words.in_short(use.effects) for use in uses), start=1)
        yield Row("option", "choice", tuple(Answer(text, [k], meant == k) for k, text in says))


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

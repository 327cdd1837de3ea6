"""The common mistakes behind wrong claims, and how each changes the replay.

A slip changes only the sum (`sums`); every other mistake changes the table that is replayed: another book,
an illegal event counted, a status forgotten. `MISTAKES` lists the commonest first and orders explanations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from judge.core.messages import Message, Ref
from judge.rules.catalog import Ability, Catalog, Effect, Effects, Status, Statuses, flat
from judge.rules.dice_throne.effects.foresight import adds_damage
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.state.editions import Edition
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.table import Event, Label, Table
from judge.rules.ruling import EventRuling, MistakeReport

_HALVES_A_DIE = frozenset(word for word in words_that(Trait.BY_DICE) if word.endswith("_fraction_of_die"))
UNLIMITED = 1_000_000
LAST_EVENTS = 12  # a claim is about the last sum, so events long before it explain nothing


@dataclass(frozen=True, slots=True)
class Mistake:
    """A kind of mistake. `cost` orders explanations: common mistakes cost least; two mistakes add up."""

    name: str
    cost: int
    rules: tuple[str, ...]
    is_slip: bool = False


MISTAKES: dict[str, Mistake] = {
    mistake.name: mistake
    for mistake in (
        Mistake("another-reading", 99, ()),  # not a mistake as far as the books go
        Mistake("halves-in-sequence", 100, ("DT-DMG-04",), True),
        Mistake("order-of-play", 102, ("DT-DMG-03", "DT-DMG-07"), True),
        Mistake("rounded-down", 104, ("DT-DMG-05",), True),
        Mistake("fraction-of-incoming", 106, ("DT-DMG-02", "DT-DMG-04"), True),
        Mistake("return-from-final", 108, ("DT-RET-01", "DT-RET-02"), True),
        Mistake("return-from-incoming", 110, ("DT-RET-01", "DT-RET-03"), True),
        Mistake("defence-against-undefendable", 112, ("DT-DRP-08",)),
        Mistake("prevention-the-type-forbids", 114, ("DT-ULT-03", "DT-TYPE-14")),
        Mistake("modifier-on-pure", 116, ("DT-TYPE-12", "DT-ATK-03")),
        Mistake("illegal-event-counted", 118, ()),
        Mistake("wither-forgotten", 120, ("DT-TOK-23",)),
        Mistake("bounty-forgotten", 122, ("DT-TOK-10",)),
        Mistake("cap-forgotten", 124, ("DT-STAT-03", "DT-CP-02", "DT-HP-03")),
        Mistake("another-edition", 126, ()),
        Mistake("status-forgotten", 130, ("DT-STAT-01",)),
        Mistake("last-in-first-out", 132, ("DT-TIME-05", "DT-TIME-14")),
        Mistake("order-of-declaration", 134, ("DT-TIME-01", "DT-TIME-10")),
        Mistake("sources-apart", 136, ("DT-DMG-09",), True),
        Mistake("healing-as-prevention", 138, ("DT-HP-04",), True),
        Mistake("isolated-in-the-pool", 140, ("DT-ISO-02",), True),
        Mistake("return-forgotten", 142, ("DT-RET-02", "DT-RET-04"), True),
        # Costs more than two common mistakes: leaving something out can explain nearly any number.
        Mistake("event-forgotten", 240, ("DT-DRP-07",)),
    )
}


@dataclass(frozen=True, slots=True)
class Plan:
    """A replay: a table, the readings to follow, the illegal events to count."""

    table: Table
    rulings: tuple[tuple[str, str], ...]
    counted: frozenset[Label] = frozenset()


@dataclass(frozen=True, slots=True)
class PossibleMistake:
    """A mistake as it could have been made at this table. `change` is None for a slip in the sum."""

    mistake: Mistake
    about: tuple[tuple[str, Any], ...] = ()  # event, edition, reading or status
    rules: tuple[str, ...] = ()
    change: Callable[[Plan], Plan] | None = None
    is_idle: bool = False  # the replay never came to what it changes: alone it makes no difference

    def report(self) -> MistakeReport:
        key = "mistake_" + self.mistake.name.replace("-", "_")
        params = {k: Ref("status", v) if k == "status" else v for k, v in self.about}
        rules = tuple(dict.fromkeys((*self.mistake.rules, *self.rules)))
        return MistakeReport(self.mistake.name, Message(key, **params), rules, self.about)


SLIPS = tuple(PossibleMistake(mistake) for mistake in MISTAKES.values() if mistake.is_slip)


def possible(game: Game) -> Iterator[PossibleMistake]:
    """Every mistake (other than slips) that could have been made at this table."""
    table = game.table
    yield from _illegal_events(game)
    yield from _types_mixed_up(game)
    yield from _statuses_forgotten(game)
    yield _possible("cap-forgotten", _without_caps)
    for edition in table.other_editions:
        yield _possible("another-edition", _under(edition), edition=edition.id)
    yield from _other_readings(game)
    yield from _dice_rounded_down(table)
    if any(event.verb == "collide" for event in table.events):
        yield _possible("order-of-declaration", lambda plan: _flattened(plan, 1))
        yield _possible("last-in-first-out", lambda plan: _flattened(plan, -1))
    answers = [event.n for event in table.events if event.verb in ("play", "spend", "defend", "does")]
    for n in answers[-LAST_EVENTS:]:
        yield _possible("event-forgotten", _without(n), event=n)


def _possible(
    name: str, change: Callable[[Plan], Plan], *, rules: tuple[str, ...] = (), **about: Any
) -> PossibleMistake:
    return PossibleMistake(MISTAKES[name], tuple(about.items()), rules, change)


# ------------------------------------------------------------------ illegal events


def _illegal_events(game: Game) -> Iterator[PossibleMistake]:
    inner = {each.n: each for event in game.table.events for each in (event, *event.inner)}
    refused = [ruling for ruling in game.events if ruling.verdict != "legal"]
    for ruling in refused[-LAST_EVENTS:]:
        event = inner.get(ruling.n)
        if event is not None and event.verb != "collide":
            yield from _illegal_event(event, ruling)
    for entry in game.order:
        for k, verdict in enumerate(entry.verdicts, start=1):
            if verdict == "illegal":
                n = f"{entry.event}.{k}"
                yield _possible("illegal-event-counted", _counting(n), event=n)


def _illegal_event(event: Event, ruling: EventRuling) -> Iterator[PossibleMistake]:
    keys, rules = {reason.key for reason in ruling.reasons}, tuple(ruling.rules)
    if "type_not_increased" in keys:
        return  # that is a modifier on pure damage
    if event.verb == "defend" and "DT-DRP-08" in rules:
        change = _counting_defence(event.n)
        yield _possible("defence-against-undefendable", change, rules=rules, event=event.n)
    elif "locked_by_ultimate" not in keys:
        yield _possible("illegal-event-counted", _counting(event.n), rules=rules, event=event.n)


def _counting(n: Label) -> Callable[[Plan], Plan]:
    return lambda plan: replace(plan, counted=plan.counted | {n})


def _counting_defence(n: Label) -> Callable[[Plan], Plan]:
    """Count a defence, and treat Ultimates as normal Attacks so that it takes effect."""
    return lambda plan: _tamed(replace(plan, counted=plan.counted | {n}), "normal")


# ------------------------------------------------------------------ damage types


def _types_mixed_up(game: Game) -> Iterator[PossibleMistake]:
    table = game.table
    if _deals(table, "ultimate") or any(_is_ultimate(event) for event in table.events):
        yield _possible("prevention-the-type-forbids", lambda plan: _tamed(plan, "undefendable"))
    elif any(player.statuses for player in game.seats):
        rules, idle = ("DT-TYPE-03", "DT-TYPE-13"), not game.is_reduced
        mistake = MISTAKES["prevention-the-type-forbids"]
        yield PossibleMistake(mistake, (), rules, _reducing_everything, idle)
    if _deals(table, "pure"):
        yield _possible("modifier-on-pure", _pure_modifiable)


def _is_ultimate(event: Event) -> bool:
    printed = event.thing.kind if isinstance(event.thing, Ability) else ""
    return event.verb == "activate" and (event.kind or printed) == "ultimate"


def _deals(table: Table, kind: str) -> bool:
    return any(effect.type == kind for event in table.events for effect in flat(event.text))


def _tamed(plan: Plan, kind: str) -> Plan:
    """Treat Ultimates as ordinary Attacks of that type."""
    events = tuple(_tame(event, kind) for event in plan.table.events)
    return replace(plan, table=_reducible(replace(plan.table, events=events)))


def _tame(event: Event, kind: str) -> Event:
    if event.verb != "activate" or event.text is None:
        return event
    effects = mapped(
        event.text, lambda effect: replace(effect, type=kind) if effect.type == "ultimate" else effect
    )
    if _is_ultimate(event):
        effects = mapped(
            effects,
            lambda effect: (
                replace(effect, type=kind) if effect.op == "deal" and effect.type == "normal" else effect
            ),
        )
    return replace(event, kind="offensive", effects=effects, text=effects)


def mapped(effects: Effects, change: Callable[[Effect], Effect]) -> Effects:
    """The same effects with `change` applied to each of them, including nested ones."""
    return tuple(change(_mapped_inside(effect, change)) for effect in effects)


def _mapped_inside(effect: Effect, change: Callable[[Effect], Effect]) -> Effect:
    if not (effect.parts or effect.options or effect.on or effect.each):
        return effect
    return replace(
        effect,
        parts=mapped(effect.parts, change),
        options=tuple(mapped(option, change) for option in effect.options),
        on=tuple((face, mapped(inner, change)) for face, inner in effect.on),
        each=tuple((face, mapped(inner, change)) for face, inner in effect.each),
    )


def _reducing_everything(plan: Plan) -> Plan:
    return replace(plan, table=_reducible(plan.table))


def _reducible(table: Table) -> Table:
    """Let reductions reach every type; for pure damage that is a mistake of its own."""
    edition = table.edition
    types = {
        name: row if name == "pure" else replace(row, reduced=True) for name, row in edition.types.items()
    }
    return replace(table, edition=replace(edition, types=types))


def _pure_modifiable(plan: Plan) -> Plan:
    edition = plan.table.edition
    pure = replace(edition.types["pure"], increased=True, reduced=True)
    edition = replace(edition, types={**edition.types, "pure": pure})
    return replace(plan, table=replace(plan.table, edition=edition))


# ------------------------------------------------------------------ statuses and caps


def _statuses_forgotten(game: Game) -> Iterator[PossibleMistake]:
    for status_id in sorted(_in_play(game.table)):
        status = game.statuses.get(status_id)
        if status is None or status.spendable or not status.effects:
            continue
        name = status_id + "-forgotten"
        change = _forgetting(status_id)
        if name in MISTAKES:
            yield _possible(name, change, rules=status.rules, status=status_id)
        else:
            yield _possible("status-forgotten", change, rules=status.rules, status=status_id)


def _in_play(table: Table) -> set[str]:
    """Statuses that a player holds or that an event places."""
    held = {status_id for seat in table.players for status_id, count in seat.statuses.items() if count}
    events = [each for event in table.events for each in (event, *event.inner)]
    return held | {effect.status for event in events for effect in flat(event.text) if effect.status}


def _forgetting(status_id: str) -> Callable[[Plan], Plan]:
    def change(plan: Plan) -> Plan:
        statuses = plan.table.catalog.statuses
        forgotten = replace(statuses[status_id], effects=(), when="any")
        return _with_statuses(plan, statuses.with_changed(forgotten))

    return change


def _with_statuses(plan: Plan, statuses: Statuses) -> Plan:
    catalog: Catalog = plan.table.catalog
    return replace(plan, table=replace(plan.table, catalog=replace(catalog, statuses=statuses)))


def _without_caps(plan: Plan) -> Plan:
    """Remove stack limits, the CP cap, the healing cap and every "at most"."""
    numbers = replace(plan.table.edition.numbers, cp_cap=UNLIMITED, heal_over=UNLIMITED)
    seats = tuple(replace(seat, limits={}) for seat in plan.table.players)
    events = tuple(map(_uncapped_event, plan.table.events))
    edition = replace(plan.table.edition, numbers=numbers)
    table = replace(plan.table, edition=edition, players=seats, events=events)
    return _with_statuses(replace(plan, table=table), _unlimited(plan.table.catalog.statuses))


def _uncapped_event(event: Event) -> Event:
    if not any(effect.limit is not None for effect in flat(event.effects)):
        return event
    effects = mapped(event.effects or (), _uncapped)
    return replace(event, effects=effects, text=effects)


def _unlimited(statuses: Statuses) -> Statuses:
    if statuses.unlimited is None:
        statuses.unlimited = Statuses({name: _without_limit(status) for name, status in statuses.items()})
    return statuses.unlimited


def _without_limit(status: Status) -> Status:
    if status.explosion:
        return status
    effects = None if status.effects is None else mapped(status.effects, _uncapped)
    return replace(status, stack_limit=None, owner_limit=None, effects=effects)


def _uncapped(effect: Effect) -> Effect:
    return effect if effect.limit is None else replace(effect, limit=None)


# ------------------------------------------------------------------ books, readings, order, omissions


def _under(edition: Edition) -> Callable[[Plan], Plan]:
    return lambda plan: replace(plan, table=under_edition(plan.table, edition))


def under_edition(table: Table, edition: Edition) -> Table:
    """The same table under another book, which may call other things Attack Modifiers."""

    def renamed(event: Event) -> Event:
        status = event.thing
        if not isinstance(status, Status):
            return replace(event, inner=tuple(map(renamed, event.inner))) if event.inner else event
        is_named = event.modifier and not status.is_modifier(table.edition)
        raises = event.verb in ("play", "spend") and adds_damage(event.text, event.choice)
        modifies = is_named or raises or status.is_modifier(edition)
        return event if modifies == event.modifier else replace(event, modifier=modifies)

    return replace(table, edition=edition, events=tuple(map(renamed, table.events)))


def _other_readings(game: Game) -> Iterator[PossibleMistake]:
    for point in sorted(game.discretion):
        letters, adopted = game.table.open_points[point]
        followed = game.rulings.get(point) or adopted or letters[0]
        for letter in letters:
            if letter != followed:
                yield _possible(
                    "another-reading", _reading(point, letter), rules=(point,), point=point, reading=letter
                )


def _reading(point: str, letter: str) -> Callable[[Plan], Plan]:
    return lambda plan: replace(plan, rulings=(*plan.rulings, (point, letter)))


def _dice_rounded_down(table: Table) -> Iterator[PossibleMistake]:
    """Half of an odd die taken as the smaller half."""
    for event in table.events[-LAST_EVENTS:]:
        if event.words & _HALVES_A_DIE and any(die % 2 for die in event.dice):
            rules = event.thing.rules if isinstance(event.thing, Status) else ()
            yield _possible("rounded-down", _with_even_dice(event.n), rules=rules, event=event.n)


def _with_even_dice(n: Label) -> Callable[[Plan], Plan]:
    """Half of one less is the smaller half of an odd number."""

    def even(event: Event) -> Event:
        return replace(event, dice=tuple(die - die % 2 for die in event.dice)) if event.n == n else event

    return lambda plan: replace(plan, table=replace(plan.table, events=tuple(map(even, plan.table.events))))


def _flattened(plan: Plan, step: int) -> Plan:
    """Put colliding actions simply one after the other, as declared or last one first."""
    events: list[Event] = []
    for event in plan.table.events:
        events.extend(event.inner[::step] if event.verb == "collide" else (event,))
    return replace(plan, table=replace(plan.table, events=tuple(events)))


def _without(n: Label) -> Callable[[Plan], Plan]:
    def change(plan: Plan) -> Plan:
        events = tuple(event for event in plan.table.events if event.n != n)
        return replace(plan, table=replace(plan.table, events=events))

    return change

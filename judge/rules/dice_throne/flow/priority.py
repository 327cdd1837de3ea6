"""Says why actions that meet resolve in their order, and by which rules (DT-TIME)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.core.messages import Message, Ref
from judge.rules.dice_throne.flow.order import Meeting, activates_an_ultimate, alters, kind_of
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import deciding

_NAMELESS = frozenset(("roll", "target", "choose", "sell"))
# What lets a kind of action interrupt another, under "what has begun completes".
_INTERRUPTS = {"instant": "DT-TIME-03", "roll": "DT-TIME-04", "spend": "DT-TIME-02"}

# What keeps an action that has begun from being interrupted there.
_SHIELDS = {"instant": ("DT-TIME-03",), "roll": ("DT-TIME-04",), "spend": ("DT-STAT-06",)}

_OWN = {"clockwise": ("DT-TIME-01", "DT-TIME-05"), "active-first": ("DT-TIME-10", "DT-TIME-14")}


@dataclass(frozen=True, slots=True)
class Why:
    """The sentence that explains an order, and the rules that decide it."""

    says: Message
    rules: tuple[str, ...]


def named(action: Event) -> Ref | Message:
    """What an action is called in a sentence."""
    if action.ref is not None and action.verb not in _NAMELESS:
        return action.ref
    return Message(f"action_{action.verb}", who=action.by)


def names_of(actions: Sequence[Event]) -> list[Ref | Message]:
    """The actions of a collision by name, with their places where two have the same."""
    names = [named(action) for action in actions]
    return [
        Message("action_numbered", action=name, k=k) if names.count(name) > 1 else name
        for k, name in enumerate(names, start=1)
    ]


def why(game: Game, meeting: Meeting, sequence: list[int]) -> Why:
    """Why the first of the actions comes before the second."""
    early, late = sequence[0], sequence[1]
    first, second = meeting.actions[early], meeting.actions[late]
    key, rules = _reason(game, meeting, early, late)
    names = names_of(meeting.actions)
    says = Message(key, first=names[early], second=names[late], player=first.by, other=second.by)
    if "DT-TIME-10" in rules and len({action.by for action in meeting.actions}) > 2:
        rules += ("DT-TIME-16",)
    return Why(says, rules)


def _reason(game: Game, meeting: Meeting, early: int, late: int) -> tuple[str, tuple[str, ...]]:
    first, second = meeting.actions[early], meeting.actions[late]
    if meeting.is_answer and meeting.is_refused(late) and not meeting.is_refused(early):
        check = meeting.checks[late]
        return "order_alone", tuple(deciding(check.faults or check.doubts))
    if early in meeting.after[late]:
        return _must_follow(first, second)
    if first.by == second.by:
        return "order_own", (_OWN[game.edition.priority][meeting.is_answer],)
    if not meeting.is_answer:
        return _at_once(game, first, second)
    if early > late:
        return _interrupted(game, first, second)
    return _completed(game, first, second)


def _must_follow(first: Event, second: Event) -> tuple[str, tuple[str, ...]]:
    if activates_an_ultimate(first):
        return "order_ultimate", ("DT-ULT-02",)
    if alters(second, first):
        if first.verb == "activate":
            return "order_activated", ("DT-ORP-03",)
        return "order_dice", ("DT-TGT-06",) if first.verb == "target" else ("DT-ORP-04", "DT-DICE-01")
    return "order_needed", ("DT-DRP-06",)


def _at_once(game: Game, first: Event, second: Event) -> tuple[str, tuple[str, ...]]:
    if _is_clockwise(game):
        return _by_seat(game, first, ("DT-TIME-01",))
    if kind_of(game, second) == "normal" and kind_of(game, first) != "normal":
        return "order_instant_before_others", ("DT-TIME-15",)
    return _active_first(game, first, second)


def _interrupted(game: Game, first: Event, second: Event) -> tuple[str, tuple[str, ...]]:
    if _is_clockwise(game):
        return "order_interrupts", (_INTERRUPTS.get(kind_of(game, first), "DT-TIME-02"),)
    if kind_of(game, second) == "normal":
        return "order_interrupts", ("DT-TIME-15",)
    if kind_of(game, second) == "roll":
        return "order_interrupts", ("J-03",)
    return _active_first(game, first, second)


def _completed(game: Game, first: Event, second: Event) -> tuple[str, tuple[str, ...]]:
    if _is_clockwise(game):
        return "order_begun", ("DT-TIME-05", *_SHIELDS.get(kind_of(game, first), ()))
    kind = kind_of(game, first)
    if kind == kind_of(game, second) == "instant":
        return _active_first(game, first, second)
    return "order_begun", _SHIELDS.get("spend" if first.verb == "spend" else kind, ("DT-TIME-16",))


def _active_first(game: Game, first: Event, second: Event) -> tuple[str, tuple[str, ...]]:
    """Of several Instant actions the Active Player's come first, then clockwise."""
    spent = any(each.verb == "spend" for each in (first, second))
    if game.active is None or first.by != game.active.id:
        return _by_seat(game, first, ("DT-TIME-16",))
    return "order_active_instant", ("DT-TIME-10", "DT-TIME-11") if spent else ("DT-TIME-10",)


def _by_seat(game: Game, first: Event, rules: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    is_active = game.active is not None and first.by == game.active.id
    return "order_active" if is_active else "order_clockwise", rules


def _is_clockwise(game: Game) -> bool:
    return game.edition.priority == "clockwise"


def timing_rules(game: Game, meeting: Meeting, sequence: list[int], reason: Why) -> list[str]:
    """Every rule on timing that the order rests on, the deciding ones first."""
    rules = [*reason.rules]
    if _is_clockwise(game):
        rules += ("DT-TIME-02", "DT-TIME-03", "DT-TIME-05") if meeting.is_answer else ("DT-TIME-01",)
        if any(action.verb == "play" for action in meeting.actions):
            rules.append("DT-TIME-04")
    else:
        rules += ("DT-TIME-10", "DT-TIME-14") if meeting.is_answer else ("DT-TIME-10", "DT-TIME-16")
        rules += _of_the_newer_book(game, meeting, sequence)
    return list(dict.fromkeys(rules))


def _of_the_newer_book(game: Game, meeting: Meeting, sequence: list[int]) -> Iterator[str]:
    actions = [meeting.actions[k] for k in sequence]
    yield from _on_spending(game, actions)
    if any(kind_of(game, action) == "normal" for action in actions):
        yield "DT-TIME-15"
    if len({action.by for action in actions}) > 2:
        yield "DT-TIME-16"


def _on_spending(game: Game, actions: list[Event]) -> Iterator[str]:
    """The examples of tokens being spent while an Instant card of the other side threatens them."""
    if any(action.verb == "spend" for action in actions):
        yield "DT-TIME-11"
    firsts = _behind_the_active_player(game, actions)
    if any(_is_instant_card(game, early) and late.verb == "spend" for early, late in firsts):
        yield "DT-TIME-12"  # the Active Player's card gets ahead of a token being spent
    if any(early.verb == "spend" and _is_instant_card(game, late) for early, late in firsts):
        yield "DT-TIME-13"  # the Active Player spends a threatened token first


def _behind_the_active_player(game: Game, actions: list[Event]) -> list[tuple[Event, Event]]:
    """An action of the Active Player with each of another player that comes after it."""
    active = game.active.id if game.active is not None else ""
    pairs = [(early, late) for k, late in enumerate(actions) for early in actions[:k]]
    return [(early, late) for early, late in pairs if early.by == active != late.by]


def _is_instant_card(game: Game, action: Event) -> bool:
    return action.verb == "play" and kind_of(game, action) == "instant"

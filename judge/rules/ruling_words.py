"""Parts of a ruling's JSON in words: how a Dice Throne table stands, what players may do, where rules stand.

The terminal and the paper both use it, each with the phrasebook of the reader's language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.core.messages import Message, Phrasebook, Ref

_DIALS = ("health", "cp", "hand", "deck", "discard")


def player_in_words(state: Mapping[str, Any], book: Phrasebook) -> str:
    """`health 41, CP 2, 4 cards in hand, Protect, Concussion`."""
    parts = [
        book.say(Message(f"count_{dial}", n=state[dial])) for dial in _DIALS if state.get(dial) is not None
    ]
    parts += _counted("status", state.get("statuses"), book)
    parts += _counted("companion", state.get("companions"), book)
    parts += [
        book.say(Message("count_upgrade", **_upgrade(*each)))
        for each in (state.get("upgrades") or {}).items()
    ]
    if state.get("side"):
        parts.append(book.label(f"side_{state['side']}", state["side"]))
    return ", ".join(parts)


def seat_in_words(name: str, state: Mapping[str, Any], book: Phrasebook) -> str:
    """`Ana (Paladin)`, or the name alone where no hero is known."""
    return f"{name} ({book.word(Ref('hero', state['hero']))})" if state.get("hero") else name


def _counted(kind: str, counts: Mapping[str, int] | None, book: Phrasebook) -> Iterator[str]:
    for name, count in (counts or {}).items():
        word = book.word(Ref(kind, name))
        yield f"{word} × {count}" if count != 1 else word


def _upgrade(ability: str, level: int | Mapping[str, int]) -> dict[str, Any]:
    reached = level if isinstance(level, int) else level["level"]
    return {"ability": Ref("ability", ability), "level": "I" * reached}


def turn_in_words(turn: Mapping[str, Any], book: Phrasebook) -> str:
    """`Ana's turn, Main Phase (2)`, with the dice and the attempts left while somebody rolls."""
    parts = [book.say(Message("turn_of", player=turn["active"]))]
    if turn.get("phase"):
        parts.append(book.say(Message("phase_" + turn["phase"].replace("-", "_"))))
    if turn.get("dice"):
        parts.append(book.say(Message("turn_dice", dice=turn["dice"])))
    if turn.get("attempts_left"):
        parts.append(book.say(Message("turn_attempts", n=turn["attempts_left"])))
    if turn.get("leaders"):
        parts.append(book.say(Message("turn_leaders", players=turn["leaders"])))
    return ", ".join(parts)


def may_in_words(verbs: Sequence[str], book: Phrasebook) -> str:
    return ", ".join(book.say(Message("may_" + verb.replace("-", "_"))) for verb in verbs)


def place_in_words(citation: Mapping[str, str], book: Phrasebook) -> str:
    """`2.4.1 (book in French), Total final des dégâts, p. 14`."""
    page = citation.get("page", "")
    numbered = book.say(Message("print_p", n=page)) if page.replace("–", "").isdigit() else page
    edition = book.word(Ref("book", citation.get("edition", "")))
    return ", ".join(part for part in (edition, citation.get("section", ""), numbered) if part)


def deciding_rules(ruling: Mapping[str, Any]) -> list[str]:
    """The rules a judge would point at: of orders, of what was not allowed, of damage totals; each once."""
    totals = [
        total for each in ruling.get("resolutions", ()) for total in (each.get("totals") or {}).values()
    ]
    parts = [*ruling.get("order", ()), *ruling.get("events", ()), *totals]
    return list(dict.fromkeys(rule for part in parts for rule in part.get("decides", ())))

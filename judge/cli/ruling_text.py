"""Prints a ruling in the terminal: the ruling's JSON as lines that players understand at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from judge.core.games import DICE_FORGE
from judge.core.messages import Lang, Message, Phrasebook
from judge.schemas.fixtures import sentences

COLOURS = {"legal": "green", "illegal": "red", "discretion": "yellow"}


def lines(ruling: dict[str, Any], lang: Lang) -> Iterator[str]:
    book = Phrasebook(lang, sentences(lang))

    def word(key: str, /, **params: Any) -> str:
        return book.say(Message(key, **params))

    def heading(key: str) -> str:
        return "\n" + click.style(word(key), bold=True)

    yield _dim(f"{ruling['id'] or ruling['game']} · {ruling['edition']}")
    yield from _answer(ruling, word)
    if ruling["events"]:
        yield heading("out_events")
        for event in ruling["events"]:
            verdict = click.style(word("out_" + event["verdict"]), fg=COLOURS[event["verdict"]])
            yield f"{event['n']:>4}  {verdict}  {event['says']}  {_dim(', '.join(event['rules']))}"
    for entry in ruling["order"]:
        yield f"{entry['event']:>4}  {word('out_order')}: {_order(entry, word)}"
    if ruling["steps"]:
        yield heading("out_steps")
        for step in ruling["steps"]:
            yield _step(step, word)
    yield heading("out_after")
    yield from _players(ruling, lang, word)
    for name, value in ruling.get("teams", {}).items():
        yield f"  {name}: {value}"
    if is_forge(ruling):
        from judge.cli.forge_text import forge_turn  # a Dice Throne ruling never loads Dice Forge

        yield from forge_turn(ruling, lang, word)
    else:
        yield f"  {_state(ruling['turn'])}"
    outcome = ruling["outcome"]
    key = "out_playing" if outcome["state"] == "playing" else f"print_outcome_{outcome['state']}"
    yield "  " + word(key, winners=outcome.get("winners", ""))
    yield from _rest(ruling, lang, heading, word)


def is_forge(ruling: dict[str, Any]) -> bool:
    return bool(ruling["game"] == DICE_FORGE)


def _players(ruling: dict[str, Any], lang: Lang, word: Any, indent: str = "  ") -> Iterator[str]:
    if is_forge(ruling):
        from judge.cli.forge_text import forge_players

        yield from forge_players(ruling["players"], lang, word, indent)
        return
    for name, state in ruling["players"].items():
        yield f"{indent}{name}: {_state(state)}"


def _dim(text: str) -> str:
    return click.style(text, dim=True)


def _order(entry: dict[str, Any], word: Any) -> str:
    pairs = zip(entry["sequence"], entry["outcomes"], strict=True)
    return " → ".join(f"{n} ({word('out_' + outcome.replace(' ', '_'))})" for n, outcome in pairs)


def _step(step: dict[str, Any], word: Any) -> str:
    value = "" if step.get("value") is None else str(step["value"])
    source = word("out_event", events=step["events"]) if any(step["events"]) else ""
    place = "; ".join(part for part in (source, ", ".join(step["rules"])) if part)
    return f"{value:>6}  {step['says']}  {_dim(place)}"


def _answer(ruling: dict[str, Any], word: Any) -> Iterator[str]:
    """The answer, first: who takes how much, each time damage was concluded."""
    for resolution in ruling["resolutions"]:
        said = [
            word("out_takes", who=name, n=total["final"])
            + (f", {word('out_heals', n=total['healed'])}" if total["healed"] else "")
            for name, total in resolution.get("totals", {}).items()
        ]
        if said:
            yield click.style(" · ".join(said), bold=True)


def _state(state: dict[str, Any]) -> str:
    """`health 41, cp 2, statuses: protect 1`, without empty values."""
    parts = []
    for key, value in state.items():
        if isinstance(value, dict):
            inner = ", ".join(f"{name} {count}" for name, count in value.items())
            if inner:
                parts.append(f"{key}: {inner}")
        elif isinstance(value, list):
            if value:
                parts.append(f"{key} {' '.join(map(str, value))}")
        elif value is True:
            parts.append(key)
        elif value is not None and value is not False:
            parts.append(f"{key} {value}")
    return ", ".join(parts)


def _verbs(ruling: dict[str, Any], verbs: list[str], word: Any) -> str:
    if not is_forge(ruling):
        return ", ".join(verbs)
    from judge.cli.forge_text import forge_may

    return forge_may(verbs, word)


def _rest(ruling: dict[str, Any], lang: Lang, heading: Any, word: Any) -> Iterator[str]:
    for key, part in (("out_meanwhile", "meanwhile"), ("out_may", "may")):
        open_to = {name: verbs for name, verbs in ruling.get(part, {}).items() if verbs}
        if open_to:
            yield heading(key)
        for name, verbs in open_to.items():
            yield f"  {name}: {_verbs(ruling, verbs, word)}"
    if ruling.get("rulings"):
        yield word("out_chosen", choices=[f"{point} {letter}" for point, letter in ruling["rulings"].items()])
    if ruling["discretion"]:
        yield heading("out_open")
        yield "  " + ", ".join(ruling["discretion"])
        for reading in ruling.get("readings", ()):
            yield f"  {reading['id']} {reading['reading']}: {reading['says']}"
            yield from _players(reading["ruling"], lang, word, "    ")
    for key, entries in (("out_asks", ruling.get("asks", ())), ("out_claims", ruling.get("claims", ()))):
        if entries:
            yield heading(key)
        for entry in entries:
            yield "  " + (
                _claim(entry, word) if key == "out_claims" else f"{entry['event']}: {entry['says']}"
            )


def _claim(claim: dict[str, Any], word: Any) -> str:
    right = claim.get("right")
    verdict = claim.get("says") or word("out_right" if right else "out_wrong")
    why = " ".join(
        f"{mistake['says']} {_dim(', '.join(mistake['rules']))}" for mistake in claim.get("mistakes", ())
    )
    who = f"{claim.get('by', '')} → {claim.get('player', '')}: {claim.get('claimed', '')}"
    return f"{who}  {click.style(verdict, fg='green' if right else 'red')} {why}".rstrip()

"""Prints a ruling in the terminal: the ruling's JSON as lines that players understand at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from judge.core.games import DICE_FORGE, GAME_NAMES
from judge.core.messages import Message, Phrasebook, Ref
from judge.rules.ruling_words import (
    may_in_words,
    place_in_words,
    player_in_words,
    seat_in_words,
    turn_in_words,
)

COLOURS = {"legal": "green", "illegal": "red", "discretion": "yellow"}


class RulingText:
    """A ruling in the language of `book`. With `all_rules`, every line names every rule it rests on; without,
    only the deciding rules are named, with book, section and page."""

    def __init__(self, ruling: dict[str, Any], book: Phrasebook, all_rules: bool = False) -> None:
        self.ruling, self.book, self.all_rules = ruling, book, all_rules
        self.is_forge = ruling["game"] == DICE_FORGE

    def word(self, key: str, /, **params: Any) -> str:
        return self.book.say(Message(key, **params))

    def labelled(self, label: str, text: str) -> str:
        """`Ana: health 41`, with the colon as the language sets it."""
        return self.word("out_labelled", label=label, text=text)

    def heading(self, key: str) -> str:
        return "\n" + click.style(self.word(key), bold=True)

    def lines(self) -> Iterator[str]:
        title = self.ruling["id"] or GAME_NAMES[self.ruling["game"]]
        yield _dim(f"{title} · {self.book.word(Ref('book', self.ruling['edition']))}")
        yield from self._answer()
        yield from self._events()
        if self.ruling["steps"]:
            yield self.heading("out_steps")
            for step in self.ruling["steps"]:
                yield self._step(step)
        yield self.heading("out_after")
        yield from self._table()
        yield from self._open_to()
        yield from self._open_points()
        yield from self._questions()
        yield from (_dim(remark) for remark in self.ruling.get("remarks", ()))

    # -- the answer ------------------------------------------------------------------------------------------

    def _answer(self) -> Iterator[str]:
        """The answer, first: who takes how much, each time damage was concluded, and by which rule."""
        for resolution in self.ruling["resolutions"]:
            totals = resolution.get("totals", {})
            said = [self._takes(name, total) for name, total in totals.items()]
            if said:
                yield click.style(" · ".join(said), bold=True)
            yield from self._deciding(
                [rule for total in totals.values() for rule in total.get("decides", ())]
            )

    def _takes(self, name: str, total: dict[str, Any]) -> str:
        takes = self.word("out_takes", who=name, n=total["final"])
        return takes + (f", {self.word('out_heals', n=total['healed'])}" if total["healed"] else "")

    def _deciding(self, rules: list[str]) -> Iterator[str]:
        """The deciding rules in words, with book, section and page."""
        citations = self.ruling.get("citations", {})
        cited = [rule for rule in dict.fromkeys(rules) if rule in citations]
        if cited:
            yield f"      {self.labelled(self.word('out_decides'), '').rstrip()}"
        for rule in cited:
            place = _dim(f"{place_in_words(citations[rule], self.book)} · {rule}")
            yield f"      – {citations[rule]['text']} {place}"

    # -- what was done ---------------------------------------------------------------------------------------

    def _events(self) -> Iterator[str]:
        if self.ruling["events"]:
            yield self.heading("out_events")
        for event in self.ruling["events"]:
            verdict = click.style(self.word("out_" + event["verdict"]), fg=COLOURS[event["verdict"]])
            yield f"{event['n']:>4}  {verdict}  {event['says']}{self._folded(event['rules'])}"
            yield from self._deciding(event.get("decides", []))
        for entry in self.ruling["order"]:
            yield f"{entry['event']:>4}  {self.labelled(self.word('out_order'), self._order(entry))}"
            yield from self._deciding(entry.get("decides", []))

    def _folded(self, rules: list[str]) -> str:
        return f"  {_dim(', '.join(rules))}" if self.all_rules and rules else ""

    def _order(self, entry: dict[str, Any]) -> str:
        pairs = zip(entry["sequence"], entry["outcomes"], strict=True)
        return " → ".join(f"{n} ({self.word('out_' + outcome.replace(' ', '_'))})" for n, outcome in pairs)

    def _step(self, step: dict[str, Any]) -> str:
        value = "" if step.get("value") is None else self.book.word(step["value"])
        source = self.word("out_event", events=step["events"]) if any(step["events"]) else ""
        place = "; ".join(
            part for part in (source, ", ".join(step["rules"]) if self.all_rules else "") if part
        )
        return f"{value:>6}  {step['says']}" + (f"  {_dim(place)}" if place else "")

    # -- the table afterwards --------------------------------------------------------------------------------

    def _table(self) -> Iterator[str]:
        ruling = self.ruling
        yield from self._players(ruling)
        for name, health in ruling.get("teams", {}).items():
            team = self.word("out_team", name=name)
            yield f"  {self.labelled(team, self.word('count_health', n=health))}"
        if self.is_forge:
            from judge.cli.forge_text import forge_turn  # a Dice Throne ruling never loads Dice Forge

            yield from forge_turn(ruling, self.book.lang, self.word)
        else:
            yield f"  {turn_in_words(ruling['turn'], self.book)}"
        outcome = ruling["outcome"]
        key = "out_playing" if outcome["state"] == "playing" else f"print_outcome_{outcome['state']}"
        yield "  " + self.word(key, winners=outcome.get("winners", ""))

    def _players(self, ruling: dict[str, Any], indent: str = "  ") -> Iterator[str]:
        if self.is_forge:
            from judge.cli.forge_text import forge_players

            yield from forge_players(ruling["players"], self.book.lang, self.word, indent)
            return
        for name, state in ruling["players"].items():
            seat = seat_in_words(name, state, self.book)
            yield f"{indent}{self.labelled(seat, player_in_words(state, self.book))}"

    def _open_to(self) -> Iterator[str]:
        for key, part in (("out_meanwhile", "meanwhile"), ("out_may", "may")):
            open_to = {name: verbs for name, verbs in self.ruling.get(part, {}).items() if verbs}
            if open_to:
                yield self.heading(key)
            for name, verbs in open_to.items():
                yield f"  {self.labelled(name, self._verbs(verbs))}"

    def _verbs(self, verbs: list[str]) -> str:
        if not self.is_forge:
            return may_in_words(verbs, self.book)
        from judge.cli.forge_text import forge_may

        return forge_may(verbs, self.word)

    # -- what is left open -----------------------------------------------------------------------------------

    def _open_points(self) -> Iterator[str]:
        ruling = self.ruling
        if ruling.get("rulings"):
            choices = [f"{point} {letter}" for point, letter in ruling["rulings"].items()]
            yield self.word("out_chosen", choices=choices)
        if ruling["discretion"]:
            yield self.heading("out_open")
            yield from (f"  {self._open_point(point)}" for point in ruling["discretion"])
        for reading in ruling.get("readings", ()):
            point = f"{reading['id']} {reading['reading']}"
            yield f"  {self.labelled(point, reading['says'])}"
            yield from self._players(reading["ruling"], "    ")

    def _open_point(self, point: str) -> str:
        """The question that the books leave open, or its number alone where no rule is cited."""
        cited = self.ruling.get("citations", {}).get(point)
        return self.labelled(point, cited["text"]) if cited else point

    def _questions(self) -> Iterator[str]:
        if self.ruling.get("asks"):
            yield self.heading("out_asks")
        for ask in self.ruling.get("asks", ()):
            yield f"  {self.labelled(str(ask['event']), ask['says']) if ask['event'] else ask['says']}"
        if self.ruling.get("claims"):
            yield self.heading("out_claims")
        for claim in self.ruling.get("claims", ()):
            yield f"  {self._claim(claim)}"

    def _claim(self, claim: dict[str, Any]) -> str:
        right = claim.get("right")
        verdict = claim.get("says") or self.word("out_right" if right else "out_wrong")
        mistakes = claim.get("mistakes", ())
        why = " ".join(f"{mistake['says']} {_dim(', '.join(mistake['rules']))}" for mistake in mistakes)
        about = f"{claim.get('by', '')} → {claim.get('player', '')}"
        who = self.labelled(about, str(claim.get("claimed", "")))
        return f"{who}  {click.style(verdict, fg='green' if right else 'red')} {why}".rstrip()


def _dim(text: str) -> str:
    return click.style(text, dim=True)

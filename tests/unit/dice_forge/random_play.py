"""A player of Dice Forge who knows only the published interface: tables in, rulings out.

Every event is tried as the continuation of the table the last ruling describes, so that play by this hand
also shows that a ruling can be continued from any moment.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from judge.rules.dice_forge import as_table, rule
from judge.rules.dice_forge.state.written import ForgeRuling
from judge.schemas.dice_forge.catalog import catalog
from judge.schemas.dice_forge.table import read_table

BOX = catalog()
LETTERS = ("G", "S", "M", "V")


def fresh_table(players: int, rng: random.Random) -> dict[str, Any]:
    slots: dict[str, list[str]] = {}
    for feat in BOX.feats.values():
        slots.setdefault(feat.slot, []).append(feat.id)
    names = ["Ana", "Ben", "Cleo", "Dov"][:players]
    return {
        "game": "dice-forge",
        "edition": "fr-1",
        "players": [{"id": name} for name in names],
        "turn": {"active": names[0], "first": names[0], "round": 1, "step": 1},
        "sets": {slot: rng.choice(feats) for slot, feats in slots.items()},
        "events": [],
    }


def ruled(table: dict[str, Any], *events: dict[str, Any]) -> ForgeRuling:
    return rule(read_table({**table, "events": list(events)}))


class Hand:
    """Finds legal events for a verb at one table."""

    def __init__(self, table: dict[str, Any], rng: random.Random) -> None:
        self.table = table
        self.rng = rng
        self.now = ruled(table)
        self.players = self.now.players

    def tried(self, event: dict[str, Any]) -> dict[str, Any] | None:
        """The event with the choices the ruling asks for, or None where it is illegal."""
        for _ in range(12):
            ruling = ruled(self.table, event)
            if ruling.events[0].verdict == "illegal":
                return None
            asked = [ask.what for ask in ruling.asks]
            if "choose" in asked:
                better = self._with_choice(event)
                if better is None:
                    return None
                event = better
            elif "copy" in asked:
                event = {**event, "copy": [*event.get("copy", []), self._a_die(event)]}
            else:
                return event
        return None

    def _with_choice(self, event: dict[str, Any]) -> dict[str, Any] | None:
        letters = self.rng.sample(LETTERS, len(LETTERS))
        for letter in letters:
            better = {**event, "choose": [*event.get("choose", []), letter]}
            if ruled(self.table, better).events[0].verdict != "illegal":
                return better
        return None

    def _a_die(self, event: dict[str, Any]) -> dict[str, Any]:
        others = [name for name in self.players if name != event["by"]]
        taken = event.get("copy", [])
        free = [{"player": n, "die": d} for n in others for d in (1, 2)]
        free = [die for die in free if die not in taken] or free
        return self.rng.choice(free)

    def roll(self, name: str) -> list[str]:
        return [self.rng.choice(die) for die in self.players[name].dice]

    def place(self, name: str, face: str) -> dict[str, Any]:
        spots = [
            (n, over)
            for n, die in enumerate(self.players[name].dice, start=1)
            for over in die
            if not BOX.faces[over].fixed
        ]
        die, over = self.rng.choice(spots)
        return {"face": face, "die": die, "over": over}

    def candidates(self, name: str, verb: str) -> Iterator[dict[str, Any]]:
        """Events worth trying for a verb, whether or not they are allowed now."""
        if verb == "bless":
            yield from self._blessings(name)
        elif verb == "reinforce":
            cards = list(dict.fromkeys(self.players[name].feats))
            for feat in self.rng.sample(cards, len(cards)):
                die = self.rng.choice((1, 2))
                rolled = self.rng.choice(self.players[name].dice[die - 1])
                kind = BOX.feats[feat].kind
                more = {"die": die, "rolled": rolled} if kind == "minor_blessings" else {}
                yield {"by": name, "reinforce": feat, **more}
        elif verb == "token":
            for token in ("triton", "cerberus"):
                yield {"by": name, "token": token}
        elif verb == "extra":
            for verb in self.rng.sample(("offer", "feat"), 2):
                for event in self.candidates(name, verb):
                    yield {**event, "extra": True}
        elif verb == "offer":
            yield from self._offers(name)
        else:
            yield from self._feats(name)

    def _blessings(self, name: str) -> Iterator[dict[str, Any]]:
        for due in self.now.turn.as_json().get("due", []):
            if due["player"] == name and due["kind"] == "minor":
                die = due.get("die") or self.rng.choice((1, 2))
                yield {"by": name, "minor": self.rng.choice(self.players[name].dice[die - 1]), "die": die}
            elif due["player"] == name:
                yield {"by": name, "bless": self.roll(name), "cause": due["cause"]}
        # all roll at once: a Mirror entered before the others' rolls would see what nobody has rolled yet
        rolled = self.roll(name)
        waiting = any("bless" in verbs for other, verbs in self.now.may.items() if other != name)
        while waiting and any(BOX.faces[face].kind == "copy_displayed" for face in rolled):
            rolled = self.roll(name)
        event = {"by": name, "bless": rolled, "order": self.rng.choice(([1, 2], [2, 1]))}
        bought = [face for face in BOX.pool_of if BOX.price_of(face) is not None]
        if any(BOX.faces[face].kind == "buy" for face in event["bless"]):
            for face in self.rng.sample(bought, 4):
                yield {**event, "buy": [self.place(name, face)]}
        if self.players[name].hammer is not None:
            yield {**event, "hammer": self.rng.randint(1, 4)}
        yield event

    def _offers(self, name: str) -> Iterator[dict[str, Any]]:
        faces = sorted(
            (face for face in BOX.pool_of if BOX.price_of(face) is not None), key=lambda _: self.rng.random()
        )
        if not any(not BOX.faces[face].fixed for die in self.players[name].dice for face in die):
            return
        for first, second in pairwise(faces):
            yield {"by": name, "offer": [self.place(name, first), self.place(name, second)]}
        for face in faces:
            yield {"by": name, "offer": [self.place(name, face)]}

    def _feats(self, name: str) -> Iterator[dict[str, Any]]:
        others = [other for other in self.players if other != name]
        for feat in sorted(BOX.feats.values(), key=lambda _: self.rng.random()):
            event: dict[str, Any] = {"by": name, "feat": feat.id}
            for other in others:
                if self.players[other].island == feat.island:
                    event["oust"] = {other: self.roll(other)}
            if feat.kind in ("use_rolled_dice", "loss_rolls"):
                event["rolls"] = [{other: self.roll(other)} for other in others]
            if feat.kind == "forge":
                for face in feat.effect["faces"]:
                    yield {**event, "forge": self.place(name, face)}
            elif feat.kind == "give_face":
                for face in feat.effect["faces"]:
                    bearer = self.rng.choice(others)
                    yield {**event, "forge": {**self.place(bearer, face), "player": bearer}}
            yield event

    def find(self, name: str, verb: str) -> dict[str, Any] | None:
        for event in self.candidates(name, verb):
            found = self.tried(event)
            if found is not None:
                return found
        return None

    def _in_turn(self) -> list[str]:
        """Players as the book orders them: fewest blessings first, then turn order from the active one."""
        seats = list(self.players)
        at = seats.index(self.now.turn.active)
        blessed = self.now.turn.blessed
        return sorted(seats[at:] + seats[:at], key=lambda name: blessed.get(name, 0))

    def next_event(self) -> dict[str, Any]:
        """Blessings first; then now and then what may be done; else on to the next step."""
        for name in self._in_turn():
            verbs = self.now.may[name]
            if "token" in verbs and self.rng.random() < 0.4:
                return self.find(name, "token") or {"advance": "step"}
            if "bless" in verbs:
                return self.find(name, "bless") or {"advance": "step"}
        active = self.now.turn.active
        verbs = [verb for verb in self.now.may[active] if verb in ("reinforce", "offer", "feat")]
        if self.now.turn.step == 3 and not verbs and "extra" in self.now.may[active]:
            verbs = ["extra"]
        if verbs and self.rng.random() < 0.9:
            found = self.find(active, self.rng.choice(verbs))
            if found is not None:
                return found
        if self.now.turn.step == 4:
            return {"advance": "turn"}
        return {"advance": "step"}


def play(players: int, seed: int) -> Iterator[tuple[dict[str, Any], dict[str, Any], ForgeRuling]]:
    """A whole game: each table, the event done there, and the ruling on it."""
    rng = random.Random(seed)
    table = fresh_table(players, rng)
    while True:
        event = Hand(table, rng).next_event()
        ruling = ruled(table, event)
        yield table, event, ruling
        if ruling.turn.ended:
            return
        table = as_table(ruling)

"""Step 1 of Dice Forge played by a second, much smaller program that shares nothing with the engine.

It knows the faces, prices and caps by heart, rolls for everybody at once, lets them apply in turn order from
the active player, and writes down what was done as events. Mirrors that would copy a Mirror are left out, as
no reading of them is adopted.
"""

from __future__ import annotations

import random
from typing import Any

GAIN = {
    "G1": {"G": 1}, "G3": {"G": 3}, "G4": {"G": 4}, "G6": {"G": 6}, "S1": {"S": 1}, "S2": {"S": 2},
    "M1": {"M": 1}, "M2": {"M": 2}, "V2": {"V": 2}, "V3": {"V": 3}, "V4": {"V": 4}, "S1V1": {"S": 1, "V": 1},
    "G2M1": {"G": 2, "M": 1}, "M2V2": {"M": 2, "V": 2}, "ALL1": {"G": 1, "S": 1, "M": 1, "V": 1},
}  # fmt: skip
CHOICE = {"CH1": {"G": 1, "S": 1, "M": 1}, "CH2": {"G": 2, "S": 2, "M": 2}, "G3orV2": {"G": 3, "V": 2}}
SHIELD = {"SHIELD_G": ("G", 3), "SHIELD_S": ("S", 2), "SHIELD_M": ("M", 2), "SHIELD_V": ("V", 3)}
POOLS = {
    "P2-G": (2, ["G3"] * 4), "P2-M": (2, ["M1"] * 4), "P3-G": (3, ["G4"] * 4), "P3-S": (3, ["S1"] * 4),
    "P4": (4, ["G6", "CH1", "S1V1", "G2M1"]), "P5": (5, ["G3orV2"] * 4), "P6": (6, ["M2"] * 4),
    "P8-S": (8, ["S2"] * 4), "P8-V": (8, ["V3"] * 4), "P12": (12, ["V4", "M2V2", "CH2", "ALL1"]),
}  # fmt: skip
CAP = {"G": 12, "S": 6, "M": 6}
START = [["G1", "G1", "G1", "G1", "G1", "S1"], ["G1", "G1", "G1", "G1", "M1", "V2"]]
WORDS = {"G": "gold", "S": "sun", "M": "moon"}


class Seat:
    """A player of the simulator."""

    def __init__(self, name: str, rng: random.Random, special: list[str]) -> None:
        self.name = name
        self.dice = [list(die) for die in START]
        for face in special:
            self.dice[rng.randrange(2)][rng.randrange(6)] = face
        self.have = {"G": rng.randint(0, 12), "S": rng.randint(0, 6), "M": rng.randint(0, 6), "V": 0}
        self.shown = ["", ""]
        self.hammer = rng.randint(0, 12) if rng.random() < 0.3 else None
        self.laps = 0

    def gain(self, letter: str, n: int, sent: list[int]) -> None:
        if letter == "G" and self.hammer is not None:
            for _ in range(min(n, sent[0])):
                self.hit()
                sent[0] -= 1
                n -= 1
        self.have[letter] += n
        if letter != "V":
            self.have[letter] = min(self.have[letter], CAP[letter])

    def hit(self) -> None:
        """One gold for the Hammer; the games here are too short for its second lap to end."""
        assert self.hammer is not None
        self.hammer += 1
        if self.hammer == 15:
            self.hammer, self.laps = 0, self.laps + 1
            self.have["V"] += 10


class StepOne:
    """One step 1: `events` are what was done, `seats` how it ends."""

    def __init__(self, players: int, seed: int) -> None:
        self.rng = random.Random(seed)
        bag = [*["MIRROR", "X3"] * 3, *["SHIP"] * 4, *SHIELD, *CHOICE, "G4", "M2", "S2", "V3", "G6", "ALL1"]
        self.rng.shuffle(bag)
        self.seats = [Seat(name, self.rng, bag[4 * k : 4 * k + 4]) for k, name in enumerate("ABCD"[:players])]
        # few faces are left, so that Ships often meet at one of them
        on_dice = [face for seat in self.seats for die in seat.dice for face in die]
        self.left = {}
        filled = self.rng.sample(list(POOLS), 3)
        for pool, (_, faces) in POOLS.items():
            rest = [face for face in faces if faces.count(face) > 1 or face not in on_dice]
            most = self.rng.choice((1, 1, 2)) if pool in filled else 0
            self.left[pool] = self.rng.sample(rest, min(len(rest), most))
        self.active = self.rng.randrange(players)
        self.table = self._table()
        self.events: dict[str, list[dict[str, Any]]] = {seat.name: [] for seat in self.seats}
        for _ in range(2 if players == 2 else 1):
            self._roll()

    def _table(self) -> dict[str, Any]:
        players = []
        for seat in self.seats:
            player: dict[str, Any] = {"id": seat.name, "dice": [list(die) for die in seat.dice]}
            player |= {word: seat.have[letter] for letter, word in WORDS.items()}
            if seat.hammer is not None:
                player |= {"feats": ["blacksmiths_hammer"], "hammer": {"lap": 1, "position": seat.hammer}}
            players.append(player)
        turn = {"active": self.seats[self.active].name, "first": "A", "step": 1}
        pools = {pool: list(faces) for pool, faces in self.left.items()}
        return {"game": "dice-forge", "players": players, "turn": turn, "pools": pools}

    def _roll(self) -> None:
        for seat in self.seats:
            seat.shown = [self._thrown(die) for die in seat.dice]
        rolled = {seat.name: list(seat.shown) for seat in self.seats}
        wishes = {pool: list(faces) for pool, faces in self.left.items()}
        for seat in self.seats[self.active :] + self.seats[: self.active]:
            self._apply(seat, rolled[seat.name], wishes)

    def _thrown(self, die: list[str]) -> str:
        """Special faces come up more often than they would."""
        special = [face for face in die if face not in START[0] + START[1]]
        return self.rng.choice(special if special and self.rng.random() < 0.6 else die)

    def _apply(self, seat: Seat, rolled: list[str], wishes: dict[str, list[str]]) -> None:
        event: dict[str, Any] = {"by": seat.name, "bless": list(rolled)}
        order = self.rng.choice(([1, 2], [2, 1]))
        faces: list[str | None] = []
        for n in order:
            face: str | None = rolled[n - 1]
            if face == "MIRROR":
                face = self._copied(seat, event)
            faces.append(face)
        event["order"] = order
        letters: list[str | None] = [self._chosen(face, event) for face in faces]
        sent = [self.rng.randint(0, 2)] if seat.hammer is not None else [0]
        before = sent[0]
        for at in range(len(faces)):
            self._one(seat, at, faces, letters, sent, wishes, event)
        if before - sent[0]:
            event["hammer"] = before - sent[0]
        self.events[seat.name].append(event)

    def _copied(self, seat: Seat, event: dict[str, Any]) -> str | None:
        dice = [
            (other, die)
            for other in self.seats
            for die in (0, 1)
            if other is not seat and other.shown[die] != "MIRROR"
        ]
        if not dice:
            return None
        other, die = self.rng.choice(dice)
        event.setdefault("copy", []).append({"player": other.name, "die": die + 1})
        return other.shown[die]

    def _chosen(self, face: str | None, event: dict[str, Any]) -> str | None:
        if face not in CHOICE:
            return None
        letter = self.rng.choice(list(CHOICE[face]))
        event.setdefault("choose", []).append(letter)
        return letter

    def _one(
        self,
        seat: Seat,
        at: int,
        faces: list[str | None],
        letters: list[str | None],
        sent: list[int],
        wishes: dict[str, list[str]],
        event: dict[str, Any],
    ) -> None:
        face, other = faces[at], faces[1 - at]
        times = 3 if other == "X3" and face != "X3" else 1
        if face == "SHIP":
            self._buy(seat, 2 * times, wishes, event)
            return
        for letter, n in self._gives(face, letters[at], other, letters[1 - at]).items():
            seat.gain(letter, n * times, sent)

    def _gives(
        self, face: str | None, letter: str | None, other: str | None, other_letter: str | None
    ) -> dict[str, int]:
        if face in GAIN:
            return GAIN[face]
        if face in CHOICE and letter:
            return {letter: CHOICE[face][letter]}
        if face not in SHIELD:
            return {}
        own, lower = SHIELD[face]
        beside = {SHIELD[other][0]: 1} if other in SHIELD else self._gives(other, other_letter, None, None)
        return {"V": 5} if own in beside else {own: lower}

    def _buy(self, seat: Seat, off: int, wishes: dict[str, list[str]], event: dict[str, Any]) -> None:
        """Wish for a face that was there when the roll began; somebody may have taken it meanwhile."""
        known = [(pool, face) for pool, faces in wishes.items() for face in faces]
        if not known or self.rng.random() < 0.2:
            return
        pool, face = self.rng.choice(known)
        price = max(0, POOLS[pool][0] - off)
        is_there = face in self.left[pool]
        if is_there and seat.have["G"] < price:
            return
        die = self.rng.randrange(2)
        over = self.rng.choice(seat.dice[die])
        wish = {"face": face, "die": die + 1, "over": over}
        mine = event.setdefault("buy", [])
        if not is_there and any(bought["face"] == face for bought in mine):
            return
        mine.append(wish)
        if is_there:
            seat.have["G"] -= price
            self.left[pool].remove(face)
            seat.dice[die][seat.dice[die].index(over)] = face
            seat.shown[die] = face

    def entered(self) -> list[dict[str, Any]]:
        """The events in an order in which somebody may have entered them."""
        waiting = {name: list(events) for name, events in self.events.items()}
        lines = []
        while any(waiting.values()):
            name = self.rng.choice([name for name, events in waiting.items() if events])
            lines.append(waiting[name].pop(0))
        return lines

"""The state as the ruling shows it, and as a table file that continues the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from judge.core.json_types import JsonObject
from judge.rules.dice_forge.state.catalog import RESOURCES, Catalog, Seating
from judge.rules.dice_forge.state.model import ORIGIN, Dice, Due, Hammer, Player, Roll, State
from judge.rules.ruling import Ruling

# The faces of a pool; where they are unknown, which there may be (`of`) and how many are `left`.
PoolReport = list[str] | JsonObject


@dataclass(slots=True)
class HammerReport:
    """A Hammer that is under way."""

    lap: int
    position: int
    finished: int = 0  # laps done before this one

    def as_json(self) -> dict[str, int]:
        tree = {"lap": self.lap, "position": self.position}
        return {**tree, "finished": self.finished} if self.finished else tree


@dataclass(slots=True)
class PlayerReport:
    """A player as the ruling shows them."""

    gold: int
    sun: int
    moon: int
    glory: int
    hundreds: int
    caps: dict[str, int]
    feats: list[str]
    dice: list[list[str]]
    shown: list[str | None]
    island: int | str  # "origin" is at home
    tokens: dict[str, int]
    hammer: HammerReport | Literal["retired"] | None
    removed: list[str]
    laid: list[int]  # dice that were laid with a face up, from 1

    def as_json(self) -> JsonObject:
        tree: JsonObject = {key: getattr(self, key) for key in _PLAYER_KEYS}
        if self.hammer is not None:
            tree["hammer"] = self.hammer if isinstance(self.hammer, str) else self.hammer.as_json()
        tree["removed"] = self.removed
        if self.laid:
            tree["laid"] = self.laid
        return tree


_PLAYER_KEYS = (
    "gold", "sun", "moon", "glory", "hundreds", "caps", "feats", "dice", "shown", "island", "tokens",
)  # fmt: skip


@dataclass(slots=True)
class TurnReport:
    """Where the turn stands; what is only now and then the case is left out of the JSON while it is not."""

    active: str
    first: str
    step: int
    round: int
    blessed: dict[str, int]
    used: list[str]
    acted: bool | None
    extra: bool
    performed: str | None
    due: list[Due]
    rolled: dict[str, Roll]
    ships: dict[str, list[int]]
    ended: bool

    def as_json(self) -> JsonObject:
        tree: JsonObject = {
            "active": self.active, "first": self.first, "step": self.step, "round": self.round,
        }  # fmt: skip
        for key in ("blessed", "used"):
            if getattr(self, key):
                tree[key] = getattr(self, key)
        if self.acted is not None:
            tree["acted"] = self.acted
        if self.extra:
            tree["extra"] = True
        if self.performed:
            tree["performed"] = self.performed
        if self.due:
            tree["due"] = [_due(due) for due in self.due]
        if self.rolled:
            tree["rolled"] = {name: _rolled(roll) for name, roll in self.rolled.items()}
        if self.ships:
            tree["ships"] = self.ships
        if self.ended:
            tree["ended"] = True
        return tree


@dataclass(slots=True)
class ForgeExtra:
    """What only a Dice Forge ruling shows; everything but the set-up is left out of the JSON while empty."""

    setup: Seating
    pools: dict[str, PoolReport]
    piles: dict[str, int]
    sets: dict[str, str]
    boars: dict[str, str]
    rulings: dict[str, str]

    def as_json(self) -> JsonObject:
        return {"setup": self.setup.as_json(), **self.state()}

    def state(self) -> JsonObject:
        """What a table file needs to continue the game."""
        tree = {key: getattr(self, key) for key in ("pools", "piles", "sets", "boars", "rulings")}
        return {key: value for key, value in tree.items() if value}


ForgeRuling = Ruling[PlayerReport, TurnReport, ForgeExtra]


def player_report(player: Player) -> PlayerReport:
    have = player.have
    caps = {RESOURCES[letter]: n for letter, n in player.caps.items()}
    first, second = player.dice
    island = "origin" if player.island == ORIGIN else player.island
    tokens = {token: n for token, n in player.tokens.items() if n} if player.tokens else {}
    laid = [die + 1 for die in sorted(player.laid)] if player.laid else []
    return PlayerReport(
        have["G"], have["S"], have["M"], have["V"], player.hundreds, caps, list(player.feats),
        [list(first), list(second)], list(player.shown), island, tokens, _hammer(player.hammer),
        list(player.removed), laid,
    )  # fmt: skip


def _hammer(hammer: Hammer | None) -> HammerReport | Literal["retired"] | None:
    if hammer is None:
        return None
    return "retired" if hammer.retired else HammerReport(hammer.lap, hammer.position, hammer.finished)


def turn_report(state: State) -> TurnReport:
    acted = state.acted if state.acted or state.step == 4 else None
    ships = {name: list(discounts) for name, discounts in state.ships.items() if discounts}
    return TurnReport(
        state.active, state.first, state.step, state.round, dict(state.blessed), list(state.used), acted,
        state.extra_taken, state.last_feat, list(state.due), dict(state.rolls), ships, state.ended,
    )  # fmt: skip


def _due(due: Due) -> JsonObject:
    tree: JsonObject = {"player": due.player, "kind": due.kind, "cause": due.cause, "left": due.left}
    if due.feat:
        tree["feat"] = due.feat
    if due.die is not None:
        tree["die"] = due.die + 1
    if due.convert:
        tree["convert"] = due.convert if isinstance(due.convert, bool) else dict(due.convert)
    return tree


def _rolled(roll: Roll) -> JsonObject:
    tree: JsonObject = {"faces": list(roll.faces), "dice": [die + 1 for die in roll.dice]}
    return {**tree, "convert": dict(roll.convert)} if roll.convert else tree


def forged_faces(state: State, catalog: Catalog) -> Counter[str]:
    """How many faces of each kind, on dice or beside inventories, came from the Temple."""
    start = catalog.start_dice
    forgers = [p for p in state.players.values() if p.removed or p.dice != start]
    faces: list[str] = []
    for player in forgers:
        faces += player.dice[0] + player.dice[1] + player.removed
    count = Counter(faces)
    for face, n in _faces_at_the_start(start).items():
        count[face] -= n * len(forgers)
    return count


@cache
def _faces_at_the_start(dice: Dice) -> Mapping[str, int]:
    return Counter(dice[0] + dice[1])


def temple_stock(
    state: State, catalog: Catalog, forged: Mapping[str, int]
) -> tuple[dict[str, int], dict[str, int]]:
    """The Temple's default stock: the set-up minus the faces already forged."""
    stock, left = {}, {}
    for pool in catalog.pools.values():
        size = state.seating.pool_size(pool)
        for face, copies in pool.faces.items():
            out = max(0, forged.get(face, 0))
            size -= out
            stock[face] = max(0, copies - out)
        left[pool.id] = max(0, min(size, sum(stock[face] for face in pool.faces)))
    return stock, left


def pile_sizes(state: State, feats_in_use: list[str]) -> dict[str, int]:
    """The default piles: the set-up minus the cards the players own."""
    owned = Counter(feat for player in state.players.values() for feat in player.feats)
    return {feat: max(0, state.seating.cards_per_pile - owned[feat]) for feat in feats_in_use}


def pools_as_json(state: State, catalog: Catalog) -> dict[str, PoolReport]:
    """Pools that differ from set-up: their faces, or how many of which kinds if the faces are unknown."""
    # A full pool is shown as well if forged faces would suggest otherwise.
    touched = {face for face, n in forged_faces(state, catalog).items() if n > 0}
    pools, stock = catalog.pools.values(), state.stock
    touched |= {face for pool in pools for face, copies in pool.faces.items() if stock[face] < copies}
    tree: dict[str, PoolReport] = {}
    for pool in pools:
        if state.left[pool.id] == state.seating.pool_size(pool) and touched.isdisjoint(pool.faces):
            continue
        faces = [face for face in pool.faces for _ in range(state.stock[face])]
        if state.left[pool.id] < len(faces):
            if len(pool.faces) == 1:
                tree[pool.id] = faces[: state.left[pool.id]]
            else:
                tree[pool.id] = {"of": faces, "left": state.left[pool.id]}
        else:
            tree[pool.id] = faces
    return tree


def piles_as_json(state: State) -> dict[str, int]:
    """Piles that differ from set-up, and full ones of which players nevertheless own cards."""
    full = state.seating.cards_per_pile
    owned = {feat for player in state.players.values() for feat in player.feats}
    return {feat: n for feat, n in state.piles.items() if n != full or feat in owned}


def forge_extra(state: State, catalog: Catalog, rulings: Mapping[str, str]) -> ForgeExtra:
    return ForgeExtra(
        state.seating,
        pools_as_json(state, catalog),
        piles_as_json(state),
        sets_as_json(state, catalog),
        dict(state.boars),
        dict(rulings),
    )


def sets_as_json(state: State, catalog: Catalog) -> dict[str, str]:
    feats = (catalog.feats[feat] for feat in state.piles)
    return {feat.slot: feat.id for feat in feats if not feat.first_game}


def as_table(ruling: ForgeRuling) -> JsonObject:
    """A table file without events that continues where the ruling ends."""
    table: JsonObject = {"game": ruling.game, "edition": ruling.edition, "players": []}
    for name, player in ruling.players.items():
        kept = {key: value for key, value in player.as_json().items() if key != "caps"}
        table["players"].append({"id": name, **kept})
    table["turn"] = ruling.turn.as_json()
    return {**table, **ruling.extra.state(), "events": []}

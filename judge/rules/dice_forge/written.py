"""The state as the ruling shows it, and as a table file that continues the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from judge.rules.dice_forge.catalog import RESOURCES, Catalog, Pool
from judge.rules.dice_forge.state import ORIGIN, Due, Player, Roll, State
from judge.rules.ruling import Ruling


def player_as_json(player: Player) -> dict[str, Any]:
    tree: dict[str, Any] = {word: player.have[letter] for letter, word in RESOURCES.items()}
    tree["hundreds"] = player.hundreds
    tree["caps"] = {RESOURCES[letter]: n for letter, n in player.caps.items()}
    tree["feats"] = list(player.feats)
    tree["dice"] = [list(die) for die in player.dice]
    tree["shown"] = list(player.shown)
    tree["island"] = "origin" if player.island == ORIGIN else player.island
    tree["tokens"] = {token: n for token, n in player.tokens.items() if n}
    if player.hammer is not None:
        tree["hammer"] = _hammer(player)
    tree["removed"] = list(player.removed)
    if player.laid:
        tree["laid"] = [die + 1 for die in sorted(player.laid)]
    return tree


def _hammer(player: Player) -> Any:
    hammer = player.hammer
    if hammer is None or hammer.retired:
        return "retired"
    tree = {"lap": hammer.lap, "position": hammer.position}
    return {**tree, "finished": hammer.finished} if hammer.finished else tree


def turn_as_json(state: State) -> dict[str, Any]:
    """Where the turn stands; what is only now and then the case is left out while it is not."""
    tree: dict[str, Any] = {
        "active": state.active, "first": state.first, "step": state.step, "round": state.round,
    }  # fmt: skip
    if state.blessed:
        tree["blessed"] = dict(state.blessed)
    if state.used:
        tree["used"] = list(state.used)
    if state.acted or state.step == 4:
        tree["acted"] = state.acted
    if state.extra_taken:
        tree["extra"] = True
    if state.last_feat:
        tree["performed"] = state.last_feat
    if state.due:
        tree["due"] = [_due(due) for due in state.due]
    if state.rolls:
        tree["rolled"] = {name: _rolled(roll) for name, roll in state.rolls.items()}
    if state.ended:
        tree["ended"] = True
    return tree


def _due(due: Due) -> dict[str, Any]:
    tree: dict[str, Any] = {"player": due.player, "kind": due.kind, "cause": due.cause, "left": due.left}
    if due.feat:
        tree["feat"] = due.feat
    if due.die is not None:
        tree["die"] = due.die + 1
    if due.convert:
        tree["convert"] = due.convert if isinstance(due.convert, bool) else dict(due.convert)
    return tree


def _rolled(roll: Roll) -> dict[str, Any]:
    tree: dict[str, Any] = {"faces": list(roll.faces), "dice": [die + 1 for die in roll.dice]}
    return {**tree, "convert": dict(roll.convert)} if roll.convert else tree


def forged_faces(state: State, catalog: Catalog) -> Counter[str]:
    """How many faces of each kind on dice or beside inventories came from the Temple."""
    faces: list[str] = []
    for player in state.players.values():
        faces += player.dice[0] + player.dice[1] + player.removed
    count = Counter(faces)
    for start in catalog.start_dice:
        for face in start:
            count[face] -= len(state.players)
    return count


def temple_stock(
    state: State, catalog: Catalog, forged: Mapping[str, int]
) -> tuple[dict[str, int], dict[str, int]]:
    """What lies in the Temple when nothing else is said: the set-up less the faces already forged."""
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
    """The set-up less the cards the players own."""
    owned = Counter(feat for player in state.players.values() for feat in player.feats)
    return {feat: max(0, state.seating.cards_per_pile - owned[feat]) for feat in feats_in_use}


def _is_as_set_up(state: State, pool: Pool, forged: Counter[str]) -> bool:
    """A full pool is told all the same where faces on dice would make a reader think otherwise."""
    if state.left[pool.id] != state.seating.pool_size(pool):
        return False
    for face, copies in pool.faces.items():
        if state.stock[face] < copies or (face in forged and forged[face] > 0):
            return False
    return True


def pools_as_json(state: State, catalog: Catalog) -> dict[str, Any]:
    """Pools that differ from set-up: their faces, or how many of which kinds where nobody knows."""
    forged = forged_faces(state, catalog)
    tree: dict[str, Any] = {}
    for pool in catalog.pools.values():
        if _is_as_set_up(state, pool, forged):
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
    """Piles that differ from set-up, and full ones of which players own cards all the same."""
    full = state.seating.cards_per_pile
    owned = {feat for player in state.players.values() for feat in player.feats}
    return {feat: n for feat, n in state.piles.items() if n != full or feat in owned}


def sets_as_json(state: State, catalog: Catalog) -> dict[str, str]:
    feats = (catalog.feats[feat] for feat in state.piles)
    return {feat.slot: feat.id for feat in feats if not feat.first_game}


def as_table(ruling: Ruling) -> dict[str, Any]:
    """A table file without events that goes on where the ruling ends."""
    table: dict[str, Any] = {"game": ruling.game, "edition": ruling.edition, "players": []}
    for name, player in ruling.players.items():
        kept = {key: value for key, value in player.items() if key != "caps"}
        table["players"].append({"id": name, **kept})
    table["turn"] = ruling.turn
    for key in ("pools", "piles", "sets", "boars", "rulings"):
        if ruling.extra.get(key):
            table[key] = ruling.extra[key]
    return {**table, "events": []}

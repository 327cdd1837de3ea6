"""Reads the starting state of a Dice Forge table file. Missing values come from set-up."""

from __future__ import annotations

from collections import Counter
from typing import Any

from judge.core.errors import fail
from judge.rules.dice_forge.state.catalog import Catalog, Pool
from judge.rules.dice_forge.state.model import Due, Roll, State
from judge.rules.dice_forge.state.written import forged_faces, pile_sizes, temple_stock
from judge.schemas.dice_forge.players import PlayersReader
from judge.schemas.dice_forge.words import (
    amounts,
    die_number,
    faces_of,
    feat_id,
    feats_of,
    flag,
    player_id,
    read_convert,
)
from judge.schemas.shape import Fields, at, each, listing, number, one_of

TURN_KEYS = (
    "active", "first", "step", "round", "blessed", "used", "acted", "extra", "performed", "due", "rolled",
    "ships", "ended",
)  # fmt: skip


MAX_DUE = 8  # blessings that wait to be rolled; no card gives more than four


def read_state(table: Fields, players: PlayersReader, ids: tuple[str, ...], box: Catalog) -> State:
    """The starting state; faults are collected in the table's fields."""
    turn = Fields(table.entry.get("turn"), at(table.path, "turn"), TURN_KEYS)
    usual = players.ids[0] if players.ids else ""
    first = turn.get("first", player_id, usual, ids)
    state = State(
        players={player.id: player for player in players.players(first)},
        seating=players.seating,
        stock={},
        left={},
        piles={},
        boars={},
        active=turn.get("active", player_id, first, ids),
        first=first,
        step=turn.get("step", number, 1, 1, 4),
        round=turn.get("round", number, 1, 1, players.seating.rounds),
    )
    _read_turn(state, turn, ids, box)
    table.problems += turn.problems
    state.stock, state.left = temple_stock(state, box, forged_faces(state, box))
    table.get("pools", _read_temple, None, state, box)
    _read_piles(state, table, box)
    table.get("boars", _read_boars, None, state, ids, box)
    _guess_boars(state, box)
    return state


def _read_turn(state: State, turn: Fields, ids: tuple[str, ...], box: Catalog) -> None:
    """Read the keys that a ruling adds so that its table can continue in the middle of a turn."""
    state.blessed.update(turn.get("blessed", _by_player, {}, ids, number))
    state.used = turn.get("used", feats_of, [], box)
    # a table that begins in step 4 has had its step 3
    state.acted = turn.get("acted", flag, state.step == 4)
    state.extra_taken = turn.get("extra", flag, False)
    state.ended = turn.get("ended", flag, False)
    state.last_feat = turn.get("performed", feat_id, state.last_feat, box)
    state.due = turn.get("due", _dues, [], ids, box)
    state.rolls.update(turn.get("rolled", _by_player, {}, ids, _roll, box))
    state.ships.update(turn.get("ships", _by_player, {}, ids, _discounts))


def _by_player(value: Any, path: str, ids: tuple[str, ...], read: Any, *args: Any) -> dict[str, Any]:
    """A value for each of the players named."""
    fields = Fields(value, path)
    for who in fields.entry:
        fields.check(player_id, who, path, ids)
    values = {who: fields.must(who, read, None, *args) for who in fields.entry}
    fields.done()
    return values


def _discounts(value: Any, path: str) -> tuple[int, ...]:
    return tuple(each(listing(value, path, 2), path, number))


def _dues(value: Any, path: str, ids: tuple[str, ...], box: Catalog) -> list[Due]:
    return each(listing(value, path, MAX_DUE), path, _due, ids, box)


def _due(value: Any, path: str, ids: tuple[str, ...], box: Catalog) -> Due:
    fields = Fields(value, path, ("player", "kind", "cause", "left", "feat", "die", "convert"))
    cause = fields.must("cause", one_of, "", ("card", "oust"))
    due = Due(
        player=fields.must("player", player_id, "", ids),
        kind=fields.must("kind", one_of, "", ("bless", "minor")),
        cause=cause,
        left=fields.must("left", number, 1, 1, MAX_DUE),
        feat=fields.must("feat", feat_id, "", box) if cause == "card" else None,
        die=fields.get("die", die_number),
        convert=fields.get("convert", read_convert, False),
    )
    fields.done()
    return due


def _roll(value: Any, path: str, box: Catalog) -> Roll:
    fields = Fields(value, path, ("faces", "dice", "convert"))
    faces = fields.get("faces", faces_of, [], box)
    dice = fields.get("dice", _dice_numbers, [])
    convert = fields.get("convert", amounts)
    if not fields.problems and not 1 <= len(faces) == len(dice) <= 2:
        fields.fault("dice", "df_expected_two_dice")
    fields.done()
    return Roll(tuple(faces), tuple(dice), convert)


def _dice_numbers(value: Any, path: str) -> list[int]:
    return each(listing(value, path), path, die_number)


# ------------------------------------------------------------------ Temple, piles, boars


def _read_temple(value: Any, path: str, state: State, box: Catalog) -> None:
    pools = Fields(value, path)
    for pool_id in pools.entry:
        if pool_id not in box.pools:
            pools.fault(pool_id, "df_unknown_pool", word=pool_id)
        else:
            pools.get(pool_id, _read_pool, None, state, box.pools[pool_id], box)
    pools.done()


def _read_pool(value: Any, path: str, state: State, pool: Pool, box: Catalog) -> None:
    """Read the faces in a pool; or those it may hold, and how many of them are left."""
    if isinstance(value, dict):
        fields = Fields(value, path, ("of", "left"))
        faces = fields.get("of", faces_of, [], box)
        left = fields.must("left", number, 0, 0, len(faces))
        fields.done()
    else:
        faces = faces_of(value, path, box)
        left = len(faces)
    count = Counter(faces)
    for face in count:
        if count[face] > pool.faces.get(face, 0):
            raise fail(path, "df_not_in_pool", face=face, n=pool.faces.get(face, 0))
    state.stock.update({face: count[face] for face in pool.faces})
    state.left[pool.id] = left


def _read_piles(state: State, table: Fields, box: Catalog) -> None:
    piles = Fields(table.entry.get("piles"), at(table.path, "piles"))
    for feat in piles.entry:
        piles.check(feat_id, feat, at(piles.path, feat), box)
    sets = table.get("sets", _read_sets, {}, box)
    in_use = _sets_in_use(state, sets, set(piles.entry), box)
    state.piles = pile_sizes(state, in_use)
    for feat in piles.entry:
        if feat in state.piles:
            state.piles[feat] = piles.must(feat, number, 0, 0, state.seating.cards_per_pile)
        elif feat in box.feats:
            piles.fault(feat, "df_pile_not_in_use", slot=box.feats[feat].slot)
    table.problems += piles.problems


def _slots(box: Catalog) -> dict[str, list[str]]:
    """The feats that may be on each slot."""
    slots: dict[str, list[str]] = {}
    for feat in box.feats.values():
        slots.setdefault(feat.slot, []).append(feat.id)
    return slots


def _read_sets(value: Any, path: str, box: Catalog) -> dict[str, str]:
    fields, slots = Fields(value, path), _slots(box)
    for slot in fields.entry:
        fields.check(one_of, slot, at(path, slot), tuple(slots))
    sets = {slot: fields.must(slot, one_of, "", slots[slot]) for slot in fields.entry if slot in slots}
    fields.done()
    return sets


def _sets_in_use(state: State, sets: dict[str, str], named: set[str], box: Catalog) -> list[str]:
    """One feat per slot (DF-SET-14): as the file says, as its piles or the players' cards show, or as the
    rules give for a first game."""
    owned = {feat for player in state.players.values() for feat in player.feats}
    in_use = []
    for slot, feats in _slots(box).items():
        usual = next(feat for feat in feats if box.feats[feat].first_game)
        shown = [f for f in feats if f in named] or [f for f in feats if f in owned]
        in_use.append(sets.get(slot) or (usual if usual in shown or not shown else shown[0]))
    return in_use


def _read_boars(value: Any, path: str, state: State, ids: tuple[str, ...], box: Catalog) -> None:
    """Read whose card each boar face belongs to."""
    fields = Fields(value, path)
    for face in fields.entry:
        if face not in box.faces or not box.faces[face].fixed:
            fields.fault(face, "df_unknown_face", word=face)
        else:
            state.boars[face] = fields.must(face, player_id, "", ids)
    fields.done()


def _guess_boars(state: State, box: Catalog) -> None:
    """Fill in the owner of a boar face if only one player is possible."""
    for bearer in state.players.values():
        for face in dict.fromkeys(bearer.dice[0] + bearer.dice[1]):
            if box.faces[face].fixed and face not in state.boars:
                owners = [
                    player.id
                    for player in state.others(bearer.id)
                    if any(box.feats[feat].kind == "give_face" for feat in player.feats)
                ]
                if len(owners) == 1:
                    state.boars[face] = owners[0]

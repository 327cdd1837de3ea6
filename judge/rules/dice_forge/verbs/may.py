"""Lists what each player may do next: a verb is listed exactly when some event with it would be legal."""

from __future__ import annotations

from collections.abc import Mapping

from judge.rules.dice_forge.faces.reserves import can_pay
from judge.rules.dice_forge.state.catalog import Catalog, Feat
from judge.rules.dice_forge.state.model import Player, State, unused_reinforcements
from judge.rules.dice_forge.verbs.blessings import step_1_blessings


def open_verbs(state: State, catalog: Catalog, rulings: Mapping[str, str]) -> dict[str, list[str]]:
    if state.ended:
        return {name: [] for name in state.players}
    times = step_1_blessings(state, rulings)
    verbs = {name: _for_anyone(state, catalog, player, times) for name, player in state.players.items()}
    verbs[state.active] += _for_active(state, catalog, state.players[state.active], rulings)
    return {name: sorted(set(words), key=ORDER.index) for name, words in verbs.items()}


ORDER = ["bless", "reinforce", "offer", "feat", "extra", "token"]


def _for_anyone(state: State, catalog: Catalog, player: Player, times: int) -> list[str]:
    """Verbs open to any player: blessings, and tokens that apply a roll again."""
    verbs = []
    in_step_1 = state.step == 1 and state.blessed.get(player.id, 0) < times
    if in_step_1 or any(due.player == player.id for due in state.due):
        verbs.append("bless")
    for token, count in player.tokens.items():
        kind = catalog.tokens[token].kind
        if count and (player.id in state.rolls if kind == "repeat_roll" else player.id == state.active):
            verbs.append("token")
    return verbs


def _for_active(state: State, catalog: Catalog, player: Player, rulings: Mapping[str, str]) -> list[str]:
    verbs = []
    if state.step <= 2 and any(
        can_pay(player, catalog.feats[feat].effect.get("pay", {}))
        for feat in unused_reinforcements(state, catalog.feats)
    ):
        verbs.append("reinforce")
    if state.step <= 3 and not state.acted:
        if can_offer(state, catalog, player):
            verbs.append("offer")
        if feats_open(state, catalog, player):
            verbs.append("feat")
    in_time = state.acted or rulings.get("DF-AMB-08") != "b"
    if in_time and not state.extra_taken and can_act_extra(state, catalog, player):
        verbs.append("extra")
    return verbs


def can_offer(state: State, catalog: Catalog, player: Player) -> bool:
    return bool(faces_open(state, catalog, player.have["G"])) and has_room(catalog, player)


def faces_open(state: State, catalog: Catalog, gold: int) -> list[str]:
    """Sanctuary faces in stock that this much gold can buy."""
    return [
        face
        for pool in catalog.pools.values()
        if pool.price is not None and pool.price <= gold and state.left[pool.id] > 0
        for face in pool.faces
        if state.stock[face] > 0
    ]


def has_room(catalog: Catalog, player: Player) -> bool:
    """Whether a die bears a face that may be replaced (DF-FORGE-07)."""
    return any(not catalog.faces[face].fixed for die in player.dice for face in die)


def feats_open(
    state: State, catalog: Catalog, player: Player, spent: dict[str, int] | None = None
) -> list[str]:
    """Feats the player can take after paying `spent`: cards left, price affordable, faces placeable."""
    return [
        feat
        for feat, count in state.piles.items()
        if count > 0
        and _can_pay_also(player, catalog.feats[feat], spent or {})
        and _can_place(state, catalog, player, catalog.feats[feat])
    ]


def _can_pay_also(player: Player, feat: Feat, spent: dict[str, int]) -> bool:
    return all(player.have[letter] - spent.get(letter, 0) >= n for letter, n in feat.cost.items())


def _can_place(state: State, catalog: Catalog, player: Player, feat: Feat) -> bool:
    """Whether a face that the feat gives can go on some die."""
    faces = feat.effect.get("faces")
    if not faces:
        return True
    if not any(state.stock[face] > 0 and state.left[catalog.pool_of[face]] > 0 for face in faces):
        return True
    if feat.kind == "give_face":
        return any(has_room(catalog, other) for other in state.others(player.id))
    return has_room(catalog, player)


def can_act_extra(state: State, catalog: Catalog, player: Player) -> bool:
    cost = dict(catalog.extra_cost)
    if not can_pay(player, cost):
        return False
    return can_offer(state, catalog, player) or bool(feats_open(state, catalog, player, cost))

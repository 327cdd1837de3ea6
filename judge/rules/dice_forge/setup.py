"""What set-up gave, told at the head of a ruling whose table is a fresh game (DF-SET)."""

from __future__ import annotations

from judge.core.messages import Message
from judge.rules.dice_forge.catalog import Catalog
from judge.rules.dice_forge.state import State
from judge.rules.ruling import Step


def is_fresh(state: State) -> bool:
    """Before anything was done: round 1, step 1, the first player active, nothing owned or rolled."""
    return (
        state.round == 1
        and state.step == 1
        and state.active == state.first
        and not state.blessed
        and not any(player.feats or player.removed for player in state.players.values())
    )


def setup_steps(state: State, catalog: Catalog) -> list[Step]:
    seating = state.seating
    names = list(state.players)
    first = names.index(state.first)
    gold = [state.players[name].have["G"] for name in names[first:] + names[:first]]
    pools = Message("df_setup_pools", n=seating.faces_per_sanctuary_pool, m=seating.faces_per_garden_pool)
    rounds = Message("df_setup_rounds", rounds=seating.rounds, n=seating.step1_blessings_per_turn)
    doubled = ("DF-SET-12",) if seating.step1_blessings_per_turn > 1 else ()
    alternatives = any(not catalog.feats[feat].first_game for feat in state.piles)
    return [
        Step(
            Message("df_setup_players", who=state.first, gold=gold),
            ("DF-SET-03", "DF-SET-04", "DF-SET-05", "DF-SET-06", "DF-DICE-01"),
        ),
        Step(
            Message("df_setup_piles", n=seating.cards_per_pile, piles=len(state.piles)),
            ("DF-SET-02", "DF-SET-08", "DF-SET-13", *(("DF-SET-14",) if alternatives else ())),
            value=seating.cards_per_pile,
        ),
        Step(pools, ("DF-SET-09", "DF-SET-10"), value=seating.faces_per_sanctuary_pool),
        Step(rounds, ("DF-SET-11", *doubled), value=seating.rounds),
    ]

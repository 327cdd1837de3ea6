"""The set-up steps shown at the head of a ruling on a fresh game (DF-SET)."""

from __future__ import annotations

from judge.rules.dice_forge.state.catalog import Catalog
from judge.rules.dice_forge.state.model import State
from judge.rules.ruling import Step


def is_fresh(state: State, catalog: Catalog) -> bool:
    """Whether nothing was done yet: round 1, step 1, the first player active, everybody as set up."""
    if state.round != 1 or state.step != 1 or state.active != state.first or state.blessed:
        return False
    seats = state.from_active()
    return all(
        state.players[name].have == {"G": gold, "S": 0, "M": 0, "V": 0}
        and state.players[name].dice == catalog.start_dice
        and not state.players[name].feats
        for name, gold in zip(seats, state.seating.start_gold, strict=True)
    )


def setup_steps(state: State, catalog: Catalog) -> list[Step]:
    seating = state.seating
    names = list(state.players)
    first = names.index(state.first)
    gold = [state.players[name].have["G"] for name in names[first:] + names[:first]]
    doubled = ("DF-SET-12",) if seating.step1_blessings_per_turn > 1 else ()
    alternatives = any(not catalog.feats[feat].first_game for feat in state.piles)
    return [
        Step(
            "df_setup_players",
            {"who": state.first, "gold": gold},
            ("DF-SET-03", "DF-SET-04", "DF-SET-05", "DF-SET-06", "DF-DICE-01"),
        ),
        Step(
            "df_setup_piles",
            {"n": seating.cards_per_pile, "piles": len(state.piles)},
            ("DF-SET-02", "DF-SET-08", "DF-SET-13", *(("DF-SET-14",) if alternatives else ())),
            value=seating.cards_per_pile,
        ),
        Step(
            "df_setup_pools",
            {"n": seating.faces_per_sanctuary_pool, "m": seating.faces_per_garden_pool},
            ("DF-SET-09", "DF-SET-10"),
            value=seating.faces_per_sanctuary_pool,
        ),
        Step(
            "df_setup_rounds",
            {"rounds": seating.rounds, "n": seating.step1_blessings_per_turn},
            ("DF-SET-11", *doubled),
            value=seating.rounds,
        ),
    ]

"""Claims on a score or a reserve: right or wrong, and which usual mistake would lead to the number."""

from __future__ import annotations

from typing import Any

from judge.core.messages import Message
from judge.rules.dice_forge.catalog import RESOURCES, Catalog
from judge.rules.dice_forge.scoring import printed_glory, score
from judge.rules.dice_forge.state import Player, State
from judge.rules.dice_forge.table import Claim

LETTERS = {word: letter for letter, word in RESOURCES.items()}

# mistakes made while playing; `state.slips` holds what each would add to the true number
WHILE_PLAYING: dict[str, tuple[str, ...]] = {
    "cap-ignored": ("DF-RES-04",),
    "hammer-lap-twice": ("DF-CARD-02",),
    "hammer-gold-kept": ("DF-CARD-01", "DF-CARD-03"),
    "second-blessing-forgotten": ("DF-SET-12", "DF-BLESS-08"),
    "oust-blessing-forgotten": ("DF-OUST-02",),
    "extra-cost-forgotten": ("DF-EXTRA-02",),
    "other-die-counted": ("DF-BLESS-06",),
    "triple-forgotten": ("DF-FACE-03",),
    "printed-glory-at-once": ("DF-FEAT-10",),
}


def judge_claim(claim: Claim, state: State, catalog: Catalog) -> dict[str, Any]:
    player = state.players[claim.player]
    true = score(player, catalog) if claim.of == "final" else player.have[LETTERS[claim.of]]
    ruled: dict[str, Any] = {
        "by": claim.by, "player": claim.player, "of": claim.of, "claimed": claim.value, "is": true,
        "right": claim.value == true, "mistakes": [],
    }  # fmt: skip
    if claim.value == true:
        ruled["says"] = Message("df_claim_right", who=claim.player, n=true)
        return ruled
    ruled["mistakes"] = _mistakes(claim, state, catalog, player, claim.value - true)
    key = "df_claim_wrong" if ruled["mistakes"] else "df_claim_unexplained"
    ruled["says"] = Message(key, who=claim.player, n=true, claimed=claim.value)
    return ruled


def _mistakes(claim: Claim, state: State, catalog: Catalog, player: Player, off: int) -> list[dict[str, Any]]:
    """Every single mistake that explains the difference exactly."""
    found = []
    letter = "V" if claim.of == "final" else LETTERS[claim.of]
    for name, rules in WHILE_PLAYING.items():
        if name == "printed-glory-at-once" and claim.of == "final":
            continue
        if state.slips.get((player.id, name, letter), 0) == off:
            found.append(_mistake(name, rules))
        elif name == "hammer-lap-twice" and -state.slips.get((player.id, name, letter), 0) == off:
            found.append(_mistake("hammer-lap-forgotten", rules))
    if claim.of == "final":
        found += _mistakes_of_counting(catalog, player, off)
    if claim.of == "glory" and player.hundreds and off == catalog.glory_token * player.hundreds:
        found.append(_mistake("token-on-the-markers", ("DF-RES-07",)))
    return found


def _mistakes_of_counting(catalog: Catalog, player: Player, off: int) -> list[dict[str, Any]]:
    printed, have = printed_glory(player, catalog), player.have
    tokens = catalog.glory_token * player.hundreds
    usual = (
        ("printed-glory-forgotten", -printed, ("DF-SCORE-01", "DF-FEAT-10")),
        ("printed-glory-twice", printed, ("DF-SCORE-01", "DF-FEAT-10")),
        ("hundred-token-forgotten", -tokens, ("DF-SCORE-01", "DF-RES-07")),
        ("gold-counted", have["G"], ("DF-SCORE-02",)),
        ("shards-counted", have["S"] + have["M"], ("DF-SCORE-02",)),
        ("leftovers-counted", have["G"] + have["S"] + have["M"], ("DF-SCORE-02",)),
    )
    return [_mistake(name, rules) for name, amount, rules in usual if amount == off]


def _mistake(name: str, rules: tuple[str, ...]) -> dict[str, Any]:
    says = Message("df_mistake_" + name.replace("-", "_"))
    return {"name": name, "says": says, "rules": list(rules)}

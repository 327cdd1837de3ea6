"""Spends tokens: for resources at any time in the player's own turn, or to apply a roll a second time."""

from __future__ import annotations

from collections.abc import Callable

from judge.core.messages import Ref
from judge.rules.dice_forge.faces.applying import Applying
from judge.rules.dice_forge.faces.kinds import apply_faces, settle_choice
from judge.rules.dice_forge.faces.reserves import gain
from judge.rules.dice_forge.state.catalog import Token
from judge.rules.dice_forge.state.desk import Desk, Picks
from judge.rules.dice_forge.state.model import Player
from judge.rules.dice_forge.state.table import Event


def spend_token(desk: Desk, event: Event) -> None:
    player, token = desk.state.players[event.by], desk.catalog.tokens[event.value]
    if not player.tokens.get(token.id):
        desk.refuse("df_no_token", *token.rules, who=player.id, token=Ref("token", token.id))
        return
    desk.say("df_spends_token", token.rules, who=player.id, token=Ref("token", token.id))
    player.tokens = {**player.tokens, token.id: player.tokens[token.id] - 1}
    desk.state.slip(player.id, "token-kept", token.id, 1)
    SPEND[token.kind](desk, player, token, event)


def _cash_in(desk: Desk, player: Player, token: Token, event: Event) -> None:
    if player.id != desk.state.active:
        desk.refuse("df_token_own_turn", *token.rules, who=player.id)
    picks = Picks(event.choices, player)
    option = settle_choice(desk, player.id, token.effect["options"], picks.choose(), token.rules)
    if option is not None:
        gain(desk, player, option, picks, token.rules)
    picks.refuse_leftovers(desk)


def _repeat_roll(desk: Desk, player: Player, token: Token, event: Event) -> None:
    """Apply a roll again: once per roll, and only the player's own (DF-AMB-07 for dice others rolled)."""
    roll = desk.state.rolls.pop(player.id, None)
    rules = token.rules
    last = desk.catalog.feats[desk.state.last_feat] if desk.state.last_feat else None
    if last is not None and last.kind == "use_rolled_dice" and player.id == desk.state.active:
        desk.point("DF-AMB-07")
        rules += ("DF-AMB-07",)
    if roll is None:
        desk.refuse("df_no_roll_to_repeat", *rules, who=player.id)
        return
    picks = Picks(event.choices, player)
    again = Applying(desk, player, picks, len(roll.faces) == 1, convert=roll.convert)
    apply_faces(again, roll.faces, roll.dice)
    picks.refuse_leftovers(desk)


SPEND: dict[str, Callable[[Desk, Player, Token, Event], None]] = {
    "choice": _cash_in,
    "repeat_roll": _repeat_roll,
}

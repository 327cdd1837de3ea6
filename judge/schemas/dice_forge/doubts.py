"""What cannot be at a Dice Forge table: pieces that the box does not hold are faults; a Hammer or a token
without its card, or a displayed face that no die bears, is asked about and the ruling goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from judge.core.messages import Message, Ref
from judge.rules.dice_forge.state.catalog import Catalog
from judge.rules.dice_forge.state.model import Player, State
from judge.rules.dice_forge.state.table import Doubt
from judge.rules.dice_forge.state.written import forged_faces
from judge.schemas.shape import Fields


def check_pieces(table: Fields, state: State, box: Catalog) -> None:
    """Keep a fault for every face or card of which the players have more than the game holds."""
    forged = forged_faces(state, box)
    for pool in box.pools.values():
        for face, copies in pool.faces.items():
            if forged.get(face, 0) > copies:
                table.fault("players", "df_too_many_faces", face=face, n=copies, has=forged[face])
    owned = Counter(feat for player in state.players.values() for feat in player.feats)
    for feat, n in owned.items():
        if n > state.seating.cards_per_pile:
            table.fault("players", "df_too_many_cards", feat=feat, n=state.seating.cards_per_pile, has=n)
    for slot in sorted({box.feats[feat].slot for feat in owned}):
        both = [feat for feat in owned if box.feats[feat].slot == slot]
        if len(both) > 1:
            table.fault("players", "df_two_sets", slot=slot, feats=both)


def doubts_about(state: State, box: Catalog) -> Iterator[Doubt]:
    for player in state.players.values():
        yield from _of_cards(player, box)
        for die, face in enumerate(player.shown):
            if face is not None and face not in player.dice[die]:
                says = Message("df_cannot_be_shown", who=player.id, die=die + 1, face=Ref("face", face))
                yield Doubt("shown", says)


def _of_cards(player: Player, box: Catalog) -> Iterator[Doubt]:
    kinds = {box.feats[feat].kind for feat in player.feats}
    if player.hammer is not None and "hammer" not in kinds:
        yield Doubt("feats", Message("df_ask_hammer_card", who=player.id))
    from_cards = Counter(box.feats[feat].effect.get("token") for feat in player.feats)
    for token, n in player.tokens.items():
        if n > from_cards[token]:
            yield Doubt("feats", Message("df_ask_token_card", who=player.id, token=Ref("token", token)))

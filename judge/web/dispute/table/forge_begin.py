"""One tap on how a Dice Forge table began: a face of a die, a feat, an island, the Hammer, a token, a set."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from werkzeug.datastructures import MultiDict

from judge.core.errors import fail
from judge.core.json_types import TableFile
from judge.rules.dice_forge.state.written import PlayerReport
from judge.schemas.dice_forge.catalog import catalog
from judge.schemas.shape import one_of, whole
from judge.services.dispute.case import Case
from judge.services.dispute.entering import change_player, set_top

Form = MultiDict[str, str]


def set_up(case: Case, form: Form, who: str) -> TableFile:
    """The table with what was tapped."""
    do = TAPS.get(form.get("what", ""))
    if do is None:
        raise fail("what", "expected_one_of", words=list(TAPS))
    player: PlayerReport = case.beginning[who]
    return do(case.data, player, form, who)


def _spot(form: Form, dice: Sequence[Sequence[str]]) -> tuple[int, int]:
    """The place that was tapped: which die, and which of its faces, both counted from 0."""
    spots = [f"{die}-{at}" for die, faces in enumerate(dice) for at in range(len(faces))]
    die, at = one_of(form.get("spot", ""), "spot", spots).split("-")
    return int(die), int(at)


def _face(table: TableFile, player: PlayerReport, form: Form, who: str) -> TableFile:
    """Another face on a die; whoever forged it laid the old one aside."""
    die, at = _spot(form, player.dice)
    dice = [list(faces) for faces in player.dice]
    dice[die][at] = one_of(form.get("value", ""), "value", list(catalog().faces))
    shown: list[str | None] = [
        face if face in faces else None for face, faces in zip(player.shown, dice, strict=True)
    ]
    return change_player(table, who, dice=dice, shown=shown if any(shown) else None)


def _up(table: TableFile, player: PlayerReport, form: Form, who: str) -> TableFile:
    """The face that lies up."""
    die, at = _spot(form, player.dice)
    shown = list(player.shown)
    shown[die] = player.dice[die][at]
    return change_player(table, who, shown=shown)


def _feat(table: TableFile, player: PlayerReport, form: Form, who: str) -> TableFile:
    feat = one_of(form.get("value", ""), "value", list(catalog().feats))
    return change_player(table, who, feats=[*player.feats, feat])


def _no_feat(table: TableFile, player: PlayerReport, form: Form, who: str) -> TableFile:
    feats = list(player.feats)
    feats.remove(one_of(form.get("value", ""), "value", feats))
    return change_player(table, who, feats=feats or None)


def _island(table: TableFile, player: PlayerReport, form: Form, who: str) -> TableFile:
    island = form.get("value", type=whole)
    return change_player(table, who, island=island or None)


def _hammer(table: TableFile, player: PlayerReport, form: Form, who: str) -> TableFile:
    """`1-9` is lap 1, space 9. Whoever works a Hammer owns its card."""
    value = form.get("value", "")
    if value == "none":
        return change_player(table, who, hammer=None)
    if value == "retired":
        return _with_card(change_player(table, who, hammer="retired"), player, who, "hammer")
    lap, _, position = value.partition("-")
    hammer = {"lap": whole(lap), "position": whole(position or "0")}
    return _with_card(change_player(table, who, hammer=hammer), player, who, "hammer")


def _with_card(table: TableFile, player: PlayerReport, who: str, kind: str, token: str = "") -> TableFile:
    """The table with one card more, if the player has none that gives what was tapped."""
    cards = [
        feat.id for feat in catalog().feats.values()
        if feat.kind == kind and feat.effect.get("token", "") == token
    ]  # fmt: skip
    needed = player.tokens.get(token, 0) + 1 if token else 1
    if sum(feat in cards for feat in player.feats) >= needed:
        return table
    return change_player(table, who, feats=[*player.feats, cards[0]])


def _token(table: TableFile, player: PlayerReport, form: Form, who: str) -> TableFile:
    """One token more, with the card it comes from, or one fewer."""
    token = one_of(form.get("value", ""), "value", list(catalog().tokens))
    by = form.get("by", 1, type=whole)
    tokens = {**player.tokens, token: max(0, player.tokens.get(token, 0) + by)}
    table = change_player(table, who, tokens={name: n for name, n in tokens.items() if n} or None)
    return _with_card(table, player, who, "token", token) if by > 0 else table


def _set(table: TableFile, player: PlayerReport, form: Form, who: str) -> TableFile:
    """Which of two sets lies on a slot."""
    feat = catalog().feats[one_of(form.get("value", ""), "value", list(catalog().feats))]
    sets = {slot: name for slot, name in (table.get("sets") or {}).items() if slot != feat.slot}
    return set_top(table, "sets", sets if feat.first_game else {**sets, feat.slot: feat.id})


TAPS: dict[str, Callable[[TableFile, PlayerReport, Form, str], TableFile]] = {
    "face": _face, "up": _up, "feat": _feat, "no-feat": _no_feat, "island": _island, "hammer": _hammer,
    "token": _token, "set": _set,
}  # fmt: skip

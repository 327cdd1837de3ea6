"""Effects of feats when taken and of reinforcements when used: one function per kind of effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from judge.core.messages import Ref
from judge.rules.dice_forge.faces.applying import Applying
from judge.rules.dice_forge.faces.kinds import apply_faces, settle_choice
from judge.rules.dice_forge.faces.reserves import caps_with, gain, pay
from judge.rules.dice_forge.state.catalog import Feat
from judge.rules.dice_forge.state.desk import Desk, Picks, amounts_in_words, face_ref, face_refs, feat_ref
from judge.rules.dice_forge.state.model import Due, Hammer, Player, Roll
from judge.rules.dice_forge.state.table import Copy, Event, OthersRoll, Placement
from judge.rules.dice_forge.verbs.blessings import (
    converts,
    keep_roll,
    minor_rules,
    receive,
    show_roll,
    which_die,
)
from judge.rules.dice_forge.verbs.forging import (
    can_forge_somewhere,
    check_placement,
    forge,
    is_available,
    located,
    take_face,
)

Take = Callable[[Desk, Player, Feat, Event, Picks], None]
Use = Callable[[Desk, Player, Feat, Event], None]


def _nothing(desk: Desk, player: Player, feat: Feat, event: Event, picks: Picks) -> None:
    """Printed glory only, or an effect that waits for its condition."""


def _hammer(desk: Desk, player: Player, feat: Feat, event: Event, picks: Picks) -> None:
    """The first card begins lap I; a further one waits until the one before is finished (DF-CARD-05)."""
    if player.hammer is None:
        player.hammer = Hammer()
    elif player.hammer.retired:
        player.hammer = Hammer(finished=player.hammer.finished)
    else:
        desk.say("df_hammer_waits", ("DF-CARD-05",), who=player.id)


def _raise_caps(desk: Desk, player: Player, feat: Feat, event: Event, picks: Picks) -> None:
    """Raise the caps for later gains; nothing already lost comes back (DF-RES-10)."""
    player.caps = caps_with(player.feats, desk.catalog)
    desk.say(
        "df_caps", ("DF-RES-05", "DF-RES-10", *feat.rules), who=player.id,
        caps=amounts_in_words(player.caps),
    )  # fmt: skip


def _gain(desk: Desk, player: Player, feat: Feat, event: Event, picks: Picks) -> None:
    gain(desk, player, feat.effect["gain"], picks, feat.rules)


def _per_removed_face(desk: Desk, player: Player, feat: Feat, event: Event, picks: Picks) -> None:
    missing = sum(
        (Counter(start) - Counter(die)).total()
        for start, die in zip(desk.catalog.start_dice, player.dice, strict=True)
    )
    forged = max(len(player.removed), missing)
    if forged > len(player.removed):
        desk.ask("removed", "df_ask_removed", who=player.id, n=forged)
    desk.say("df_faces_forged", feat.rules, forged, who=player.id, n=forged)
    amounts = {letter: n * forged for letter, n in feat.effect["gain"].items()}
    gain(desk, player, amounts, picks, feat.rules)


def _token(desk: Desk, player: Player, feat: Feat, event: Event, picks: Picks) -> None:
    token = feat.effect["token"]
    player.tokens = {**player.tokens, token: player.tokens.get(token, 0) + 1}
    desk.state.slip(player.id, "token-forgotten", token, -1)
    desk.say("df_takes_token", feat.rules, who=player.id, token=Ref("token", token))


def _owe(desk: Desk, player: Player, feat: Feat, kind: str, picks: Picks) -> None:
    """Note rolls that follow as events of their own."""
    picks.may_convert = "convert" in feat.effect
    convert = picks.choices.convert if picks.may_convert else False
    if isinstance(convert, Mapping):
        picks.converted = dict(convert)
    desk.state.due.append(Due(player.id, kind, "card", feat.effect["count"], feat.id, convert=convert))


def _divine_blessings(desk: Desk, player: Player, feat: Feat, event: Event, picks: Picks) -> None:
    _owe(desk, player, feat, "bless", picks)
    desk.say("df_blessings_due", feat.rules, who=player.id, n=feat.effect["count"])


def _minor_blessings(desk: Desk, player: Player, feat: Feat, event: Event, picks: Picks) -> None:
    _owe(desk, player, feat, "minor", picks)
    desk.say("df_minors_due", feat.rules, who=player.id, n=feat.effect["count"])


# --- faces that feats give ----------------------------------------------------------------------------------


def _named_face(desk: Desk, feat: Feat, place: Placement | None) -> str | None:
    """The feat's face that is taken: the only one left, or the one named."""
    left = [face for face in feat.effect["faces"] if is_available(desk, face)]
    named = place.face if place else None
    if named is None:
        return left[0] if len(left) == 1 or len(feat.effect["faces"]) == 1 else None
    if named not in feat.effect["faces"]:
        desk.refuse("df_not_this_face", *feat.rules, face=face_ref(named), feat=feat_ref(feat.id))
    elif named not in left:
        desk.refuse("df_pool_empty", *feat.rules, "DF-OFFER-06", face=face_ref(named))
    else:
        return named
    return None


def _forge(desk: Desk, player: Player, feat: Feat, event: Event, picks: Picks) -> None:
    _forge_on(desk, player, feat, picks.forge())


def _forge_on(desk: Desk, bearer: Player, feat: Feat, wish: Placement | None) -> str | None:
    """Forge the feat's face at once, like any other (DF-FORGE-08). Returns the face, if any."""
    if not any(is_available(desk, face) for face in feat.effect["faces"]):
        desk.say("df_no_face_left", feat.rules, feat=feat_ref(feat.id))
        return None
    face = _named_face(desk, feat, wish)
    if face is None:
        if not desk.refusals:
            desk.ask("forge", "df_ask_face", who=bearer.id, faces=face_refs(feat.effect["faces"]))
        return None
    if not can_forge_somewhere(desk, bearer):
        return None
    if wish is None:
        # nothing is said about the face: it was forged somewhere, and nobody has written down where
        take_face(desk, face)
        desk.ask("forge", "df_ask_place", who=bearer.id, face=face_ref(face))
        return face
    place = located(desk, bearer, Placement(face, wish.die, wish.over), bearer.dice)
    if place is None or not check_placement(desk, bearer, place, bearer.dice):
        return None
    take_face(desk, face)
    kind = desk.catalog.faces[face]
    stays = ("DF-FORGE-07",) if kind.fixed else ()
    forge(desk, bearer, place, ("DF-FORGE-01", "DF-FORGE-08", *feat.rules, *kind.rules, *stays))
    return face


def _give_face(desk: Desk, player: Player, feat: Feat, event: Event, picks: Picks) -> None:
    """Another player must bear the face; the card's owner is rewarded whenever it is applied."""
    wish = picks.forge()
    others = [other.id for other in desk.state.others(player.id)]
    if wish is not None and wish.player is None and len(others) == 1:
        wish = replace(wish, player=others[0])
    if wish is None or wish.player is None:
        desk.ask("forge", "df_ask_bearer", who=player.id, faces=face_refs(feat.effect["faces"]))
        return
    if wish.player == player.id:
        desk.refuse("df_bearer_is_another", *feat.rules, who=player.id)
        return
    if len(desk.state.players) < len(feat.effect["faces"]):
        desk.point("DF-AMB-10")
        desk.say("df_any_colour", ("DF-AMB-10",))
    face = _forge_on(desk, desk.state.players[wish.player], feat, wish)
    if face is not None:
        desk.state.boars[face] = player.id


# --- feats that make the others roll ------------------------------------------------------------------------


def _others_rolls(desk: Desk, player: Player, feat: Feat, event: Event) -> list[OthersRoll]:
    """The rolls of all other players, shown on their dice; missing ones are asked for."""
    roll_of = {roll.player: roll for roll in event.rolls}
    if player.id in roll_of:
        desk.refuse("df_only_others_roll", *feat.rules, who=player.id)
    missing = [other.id for other in desk.state.others(player.id) if other.id not in roll_of]
    if missing:
        desk.ask("rolls", "df_ask_others_rolls", who=missing, feat=feat_ref(feat.id))
    for roll in event.rolls:
        if show_roll(desk, desk.state.players[roll.player], roll.faces, (0, 1)):
            desk.state.close_roll(roll.player)
    return [roll for roll in event.rolls if roll.player != player.id]


def _use_rolled_dice(desk: Desk, player: Player, feat: Feat, event: Event, picks: Picks) -> None:
    """The others roll; two of those dice are applied as the performer's own blessing."""
    rolls = {roll.player: roll.faces for roll in _others_rolls(desk, player, feat, event)}
    wishes = [wish for wish in (picks.copy() for _ in range(feat.effect["count"])) if wish is not None]
    if len(wishes) < feat.effect["count"]:
        desk.ask("copy", "df_ask_two_dice", who=player.id)
        return
    if len({(wish.player, wish.die) for wish in wishes}) < len(wishes):
        desk.refuse("df_two_different_dice", *feat.rules)
    if any(wish.player == player.id for wish in wishes):
        desk.refuse("df_only_others_roll", *feat.rules, who=player.id)
    if desk.refusals or any(wish.player not in rolls for wish in wishes):
        return
    faces = tuple(rolls[wish.player][wish.die - 1] for wish in wishes)
    _say_used(desk, player, feat, wishes, faces)
    apply_faces(Applying(desk, player, picks, minor=False), faces, (0, 1))
    if desk.rulings.get("DF-AMB-07") == "b":
        keep_roll(desk, player, Roll(faces, (0, 1)))


def _say_used(desk: Desk, player: Player, feat: Feat, wishes: list[Copy], faces: tuple[str, ...]) -> None:
    owners = [wish.player for wish in wishes]
    desk.say("df_uses_dice", feat.rules, who=player.id, owners=owners, faces=face_refs(faces))


def _loss_rolls(desk: Desk, player: Player, feat: Feat, event: Event, picks: Picks) -> None:
    """The others roll and lose what the faces would give, glory included; nobody gains it."""
    seats = desk.state.from_active()
    for roll in sorted(_others_rolls(desk, player, feat, event), key=lambda roll: seats.index(roll.player)):
        loser = desk.state.players[roll.player]
        own = Picks(roll.choices, loser) if roll.choices else picks
        desk.say("df_rolls_losses", feat.rules, who=loser.id, faces=face_refs(roll.faces))
        if not desk.refusals:
            apply_faces(Applying(desk, loser, own, minor=False, loss=True), roll.faces, (0, 1))
        if own is not picks:
            own.refuse_leftovers(desk)


OTHERS_ROLL = ("use_rolled_dice", "loss_rolls")
TAKE: dict[str, Take] = {
    "nothing": _nothing,
    "oust_reward": _nothing,
    "hammer": _hammer,
    "raise_caps": _raise_caps,
    "gain": _gain,
    "per_removed_face": _per_removed_face,
    "token": _token,
    "divine_blessings": _divine_blessings,
    "minor_blessings": _minor_blessings,
    "forge": _forge,
    "give_face": _give_face,
    "use_rolled_dice": _use_rolled_dice,
    "loss_rolls": _loss_rolls,
}


# --- reinforcements -----------------------------------------------------------------------------------------


def _use_minor(desk: Desk, player: Player, feat: Feat, event: Event) -> None:
    """The roll is part of the event, or follows as a `minor` event of its own."""
    if event.rolled is None:
        desk.state.due.append(Due(player.id, "minor", "card", feat.effect["count"], feat.id))
        return
    die = which_die(player, [(event.rolled, event.die)])
    picks = Picks(event.choices, player)
    receive(desk, player, (event.rolled,), (die,), picks, minor_rules(feat), converts(feat))
    picks.refuse_leftovers(desk)


def _use_exchange(desk: Desk, player: Player, feat: Feat, event: Event) -> None:
    picks = Picks(event.choices, player)
    pay(player, feat.effect["pay"])
    rules = (*feat.rules, "DF-REINF-04")
    desk.say("df_pays", rules, who=player.id, cost=amounts_in_words(feat.effect["pay"]))
    gain(desk, player, feat.effect["gain"], picks, rules)
    picks.refuse_leftovers(desk)


def _use_choice(desk: Desk, player: Player, feat: Feat, event: Event) -> None:
    picks = Picks(event.choices, player)
    option = settle_choice(desk, player.id, feat.effect["options"], picks.choose(), feat.rules)
    if option is not None:
        gain(desk, player, option, picks, feat.rules)
    picks.refuse_leftovers(desk)


USE: dict[str, Use] = {"minor_blessings": _use_minor, "exchange": _use_exchange, "choice": _use_choice}
FEAT_KINDS = frozenset(TAKE) | frozenset(USE)

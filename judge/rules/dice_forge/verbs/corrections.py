"""What else is done at a table: gains, losses and corrections that the file states, and dice laid back."""

from __future__ import annotations

from judge.rules.dice_forge.faces.reserves import gain, lose
from judge.rules.dice_forge.state.desk import Desk, Picks, face_ref
from judge.rules.dice_forge.state.model import Player
from judge.rules.dice_forge.state.table import Event, Placement
from judge.rules.dice_forge.verbs.forging import put_on


def does(desk: Desk, event: Event) -> None:
    """Anything else done at the table, taken as the file says."""
    player = desk.state.players[event.by]
    desk.say("df_does", (), who=event.by, what=event.value)
    picks = Picks(event.choices, player)
    if event.lose:
        _take_back(desk, player, event)
    if event.gain:
        gain(desk, player, event.gain, picks, ())
    _lay_back(desk, player, event)
    if event.choices.forge is not None and event.choices.forge.instead is not None:
        _forge_elsewhere(desk, player, picks)
    picks.refuse_leftovers(desk)


def _take_back(desk: Desk, player: Player, event: Event) -> None:
    """A loss; glory and its 100 tokens are one total here, because the file corrects it."""
    amounts = {letter: n for letter, n in event.lose.items() if letter != "V"}
    if "V" in event.lose:
        total = player.have["V"] + desk.catalog.glory_token * player.hundreds
        left = max(0, total - event.lose["V"])
        desk.say("df_glory_corrected", ("DF-RES-07", "DF-RES-09"), left, who=player.id, before=total, n=left)
        player.hundreds, player.have["V"] = divmod(left, desk.catalog.glory_token)
    lose(desk, player, amounts, ("DF-RES-09",))


def _lay_back(desk: Desk, player: Player, event: Event) -> None:
    """Dice that were picked up go back on the faces that were displayed (DF-DICE-05)."""
    for die, face in enumerate(event.shown):
        if face is None:
            continue
        shown = player.shown[die]
        if face not in player.dice[die]:
            desk.refuse("df_cannot_be_rolled", "DF-DICE-02", who=player.id, die=die + 1, face=face_ref(face))
        elif shown is not None and shown != face:
            desk.refuse(
                "df_put_back_as_it_was", "DF-DICE-05", who=player.id, die=die + 1, face=face_ref(shown)
            )
        else:
            player.show(die, face)


def _forge_elsewhere(desk: Desk, player: Player, picks: Picks) -> None:
    """A face was forged in the wrong place: the face taken off by mistake returns, the right one goes."""
    place = picks.forge()
    if place is None or place.instead is None or place.face is None:
        return
    die, back = place.instead
    right = Placement(place.face, place.die or die, place.over)
    if place.face not in player.dice[die - 1]:
        desk.refuse("df_not_on_die", "DF-FORGE-02", die=die, over=face_ref(place.face))
        return
    dice = put_on(player.dice, Placement(back, die, place.face))
    if right.die is None or right.over is None or right.over not in dice[right.die - 1]:
        desk.refuse("df_not_on_die", "DF-FORGE-02", die=right.die, over=face_ref(right.over or ""))
        return
    if desk.catalog.faces[right.over].fixed:
        desk.refuse("df_boar_stays", "DF-FORGE-07", over=face_ref(right.over))
        return
    removed = list(player.removed)
    if back in removed:
        removed.remove(back)
    player.dice, player.removed = put_on(dice, right), (*removed, right.over)
    if right.die != die:
        # nobody has said which face the other die showed before
        player.shown = (None, player.shown[1]) if die == 1 else (player.shown[0], None)
    player.show(right.die - 1, place.face)
    player.laid = player.laid | {right.die - 1}
    desk.say(
        "df_forged_elsewhere", ("DF-FORGE-02", "DF-FORGE-03", "DF-DICE-03"), who=player.id,
        face=face_ref(place.face), over=face_ref(right.over), back=face_ref(back), die=right.die,
    )  # fmt: skip

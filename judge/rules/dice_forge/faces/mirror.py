"""Mirror faces: which face of an opponent one copies, and what a Mirror does with a Mirror (DF-AMB-02)."""

from __future__ import annotations

from judge.rules.dice_forge.faces.applying import Applying
from judge.rules.dice_forge.state.catalog import Face
from judge.rules.dice_forge.state.desk import face_ref
from judge.rules.dice_forge.state.model import Player


def copied_face(roll: Applying, die: int, beside: Face | None) -> Face | None:
    """The face a Mirror copies; None if it gives nothing (DF-FACE-07)."""
    desk, catalog = roll.desk, roll.desk.catalog
    displayed = [face for other in desk.state.others(roll.player.id) for face in other.shown]
    if all(face is not None and catalog.faces[face].kind == "copy_displayed" for face in displayed):
        roll.picks.copy()
        desk.point("DF-AMB-02")
        desk.say("df_only_mirrors", ("DF-FACE-07", "DF-AMB-02"), 0, who=roll.player.id)
        return None
    wish = roll.picks.copy()
    if wish is None:
        desk.ask("copy", "df_ask_copy", who=roll.player.id)
        return None
    if wish.player == roll.player.id:
        desk.refuse("df_copy_own", "DF-FACE-07", who=roll.player.id)
        return None
    owner = desk.state.players[wish.player]
    face = owner.shown[wish.die - 1]
    if face is None:
        desk.ask("shown", "df_ask_shown", who=wish.player, die=wish.die)
        return None
    if face not in owner.dice[wish.die - 1]:
        desk.refuse(
            "df_cannot_be_shown", "DF-FACE-07", "DF-TERM-08", who=owner.id, die=wish.die, face=face_ref(face)
        )
        return None
    if catalog.faces[face].kind == "copy_displayed":
        return _mirror_in_mirror(roll, die, beside)
    if _was_forged(owner, wish.die - 1, face) and desk.adopted("DF-AMB-03") == "b":
        desk.refuse("df_only_rolled_faces", "DF-FACE-07", "DF-AMB-03", owner=owner.id, face=face_ref(face))
        return None
    _say_copied(roll, owner, wish.die - 1, catalog.faces[face], beside)
    return catalog.faces[face]


def _was_forged(owner: Player, die: int, face: str) -> bool:
    """Whether a face is up because it was forged, not rolled (DF-AMB-03)."""
    return die in owner.laid and owner.shown[die] == face


def _say_copied(roll: Applying, owner: Player, die: int, face: Face, beside: Face | None) -> None:
    rules = ["DF-FACE-07", "DF-TERM-08"]
    if face.kind == "multiply" and beside is not None:
        rules.append("DF-FACE-09")
    if beside is not None and beside.kind == "multiply":
        rules.append("DF-FACE-08")
    if _was_forged(owner, die, face.id):
        rules.append("DF-AMB-03")
    roll.desk.say("df_copies", rules, who=roll.player.id, owner=owner.id, face=face_ref(face.id))


def _mirror_in_mirror(roll: Applying, die: int, beside: Face | None) -> Face | None:
    """DF-AMB-02: (a) the copied Mirror shows one of your own faces, (b) a Mirror cannot be copied."""
    desk, player = roll.desk, roll.player
    if desk.reading("DF-AMB-02") == "b":
        # the roll stands: another face has to be copied
        desk.say("df_mirror_forbidden", ("DF-AMB-02",), 0, who=player.id)
        desk.ask("copy", "df_ask_copy", who=player.id)
        return None
    wish = roll.picks.peek_copy()
    at = 1 - die
    if wish is not None and wish.player == player.id:
        roll.picks.copy()
        at = wish.die - 1
    shown = player.shown[at]
    own = beside if beside is not None and at == 1 - die else shown and desk.catalog.faces[shown]
    if not own or own.kind == "copy_displayed":
        desk.say("df_only_mirrors", ("DF-AMB-02",), 0, who=player.id)
        return None
    desk.say("df_mirror_reflects", ("DF-AMB-02",), who=player.id, face=face_ref(own.id))
    return own

"""Divine and minor blessings: who is due one, what was rolled, and the tokens that apply a roll again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judge.core.messages import Message
from judge.rules.dice_forge.faces.applying import Applying
from judge.rules.dice_forge.faces.kinds import apply_faces
from judge.rules.dice_forge.state.catalog import RESOURCES, Feat
from judge.rules.dice_forge.state.desk import Desk, Picks, amounts_in_words, face_ref, face_refs, feat_ref
from judge.rules.dice_forge.state.model import Due, Player, Roll, State
from judge.rules.dice_forge.state.table import Choices, Event
from judge.rules.dice_forge.verbs.tokens import spend_token


def show_roll(desk: Desk, player: Player, faces: tuple[str, ...], dice: tuple[int, ...]) -> bool:
    """Lay the rolled dice with their faces up; refuse a face that the die does not bear."""
    ok = True
    for face, die in zip(faces, dice, strict=True):
        if face in player.dice[die]:
            player.show(die, face)
        else:
            desk.refuse(
                "df_cannot_be_rolled", "DF-BLESS-02", "DF-DICE-02", who=player.id, die=die + 1,
                face=face_ref(face),
            )  # fmt: skip
            ok = False
    if player.laid:
        player.laid = player.laid - set(dice)
    return ok


def receive(
    desk: Desk,
    player: Player,
    faces: tuple[str, ...],
    dice: tuple[int, ...],
    picks: Picks,
    rules: tuple[str, ...],
    convert: Mapping[str, int] | None = None,
) -> None:
    """Carry out a rolled blessing: show it, apply it, and keep it for a token that applies it again."""
    desk.state.close_roll(player.id)
    if not show_roll(desk, player, faces, dice):
        return
    minor = len(faces) == 1
    key = "df_rolls_minor" if minor else "df_rolls"
    desk.say(key, rules, who=player.id, faces=face_refs(faces), die=dice[0] + 1)
    if minor:
        _slip_other_die(desk, player, 1 - dice[0])
    apply_faces(Applying(desk, player, picks, minor, convert=convert, between=spend_token), faces, dice)
    keep_roll(desk, player, Roll(faces, dice, convert))


def keep_roll(desk: Desk, player: Player, roll: Roll) -> None:
    """Keep a roll, but only for a player who holds a token to apply it again."""
    tokens, held = desk.catalog.tokens, player.tokens
    if held and any(n and tokens[token].kind == "repeat_roll" for token, n in held.items()):
        desk.state.rolls[player.id] = roll


def _slip_other_die(desk: Desk, player: Player, die: int) -> None:
    """Note the mistake of also applying the die that was not rolled (DF-BLESS-06)."""
    shown = player.shown[die]
    if shown is not None:
        for letter, n in desk.catalog.faces[shown].effect.get("gain", {}).items():
            desk.state.slip(player.id, "other-die-counted", letter, n)


def glory_of(player: Player, glory_token: int) -> int:
    return player.have["V"] + glory_token * player.hundreds


def slip_forgotten(desk: Desk, player: Player, mistake: str, before: Mapping[str, int], glory: int) -> None:
    """Note the mistake of forgetting this blessing: what the player gained since `before`."""
    for letter in RESOURCES:
        now = glory_of(player, desk.catalog.glory_token) if letter == "V" else player.have[letter]
        then = glory if letter == "V" else before[letter]
        if now != then:
            desk.state.slip(player.id, mistake, letter, then - now)


def bless(desk: Desk, event: Event) -> None:
    player = desk.state.players[event.by]
    due = desk.state.due_to(event.by, "bless", event.cause)
    if event.cause == "step-1" or (event.cause is None and due is None):
        _bless_in_step_1(desk, player, event)
    elif due is not None:
        _bless_due(desk, player, event, due)
    else:
        _refuse_not_due(desk, player, event)


def step_1_blessings(state: State, rulings: Mapping[str, str]) -> int:
    """How often everybody is blessed in step 1 of each turn: twice with two players (DF-AMB-01)."""
    n = state.seating.step1_blessings_per_turn
    return 1 if rulings.get("DF-AMB-01") == "b" and state.active != state.first else n


def _bless_in_step_1(desk: Desk, player: Player, event: Event) -> None:
    state = desk.state
    if state.step != 1:
        desk.refuse("df_step_1_over", "DF-BLESS-01", "DF-BLESS-03", "DF-TURN-03", step=state.step)
        return
    done, per_turn = state.blessed.get(player.id, 0), step_1_blessings(state, desk.rulings)
    if done >= per_turn:
        if per_turn < state.seating.step1_blessings_per_turn:
            desk.point("DF-AMB-01")
        open_point = ("DF-AMB-01",) if "DF-AMB-01" in desk.points else ()
        desk.refuse(
            "df_blessed_already",
            "DF-BLESS-01",
            "DF-SET-12",
            "DF-BLESS-08",
            *open_point,
            who=player.id,
            n=done,
        )
        return
    state.blessed[player.id] = done + 1
    rules: tuple[str, ...] = ("DF-BLESS-01", "DF-BLESS-02", "DF-BLESS-03")
    if per_turn > 1:
        rules += ("DF-SET-12", "DF-BLESS-08")
        if done and state.active != state.first:
            desk.point("DF-AMB-01")
    before, glory = player.have.copy() if done else {}, glory_of(player, desk.catalog.glory_token)
    picks = Picks(event.choices, player)
    receive(desk, player, event.value, (0, 1), picks, rules)
    if done:
        slip_forgotten(desk, player, "second-blessing-forgotten", before, glory)
    picks.refuse_leftovers(desk)


def _bless_due(desk: Desk, player: Player, event: Event, due: Due) -> None:
    feat = desk.catalog.feats[due.feat] if due.feat else None
    rules = (
        "DF-BLESS-02",
        "DF-BLESS-03",
        *(feat.rules if feat else ("DF-OUST-02", "DF-OUST-03", "DF-OUST-09")),
    )
    before, glory = player.have.copy(), glory_of(player, desk.catalog.glory_token)
    picks = Picks(choices_for(event, due), player)
    receive(desk, player, event.value, (0, 1), picks, rules, converts(feat))
    hand_on_conversion(desk, event, due, picks)
    if due.cause == "oust":
        slip_forgotten(desk, player, "oust-blessing-forgotten", before, glory)
    picks.refuse_leftovers(desk)
    use_up(desk, due)


def choices_for(event: Event, due: Due) -> Choices:
    """The event's own choices; the feat's event may already have said what is converted into glory."""
    if not due.convert or event.choices.convert:
        return event.choices
    return replace(event.choices, convert=due.convert)


def hand_on_conversion(desk: Desk, event: Event, due: Due, picks: Picks) -> None:
    """Keep what the feat's event wants to convert and this roll did not give for the rolls to come."""
    wish = due.convert
    if event.choices.convert or not isinstance(wish, Mapping):
        return
    left = {letter: n - picks.converted.get(letter, 0) for letter, n in wish.items()}
    left = {letter: n for letter, n in left.items() if n > 0}
    due.convert = left or False
    if left and due.left == 1:
        desk.ask("convert", "df_ask_convert", who=due.player, what=amounts_in_words(left))
    picks.converted = dict(wish)


def use_up(desk: Desk, due: Due) -> None:
    due.left -= 1
    if not due.left:
        desk.state.due.remove(due)


def converts(feat: Feat | None) -> Mapping[str, int] | None:
    """The resources a feat lets its owner convert, with the glory per unit (Sentinel, Cyclops)."""
    offer = feat.effect.get("convert") if feat else None
    return dict.fromkeys(offer["from"], offer["glory"]) if offer else None


def _refuse_not_due(desk: Desk, player: Player, event: Event) -> None:
    doubled = desk.state.seating.step1_blessings_per_turn > 1
    if event.cause == "oust":
        own = player.id == desk.state.active
        rules = ("DF-OUST-05" if own else "DF-OUST-02", "DF-BLESS-03", *(("DF-BLESS-08",) if doubled else ()))
        desk.refuse("df_not_ousted", *rules, who=player.id)
        return
    feat = desk.catalog.feats[desk.state.last_feat] if desk.state.last_feat else None
    rules = ("DF-BLESS-03", *(feat.rules if feat else ()), *(("DF-BLESS-08",) if doubled else ()))
    desk.refuse("df_no_blessing_due", *rules, who=player.id)


def minor(desk: Desk, event: Event) -> None:
    player = desk.state.players[event.by]
    due = desk.state.due_to(event.by, "minor")
    if due is None or event.cause not in (None, "card"):
        rule = "DF-BLESS-05" if desk.state.step == 1 else "DF-BLESS-04"
        feat = desk.catalog.feats[desk.state.last_feat] if desk.state.last_feat else None
        desk.refuse("df_no_minor_due", rule, "DF-BLESS-05", *(feat.rules if feat else ()), who=player.id)
        return
    feat = desk.catalog.feats[due.feat or ""]
    rolls = [(event.value, event.die), *desk.coming.minors(player.id)][: due.left]
    die = which_die(player, rolls, due.die)
    if due.die is not None and die != due.die:
        desk.refuse("df_same_die", *feat.rules, die=due.die + 1)
        return
    due.die = die
    picks = Picks(choices_for(event, due), player)
    receive(desk, player, (event.value,), (die,), picks, minor_rules(feat), converts(feat))
    hand_on_conversion(desk, event, due, picks)
    picks.refuse_leftovers(desk)
    use_up(desk, due)


def which_die(player: Player, rolls: Sequence[tuple[str, int | None]], before: int | None = None) -> int:
    """The rolled die, counted from 0: the one named, the one used before, else the one that bears the faces
    of this and of the following rolls, because all of them are rolled with the same die."""
    face, named = rolls[0]
    if named is not None:
        return named - 1
    if before is not None and (face in player.dice[before] or face not in player.dice[1 - before]):
        return before
    return max((0, 1), key=lambda die: _fitting(player, rolls, die))


def _fitting(player: Player, rolls: Sequence[tuple[str, int | None]], die: int) -> int:
    """How many of the rolls, from the first one on, can have been made with a die."""
    for n, (face, named) in enumerate(rolls):
        if face not in player.dice[die] or named not in (None, die + 1):
            return n
    return len(rolls)


def minor_rules(feat: Feat) -> tuple[str, ...]:
    return (*feat.rules, "DF-BLESS-04", "DF-BLESS-06")


def drop_unrolled(desk: Desk, player: str | None = None) -> None:
    """Drop rolls that are due but never entered; the ruling goes on without them."""
    state = desk.state
    for due in state.due:
        if player in (None, due.player):
            card = feat_ref(due.feat) if due.feat else Message("df_the_ousting")
            desk.ask("rolls", "df_ask_rolls", who=due.player, n=due.left, cause=card)
    state.due = [due for due in state.due if player not in (None, due.player)]

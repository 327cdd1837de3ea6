"""Applies rolled faces: one function per kind of face, in two registries.

A roll is settled in two passes. First every face is settled (what a Mirror copies, which option is taken),
because a Shield or an x3 looks at the other die; then the faces are applied in the order the roller chose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from judge.rules.dice_forge.faces.applying import Applying, Showing
from judge.rules.dice_forge.faces.mirror import copied_face
from judge.rules.dice_forge.faces.reserves import gain, lose
from judge.rules.dice_forge.state.catalog import Amounts
from judge.rules.dice_forge.state.desk import Desk, amounts_in_words, face_ref, resource_ref
from judge.rules.dice_forge.state.table import Event, Placement
from judge.rules.dice_forge.verbs.forging import buy_from_ship


def apply_faces(roll: Applying, faces: tuple[str, ...], dice: tuple[int, ...]) -> None:
    """Apply a minor blessing (one face) or a divine one (two), as gains or as losses."""
    catalog = roll.desk.catalog
    roll.picks.may_convert = roll.picks.may_convert or roll.convert is not None
    rolled = [catalog.faces[face] for face in faces]
    order = (0,) if roll.minor else tuple([n - 1 for n in roll.picks.choices.order])
    if len(rolled) == 2 and order != (0, 1):
        roll.desk.say("df_order_chosen", ("DF-BLESS-02", "DF-PRIO-02"), who=roll.player.id)
    shown: list[Showing] = []
    for n in order:
        face = rolled[n]
        other = rolled[1 - n] if len(rolled) == 2 else None
        if face.kind == "copy_displayed":
            copied = copied_face(roll, dice[n], other)
            if copied is None:
                continue
            face = copied
        shown.append(Showing(face, dice[n]))
    _pair_up(roll, shown, len(rolled))
    for showing in shown:
        _SETTLE[showing.face.kind](roll, showing)
    for n, showing in enumerate(shown):
        if n == 1:
            _spend_between(roll)
        if showing.is_hidden:
            roll.desk.say("df_hidden_face", ("DF-AMB-12",), 0, face=face_ref(showing.face.id))
            continue
        _APPLY[showing.face.kind](roll, showing)
        showing.is_applied = True
    if len(rolled) == 2 and len(shown) < 2:
        _spend_between(roll)


def _spend_between(roll: Applying) -> None:
    """Spend a token between the two faces: each of them is a gain of its own (DF-BLESS-07)."""
    if roll.between is None:
        return
    event = roll.picks.between()
    if event is not None:
        roll.between(roll.desk, event)


def _pair_up(roll: Applying, shown: list[Showing], rolled: int) -> None:
    """Apply an x3 to the face beside it: besides Shields the only face that looks at the other die."""
    multiplies = [showing for showing in shown if showing.face.kind == "multiply"]
    if rolled == 1 and multiplies:
        roll.desk.say("df_x3_alone", ("DF-FACE-05",), 0, who=roll.player.id)
    if len(shown) < 2:
        return
    first, second = shown
    first.other, second.other = second, first
    if len(multiplies) == 2:
        roll.desk.say("df_x3_twice", ("DF-FACE-04",), 0, who=roll.player.id)
    elif multiplies:
        tripled = first if multiplies[0] is second else second
        tripled.factor = multiplies[0].face.effect["factor"]
        rules, named = multiplies[0].face.rules, face_ref(tripled.face.id)
        roll.desk.say("df_triples", rules, who=roll.player.id, face=named)
        tripled.rules = (*rules, *_tripled_by(tripled.face.kind))
        if tripled.face.kind == "buy":
            roll.picks.rules += ("DF-FACE-11",)
        roll.picks.multiplied = roll.picks.multiplied or "DF-FACE-06" in tripled.rules


def _tripled_by(kind: str) -> tuple[str, ...]:
    return {
        "choice": ("DF-FACE-06",), "buy": ("DF-FACE-11",), "shield": ("DF-FACE-16",), "boar": ("DF-FACE-06",),
    }.get(kind, ())  # fmt: skip


# --- first pass: what each face gives -----------------------------------------------------------------------


def settle_choice(
    desk: Desk, who: str, options: list[Amounts], letter: str | None, rules: tuple[str, ...]
) -> Amounts | None:
    """The option a letter stands for. Exactly one is taken (DF-FACE-02)."""
    if letter is None:
        desk.ask("choose", "df_ask_choose", who=who)
        return None
    if letter == "none":
        if desk.adopted("DF-AMB-09") == "b":
            desk.say("df_declines", ("DF-AMB-09",), who=who)
        else:
            desk.refuse("df_no_declining", "DF-FACE-02", "DF-AMB-09", who=who)
        return None
    for option in options:
        if letter in option:
            return option
    letters = [resource_ref(word) for option in options for word in option]
    desk.refuse("df_not_an_option", *rules, choice=resource_ref(letter), options=letters)
    return None


def _settle_plain(roll: Applying, showing: Showing) -> None:
    showing.gives = showing.face.effect["gain"]


def _settle_choice(roll: Applying, showing: Showing) -> None:
    options, rules = showing.face.effect["options"], showing.face.rules
    showing.gives = settle_choice(roll.desk, roll.player.id, options, roll.picks.choose(), rules)


def _settle_boar(roll: Applying, showing: Showing) -> None:
    """The bearer chooses first, then the owner of the card: three times beside an x3 (DF-AMB-06)."""
    desk, effect, rules = roll.desk, showing.face.effect, showing.face.rules
    showing.gives = settle_choice(desk, roll.player.id, effect["bearer"], roll.picks.choose(), rules)
    owner = desk.state.boars.get(showing.face.id)
    if owner is None:
        for _ in range(showing.factor):
            roll.picks.choose()
        desk.ask("boars", "df_ask_boar_owner", face=face_ref(showing.face.id))
        return
    times = showing.factor
    if times > 1 and desk.adopted("DF-AMB-06") == "b":
        times = 1
    letter = None
    for _ in range(times):
        letter = roll.picks.choose() or letter
        taken = settle_choice(desk, owner, effect["owner"], letter, rules)
        if taken is None:
            return
        showing.owner_takes.append(taken)


def _settle_nothing(roll: Applying, showing: Showing) -> None:
    """Nothing to settle: an x3 gives nothing itself; a Ship's effect is known only when it is applied."""


def _settle_shield(roll: Applying, showing: Showing) -> None:
    """A Shield's reward depends on the other die; note here whether a gain there is lost to the cap."""
    letter = showing.face.effect["matches"]
    showing.was_full = letter != "V" and roll.player.have[letter] >= roll.player.caps[letter]


_SETTLE: dict[str, Callable[[Applying, Showing], None]] = {
    "gain": _settle_plain,
    "choice": _settle_choice,
    "boar": _settle_boar,
    "multiply": _settle_nothing,
    "buy": _settle_nothing,
    "shield": _settle_shield,
}


# --- second pass: applying them -----------------------------------------------------------------------------


def _apply_gain(roll: Applying, showing: Showing) -> None:
    if showing.gives is None:
        return
    amounts = {letter: n * showing.factor for letter, n in showing.gives.items()}
    rules = (*showing.face.rules, *showing.rules, "DF-BLESS-07")
    if roll.loss:
        lose(roll.desk, roll.player, amounts, rules)
        return
    before = roll.player.have.copy() if showing.factor > 1 else {}
    gain(roll.desk, roll.player, amounts, roll.picks, rules, roll.convert)
    if before:
        _slip_untripled(roll, showing, showing.gives, before)


def _slip_untripled(roll: Applying, showing: Showing, gives: Amounts, before: Mapping[str, int]) -> None:
    """Note the mistake of forgetting the x3; where the cap cut the gain, it costs less."""
    player = roll.player
    for letter, n in gives.items():
        if letter == "V":
            missing = n * (showing.factor - 1)
        else:
            missing = player.have[letter] - min(before[letter] + n, player.caps[letter])
        roll.desk.state.slip(player.id, "triple-forgotten", letter, -missing)


def _apply_boar(roll: Applying, showing: Showing) -> None:
    """The card's owner gains a reward whoever applies the face, even if the bearer loses (DF-CARD-10)."""
    _apply_gain(roll, showing)
    owner = roll.desk.state.boars.get(showing.face.id)
    if owner is None:
        return
    rules = (*showing.face.rules, "DF-CARD-10", *(("DF-AMB-06",) if showing.factor > 1 else ()))
    if showing.owner_takes:
        roll.desk.say("df_boar_pays", rules, owner=owner, who=roll.player.id, face=face_ref(showing.face.id))
    for taken in showing.owner_takes:
        gain(roll.desk, roll.desk.state.players[owner], taken, None, rules)


def _apply_shield(roll: Applying, showing: Showing) -> None:
    """5 glory if the other die gives the Shield's own resource, else the lower reward (DF-FACE-14)."""
    effect, other = showing.face.effect, showing.other
    letter = effect["matches"]
    if roll.minor:
        showing.rules += ("DF-FACE-15",)
    is_match = other is not None and letter in _given_by(other)
    lost_to_the_cap = is_match and showing.was_full and not roll.loss
    if other is not None and (other.face.kind == "buy" or lost_to_the_cap):
        showing.rules += ("DF-AMB-05",)
        if roll.desk.adopted("DF-AMB-05") == "b":
            is_match = False
    if is_match and other is not None and _same_shield(showing, other):
        showing.rules += ("DF-AMB-13",)
        is_match = roll.desk.adopted("DF-AMB-13") == "a"
    if is_match and other is not None and _is_turned_down(roll, other, letter):
        showing.rules += ("DF-AMB-15",)
        is_match = roll.desk.adopted("DF-AMB-15") == "a"
    showing.gives = effect["if_match"] if is_match else effect["otherwise"]
    roll.desk.say(
        "df_shield_match" if is_match else "df_shield_lower", (*showing.face.rules, *showing.rules),
        who=roll.player.id, resource=resource_ref(letter), what=amounts_in_words(showing.gives),
    )  # fmt: skip
    _apply_gain(roll, showing)


def _same_shield(showing: Showing, other: Showing) -> bool:
    """Whether two Mirrors copied the same Shield, so that each of them looks at itself (DF-AMB-13)."""
    return other.face.id == showing.face.id


def _is_turned_down(roll: Applying, other: Showing, letter: str) -> bool:
    """Whether all of the resource on the other die is turned down for glory (DF-AMB-15)."""
    if roll.convert is None or letter not in roll.convert:
        return False
    wish = roll.picks.choices.convert
    gain = _given_by(other).get(letter, 0) * other.factor
    return wish.get(letter, 0) >= gain if isinstance(wish, Mapping) else wish


def _given_by(showing: Showing) -> Amounts:
    """What the other die gives; of two Shields each counts as its lower reward."""
    if showing.face.kind == "shield":
        lower: Amounts = showing.face.effect["otherwise"]
        return lower
    return showing.gives or {}


def _apply_ship(roll: Applying, showing: Showing) -> None:
    if roll.loss:
        roll.desk.say("df_ship_idle", ("DF-CARD-20",), who=roll.player.id)
        return
    discount = showing.face.effect["discount"] * showing.factor
    wish = roll.picks.buy()
    if wish is None:
        roll.desk.say("df_ship_unused", showing.face.rules, who=roll.player.id)
        ships = roll.desk.state.ships
        ships[roll.player.id] = (*ships.get(roll.player.id, ()), discount)
        return
    rules = (*showing.face.rules, *showing.rules)
    other = showing.other
    if other is not None and other.gives and "G" in other.gives:
        rules += ("DF-FACE-12",)
    _hide_other(roll, showing, wish)
    buy_from_ship(roll.desk, roll.player, wish, discount, rules)


def _hide_other(roll: Applying, showing: Showing, wish: Placement) -> None:
    """Note an open point: the face goes on the other rolled die, which is not applied yet (DF-AMB-12)."""
    other = showing.other
    if other is None or other.is_applied or wish.die != other.die + 1 or other.face.kind == "multiply":
        return
    other.is_hidden = roll.desk.adopted("DF-AMB-12") == "b"


def buy_later(desk: Desk, event: Event) -> None:
    """Buy with a Ship of the blessing just received, as an event of its own: the roll stands in any case."""
    player = desk.state.players[event.by]
    discounts = desk.state.ships.get(player.id, ())
    if not discounts:
        desk.refuse("df_no_ship_shown", "DF-FACE-10", who=player.id)
        return
    desk.state.ships[player.id] = discounts[1:]
    ship = next(face for face in desk.catalog.faces.values() if face.kind == "buy")
    rules = ship.rules + (("DF-FACE-11",) if discounts[0] > ship.effect["discount"] else ())
    buy_from_ship(desk, player, event.value, discounts[0], rules)


def _apply_nothing(roll: Applying, showing: Showing) -> None:
    """Nothing to apply: an x3 only multiplies."""


_APPLY: dict[str, Callable[[Applying, Showing], None]] = {
    "gain": _apply_gain,
    "choice": _apply_gain,
    "boar": _apply_boar,
    "multiply": _apply_nothing,
    "buy": _apply_ship,
    "shield": _apply_shield,
}

FACE_KINDS = frozenset(_APPLY) | {"copy_displayed"}

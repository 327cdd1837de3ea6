"""Takes faces from the Temple and forges them on dice: offerings, Ship purchases, faces that feats give."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from judge.rules.dice_forge.faces.reserves import pay
from judge.rules.dice_forge.state.desk import Desk, face_ref, face_refs
from judge.rules.dice_forge.state.model import Dice, Player
from judge.rules.dice_forge.state.table import Placement


def is_available(desk: Desk, face: str, taken: int = 0) -> bool:
    """Whether a face is still in its pool after `taken` of them are gone; pools are never refilled."""
    pool = desk.catalog.pool_of.get(face)
    return pool is not None and desk.state.stock[face] > 0 and desk.state.left[pool] > taken


def take_face(desk: Desk, face: str) -> None:
    """Take a face out of its pool. With two players the file may not say which faces set-up removed."""
    state, pool = desk.state, desk.catalog.pool_of[face]
    if sum(state.stock[kind] for kind in desk.catalog.pools[pool].faces) > state.left[pool] and (
        len(desk.catalog.pools[pool].faces) > 1
    ):
        desk.ask("pools", "df_ask_pool", pool=pool, face=face_ref(face))
    state.stock[face] -= 1
    state.left[pool] -= 1


def can_forge_somewhere(desk: Desk, player: Player) -> bool:
    return any(not desk.catalog.faces[face].fixed for die in player.dice for face in die)


def located(desk: Desk, player: Player, place: Placement, dice: Dice) -> Placement | None:
    """A placement with what the dice tell: the only die with that face, or the only kind of face on that die.

    None if half of it is said and the rest must be asked for; a face without any place is kept back.
    """
    if (place.die is None) == (place.over is None):
        return place
    if place.die is None:
        dice_with_it = [n for n, die in enumerate(dice, start=1) if place.over in die]
        if len(dice_with_it) < 2:
            return replace(place, die=dice_with_it[0] if dice_with_it else 1)
    else:
        kinds = {face for face in dice[place.die - 1] if not desk.catalog.faces[face].fixed}
        if len(kinds) == 1:
            return replace(place, over=kinds.pop())
    desk.ask("forge", "df_ask_place", who=player.id, face=face_ref(place.face or ""))
    return None


def check_placement(desk: Desk, player: Player, place: Placement, dice: Dice) -> bool:
    """Check that a face can go where the player wants it; `dice` are as they will be then."""
    if place.die is None or place.over is None:
        desk.refuse("df_kept_back", "DF-FORGE-01", face=face_ref(place.face or ""))
        return False
    ok = True
    if place.player not in (None, player.id):
        desk.refuse("df_own_dice_only", "DF-FORGE-02", who=player.id)
        ok = False
    if place.over not in dice[place.die - 1]:
        if place.over in player.removed:
            desk.refuse("df_removed_for_good", "DF-FORGE-02", "DF-DICE-03", over=face_ref(place.over))
        else:
            desk.refuse("df_not_on_die", "DF-FORGE-02", die=place.die, over=face_ref(place.over))
        ok = False
    elif desk.catalog.faces[place.over].fixed:
        desk.refuse("df_boar_stays", "DF-FORGE-07", over=face_ref(place.over))
        ok = False
    return ok


def put_on(dice: Dice, place: Placement) -> Dice:
    """The dice with one face replaced; the six faces keep their order."""
    if place.die is None or place.over is None or place.face is None:
        return dice
    die = dice[place.die - 1]
    at = die.index(place.over)
    changed = (*die[:at], place.face, *die[at + 1 :])
    return (changed, dice[1]) if place.die == 1 else (dice[0], changed)


def forge(desk: Desk, player: Player, place: Placement, rules: Iterable[str] = ()) -> None:
    """Put a face on a die: the old one goes beside the inventory, the new one is up, nothing is applied."""
    if place.die is None or place.over is None or place.face is None:
        return
    player.dice = put_on(player.dice, place)
    player.removed += (place.over,)
    player.show(place.die - 1, place.face)
    player.laid = player.laid | {place.die - 1}
    desk.say(
        "df_forges",
        ("DF-FORGE-02", "DF-FORGE-03", "DF-FORGE-04", "DF-DICE-04", "DF-DICE-06", *rules),
        who=player.id,
        face=face_ref(place.face),
        over=face_ref(place.over),
        die=place.die,
    )


def check_sanctuary(
    desk: Desk, player: Player, face: str, taken: int = 0, rules: tuple[str, ...] = ()
) -> bool:
    """Check that gold can buy a face and that one is left. A face taken off a die never goes back."""
    off = rules + (("DF-DICE-02", "DF-DICE-03") if face in player.removed else ())
    price = desk.catalog.price_of(face)
    if price is None:
        in_temple = face in desk.catalog.pool_of
        desk.refuse(
            "df_not_for_sale", "DF-OFFER-07" if in_temple else "DF-OFFER-06", *off, face=face_ref(face)
        )
        return False
    if not is_available(desk, face, taken):
        desk.refuse("df_pool_empty", "DF-OFFER-06", *off, face=face_ref(face))
        return False
    return True


def buy_from_ship(
    desk: Desk, player: Player, place: Placement, discount: int, rules: tuple[str, ...]
) -> None:
    """Buy one Sanctuary face below its price and forge it at once (DF-FACE-10)."""
    face = place.face or ""
    if not is_available(desk, face) and (place.otherwise or desk.gone.get(face, player.id) != player.id):
        late = ("DF-FACE-13", "DF-PRIO-01", "DF-PRIO-03")
        desk.say("df_ship_too_late", late, who=player.id, face=face_ref(face))
        if place.otherwise is not None:
            buy_from_ship(desk, player, place.otherwise, discount, rules)
        return
    if not check_sanctuary(desk, player, face, rules=rules):
        return
    where = located(desk, player, place, player.dice)
    if where is not None and not check_placement(desk, player, where, player.dice):
        return
    price = max(0, (desk.catalog.price_of(face) or 0) - discount)
    if player.have["G"] < price:
        desk.refuse("df_not_enough_gold", *rules, "DF-RES-08", need=price, has=player.have["G"])
        return
    pay(player, {"G": price})
    take_face(desk, face)
    desk.gone[face] = player.id
    desk.say("df_ship_buys", rules, price, who=player.id, face=face_ref(face), price=price)
    if where is not None:
        forge(desk, player, where, ("DF-FORGE-01", "DF-FORGE-08"))


def offering_rules(desk: Desk, player: Player, places: tuple[Placement, ...]) -> list[str]:
    """The rules that make this particular offering possible, for the explanation."""
    faces = [place.face for place in places if place.face]
    pools = [desk.catalog.pool_of[face] for face in faces]
    rules = ["DF-OFFER-01", "DF-FORGE-01"]
    if len(faces) > 1:
        rules += ["DF-OFFER-02", "DF-OFFER-05"]
    if len(set(pools)) < len(pools):
        rules.append("DF-OFFER-04")
    first, second = player.dice
    if [face for face in faces if face in first or face in second]:
        rules.append("DF-OFFER-03")
    if len({place.die for place in places}) > 1:
        rules.append("DF-FORGE-05")
    if any(place.over in faces[:n] for n, place in enumerate(places)):
        rules.append("DF-FORGE-06")
    return rules


def check_offering(
    desk: Desk, player: Player, places: tuple[Placement, ...]
) -> tuple[int, tuple[Placement, ...]]:
    """Refuse whatever is wrong with an offering. Returns the gold it costs, and where each face goes."""
    if not places:
        desk.refuse("df_empty_offering", "DF-OFFER-01")
    dice = player.dice
    where: list[Placement] = []
    total, seen = 0, set()
    pools: dict[str, int] = {}  # how many faces of each
    for place in places:
        face = place.face or ""
        if face in seen:
            desk.refuse("df_same_face_twice", "DF-OFFER-02", face=face_ref(face))
        elif check_sanctuary(desk, player, face, pools.get(desk.catalog.pool_of.get(face, ""), 0)):
            total += desk.catalog.price_of(face) or 0
            pool = desk.catalog.pool_of[face]
            pools[pool] = pools.get(pool, 0) + 1
        seen.add(face)
        known = located(desk, player, place, dice)
        where.append(known or Placement(place.face))
        if known is not None and check_placement(desk, player, known, dice):
            dice = put_on(dice, known)
    if player.have["G"] < total:
        # a face once taken off does not come back for free: this would be another one, to be paid for
        off = ("DF-DICE-02", "DF-DICE-03") if seen & set(player.removed) else ()
        desk.refuse("df_not_enough_gold", "DF-OFFER-01", "DF-RES-08", *off, need=total, has=player.have["G"])
    return total, tuple(where)


def make_offering(desk: Desk, player: Player, places: tuple[Placement, ...], total: int) -> None:
    rules = offering_rules(desk, player, places)
    pay(player, {"G": total})
    desk.say("df_offers", rules, total, who=player.id, faces=face_refs(p.face for p in places), price=total)
    for place in places:
        if place.face:
            take_face(desk, place.face)
        forge(desk, player, place)

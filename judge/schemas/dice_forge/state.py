"""The starting situation of a Dice Forge table file. What it does not say takes the value of set-up."""

from __future__ import annotations

from collections import Counter
from typing import Any

from judge.core.errors import fail
from judge.rules.dice_forge.catalog import CAPPED, RESOURCES, Catalog
from judge.rules.dice_forge.reserves import caps_with
from judge.rules.dice_forge.state import ORIGIN, Dice, Due, Hammer, Player, Roll, State
from judge.rules.dice_forge.written import forged_faces, pile_sizes, temple_stock
from judge.schemas.shape import at, each, listing, mapping, number, one_of, text

PLAYER_KEYS = (
    "id", "gold", "sun", "moon", "glory", "hundreds", "feats", "dice", "shown", "island", "tokens", "hammer",
    "removed", "laid",
)  # fmt: skip
TURN_KEYS = (
    "active", "first", "step", "round", "blessed", "used", "acted", "extra", "performed", "due", "rolled",
    "ended",
)  # fmt: skip


def face_id(value: Any, path: str, box: Catalog) -> str:
    if not isinstance(value, str) or value not in box.faces:
        raise fail(path, "df_unknown_face", word=str(value))
    return value


def feat_id(value: Any, path: str, box: Catalog) -> str:
    if not isinstance(value, str) or value not in box.feats:
        raise fail(path, "df_unknown_feat", word=str(value))
    return value


def player_id(value: Any, path: str, players: Any) -> str:
    name = text(value, path)
    if name not in players:
        raise fail(path, "df_unknown_player", word=name, players=list(players))
    return name


def flag(value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise fail(path, "expected_one_of", words=["true", "false"])
    return value


def faces_of(value: Any, path: str, box: Catalog) -> list[str]:
    return each(listing(value, path), path, lambda face, place: face_id(face, place, box))


def read_state(tree: dict[str, Any], path: str, box: Catalog) -> State:
    seats = listing(tree.get("players"), at(path, "players"))
    if len(seats) not in box.seatings:
        raise fail(at(path, "players"), "df_expected_players", low=min(box.seatings), high=max(box.seatings))
    ids = [text(mapping(seat, at(at(path, "players"), n)).get("id"), at(at(path, "players"), n) + ".id")
           for n, seat in enumerate(seats, start=1)]  # fmt: skip
    for n, name in enumerate(ids, start=1):
        if name in ids[: n - 1]:
            raise fail(f"{at(at(path, 'players'), n)}.id", "df_same_id", word=name)
    turn_path = at(path, "turn")
    turn = mapping(tree.get("turn"), turn_path, TURN_KEYS)
    first = player_id(turn.get("first", ids[0]), at(turn_path, "first"), ids)
    seating = box.seatings[len(ids)]
    gold = {ids[(ids.index(first) + n) % len(ids)]: start for n, start in enumerate(seating.start_gold)}
    players = each(seats, at(path, "players"), lambda seat, place: _player(seat, place, box, gold))
    _check_portals(players, at(path, "players"))
    state = State(
        players={player.id: player for player in players},
        seating=seating,
        stock={},
        left={},
        piles={},
        boars={},
        active=player_id(turn.get("active", first), at(turn_path, "active"), ids),
        first=first,
        step=number(turn.get("step", 1), at(turn_path, "step"), 1, 4),
        round=number(turn.get("round", 1), at(turn_path, "round"), 1, seating.rounds),
    )
    _read_turn(state, turn, turn_path, box)
    _read_temple(state, tree.get("pools"), at(path, "pools"), box)
    _read_piles(state, tree, path, box)
    _read_boars(state, tree.get("boars"), at(path, "boars"), box)
    return state


def _player(data: Any, path: str, box: Catalog, gold: dict[str, int]) -> Player:
    tree = mapping(data, path, PLAYER_KEYS)
    name = text(tree["id"], at(path, "id"))
    feats_path = at(path, "feats")
    feats = each(listing(tree.get("feats"), feats_path), feats_path, lambda f, place: feat_id(f, place, box))
    caps = caps_with(feats, box)
    have = {
        letter: number(tree.get(word, gold[name] if letter == "G" else 0), at(path, word))
        for letter, word in RESOURCES.items()
    }
    for letter in CAPPED:
        if have[letter] > caps[letter]:
            raise fail(at(path, RESOURCES[letter]), "df_over_the_cap", cap=caps[letter])
    return Player(
        id=name,
        have={**have, "V": have["V"] % box.glory_token},
        caps=caps,
        hundreds=number(tree.get("hundreds", 0), at(path, "hundreds")) + have["V"] // box.glory_token,
        feats=tuple(feats),
        dice=_dice(tree.get("dice"), at(path, "dice"), box),
        shown=_shown(tree.get("shown"), at(path, "shown"), box),
        island=_island(tree.get("island", "origin"), at(path, "island")),
        tokens=_tokens(tree.get("tokens"), at(path, "tokens"), box),
        hammer=_hammer(tree.get("hammer"), at(path, "hammer"), box, feats),
        removed=tuple(faces_of(tree.get("removed"), at(path, "removed"), box)),
        laid=frozenset(
            number(die, at(path, "laid"), 1, 2) - 1 for die in listing(tree.get("laid"), at(path, "laid"))
        ),
    )


def _dice(value: Any, path: str, box: Catalog) -> Dice:
    if value is None:
        return box.start_dice
    dice = listing(value, path)
    if len(dice) != 2:
        raise fail(path, "df_expected_two_dice")
    for n, die in enumerate(dice, start=1):
        faces = listing(die, at(path, n))
        if len(faces) != len(box.start_dice[0]):
            raise fail(at(path, n), "df_expected_six_faces", n=len(faces))
    return tuple(faces_of(dice[0], at(path, 1), box)), tuple(faces_of(dice[1], at(path, 2), box))


def _shown(value: Any, path: str, box: Catalog) -> tuple[str | None, str | None]:
    if value is None:
        return None, None
    if len(listing(value, path)) != 2:
        raise fail(path, "df_expected_two_faces")
    return [
        None if face is None else face_id(face, at(path, n), box) for n, face in enumerate(value, start=1)
    ]


def _island(value: Any, path: str) -> int:
    if value == "origin":
        return ORIGIN
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 7:
        raise fail(path, "expected_one_of", words=["origin", *range(1, 8)])
    return value


def _tokens(value: Any, path: str, box: Catalog) -> dict[str, int]:
    return {
        one_of(token, at(path, token), tuple(box.tokens)): number(n, at(path, token))
        for token, n in mapping(value, path).items()
    }


def _hammer(value: Any, path: str, box: Catalog, feats: list[str]) -> Hammer | None:
    owned = sum(box.feats[feat].kind == "hammer" for feat in feats)
    if value is None:
        return Hammer() if owned else None
    if value == "retired":
        return Hammer(finished=max(owned, 1), retired=True)
    tree = mapping(value, path, ("lap", "position", "finished"))
    return Hammer(
        lap=number(tree.get("lap", 1), at(path, "lap"), 1, len(box.hammer_rewards)),
        position=number(tree.get("position", 0), at(path, "position"), 0, box.hammer_spaces - 1),
        finished=number(tree.get("finished", 0), at(path, "finished"), 0, max(0, owned - 1)),
    )


def _check_portals(players: list[Player], path: str) -> None:
    seen: dict[int, str] = {}
    for n, player in enumerate(players, start=1):
        if player.island != ORIGIN and player.island in seen:
            raise fail(f"{at(path, n)}.island", "df_portal_taken", who=seen[player.island])
        seen[player.island] = player.id


def _read_turn(state: State, turn: dict[str, Any], path: str, box: Catalog) -> None:
    """The keys a ruling adds, so that its table can be continued in the middle of a turn."""
    ids = tuple(state.players)
    for name, n in mapping(turn.get("blessed"), at(path, "blessed")).items():
        player_id(name, at(path, "blessed"), ids)
        state.blessed[name] = number(n, at(path, f"blessed.{name}"))
    used = at(path, "used")
    state.used = each(listing(turn.get("used"), used), used, lambda f, place: feat_id(f, place, box))
    # a table that begins in step 4 has had its step 3
    state.acted = flag(turn.get("acted", state.step == 4), at(path, "acted"))
    state.extra_taken = flag(turn.get("extra", False), at(path, "extra"))
    state.ended = flag(turn.get("ended", False), at(path, "ended"))
    if turn.get("performed") is not None:
        state.last_feat = feat_id(turn["performed"], at(path, "performed"), box)
    due = at(path, "due")
    state.due = each(listing(turn.get("due"), due), due, lambda d, place: _due(d, place, ids, box))
    for name, roll in mapping(turn.get("rolled"), at(path, "rolled")).items():
        player_id(name, at(path, "rolled"), ids)
        state.rolls[name] = _roll(roll, at(path, f"rolled.{name}"), box)


def _due(data: Any, path: str, players: tuple[str, ...], box: Catalog) -> Due:
    tree = mapping(data, path, ("player", "kind", "cause", "left", "feat", "die", "convert"))
    cause = one_of(tree.get("cause"), at(path, "cause"), ("card", "oust"))
    return Due(
        player_id(tree.get("player"), at(path, "player"), players),
        one_of(tree.get("kind"), at(path, "kind"), ("bless", "minor")),
        cause,
        number(tree.get("left"), at(path, "left"), 1),
        feat_id(tree.get("feat"), at(path, "feat"), box) if cause == "card" else None,
        number(tree["die"], at(path, "die"), 1, 2) - 1 if "die" in tree else None,
        read_convert(tree.get("convert", False), at(path, "convert")),
    )


def read_convert(value: Any, path: str) -> bool | dict[str, int]:
    """All of it, or so much of each resource."""
    return amounts(value, path) if isinstance(value, dict) else flag(value, path)


def _roll(data: Any, path: str, box: Catalog) -> Roll:
    tree = mapping(data, path, ("faces", "dice", "convert"))
    dice = listing(tree.get("dice"), at(path, "dice"))
    faces = faces_of(tree.get("faces"), at(path, "faces"), box)
    if not 1 <= len(faces) <= 2 or len(dice) != len(faces):
        raise fail(at(path, "dice"), "df_expected_two_dice")
    convert = tree.get("convert")
    return Roll(
        tuple(faces),
        tuple(number(die, at(path, "dice"), 1, 2) - 1 for die in dice),
        None if convert is None else amounts(convert, at(path, "convert")),
    )


def amounts(value: Any, path: str) -> dict[str, int]:
    return {
        one_of(letter, path, tuple(RESOURCES)): number(n, at(path, letter))
        for letter, n in mapping(value, path).items()
    }


def _read_temple(state: State, data: Any, path: str, box: Catalog) -> None:
    state.stock, state.left = temple_stock(state, box, forged_faces(state, box))
    for name, value in mapping(data, path).items():
        place = at(path, name)
        if name not in box.pools:
            raise fail(place, "df_unknown_pool", word=name)
        pool = box.pools[name]
        if isinstance(value, dict):
            tree = mapping(value, place, ("of", "left"))
            faces = faces_of(tree.get("of"), at(place, "of"), box)
            left = number(tree.get("left"), at(place, "left"), 0, len(faces))
        else:
            faces = faces_of(value, place, box)
            left = len(faces)
        count = Counter(faces)
        for face in count:
            if count[face] > pool.faces.get(face, 0):
                raise fail(place, "df_not_in_pool", face=face, n=pool.faces.get(face, 0))
        state.stock.update({face: count[face] for face in pool.faces})
        state.left[name] = left


def _read_piles(state: State, tree: dict[str, Any], path: str, box: Catalog) -> None:
    piles = mapping(tree.get("piles"), at(path, "piles"))
    for feat in piles:
        feat_id(feat, at(at(path, "piles"), feat), box)
    sets = mapping(tree.get("sets"), at(path, "sets"))
    in_use = _sets_in_use(state, sets, at(path, "sets"), set(piles), box)
    state.piles = pile_sizes(state, in_use)
    most = state.seating.cards_per_pile
    for feat, n in piles.items():
        if feat not in state.piles:
            raise fail(at(at(path, "piles"), feat), "df_pile_not_in_use", slot=box.feats[feat].slot)
        state.piles[feat] = number(n, at(at(path, "piles"), feat), 0, most)


def _sets_in_use(state: State, sets: dict[str, Any], path: str, named: set[str], box: Catalog) -> list[str]:
    """One feat a slot (DF-SET-14): as the file says, as its piles or the players' cards show, or as printed
    for a first game."""
    slots: dict[str, list[str]] = {}
    for feat in box.feats.values():
        slots.setdefault(feat.slot, []).append(feat.id)
    for slot, feat in sets.items():
        one_of(slot, at(path, slot), tuple(slots))
        one_of(feat, at(path, slot), slots[slot])
    owned = {feat for player in state.players.values() for feat in player.feats}
    in_use = []
    for slot, feats in slots.items():
        usual = next(feat for feat in feats if box.feats[feat].first_game)
        shown = [f for f in feats if f in named] or [f for f in feats if f in owned]
        in_use.append(sets.get(slot) or (usual if usual in shown or not shown else shown[0]))
    return in_use


def _read_boars(state: State, data: Any, path: str, box: Catalog) -> None:
    """Whose card a boar face belongs to; where only one player can be meant the file need not say."""
    for face, owner in mapping(data, path).items():
        face_id(face, at(path, face), box)
        if not box.faces[face].fixed:
            raise fail(at(path, face), "df_unknown_face", word=face)
        state.boars[face] = player_id(owner, at(path, face), tuple(state.players))
    for bearer in state.players.values():
        for face in dict.fromkeys(bearer.dice[0] + bearer.dice[1]):
            if box.faces[face].fixed and face not in state.boars:
                owners = [
                    player.id
                    for player in state.others(bearer.id)
                    if any(box.feats[feat].kind == "give_face" for feat in player.feats)
                ]
                if len(owners) == 1:
                    state.boars[face] = owners[0]

"""The events of a Dice Forge table file: one verb each, and the keys that may go with it."""

from __future__ import annotations

from typing import Any

from judge.core.errors import fail
from judge.rules.dice_forge.catalog import RESOURCES, Catalog
from judge.rules.dice_forge.table import Choices, Copy, Event, OthersRoll, Placement
from judge.schemas.dice_forge.state import amounts, face_id, feat_id, flag, player_id, read_convert
from judge.schemas.shape import at, each, listing, mapping, number, one_of, text

CHOICES = ("choose", "hammer", "copy", "buy", "forge", "convert", "order")
VERB_KEYS = {
    "bless": ("cause", *CHOICES),
    "minor": ("die", "cause", *CHOICES),
    "reinforce": ("die", "rolled", *CHOICES),
    "offer": ("extra",),
    "feat": ("extra", "oust", "rolls", *CHOICES),
    "token": CHOICES,
    "does": ("gain", *CHOICES),
    "advance": (),
    "collide": ("timing",),
}
NOBODYS = ("advance", "collide")
ADVANCES = ("step", "turn", "round", "end")


def read_event(data: Any, path: str, players: tuple[str, ...], box: Catalog, inner: bool = False) -> Event:
    tree = mapping(data, path)
    verbs = [verb for verb in VERB_KEYS if verb in tree]
    if len(verbs) != 1:
        _refuse_verbs(tree, verbs, path)
    verb = verbs[0]
    if inner and verb in NOBODYS:
        raise fail(at(path, verb), "df_not_inside_collide")
    by = () if verb in NOBODYS else ("by",)
    mapping(tree, path, (*by, verb, *VERB_KEYS[verb]))
    event = Event(verb)
    if by:
        if "by" not in tree:
            raise fail(at(path, "by"), "key_missing")
        event.by = player_id(tree["by"], at(path, "by"), players)
    _read_value(event, tree[verb], at(path, verb), players, box)
    if any(key in tree for key in CHOICES):
        event.choices = read_choices(tree, path, players, box)
    _read_rest(event, tree, path, players, box)
    return event


def _refuse_verbs(tree: dict[str, Any], verbs: list[str], path: str) -> None:
    if verbs:
        raise fail(path, "df_two_verbs", verbs=verbs)
    known = {"by", *(key for keys in VERB_KEYS.values() for key in keys)}
    for key in tree:
        if key not in known:
            raise fail(at(path, key), "df_unknown_verb", word=key, verbs=list(VERB_KEYS))
    raise fail(path, "df_no_verb", verbs=list(VERB_KEYS))


def _read_value(event: Event, value: Any, path: str, players: tuple[str, ...], box: Catalog) -> None:
    if event.verb == "bless":
        event.value = _two_faces(value, path, box)
    elif event.verb == "minor":
        event.value = face_id(value, path, box)
    elif event.verb in ("reinforce", "feat"):
        event.value = feat_id(value, path, box)
    elif event.verb == "offer":
        places = each(listing(value, path), path, lambda v, place: _placement(v, place, players, box))
        event.value = tuple(places)
    elif event.verb == "token":
        event.value = one_of(value, path, tuple(box.tokens))
    elif event.verb == "does":
        event.value = text(value, path)
    elif event.verb == "advance":
        event.value = one_of(value, path, ADVANCES)
    else:
        inner = each(listing(value, path), path, lambda v, place: read_event(v, place, players, box, True))
        event.inner = tuple(inner)


def _read_rest(event: Event, tree: dict[str, Any], path: str, players: tuple[str, ...], box: Catalog) -> None:
    event.extra = flag(tree.get("extra", False), at(path, "extra"))
    if "cause" in tree:
        event.cause = one_of(tree["cause"], at(path, "cause"), ("step-1", "oust", "card"))  # type: ignore[assignment]  # one_of knows the words, not their Literal
    if tree.get("die") is not None:
        event.die = number(tree["die"], at(path, "die"), 1, 2)
    if tree.get("rolled") is not None:
        event.rolled = face_id(tree["rolled"], at(path, "rolled"), box)
    if tree.get("oust"):
        rolls = _others_rolls(tree["oust"], at(path, "oust"), players, box)
        if len(rolls) != 1:
            raise fail(at(path, "oust"), "df_one_ousted")
        event.oust = rolls[0]
    if tree.get("rolls"):
        event.rolls = _rolls(tree["rolls"], at(path, "rolls"), players, box)
    event.gain = amounts(tree.get("gain"), at(path, "gain"))
    event.timing = one_of(tree.get("timing", "at-once"), at(path, "timing"), ("at-once", "in-answer"))


def _rolls(value: Any, path: str, players: tuple[str, ...], box: Catalog) -> tuple[OthersRoll, ...]:
    if isinstance(value, dict):
        value = [value]
    found = each(listing(value, path), path, lambda v, place: _others_rolls(v, place, players, box))
    rolls = tuple(roll for group in found for roll in group)
    if len({roll.player for roll in rolls}) < len(rolls):
        raise fail(path, "df_rolls_twice")
    return rolls


def _others_rolls(value: Any, path: str, players: tuple[str, ...], box: Catalog) -> list[OthersRoll]:
    """`{B: [x, y]}`, or `{B: {bless: [x, y], choose: S}}` where that player's choices need a place."""
    rolls = []
    for name, roll in mapping(value, path).items():
        place = at(path, name)
        player = player_id(name, place, players)
        if isinstance(roll, dict):
            mapping(roll, place, ("bless", *CHOICES))
            faces = _two_faces(roll.get("bless"), at(place, "bless"), box)
            rolls.append(OthersRoll(player, faces, read_choices(roll, place, players, box)))
        else:
            rolls.append(OthersRoll(player, _two_faces(roll, place, box)))
    return rolls


def _two_faces(value: Any, path: str, box: Catalog) -> tuple[str, str]:
    faces = [face_id(face, at(path, n), box) for n, face in enumerate(listing(value, path), start=1)]
    if len(faces) != 2:
        raise fail(path, "df_expected_two_faces")
    return faces[0], faces[1]


def read_choices(tree: dict[str, Any], path: str, players: tuple[str, ...], box: Catalog) -> Choices:
    forge = tree.get("forge")
    return Choices(
        choose=_letters(tree.get("choose"), at(path, "choose")),
        hammer=number(tree.get("hammer") or 0, at(path, "hammer")),
        copy=tuple(_copy(v, p, players) for v, p in _one_or_many(tree.get("copy"), at(path, "copy"))),
        buy=tuple(_placement(v, p, players, box) for v, p in _one_or_many(tree.get("buy"), at(path, "buy"))),
        forge=None if forge is None else _placement(forge, at(path, "forge"), players, box),
        convert=read_convert(tree.get("convert", False), at(path, "convert")),
        order=_order(tree.get("order"), at(path, "order")),
    )


def _one_or_many(value: Any, path: str) -> list[tuple[Any, str]]:
    if value is None:
        return []
    if isinstance(value, list):
        return [(item, at(path, n)) for n, item in enumerate(value, start=1)]
    return [(value, path)]


def _letters(value: Any, path: str) -> tuple[str, ...]:
    return tuple(one_of(word, place, (*RESOURCES, "none")) for word, place in _one_or_many(value, path))


def _copy(value: Any, path: str, players: tuple[str, ...]) -> Copy:
    tree = mapping(value, path, ("player", "die"))
    return Copy(
        player_id(tree.get("player"), at(path, "player"), players),
        number(tree.get("die"), at(path, "die"), 1, 2),
    )


def _placement(value: Any, path: str, players: tuple[str, ...], box: Catalog) -> Placement:
    """A bare face is one that is kept back."""
    if isinstance(value, str):
        return Placement(face_id(value, path, box))
    tree = mapping(value, path, ("face", "die", "over", "player"))
    face, die, over, player = (tree.get(key) for key in ("face", "die", "over", "player"))
    return Placement(
        None if face is None else face_id(face, at(path, "face"), box),
        None if die is None else number(die, at(path, "die"), 1, 2),
        None if over is None else face_id(over, at(path, "over"), box),
        None if player is None else player_id(player, at(path, "player"), players),
    )


def _order(value: Any, path: str) -> tuple[int, int]:
    if value is None:
        return 1, 2
    if value not in ([1, 2], [2, 1]):
        raise fail(path, "expected_one_of", words=["[1, 2]", "[2, 1]"])
    return value[0], value[1]

"""What can be asked about an entered event of Dice Forge: rolls of the others, choices, which die is copied,
where a face is forged, gold for the Hammer. The page shows this with the event that was entered last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judge.core.messages import Lang
from judge.rules.dice_forge.state.catalog import RESOURCES, Feat
from judge.rules.dice_forge.state.written import HammerReport, PlayerReport
from judge.schemas.dice_forge.catalog import catalog, name_in
from judge.services.dispute.case import Case
from judge.services.dispute.dice_forge.offers import prices

Players = Mapping[str, PlayerReport]
CHOOSING = ("choice", "boar")
MOST_HAMMERED = 12
VERBS = ("bless", "minor", "reinforce", "offer", "feat", "token")


@dataclass(frozen=True, slots=True)
class Side:
    """A kind of face on a die, and how often it is there."""

    face: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Roller:
    """Somebody whose two dice are asked for."""

    who: str
    dice: list[list[Side]]
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spot:
    """A face and where it goes. key: offer | forge | buy; k counts within an offering."""

    key: str
    k: int
    face: str
    name: str
    dice: list[list[Side]]
    die: int | None
    over: str
    other_faces: dict[str, str] = field(default_factory=dict)
    whose: str = ""
    owners: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ForgeQuestion:
    n: int
    event: dict[str, Any]
    verb: str
    own: list[list[Side]] = field(default_factory=list)  # the dice a single face was rolled with
    ousted: list[Roller] = field(default_factory=list)
    others: list[Roller] = field(default_factory=list)
    letters: list[str] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)
    copies: list[tuple[str, int, str]] = field(default_factory=list)  # player, die, the face it shows
    copied: list[tuple[str, int]] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    more: list[tuple[str, str, int]] = field(default_factory=list)  # faces to buy besides: id, name, price
    hammer: list[int] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)  # extra | convert | reversed


def state_before(case: Case, n: int) -> Players:
    """The players when the n-th event comes."""
    players: Players = case.cut(n - 1).now.players
    return players


def question_about(case: Case, n: int, lang: Lang) -> ForgeQuestion | None:
    event = case.data["events"][n - 1]
    verb = next((v for v in VERBS if v in event), None)
    if verb is None:
        return None
    before = state_before(case, n)
    by = str(event["by"])
    feat = catalog().feats.get(str(event[verb])) if verb in ("feat", "reinforce") else None
    faces = list(_faces(event, verb))
    return ForgeQuestion(
        n,
        event,
        verb,
        own=sides(before[by].dice, lang) if _rolls_one(verb, feat) else [],
        ousted=_ousted(before, by, feat, event, lang) if verb == "feat" else [],
        others=_others(before, by, feat, event, lang) if verb == "feat" else [],
        letters=_letters(event, verb, feat, faces),
        chosen=_listed(event.get("choose")),
        copies=_copies(before, by, event, feat, faces, rolls_beside(case.data["events"], n), lang),
        copied=[(str(c["player"]), int(c.get("die", 1))) for c in _listed(event.get("copy"))],
        spots=list(_spots(event, verb, before, by, feat, faces, lang)),
        more=prices(lang) if verb == "offer" else [],
        hammer=list(range(MOST_HAMMERED + 1)) if _hammers(before[by], verb, faces) else [],
        flags=_flags(verb, event, before[by]),
    )


def sides(dice: list[list[str]], lang: Lang) -> list[list[Side]]:
    return [[Side(face, _face_name(face, lang), n) for face, n in Counter(die).items()] for die in dice]


def _face_name(face: str, lang: Lang) -> str:
    return name_in("faces", face, lang)


def _listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, list) else [value]


def _faces(event: dict[str, Any], verb: str) -> Iterator[str]:
    """Every face that was rolled in this event."""
    if verb in ("bless", "minor"):
        yield from _listed(event[verb])
    if event.get("rolled"):
        yield event["rolled"]
    for roll in [*_listed(event.get("rolls")), *_listed(event.get("oust"))]:
        for shown in roll.values():
            yield from shown.get("bless", ()) if isinstance(shown, dict) else shown


def _rolls_one(verb: str, feat: Feat | None) -> bool:
    return verb == "minor" or (verb == "reinforce" and feat is not None and feat.kind == "minor_blessings")


def _ousted(before: Players, by: str, feat: Feat | None, event: dict[str, Any], lang: Lang) -> list[Roller]:
    """Whoever stands on the feat's island."""
    said = event.get("oust") or {}
    there = [name for name, state in before.items() if name != by and feat and state.island == feat.island]
    return [_roller(name, before, said.get(name), lang) for name in dict.fromkeys([*there, *said])]


def _others(before: Players, by: str, feat: Feat | None, event: dict[str, Any], lang: Lang) -> list[Roller]:
    if feat is None or feat.kind not in ("loss_rolls", "use_rolled_dice"):
        return []
    said = {name: shown for roll in _listed(event.get("rolls")) for name, shown in roll.items()}
    return [_roller(name, before, said.get(name), lang) for name in before if name != by]


def _roller(name: str, before: Players, shown: Any, lang: Lang) -> Roller:
    faces = shown.get("bless") if isinstance(shown, dict) else shown
    return Roller(name, sides(before[name].dice, lang), tuple(faces or ()))


def _letters(event: dict[str, Any], verb: str, feat: Feat | None, faces: list[str]) -> list[str]:
    """The resources that can be chosen between; none where nothing is."""
    effects: list[Mapping[str, Any]] = [catalog().faces[face].effect for face in faces]
    if verb == "reinforce" and feat is not None:
        effects.append(feat.effect)
    if verb == "token":
        effects.append(catalog().tokens[event["token"]].effect)
    options = [
        letter
        for effect in effects
        if effect["kind"] in CHOOSING
        for option in (*effect.get("options", ()), *effect.get("bearer", ()), *effect.get("owner", ()))
        for letter in option
    ]
    if not options and "choose" in event:
        return list(RESOURCES)
    return [letter for letter in RESOURCES if letter in options]


def rolls_beside(events: Sequence[Mapping[str, Any]], n: int) -> dict[str, Any]:
    """What the others rolled in the same blessing of step 1, whether it was entered before or after."""
    if not _is_step_1_roll(events[n - 1]):
        return {}
    start, end = n - 1, n
    while start > 0 and not _leaves_step_1(events[start - 1]):
        start -= 1
    while end < len(events) and not _leaves_step_1(events[end]):
        end += 1
    rolls: dict[str, list[Any]] = {}
    at = 0
    for k, line in enumerate(events[start:end], start=start + 1):
        for event in line.get("collide") or [line]:
            if _is_step_1_roll(event):
                at += k < n and event.get("by") == events[n - 1].get("by")
                rolls.setdefault(str(event.get("by")), []).append(event["bless"])
    return {name: own[at] for name, own in rolls.items() if len(own) > at}


def _is_step_1_roll(event: Mapping[str, Any]) -> bool:
    return "bless" in event and event.get("cause") in (None, "step-1")


def _leaves_step_1(event: Mapping[str, Any]) -> bool:
    return any(verb in event for verb in ("advance", "reinforce", "offer", "feat"))


def _copies(
    before: Players,
    by: str,
    event: dict[str, Any],
    feat: Feat | None,
    faces: list[str],
    beside: Mapping[str, Any],
    lang: Lang,
) -> list[tuple[str, int, str]]:
    """Dice that a Mirror or the Satyrs may use, with what they show at that roll."""
    is_satyrs = feat is not None and feat.kind == "use_rolled_dice" and "feat" in event
    if "MIRROR" not in faces and not is_satyrs and "copy" not in event:
        return []
    rolled = {name: shown for roll in _listed(event.get("rolls")) for name, shown in roll.items()}
    dice = []
    for name, state in before.items():
        if name == by:
            continue
        roll = rolled.get(name) or beside.get(name) or state.shown
        shown: Sequence[str | None] = roll["bless"] if isinstance(roll, dict) else roll
        dice += [(name, die, _face_name(face, lang) if face else "?") for die, face in enumerate(shown, 1)]
    return dice


def _spots(
    event: dict[str, Any],
    verb: str,
    before: Players,
    by: str,
    feat: Feat | None,
    faces: list[str],
    lang: Lang,
) -> Iterator[Spot]:
    if verb == "offer":
        for k, place in enumerate(event["offer"]):
            yield _spot("offer", k, place, before, by, lang)
    faces_given = (
        feat.effect["faces"] if verb == "feat" and feat and feat.kind in ("forge", "give_face") else []
    )
    if faces_given or "forge" in event:
        place = event.get("forge") or {}
        owners = [name for name in before if name != by] if feat and feat.kind == "give_face" else []
        yield _spot("forge", 0, place, before, by, lang, list(faces_given), owners)
    if "SHIP" in faces or "buy" in event:
        for_sale = [
            face for pool in catalog().pools.values() if pool.price is not None for face in pool.faces
        ]
        for k, place in enumerate(_listed(event.get("buy")) or [{}]):
            yield _spot("buy", k, place, before, by, lang, for_sale)


def _spot(
    key: str,
    k: int,
    place: dict[str, Any],
    before: Players,
    by: str,
    lang: Lang,
    faces: list[str] | None = None,
    owners: list[str] | None = None,
) -> Spot:
    whose = str(place.get("player") or by)
    face = place.get("face", "")
    others = {name: _face_name(name, lang) for name in faces or ()} if len(faces or ()) > 1 else {}
    return Spot(
        key,
        k,
        face,
        _face_name(face, lang) if face else "",
        sides(before.get(whose, before[by]).dice, lang),
        place.get("die"),
        place.get("over", ""),
        others,
        whose,
        owners or [],
    )


def _hammers(state: PlayerReport, verb: str, faces: list[str]) -> bool:
    """Gold that is gained may go to a Hammer that is not finished."""
    gains = any("G" in str(catalog().faces[face].effect) for face in faces)
    return isinstance(state.hammer, HammerReport) and (gains or verb in ("reinforce", "token"))


def _flags(verb: str, event: dict[str, Any], state: PlayerReport) -> list[str]:
    flags = ["extra"] if verb in ("feat", "offer") else []
    if verb == "bless":
        flags.append("reversed")
    if verb in ("bless", "minor") and {"sentinel", "cyclops"} & set(state.feats):
        flags.append("convert")
    return flags

"""Repairs a table: the changes of dials, tokens, cards and boards that lead from what it shows to what it
should.

Only what the shown file names is compared; a list of tokens counts as complete. A token with the wrong player
and cards in the wrong pile are moved, not removed and given again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from judge.core.errors import fail
from judge.core.json_types import EventEntry, JsonObject
from judge.core.messages import Lang, Message, Phrasebook, Ref
from judge.schemas.shape import at, counts, listing, mapping, number
from judge.services.dispute.case import Case

if TYPE_CHECKING:  # a cold start need not load it
    from judge.rules.ruling_json import RulingJson

DIALS = ("health", "cp", "gold", "sun", "moon", "glory")
CARDS = ("hand", "deck", "discard")
TOKENS = ("statuses", "companions", "tokens")
BOARD = ("upgrades", "limits", "hundreds", "side", "island", "hammer", "dice", "shown")
LISTS = ("feats", "removed")
ALL_KEYS = (*DIALS, *CARDS, *TOKENS, *BOARD, *LISTS)
# Keys a player may have that change nothing on the table.
_NOT_SHOWN = ("id", "hero", "team", "die", "caps", "aged", "foreign")
_ORDER = ("dial", "token", "card", "board")


@dataclass(frozen=True, slots=True)
class Change:
    kind: str  # dial | token | card | board
    player: str  # or a team
    what: str
    before: Any
    after: Any
    says: Message
    size: int = 1
    to: str = ""  # whom it goes to, where something is moved

    def as_json(self, phrases: Phrasebook) -> JsonObject:
        moved = {"to_player": self.to} if self.to else {}
        return {
            "kind": self.kind, "player": self.player, "what": self.what, "from": self.before,
            "to": self.after, **moved, "says": phrases.say(self.says),
        }  # fmt: skip


class Repair(TypedDict):
    """The changes that put a table right, shortest first."""

    id: str | None
    game: str
    changes: list[JsonObject]
    says: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What lies on the table, by player and by team."""

    players: Mapping[str, JsonObject]
    teams: Mapping[str, int]


def repair_file(data: Any, lang: Lang = "en") -> Repair:
    """Repair the table of a file `{table: ..., shows: ..., illegal: 3}`."""
    entry = mapping(data, "", ("table", "shows", "illegal"))
    if "table" not in entry:
        raise fail("table", "key_missing")
    illegal = entry.get("illegal")
    if illegal is not None:
        illegal = number(illegal, "illegal", 1)
    case = Case(entry["table"], "table")  # a fault of the table is named by its place in this file
    return repair(case, entry.get("shows"), illegal, lang, "shows")


def repair(
    case: Case, shows: Any = None, illegal: int | None = None, lang: Lang = "en", path: str = ""
) -> Repair:
    """The changes that lead from what the table shows, or from event `illegal` counted, to what it should
    show."""
    case.check()  # a fault of the table is named before one of what it shows
    if shows is None and illegal is None:
        raise fail("shows", "key_missing")
    should = (case if illegal is None else Case(_taken_back(case.data, illegal))).said(lang)
    if shows is not None:
        shown = _read_shown(shows, should, path)
    else:
        assert illegal is not None
        shown = _counted(case, illegal, lang)
    changes = sorted(_changes(shown, should), key=lambda c: (c.size, _ORDER.index(c.kind)))
    phrases = case.phrases(lang)
    return {
        "id": case.data.get("id"),
        "game": case.game.id,
        "changes": [change.as_json(phrases) for change in changes],
        "says": phrases.say(Message("repair_changes", n=len(changes))),
    }


# ------------------------------------------------------------------ that event was illegal


def _event_of(data: Any, n: int) -> EventEntry:
    events = data.get("events") if isinstance(data, dict) else None
    if not isinstance(events, list) or not 1 <= n <= len(events):
        raise fail("illegal", "expected_event_number", high=len(events) if isinstance(events, list) else 0)
    event: EventEntry = mapping(events[n - 1], at("events", n))
    return event


def _taken_back(data: Any, n: int) -> Any:
    """The same table without the effect of event n; the other events keep their numbers."""
    event = _event_of(data, n)
    players = listing(data.get("players"), "players")
    player = event.get("by") or mapping(players[0], at("players", 1)).get("id")
    nothing = {"by": player, "does": "taken back"}
    return {**data, "events": [*data["events"][: n - 1], nothing, *data["events"][n:]]}


def _counted(case: Case, n: int, lang: Lang) -> Shown:
    """The state if event n counts, legal or not."""
    ruling = case.said(lang)
    verdict = next((e["verdict"] for e in ruling["events"] if e["n"] == n), "legal")
    if verdict == "legal" or case.game.counting is None:
        return Shown(ruling["players"], ruling.get("teams", {}))
    counted = case.game.counting(case.table, n)
    players = {name: player.as_json() for name, player in counted.players.items()}
    return Shown(players, counted.extra.teams)


# ------------------------------------------------------------------ what the table shows


def _read_shown(shows: Any, should: RulingJson, path: str) -> Shown:
    entry = mapping(shows, path, ("players", "teams", "id", "title", "note", "game"))
    players: dict[str, JsonObject] = {}
    for name, state, here in _shown_players(entry.get("players", {}), at(path, "players")):
        if name not in should["players"]:
            raise fail(here, "expected_one_of", words=list(should["players"]))
        players[name] = _read_player(state, here)
    teams = counts({} if entry.get("teams") is None else entry["teams"], at(path, "teams"))
    for name in teams:
        if name not in should.get("teams", {}):
            raise fail(at(at(path, "teams"), name), "expected_one_of", words=list(should.get("teams", {})))
    return Shown(players, teams)


def _shown_players(value: Any, path: str) -> Iterator[tuple[str, Any, str]]:
    """The shown players by id; the file may also list them as a table file does."""
    if isinstance(value, list):
        for n, item in enumerate(value, start=1):
            here = at(path, n)
            state = mapping(item, here)
            if "id" not in state:
                raise fail(at(here, "id"), "key_missing")
            yield str(state["id"]), state, here
    else:
        for name, item in mapping(value, path).items():
            yield str(name), item, at(path, str(name))


def _read_player(value: Any, path: str) -> JsonObject:
    state = mapping(value, path, (*ALL_KEYS, *_NOT_SHOWN))
    shown: JsonObject = {}
    for key, item in state.items():
        here = at(path, key)
        if key in (*DIALS, *CARDS, "hundreds"):
            shown[key] = number(item, here)
        elif key in TOKENS or key == "limits":
            shown[key] = counts(item or {}, here)
        elif key in LISTS:
            shown[key] = [str(each) for each in listing(item, here)]
        elif key == "upgrades":
            shown[key] = mapping(item or {}, here)
        elif key not in _NOT_SHOWN:
            shown[key] = item
    return shown


# ------------------------------------------------------------------ the changes


def _changes(shown: Shown, should: RulingJson) -> Iterator[Change]:
    is_team_game = bool(should.get("teams"))
    for name, state in shown.players.items():
        right = should["players"][name]
        for key in DIALS:
            if key in state and not (is_team_game and key == "health"):
                yield from _dial(name, key, state[key], right.get(key, 0))
        yield from _cards(name, state, right)
        for key in BOARD:
            if key in state:
                yield from _board(name, key, state[key], right.get(key))
        for key in LISTS:
            if key in state:
                yield from _list(name, key, state[key], right.get(key) or [])
    for team, health in shown.teams.items():
        yield from _dial(team, "health", health, should["teams"][team])
    for key in TOKENS:
        yield from _tokens(key, shown.players, should["players"])


def _word(what: str) -> Message:
    return Message("repair_word_" + what)


def _dial(player: str, what: str, before: int, after: int) -> Iterator[Change]:
    if before != after:
        key = "repair_dial_up" if after > before else "repair_dial_down"
        says = Message(key, player=player, what=_word(what), n=abs(after - before), to=after)
        yield Change("dial", player, what, before, after, says, abs(after - before))


def _cards(player: str, state: JsonObject, right: JsonObject) -> Iterator[Change]:
    """Cards in the wrong pile are moved; only what is left over is added or removed."""
    off = {pile: state[pile] - (right.get(pile) or 0) for pile in CARDS if pile in state}
    for source in off:
        for goal in off:
            n = min(off[source], -off[goal])
            if n > 0:
                says = Message("repair_cards_move", player=player, n=n, pile=_word(source), to=_word(goal))
                yield Change("card", player, source, state[source], state[source] - n, says, n, goal)
                off[source] -= n
                off[goal] += n
    for pile, n in off.items():
        if n:
            key = "repair_cards_fewer" if n > 0 else "repair_cards_more"
            says = Message(key, player=player, n=abs(n), pile=_word(pile))
            yield Change("card", player, pile, state[pile], state[pile] - n, says, abs(n))


def _tokens(key: str, shown: Mapping[str, JsonObject], should: Mapping[str, JsonObject]) -> Iterator[Change]:
    """Tokens that one player has too many of go to those who have too few."""
    kinds = {
        kind for name, state in shown.items() if key in state for kind in _kinds(state, should[name], key)
    }
    for kind in sorted(kinds):
        off = {
            name: state[key].get(kind, 0) - (should[name].get(key) or {}).get(kind, 0)
            for name, state in shown.items()
            if key in state
        }
        yield from _moved(key, kind, off, shown)


def _kinds(state: JsonObject, right: JsonObject, key: str) -> set[str]:
    return {*state[key], *(right.get(key) or {})}


def _moved(key: str, kind: str, off: dict[str, int], shown: Mapping[str, JsonObject]) -> Iterator[Change]:
    thing = Ref("status", kind)
    for source in off:
        for goal in off:
            n = min(off[source], -off[goal])
            if n > 0:
                before = shown[source][key].get(kind, 0)
                says = Message("repair_token_move", n=n, what=thing, player=source, to=goal)
                yield Change("token", source, kind, before, before - n, says, n, goal)
                off[source] -= n
                off[goal] += n
    for name, n in off.items():
        if n:
            before = shown[name][key].get(kind, 0)
            says = Message(
                "repair_token_take" if n > 0 else "repair_token_give", player=name, n=abs(n), what=thing
            )
            yield Change("token", name, kind, before, before - n, says, abs(n))


def _board(player: str, what: str, before: Any, after: Any) -> Iterator[Change]:
    if what in ("upgrades", "limits"):
        before, after = before or {}, after or {}
        for name in sorted({*before, *after}):
            yield from _space(player, what, name, _level(before.get(name)), _level(after.get(name)))
    elif what == "dice":
        yield from _faces(player, before, after)
    elif what == "shown":
        yield from _turned(player, before, after)
    elif before != after and (before or after):
        says = Message(
            "repair_board", player=player, what=_word(what), before=_or_none(before), to=_or_none(after)
        )
        yield Change("board", player, what, before, after, says)


def _space(player: str, what: str, name: str, before: Any, after: Any) -> Iterator[Change]:
    if before != after:
        thing = Ref("ability" if what == "upgrades" else "status", name)
        says = Message(
            "repair_" + what, player=player, what=thing, before=_or_none(before), to=_or_none(after)
        )
        yield Change("board", player, f"{what}.{name}", before, after, says)


def _level(value: Any) -> Any:
    level = value.get("level") if isinstance(value, dict) else value
    return None if level == 1 else level


def _or_none(value: Any) -> Any:
    return Message("repair_nothing") if value is None or value == [] else value


def _faces(player: str, before: Any, after: Any) -> Iterator[Change]:
    """Dice Forge: the faces of each die, in any order."""
    if not isinstance(before, list) or not isinstance(after, list):
        return
    for n, (old_die, new_die) in enumerate(zip(before, after, strict=False), start=1):
        surplus, lacking = _difference(old_die, new_die)
        for old, new in zip(surplus, lacking, strict=False):
            says = Message("repair_face", player=player, n=n, before=Ref("face", old), to=Ref("face", new))
            yield Change("board", player, f"dice[{n}]", old, new, says)


def _turned(player: str, before: Any, after: Any) -> Iterator[Change]:
    """The face on top of each die, where the table knows it."""
    if not isinstance(before, list) or not isinstance(after, list):
        return
    for n, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        if new is not None and old != new:
            says = Message("repair_shown", player=player, n=n, before=_or_none(old), to=Ref("face", new))
            yield Change("board", player, f"shown[{n}]", old, new, says)


def _list(player: str, what: str, before: list[str], after: list[str]) -> Iterator[Change]:
    surplus, lacking = _difference(before, after)
    kind, thing, key = ("card", "feat", "card") if what == "feats" else ("board", "face", "removed")
    for name in surplus:
        says = Message(f"repair_{key}_take", player=player, what=Ref(thing, name))
        yield Change(kind, player, what, name, None, says)
    for name in lacking:
        says = Message(f"repair_{key}_give", player=player, what=Ref(thing, name))
        yield Change(kind, player, what, None, name, says)


def _difference(shown: list[Any], right: list[Any]) -> tuple[list[Any], list[Any]]:
    """What one list has too many of, and what it lacks, in any order."""
    lacking, surplus = list(right), []
    for item in shown:
        if item in lacking:
            lacking.remove(item)
        else:
            surplus.append(item)
    return surplus, lacking

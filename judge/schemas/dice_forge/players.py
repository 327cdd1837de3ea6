"""Reads the players of a Dice Forge table. Missing values come from set-up.

A player with a fault is kept as far as readable, so that the turn and the events are checked too.
"""

from __future__ import annotations

from typing import Any

from judge.core.errors import fail
from judge.rules.dice_forge.faces.reserves import caps_with
from judge.rules.dice_forge.state.catalog import CAPPED, RESOURCES, Catalog
from judge.rules.dice_forge.state.model import ORIGIN, Dice, Hammer, Player
from judge.schemas.dice_forge.words import die_number, faces_of, feats_of, shown_faces
from judge.schemas.shape import Fields, at, each, listing, number, one_of, player_name

PLAYER_KEYS = (
    "id", "gold", "sun", "moon", "glory", "hundreds", "feats", "dice", "shown", "island", "tokens", "hammer",
    "removed", "laid",
)  # fmt: skip


class PlayersReader:
    """Reads the players of one table; the faults go to the table's fields."""

    def __init__(self, table: Fields, box: Catalog) -> None:
        self.table, self.box = table, box
        low, high = min(box.seatings), max(box.seatings)
        players = table.get("players", _players, [], low, high)
        self.knows_all = bool(players)  # false if a player is missing or has no readable id
        if table.entry.get("players") is None:
            table.fault("players", "df_expected_players", low=low, high=high)
        self.seating = box.seatings[min(max(len(players), low), high)]
        self.ids: list[str] = []
        self.seats: list[Fields] = []
        for n, player in enumerate(players, start=1):
            self._sit_down(Fields(player, at(at(table.path, "players"), n), PLAYER_KEYS))

    def _sit_down(self, seat: Fields) -> None:
        """Read a player's id; the rest follows once it is known who begins."""
        who = seat.get("id", player_name, "")
        if seat.entry.get("id") is None:
            seat.fault("id", "expected_text")
        elif who and who in self.ids:
            seat.fault("id", "df_same_id", word=who)
        self.knows_all = self.knows_all and bool(who)
        self.ids.append(who)
        self.seats.append(seat)

    def players(self, first: str) -> list[Player]:
        """All players; `first` decides how much gold each of them started with."""
        begins = self.ids.index(first) if first in self.ids else 0
        players = []
        for n, seat in enumerate(self.seats):
            gold = self.seating.start_gold[(n - begins) % len(self.seats)]
            players.append(self._player(self.ids[n], seat, gold))
            self.table.problems += seat.problems
        self._check_portals(players)
        return players

    def _check_portals(self, players: list[Player]) -> None:
        seen: dict[int, str] = {}
        for n, player in enumerate(players, start=1):
            if player.island != ORIGIN and player.island in seen:
                self.table.fault(f"players[{n}].island", "df_portal_taken", who=seen[player.island])
            seen[player.island] = player.id

    def _player(self, who: str, seat: Fields, gold: int) -> Player:
        box = self.box
        feats = seat.get("feats", feats_of, [], box)
        caps = caps_with(feats, box)
        have = {
            letter: seat.get(word, number, gold if letter == "G" else 0) for letter, word in RESOURCES.items()
        }
        for letter in CAPPED:
            if have[letter] > caps[letter]:
                seat.fault(RESOURCES[letter], "df_over_the_cap", cap=caps[letter])
        return Player(
            id=who,
            have={**have, "V": have["V"] % box.glory_token},
            caps=caps,
            hundreds=seat.get("hundreds", number, 0) + have["V"] // box.glory_token,
            feats=tuple(feats),
            dice=seat.get("dice", _dice, box.start_dice, box),
            shown=seat.get("shown", shown_faces, (None, None), box),
            island=seat.get("island", _island, ORIGIN),
            tokens=seat.get("tokens", _tokens, {}, box),
            hammer=_hammer(seat, box, feats),
            removed=tuple(seat.get("removed", faces_of, [], box)),
            laid=seat.get("laid", _laid, frozenset()),
        )


def _players(value: Any, path: str, low: int, high: int) -> list[Any]:
    players = listing(value, path)
    if not low <= len(players) <= high:
        raise fail(path, "df_expected_players", low=low, high=high)
    return players


def _dice(value: Any, path: str, box: Catalog) -> Dice:
    dice = listing(value, path)
    if len(dice) != 2:
        raise fail(path, "df_expected_two_dice")
    first, second = each(dice, path, _die, box)
    return first, second


def _die(value: Any, path: str, box: Catalog) -> tuple[str, ...]:
    faces = listing(value, path)
    if len(faces) != len(box.start_dice[0]):
        raise fail(path, "df_expected_six_faces", n=len(faces))
    return tuple(faces_of(faces, path, box))


def _island(value: Any, path: str) -> int:
    if value == "origin":
        return ORIGIN
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 7:
        raise fail(path, "expected_one_of", words=["origin", *range(1, 8)])
    return value


def _tokens(value: Any, path: str, box: Catalog) -> dict[str, int]:
    fields = Fields(value, path)
    for token in fields.entry:
        fields.check(one_of, token, at(path, token), tuple(box.tokens))
    most = max(seating.cards_per_pile for seating in box.seatings.values())
    tokens = {token: fields.must(token, number, 0, 0, most) for token in fields.entry}
    fields.done()
    return tokens


def _laid(value: Any, path: str) -> frozenset[int]:
    return frozenset(each(listing(value, path), path, die_number))


def _hammer(seat: Fields, box: Catalog, feats: list[str]) -> Hammer | None:
    owned = sum(box.feats[feat].kind == "hammer" for feat in feats)
    return seat.get("hammer", _read_hammer, Hammer() if owned else None, box, owned)


def _read_hammer(value: Any, path: str, box: Catalog, owned: int) -> Hammer:
    if value == "retired":
        return Hammer(finished=max(owned, 1), retired=True)
    fields = Fields(value, path, ("lap", "position", "finished"))
    hammer = Hammer(
        lap=fields.get("lap", number, 1, 1, len(box.hammer_rewards)),
        position=fields.get("position", number, 0, 0, box.hammer_spaces - 1),
        finished=fields.get("finished", number, 0, 0, max(0, owned - 1)),
    )
    fields.done()
    return hammer

"""The state as the ruling shows it, and as a table file that continues the game."""

from __future__ import annotations

from dataclasses import dataclass

from judge.core.json_types import JsonObject
from judge.rules.dice_throne.flow.attack import leaders
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.verbs.roll import attempts_allowed

_IF_THERE = (
    "hero", "team", "deck", "discard", "limits", "upgrades", "companions", "die", "foreign", "downed",
)  # fmt: skip


_RARELY_GIVEN = frozenset(("limits", "upgrades", "companions", "die", "foreign", "downed"))


@dataclass(slots=True)
class PlayerReport:
    """A player as the ruling shows them; None for what is neither tracked nor given."""

    health: int
    cp: int
    hand: int
    statuses: dict[str, int]
    hero: str | None
    team: str | None
    deck: int | None
    discard: int | None
    side: str
    limits: dict[str, int] | None = None
    upgrades: dict[str, int | dict[str, int]] | None = None  # level, or level and cost
    companions: dict[str, int] | None = None
    die: list[str] | None = None
    foreign: dict[str, int] | None = None  # tokens that belong to another hero of the same kind
    downed: list[str] | None = None  # companions

    def as_json(self) -> JsonObject:
        tree: JsonObject = {
            "health": self.health,
            "cp": self.cp,
            "hand": self.hand,
            "statuses": self.statuses,
        }
        for key in _IF_THERE:
            value = getattr(self, key)
            if value is not None:
                tree[key] = value
        if self.side:
            tree["side"] = self.side
        return tree


@dataclass(slots=True)
class TurnReport:
    """Where the turn stands."""

    active: str
    phase: str | None
    attempts_left: int
    leaders: list[str]
    dice: list[int] | None
    announced: str | None

    def as_json(self) -> JsonObject:
        tree: JsonObject = {
            "active": self.active,
            "phase": self.phase,
            "attempts_left": self.attempts_left,
            "leaders": self.leaders,
        }
        if self.dice is not None:
            tree["dice"] = self.dice
        if self.announced is not None:
            tree["announced"] = self.announced
        return tree


@dataclass(slots=True)
class ThroneExtra:
    """What only a Dice Throne ruling shows; everything but the teams is left out of the JSON while empty."""

    teams: dict[str, int]
    meanwhile: dict[str, list[str]]  # what each player could still do before the damage at the end
    rulings: dict[str, str]  # the readings the file chose
    partial: list[str]  # players whose hero is known in part

    def as_json(self) -> JsonObject:
        tree: JsonObject = {"teams": self.teams}
        if self.meanwhile:
            tree["meanwhile"] = self.meanwhile
        if self.partial:
            tree["partial"] = self.partial
        return {**tree, "rulings": self.rulings} if self.rulings else tree


def players(game: Game) -> dict[str, PlayerReport]:
    return {player.id: player_report(game, player) for player in game.seats}


def player_report(game: Game, player: Player) -> PlayerReport:
    """The player's current values: every key the file gave, and what has been added since."""
    health = game.teams[player.team or ""] if game.is_team_game else player.health
    report = PlayerReport(
        health, player.cp, player.hand, {**player.statuses}, player.hero_id, player.team,
        player.deck, player.discard, player.side,
    )  # fmt: skip
    if player.limits or player.upgrades or player.companions or not _RARELY_GIVEN.isdisjoint(player.given):
        _add_what_is_rare(game, player, report)
    return report


def _add_what_is_rare(game: Game, player: Player, report: PlayerReport) -> None:
    file_keys = player.given
    if player.upgrades or "upgrades" in file_keys:
        report.upgrades = _upgrades(game, player)
    if player.limits or "limits" in file_keys:
        report.limits = dict(player.limits)
    if player.companions or "companions" in file_keys:
        report.companions = dict(player.companions)
    if "die" in file_keys:
        report.die = list(player.die)
    if "foreign" in file_keys:
        report.foreign = _foreign(player)
    if "downed" in file_keys:
        report.downed = _downed(player)


def _foreign(player: Player) -> dict[str, int]:
    return {name: n for name, n in player.foreign.items() if n}


def _upgrades(game: Game, player: Player) -> dict[str, int | dict[str, int]]:
    return {name: _upgrade(game, player, name) for name in player.upgrades}


def _upgrade(game: Game, player: Player, name: str) -> int | dict[str, int]:
    upgrade = player.upgrades[name]
    card = game.catalog.find_upgrade(player.hero_id, name, upgrade.level)
    if upgrade.cost is None or (card is not None and card.cost == upgrade.cost):
        return upgrade.level
    return {"level": upgrade.level, "cost": upgrade.cost}


def turn(game: Game) -> TurnReport:
    active = game.active or game.seats[0]
    is_rolling = game.attack is None and game.phase in (None, "offensive-roll")
    attempts_left = max(attempts_allowed(game) - game.attempts, 0) if is_rolling else 0
    ahead = leaders(game) if game.mode == "king-of-the-hill" else []
    dice = list(game.dice) if game.dice is not None and is_rolling else None
    return TurnReport(active.id, game.phase, attempts_left, ahead, dice, game.announced)


def _remembered(game: Game) -> JsonObject:
    """What has been used up this turn; empty between two turns."""
    target = game.extra_target
    kept: JsonObject = {
        "resolved": dict(game.resolved),
        "skipped": dict(game.skipped),
        "extra_attempts": game.extra_attempts,
        "extra_target": target.id if target is not None else None,
        "altered": game.altered,
        "used": dict(game.used),
    }
    return {key: value for key, value in kept.items() if value}


def _downed(player: Player) -> list[str]:
    return sorted(name for name in player.downed if player.companions.get(name))


def _kept_in_mind(player: Player) -> JsonObject:
    """What the table does not show and the game has to remember of a player."""
    kept: JsonObject = {
        "fresh": {name: count for name, count in player.fresh.items() if count},
        "downed": _downed(player),
        "skips": dict(player.skips),
        "handicaps": dict(player.handicaps),
    }
    return {key: value for key, value in kept.items() if value}


def continuation(game: Game) -> JsonObject:
    """Players and turn as a table file gives them: a game cut between two turns goes on from here.

    `aged` names the statuses a player has held since the beginning of their own turn.
    """
    seats = []
    for player in game.seats:
        state = {
            "id": player.id,
            **player_report(game, player).as_json(),
            "aged": sorted(player.aged & player.statuses.keys()),
        }
        if any(player.foreign.values()):
            state["foreign"] = dict(player.foreign)
        state.update(_kept_in_mind(player))
        if game.is_team_game:
            del state["health"]
        seats.append(state)
    now: JsonObject = {"active": (game.active or game.seats[0]).id, "attempts": game.attempts}
    if game.phase is not None:
        now["phase"] = game.phase
    if game.first:
        now["first"] = True
    if game.dice is not None:
        now["dice"] = list(game.dice)
    if game.announced is not None:
        now["announced"] = game.announced
    if game.table.turn.order:
        now["order"] = list(game.table.turn.order)
    now.update(_remembered(game))
    result: JsonObject = {"players": seats, "turn": now}
    if game.is_team_game:
        result["teams"] = dict(game.teams)
    return result

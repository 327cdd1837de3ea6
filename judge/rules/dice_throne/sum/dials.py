"""Applies damage totals to the health dials: one net change, the healing cap, defeat, victory and draw."""

from __future__ import annotations

from collections.abc import Sequence

from judge.core.messages import Ref
from judge.rules.catalog import flat
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.model import Attack, Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.pools import Pool
from judge.rules.dice_throne.state.table import Table, is_before
from judge.rules.ruling import DamageTotal, Outcome, Resolution, SumPart

_CONCLUDED_BY = {
    "roll-phase": ("DT-DRP-07",),
    "upkeep": ("DT-UPK-03",),
    "isolated": ("DT-ISO-01", "DT-ISO-02"),
    "at-once": ("DT-TYPE-01",),
}


class Total(DamageTotal):
    """One player's damage total in one conclusion, with what it was worked out from."""

    __slots__ = (
        "_deciding", "attack", "avoidable", "cancelled", "hit_together", "locked", "pool", "rounds_off",
        "table", "terms", "when",
    )  # fmt: skip

    def __init__(self, table: Table, pool: Pool, when: str, attack: Attack | None) -> None:
        self.table, self.pool, self.when, self.attack = table, pool, when, attack
        self.hit_together: Sequence[Player] = ()  # in team games, whom the phase has dealt damage
        self.incoming = self.subtotal = self.locked = self.final = self.healed = 0
        self.avoidable = 0  # of the locked damage: neither prevented nor reduced, yet avoided
        self.fractions: list[int] = []
        self.terms = pool.terms  # including what the attacker's own statuses subtract
        self._deciding: list[str] | None = None
        self.rounds_off = False  # the part that a halving takes off is the larger one (J-32)
        self.cancelled = False  # avoiding the damage cancels the return too (J-01)

    @property
    def unavoidable(self) -> int:
        return self.locked - self.avoidable

    @property
    def is_order_irrelevant(self) -> bool:
        """Whether a fraction was used before a number that still counts before it (DT-DMG-07)."""
        for _, first, _ in self.pool.fractions:
            for term in self.terms:
                if not term.reduction and is_before(first, term.n):
                    return True
            for deal in self.pool.deals:
                if not deal.own and deal.amount and is_before(first, deal.n):
                    return True
        return False

    def deciding(self) -> list[str]:
        if self._deciding is None:
            from judge.rules.dice_throne.sum.deciding import deciding

            self._deciding = deciding(self.table, self)
        return self._deciding

    def parts(self) -> list[SumPart]:
        from judge.rules.dice_throne.sum.parts import parts_of

        return parts_of(self.table, self)


def apply(game: Game, totals: list[Total], when: str) -> None:
    reports: dict[str, DamageTotal] = {}
    rules = _CONCLUDED_BY[when]
    for total in totals:
        reports[total.pool.player.id] = total
        if not game.is_team_game:
            _apply_to_player(game, total, rules)
    if game.is_team_game:
        _apply_to_teams(game, totals, rules)
    game.resolutions.append(Resolution(when, reports))
    settle_defeat(game)


def _apply_to_player(game: Game, total: Total, rules: tuple[str, ...]) -> None:
    player, key = total.pool.player, "step_health"
    health = player.health - total.final
    if total.healed:
        health = change_health(game, [player], player.health, total.final, total.healed)
        key, rules = "step_health_healed", (*rules, "DT-HP-04")
    if health <= 0 and total.final:
        health = max(saved(game, [player], _is_ultimate(game, total)) or health, 0)
    player.health = health
    values = (player.id, health, total.final, total.healed)
    game.steps.append((key, ("player", "n", "lost", "healed"), values, rules, (), health))


def _apply_to_teams(game: Game, totals: list[Total], rules: tuple[str, ...]) -> None:
    for team in dict.fromkeys(total.pool.player.team for total in totals):
        _apply_to_team(game, team or "", [each for each in totals if each.pool.player.team == team], rules)


def _apply_to_team(game: Game, team: str, mine: list[Total], rules: tuple[str, ...]) -> None:
    """A team has one dial: what its members lose and heal is one change (DT-2V2-04)."""
    lost, healed = sum(t.final for t in mine), sum(t.healed for t in mine)
    health = change_health(game, [t.pool.player for t in mine], game.teams[team], lost, healed)
    if health <= 0 and lost:
        members = [player for player in game.seats if player.team == team]
        health = saved(game, members, any(_is_ultimate(game, t) for t in mine)) or health
    game.teams[team] = max(health, 0)
    game.step(
        "step_team_health", (*rules, "DT-2V2-03", "DT-2V2-04"), (), max(health, 0),
        team=team, n=max(health, 0), lost=lost, healed=healed,
    )  # fmt: skip


def _is_ultimate(game: Game, total: Total) -> bool:
    """Whether damage is among it that nothing avoids (DT-TYPE-14)."""
    return any(deal.amount and not game.edition.types[deal.type].avoidable for deal in total.pool.deals)


def change_health(game: Game, who: list[Player], health: int, lost: int, healed: int) -> int:
    """Make one net change; only healing is capped (DT-HP-03, DT-HP-04)."""
    result = health - lost + healed
    if healed and result > game.cap:
        over = min(result - max(game.cap, health - lost), healed)
        game.lose(who[0], "health", over)
        result -= over
    return result


def saved(game: Game, members: list[Player], by_ultimate: bool) -> int | None:
    """The health at which a status keeps its holder alive (Blessing of Divinity); for Ultimates see J-12."""
    for player in members:
        for status in tokens.held(game, player, "would-fall"):
            if by_ultimate and game.reading("J-12") == "a":
                return None
            health = next((e.amount for e in flat(status.effects) if e.op == "set_health"), None)
            if health is None:
                continue
            tokens.take(player, status.id, 1)
            name = Ref("status", status.id)
            game.step("step_saved", status.rules, (), health, player=player.id, status=name, n=health)
            return int(health)
    return None


def settle_defeat(game: Game) -> None:
    """Settle who has fallen and whether the game is won or drawn (DT-HP-01, DT-HP-02, DT-HP-05)."""
    fallen = []
    for player in game.seats:
        if not player.dead and (game.teams[player.team or ""] if game.is_team_game else player.health) <= 0:
            fallen.append(player)
    if not fallen or game.over:
        return
    for player in fallen:
        player.dead = True
    game.step("step_defeated", ("DT-HP-01",), (), None, players=[player.id for player in fallen])
    _settle_outcome(game)


def _settle_outcome(game: Game) -> None:
    standing = [player for player in game.seats if not player.dead]
    if not standing:
        game.outcome, game.over = Outcome("draw", []), True
        game.step("step_draw", ("DT-HP-02",), ())
    elif len({p.team if game.is_team_game else p.id for p in standing}) == 1:
        winners = [p.id for p in standing]
        game.outcome, game.over = Outcome("won", winners), True
        game.step("step_won", ("DT-SET-08", "DT-HP-05"), (), None, players=winners)

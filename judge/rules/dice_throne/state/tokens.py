"""Status tokens and companions: placing within the stack limit, removing, moving (rules DT-STAT)."""

from __future__ import annotations

from collections.abc import Sequence

from judge.core.messages import Ref
from judge.rules.catalog import Status
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Label


def held(game: Game, player: Player, when: str) -> Sequence[Status]:
    """The statuses in front of a player that act, or may be spent, in this window."""
    window = game.windows.get(when)
    if window is None or window.isdisjoint(player.statuses):
        return ()
    return [game.statuses[status_id] for status_id in player.statuses if status_id in window]


def standing(game: Game, player: Player, when: str) -> Sequence[Status]:
    """The statuses in front of a player that act in this window just by being held."""
    window = game.statuses.standing.get(when)
    if window is None or window.isdisjoint(player.statuses):
        return ()
    return [game.statuses[status_id] for status_id in player.statuses if status_id in window]


def expiring(game: Game, player: Player, when: str) -> Sequence[Status]:
    """The statuses in front of a player that leave by themselves at this moment."""
    leaving = game.statuses.expiring.get(when)
    if leaving is None or leaving.isdisjoint(player.statuses):
        return ()
    return [game.statuses[status_id] for status_id in player.statuses if status_id in leaving]


def limit_of(game: Game, player: Player, status_id: str) -> int | None:
    """This player's stack limit; None if no source gives one (DT-STAT-04)."""
    status = game.statuses.get(status_id)
    base: int | None = None
    if status is not None:
        is_owner = status.owner_limit is not None and player.hero_id in status.owners
        base = status.owner_limit if is_owner else status.stack_limit
    return player.limits.get(status_id, base) if player.limits else base


def place(
    game: Game, player: Player, status_id: str, count: int, n: Label, inflicter: Player | None = None
) -> int:
    """Put tokens on a player; those beyond the limit are not placed (DT-STAT-03). Returns how many were."""
    if player.dead:
        return 0
    limit = limit_of(game, player, status_id)
    status = game.statuses.get(status_id)
    rules: tuple[str, ...] = ()
    if status is not None:
        rules = status.rules
        if status.second_explodes and _come_singly(game, player, status, count, limit, n):
            return _place_singly(game, player, status_id, count, n, inflicter)
    held = player.statuses.get(status_id, 0)
    placed = count if limit is None or held + count <= limit else max(limit - held, 0)
    if placed:
        player.statuses[status_id] = held + placed
        player.fresh[status_id] = player.fresh.get(status_id, 0) + placed
        values = (player.id, Ref("status", status_id), placed)
        cited = ("DT-STAT-01", "DT-STAT-11", *rules)
        game.steps.append(("step_placed", ("player", "status", "n"), values, cited, (n,), placed))
        if inflicter is not None and game.attack is not None:
            game.attack.inflicted.append((player, status_id))
    if placed < count:
        _lose_the_rest(game, player, status_id, count - placed, n, rules)
    return placed


def _come_singly(game: Game, player: Player, status: Status, count: int, limit: int | None, n: Label) -> bool:
    """Whether several tokens that explode are placed one by one (J-22); else the one there explodes first,
    if there is no room for more."""
    if limit is None or not status.explosion:
        return False
    if count > limit and game.reading("J-22") == "a":
        return True
    if player.statuses.get(status.id, 0) + count > limit:
        explode(game, player, status.id, n)
    return False


def _place_singly(
    game: Game, player: Player, status_id: str, count: int, n: Label, inflicter: Player | None
) -> int:
    return sum(place(game, player, status_id, 1, n, inflicter) for _ in range(count))


def _lose_the_rest(
    game: Game, player: Player, status_id: str, lost: int, n: Label, rules: tuple[str, ...]
) -> None:
    """Tokens beyond the limit are lost; the ruling says so."""
    game.lose(player, status_id, lost)
    game.step(
        "step_limit", ("DT-STAT-03", *rules), (n,), player.statuses.get(status_id, 0),
        player=player.id, status=Ref("status", status_id), n=lost, limit=limit_of(game, player, status_id),
    )  # fmt: skip


def explode(game: Game, player: Player, status_id: str, n: Label) -> None:
    """Explode a token: run its own effects, usually its removal and isolated damage."""
    from judge.rules.dice_throne.effects.words import run_explosion

    status = game.statuses.get(status_id)
    if status is not None and player.statuses.get(status_id):
        game.cited.extend(status.rules)
        run_explosion(game, player, status, n)


def take(player: Player, status_id: str, count: int) -> int:
    """Take tokens off; returns how many there were to take."""
    held = player.statuses.get(status_id, 0)
    taken = count if count < held else held
    if taken == held:
        player.statuses.pop(status_id, None)
        player.aged.discard(status_id)  # a token that comes back has not been there all turn
    else:
        player.statuses[status_id] = held - taken
    if status_id in player.fresh:  # the older tokens go first
        player.fresh[status_id] = min(player.fresh[status_id], held - taken)
    return taken


def remove(game: Game, player: Player, status_id: str, count: int, n: Label, by: Player | None = None) -> int:
    """Remove tokens; `by` takes only those that are theirs to take. Returns how many went."""
    if by is not None:
        count = min(count, takeable(game, player, status_id, by))
        if by is not player and player.foreign.get(status_id):
            player.foreign[status_id] -= min(count, player.foreign[status_id])
    taken = take(player, status_id, count)
    if taken:
        game.step(
            "step_removed",
            ("DT-STAT-09",),
            (n,),
            taken,
            player=player.id,
            status=Ref("status", status_id),
            n=taken,
        )
    return taken


def takeable(game: Game, player: Player, status_id: str, by: Player) -> int:
    """How many of these tokens `by` may take off or move: where the owner's board alone removes them, each
    such hero takes only their own (DT-TOK-20)."""
    there = player.statuses.get(status_id, 0)
    status = game.statuses.get(status_id)
    if status is None or status.removable != "owner-board" or player.hero_id not in status.owners:
        return there
    foreign = min(player.foreign.get(status_id, 0), there)
    return there - foreign if by is player else foreign


def may_be_removed(game: Game, status_id: str, by: Player, from_board: bool) -> bool:
    """Whether a token may be removed: some only by the owner's board, some never (DT-STAT-08, DT-TOK-20)."""
    status = game.statuses.get(status_id)
    if status is None or not status.removable:
        return True
    return status.removable == "owner-board" and from_board and by.hero_id in status.owners


def is_transferable(game: Game, status_id: str) -> bool:
    status = game.statuses.get(status_id)
    return status is None or status.is_transferable


def removable(game: Game, player: Player, by: Player, from_board: bool) -> list[str]:
    return [
        status_id
        for status_id in player.statuses
        if may_be_removed(game, status_id, by, from_board) and takeable(game, player, status_id, by)
    ]


def gain_cp(game: Game, player: Player, amount: int) -> int:
    """Gain CP up to the cap; the rest is lost (DT-CP-02). Returns what was gained."""
    if player.dead:
        return 0
    gained = min(amount, game.numbers.cp_cap - player.cp)
    player.cp += gained
    game.lose(player, "cp", amount - gained)
    return gained


def draw(game: Game, player: Player, count: int) -> int:
    """Draw cards; an empty deck is rebuilt from the discard pile (DT-DECK-01)."""
    if player.dead:
        return 0
    if player.deck is None:
        player.hand += count
        return count
    drawn = 0
    for _ in range(count):
        if player.deck == 0:
            if not player.discard:
                break
            player.deck, player.discard = player.discard, 0
            game.step("step_reshuffled", ("DT-DECK-01",), (), player.deck, player=player.id, n=player.deck)
        player.deck -= 1
        player.hand += 1
        drawn += 1
    game.lose(player, "cards", count - drawn)
    return drawn


def discard(player: Player, count: int) -> int:
    gone = min(player.hand, count)
    player.hand -= gone
    lay_on_pile(player, gone)
    return gone


def lay_on_pile(player: Player, count: int) -> None:
    if player.discard is not None:
        player.discard += count

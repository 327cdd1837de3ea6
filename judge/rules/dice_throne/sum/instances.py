"""Concludes damage that does not wait for the end of a phase: isolated sources, and what is dealt at once."""

from __future__ import annotations

from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.pools import Pool
from judge.rules.dice_throne.sum.damage import conclude


def conclude_instances(game: Game) -> None:
    """Conclude isolated and immediate damage that nobody answers any more."""
    if not game.instances:
        return
    waiting, game.instances = game.instances, []
    while waiting and not game.over:
        together = _dealt_together(waiting)
        waiting = [pool for pool in waiting if pool not in together]
        conclude(game, together, together[0].when)


def _dealt_together(waiting: list[Pool]) -> list[Pool]:
    """The first of these and what the same event deals others at the same moment (DT-HP-02)."""
    first = waiting[0]
    together: dict[str, Pool] = {}
    for pool in waiting:
        if pool.when == first.when and pool.deals[0].n == first.deals[0].n:
            together.setdefault(pool.player.id, pool)
    return list(together.values())

"""The verb `target`: the targeting roll, and a target that is chosen or changed (DT-TGT)."""

from __future__ import annotations

from collections.abc import Iterable

from judge.rules.dice_throne.flow.attack import aim, launch
from judge.rules.dice_throne.state.model import Attack, Game, Open
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import (
    Check,
    need_phase,
)  # fmt: skip

_TARGETING = frozenset(("offensive-roll", "targeting-roll"))


def check_target(game: Game, event: Event, player: Player, check: Check) -> None:
    attack = game.attack
    if attack is None or attack.by is not player:
        check.fault(("DT-TGT-02",), "nothing_to_target")
        return
    need_phase(game, check, _TARGETING, "DT-TGT-02", "DT-TURN-02")
    _check_open(event, attack, check)
    target = game.players.get(str(event.value)) if event.value is not None else None
    if target is not None and target.dead:
        check.fault(("DT-HP-01",), "target_is_defeated", player=target.id)
    elif target is not None and not game.is_opponent(player, target):
        check.fault(("DT-TGT-02",), "target_is_no_opponent", player=target.id)
    if game.mode == "king-of-the-hill":
        _check_without_die(event, target, attack, check)
    elif len(game.opponents(player)) == 1:
        check.rules += ("DT-TGT-01",)
        if event.die is not None:
            check.fault(("DT-TGT-01",), "no_targeting_die")
    else:
        _check_targeting_die(game, event, player, target, check)


def _check_open(event: Event, attack: Attack, check: Check) -> None:
    """Check that the target is still to be named, and by the attacker."""
    if attack.chooser:
        check.fault(("DT-TGT-03",), "others_choose_" + attack.chooser)
    elif attack.is_pointed or (attack.targets and [event.value] != [each.id for each in attack.targets]):
        check.fault(("DT-TGT-02",), "target_is_known")
    elif attack.is_resolved and not attack.targets:
        check.fault(("DT-TGT-02",), "nothing_to_target")


def _check_without_die(event: Event, target: Player | None, attack: Attack, check: Check) -> None:
    """In King of the Hill the attacker names the target."""
    check.rules += ("DT-TGT-05", "DT-KOTH-03" if attack.is_attack else "DT-KOTH-06")
    if event.die is not None:
        check.fault(("DT-TGT-05",), "no_targeting_die")
    if target is None:
        check.fault(("DT-TGT-05",), "name_a_target")


def _check_targeting_die(
    game: Game, event: Event, player: Player, target: Player | None, check: Check
) -> None:
    rule = "DT-TGT-04" if game.mode == "3v3" else "DT-TGT-03"
    check.rules += ("DT-TGT-02", rule)
    if event.die is None:
        if target is None:
            check.fault((rule,), "name_a_target")
        return
    pointed = pointed_at(game, player, event.die)
    if pointed is not None and target is not None and pointed is not target:
        check.fault((rule,), "die_points_elsewhere", die=event.die, player=pointed.id)


def pointed_at(game: Game, player: Player, die: int) -> Player | None:
    """The player a targeting die names; None if somebody chooses (2v2: 5 and 6)."""
    size, start = len(game.seats), player.seat
    circle = (game.seats[(start + k) % size] for k in range(1, size))
    seats = [p for p in circle if game.is_opponent(player, p)]
    if game.mode == "3v3":
        return seats[(die - 1) // 2]
    return seats[(die - 1) // 2] if die <= 4 and len(seats) == 2 else None


def do_target(game: Game, event: Event, player: Player) -> None:
    attack = game.attack
    assert attack is not None
    game.phase, attack.is_pointed = "targeting-roll", True
    if attack.targets:  # the activation already named the player the die points at
        return
    attack.die = event.die
    target = game.players.get(str(event.value)) if event.value is not None else None
    if target is None and event.die is not None:
        target = pointed_at(game, player, event.die)
    if target is None:
        attack.chooser = "opponents" if event.die == 5 else "roller"
        return
    if event.die is not None:
        attack.targets = [target]
        game.lay_open(Open(event.n, attack.context, attack.effects, "targeting"))
        _prepare(game, attack, target)
    else:
        settle_target(game, target)


def _prepare(game: Game, attack: Attack, target: Player) -> None:
    attack.held.clear()
    aim(game, attack, [target])


def settle_target(game: Game, target: Player) -> None:
    attack = game.attack
    assert attack is not None
    _prepare(game, attack, target)
    launch(game, attack, bool(attack.context.dice))


def redirect(game: Game, die: int) -> None:
    """Retarget the Attack by a changed targeting die, or open the choice."""
    attack = game.attack
    assert attack is not None
    attack.die = die
    target = pointed_at(game, attack.by, die)
    if target is not None:
        _prepare(game, attack, target)
        if not any(each.of == "targeting" for each in game.opens()):
            game.lay_open(Open(attack.n, attack.context, attack.effects, "targeting"))
    else:
        attack.targets = []
        game.withdraw("targeting", attack.by)
        attack.context.targets, attack.context.on = None, []
        attack.chooser = "opponents" if die == 5 else "roller"


def may_target(game: Game, player: Player) -> Iterable[str]:
    """Whether the player may roll for a target; also to confirm a target that the activation named."""
    attack = game.attack
    if attack is None or attack.by is not player or attack.is_pointed:
        return ()
    is_known = len(attack.targets) == 1 and not attack.targets[0].dead
    is_wanted = attack.lacks_target
    is_open = (is_known or is_wanted) and game.phase in (None, "offensive-roll", "targeting-roll")
    return ("target",) if is_open else ()

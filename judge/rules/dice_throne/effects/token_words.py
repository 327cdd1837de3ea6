"""Effects on statuses, companions and the side of a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from judge.core.messages import Message, Ref
from judge.rules.catalog import Effect
from judge.rules.dice_throne.effects.numbers import companions_of, count_of
from judge.rules.dice_throne.effects.vocabulary import TARGETS, Shape, Trait, effect_word
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.context import Context, reached, receivers
from judge.rules.dice_throne.state.model import Fault, Game, Pending
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event


@effect_word(
    "gain", Shape.STATUS, options=("to", "count", "per"), traits=(Trait.BETWEEN,), rules=("DT-STAT-11",)
)
def gain(game: Game, context: Context, effect: Effect) -> None:
    _place_on(game, context, effect, reached(game, context, effect, "self"), None)


@effect_word(
    "inflict",
    Shape.STATUS,
    options=("to", "count", "per"),
    traits=(Trait.NEEDS_TARGET, Trait.AGAINST_TARGET),
    rules=("DT-STAT-11",),
)
def inflict(game: Game, context: Context, effect: Effect) -> None:
    _place_on(game, context, effect, reached(game, context, effect, "target"), context.by)


def _place_on(
    game: Game, context: Context, effect: Effect, whom: Sequence[Player], inflicter: Player | None
) -> None:
    for player in whom:
        count = effect.count
        if count == "max":
            limit = tokens.limit_of(game, player, effect.status)
            count = (limit or 0) - player.statuses.get(effect.status, 0)
        if effect.per is not None:
            times = count_of(game, context, effect.per)
            if times is None:
                continue
            count *= times
        if count <= 0:
            continue
        is_refusable = may_refuse(game, player, effect.status)
        if is_refusable and _is_refused(game, context, player, effect.status):
            continue
        placed = tokens.place(game, player, effect.status, count, context.n, inflicter)
        if is_refusable and placed:
            _belong(game, context, player, effect.status, placed)


def _is_refused(game: Game, context: Context, player: Player, status_id: str) -> bool:
    """Whether the hero a token belongs to refuses it, by the event's choice (DT-TOK-20)."""
    if not context.choices or context.by is not player:
        return False
    if context.choices[0] not in (0, False, "no"):
        return False
    context.next_choice()
    game.step(
        "step_refused", game.statuses[status_id].rules, (context.n,), 0,
        player=player.id, status=Ref("status", status_id),
    )  # fmt: skip
    return True


def may_refuse(game: Game, player: Player, status_id: str) -> bool:
    status = game.statuses.get(status_id)
    return status is not None and status.refusable and player.hero_id in status.owners


def _belong(game: Game, context: Context, player: Player, status_id: str, placed: int) -> None:
    """The giver's tokens stay theirs; the receiver may still say that none is taken (DT-TOK-20)."""
    is_foreign = context.by is not player and context.by.hero_id in game.statuses[status_id].owners
    if is_foreign:
        player.foreign[status_id] = player.foreign.get(status_id, 0) + placed

    def settle(event: Event | None, value: Any) -> Fault | None:
        kept = 0 if value == "no" else value
        if not isinstance(kept, int) or not 0 <= kept <= placed:
            return Message("choice_out_of_range", n=placed), game.statuses[status_id].forbids_by
        back = tokens.remove(game, player, status_id, placed - kept, context.n)
        game.cited.extend(game.statuses[status_id].rules)
        if is_foreign:
            player.foreign[status_id] -= back
        return None

    options = tuple(range(placed + 1))
    by = frozenset((player.id,))
    game.pending.append(Pending(context.n, by, settle, optional=True, options=options, is_of_event=False))


def on_board(context: Context) -> bool:
    return context.kind in ("ability", "defence", "passive", "upkeep")


@effect_word(
    "remove",
    Shape.STATUS,
    options=("to", "from", "count", "up_to"),
    targets=(*TARGETS, "any"),
    traits=(Trait.REMOVAL, Trait.BETWEEN),
    rules=("DT-STAT-09",),
)
def remove(game: Game, context: Context, effect: Effect) -> None:
    whom = _from_whom(game, context, effect)
    if whom is None:
        game.ask(context.n, "on", "ask_whom")
        return
    for player in whom:
        if effect.status not in game.statuses and companions_of(game, player, effect.status):
            _remove_companion(game, context, effect, player)
        elif effect.status == "all":
            kinds = tokens.removable(game, player, context.by, on_board(context))
            game.fizzled = game.fizzled or not kinds
            for status_id in kinds:
                count = player.statuses[status_id]
                _count_removed(
                    context, status_id, tokens.remove(game, player, status_id, count, context.n, context.by)
                )
        elif effect.status == "any":
            _remove_any(game, context, effect, player)
        else:
            _remove_named(game, context, effect, player)


def _from_whom(game: Game, context: Context, effect: Effect) -> Sequence[Player] | None:
    source = effect.source or effect.to
    if source == "any":
        return _from_a_holder(game, context, effect)
    if source == "chosen-player" and not context.on:  # nobody was named: the only one who holds anything
        holders = [player for player in game.seats if tokens.removable(game, player, context.by, False)]
        return holders if len(holders) == 1 else None
    if not source:
        return context.on or (context.targets if context.kind != "card" else None) or [context.by]
    return receivers(game, context, Effect("remove", to=source), source)


def _from_a_holder(game: Game, context: Context, effect: Effect) -> Sequence[Player] | None:
    """The player who holds one; among several holders the choice decides."""
    if context.choices and context.choices[0] in game.players:
        return [game.players[context.next_choice()]]
    holders = [player for player in game.seats if player.statuses.get(effect.status)]
    return holders if len(holders) < 2 else None


def _count_removed(context: Context, status_id: str, taken: int) -> None:
    context.removed = {**context.removed, status_id: context.removed.get(status_id, 0) + taken}


def _remove_named(game: Game, context: Context, effect: Effect, player: Player) -> None:
    if not tokens.may_be_removed(game, effect.status, context.by, on_board(context)):
        return
    there = tokens.takeable(game, player, effect.status, context.by)
    count = there if effect.count == "max" else effect.count
    if effect.up_to is not None:
        count = _how_many(game, context, effect, there)
    taken = tokens.remove(game, player, effect.status, count, context.n, context.by)
    _count_removed(context, effect.status, taken)
    if not taken and count:
        game.fizzled = True


def _how_many(game: Game, context: Context, effect: Effect, there: int) -> int:
    """ "Up to": as many as were chosen; where fewer are there, all of them, and the ruling says so."""
    most = there if effect.up_to == "any" else min(there, effect.up_to)
    wanted = context.next_choice()
    if not isinstance(wanted, int):
        return 0
    if wanted > there:
        name = Ref("status", effect.status)
        game.step("step_fewer_there", ("DT-STAT-09",), (context.n,), most, status=name, n=most, wanted=wanted)
    return min(wanted, most)


def _remove_any(game: Game, context: Context, effect: Effect, player: Player) -> None:
    """Remove the holder's only kind of token; among several kinds a choice decides."""
    kinds = tokens.removable(game, player, context.by, on_board(context))
    wanted = context.next_choice()
    if wanted in kinds:
        kinds = [wanted]
    most = max(player.statuses.values(), default=0)
    count = most if effect.count == "max" else effect.count
    if effect.up_to is not None:
        count = most if effect.up_to == "any" else effect.up_to
        if isinstance(wanted, int) and not isinstance(wanted, bool):
            count = min(wanted, count)
    if not kinds:
        game.fizzled = True
    elif len(kinds) == 1:
        _count_removed(context, kinds[0], tokens.remove(game, player, kinds[0], count, context.n, context.by))
    else:
        _wait_for_status(
            game,
            context,
            player,
            kinds,
            lambda kind: tokens.remove(game, player, kind, count, context.n, context.by),
        )


def _wait_for_status(
    game: Game, context: Context, player: Player, kinds: list[str], act: Callable[[str], Any]
) -> None:
    def settle(event: Event | None, value: Any) -> Fault | None:
        if value not in kinds:
            return Message("choice_not_offered", options=[Ref("status", k) for k in kinds]), ("DT-STAT-09",)
        act(value)
        return None

    by = frozenset((context.by.id,))
    game.pending.append(Pending(context.n, by, settle, options=tuple(kinds)))


def _remove_companion(game: Game, context: Context, effect: Effect, player: Player) -> None:
    there = companions_of(game, player, effect.status)
    wanted = there if effect.count == "max" else min(effect.count, there)
    count = wanted if effect.up_to is None else _how_many(game, context, effect, there)
    companion = game.catalog.companion(effect.status)
    left = count
    for name in companion.ids if companion is not None else (effect.status,):
        taken = min(player.companions.get(name, 0), left)
        if taken:
            player.companions[name] -= taken
            left -= taken
    _count_removed(context, effect.status, count)


@effect_word("transfer", Shape.STATUS, options=("to", "from", "count"), traits=(Trait.REMOVAL, Trait.BETWEEN))
def transfer(game: Game, context: Context, effect: Effect) -> None:
    """Move tokens by `on: [from, to]`; a status moves itself from its holder to the player named."""
    if context.kind == "upkeep" and context.source is not None:
        giver, takers = context.holder, context.on
    elif len(context.on) == 2:
        giver, takers = context.on[0], context.on[1:]
    else:
        game.ask(context.n, "on", "ask_from_to")
        return
    if not takers:
        game.ask(context.n, "on", "ask_whom")
        return
    taker = takers[0]
    kinds = (
        tokens.removable(game, giver, context.by, on_board(context))
        if effect.status == "any"
        else [effect.status]
    )
    wanted = context.next_choice()
    if wanted in kinds:
        kinds = [wanted]
    kinds = [kind for kind in kinds if kind in giver.statuses and tokens.is_transferable(game, kind)]
    if not kinds:
        game.fizzled = True
    elif len(kinds) == 1:
        move(game, context, giver, taker, kinds[0])
    else:
        _wait_for_status(game, context, giver, kinds, lambda kind: move(game, context, giver, taker, kind))


def move(game: Game, context: Context, giver: Player, taker: Player, status_id: str) -> None:
    limit = tokens.limit_of(game, taker, status_id)
    status = game.statuses.get(status_id)
    is_full = limit is not None and taker.statuses.get(status_id, 0) >= limit
    if is_full and not (status is not None and status.explosion) and game.reading("J-14") == "a":
        return  # strict: the token stays where it is
    if (giver.dead or taker.dead) and game.reading("J-21") == "a":
        game.fizzled = True
        return
    tokens.take(giver, status_id, 1)
    game.step(
        "step_moved",
        ("DT-STAT-10",),
        (context.n,),
        1,
        player=giver.id,
        to=taker.id,
        status=Ref("status", status_id),
    )
    tokens.place(game, taker, status_id, 1, context.n)


@effect_word("bring", Shape.STATUS, options=("to",))
def bring(game: Game, context: Context, effect: Effect) -> None:
    """A thing that exists once goes to a player, from whoever has it."""
    whom = receivers(game, context, effect, "self")
    if not whom:
        game.ask(context.n, "on", "ask_whom")
        return
    giver = next((player for player in game.seats if player.statuses.get(effect.status)), None)
    if giver is None or giver is whom[0]:
        game.fizzled = True
        return
    move(game, context, giver, whom[0], effect.status)


@effect_word("raise_limit", Shape.LIMIT, options=("to",))
def raise_limit(game: Game, context: Context, effect: Effect) -> None:
    for player in reached(game, context, effect, "self"):
        limit = tokens.limit_of(game, player, effect.status)
        if limit is not None:
            player.limits = {**player.limits, effect.status: limit + effect.count}
            game.step(
                "step_limit_raised",
                ("DT-STAT-04",),
                (context.n,),
                limit + effect.count,
                player=player.id,
                status=Ref("status", effect.status),
                n=limit + effect.count,
            )


@effect_word("explode", Shape.STATUS, options=("to",))
def explode(game: Game, context: Context, effect: Effect) -> None:
    for player in reached(game, context, effect, "holder"):
        tokens.explode(game, player, effect.status, context.n)


@effect_word("flip", Shape.SIDE)
def flip(game: Game, context: Context, effect: Effect) -> None:
    context.by.side = effect.status
    side = Ref("side", effect.status)
    game.step("step_flipped", context.rules, (context.n,), None, player=context.by.id, side=side)

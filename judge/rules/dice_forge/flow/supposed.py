"""What a table would look like if an illegal event had counted: the usual reason for a wrong claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.rules.dice_forge.state.catalog import Catalog
from judge.rules.dice_forge.state.desk import Desk
from judge.rules.dice_forge.state.model import Due, State
from judge.rules.dice_forge.state.table import Event
from judge.rules.dice_forge.verbs.actions import feat, offer, reinforce
from judge.rules.dice_forge.verbs.blessings import bless, minor
from judge.rules.dice_forge.verbs.tokens import spend_token

VERBS = {
    "bless": bless, "minor": minor, "reinforce": reinforce, "offer": offer, "feat": feat,
    "token": spend_token,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refused:
    """An illegal event, the table before it, and the rules that decide it."""

    n: int | str
    event: Event
    before: State
    decides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Supposed:
    """An illegal event and what the table would be after it."""

    refused: Refused
    after: State


MOST_SUPPOSED = 40  # illegal events that a claim is compared with


def suppose(refused: Sequence[Refused], catalog: Catalog) -> list[Supposed]:
    """The illegal events that somebody may have counted."""
    after = ((event, as_if_allowed(event, catalog)) for event in refused)
    return [Supposed(event, state) for event, state in after if state is not None]


class _Lenient(Desk):
    """A record that refuses nothing."""

    __slots__ = ()

    def refuse(self, key: str, *rules: str, **params: object) -> None:
        """Go on as if nothing were wrong."""


class _Nothing:
    """No event is entered later."""

    def minors(self, player: str) -> list[tuple[str, int | None]]:
        return []

    def bless_ousted(self, desk: Desk, player: str) -> None:
        return None


def as_if_allowed(refused: Refused, catalog: Catalog) -> State | None:
    """The table after an illegal event, as if it had been allowed; None if nobody could have done it."""
    event, state = refused.event, refused.before.copy()
    if event.verb not in VERBS or state.ended:
        return None
    _make_room(event, state, catalog)
    if event.verb == "offer":
        _pay_for(event, state, catalog)
    else:
        VERBS[event.verb](_Lenient(0, state, catalog, {}, _Nothing()), event)
    if any(n < 0 for player in state.players.values() for n in player.have.values()):
        return None
    return state


def _make_room(event: Event, state: State, catalog: Catalog) -> None:
    """Put the table where the event would be in order: its step, its turn, a blessing that is due."""
    if event.verb == "bless" and event.cause in (None, "step-1"):
        state.step, state.blessed = 1, {}
    elif event.verb in ("bless", "minor"):
        kind = "divine_blessings" if event.verb == "bless" else "minor_blessings"
        card = next(card.id for card in catalog.feats.values() if card.kind == kind)
        cause = event.cause or "card"
        state.due = [Due(event.by, event.verb, cause, 1, None if cause == "oust" else card)]
    else:
        state.active, state.acted, state.extra_taken = event.by, False, False
        state.step = 2 if event.verb == "reinforce" else 3
    if event.verb == "feat" and event.value in state.piles:
        state.piles[event.value] = max(1, state.piles[event.value])


def _pay_for(event: Event, state: State, catalog: Catalog) -> None:
    """An offering costs what its faces cost, whatever else is wrong with it."""
    have = state.players[event.by].have
    have["G"] -= sum(catalog.price_of(place.face or "") or 0 for place in event.value)
    if event.extra:
        for letter, n in catalog.extra_cost.items():
            have[letter] -= n

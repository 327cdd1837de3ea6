"""The state of the table during a replay: one `Game` per ruling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from judge.core.messages import Message, Ref
from judge.rules.catalog import Ability, Card, Companion, Effect, Effects, Status
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.pools import Pool
from judge.rules.dice_throne.state.table import (
    ROLL_PHASES,
    TEAM_MODES,
    Event,
    Label,
    Table,
    TurnStart,
)
from judge.rules.ruling import PLAYING, Ask, EventRuling, Order, Outcome, Resolution, Told, Verdict

if TYPE_CHECKING:
    from judge.rules.dice_throne.state.context import Context

Fault = tuple[Message, tuple[str, ...]]


class Stage(Enum):
    """How far an activated ability has come."""

    ACTIVATED = 1  # its effects are not all resolved, or still wait for a target
    RESOLVED = 2  # all its effects are known
    ANSWERED = 3  # it is an Attack, and statuses that answer one have done so


ACTIVATED, RESOLVED, ANSWERED = Stage  # as names of the module: a member of an Enum is found slowly


class Attack:
    """The Offensive Ability of this Roll Phase, whether or not it turns out to be an Attack."""

    __slots__ = (
        "ability", "awaits", "brought", "by", "chooser", "context", "defences", "defended", "die", "drawn",
        "effects", "held", "ignores", "inflicted", "is_attack", "is_cancelled", "is_held_back", "is_pointed",
        "later", "locked_late", "n", "open_to", "spent", "stage", "targets", "types", "ultimate", "waiting",
    )  # fmt: skip

    def __init__(self, n: Label, by: Player, ability: str, effects: Effects, context: Any) -> None:
        self.n, self.by, self.ability, self.context = n, by, ability, context
        self.effects = effects  # that still wait for a target
        self.ultimate = False
        self.is_attack = False  # DT-ATK-01; provisional while effects still wait
        self.targets: list[Player] = []
        self.types: set[str] = set()  # of the damage in its text
        self.stage = ACTIVATED
        self.drawn = 0  # cards drawn for targeting a Leader
        self.die: int | None = None
        self.chooser = ""  # opponents | roller, while a targeting die leaves the choice open
        self.is_pointed = False  # a `target` event has named the target, or left the choice to somebody
        self.defended: dict[str, Ref] = {}
        self.defences: dict[Label, str] = {}  # the events that defended, and by whom
        self.open_to: frozenset[str] = frozenset()  # players who may defend whatever its type
        self.spent: set[str] = set()
        self.held: dict[str, dict[str, int]] = {}  # tokens each target held when Attacked
        self.brought = set(by.statuses)  # statuses the attacker held at the activation
        self.inflicted: list[tuple[Player, str]] = []
        self.locked_late: tuple[Player, ...] = ()  # stunned by a "then" after the damage
        self.awaits: frozenset[str] = frozenset()  # statuses whose forced roll has to come first
        self.is_held_back = False  # nothing of it has happened yet, because of them
        self.ignores = False  # an Ultimate that a status in play would otherwise lessen
        self.is_cancelled = False  # such a roll took all its effect away
        self.later: tuple[tuple[Any, Effect], ...] = ()  # wait for the damage dealt
        self.waiting: tuple[tuple[Any, Effects], ...] = ()  # texts used before it had a target

    @property
    def is_resolved(self) -> bool:
        return self.stage is not ACTIVATED

    @property
    def lacks_target(self) -> bool:
        """Whether it still has to find its target."""
        return not self.targets and self.stage is ACTIVATED


@dataclass(slots=True)
class Open:
    """Dice on the table or the pause of a "then": the rest of an event, until the next event."""

    n: Label
    context: Any
    effects: Effects
    of: str  # effect | defensive | upkeep | targeting
    is_pause: bool = False  # no dice wait to be counted, only the rest of a text
    is_inside_block: bool = False  # a pause that only reading b of J-07 opens
    card_of: Player | None = None  # whose card is still being carried out
    beneath: Open | None = None  # what lay open before, and is closed after it


@dataclass(slots=True)
class Pending:
    """A choice that somebody still has to make. `settle` returns a fault if the answer is not possible."""

    n: Label
    by: frozenset[str]
    settle: Callable[[Event | None, Any], Fault | None]
    optional: bool = False
    question: Message | None = None  # asked if the choice is never made
    options: tuple[Any, ...] = ()  # the possible answers
    texts: tuple[Effects, ...] = ()  # what each of them does, where the text says so
    is_of_event: bool = True  # the event itself may say it as its `choice`
    rest: tuple[Context, Effects] | None = None  # of the text: it counts what the choice gives or takes
    implied: Callable[[], Any] | None = None  # the answer that goes without saying, if there is one now


class Game:
    """State and record of one replay."""

    __slots__ = (
        "active", "again_against", "altered", "announced", "asked", "asks", "at_upkeep", "attack",
        "attempts", "cap", "catalog", "cited", "counted", "damaged", "dice", "discretion", "edition",
        "events", "extra_attempts", "extra_defence", "extra_due", "extra_target", "first", "fizzled",
        "instances", "is_extra_due", "is_reduced", "is_team_game", "last", "locked", "locks", "lost",
        "meanwhile", "mode", "notes", "numbers", "open", "order", "outcome", "over", "paid", "pending",
        "phase", "players", "plays_again", "pools", "refused", "resolutions", "resolved", "rulings",
        "seats", "shown", "skipped", "statuses", "steps", "table", "teams", "unsettled", "used", "verdict",
        "windows", "worked",
    )  # fmt: skip

    def __init__(
        self, table: Table, rulings: dict[str, str], counted: frozenset[Label] = frozenset()
    ) -> None:
        self.counted = counted  # illegal events to count as legal (claims)
        self.table, self.edition, self.numbers = table, table.edition, table.edition.numbers
        self.catalog, self.statuses, self.mode = table.catalog, table.catalog.statuses, table.mode
        self.windows, self.locks = self.statuses.windows, self.statuses.locks
        heroes, is_anybody_dead = table.catalog.heroes, False
        self.teams = {**table.teams}
        self.is_team_game = table.mode in TEAM_MODES
        self.seats: list[Player] = []
        self.players: dict[str, Player] = {}
        for n, seat in enumerate(table.players):
            player = self.players[seat.id] = Player(n, seat, heroes.get(seat.hero or ""))
            self.seats.append(player)
            if (self.teams[player.team or ""] if self.is_team_game else player.health) <= 0:
                player.dead = is_anybody_dead = True
        self.cap = self.numbers.start_health[table.mode] + self.numbers.heal_over
        self._start(table.turn)
        self._record(rulings)
        if is_anybody_dead:
            self._settle_an_end()

    def _start(self, turn: TurnStart) -> None:
        """Where the turn stands, and what it has used up already."""
        self.active = self.players.get(turn.active or "")
        self.phase, self.first, self.attempts = turn.phase, turn.first, turn.attempts
        self.extra_attempts = turn.extra_attempts
        self.dice: list[int] | None = list(turn.dice) if turn.dice else None
        self.announced, self.altered = turn.announced, turn.altered
        self.resolved: dict[str, int] = {**turn.resolved}
        self.at_upkeep: dict[str, int] = {}  # tokens there were when the first of them was resolved
        self.skipped: dict[str, str] = {**turn.skipped}
        self.used: dict[str, int] = {**turn.used}  # uses that count per turn
        # Of this turn: who damaged an opponent by an Attack, the tokens held then, and when it was made.
        self.damaged: list[tuple[Player, dict[str, int], dict[str, int]]] = []
        # Set in the extra Offensive Roll Phase after a Stun.
        self.extra_target = self.players.get(turn.extra_target or "")
        self.extra_defence: set[str] = set()
        self.extra_due: Player | None = None  # the extra Offensive Roll Phase after a Stun goes against them
        self.plays_again = self.is_extra_due = False  # another Offensive Roll Phase follows; it begins now
        self.again_against: Player | None = None  # ... against this player only
        self.locked: set[str] = set()  # players who may do nothing for now
        # No ability, no damage, no dice and no choice waits.
        self.attack: Attack | None = None
        self.open: Open | None = None  # the last of the dice and pauses that lie open; `opens` gives all
        self.pools: dict[str, Pool] = {}
        self.instances: list[Pool] = []
        self.shown: list[Open] = []  # dice of colliding actions that have not resolved yet
        self.paid: set[Label] = set()  # colliding actions whose price was paid when they were declared
        self.pending: list[Pending] = []
        self.meanwhile: dict[str, list[str]] = {}  # what was open while damage still waited at the end

    def _record(self, rulings: dict[str, str]) -> None:
        self.rulings = rulings
        self.outcome, self.over = PLAYING, False
        self.last: Label = 0  # the last event that was carried out
        self.verdict: Verdict = "legal"
        self.refused: Fault | None = None  # why the last choice was not possible
        self.fizzled = False
        self.events: list[EventRuling] = []
        self.order: list[Order] = []
        self.resolutions: list[Resolution] = []
        self.worked: list[tuple[str, list[Any]]] = []  # the sums behind the resolutions
        self.steps: list[Told] = []
        self.is_reduced = False  # the attacker's own statuses were looked at for what they take off
        self.lost: dict[str, dict[str, int]] = {}
        self.asks: list[Ask] = []
        self.asked: dict[Label, set[str]] = {}  # what each event was asked for, once each
        self.discretion: list[str] = []
        self.unsettled: list[str] = []
        self.notes: list[Message] = []  # what the current event did, beyond its verdict
        self.cited: list[str] = []  # further rules of the current event

    def _settle_an_end(self) -> None:
        """A table may begin after the game has ended."""
        standing = [p for p in self.seats if not p.dead]
        if len({p.team if self.is_team_game else p.id for p in standing}) < 2:
            winners = [p.id for p in standing]
            self.outcome, self.over = Outcome("won" if winners else "draw", winners), True

    # -------------------------------------------------------------- who is who

    def health_of(self, player: Player) -> int:
        return self.teams[player.team or ""] if self.is_team_game else player.health

    def is_opponent(self, player: Player, other: Player) -> bool:
        return player is not other and (not self.is_team_game or player.team != other.team)

    def opponents(self, player: Player) -> list[Player]:
        """Living opponents, clockwise from the player's left."""
        if len(self.seats) == 2:
            other = self.seats[1 - player.seat]
            return [] if other.dead else [other]
        return self._opponents_of_many(player)

    def _opponents_of_many(self, player: Player) -> list[Player]:
        size, start = len(self.seats), player.seat
        circle = (self.seats[(start + k) % size] for k in range(1, size))
        return [other for other in circle if not other.dead and self.is_opponent(player, other)]

    def named(self, names: Iterable[str]) -> list[Player]:
        return [self.players[name] for name in names]

    def mates(self, player: Player) -> list[Player]:
        return [p for p in self.seats if p is not player and self.is_team_game and p.team == player.team]

    def clockwise_from_active(self, player: Player) -> int:
        start = self.active.seat if self.active is not None else 0
        return (player.seat - start) % len(self.seats)

    # -------------------------------------------------------------- where damage goes

    @property
    def has_extra_phase(self) -> bool:
        """Whether another Offensive Roll Phase follows the one just concluded."""
        return (self.extra_due is not None or self.is_extra_due) and not self.over

    @property
    def is_pooled(self) -> bool:
        """Whether damage is collected until the end of the phase (DT-UPK-03, DT-DRP-07)."""
        return self.attack is not None or self.phase in ROLL_PHASES or self.phase == "upkeep"

    def pool(self, player: Player) -> Pool:
        pool = self.pools.get(player.id)
        if pool is None:
            pool = self.pools[player.id] = Pool(player)
        return pool

    def opens(self) -> Iterator[Open]:
        """Dice and pauses that lie open, the last one first."""
        each = self.open
        while each is not None:
            yield each
            each = each.beneath

    def lay_open(self, waiting: Open) -> None:
        waiting.beneath, self.open = self.open, waiting

    def withdraw(self, of: str, by: Player) -> None:
        """Take dice of this kind and player off the table; they never count."""
        kept = [each for each in self.opens() if each.of != of or each.context.by is not by]
        self.open = None
        for each in reversed(kept):
            self.lay_open(each)

    def status(self, status_id: str) -> Status | None:
        return self.statuses.get(status_id)

    def symbols(self, player: Player, dice: list[int] | tuple[int, ...]) -> dict[str, int]:
        count: dict[str, int] = {}
        for value in dice:
            symbol = player.die[value - 1] if player.die else str(value)
            count[symbol] = count.get(symbol, 0) + 1
        return count

    # -------------------------------------------------------------- the record

    def step(
        self,
        key: str,
        rules: tuple[str, ...],
        events: tuple[Label, ...],
        value: int | None = None,
        /,
        **params: Any,
    ) -> None:
        self.steps.append((key, tuple(params), tuple(params.values()), rules, events, value))

    def note(self, key: str, /, **params: Any) -> None:
        self.notes.append(Message(key, **params))

    def ask(self, n: Label, what: str, key: str, /, **params: Any) -> None:
        asked = self.asked.setdefault(n, set())
        if what not in asked:
            asked.add(what)
            self.asks.append(Ask(n, what, Message(key, **params)))

    def ask_text(self, n: Label, ref: Ref, thing: Ability | Card | Companion | Status | None) -> None:
        """Ask what a thing does, or what else it does; with what its sheet says of it."""
        if thing is not None and thing.says:
            self.ask(n, "effects", "ask_said", thing=ref, said=Ref("says", f"{ref.kind}:{thing.id}"))
        elif thing is not None and thing.is_partial:
            self.ask(n, "effects", "ask_rest", thing=ref)
        else:
            self.ask(n, "effects", "ask_effects", thing=ref)

    def refuse(self, fault: Fault) -> None:
        """Make the current event illegal because its choice is not possible."""
        self.verdict = "illegal"
        self.notes.append(fault[0])
        self.cited.extend(fault[1])
        self.refused = fault

    def lose(self, player: Player, resource: str, amount: int) -> None:
        if amount > 0:
            lost = self.lost.setdefault(player.id, {})
            lost[resource] = lost.get(resource, 0) + amount

    def reading(self, point: str) -> str:
        """The letter to follow at an open point on which the ruling now rests."""
        self.rest_on(point)
        return self.letter(point)

    def letter(self, point: str) -> str:
        """The letter to follow at an open point: the table's own choice, the adopted one, or the first."""
        letters, adopted = self.table.open_points[point]
        return self.rulings.get(point) or adopted or letters[0]

    def is_settled(self, point: str) -> bool:
        return point in self.rulings or self.table.open_points[point][1] is not None

    def rest_on(self, point: str) -> None:
        """Record that the current event rests on an open point."""
        if point not in self.discretion:
            self.discretion.append(point)
        if point not in self.cited:
            self.cited.append(point)
        if not self.is_settled(point):
            if point not in self.unsettled:
                self.unsettled.append(point)
            self.verdict = "discretion"

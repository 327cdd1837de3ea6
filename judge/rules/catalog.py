"""The catalogue of Dice Throne: heroes, abilities, cards and statuses, and what each does in effect words.

Only the dataclasses and the lookup; `judge.schemas.dice_throne.catalog` reads and checks the files.
Effects are slotted, not frozen, because a table file makes many of them; nothing changes one once it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judge.rules.dice_throne.state.editions import Edition

DAMAGE_TYPES = ("normal", "undefendable", "pure", "collateral", "ultimate")

LOCKED = "until-the-attack-is-over"  # the window of a status under which its holder may do nothing

# When a status or passive acts by itself, or may be spent. One closed list for both.
WINDOWS = (
    "any",  # spendable at any time
    "upkeep",  # holder's Upkeep Phase
    "income",  # holder's Income Phase
    "offensive-roll",  # before and at the holder's Offensive Roll Phase
    "dealing",  # the holder deals damage from their Offensive Roll Phase
    "after-attacking",  # the holder has Attacked
    "end-of-offensive-roll",  # the holder has activated an ability, nobody has defended
    "attacked",  # the holder has been Attacked by an opponent
    "damaged",  # damage is waiting for the holder
    "damaged-by-offensive-roll",  # ... from an opponent's Offensive Roll Phase
    "conclusion",  # conclusion of the Roll Phase in the holder's turn
    "main",  # the holder's Main Phases
    "end-of-turn",  # end of the holder's turn
    "would-fall",  # the holder's health would fall to 0
    "roll",  # any Roll Phase
    "activated",  # the holder has activated an Offensive Ability
    "attacking",  # the holder's ability has turned out to be an Attack
    LOCKED,  # from being inflicted until the Attack is over
    "opponent-did-not-attack",  # an opponent's Offensive Roll Phase led to no Attack
)


@dataclass(slots=True)
class Condition:
    """`if`: one named condition and its value, e.g. ("symbols", {"sword": 1}). A value of None is unknown."""

    kind: str
    value: Any = None


@dataclass(slots=True)
class Effect:
    """One effect word with its details. Fields that a word does not use keep their default."""

    op: str
    amount: Any = None  # a number, a Fraction or a named amount of the word; None is unknown
    status: str = ""
    type: str = "normal"
    to: str = ""
    source: str = ""
    count: Any = 1
    up_to: Any = None
    per: tuple[str, str] | None = None
    limit: int | None = None
    fraction: Fraction | None = None  # the number times this, rounded up
    isolated: bool = False
    unpreventable: bool = False  # neither prevented nor reduced
    best_of: int | None = None  # dice rolled, of which the best count
    random: bool = False
    who: str = ""  # who decides, where it is not the player of the text
    parts: tuple[Effect, ...] = ()
    options: tuple[tuple[Effect, ...], ...] = ()
    on: tuple[tuple[str, tuple[Effect, ...]], ...] = ()
    each: tuple[tuple[str, tuple[Effect, ...]], ...] = ()
    condition: Condition | None = None
    instead: bool = False
    whose: str = "any"


Effects = tuple[Effect, ...]
HERO_DICE = 5  # an Offensive Roll
BOARD_SPACES = 9
HERO_CARDS = 15  # besides the common ones
NO_WORDS: frozenset[str] = frozenset()


def flat(effects: Effects | None) -> list[Effect]:
    """Every effect of a list, including nested ones."""
    every: list[Effect] = []
    for effect in effects or ():
        every.append(effect)
        if effect.parts:
            every += flat(effect.parts)
        for option in effect.options:
            every += flat(option)
        if effect.on or effect.each:
            for _, inner in (*effect.on, *effect.each):
                every += flat(inner)
    return every


def words_in(effects: Effects | None) -> frozenset[str]:
    """The words a text uses, so that a check can skip texts that do not concern it."""
    return frozenset(effect.op for effect in flat(effects))


@dataclass(slots=True)
class Needs:
    """An Activation Condition. `tiers` holds one entry per line of the ability."""

    symbols: Mapping[str, int] = field(default_factory=dict)
    straight: str = ""
    kind: int = 0
    tiers: tuple[Needs, ...] = ()
    dice: int = 0
    most_dice: int = 0  # of a defence that tokens or forms make stronger; 0: always `dice`
    passive: bool = False
    # The rules on such a condition, once somebody has asked for them.
    rules: tuple[str, ...] | None = field(default=None, init=False, compare=False, repr=False)


@dataclass(slots=True)
class Use:
    """One way of using a token or a companion. `prices` holds one price for each level it may have, or one
    for all: how many tokens of which status, `cp`, `cards`."""

    effects: Effects = ()
    when: str = "any"
    prices: tuple[Mapping[str, int], ...] = ()
    per_turn: int | None = None  # how often in one turn
    modifier: bool = False  # an Attack Modifier
    aged: bool = False  # only with tokens that did not come in this turn
    attack_at_least: int = 0
    condition: Condition | None = None
    words: frozenset[str] = NO_WORDS

    def price(self, level: int = 1) -> Mapping[str, int]:
        return self.prices[min(max(level, 1), len(self.prices)) - 1] if self.prices else {}


@dataclass(slots=True)
class Status:
    """A status token. `when` is its window, `by_edition` holds what one book says differently."""

    id: str
    names: Mapping[str, str | None] = field(default_factory=dict)
    polarity: str = ""
    stack_limit: int | None = None
    owner_limit: int | None = None  # the limit of the hero it belongs to, where that differs
    owners: tuple[str, ...] = ()
    persistent: bool = False
    spendable: bool | None = None
    attack_modifier: Mapping[str, bool] = field(default_factory=dict)  # by edition; "" is every other
    when: str = "any"
    effects: Effects | None = None
    explosion: Effects = ()
    expires: str = ""  # conclusion | whole-turn
    removable: str = ""  # owner-board | nothing ; otherwise anything that removes statuses
    spares_owner: bool = False  # its own effects do not touch the hero it belongs to
    refusable: bool = False  # the hero it belongs to may refuse to receive one
    attack_at_least: int = 0  # spendable only on an Attack of at least this damage
    uses: tuple[Use, ...] = ()  # where it is spent in several ways
    is_transferable: bool = True
    second_explodes: bool = True  # a token beyond the limit sets off one that explodes
    is_partial: bool = False  # it does more than its effects say
    says: Mapping[str, str] = field(default_factory=dict)  # what is known of that, by language
    rules: tuple[str, ...] = ()
    words: frozenset[str] = NO_WORDS
    by_edition: Mapping[str, Status] = field(default_factory=dict)

    @property
    def forbids_by(self) -> tuple[str, ...]:
        """The rules to name where it forbids something; a token that no book shows is a status like any."""
        return self.rules or ("DT-STAT-01",)

    @property
    def acts_by(self) -> tuple[str, ...]:
        """The rules by which it acts; a persistent one stays afterwards."""
        return (*self.rules, "DT-STAT-07") if self.persistent else self.rules

    def is_modifier(self, edition: Edition) -> bool:
        """Whether this book calls it an Attack Modifier. A book that is not named does so if another does and
        it uses the term for more than increases (DT-ATK-03)."""
        for book in (edition.id, *edition.like, ""):
            if book in self.attack_modifier:
                return self.attack_modifier[book]
        return any(self.attack_modifier.values()) and not edition.modifier_only_increases

    @property
    def is_unsaid(self) -> bool:
        """Whether the catalogue lacks its text, or a part of it."""
        return self.is_partial or (self.effects is None and not self.uses)


def window_of(effect: Effect) -> str:
    """The window that triggers a part of a text; "" if its player uses it."""
    if effect.op == "if" and effect.condition is not None and effect.condition.kind == "when":
        return str(effect.condition.value)
    return ""


def _by_window(statuses: Iterable[Status]) -> Mapping[str, frozenset[str]]:
    windows: dict[str, set[str]] = {}
    for status in statuses:
        windows.setdefault(status.when, set()).add(status.id)
    return {when: frozenset(ids) for when, ids in windows.items()}


class Statuses(dict[str, Status]):
    """Statuses by id, with indexes that are made when first needed. Nothing is added once it is made."""

    unlimited: Statuses | None = None  # the same without limits, once a claim that forgets them was looked at

    @cached_property
    def windows(self) -> Mapping[str, frozenset[str]]:
        """The ids of the statuses by the window in which they act."""
        return _by_window(self.values())

    @cached_property
    def standing(self) -> Mapping[str, frozenset[str]]:
        """The same of those that are not spent: they act by being held."""
        return _by_window(status for status in self.values() if not status.spendable)

    def with_changed(self, status: Status) -> Statuses:
        """The same statuses with one of them in another form. The indexes are made from these."""
        changed, old = Statuses({**self, status.id: status}), self[status.id]
        windows = {**self.windows, old.when: self.windows[old.when] - {old.id}}
        windows[status.when] = windows.get(status.when, frozenset()) | {status.id}
        changed.windows = windows
        if (status.when, status.spendable) == (old.when, old.spendable):
            changed.standing = self.standing
        if status.expires == old.expires:
            changed.expiring = self.expiring
        if not any(map(window_of, (*(old.effects or ()), *(status.effects or ())))):
            changed.acting = self.acting
        return changed

    @cached_property
    def expiring(self) -> Mapping[str, frozenset[str]]:
        """The ids of the statuses that leave by themselves, by the moment when they do."""
        moments = dict.fromkeys(status.expires for status in self.values() if status.expires)
        return {when: frozenset(s.id for s in self.values() if s.expires == when) for when in moments}

    @cached_property
    def locks(self) -> frozenset[str]:
        """The ids of the statuses under which their holder may do nothing."""
        return self.windows.get(LOCKED, frozenset())

    @cached_property
    def acting(self) -> Mapping[str, Mapping[str, tuple[Status, ...]]]:
        """By hero and window: the statuses of that hero whose text lets something happen in that window,
        whether or not one is held."""
        acting: dict[str, dict[str, tuple[Status, ...]]] = {}
        for status in self.values():
            for window in dict.fromkeys(filter(None, map(window_of, status.effects or ()))):
                for hero_id in status.owners:
                    mine = acting.setdefault(hero_id, {})
                    mine[window] = (*mine.get(window, ()), status)
        return acting


@dataclass(slots=True)
class Ability:
    """A space of a hero's board, or a second ability printed on an upgrade card."""

    id: str
    names: Mapping[str, str | None] = field(default_factory=dict)
    kind: str = "offensive"  # offensive | defensive | ultimate | passive
    level: int = 1
    side: str = ""
    needs: Needs | None = None
    effects: Effects | None = None
    tier_effects: tuple[Effects, ...] = ()
    comes_with: tuple[str, int] | None = None  # printed on the upgrade of another ability, of that level
    is_partial: bool = False  # it does more than its effects say
    says: Mapping[str, str] = field(default_factory=dict)  # what is known of that, by language
    rules: tuple[str, ...] = ()
    words: frozenset[str] = NO_WORDS
    was: tuple[str, ...] = ()  # former ids

    @property
    def is_unsaid(self) -> bool:
        """Whether the catalogue lacks its text, or a part of it."""
        return self.is_partial or (self.effects is None and not self.tier_effects)


@dataclass(slots=True)
class Card:
    """An action card (kind main, roll or instant) or a hero upgrade (kind upgrade)."""

    id: str
    names: Mapping[str, str | None] = field(default_factory=dict)
    kind: str = ""
    cost: int | None = None
    attack_modifier: bool = False
    when_attacked: bool = False
    effects: Effects | None = None
    tier_effects: tuple[Effects, ...] = ()
    upgrades: str = ""
    level: int = 1
    needs: Needs | None = None
    also: Ability | None = None
    is_partial: bool = False  # it does more than its effects say
    says: Mapping[str, str] = field(default_factory=dict)  # what is known of that, by language
    rules: tuple[str, ...] = ()
    words: frozenset[str] = NO_WORDS
    was: tuple[str, ...] = ()  # former ids

    @property
    def is_unsaid(self) -> bool:
        """Whether the catalogue lacks its text, or a part of it."""
        return self.is_partial or (self.effects is None and not self.tier_effects)


@dataclass(slots=True)
class Stage:
    """One stage of growth of a companion, and what it does."""

    id: str
    limit: int | None = None
    effects: Effects | None = None
    per_turn: int | None = None
    is_used_up: bool = False  # using it takes it away


@dataclass(slots=True)
class Companion:
    """A companion: counted as a whole or stage by stage, with health of its own, or built level by level."""

    id: str
    names: Mapping[str, str | None] = field(default_factory=dict)
    owner: str = ""
    limit: int | None = None
    stages: tuple[Stage, ...] = ()
    rules: tuple[str, ...] = ()
    effects: Effects | None = None  # what acts by itself
    uses: tuple[Use, ...] = ()
    health: int = 0  # at most; 0 if it has none
    levels: int = 0  # to which it is built; 0 if it is not built
    is_partial: bool = False  # it does more than its effects say
    says: Mapping[str, str] = field(default_factory=dict)  # what is known of that, by language
    words: frozenset[str] = NO_WORDS

    @property
    def ids(self) -> tuple[str, ...]:
        return (self.id, *(stage.id for stage in self.stages))


@dataclass(slots=True)
class Hero:
    """A hero: die, board, cards, companions, and what it begins with."""

    id: str
    names: Mapping[str, str | None] = field(default_factory=dict)
    dice: tuple[str, ...] = ()
    symbol_names: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)
    abilities: Mapping[str, Ability] = field(default_factory=dict)
    cards: Mapping[str, Card] = field(default_factory=dict)
    companions: Mapping[str, Companion] = field(default_factory=dict)
    statuses: Mapping[str, Status] = field(default_factory=dict)  # that no other hero has
    is_partial: bool = False  # no source gives the whole sheet
    setup_statuses: Mapping[str, int] = field(default_factory=dict)
    setup_companions: Mapping[str, int] = field(default_factory=dict)
    first_statuses: Mapping[str, int] = field(default_factory=dict)  # besides, for the Starting Player
    side: str = ""  # at the start
    sides: tuple[str, ...] = ()  # of its board, or its forms
    former: Mapping[str, str] = field(default_factory=dict)  # former ids of abilities and cards
    _windows: frozenset[str] | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def windows(self) -> frozenset[str]:
        """The windows in which a passive, at whatever level, or a companion may act."""
        if self._windows is None:
            things: list[Ability | Card | Companion] = [*self.abilities.values(), *self.cards.values()]
            things += self.companions.values()
            self._windows = frozenset(window_of(effect) for thing in things for effect in thing.effects or ())
        return self._windows

    def has_board(self, side: str) -> bool:
        """Whether all spaces of this side of the board are known."""
        spaces = [a for a in self.abilities.values() if a.side in ("", side) and a.comes_with is None]
        return sum(1 for ability in spaces if ability.needs is not None) >= BOARD_SPACES

    @property
    def has_deck(self) -> bool:
        """Whether all the hero's own cards are known."""
        return len(self.cards) >= HERO_CARDS

    def passives(self, side: str) -> Iterable[Ability]:
        return (a for a in self.abilities.values() if a.kind == "passive" and a.side in ("", side))


@dataclass(slots=True)
class Catalog:
    """Everything a table may name: the heroes at the table, common cards, statuses."""

    heroes: Mapping[str, Hero] = field(default_factory=dict)
    cards: Mapping[str, Card] = field(default_factory=dict)
    statuses: Statuses = field(default_factory=Statuses)
    abilities: Mapping[str, Ability] = field(default_factory=dict)  # of no particular hero
    # What the texts of its things come to (`printed`), by thing and level, once somebody compared with them.
    printed: dict[tuple[int, int, str | None], Any] = field(default_factory=dict, compare=False, repr=False)

    def find_ability(self, hero_id: str | None, ability_id: str) -> Ability | None:
        """Look on the hero's own board first; a player without a known hero may name any ability."""
        hero = self.heroes.get(hero_id or "")
        if hero is not None:
            own = hero.abilities.get(ability_id) or self.abilities.get(ability_id)
            return own or hero.abilities.get(hero.former.get(ability_id, ""))
        if ability_id in self.abilities:
            return self.abilities[ability_id]
        return next(
            (h.abilities[ability_id] for h in self.heroes.values() if ability_id in h.abilities), None
        ) or next(
            (a for h in self.heroes.values() if (a := h.abilities.get(h.former.get(ability_id, "")))), None
        )

    def find_card(self, hero_id: str | None, card_id: str) -> Card | None:
        if card_id in self.cards:
            return self.cards[card_id]
        hero = self.heroes.get(hero_id or "")
        if hero is not None:
            return hero.cards.get(card_id) or hero.cards.get(hero.former.get(card_id, ""))
        return next((h.cards[card_id] for h in self.heroes.values() if card_id in h.cards), None) or next(
            (c for h in self.heroes.values() if (c := h.cards.get(h.former.get(card_id, "")))), None
        )

    def find_upgrade(self, hero_id: str | None, ability_id: str, level: int) -> Card | None:
        hero = self.heroes.get(hero_id or "")
        heroes = [hero] if hero is not None else list(self.heroes.values())
        for each in heroes:
            for card in each.cards.values():
                if card.upgrades == ability_id and card.level == level:
                    return card
        return None

    def companion(self, companion_id: str) -> Companion | None:
        """Find a companion by its own id or by that of one of its stages."""
        companions = (c for hero in self.heroes.values() for c in hero.companions.values())
        return next((c for c in companions if companion_id in c.ids), None)


HALF = Fraction(1, 2)

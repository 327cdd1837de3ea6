"""Reads the events of a Dice Throne table: one verb each, its details, and the catalogue entry it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from judge.core.errors import InputError, fail, problem
from judge.core.messages import Message, Ref
from judge.rules.catalog import (
    HERO_DICE,
    NO_WORDS,
    Ability,
    Card,
    Catalog,
    Companion,
    Effects,
    Status,
    Use,
    flat,
    words_in,
)
from judge.rules.dice_throne.effects.companion_words import COMPANION_CHOICES
from judge.rules.dice_throne.effects.foresight import INCREASES, adds_damage
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.state.editions import Edition
from judge.rules.dice_throne.state.table import PHASES, Change, Event, Seat
from judge.rules.dice_throne.verbs.pay import status_price
from judge.rules.printed import PrintedText, agrees, text_rules
from judge.schemas.dice_throne.effects import EffectReader
from judge.schemas.dice_throne.event_keys import ALLOWED, EVENT_KEYS, READ_KEY, READ_VALUE
from judge.schemas.dice_throne.former_ids import FormerIds
from judge.schemas.dice_throne.shipped import catalog_for, things_called
from judge.schemas.shape import (
    MAX_EVENTS,
    Fields,
    at,
    each,
    listing,
    mapping,
    name,
    one_of,
)

_REF_KINDS = {"play": "card", "spend": "status", "pay": "status", "resolve": "status", "does": "does"}
_OWN_THINGS = {
    **dict.fromkeys(("announce", "activate", "defend", "upgrade", "resolve"), "abilities"), "play": "cards",
}  # fmt: skip
_CHOICES = frozenset(("choose", "may"))
_LOOKED_AT = _CHOICES.union(
    *(words_that(each) for each in (Trait.INCREASE, Trait.REMOVAL, Trait.DIE_CHANGE, Trait.SEQUEL)),
)


class _Anybody(frozenset[str]):
    """Any name, while the list of players is itself faulty."""

    def __contains__(self, who: object) -> bool:
        return True


class EventReader:
    """Reads events, given the players and the catalogue; an event may add to the catalogue.

    `knows_all` is false if the list of players is itself faulty: then no name is reported as unknown.
    """

    def __init__(
        self,
        seats: list[Seat],
        catalog: Catalog,
        own: Catalog | None,
        edition: Edition,
        knows_all: bool = True,
        former: FormerIds | None = None,
    ) -> None:
        self.catalog, self.own, self.edition, self.knows_all = catalog, own, edition, knows_all
        self.seats = {seat.id: seat for seat in seats}
        self.former = former or FormerIds()
        self.effects = EffectReader(self.seats) if knows_all else EffectReader(_Anybody())
        self._has_every_hero = False
        self._levels: dict[tuple[str, str], int] = {}  # levels of upgrades played in the events

    def player(self, value: Any, path: str) -> str:
        who = name(value, path)
        if who not in self.seats and self.knows_all:
            raise fail(path, "expected_one_of", words=list(self.seats))
        return who

    def events(self, value: Any, path: str) -> tuple[Event, ...]:
        values = listing(value, path)
        if len(values) > MAX_EVENTS:
            raise fail(path, "too_many_events", limit=MAX_EVENTS)
        return tuple(each(enumerate(values, start=1), path, self._numbered))

    def _numbered(self, pair: tuple[int, Any], path: str) -> Event:
        return self._event(pair[1], path, pair[0])

    def _event(self, value: Any, path: str, n: int | str) -> Event:
        entry = mapping(value, path)
        if "advance" in entry:
            return self._advance(entry, path, n)
        if "collide" in entry:
            return self._collide(entry, path, n)
        verbs = [key for key in entry if key in ALLOWED]
        if len(verbs) != 1:
            raise _which_verb(entry, len(verbs), path)
        verb = verbs[0]
        fields = Fields(entry, path, ALLOWED[verb])
        event = Event(n, verb, by=fields.must("by", self.player, ""))
        fields.check(READ_VALUE[verb], self, event, entry[verb], at(path, verb))
        self._qualify(event, fields, ALLOWED[verb])
        if event.changes and event.dice:
            event.rerolls = tuple(change for change in event.changes if _is_of_its_own(event, change))
            event.changes = tuple(change for change in event.changes if change not in event.rerolls)
        if not fields.problems:
            event.text, event.words = event.effects, words_in(event.effects)
            event.text_rules = text_rules(event.effects)
        if not fields.problems or _says_nothing_of_itself(event, entry):
            fields.check(self._know, event, path)
        fields.done()
        if verb == "upgrade":
            self._levels[event.by, str(event.value)] = event.level or 2
        event.modifier = event.modifier or self._is_modifier(event)
        if isinstance(event.thing, Card) and event.thing.when_attacked:
            event.when_attacked = True
        event.has_details = _has_details(event)
        event.is_plain = not event.has_details and _is_plain(event)
        return event

    def _advance(self, entry: dict[str, Any], path: str, n: int | str) -> Event:
        fields = Fields(entry, path, ("advance",))
        phase = fields.must("advance", one_of, "", (*PHASES, "turn"))
        fields.done()
        return Event(n, "advance", value=phase)

    def _collide(self, entry: dict[str, Any], path: str, n: int | str) -> Event:
        fields = Fields(entry, path, ("collide", "timing"))
        timing = fields.get("timing", one_of, "in-answer", ("at-once", "in-answer"))
        events = fields.must("collide", self._actions, (), n)
        fields.done()
        return Event(n, "collide", timing=timing, inner=events)

    def _actions(self, value: Any, path: str, n: int | str) -> tuple[Event, ...]:
        actions = listing(value, path)
        if len(actions) < 2 or len(actions) > 20:
            raise fail(path, "expected_several_actions")

        def action(pair: tuple[int, Any], here: str) -> Event:
            k, item = pair
            if isinstance(item, dict) and ("collide" in item or "advance" in item):
                raise fail(here, "no_collide_inside")
            return self._event(item, here, f"{n}.{k}")

        return tuple(each(enumerate(actions, start=1), path, action))

    def _qualify(self, event: Event, fields: Fields, allowed: frozenset[str]) -> None:
        for key, value in fields.entry.items():
            read = READ_KEY.get(key)
            if read is not None and value is not None and key in allowed:
                fields.check(read, self, event, value, at(fields.path, key))

    def _level(self, seat: Seat, thing: Any) -> int:
        """The level of an ability at this event."""
        if not isinstance(thing, Ability):
            return 1
        start = seat.upgrades[thing.id].level if thing.id in seat.upgrades else 1
        return self._levels.get((seat.id, thing.id), start)

    def _levels_in_play(self, seat: Seat, event: Event) -> Sequence[int]:
        """The levels whose text the file may give: the one in play, or any if it does not say which."""
        level = self._level(seat, event.thing)
        if level > 1 or not isinstance(event.thing, Ability) or "upgrades" in seat.given:
            return (level,)
        return [n for n in (1, 2, 3) if n == 1 or self.catalog.find_upgrade(seat.hero, event.thing.id, n)]

    def _know(self, event: Event, path: str) -> None:
        """Look up the named thing; if no catalogue has it, the event must give its effects."""
        verb = event.verb
        if event.value is not None:
            event.ref = Ref(_REF_KINDS.get(verb, "ability"), str(event.value))
        if verb not in _LOOKUP:
            return
        seat = self.seats.get(event.by) or Seat(event.by)
        event.thing = _LOOKUP[verb](self.catalog, seat.hero, event.value)
        is_free = verb == "pay" or (verb == "announce" and seat.hero not in self.catalog.heroes)
        has_all = event.effects is not None or event.cost is not None or is_free
        if event.thing is None and not has_all:
            self._load_every_hero()  # a thing that only another hero has is known too
            event.thing = _LOOKUP[verb](self.catalog, None, event.value)
        event.value = self.former.today(event.value, event.thing)
        event.is_of_another_hero = self._is_of_another_hero(seat, event)
        kind = "ability" if isinstance(event.thing, Ability) else event.ref.kind if event.ref else ""
        event.ref = Ref(kind, str(event.value))
        if event.effects is None and event.thing is not None:
            event.text, event.words = event.thing.effects, event.thing.words
            event.text_rules = text_rules(event.text)
        if uses := _uses_of(event):
            _pick_use(event, uses)
        if event.thing is None:
            self._complain_if_unknown(event, path)
        else:
            event.departures += tuple(self._departures(seat, event))
        if event.thing is not None and event.effects is not None:
            levels = self._levels_in_play(seat, event)
            printed = [self._printed(seat, event.thing, level) for level in levels]
            event.differs = not any(agrees(texts, event.effects) for texts in printed)

    def _departures(self, seat: Seat, event: Event) -> Iterator[Message]:
        """What the file says of the thing itself that is printed otherwise."""
        thing = event.thing
        if event.cost is not None:
            printed = self._cost(seat, event)
            if printed is not None and printed != event.cost:
                yield Message("cost_differs", n=event.cost, printed=printed)
        if event.card and isinstance(thing, Card) and thing.kind != event.card:
            yield Message("card_differs")
        if event.kind and isinstance(thing, Ability) and thing.kind != event.kind:
            yield Message("kind_differs")
        if event.needs is not None and not self._is_printed_condition(seat, event):
            yield Message("needs_differ")
        if event.modifier and not self._is_modifier(event):
            yield Message("modifier_differs")
        if event.when_attacked and isinstance(thing, Card) and not thing.when_attacked:
            yield Message("when_attacked_differs")

    def _is_printed_condition(self, seat: Seat, event: Event) -> bool:
        """Whether the condition in the file is the printed one of a level that may be in play, or a line of
        it; where no source gives one, any may be."""
        thing = event.thing
        if not isinstance(thing, Ability) or thing.needs is None:
            return True
        cards = [self.catalog.find_upgrade(seat.hero, thing.id, n) for n in self._levels_in_play(seat, event)]
        printed = [card.needs if card is not None and card.needs else thing.needs for card in cards]
        return any(event.needs == needs or event.needs in needs.tiers for needs in printed)

    def _cost(self, seat: Seat, event: Event) -> int | None:
        """The printed cost of a card, of an upgrade, or of removing a status."""
        thing = event.thing
        if isinstance(thing, Status):
            return status_price(thing)
        if isinstance(thing, Ability):
            level = event.level or self._level(seat, thing) + 1
            thing = self.catalog.find_upgrade(seat.hero, thing.id, level)
        return thing.cost if isinstance(thing, Card) else None

    def _printed(self, seat: Seat, thing: Any, level: int) -> list[PrintedText]:
        """The texts of a thing at a level; tables with the same catalogue share them."""
        key = (id(thing), level, seat.hero if level > 1 else None)
        texts: list[PrintedText] | None = self.catalog.printed.get(key)
        if texts is None:
            texts = self.catalog.printed[key] = _printed(self.catalog, seat, thing, level)
        return texts

    def _is_of_another_hero(self, seat: Seat, event: Event) -> bool:
        """Whether the catalogue knows the ability or card, but neither of this hero nor of everybody."""
        hero, thing = self.catalog.heroes.get(seat.hero or ""), event.thing
        if hero is not None and thing is None and event.effects and event.verb in _OWN_THINGS:
            return self._is_printed_elsewhere(event)
        if hero is not None and isinstance(thing, Card):
            return hero.cards.get(thing.id) is not thing and thing.id not in self.catalog.cards
        if hero is not None and isinstance(thing, Ability):
            return hero.abilities.get(thing.id) is not thing and thing.id not in self.catalog.abilities
        return False

    def _is_printed_elsewhere(self, event: Event) -> bool:
        """Whether the thing is another hero's. A name of several words is that thing's alone, whatever text
        the file gives; one word may be shared, and so may a single effect: then the ruling says so."""
        found = things_called(_OWN_THINGS[event.verb], event.value)
        is_theirs = any(_is_unmistakable(thing) or _is_the_text(thing, event.effects) for thing in found)
        if found and not is_theirs:
            event.departures += (Message("name_of_another_hero", thing=event.ref),)
        return is_theirs

    def _is_modifier(self, event: Event) -> bool:
        """Whether it is an Attack Modifier (DT-ATK-03); the book says which statuses are."""
        thing = event.thing
        if event.use is not None:
            return event.use.modifier or _adds(event)
        if event.names_no_use:
            return False  # known only once it is known which use is meant
        if isinstance(thing, Status) and thing.is_modifier(self.edition):
            return True
        if isinstance(thing, Card) and thing.attack_modifier:
            return True
        return event.verb in ("play", "spend") and _adds(event)

    def _load_every_hero(self) -> None:
        if not self._has_every_hero:
            self.catalog = catalog_for([], self.own, every_hero=True, edition=self.edition.id)
            self._has_every_hero = True

    def _complain_if_unknown(self, event: Event, path: str) -> None:
        if event.verb == "upgrade" or event.verb == "pay":
            if event.cost is None:
                raise fail(at(path, "cost"), "unknown_thing_needs_cost", id=event.value)
        elif event.verb != "announce" and event.effects is None and not event.changes:
            raise fail(at(path, "effects"), "unknown_thing_needs_effects", id=event.value)


def _has_details(event: Event) -> bool:
    """Whether the event gives dice, choices or changed dice, or its text asks for companions to choose."""
    has_any = event.dice or event.choice or event.rerolls or event.changes
    return bool(has_any) or not event.words.isdisjoint(COMPANION_CHOICES)


def _is_plain(event: Event) -> bool:
    """Whether the text of a card or token is known as a whole and gives nothing to choose, and nobody is
    named: nothing but its moment and its price can speak against it."""
    thing = event.thing
    if event.verb not in ("play", "spend") or event.text is None or event.modifier or event.names_no_use:
        return False
    if event.use_n or (isinstance(thing, Card) and thing.kind == "upgrade"):
        return False
    if event.effects is None and thing is not None and thing.is_partial:
        return False
    says_more = event.on or event.differs or event.departures or event.against is not None
    return not says_more and event.words.isdisjoint(_LOOKED_AT)


def _is_unmistakable(thing: Ability | Card) -> bool:
    return "-" in thing.id and not thing.is_partial


def _is_the_text(thing: Ability | Card, effects: Effects | None) -> bool:
    return thing.effects == effects and len(flat(effects)) > 1


def _adds(event: Event) -> bool:
    """Whether the text adds damage to an Attack, as far as the event has chosen."""
    return bool(event.words & INCREASES) and adds_damage(event.text, event.choice)


def _uses_of(event: Event) -> tuple[Use, ...]:
    thing = event.thing
    if (event.verb == "spend" and isinstance(thing, Status)) or isinstance(thing, Companion):
        return thing.uses
    return ()


def _pick_use(event: Event, uses: tuple[Use, ...]) -> None:
    """The use that the first of the choices names by its number; the only one needs no number.

    Effects that the file gives stand for those of the use that it names; its price and moment stay. If they
    ask for a choice of their own, the number is that choice.
    """
    if event.effects is not None and not _CHOICES.isdisjoint(event.words):
        return
    first = event.choice[0] if event.choice else None
    is_number = isinstance(first, int) and not isinstance(first, bool)
    if is_number and len(uses) > 1:
        event.use_n, event.choice = int(first or 0), event.choice[1:]
    elif event.effects is None and len(uses) == 1:
        event.use_n = 1
    if 1 <= event.use_n <= len(uses):
        event.use = uses[event.use_n - 1]
    if event.effects is None:
        event.names_no_use = event.use is None and not event.choice
        event.text, event.words = (event.use.effects, event.use.words) if event.use else (None, NO_WORDS)
        event.text_rules = text_rules(event.text)


def _is_of_its_own(event: Event, change: Change) -> bool:
    """Whether a change is of the dice that the event itself rolls."""
    return change.whose == event.by and change.of in ("effect", "defensive", "upkeep")


def _which_verb(entry: dict[str, Any], verbs: int, path: str) -> InputError:
    strangers = [str(key) for key in entry if key not in ALLOWED and key not in READ_KEY and key != "by"]
    if strangers:
        return InputError(*(problem(at(path, key), "unknown_key") for key in strangers))
    return fail(path, "expected_one_verb", words=[*EVENT_KEYS, "advance", "collide"], found=verbs)


def _says_nothing_of_itself(event: Event, entry: dict[str, Any]) -> bool:
    """Whether the file clearly does not say what this thing does, whatever other faults it has."""
    descriptive_keys = ("effects", "cost", "changes")
    return bool(event.by) and event.value is not None and not any(key in entry for key in descriptive_keys)


# ------------------------------------------------------------------ lookup in the catalogue


def _find_ability(catalog: Catalog, hero: str | None, name: str) -> Ability | None:
    return catalog.find_ability(hero, name)


def _find_card(catalog: Catalog, hero: str | None, name: str) -> Card | None:
    return catalog.find_card(hero, name)


def _find_status(catalog: Catalog, hero: str | None, name: str) -> Status | None:
    return catalog.statuses.get(name)


def _find_upkeep(catalog: Catalog, hero: str | None, name: str) -> Ability | Companion | Status | None:
    return catalog.statuses.get(name) or catalog.find_ability(hero, name) or catalog.companion(name)


_LOOKUP: dict[str, Callable[[Catalog, str | None, str], Any]] = {
    "announce": _find_ability,
    "activate": _find_ability,
    "defend": _find_ability,
    "upgrade": _find_ability,
    "play": _find_card,
    "spend": _find_status,
    "pay": _find_status,
    "resolve": _find_upkeep,
}


def _printed(catalog: Catalog, seat: Seat, thing: Any, level: int) -> list[PrintedText]:
    """The texts that may count: one per line of the ability, or one per use."""
    effects, tiers = thing.effects, getattr(thing, "tier_effects", ())
    needs = getattr(thing, "needs", None)
    card = catalog.find_upgrade(seat.hero, thing.id, level) if level > 1 else None
    if level > 1:
        effects, tiers = (card.effects, card.tier_effects or tiers) if card is not None else (None, ())
        needs = card.needs if card is not None and card.needs is not None else needs
    uses = getattr(thing, "uses", ())
    if uses:
        return [PrintedText(use.effects, HERO_DICE) for use in uses]
    if effects is None and not tiers:
        return []
    dice = needs.dice if needs is not None and needs.dice else HERO_DICE
    texts = [(*tier, *(effects or ())) for tier in tiers] or [effects or ()]
    return [PrintedText(text, dice) for text in texts]

"""Reading a Dice Throne table file (CONTRACT section 1.1) into a `Table`, or saying what is wrong where."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from judge.core.errors import InputError, Problem, fail, problem
from judge.core.messages import Lang, Ref
from judge.paths import FIXTURES
from judge.rules.catalog import Ability, Card, Catalog, Companion, Effects, Status, text_rules, words_in
from judge.rules.dice_throne.editions import DamageType, Edition, Numbers
from judge.rules.dice_throne.legality import INCREASES
from judge.rules.dice_throne.table import (
    MODES,
    PHASES,
    TEAM_MODES,
    VERBS,
    Change,
    Claim,
    Event,
    Seat,
    Table,
    TurnStart,
    Upgrade,
)  # fmt: skip
from judge.schemas.catalog import catalog_for, read_catalogue, read_die, shipped_hero
from judge.schemas.effects import read_effects, read_needs
from judge.schemas.fixtures import rulebook
from judge.schemas.shape import (
    at,
    counts,
    dice,
    each,
    gathered,
    listing,
    mapping,
    number,
    one_of,
    text,
    truth,
)  # fmt: skip

EDITIONS = FIXTURES / "dice-throne" / "editions"
MAX_EVENTS = 5000
_MOST = 9999

TABLE_KEYS = (
    "id", "title", "note", "game", "edition", "mode", "players", "teams", "turn", "events", "claims",
    "catalogue", "expect", "rulings",
)  # fmt: skip
PLAYER_KEYS = (
    "id", "hero", "team", "health", "cp", "hand", "deck", "discard", "statuses", "limits", "upgrades",
    "companions", "die", "side", "aged",
)  # fmt: skip
TURN_KEYS = (
    "active", "phase", "first", "attempts", "dice", "announced", "order", "resolved", "skipped",
    "extra_attempts", "extra_target", "altered",
)  # fmt: skip
# What may qualify each verb, beside `by` and the verb itself.
EVENT_KEYS: dict[str, tuple[str, ...]] = {
    "roll": ("reroll",),
    "announce": ("needs", "kind", "on"),
    "activate": ("on", "effects", "needs", "kind", "dice", "choice", "against"),
    "target": ("die", "on"),
    "defend": ("dice", "effects", "choice", "on", "against"),
    "play": (
        "card", "cost", "on", "effects", "modifier", "when_attacked", "against", "changes", "dice", "choice",
    ),
    "spend": ("dice", "on", "effects", "against", "changes", "modifier", "choice"),
    "upgrade": ("level", "cost"),
    "sell": ("from",),
    "pay": ("cost",),
    "resolve": ("dice", "effects", "on", "choice", "changes", "against"),
    "does": ("effects", "on", "dice", "choice", "against", "changes"),
    "choose": ("on",),
}  # fmt: skip
_REF_KINDS = {"play": "card", "spend": "status", "pay": "status", "resolve": "status", "does": "does"}
CLAIMED = ("final", "health", "returned")
CARD_WORDS = ("main", "roll", "instant")
CHANGE_OF = ("offensive", "targeting", "defensive", "effect", "upkeep")


def edition_ids() -> list[str]:
    return sorted(path.stem for path in EDITIONS.glob("*.json"))


@cache
def load_edition(edition_id: str) -> Edition:
    return read_edition(json.loads((EDITIONS / f"{edition_id}.json").read_bytes()))


def read_edition(data: dict[str, Any]) -> Edition:
    switches = dict(data["switches"])
    types = {name: DamageType(**row) for name, row in switches.pop("types").items()}
    modes = {mode: (low, high) for mode, (low, high) in switches.pop("modes").items()}
    doubts = tuple(switches.pop("reductions_in_doubt"))
    numbers = Numbers(**switches.pop("numbers"))
    return Edition(
        id=data["id"], types=types, modes=modes, numbers=numbers, reductions_in_doubt=doubts, **switches
    )


@cache
def open_points() -> dict[str, tuple[tuple[str, ...], str | None]]:
    entries = json.loads((FIXTURES / "dice-throne" / "rules" / "J.json").read_bytes())
    return {e["id"]: (tuple(r["letter"] for r in e["readings"]), e.get("adopted")) for e in entries}


# ------------------------------------------------------------------ the table


def read_table(data: Any, path: str = "") -> Table:
    entry = mapping(data, path, TABLE_KEYS)
    edition_id = entry.get("edition", "fr-2.4.1")
    if edition_id not in edition_ids():
        raise fail(at(path, "edition"), "expected_one_of", words=edition_ids())
    edition = load_edition(edition_id)
    mode = one_of(entry.get("mode", "duel"), at(path, "mode"), MODES)
    reader = _Reader(entry, path, edition, mode)
    return reader.table()


class _Reader:
    def __init__(self, entry: dict[str, Any], path: str, edition: Edition, mode: str) -> None:
        self.entry, self.path, self.edition, self.mode = entry, path, edition, mode
        self.own = None
        if entry.get("catalogue") is not None:
            self.own = read_catalogue(entry["catalogue"], at(path, "catalogue"))
        players = listing(entry.get("players"), at(path, "players"))
        names = [p.get("hero") for p in players if isinstance(p, dict)]
        self.catalog = catalog_for([str(name) for name in names if name is not None], self.own)
        self._has_every_hero = False

    def table(self) -> Table:
        entry, path = self.entry, self.path
        self.seats = self._players(at(path, "players"))
        self.ids = {seat.id for seat in self.seats}
        parts = gathered(
            {
                "teams": lambda: self._teams(at(path, "teams")),
                "turn": lambda: self._turn(entry.get("turn"), at(path, "turn")),
                "events": lambda: self._events(at(path, "events")),
                "claims": lambda: self._claims(at(path, "claims")),
                "rulings": lambda: self._rulings(at(path, "rulings")),
                "expect": lambda: mapping(entry.get("expect"), at(path, "expect")),
            }
        )
        del parts["expect"]
        name = entry.get("id")
        return Table(
            id=None if name is None else str(name),
            edition=self.edition,
            mode=self.mode,
            players=tuple(self.seats),
            catalog=self.catalog,
            open_points=open_points(),
            other_editions=self._other_editions() if parts["claims"] else (),
            **parts,
        )

    def _other_editions(self) -> tuple[Edition, ...]:
        return tuple(load_edition(name) for name in edition_ids() if name != self.edition.id)

    # -------------------------------------------------------------- players and turn

    def _players(self, path: str) -> list[Seat]:
        seats = each(listing(self.entry.get("players"), path), path, self._seat)
        low, high = {"duel": (2, 2), "2v2": (4, 4), "3v3": (6, 6)}.get(self.mode, (2, 6))
        if not low <= len(seats) <= high:
            raise fail(path, "expected_players", low=low, high=high, mode=self.mode)
        ids = [seat.id for seat in seats]
        for n, seat in enumerate(seats, start=1):
            if ids.count(seat.id) > 1:
                raise fail(at(at(path, n), "id"), "id_twice", id=seat.id)
            if self.mode in TEAM_MODES and seat.team is None:
                raise fail(at(at(path, n), "team"), "key_missing")
        if self.mode in TEAM_MODES:
            self._check_teams(seats, path)
        return seats

    def _check_teams(self, seats: list[Seat], path: str) -> None:
        names = [seat.team for seat in seats]
        sizes = {names.count(name) for name in names}
        if len(set(names)) != 2 or len(sizes) != 1:
            raise fail(path, "expected_two_equal_teams")

    def _seat(self, value: Any, path: str) -> Seat:
        entry = mapping(value, path, PLAYER_KEYS)
        if "id" not in entry:
            raise fail(at(path, "id"), "key_missing")
        numbers = self.edition.numbers
        hero_id = None if entry.get("hero") is None else text(entry["hero"], at(path, "hero"))
        hero = self.catalog.heroes.get(hero_id or "")
        count = _counter(entry, path)
        seat = Seat(
            id=text(entry["id"], at(path, "id")),
            hero=hero_id,
            team=None if entry.get("team") is None else text(entry["team"], at(path, "team")),
            health=count("health", numbers.start_health[self.mode]),
            cp=count("cp", numbers.start_cp, numbers.cp_cap),
            hand=count("hand", numbers.start_hand),
            deck=count("deck", None),
            discard=count("discard", 0 if entry.get("deck") is not None else None),
            die=hero.dice if hero else (),
            side=hero.side if hero else "",
            given=frozenset(entry),
        )
        if "die" in entry:
            seat.die = read_die(entry["die"], at(path, "die"))
        if "side" in entry:
            seat.side = one_of(entry["side"], at(path, "side"), ("human", "cursed"))
        self._tokens(seat, entry, path, hero)
        seat.upgrades = _read_upgrades(entry.get("upgrades"), at(path, "upgrades"))
        return seat

    def _tokens(self, seat: Seat, entry: dict[str, Any], path: str, hero: Any) -> None:
        seat.limits = counts(entry.get("limits"), at(path, "limits"))
        seat.companions = counts(entry.get("companions"), at(path, "companions"))
        fresh = dict(hero.setup_statuses) if hero else {}
        given = entry.get("statuses", fresh)
        seat.statuses = counts(given if given is not None else {}, at(path, "statuses"))
        for status_id, tokens in seat.statuses.items():
            limit = start_limit(self.catalog.statuses.get(status_id), seat)
            if limit is not None and tokens > limit:
                raise fail(at(at(path, "statuses"), status_id), "expected_between", low=0, high=limit)
        if entry.get("aged") is not None:
            aged = listing(entry["aged"], at(path, "aged"))
            seat.aged = tuple(text(item, at(at(path, "aged"), n)) for n, item in enumerate(aged, start=1))

    def _teams(self, path: str) -> dict[str, int]:
        given = mapping(self.entry.get("teams"), path)
        if self.mode not in TEAM_MODES:
            if given:
                raise fail(path, "no_teams_in_mode", mode=self.mode)
            return {}
        names = {seat.team for seat in self.seats if seat.team is not None}
        for name in given:
            if name not in names:
                raise fail(at(path, str(name)), "expected_one_of", words=sorted(names))
        start = self.edition.numbers.start_health[self.mode]
        order = dict.fromkeys(seat.team for seat in self.seats if seat.team is not None)
        return {name: number(given.get(name, start), at(path, name), 0, _MOST) for name in order}

    def _player(self, value: Any, path: str) -> str:
        name = text(value, path)
        if name not in self.ids:
            raise fail(path, "expected_one_of", words=[seat.id for seat in self.seats])
        return name

    def _turn(self, value: Any, path: str) -> TurnStart:
        entry = mapping(value, path, TURN_KEYS)
        turn = TurnStart()
        if entry.get("active") is not None:
            turn.active = self._player(entry["active"], at(path, "active"))
        if entry.get("phase") is not None:
            turn.phase = one_of(entry["phase"], at(path, "phase"), PHASES)
        if entry.get("first") is not None:
            turn.first = truth(entry["first"], at(path, "first"))
        turn.attempts = number(entry.get("attempts", 0), at(path, "attempts"), 0, 20)
        if entry.get("dice") is not None:
            turn.dice = dice(entry["dice"], at(path, "dice"), 5, 5)
        if entry.get("announced") is not None:
            turn.announced = text(entry["announced"], at(path, "announced"))
        if entry.get("order") is not None:
            here = at(path, "order")
            order = listing(entry["order"], here)
            turn.order = tuple(self._player(name, at(here, n)) for n, name in enumerate(order, start=1))
            if sorted(turn.order) != sorted(self.ids):
                raise fail(here, "expected_every_player_once")
        self._remembered(turn, entry, path)
        return turn

    def _remembered(self, turn: TurnStart, entry: dict[str, Any], path: str) -> None:
        """What a game that was cut inside a turn carries on."""
        turn.resolved = counts(entry.get("resolved") or {}, at(path, "resolved"))
        skipped = mapping(entry.get("skipped") or {}, at(path, "skipped"), PHASES)
        turn.skipped = {k: text(v, at(at(path, "skipped"), k)) for k, v in skipped.items()}
        turn.extra_attempts = number(entry.get("extra_attempts", 0), at(path, "extra_attempts"), 0, 20)
        if entry.get("extra_target") is not None:
            turn.extra_target = self._player(entry["extra_target"], at(path, "extra_target"))
        turn.altered = truth(entry.get("altered", False), at(path, "altered"))

    def _claims(self, path: str) -> tuple[Claim, ...]:
        return tuple(each(listing(self.entry.get("claims"), path), path, self._claim))

    def _claim(self, value: Any, path: str) -> Claim:
        entry = mapping(value, path, ("by", "player", *CLAIMED))
        if "player" not in entry:
            raise fail(at(path, "player"), "key_missing")
        player = self._player(entry["player"], at(path, "player"))
        by = self._player(entry["by"], at(path, "by")) if entry.get("by") is not None else player
        named = [key for key in CLAIMED if key in entry] or ["final"]
        if len(named) > 1:
            raise fail(path, "expected_one_claim", words=list(CLAIMED), found=len(named))
        if named[0] not in entry:
            raise fail(at(path, "final"), "key_missing")
        return Claim(by, player, number(entry[named[0]], at(path, named[0]), 0, _MOST), named[0])

    def _rulings(self, path: str) -> dict[str, str]:
        chosen: dict[str, str] = {}
        for key, letter in mapping(self.entry.get("rulings"), path).items():
            if key not in open_points():
                raise fail(at(path, str(key)), "expected_one_of", words=sorted(open_points()))
            chosen[key] = one_of(letter, at(path, str(key)), open_points()[key][0])
        return chosen

    # -------------------------------------------------------------- events

    def _events(self, path: str) -> tuple[Event, ...]:
        values = listing(self.entry.get("events"), path)
        if len(values) > MAX_EVENTS:
            raise fail(path, "too_many_events", limit=MAX_EVENTS)
        events: list[Event] = []
        problems: list[Problem] = []
        for n, value in enumerate(values, start=1):
            try:
                events.append(self._event(value, at(path, n), n))
            except InputError as error:
                problems.extend(error.problems)
        if problems:
            raise InputError(*problems)
        return tuple(events)

    def _event(self, value: Any, path: str, n: int | str) -> Event:
        entry = mapping(value, path)
        if "advance" in entry:
            mapping(entry, path, ("advance",))
            phase = one_of(entry["advance"], at(path, "advance"), (*PHASES, "turn"))
            return Event(n, "advance", value=phase)
        if "collide" in entry:
            return self._collide(entry, path, n)
        verbs = [key for key in entry if key in VERBS]
        if len(verbs) != 1:
            strangers = [str(k) for k in entry if k not in VERBS and k not in _QUALIFIERS and k != "by"]
            if strangers:
                raise InputError(*(problem(at(path, key), "unknown_key") for key in strangers))
            raise fail(path, "expected_one_verb", words=[*VERBS, "advance", "collide"], found=len(verbs))
        verb = verbs[0]
        mapping(entry, path, ("by", verb, *EVENT_KEYS[verb]))
        if "by" not in entry:
            raise fail(at(path, "by"), "key_missing")
        event = Event(n, verb, by=self._player(entry["by"], at(path, "by")))
        _READ_VALUE[verb](self, event, entry[verb], at(path, verb))
        self._qualify(event, entry, path)
        event.text, event.words = event.effects, words_in(event.effects)
        event.text_rules = text_rules(event.effects)
        self._know(event, entry, path)
        event.modifier = event.modifier or self._is_modifier(event)
        return event

    def _collide(self, entry: dict[str, Any], path: str, n: int | str) -> Event:
        mapping(entry, path, ("collide", "timing"))
        inner = listing(entry["collide"], at(path, "collide"))
        if len(inner) < 2 or len(inner) > 20:
            raise fail(at(path, "collide"), "expected_several_actions")
        timing = one_of(entry.get("timing", "in-answer"), at(path, "timing"), ("at-once", "in-answer"))
        events = []
        for k, item in enumerate(inner, start=1):
            here = at(at(path, "collide"), k)
            if isinstance(item, dict) and ("collide" in item or "advance" in item):
                raise fail(here, "no_collide_inside")
            events.append(self._event(item, here, f"{n}.{k}"))
        return Event(n, "collide", timing=timing, inner=tuple(events))

    def _qualify(self, event: Event, entry: dict[str, Any], path: str) -> None:
        for key, value in entry.items():
            read = _READ_KEY.get(key)
            if read is not None and value is not None:
                read(self, event, value, at(path, key))

    def _know(self, event: Event, entry: dict[str, Any], path: str) -> None:
        """Look the thing up; one that no catalogue holds must bring its effects."""
        verb = event.verb
        if event.value is not None:
            event.ref = Ref(_REF_KINDS.get(verb, "ability"), str(event.value))
        if verb not in _LOOKUP:
            return
        seat = next(seat for seat in self.seats if seat.id == event.by)
        event.thing = _LOOKUP[verb](self.catalog, seat, event.value)
        if verb == "resolve" and isinstance(event.thing, Ability):
            event.ref = Ref("ability", str(event.value))
        has_all = event.effects is not None or event.cost is not None or verb in ("announce", "spend", "pay")
        if event.thing is None and not has_all:
            self._load_every_hero(seat)
            event.thing = _LOOKUP[verb](self.catalog, seat, event.value)
        if event.effects is None and event.thing is not None:
            event.text, event.words = event.thing.effects, event.thing.words
            event.text_rules = text_rules(event.text)
        if event.thing is None:
            self._complain_if_unknown(event, path)
        elif event.effects is not None:
            event.differs = _printed(self.catalog, seat, event.thing) != event.effects

    def _is_modifier(self, event: Event) -> bool:
        """A card or status that changes an Attack (DT-ATK-03); which statuses are called so is the book's."""
        thing = event.thing
        if isinstance(thing, Status) and thing.is_modifier(self.edition.id):
            return True
        if isinstance(thing, Card) and thing.attack_modifier:
            return True
        return event.verb in ("play", "spend") and bool(event.words & INCREASES)

    def _load_every_hero(self, seat: Seat) -> None:
        if not self._has_every_hero and shipped_hero(seat.hero or "") is None:
            self.catalog = catalog_for([], self.own, every_hero=True)
            self._has_every_hero = True

    def _complain_if_unknown(self, event: Event, path: str) -> None:
        if event.verb == "upgrade" or event.verb == "pay":
            if event.cost is None:
                raise fail(at(path, "cost"), "unknown_thing_needs_cost", id=event.value)
        elif event.verb != "announce" and event.effects is None and not event.changes:
            raise fail(at(path, "effects"), "unknown_thing_needs_effects", id=event.value)


def _counter(entry: dict[str, Any], path: str) -> Callable[..., Any]:
    def count(key: str, default: int | None, most: int = _MOST) -> int | None:
        if entry.get(key) is None:
            return default
        return number(entry[key], at(path, key), 0, most)

    return count


def start_limit(status: Status | None, seat: Seat) -> int | None:
    """The most tokens of a status this player may hold; None is no known limit."""
    raised = seat.limits.get(status.id) if status else None
    if raised is not None:
        return raised
    if status is None:
        return None
    if status.owner_limit is not None and seat.hero in status.owners:
        return status.owner_limit
    return status.stack_limit


def _read_upgrades(value: Any, path: str) -> dict[str, Upgrade]:
    result: dict[str, Upgrade] = {}
    for ability, item in mapping(value, path).items():
        here = at(path, str(ability))
        if isinstance(item, dict):
            entry = mapping(item, here, ("level", "cost"))
            cost = entry.get("cost")
            result[str(ability)] = Upgrade(
                number(entry.get("level"), at(here, "level"), 1, 3),
                None if cost is None else number(cost, at(here, "cost"), 0, _MOST),
            )
        else:
            result[str(ability)] = Upgrade(number(item, here, 1, 3))
    return result


# ------------------------------------------------------------------ values of the verbs


def _value_roll(reader: _Reader, event: Event, value: Any, path: str) -> None:
    event.dice = dice(value, path, 5, 5)


def _value_word(reader: _Reader, event: Event, value: Any, path: str) -> None:
    event.value = text(value, path)


def _value_target(reader: _Reader, event: Event, value: Any, path: str) -> None:
    event.value = None if value is None else reader._player(value, path)


def _value_sell(reader: _Reader, event: Event, value: Any, path: str) -> None:
    event.value = number(value, path, 1, _MOST)


def _value_choose(reader: _Reader, event: Event, value: Any, path: str) -> None:
    items = value if isinstance(value, list) else [value]
    for n, item in enumerate(items, start=1):
        if isinstance(item, (dict, list)) or item is None:
            raise fail(at(path, n) if isinstance(value, list) else path, "expected_text")
    event.choice = tuple(items)
    event.value = items[0] if len(items) == 1 else tuple(items)


_READ_VALUE: dict[str, Callable[[_Reader, Event, Any, str], None]] = {
    **dict.fromkeys(VERBS, _value_word),
    "roll": _value_roll,
    "target": _value_target,
    "sell": _value_sell,
    "choose": _value_choose,
}


# ------------------------------------------------------------------ keys that qualify


def _key_on(reader: _Reader, event: Event, value: Any, path: str) -> None:
    names = value if isinstance(value, list) else [value]
    event.on = tuple(
        reader._player(name, at(path, n) if isinstance(value, list) else path)
        for n, name in enumerate(names, start=1)
    )


def _key_against(reader: _Reader, event: Event, value: Any, path: str) -> None:
    if value == "isolated":
        event.against = "isolated"
    elif isinstance(value, (float, str)):  # 3.2, an action inside a collide
        event.against = text(str(value), path)
    else:
        event.against = number(value, path, 1, _MOST)


def _key_changes(reader: _Reader, event: Event, value: Any, path: str) -> None:
    def change(item: Any, here: str) -> Change:
        entry = mapping(item, here, ("whose", "die", "to", "of"))
        for key in ("die", "to"):
            if key not in entry:
                raise fail(at(here, key), "key_missing")
        whose = reader._player(entry["whose"], at(here, "whose")) if "whose" in entry else event.by
        return Change(
            whose,
            number(entry["die"], at(here, "die"), 1, 5),
            number(entry["to"], at(here, "to"), 1, 6),
            one_of(entry.get("of", "offensive"), at(here, "of"), CHANGE_OF),
        )

    event.changes = tuple(each(listing(value, path), path, change))


def _key_choice(reader: _Reader, event: Event, value: Any, path: str) -> None:
    _value_choose_like(event, value, path)


def _value_choose_like(event: Event, value: Any, path: str) -> None:
    items = value if isinstance(value, list) else [value]
    for item in items:
        if isinstance(item, (dict, list)) or item is None:
            raise fail(path, "expected_integer")
    event.choice = tuple(items)


def _key_reroll(reader: _Reader, event: Event, value: Any, path: str) -> None:
    event.reroll = tuple(
        number(item, at(path, n), 1, 5) for n, item in enumerate(listing(value, path), start=1)
    )


def _key_level(reader: _Reader, event: Event, value: Any, path: str) -> None:
    event.level = number(value, path, 2, 3)


def _set(field: str, read: Callable[..., Any], *args: Any) -> Callable[[_Reader, Event, Any, str], None]:
    def setter(reader: _Reader, event: Event, value: Any, path: str) -> None:
        setattr(event, field, read(value, path, *args))

    return setter


_READ_KEY: dict[str, Callable[[_Reader, Event, Any, str], None]] = {
    "on": _key_on,
    "effects": _set("effects", read_effects),
    "needs": _set("needs", read_needs),
    "kind": _set("kind", one_of, ("offensive", "ultimate")),
    "dice": _set("dice", dice, 10),
    "die": _set("die", number, 1, 6),
    "card": _set("card", one_of, CARD_WORDS),
    "cost": _set("cost", number, 0, _MOST),
    "modifier": _set("modifier", truth),
    "when_attacked": _set("when_attacked", truth),
    "against": _key_against,
    "changes": _key_changes,
    "level": _key_level,
    "from": _set("source", one_of, ("hand", "board")),
    "choice": _key_choice,
    "reroll": _key_reroll,
}
_QUALIFIERS = frozenset(_READ_KEY)


# ------------------------------------------------------------------ what the catalogue knows


def _find_ability(catalog: Catalog, seat: Seat, name: str) -> Ability | None:
    return catalog.find_ability(seat.hero, name)


def _find_card(catalog: Catalog, seat: Seat, name: str) -> Card | None:
    return catalog.find_card(seat.hero, name)


def _find_status(catalog: Catalog, seat: Seat, name: str) -> Status | None:
    return catalog.statuses.get(name)


def _find_upkeep(catalog: Catalog, seat: Seat, name: str) -> Ability | Companion | Status | None:
    return catalog.statuses.get(name) or catalog.find_ability(seat.hero, name) or catalog.companion(name)


_LOOKUP: dict[str, Callable[[Catalog, Seat, str], Any]] = {
    "announce": _find_ability,
    "activate": _find_ability,
    "defend": _find_ability,
    "upgrade": _find_ability,
    "play": _find_card,
    "spend": _find_status,
    "pay": _find_status,
    "resolve": _find_upkeep,
}


def _printed(catalog: Catalog, seat: Seat, thing: Any) -> Effects | None:
    if isinstance(thing, Ability) and thing.id in seat.upgrades:
        card = catalog.find_upgrade(seat.hero, thing.id, seat.upgrades[thing.id].level)
        if card is not None:
            return card.effects
    effects: Effects | None = thing.effects
    return effects


# ------------------------------------------------------------------ names


def name_of(table: Table) -> Callable[[Ref, Lang], str]:
    """What a Ref is called: the catalogue's name in the language, else in English, else its id in words."""

    def name(ref: Ref, lang: Lang) -> str:
        if ref.kind == "does":
            return ref.id
        if ref.kind == "reading":
            point, _, letter = ref.id.partition(".")
            readings = rulebook("dice-throne").rules[point].readings
            return next(reading.text[lang] for reading in readings if reading.letter == letter)
        names = _names(table.catalog, ref)
        found = names.get(lang) or names.get("en") or next((n for n in names.values() if n), None)
        return found or ref.id.replace("-", " ").replace("_", " ")

    return name


def _names(catalog: Catalog, ref: Ref) -> Any:
    if ref.kind == "status":
        thing: Any = catalog.statuses.get(ref.id) or catalog.companion(ref.id)
        if isinstance(thing, Companion) and thing.id != ref.id:
            return {}  # a stage has no name of its own in the data
    elif ref.kind == "card":
        thing = catalog.find_card(None, ref.id)
    elif ref.kind == "ability":
        thing = next((h.abilities[ref.id] for h in catalog.heroes.values() if ref.id in h.abilities), None)
    elif ref.kind == "symbol":
        return next((h.symbol_names[ref.id] for h in catalog.heroes.values() if ref.id in h.symbol_names), {})
    else:
        thing = None
    return thing.names if thing is not None else {}

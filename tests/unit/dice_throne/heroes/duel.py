"""A scripted duel of two heroes to its end: every space in turn, upgrades, cards, tokens, defences.

After every event `may` is compared with what the rules accept: each verb it lists has a legal event, and no
event of another verb is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import cycle
from typing import Any

from judge.rules.catalog import Ability, Card, Effects, Hero, Status
from judge.rules.dice_throne.flow.engine import judge
from judge.rules.dice_throne.flow.trying import copy_of
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.registry import check_event, open_before_the_end, open_verbs
from judge.schemas.dice_throne.events import EventReader
from judge.schemas.dice_throne.shipped import shipped_hero
from judge.schemas.dice_throne.table import read_table
from tests.unit.dice_throne.heroes.walk import answers, lines, meeting

MOST_TURNS = 60
NOTHING: dict[str, Any] = {"effects": [{"draw": 1}]}
OTHER = {"A": "B", "B": "A"}
FACES = (1, 4, 6, 2, 5, 3)


class Dishonest(AssertionError):
    """`may` and the rules differ."""


class Duel:
    """`is_thorough`: open dice, pauses and isolated damage are compared too, on copies of the game."""

    def __init__(self, first: str, second: str, edition: str = "fr-2.4.1", is_thorough: bool = False) -> None:
        self.is_thorough = is_thorough
        players = [{"id": "A", "hero": first, "deck": 25}, {"id": "B", "hero": second, "deck": 25}]
        start = {"active": "A", "phase": "upkeep", "first": True}
        base = {"game": "dice-throne", "edition": edition, "players": players, "turn": start, "events": []}
        table = read_table(base)
        self.game = Game(table, {})
        self.reader = EventReader(list(table.players), table.catalog, None, table.edition)
        self.heroes: dict[str, Hero] = {"A": hero_of(first), "B": hero_of(second)}
        self.spaces = {who: cycle(offensive(hero)) for who, hero in self.heroes.items()}
        self.cards = {who: cycle(actions(hero)) for who, hero in self.heroes.items()}
        self.upgrades = {who: upgrades(hero) for who, hero in self.heroes.items()}
        self.faces = cycle(FACES)
        self.done: list[dict[str, Any]] = []
        self.tried: dict[tuple[str, str], dict[str, list[Event]]] = {}
        self.used: set[str] = set()  # verbs that were legal at least once

    # -------------------------------------------------------------- events

    def read(self, raw: dict[str, Any]) -> Event:
        event = self.reader.events([raw], "events")[0]
        event.n = len(self.done) + 1
        return event

    def do(self, raw: dict[str, Any]) -> None:
        """An event that the rules must accept."""
        self.done.append(raw)
        event = self.reader.events([raw], "events")[0]
        event.n = len(self.done)
        verdict = judge(self.game, event)
        if self.game.over:  # also by damage that this event concluded before it was judged
            return
        assert verdict.verdict != "illegal", (raw, verdict.reasons, self.told())
        self.used.add(event.verb)
        self.compare()

    def try_to(self, raw: dict[str, Any]) -> bool:
        """An event that may be refused: it is done only if nothing speaks against it."""
        if self.game.over or not self.is_legal(self.read(raw)):
            return False
        self.do(raw)
        return True

    def is_legal(self, event: Event) -> bool:
        """Whether the rules accept it now. Open dice count first, so then it is tried on a copy."""
        if self._waits:
            return judge(copy_of(self.game), event).verdict != "illegal"
        return not check_event(self.game, event).faults

    @property
    def _waits(self) -> bool:
        attack = self.game.attack
        is_held_back = attack is not None and attack.is_held_back
        return self.game.open is not None or bool(self.game.instances) or is_held_back

    def told(self) -> list[dict[str, Any]]:
        return self.done[-6:]

    # -------------------------------------------------------------- may

    def compare(self) -> None:
        game = self.game
        if game.over or game.pending:
            return
        if self._waits:
            if self.is_thorough:
                self._compare_open()
            return
        listed = open_verbs(game)
        for player in game.seats:
            for verb, tries in self._tries(player).items():
                is_legal = any(check_event(game, event).is_passed for event in tries)
                self._agree(player, verb, verb in listed[player.id], is_legal)

    def _compare_open(self) -> None:
        """While dice, a pause or isolated damage wait for answers, each event is tried on a copy."""
        closed = copy_of(self.game)  # the open dice may give tokens that can be spent then
        listed = open_before_the_end(closed)
        for player in closed.seats:
            for verb in ("spend", "play-instant", "play-main", "defend"):
                tries = self._tries(player)[verb]
                is_legal = any(judge(copy_of(self.game), event).verdict == "legal" for event in tries)
                self._agree(player, verb, verb in listed[player.id], is_legal)

    def _agree(self, player: Player, verb: str, is_listed: bool, is_legal: bool) -> None:
        if is_listed != is_legal:
            raise Dishonest(player.id, verb, "listed" if is_listed else "legal", self.told())

    def _tries(self, player: Player) -> dict[str, list[Event]]:
        """Events of every verb that `may` knows: if one of a list is legal, the verb is open."""
        game, tries = self.game, dict(self._kept("", player.id))
        if game.announced is not None:
            raw = {"by": player.id, "activate": game.announced, "effects": [{"deal": 2}]}
            tries["activate"] = [self.read(raw)]
        tries["spend"] = [
            spent for token in player.statuses for spent in self._kept(token, player.id)["spend"]
        ]
        if self._waits:  # an event that answers leaves the dice open, another one closes them
            for verb in ("spend", "play-roll", "play-instant"):
                tries[verb] = [*tries[verb], *(replace(event, against=game.last) for event in tries[verb])]
        return tries

    def _kept(self, token: str, by: str) -> dict[str, list[Event]]:
        """The same events are tried after every event, so they are read once."""
        if (token, by) not in self.tried:
            tries = {"spend": spends_of(self, by, token)} if token else dict(tries_of(self, by))
            self.tried[token, by] = tries
        return self.tried[token, by]

    # -------------------------------------------------------------- the script

    def play(self) -> str:
        """Play to the end; how it ended, or nothing where nobody won within the turns."""
        who = "A"
        for _ in range(MOST_TURNS):
            for part in (self._upkeep, self._main, self._attack):
                part(who)
                if self.game.over:
                    break
            else:
                self.do({"advance": "turn"})
            if self.game.over:
                return self.game.outcome.state
            who = OTHER[who]
        return ""

    def _player(self, who: str) -> Player:
        return self.game.players[who]

    def _upkeep(self, who: str) -> None:
        for status_id, held in list(self._player(who).statuses.items()):
            status = self.game.statuses[status_id]
            if status.when == "upkeep" and "roll" in status.words:
                self.try_to({"by": who, "resolve": status_id, "dice": [next(self.faces)] * held})
                self._settle()
        self.do({"advance": "main-1"})

    def _main(self, who: str) -> None:
        self._settle()
        for card in self.upgrades[who]:
            if self.try_to({"by": who, "upgrade": card.upgrades, "level": card.level}):
                self.upgrades[who].remove(card)
                break
        self._card(who, "main")
        for status_id in list(self._player(who).statuses):
            self._spend(who, self.game.statuses[status_id])

    def _card(self, who: str, kind: str) -> None:
        """The next card of this kind, if it can be played now."""
        for _ in range(20):
            card = next(self.cards[who])
            if card.kind == kind:
                self.try_to(
                    {"by": who, "play": card.id, **self._aim(who, card.effects), **self._details(who, card)}
                )
                self._settle()
                return

    def _aim(self, who: str, effects: Effects | None) -> dict[str, Any]:
        return (
            {"on": [OTHER[who], who]}
            if any(e.op == "transfer" for e in effects or ())
            else {"on": OTHER[who]}
        )

    def _details(self, who: str, thing: Card | Status) -> dict[str, Any]:
        face = next(self.faces)
        return answers(self.heroes[who], thing.effects or (), face).event(face)

    def _attack(self, who: str) -> None:
        self.do({"advance": "offensive-roll"})
        if self.game.phase != "offensive-roll" or self.game.over:
            return
        ability = next(self.spaces[who])
        entry = entry_of(self._player(who), self.heroes[who], ability)
        line = len(lines(entry.needs or ability.needs)) - 1
        dice = meeting(self.heroes[who], lines(entry.needs or ability.needs)[line])
        self.do({"by": who, "roll": dice})
        text = (*(entry.tier_effects[line] if entry.tier_effects else ()), *(entry.effects or ()))
        face = next(self.faces)
        details = answers(self.heroes[who], text, face).event(face)
        if entry.tier_effects and "choice" in details:
            details["choice"] = [line + 1, *details["choice"]]
        if not self.try_to({"by": who, "activate": ability.id, **details}):
            return  # it belongs to the other side of the board, or cannot be paid
        self._settle()
        self._fight(who)

    def _fight(self, who: str) -> None:
        """Tokens and a card of the attacker, the defence, tokens of the defender."""
        for status_id in list(self._player(who).statuses):
            self._roll_forced(who, status_id)
            self._spend(who, self.game.statuses[status_id])
        self._card(who, "roll")
        rival = OTHER[who]
        for ability in self.heroes[rival].abilities.values():
            if ability.kind == "defensive" and not self.game.over:
                entry = entry_of(self._player(rival), self.heroes[rival], ability)
                face = next(self.faces)
                rolled = answers(self.heroes[rival], entry.effects or (), face)
                rolled.dice = rolled.dice or (entry.needs or ability.needs).dice
                if self.try_to({"by": rival, "defend": ability.id, **rolled.event(face)}):
                    self._settle()
                    break
        for status_id in list(self._player(rival).statuses):
            self._spend(rival, self.game.statuses[status_id])
        self._card(rival, "instant")
        if not self.game.over:
            self.do({"advance": "main-2"})
            self._settle()

    def _roll_forced(self, who: str, status_id: str) -> None:
        status = self.game.statuses[status_id]
        if status.when == "end-of-offensive-roll" and not status.spendable and "roll" in status.words:
            self.try_to({"by": who, "resolve": status_id, "dice": [next(self.faces)]})

    def _spend(self, who: str, status: Status) -> None:
        if not status.spendable or not self._player(who).statuses.get(status.id):
            return
        face = next(self.faces)
        for n, use in enumerate(status.uses, start=1):
            found = answers(self.heroes[who], use.effects, face)
            if len(status.uses) > 1:
                found.choices.insert(0, n)
            raw = {"by": who, "spend": status.id, **self._aim(who, use.effects), **found.event(face)}
            if not _changes_dice(use.effects) and self.try_to(raw):
                self._settle()
                return
        if not status.uses and not _changes_dice(status.effects):
            raw = {"by": who, "spend": status.id, **self._aim(who, status.effects)}
            self.try_to({**raw, **self._details(who, status)})
            self._settle()

    def _settle(self) -> None:
        """Answer every choice that waits, with the first thing that is accepted."""
        for _ in range(20):
            if not self.game.pending or self.game.over:
                return
            waiting = self.game.pending[0]
            by = sorted(waiting.who)[0] if hasattr(waiting, "who") else "A"
            for value in (1, 0, "A", "B", *self._player("A").statuses, *self._player("B").statuses):
                copy = {"by": by, "choose": value}
                if not check_event(self.game, self.read(copy)).faults:
                    self.done.append(copy)
                    event = self.reader.events([copy], "events")[0]
                    event.n = len(self.done)
                    if judge(self.game, event).verdict != "illegal":
                        break
            else:
                return


def _changes_dice(effects: Effects | None) -> bool:
    return any(effect.op in ("reroll", "change_die") for effect in effects or ())


# ------------------------------------------------------------------ what a hero has


@cache
def hero_of(name: str) -> Hero:
    hero = shipped_hero(name)
    assert hero is not None
    return hero


def offensive(hero: Hero) -> list[Ability]:
    """Every space that is activated, the strongest last."""
    spaces = [a for a in hero.abilities.values() if a.kind in ("offensive", "ultimate")]
    return sorted(spaces, key=lambda ability: ability.kind)


def actions(hero: Hero) -> list[Card]:
    """Cards that are played without dice on the table to change; each kind comes round."""
    cards = [c for c in hero.cards.values() if not c.upgrades and not _changes_dice(c.effects)]
    return cards


def upgrades(hero: Hero) -> list[Card]:
    return sorted((c for c in hero.cards.values() if c.upgrades), key=lambda card: (card.level, card.id))


def entry_of(player: Player, hero: Hero, ability: Ability) -> Ability | Card:
    """The text of a space at the level in play."""
    level = player.upgrades.get(ability.id)
    cards = [c for c in hero.cards.values() if c.upgrades == ability.id and level and c.level == level.level]
    return cards[0] if cards else ability


# ------------------------------------------------------------------ events that are only tried


def tries_of(duel: Duel, by: str) -> Iterator[tuple[str, list[Event]]]:
    raws: dict[str, list[dict[str, Any]]] = {
        "roll": [{"by": by, "roll": [1, 2, 3, 4, 6]}],
        "announce": [{"by": by, "announce": "an-ability"}],
        "activate": [{"by": by, "activate": "an-ability", "effects": [{"deal": 2}]}],
        "target": [{"by": by, "target": OTHER[by]}],
        "defend": [{"by": by, "defend": "a-defence", "effects": [{"prevent": 1}]}],
        "play-main": [{"by": by, "play": "a-card", "cost": 0, "card": "main", **NOTHING}],
        "play-roll": [{"by": by, "play": "a-card", "cost": 0, "card": "roll", **NOTHING}],
        "play-instant": [{"by": by, "play": "a-card", "cost": 0, "card": "instant", **NOTHING}],
        "upgrade": [{"by": by, "upgrade": "a-space", "level": 2, "cost": 0}],
        "sell": [{"by": by, "sell": 1}],
        "pay": [{"by": by, "pay": token} for token in ("knockdown",)],
    }
    for verb, events in raws.items():
        yield verb, [duel.read(raw) for raw in events]


def spends_of(duel: Duel, by: str, token: str) -> list[Event]:
    """The token spent in each of its ways: on either player, with each companion."""
    status, hero = duel.game.statuses[token], duel.heroes[by]
    texts = [use.effects for use in status.uses] or [status.effects or ()]
    raws: list[dict[str, Any]] = []
    for n, text in enumerate(texts, start=1):
        found = answers(hero, text, 3)
        for choices in _with_each_companion(hero, found.choices):
            found.choices = [*([n] if len(texts) > 1 else []), *choices]
            details = {"by": by, "spend": token, **found.event(3)}
            aims = (OTHER[by], by, [OTHER[by], by], [by, OTHER[by]])
            raws += [{**details, **change, "on": on} for on in aims for change in _changed(text)]
    return [duel.read(raw) for raw in raws]


def _with_each_companion(hero: Hero, choices: list[Any]) -> list[list[Any]]:
    if not any(isinstance(choice, str) for choice in choices):
        return [choices]
    return [[one if isinstance(c, str) else c for c in choices] for one in hero.companions]


def _changed(text: Effects) -> list[dict[str, Any]]:
    """A die of either player's Offensive Roll, where the text changes one."""
    if not _changes_dice(text):
        return [{}]
    return [{"changes": [{"whose": who, "die": 1, "to": 2, "of": "offensive"}]} for who in OTHER]

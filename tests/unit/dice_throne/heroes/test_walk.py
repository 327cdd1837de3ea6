"""Everything a hero can do, once: each space at each level, each upgrade, card, token and companion.

Nothing is asked but dice, choices and targets, a condition just missed is refused, and what the text says in
any case has happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from judge.rules.catalog import Ability, Card, Effect, Hero, Needs, Status, Use, flat
from judge.schemas.dice_throne.shipped import (
    hero_ids,
    shipped_cards,
    shipped_hero,
    shipped_statuses,
)
from tests.unit.dice_throne.heroes.walk import (
    START,
    answers,
    faces,
    lines,
    meeting,
    missing,
    plain,
    ruled,
    strike,
    unasked,
)

COMPLETE = {name: hero for name in hero_ids() if (hero := shipped_hero(name)) and not hero.is_partial}
every_hero = pytest.mark.parametrize("hero", COMPLETE.values(), ids=COMPLETE)


class Space(NamedTuple):
    """One ability at one level: what it needs and does there."""

    ability: Ability
    level: int
    needs: Needs
    tiers: tuple[tuple[Effect, ...], ...]
    effects: tuple[Effect, ...]

    @property
    def upgrades(self) -> dict[str, int]:
        if self.ability.comes_with is not None:
            return dict([self.ability.comes_with])
        return {self.ability.id: self.level} if self.level > 1 else {}


def spaces(hero: Hero) -> Iterator[Space]:
    for ability in hero.abilities.values():
        assert ability.needs is not None, ability.id
        assert ability.effects is not None, ability.id
        yield Space(ability, 1, ability.needs, ability.tier_effects, ability.effects)
        for card in upgrades(hero, ability.id):
            assert card.effects is not None, card.id
            yield Space(ability, card.level, card.needs or ability.needs, card.tier_effects, card.effects)


def upgrades(hero: Hero, ability_id: str) -> list[Card]:
    cards = [card for card in hero.cards.values() if card.upgrades == ability_id]
    return sorted(cards, key=lambda card: card.level)


def player(hero: Hero, **more: Any) -> dict[str, Any]:
    return {"hero": hero.id, "statuses": {}, **more}


def has_done(ruling: Any, effects: tuple[Effect, ...], before: dict[str, int]) -> list[str]:
    """What the text says in any case and the table does not show."""
    a, b = ruling.players["A"], ruling.players["B"]
    dealt = sum(e.amount or 0 for e in plain(effects) if e.op == "deal" and e.to in ("", "target"))
    harms_itself = any(e.op in ("deal", "if") for e in effects if e.to == "self" or e.op == "if")
    shown = {
        "deal": START["health"] - b.health >= dealt,
        "heal": harms_itself or a.health > before["health"],
        "gain_cp": a.cp > before["cp"],
        "draw": a.hand > before["hand"],
        "grow": sum((a.companions or {}).values()) > 0,
    }
    wrong = [e.op for e in plain(effects) if not e.to and not shown.get(e.op, True)]
    for effect in plain(effects):
        holder = a if effect.op == "gain" else b
        if effect.op in ("gain", "inflict") and not effect.to and not _leaves_again(effect.status, effects):
            wrong += [effect.status] if not holder.statuses.get(effect.status) else []
    return wrong


def _leaves_again(status_id: str, effects: tuple[Effect, ...]) -> bool:
    is_removed = any(e.op == "remove" and e.status == status_id for e in flat(effects))
    return is_removed or shipped_statuses()[status_id].when == "until-the-attack-is-over"


# ------------------------------------------------------------------ spaces


@every_hero
def test_every_offensive_space_acts_on_dice_that_just_meet_it(hero):
    for space in spaces(hero):
        if space.ability.kind not in ("offensive", "ultimate"):
            continue
        for n, line in enumerate(lines(space.needs)):
            text = (*space.tiers[n], *space.effects) if space.tiers else space.effects
            me = player(hero, upgrades=space.upgrades, side=space.ability.side or None)
            turn = {"phase": "offensive-roll", "attempts": 1}
            for face in faces(hero) if answers(hero, text, 1).dice else [1]:
                details = answers(hero, text, face).event(face)
                if space.tiers and "choice" in details:
                    details["choice"] = [n + 1, *details["choice"]]
                event = {"by": "A", "activate": space.ability.id, "on": "B", **details}
                ruling = ruled(event, a=me, dice=meeting(hero, line), **turn)

                where = (space.ability.id, space.level, n, face)
                assert ruling.events[0].verdict != "illegal", (*where, ruling.events[0].reasons)
                assert unasked(ruling), (*where, ruling.asks)
                assert has_done(ruling, text, START) == [], where

        first = lines(space.needs)[0]
        short = ruled(
            {"by": "A", "activate": space.ability.id, "on": "B"}, a=me, dice=missing(hero, first), **turn
        )
        assert short.events[0].verdict == "illegal", (space.ability.id, space.level)


@every_hero
def test_every_defence_answers_an_attack_with_every_symbol(hero):
    for space in spaces(hero):
        if space.ability.kind != "defensive":
            continue
        me = player(hero, upgrades=space.upgrades, side=space.ability.side or None)
        untouched = ruled(strike("B"), a=me, active="B", phase="offensive-roll")
        differs = False
        for face in faces(hero):
            rolled = answers(hero, space.effects, face)
            rolled.dice = rolled.dice or space.needs.dice
            event = {"by": "A", "defend": space.ability.id, **rolled.event(face)}
            ruling = ruled(strike("B"), event, a=me, active="B", phase="offensive-roll")

            assert ruling.events[1].verdict != "illegal", (space, face, ruling.events[1].reasons)
            assert unasked(ruling), (space.ability.id, space.level, face, ruling.asks)
            differs = differs or ruling.players != untouched.players
        assert differs, space.ability.id

        too_many = {"by": "A", "defend": space.ability.id, "dice": [1] * (rolled.dice + 1)}
        ruling = ruled(strike("B"), too_many, a=me, active="B", phase="offensive-roll")
        assert ruling.events[1].verdict == "illegal", space.ability.id


@every_hero
def test_every_passive_lasts_a_whole_turn_without_a_question(hero):
    for space in spaces(hero):
        if space.ability.kind == "passive":
            me = player(hero, upgrades=space.upgrades, side=space.ability.side or None)
            ruling = ruled({"advance": "turn"}, {"advance": "turn"}, a=me, phase="upkeep")

            assert [event.verdict for event in ruling.events] == ["legal", "legal"], space
            assert unasked(ruling), (space.ability.id, space.level, ruling.asks)


# ------------------------------------------------------------------ cards


@every_hero
def test_every_upgrade_is_played_for_its_cost_and_not_for_less(hero):
    for ability in hero.abilities.values():
        for card in upgrades(hero, ability.id):
            assert card.cost is not None, card.id
            event = {"by": "A", "upgrade": ability.id, "level": card.level}
            paid = ruled(event, a=player(hero, cp=card.cost), phase="main-1")

            assert paid.events[0].verdict == "legal", card.id
            assert paid.players["A"].cp == 0
            assert paid.players["A"].upgrades == {ability.id: card.level}
            if card.cost:
                poor = ruled(event, a=player(hero, cp=card.cost - 1), phase="main-1")
                assert poor.events[0].verdict == "illegal", card.id


def playing(card: Card) -> tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any]]:
    """The events before a card, the turn they happen in, and what the card itself names."""
    change = next((e for e in card.effects or () if e.op in ("change_die", "reroll")), None)
    extra = next((e for e in card.effects or () if e.op == "extra_roll_attempt"), None)
    if change is not None or extra is not None:
        roller = "B" if change is not None and change.whose == "opponent" else "A"
        to = change.amount if change is not None and isinstance(change.amount, int) else 2
        turn = {"active": roller, "phase": "offensive-roll"}
        changes = {"changes": [{"whose": roller, "die": 1, "to": to, "of": "offensive"}]} if change else {}
        return [{"by": roller, "roll": [1, 2, 3, 4, 5]}], turn, changes or {"on": "A"}
    if card.when_attacked:
        return [strike("B")], {"active": "B", "phase": "offensive-roll"}, {}
    if card.kind == "roll":
        return [strike("A")], {"phase": "offensive-roll"}, {}
    return [], {"phase": "main-1"}, {}


@every_hero
def test_every_card_is_played_for_its_cost_and_not_for_less(hero):
    for card in [*hero.cards.values(), *shipped_cards().values()]:
        if card.kind == "upgrade" or _is_better_defence(card):
            continue
        assert card.cost is not None, card.id
        assert card.effects is not None, card.id
        events, turn, names = playing(card)
        me = player(hero, cp=card.cost, statuses=tokens_for(card))
        theirs = {"statuses": {"poison": 1}}
        for face in faces(hero) if answers(hero, card.effects, 1).dice else [1]:
            details = answers(hero, card.effects, face).event(face)
            event = {"by": "A", "play": card.id, **aim(card.effects), **names, **details}
            ruling = ruled(*events, event, a=me, b=theirs, **turn)

            assert ruling.events[-1].verdict != "illegal", (card.id, face, ruling.events[-1].reasons)
            assert unasked(ruling), (card.id, face, ruling.asks)
            before = {**START, "cp": 0, "hand": START["hand"] - 1}
            assert has_done(ruling, _of_the_card(card), before) == [], (card.id, face)
        if card.cost:
            poor = ruled(*events, event, a={**me, "cp": card.cost - 1}, b=theirs, **turn)
            assert poor.events[-1].verdict == "illegal", card.id


def aim(effects: tuple[Effect, ...]) -> dict[str, Any]:
    """Whom an event has to name: two players where one gives to the other."""
    return {"on": ["B", "A"]} if any(e.op == "transfer" for e in effects) else {"on": "B"}


def tokens_for(card: Card) -> dict[str, int]:
    """The tokens that a card takes from its player."""
    return {e.status: 1 for e in card.effects or () if e.op == "remove" and e.source == "self"}


def _of_the_card(card: Card) -> tuple[Effect, ...]:
    return tuple(e for e in card.effects or () if e.op not in ("deal",))


def _is_better_defence(card: Card) -> bool:
    """A card for one more attempt at a defence: it has its own cases."""
    return any(e.op == "extra_roll_attempt" and e.status == "defensive-roll" for e in card.effects or ())


# ------------------------------------------------------------------ tokens and companions


def uses(status: Status) -> list[Use]:
    if status.uses:
        return list(status.uses)
    return [Use(status.effects or (), status.when, ({status.id: 1},))]


OWN_ATTACK = ("after-attacking", "end-of-offensive-roll", "dealing", "attacking", "roll")
ATTACKED = ("attacked", "damaged", "damaged-by-offensive-roll")


def moment(use: Use) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The events before a use, and the turn they happen in."""
    answers_damage = any(e.op in ("prevent", "prevent_fraction", "avoid") for e in use.effects)
    if use.when in OWN_ATTACK:
        return [strike("A")], {"phase": "offensive-roll"}
    if use.when in ATTACKED or answers_damage:
        return [strike("B")], {"active": "B", "phase": "offensive-roll"}
    change = next((e for e in use.effects if e.op == "reroll"), None)
    nested = [e for r in use.effects for _, inner in r.on for e in inner if e.op == "reroll"]
    if change is not None or nested or use.when == "offensive-roll":
        roller = "B" if nested and nested[0].whose == "opponent" else "A"
        return [{"by": roller, "roll": [1, 2, 3, 4, 5]}], {"active": roller, "phase": "offensive-roll"}
    return [], {"phase": use.when if use.when in ("upkeep", "income") else "main-1"}


def changed_die(use: Use, turn: dict[str, Any], face: int) -> dict[str, Any]:
    """The die that a use re-rolls, where its own die lets it."""
    nested = [e for r in use.effects for key, inner in r.on if key.startswith("5") for e in inner]
    is_met = face >= 5 and any(e.op == "reroll" for e in nested)
    if not is_met and not any(e.op == "reroll" for e in use.effects):
        return {}
    return {"changes": [{"whose": turn.get("active", "A"), "die": 1, "to": 2, "of": "offensive"}]}


@every_hero
def test_every_token_is_spent_in_each_of_its_ways_and_not_without_its_price(hero):
    for status in shipped_statuses().values():
        if hero.id not in status.owners or not status.spendable:
            continue
        for n, use in enumerate(uses(status), start=1):
            price = use.prices[0] if use.prices else {}
            events, turn = moment(use)
            companions = dict(hero.setup_companions)
            for face in (1, 3, 6) if answers(hero, use.effects, 1).dice else [1]:
                found = answers(hero, use.effects, face)
                if len(status.uses) > 1:
                    found.choices.insert(0, n)
                if any(e.op == "improve" for e in use.effects):
                    companions = {next(iter(hero.companions)): 1}
                if any(e.op == "split_damage" for e in use.effects):
                    found.choices.append(2)
                details = {**found.event(face), **changed_die(use, turn, face), **aim(use.effects)}
                event = {"by": "A", "spend": status.id, **details}
                held = {**price, **({"poison": 1} if status.id not in price or n > 1 else {})}
                me = player(hero, statuses=held | {"poison": 1}, companions=companions)
                ruling = ruled(*events, event, a=me, b={"statuses": {"burn": 1}}, **turn)

                where = (status.id, n, face)
                assert ruling.events[-1].verdict != "illegal", (*where, ruling.events[-1].reasons)
                assert unasked(ruling), (*where, ruling.asks)
                if not any(e.status == status.id for e in use.effects):
                    assert not ruling.players["A"].statuses.get(status.id), where
            me["statuses"][status.id] = price.get(status.id, 1) - 1
            poor = ruled(*events, event, a=me, b={"statuses": {"burn": 1}}, **turn)
            assert poor.events[-1].verdict == "illegal", where


@every_hero
def test_every_token_that_acts_by_itself_lasts_two_turns_without_a_question(hero):
    for status in shipped_statuses().values():
        if hero.id not in status.owners or status.spendable:
            continue
        assert status.effects is not None, status.id
        for face in range(1, 7):
            rolled = answers(hero, status.effects, face) if status.when == "upkeep" else None
            resolve = [{"by": "B", "resolve": status.id, "dice": [face]}] if rolled and rolled.dice else []
            held = {"statuses": {status.id: 1}}
            turns = [*resolve, {"advance": "turn"}, {"advance": "turn"}]
            ruling = ruled(*turns, a=player(hero), b=held, active="B", phase="upkeep")

            assert "illegal" not in [event.verdict for event in ruling.events], (status.id, face)
            assert unasked(ruling), (status.id, face, ruling.asks)


@every_hero
def test_every_companion_is_used_in_each_of_its_ways(hero):
    for companion in hero.companions.values():
        there = {companion.id: companion.levels or hero.setup_companions.get(companion.id, 1)}
        for n, use in enumerate(companion.uses, start=1):
            price = use.prices[-1] if use.prices else {}
            events, turn = moment(use)
            for face in faces(hero):
                found = answers(hero, use.effects, face)
                found.choices = [n] if len(companion.uses) > 1 else []
                event = {"by": "A", "resolve": companion.id, **found.event(face)}
                event |= changed_die(use, turn, face)
                ruling = ruled(*events, event, a=player(hero, companions=there, statuses=dict(price)), **turn)

                where = (companion.id, n, face)
                assert ruling.events[-1].verdict != "illegal", (*where, ruling.events[-1].reasons)
                assert unasked(ruling), (*where, ruling.asks)
            gone = ruled(*events, event, a=player(hero, companions={}, statuses=dict(price)), **turn)
            assert gone.events[-1].verdict == "illegal", where

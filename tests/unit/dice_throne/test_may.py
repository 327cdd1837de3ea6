"""`may` is honest: every verb it lists has a legal event, every legal event's verb is listed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from judge.rules.dice_throne import rule
from judge.rules.dice_throne.effects.foresight import dice_wanted
from judge.rules.dice_throne.flow.engine import ThroneRuling
from judge.rules.dice_throne.state.report import PlayerReport
from judge.schemas.dice_throne.shipped import every_status
from judge.schemas.dice_throne.table import read_table
from judge.services.dispute.rulings import continue_table
from tests.unit.dice_throne import random_play as throne_play

EDITIONS = ("fr-2.2", "ru-2.2", "fr-2.4.1")
MODES = ("duel", "2v2", "3v3", "king-of-the-hill")
SPENDABLE = {
    s.id: [3] * max(dice_wanted(s.effects) or {1})
    for s in every_status().values()
    if s.spendable and s.effects is not None
}
NOTHING: dict[str, Any] = {"effects": [{"draw": 1}]}


def attempts(by: str, ruling: ThroneRuling, n: int) -> dict[str, list[dict[str, Any]]]:
    """Events of every verb that `may` knows; if one of a list is legal, the verb is open."""
    card = {"by": by, "play": "a-card", "cost": 0, **NOTHING}
    ability = ruling.turn.announced or "an-ability"
    held = ruling.players[by].statuses
    # The held ones first: most tokens cannot be spent for want of one, and a few of those are enough.
    tokens = [t for t in SPENDABLE if t in held] + [t for t in SPENDABLE if t not in held][n % 5 :: 5]
    answers: list[dict[str, Any]] = [{}, {"against": n}] if n else [{}]
    return {
        "roll": [{"by": by, "roll": [1, 2, 3, 4, 6]}],
        "announce": [{"by": by, "announce": "an-ability"}],
        "activate": [{"by": by, "activate": ability, "effects": [{"deal": 2}]}],
        "target": [{"by": by, "target": other} for other in ruling.players if other != by],
        "defend": [{"by": by, "defend": "a-defence", "effects": [{"prevent": 1}]}],
        "play-main": [{**card, "card": "main"}],
        "play-roll": [{**card, "card": "roll", **answer} for answer in answers],
        "play-instant": [{**card, "card": "instant", **answer} for answer in answers],
        "upgrade": [{"by": by, "upgrade": "a-space", "level": 2, "cost": 0}],
        "sell": [{"by": by, "sell": 1}],
        "spend": [
            {"by": by, "spend": token, "dice": SPENDABLE[token], **against}
            for token in tokens
            for against in (*answers, {"against": "isolated"})
        ],
        "pay": [{"by": by, "pay": "knockdown"}],
    }


def verdict_of(table: dict[str, Any], events: list[dict[str, Any]], event: dict[str, Any]) -> str:
    return rule(read_table({**table, "events": [*events, event]})).events[-1].verdict


def dishonest(table: dict[str, Any], events: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    ruling = rule(read_table({**table, "events": events}))
    listed = ruling.extra.meanwhile or ruling.may
    before = rule(read_table({**table, "events": events[:-1]}))
    # What waits for an answer still does after events that were illegal: they change nothing.
    last = max((event.n for event in ruling.events if event.verdict == "legal"), default=0)
    found = []
    for by, state in ruling.players.items():
        for verb, tries in attempts(by, ruling, last).items():
            is_legal = any(verdict_of(table, events, event) == "legal" for event in tries)
            if is_legal != (verb in listed[by]) and not (
                verb == "spend" and _unknown(state, before.players[by])
            ):
                found.append((by, verb, "not listed" if is_legal else "not legal"))
    return found


def _unknown(*states: PlayerReport) -> bool:
    """A token whose text no source gives can be spent, but only with the effects the file brings."""
    return any(every_status()[token].effects is None for state in states for token in state.statuses)


def check_a_game(mode: str, edition: str, seed: str, places: int) -> None:
    rng = random.Random(seed)
    table = throne_play.table(rng, mode, edition)
    _, events = throne_play.play(rng, table, 12)
    for place in sorted(rng.sample(range(len(events) + 1), min(places, len(events)))):
        assert dishonest(table, events[:place]) == [], events[:place]


@pytest.mark.parametrize(("mode", "edition"), list(zip(MODES, (*EDITIONS, "fr-2.4.1"), strict=True)))
def test_may_is_honest_at_every_point_of_a_random_game(mode, edition):
    check_a_game(mode, edition, f"may{mode}{edition}", 4)


@pytest.mark.parametrize("mode", MODES)
def test_what_the_ruling_lists_is_open_in_the_game_that_goes_on_from_it(mode):
    rng = random.Random(f"goes on {mode}")
    table = throne_play.table(rng, mode, "fr-2.4.1")
    _, events = throne_play.play(rng, table, 12)

    for place in sorted(rng.sample(range(1, len(events) + 1), 2)):
        assert dishonest(continue_table({**table, "events": events[:place]}), []) == []

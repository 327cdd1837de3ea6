"""Random play: events of every verb, sensible and foolish, for whole games in every mode."""

from __future__ import annotations

import random
from typing import Any

from judge.rules.dice_throne.flow.engine import judge
from judge.rules.dice_throne.state.model import Game
from judge.schemas.dice_throne.shipped import (
    hero_ids,
    shipped_cards,
    shipped_hero,
    shipped_statuses,
)
from judge.schemas.dice_throne.table import read_table

PHASES = (
    "upkeep", "income", "main-1", "offensive-roll", "targeting-roll", "defensive-roll", "main-2", "discard",
)  # fmt: skip
EFFECTS: list[dict[str, Any]] = [
    {"deal": 3, "type": "normal"}, {"deal": 2, "type": "undefendable"}, {"deal": 2, "type": "pure"},
    {"deal": 1, "type": "collateral", "to": "all-opponents"}, {"deal": 4, "type": "ultimate"},
    {"deal": 2, "type": "undefendable", "isolated": True}, {"add": 2}, {"prevent": 2}, {"heal": 2},
    {"prevent_fraction": "1/2"}, {"return_fraction": "1/2"}, {"avoid": "all"}, {"gain_cp": 1}, {"draw": 1},
    {"steal_cp": 2}, {"steal_health": 2}, {"gain": "protect"}, {"inflict": "poison"}, {"inflict": "stun"},
    {"inflict": "powder-keg"}, {"remove": "any"}, {"remove": "all"}, {"roll": 2, "on": {"1-3": [{"add": 1}]}},
    {"transfer": "any"}, {"then": [{"deal": 1}]}, {"choose": [[{"heal": 1}], [{"draw": 1}]]},
    {"may": [{"draw": 1}]}, {"discard": 1}, {"make_undefendable": True}, {"add_die": 1}, {"flip": "cursed"},
    {"duel": {"if_higher": [{"heal": 1}], "otherwise": []}}, {"raise_limit": "poison", "by": 1},
    {"extra_roll_attempt": "offensive-roll"}, {"grow": 1}, {"set_health": 7}, {"additionally": [{"heal": 1}]},
]  # fmt: skip


def table(rng: random.Random, mode: str, edition: str) -> dict[str, Any]:
    size = {"duel": 2, "2v2": 4, "3v3": 6, "king-of-the-hill": 3}[mode]
    heroes = [*hero_ids(), None]
    players: list[dict[str, Any]] = []
    for n in range(size):
        player: dict[str, Any] = {"id": "ABCDEF"[n], "hero": rng.choice(heroes), "cp": rng.randint(0, 9)}
        if mode in ("2v2", "3v3"):
            player["team"] = "red" if n < size // 2 else "blue"
        else:
            player["health"] = rng.randint(8, 40)
        if rng.random() < 0.5:
            player["statuses"] = dict.fromkeys(rng.sample(sorted(shipped_statuses()), 4), 1)
        if rng.random() < 0.4:
            player["deck"] = rng.randint(0, 5)
        players.append(player)
    start = {"active": "A", "phase": "upkeep", "first": True}
    return {"game": "dice-throne", "edition": edition, "mode": mode, "players": players, "turn": start}


def event(rng: random.Random, base: dict[str, Any], n: int, favoured: str = "") -> dict[str, Any]:
    """One event of a random verb by a random player, or by the one named."""
    players = base["players"]
    ids = [p["id"] for p in players]
    player = next((p for p in players if p["id"] == favoured), None) or rng.choice(players)
    by = player["id"]
    hero = shipped_hero(player["hero"] or "")
    few = rng.sample(EFFECTS, rng.randint(1, 3))
    dice = [rng.randint(1, 6) for _ in range(5)]
    on = {"on": rng.sample(ids, rng.choice((1, 1, 2)))} if rng.random() < 0.5 else {}
    earlier = ["isolated", max(n - 1, 1), n] if n else ["isolated"]
    against = {"against": rng.choice(earlier)} if rng.random() < 0.3 else {}
    change = {"whose": rng.choice(ids), "die": rng.randint(1, 5), "to": rng.randint(1, 6)}
    change["of"] = rng.choice(("offensive", "targeting", "defensive", "effect", "upkeep"))
    cards = [*shipped_cards(), *(hero.cards if hero else ())]
    known = [a.id for a in hero.abilities.values()] if hero else []
    some_dice = {"dice": dice[: rng.randint(1, 5)]} if rng.random() < 0.5 else {}
    choice = {"choice": rng.randint(0, 3)} if rng.random() < 0.3 else {}
    made_up = {"effects": few}
    options: list[dict[str, Any]] = [
        {"advance": rng.choice([*PHASES, "turn", "turn", "main-2"])},
        {"advance": rng.choice(["offensive-roll", "main-2", "turn"])},
        {"by": by, "roll": dice},
        {"by": by, "activate": "strike", **made_up, **some_dice, **choice, **on},
        {"by": by, "activate": "doom", "kind": "ultimate", **made_up},
        {"by": by, "target": rng.choice(ids)},
        {"by": by, "target": None, "die": rng.randint(1, 6)},
        {"by": by, "defend": "guard", **made_up, **some_dice, **choice},
        {"by": by, "play": rng.choice(cards), **on, **some_dice, **against, **choice},
        {"by": by, "play": "so-wild", "changes": [change]},
        {"by": by, "play": "x", "card": "instant", "cost": 0, **made_up, **on, **against, **some_dice},
        {"by": by, "spend": rng.choice(sorted(shipped_statuses())), **some_dice, **against, **on},
        {"by": by, "upgrade": rng.choice(known or ["y"]), "level": rng.choice((2, 3)), "cost": 1},
        {"by": by, "sell": rng.randint(1, 3)},
        {"by": by, "pay": "knockdown"},
        {"by": by, "resolve": rng.choice(sorted(shipped_statuses())), **some_dice, **on},
        {"by": by, "does": "something", **made_up, **on},
        {"by": by, "choose": rng.choice([1, 2, rng.choice(ids), "poison"])},
    ]
    if known:
        ability = rng.choice(known)
        options.append({"by": by, "activate": ability, **some_dice, **on, **choice})
        options.append({"by": by, "announce": ability})
        options.append({"by": by, "defend": ability, **some_dice, **choice})
        options.append({"by": by, "resolve": ability, **choice})
    return rng.choice(options)


def _fitting(rng: random.Random, base: dict[str, Any], game: Game, n: int) -> dict[str, Any]:
    """An event whose verb fits the phase more often than not."""
    attack = game.attack
    active = game.active.id if game.active else "A"
    verbs = {"play", "spend", "advance", "does", "choose"}
    if attack is not None:
        verbs |= {"defend", "target"}
    elif game.phase == "offensive-roll":
        verbs = {"roll", "activate", "announce", "play"}
    elif game.phase == "upkeep":
        verbs |= {"resolve", "pay"}
    else:
        verbs |= {"upgrade", "sell", "pay"}
    wanted = rng.choice(sorted(verbs)) if rng.random() < 0.9 else ""
    who = attack.targets[0].id if attack is not None and attack.targets and wanted == "defend" else active
    for _ in range(60):
        raw = event(rng, base, n, who if rng.random() < 0.7 else "")
        if not wanted or wanted in raw:
            break
    return raw


def play(rng: random.Random, base: dict[str, Any], count: int) -> tuple[Game, list[dict[str, Any]]]:
    """A game of `count` legal events and the illegal ones tried in between, judged one by one."""
    game = Game(read_table({**base, "events": []}), {})
    done: list[dict[str, Any]] = []
    legal = 0
    for _ in range(count * 12):
        raw = _fitting(rng, base, game, len(done))
        earlier = [{"advance": "turn"}] * len(done)  # only for the number of the event
        read = read_table({**base, "events": [*earlier, raw]}).events[-1]
        verdict = judge(game, read)
        game.events.append(verdict)
        done.append(raw)
        legal += verdict.verdict != "illegal"
        if legal >= count or game.over:
            break
    return game, done

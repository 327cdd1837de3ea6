"""Quick calculators. Each writes a small table file for the question and lets the engine rule on it, so that
a calculator always agrees with a ruling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.core.games import DICE_THRONE
from judge.core.json_types import EventEntry, JsonObject
from judge.core.messages import Lang
from judge.rules.catalog import Ability, Card, Needs
from judge.rules.dice_throne.flow.engine import replay
from judge.rules.dice_throne.state.activation import highest_tier, is_met
from judge.schemas.books import newest, newest_describing
from judge.schemas.dice_throne.shipped import shipped_hero
from judge.schemas.dice_throne.table import read_table
from judge.services.dispute.rulings import rule_table
from judge.services.rulebook.conditions import Need
from judge.services.rulebook.effect_words import EffectWords, Line
from judge.services.rulebook.hero_sheet import hero_catalog

if TYPE_CHECKING:  # a cold start need not load it
    from judge.rules.ruling_json import RulingJson

MOST = 999


@dataclass(frozen=True, slots=True)
class DamageQuestion:
    incoming: int
    edition: str
    type: str = "normal"
    adds: Sequence[int] = ()
    prevents: Sequence[int] = ()
    halves: int = 0
    returns: int = 0  # how many effects send half back


def damage(question: DamageQuestion, names: tuple[str, str], lang: Lang) -> RulingJson:
    """The ruling on one Attack. `names` are the names of attacker and defender in its sentences."""
    attacker, defender = names
    kind = "ultimate" if question.type == "ultimate" else "offensive"
    events: list[EventEntry] = [
        {"by": attacker, "activate": "attack", "kind": kind, "on": defender,
         "effects": [{"deal": question.incoming, "type": question.type}]}
    ]  # fmt: skip
    events += [_card(attacker, {"add": n}, modifier=True) for n in question.adds]
    events += [_card(defender, {"prevent": n}) for n in question.prevents]
    events += [_card(defender, {"prevent_fraction": "1/2"})] * question.halves
    events += [_card(defender, {"return_fraction": "1/2"})] * question.returns
    table = {
        "game": DICE_THRONE, "edition": question.edition, "mode": "duel",
        "players": [{"id": name, "health": MOST, "hand": 99} for name in names],
        "turn": {"active": attacker, "phase": "offensive-roll"}, "events": events,
    }  # fmt: skip
    return rule_table(table, lang)


def _card(by: str, effect: JsonObject, *, modifier: bool = False) -> EventEntry:
    event: EventEntry = {"by": by, "play": "card", "card": "instant", "cost": 0, "effects": [effect]}
    return {**event, "modifier": True} if modifier else event


@dataclass(frozen=True, slots=True)
class Activation:
    """An ability, whether these dice activate it, and by which line of it."""

    name: str
    kind: str
    needs: tuple[Need, ...]
    is_met: bool
    effects: tuple[Line, ...]
    card: str = ""  # the upgrade that gives it


def find_activations(hero_id: str, dice: Sequence[int], lang: Lang) -> list[Activation]:
    """The abilities of a hero, printed and upgraded, with whether five dice activate them; those met
    first."""
    hero = shipped_hero(hero_id)
    if hero is None:
        return []
    words = EffectWords(lang, hero_catalog(hero))
    table = {"game": DICE_THRONE, "edition": newest(DICE_THRONE).id, "mode": "duel",
             "players": [{"id": "A", "hero": hero_id}, {"id": "B"}], "events": []}  # fmt: skip
    game = replay(read_table(table, ""), {})
    player = game.seats[0]
    upgraded = {a.id: a for a in hero.abilities.values() if a.kind in ("offensive", "ultimate")}
    sources: list[tuple[Ability, str, Needs]] = [(a, "", a.needs) for a in upgraded.values() if a.needs]
    sources += [(upgraded[c.upgrades], words.name(c), c.needs) for c in hero.cards.values()
               if c.upgrades in upgraded and c.needs is not None]  # fmt: skip
    cards: dict[str, Card] = {words.name(c): c for c in hero.cards.values()}
    activations = []
    for ability, card, needs in sources:
        source: Card | Ability = cards[card] if card else ability
        tier = highest_tier(game, player, needs, dice) if needs.tiers else 0
        effects = source.tier_effects[tier - 1] if tier and len(source.tier_effects) >= tier else ()
        activations.append(
            Activation(words.name(ability), ability.kind, tuple(words.activation(needs)),
                       is_met(game, player, needs, dice),
                       words.lines(effects) + words.lines(source.effects), card)
        )  # fmt: skip
    return sorted(activations, key=lambda each: (not each.is_met, each.kind != "ultimate"))


@dataclass(frozen=True, slots=True)
class Targets:
    """Who may be the target, and who chooses if there are several."""

    seats: tuple[str, ...]
    says: tuple[str, ...]
    rules: tuple[str, ...]
    chooser: str  # "" | opponents | roller


SEATS = {"2v2": ("left", "right"), "3v3": ("left", "middle", "right")}


def targets(mode: str, die: int, lang: Lang) -> Targets:
    """The seats that a targeting die points at, for a roller with opponents on the left and on the right."""
    opponents = SEATS[mode]
    edition = newest_describing(DICE_THRONE, mode).id
    mates = ["roller", *(f"mate {n}" for n in range(1, len(opponents)))]
    players = [{"id": seat, "team": "red"} for seat in mates]
    players += [{"id": seat, "team": "blue"} for seat in opponents]  # the first one clockwise is on the left
    met, says, rules = [], [], []
    for seat in opponents:
        events = [
            {
                "by": "roller",
                "activate": "attack",
                "kind": "offensive",
                "effects": [{"deal": 1, "type": "normal"}],
            },
            {"by": "roller", "target": seat, "die": die},
        ]
        ruling = rule_table(
            {"game": DICE_THRONE, "edition": edition, "mode": mode, "players": players,
             "teams": {"red": 50, "blue": 50}, "turn": {"active": "roller", "phase": "offensive-roll"},
             "events": events}, lang,
        )  # fmt: skip
        verdict = ruling["events"][1]
        rules += [rule for rule in verdict["rules"] if rule not in rules]
        if verdict["verdict"] == "legal":
            met.append(seat)
            says.append(verdict["says"])
    chooser = "" if len(met) == 1 else "opponents" if die == 5 else "roller"
    return Targets(tuple(met), tuple(says), tuple(rules), chooser)


@dataclass(frozen=True, slots=True)
class UpgradeCost:
    paid: int
    is_legal: bool
    says: str
    rules: tuple[str, ...]


def upgrade_cost(
    level_in_play: int, cost_in_play: int, level: int, cost: int, cp: int, lang: Lang
) -> UpgradeCost:
    """What an upgrade costs on top of the one in play."""
    upgrades = {"ability": {"level": level_in_play, "cost": cost_in_play}} if level_in_play > 1 else {}
    ruling = rule_table(
        {"game": DICE_THRONE, "edition": newest(DICE_THRONE).id, "mode": "duel",
         "players": [{"id": "A", "cp": cp, "upgrades": upgrades}, {"id": "B"}],
         "turn": {"active": "A", "phase": "main-1"},
         "events": [{"by": "A", "upgrade": "ability", "level": level, "cost": cost}]}, lang,
    )  # fmt: skip
    verdict = ruling["events"][0]
    paid = cp - ruling["players"]["A"]["cp"]
    return UpgradeCost(paid, verdict["verdict"] == "legal", verdict["says"], tuple(verdict["rules"]))

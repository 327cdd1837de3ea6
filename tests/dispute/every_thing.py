"""A table for every ability at every level, card, token and companion of a hero, where it is used once."""

from judge.schemas.dice_throne.shipped import shipped_cards, shipped_hero, shipped_statuses

STRIKE = {"by": "B", "activate": "strike", "on": "A", "effects": [{"deal": 9}]}
OWN = {"by": "A", "activate": "strike", "on": "B", "effects": [{"deal": 5}]}


def tables_of(hero):
    known = shipped_hero(hero)
    for ability in known.abilities.values():
        yield from _ability(hero, known, ability)
    for card in known.cards.values():
        yield from _card(hero, card)
    if hero == "barbarian":
        for card in shipped_cards().values():
            yield from _card(hero, card)
    for status in shipped_statuses().values():
        if hero in status.owners:
            yield from _status(hero, status.id)
    for companion in known.companions.values():
        for name in companion.ids:
            yield table(hero, {"by": "A", "resolve": name}, companions={name: 1})


def table(hero, *events, turn=None, **player):
    rival = "barbarian" if hero == "treant" else "treant"
    players = [{"id": "A", "hero": hero, "cp": 15, "hand": 8, **player}, {"id": "B", "hero": rival}]
    return {
        "game": "dice-throne",
        "players": players,
        "events": list(events),
        **({"turn": turn} if turn else {}),
    }


def _ability(hero, known, ability):
    for level in (1, 2, 3):
        upgrades = [c for c in known.cards.values() if c.upgrades == ability.id and c.level == level]
        if level > 1 and not upgrades:
            continue
        player = {"upgrades": {ability.id: level}} if level > 1 else {}
        if ability.comes_with:
            player = {"upgrades": dict([ability.comes_with])}
        if ability.side:
            player["side"] = ability.side
        if ability.kind == "defensive":
            yield table(hero, STRIKE, {"by": "A", "defend": ability.id}, **player)
        elif ability.kind == "passive":
            yield table(hero, {"by": "A", "resolve": ability.id}, **player)
        else:
            yield table(hero, {"by": "A", "activate": ability.id, "on": "B"}, **player)


def _card(hero, card):
    if card.kind == "upgrade":
        yield table(hero, {"by": "A", "upgrade": card.upgrades, "level": card.level})
        return
    play = {"by": "A", "play": card.id}
    yield table(hero, play)
    if card.kind != "main":
        yield table(hero, STRIKE, play)
        yield table(hero, OWN, play)


def _status(hero, status):
    for before in ((), (STRIKE,), (OWN,)):
        yield table(hero, *before, {"by": "A", "spend": status}, statuses={status: 1})
    upkeep = {"active": "A", "phase": "upkeep"}
    yield table(hero, {"advance": "income"}, turn=upkeep, statuses={status: 1})
    yield table(hero, {"by": "A", "resolve": status}, turn=upkeep, statuses={status: 1})

"""Makes a new table file from the form of the start page."""

from __future__ import annotations

from werkzeug.datastructures import MultiDict

from judge.core.errors import fail
from judge.core.games import DICE_FORGE, DICE_THRONE
from judge.core.json_types import JsonObject, TableFile
from judge.core.messages import Lang
from judge.schemas.books import newest, usual
from judge.schemas.shape import whole
from judge.services.dispute.new_table import unique_name
from judge.services.rulebook.heroes import catalogue, find_hero, find_hero_by_beginning

SEATS = {"duel": 2, "2v2": 4, "3v3": 6}
MOST = 6


def table_from_form(form: MultiDict[str, str], lang: Lang) -> TableFile:
    if form.get("game") == DICE_FORGE:
        return _forge(form)
    mode = form.get("mode") or "duel"
    heroes = [_hero(form, k) for k in range(1, MOST + 1)]
    names = [" ".join(form.get(f"name{k}", "").split())[:40] for k in range(1, MOST + 1)]
    filled = max((k for k in range(MOST) if heroes[k] or names[k]), default=1) + 1
    seats = SEATS.get(mode, max(2, filled))
    players: list[JsonObject] = []
    for k in range(seats):
        player: JsonObject = {"id": unique_name(names[k], heroes[k], players, k, lang)}
        if heroes[k]:
            player["hero"] = heroes[k]
        if mode in ("2v2", "3v3"):
            player["team"] = "red" if k < seats // 2 else "blue"
        players.append(player)
    edition = form.get("edition") or usual(DICE_THRONE, lang).id
    return {"game": DICE_THRONE, "edition": edition, "mode": mode, "players": players, "events": []}


def _hero(form: MultiDict[str, str], k: int) -> str:
    """A typed hero that is known by its name or the beginning of it; else the tapped one; else as written."""
    typed = " ".join(form.get(f"other{k}", "").split())
    meant = find_hero_by_beginning(DICE_THRONE, typed)
    tapped = form.get(f"hero{k}", "")
    return (meant if meant in catalogue(DICE_THRONE) else find_hero(DICE_THRONE, tapped) or meant)[:60]


def _forge(form: MultiDict[str, str]) -> TableFile:
    names = [" ".join(form.get(f"name{k}", "").split())[:40] for k in range(1, 5)]
    count = form.get("players", 2, type=whole)
    if not 2 <= count <= 4:
        raise fail("players", "expected_between", low=2, high=4)
    players: list[JsonObject] = []
    for k in range(count):
        players.append({"id": unique_name(names[k], "", players, k, "en")})
    return {"game": DICE_FORGE, "edition": newest(DICE_FORGE).id, "players": players, "events": []}

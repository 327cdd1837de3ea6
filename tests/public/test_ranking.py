"""Page, paper, file, spreadsheet and API show the same ranking, whatever the format."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.schemas.tournament.reader import read_tournament
from judge.services.event.importing import import_file
from judge.services.event.tournament_files import csv_file
from judge.services.paper.documents import PrintOptions, print_file
from judge.storage.tables import Player
from judge.tournament.formats import FORMATS, pair_round
from judge.web.public.private_links import player_link
from tests.builders import NOW, make_staff
from tests.paper.papers import people
from tests.paper.reading import Read

Ranking = list[tuple[int, str]]
CASES = [(kind, players) for kind in FORMATS for players in (7, 12, 16)]


def played_out(kind: str, players: int, seed: int = 0) -> dict[str, Any]:
    """An event of this format with results by lot, to its end or for three rounds."""
    data: dict[str, Any] = {"name": "Spring", "format": {"kind": kind}, "players": people(players)}
    chance = random.Random(f"{kind} {players} {seed}")
    is_bracket = FORMATS[kind].has_bracket
    for _ in range(20 if is_bracket else 3):
        t = read_tournament(data)
        if is_bracket and t.rounds and FORMATS[kind].is_over(t):
            break
        pairing = pair_round(t)
        matches = [_match(t, table, chance, FORMATS[kind].has_draws) for table in pairing.tables]
        seated = {p for table in pairing.tables for p in table.players}
        byes = [{"a": t.label(p), "result": "bye"} for p in pairing.byes if p not in seated]
        data["rounds"] = [*data.get("rounds", []), [*matches, *byes]]
    return data


def _match(t: Any, table: Any, chance: random.Random, has_draws: bool) -> dict[str, Any]:
    names = [t.label(p) for p in table.players]
    if FORMATS[t.format.kind].has_pods:
        return {"scores": {name: chance.randint(50, 130) for name in names}}
    return {
        "a": names[0],
        "b": names[1],
        "result": chance.choice("ab" if not has_draws else ["a", "b", "draw"]),
    }


def from_command(data: dict[str, Any]) -> Ranking:
    return [(line["rank"], line["player"]) for line in json.loads(_standings(data))]


def from_api(client: Any, data: dict[str, Any]) -> Ranking:
    return [(line["rank"], line["player"]) for line in client.post("/api/v1/standings", json=data).get_json()]


def from_spreadsheet(text: str) -> Ranking:
    return [(int(row["rank"]), row["player"]) for row in csv.DictReader(io.StringIO(text.lstrip("\ufeff")))]


def from_paper(pdf: bytes, players: set[str]) -> Ranking:
    """In the order of the pages; each name has its rank at the same height to its left."""
    words = sorted(Read(pdf).words, key=lambda w: (w.page, -w.y, w.x))
    return [
        (next(int(w.text) for w in words if (w.page, w.y) == (name.page, name.y)), name.text)
        for name in words
        if name.text in players
    ]


def from_page(text: str) -> Ranking:
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", text, re.S)
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S) for row in rows]
    plain = [[re.sub(r"<[^>]+>", "", cell).strip() for cell in row] for row in cells]
    return [(int(row[0]), row[1]) for row in plain if row and row[0].isdigit()]


@pytest.mark.parametrize(("kind", "players"), CASES)
def test_page_paper_file_spreadsheet_and_api_agree_on_the_ranking(client, app_database, kind, players):
    data = played_out(kind, players)
    with app_database.transaction() as session:
        organiser = make_staff(session, None, "organiser")
        slug = import_file(session, organiser, json.dumps(data).encode(), NOW).result.slug

    expected = from_command(data)

    assert len(expected) == players
    assert from_api(client, data) == expected
    assert from_spreadsheet(csv_file(data, "standings")) == expected
    assert from_paper(print_file("standings", data, PrintOptions()), set(data["players"])) == expected
    assert from_page(client.get(f"/e/{slug}/standings").text) == expected
    assert from_paper(client.get(f"/e/{slug}/standings.pdf").data, set(data["players"])) == expected


def test_the_winner_of_a_bracket_stands_first_on_paper_even_with_fewer_points():
    data = played_out("double-elimination", 16, seed=4)
    lines = json.loads(_standings(data))
    champion, runner_up = lines[0], lines[1]

    printed = from_paper(print_file("standings", data, PrintOptions()), set(data["players"]))

    assert champion["points"] < runner_up["points"]
    assert printed[:2] == [(1, champion["player"]), (2, runner_up["player"])]


def _standings(data: dict[str, Any]) -> str:
    return CliRunner().invoke(cli, ["standings", "-", "--json"], input=json.dumps(data)).stdout


def test_before_the_first_round_nobody_has_a_place_and_one_point_is_one_point(hall, app):
    hall = hall("dice-throne-ranked", 2, format={"kind": "swiss", "rounds": 2}, cut=0)
    before = hall.client.get(f"/e/{hall.slug}/desk/files/standings.csv").text
    hall.publish(1)
    (match,) = hall.open()
    hall.post(f"/matches/{match.id}/result", result="draw", health_a=4, health_b=4)
    with app.test_request_context():
        link = player_link(hall.rows(Player)[0])

    assert len(before.splitlines()) == 1, "as on the page"
    for lang, said in (("en", ", 1 point,"), ("fr", ", 1 point,"), ("ru", ", 1 очко,")):
        assert said in hall.visitor.get(link, headers={"Accept-Language": lang}).text

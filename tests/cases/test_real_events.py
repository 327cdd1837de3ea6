"""Events with published standings: an own small one, and the real ones where they lie beside the project."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from judge.schemas.files import read_file
from judge.schemas.tournament.reader import read_tournament
from judge.services.event.tournament_files import standings_file
from judge.tournament.formats import pair_round
from judge.tournament.pairing import Table
from judge.tournament.swiss.next_round import swiss_cost

ROOT = Path(__file__).parents[2]
REAL = next((f for f in (up / "shared" / "real" for up in ROOT.parents[:2]) if f.exists()), None)

OWN = {
    "file": {
        "name": "own", "best_of": 3, "floor": "1/3", "tiebreakers": ["omw", "gw", "ogw"],
        "players": ["Ana", "Ben", "Cleo"],
        "rounds": [
            [{"a": "Ana", "b": "Ben", "result": "a", "games": [2, 1]}, {"a": "Cleo", "result": "bye"}],
        ],
    },
    "expected": [
        {"player": "Ana", "points": 3, "omw": 0.333333, "gw": 0.666667, "ogw": 0.333333},
        {"player": "Cleo", "points": 3, "omw": 0, "gw": 1, "ogw": 0},
        {"player": "Ben", "points": 0, "omw": 1, "gw": 0.333333, "ogw": 0.666667},
    ],
}  # fmt: skip
OWN_CUT = {"file": OWN["file"], "top": ["Ana", "Cleo"]}


def real_events():
    return json.loads((REAL / "published-standings.json").read_text())["events"] if REAL else []


def real_events_with_byes():
    return json.loads((REAL / "published-omw-with-byes.json").read_text())["events"] if REAL else []


def real_cuts():
    data = read_file(REAL / "cut-of-eight.yaml") if REAL else None
    if data is None:
        return []
    file = {**data["file"], "byes_in_omw": False}  # its software, TOM, leaves byes out
    return [{"file": file, "top": data["top8"]}]


EVENTS = [OWN, *real_events()]
WITH_BYES = [OWN, *real_events_with_byes()]
CUTS = [OWN_CUT, *real_cuts()]


@pytest.mark.parametrize("event", EVENTS, ids=[e["file"]["name"] for e in EVENTS])
def test_the_published_standings_come_out(event):
    expected = {line["player"]: line for line in event["expected"]}

    table = standings_file(event["file"])

    keys = [(line["points"], *line["tiebreakers"].values()) for line in table]
    assert keys == sorted(keys, reverse=True)
    published = [[expected[line["player"]][k] for k in ("points", "omw", "gw", "ogw")] for line in table]
    assert published == sorted(published, reverse=True)
    for line, values in zip(keys, published, strict=True):
        assert line == pytest.approx(values, abs=1e-6)


@pytest.mark.parametrize("event", WITH_BYES, ids=[e["file"]["name"] for e in WITH_BYES])
def test_a_bye_is_a_round_won_in_the_published_match_win_shares(event):
    table = {line["player"]: line for line in standings_file(event["file"])}

    for line in event["expected"]:
        mine = table[line["player"]]
        assert (mine["points"], mine["tiebreakers"]["omw"]) == pytest.approx(
            (line["points"], line["omw"]), abs=1e-6
        )


@pytest.mark.parametrize("cut", CUTS, ids=lambda cut: cut["file"]["name"])
def test_the_cut_is_the_one_the_organiser_made(cut):
    table = standings_file(cut["file"])

    assert [line["player"] for line in table[: len(cut["top"])]] == cut["top"]


def quality(cost) -> tuple:
    return cost.rematches, cost.repeat_byes, cost.score_gap


ALL_EVENTS = [*EVENTS, *WITH_BYES[1:], *CUTS[1:]]


@pytest.mark.parametrize("event", ALL_EVENTS, ids=[e["file"]["name"] for e in ALL_EVENTS])
def test_no_round_is_paired_worse_than_it_was_at_the_event(event):
    """With the players who were there; rounds with several byes are left out, as those were awarded."""
    t = read_tournament(event["file"])
    for n, matches in enumerate(t.rounds):
        byes = [m.a for m in matches if m.b is None]
        if n == 0 or len(byes) > 1:
            continue
        here = {p for m in matches for p in m.players}
        known = here | {p for played in t.rounds[:n] for m in played for p in m.players}
        before = replace(
            t,
            rounds=t.rounds[:n],
            entrants=tuple(e for e in t.entrants if e.id in known),
            drops=dict.fromkeys(known - here, n),
        )
        tables = [Table(0, m.a, m.b) for m in matches if m.b is not None]

        assert quality(pair_round(before).cost) <= quality(swiss_cost(before, tables, byes))

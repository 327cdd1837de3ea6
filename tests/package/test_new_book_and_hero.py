"""A new book and a new hero are new files: put into a folder of fixtures, they are known everywhere."""

from __future__ import annotations

import json
import re
import shutil
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.paths import FIXTURES
from tests.paper.reading import Read

BOOK = "en-9.9"
OLD_BOOK = "en-1.0"
HERO = "clockmaker"
TABLE = {
    "game": "dice-throne",
    "edition": BOOK,
    "players": [{"id": "Ana", "hero": HERO}, {"id": "Ben", "hero": HERO}],
    "turn": {"active": "Ana", "phase": "offensive-roll", "dice": [1, 1, 1, 6, 6]},
    "events": [
        {"by": "Ana", "activate": "strike-twelve"},
        {"by": "Ben", "defend": "wind-down", "dice": [6, 1]},
    ],
}


def names(name: str) -> dict[str, str]:
    return {lang: f"{name} ({lang})" for lang in ("en", "fr", "ru")}


def new_book(folder: Path) -> dict[str, Any]:
    """A book like 2.4.1, in which three Roll Attempts became two and damage is totalled on another page."""
    book = json.loads((folder / "dice-throne" / "editions" / "fr-2.4.1.json").read_bytes())
    book["switches"]["numbers"]["attempts"] = 2
    book["sections"]["FINAL"] = {"title": "The total", "page": "99"}
    return {
        **book,
        "id": BOOK,
        "like": "fr-2.4.1",
        "published": "2031",
        "names": names("Book of Example"),
        "short_names": names("9.9"),
        "titles": names("Dice Throne 9.9"),
    }


def reprint(folder: Path) -> dict[str, Any]:
    """The book of 2.2 in another language: what the catalogue says of that book holds for it too."""
    book = json.loads((folder / "dice-throne" / "editions" / "fr-2.2.json").read_bytes())
    return {**book, "id": OLD_BOOK, "like": "fr-2.2", "published": "2001"}


def ability(name: str, kind: str, **more: Any) -> dict[str, Any]:
    return {
        "id": name.lower().replace(" ", "-"),
        "names": {"en": name, "fr": None, "ru": None},
        "level": "I",
        "kind": kind,
        "source": "invented",
        **more,
    }


def new_hero() -> dict[str, Any]:
    strike = {"activation": {"symbols": {"cog": 3, "bell": 2}}, "effects": [{"deal": 12, "type": "normal"}]}
    defence = {"activation": {"defence_dice": 2}, "effects": [{"prevent": 5, "per": {"symbol": "bell"}}]}
    conflict = {"about": "damage", "taken": "12", "other": "13", "sources": ["another clock"]}
    disputed = {"sources": ["a clock"], "confidence": "low", "conflicts": [conflict]}
    return {
        "id": HERO,
        "names": names("Clockmaker"),
        "shown_in": [BOOK],
        "dice": {"1": "cog", "2": "cog", "3": "cog", "4": "hand", "5": "hand", "6": "bell"},
        "dice_source": ["invented"],
        "statuses": [],
        "abilities": [
            ability("Strike Twelve", "offensive", **strike, **disputed),
            ability("Wind Down", "defensive", **defence),
        ],
        "cards": [{"id": "overwind", "names": {"en": "Overwind!"}, "kind": "main", "cost": 1, "gap": True}],
        "group": "promo",
        "partial": True,
    }


@pytest.fixture(scope="module")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped fixtures with one more book and one more hero."""
    folder = tmp_path_factory.mktemp("house") / "fixtures"
    shutil.copytree(FIXTURES, folder)
    throne = folder / "dice-throne"
    (throne / "editions" / f"{BOOK}.json").write_text(json.dumps(new_book(folder)))
    (throne / "editions" / f"{OLD_BOOK}.json").write_text(json.dumps(reprint(folder)))
    (throne / "heroes" / f"{HERO}.json").write_text(json.dumps(new_hero()))
    return folder


@pytest.fixture
def run(judge: Callable[..., Any], fixtures: Path, tmp_path: Path) -> Callable[..., str]:
    """run("rule", FILE): what the command prints where these fixtures are used; it must succeed."""
    (tmp_path / "table.json").write_text(json.dumps(TABLE))

    def run_command(*words: str) -> str:
        process = judge(*words, JUDGE_FIXTURES=str(fixtures))
        output: str = process.communicate(timeout=60)[0]
        assert process.returncode == 0, output
        return output

    return run_command


def test_a_table_is_ruled_by_the_new_book_with_the_new_hero(run, tmp_path):
    ruling = json.loads(run("rule", str(tmp_path / "table.json"), "--json"))

    assert ruling["edition"] == BOOK
    assert ruling["players"]["Ben"]["health"] == 50 - (12 - 5)
    assert ruling["turn"]["attempts_left"] == 0
    assert {cited["edition"] for cited in ruling["citations"].values()} == {BOOK}
    assert ruling["citations"]["DT-DMG-02"]["page"] == "99"


def test_a_book_like_another_rules_like_it(run, tmp_path):
    sneak = {
        "game": "dice-throne",
        "players": [{"id": "Ana", "hero": "shadow-thief", "statuses": {"sneak-attack": 1}}, {"id": "Ben"}],
        "turn": {"active": "Ana", "phase": "main-1"},
        "events": [{"by": "Ana", "spend": "sneak-attack", "dice": [5]}],
    }
    said = {}
    for book in ("fr-2.2", OLD_BOOK, "fr-2.4.1", BOOK):
        (tmp_path / "sneak.json").write_text(json.dumps({**sneak, "edition": book}))
        said[book] = json.loads(run("rule", str(tmp_path / "sneak.json"), "--json"))["events"][0]["says"]

    assert said[OLD_BOOK] == said["fr-2.2"] != said["fr-2.4.1"] == said[BOOK]


def test_a_fault_of_a_book_names_its_file_and_field(judge, fixtures, tmp_path):
    house = tmp_path / "fixtures"
    shutil.copytree(fixtures, house)
    path = house / "dice-throne" / "editions" / f"{BOOK}.json"
    book = json.loads(path.read_bytes())
    del book["switches"]["priority"]
    book["switches"]["numbers"]["attempts"] = "two"
    path.write_text(json.dumps(book))
    table = tmp_path / "table.json"
    table.write_text(json.dumps(TABLE))
    process = judge("rule", str(table), JUDGE_FIXTURES=str(house))
    said = process.communicate(timeout=60)[0]

    assert process.returncode == 2
    assert f"dice-throne/editions/{BOOK}.json.switches.priority: is missing" in said
    assert "1 more" in said
    assert "Traceback" not in said


def test_commands_and_paper_know_the_new_book_and_hero(run, tmp_path):
    paper = tmp_path / "ruling.pdf"
    run("print", "ruling", str(tmp_path / "table.json"), "-o", str(paper), "--lang", "fr")
    words = " ".join(word.text for word in Read(paper.read_bytes()).words)

    assert "Clockmaker (ru)" in run("heroes", "--lang", "ru")
    assert re.search(r"Clockmaker \(en\) +Promotional heroes · known in part", run("heroes"))
    assert "Strike Twelve" in run("heroes", HERO)
    assert BOOK in run("rule", str(tmp_path / "table.json"), "--compare", "--json")
    assert "Strike Twelve" in words
    assert "9.9" in words


def test_pages_offer_the_new_book_and_hero(start_server, fixtures):
    server = start_server(JUDGE_FIXTURES=str(fixtures))

    def page(path: str) -> str:
        with urllib.request.urlopen(f"{server.url}{path}", timeout=20) as answer:
            text: str = answer.read().decode()
            return text

    start = page("/rule?lang=en")
    assert "Clockmaker (en)" in start
    assert "9.9 (en)" in start
    listed, sheet = page("/heroes?lang=en"), page(f"/heroes/{HERO}?lang=en")
    assert listed.index("Promotional heroes") < listed.index("Clockmaker (en)")
    assert "known in part" in listed[listed.index("Clockmaker (en)") :].partition("</li>")[0]
    assert "known in part" in sheet
    assert "Damage: 12 here; elsewhere 13 (another clock)" in sheet
    assert "unsure" in sheet
    assert "1 entry whose effects no source gives" in sheet
    assert '<b class="symbol initial" aria-hidden="true">C</b>' in sheet  # nobody has drawn a cog
    french = page(f"/heroes/{HERO}?lang=fr")
    assert re.search("Strike Twelve</span><sup[^>]+sans nom en français", french)
    assert "Book of Example (en)" in page("/rules/DT-DMG-02?lang=en")
    assert "Book of Example (en)" in page("/rules/differences?lang=en")


def test_a_folder_that_is_not_there_is_named(judge):
    process = judge("rules", JUDGE_FIXTURES="nowhere")

    assert "JUDGE_FIXTURES" in process.communicate(timeout=60)[0]
    assert process.returncode != 0

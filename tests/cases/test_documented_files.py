"""Every example in docs/files.md does what the page says."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from judge.core.errors import InputError
from judge.rules.expectations import differences
from judge.schemas.files import parse
from judge.services.dispute.rulings import departures, rule_file
from judge.services.event.outlooks import outlook_file
from judge.services.event.tournament_files import pair_file, standings_file
from judge.services.season.season_files import season_file

PAGE = (Path(__file__).parents[2] / "docs" / "files.md").read_text("utf-8")
EXAMPLES = re.findall(r"```(yaml|json)\n(.*?)```", PAGE, re.S)
READ = [(text, parse(text.encode())) for _, text in EXAMPLES]
REFUSED = [(text, data) for text, data in READ if text.startswith("# refused: ")]
RULINGS = [data for (kind, _), (_, data) in zip(EXAMPLES, READ, strict=True) if kind == "json"]
TABLES = [data for text, data in READ if "game" in data and "events" in data and "expect" in data]
TOURNAMENTS = [data for _, data in READ if data.keys() & {"rounds", "stages"}]
SEASONS = [data for _, data in READ if "season" in data]


def test_the_page_has_examples_of_every_kind_and_each_is_run():
    kinds = [len(kind) for kind in (REFUSED, RULINGS, TABLES, TOURNAMENTS, SEASONS)]
    assert sum(kinds) == len(EXAMPLES)
    assert min(kinds) >= 1


@pytest.mark.parametrize(("text", "data"), REFUSED, ids=[text.splitlines()[0] for text, _ in REFUSED])
def test_a_refused_example_is_refused_at_the_places_it_names(text: str, data: Any):
    with pytest.raises(InputError) as caught:
        rule_file(data)

    places = text.splitlines()[0].removeprefix("# refused: ").split(", ")
    assert [problem.path for problem in caught.value.problems] == places


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.get("id") or json.dumps(table)[:60])
def test_a_table_of_the_page_is_ruled_as_it_expects(table: dict[str, Any]):
    assert list(departures(table)) == []


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling["id"])
def test_a_ruling_of_the_page_is_that_of_its_table(ruling: dict[str, Any]):
    table = next(table for table in TABLES if table.get("id") == ruling["id"])

    assert list(differences(ruling, rule_file(table))) == []


@pytest.mark.parametrize("event", TOURNAMENTS, ids=lambda event: event.get("name", "a tournament"))
def test_a_tournament_of_the_page_is_ranked_and_paired_as_it_expects(event: dict[str, Any]):
    expected = event["expect"]
    event = {key: value for key, value in event.items() if key != "expect"}
    standings = standings_file(event)

    assert list(differences(expected["standings"], standings[: len(expected["standings"])])) == []
    assert list(differences(expected["pairings"], pair_file(event))) == []
    answers = {
        "event": lambda: standings_file(event, whole_event=True),
        "outlook": lambda: outlook_file(event),
    }
    for key in expected.keys() & answers.keys():
        assert list(differences(expected[key], answers[key]()[: len(expected[key])])) == []


@pytest.mark.parametrize("season", SEASONS, ids=lambda season: season["name"])
def test_a_season_of_the_page_adds_up_as_it_expects(season: dict[str, Any]):
    events = {key: value for key, value in season.items() if key != "expect"}

    assert list(differences(season["expect"], season_file(events))) == []


def test_the_links_inside_the_page_lead_somewhere():
    headings = re.findall(r"^#+ (.*)$", PAGE, re.M)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}

    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors


def test_every_document_that_the_code_cites_is_in_the_repository():
    house = Path(__file__).parents[2]
    texts = [path.read_text("utf-8") for path in (house / "judge").rglob("*.py")]
    cited = {document for text in texts for document in re.findall(r"docs/[\w-]+\.md", text)}

    assert "docs/files.md" in cited
    assert [document for document in cited if not (house / document).exists()] == []
    assert not [text for text in texts if "CONTRACT" in text]

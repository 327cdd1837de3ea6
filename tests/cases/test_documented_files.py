"""Every example in docs/files.md does what the page says."""

import ast
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any, is_typeddict

import pytest

from judge.core.errors import InputError
from judge.paths import PACKAGE
from judge.rules import ruling_json
from judge.rules.dice_forge.state.desk import READINGS
from judge.rules.expectations import differences
from judge.schemas.dice_forge.events import CHOICES, VERB_KEYS
from judge.schemas.dice_throne.event_keys import EVENT_KEYS
from judge.schemas.files import parse
from judge.services.dispute.rulings import departures, rule_file
from judge.services.event.outlooks import outlook_file
from judge.services.event.tournament_files import pair_file, standings_file
from judge.services.season.season_files import season_file

SCHEMAS = PACKAGE / "schemas"
PAGE = (Path(__file__).parents[2] / "docs" / "files.md").read_text("utf-8")
EXTENDING = (Path(__file__).parents[2] / "docs" / "extending.md").read_text("utf-8")
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


# -- every key that a reader knows is on the page ------------------------------------------------------------

CODE = re.compile(r"```.*?```|`[^`\n]+`", re.S)
NOT_FILES_OF_USERS = {"dice_forge/catalog.py"}  # reads the shipped faces, feats and set-up only


def keys_read() -> dict[str, set[str]]:
    """The keys that each reader takes, from the calls that check them; of each place in the code."""
    found = {}
    for path in sorted(SCHEMAS.rglob("*.py")):
        name = path.relative_to(SCHEMAS).as_posix()
        if name in NOT_FILES_OF_USERS:
            continue
        module = import_module(f"judge.schemas.{name.removesuffix('.py').replace('/', '.')}")
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Fields" and len(call.args) > 2:
                keys = ast.unparse(call.args[2])
                scope = {**vars(module), "is_second": False}
                if keys not in PER_VERB:
                    found[f"{name}: {keys}"] = set(eval(keys, scope))
    return found


# The keys of an event are those of its verb; they have rows of their own, see below.
PER_VERB = {"ALLOWED[verb]", "_ALLOWED[verb]", "word.options | {word.name, _REMARK}"}


def test_every_key_that_a_reader_knows_is_on_the_page():
    pages = PAGE + EXTENDING  # which tells of answers and notes
    words = set(re.findall(r"[\w-]+", " ".join(CODE.findall(pages)))) | set(READINGS)
    read = keys_read()

    assert len(read) > 45
    assert {place: keys - words for place, keys in read.items() if keys - words} == {}


@pytest.mark.parametrize(
    ("part", "keys", "shared"),
    [
        ("### 1.1 ", {**EVENT_KEYS, "advance": (), "collide": ("timing",)}, ()),
        ("### 1.4 ", VERB_KEYS, CHOICES),
    ],
    ids=["Dice Throne", "Dice Forge"],
)
def test_every_verb_has_a_row_with_the_keys_that_go_with_it(part, keys, shared):
    rows = re.findall(r"^\| `([\w-]+)` \| (.*?) \| (.*?) ?\|$", PAGE.split(part)[1].split("\n### ")[0], re.M)
    listed = {verb: cell for verb, _, cell in rows if verb in keys}

    assert list(listed) == list(keys)
    for verb, names in keys.items():
        words = {word for code in CODE.findall(listed[verb]) for word in re.findall(r"[\w-]+", code)}
        assert set(names) - (set(shared) if "choices" in listed[verb] else set()) <= words, verb


def test_every_key_of_a_ruling_is_on_the_page():
    part = PAGE.split("## 1. The table file")[1].split("## 3. The tournament file")[0]
    words = set(re.findall(r"[\w-]+", " ".join(CODE.findall(part))))
    shapes = [shape for shape in vars(ruling_json).values() if is_typeddict(shape)]

    assert len(shapes) > 10
    lacking = {shape.__name__: set(shape.__annotations__) - words for shape in shapes}
    assert {name: keys for name, keys in lacking.items() if keys} == {}


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

"""No command, page or paper says an English word or an id to a reader of French or Russian."""

import re
from io import BytesIO
from itertools import product
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from pypdf import PdfReader

from judge.cli import cli
from judge.cli.ruling_text import RulingText
from judge.core.errors import InputError
from judge.schemas.answers import shipped_answers
from judge.services.dispute import drafts
from judge.services.dispute.case import Case
from judge.services.event import demo
from judge.services.rulebook.heroes import hero_names
from tests.builders import NAMES, NOW
from tests.every_page import TABLE, addresses
from tests.spoken import english_in, page_text

CASES = Path(__file__).parent.parent / "cases"
FORGE = {
    "game": "dice-forge",
    "players": [{"id": "Ana", "gold": 0}, {"id": "Ben", "gold": 3}],
    "turn": {"active": "Ana", "step": 1},
    "events": [{"by": "Ana", "bless": ["G1", "S1"]}, {"by": "Ben", "bless": ["V2", "G1"]}],
}
# What the demo event and the builders of the tests typed.
TYPED = (
    str(TABLE), str(FORGE), " ".join(NAMES), str(demo.CLUBS), str(demo.LAST),
    "Letter Dana Desk organiser Demo Throne late Fog storm well",
    "A long call: which upgrade was in play?", "The slip was read the wrong way round; both players agree.",
)  # fmt: skip


def text_of(answer, lang):
    """What a reader sees of an answer; of files for programs nothing."""
    if answer.mimetype == "application/pdf":
        return paper_text(answer.data)
    return page_text(answer.text, lang) if answer.mimetype == "text/html" else ""


def paper_text(pdf):
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)


def more_addresses(app, slug):
    """Pages whose address is made of a name, and the papers of an event."""
    heroes = sorted(hero_names("dice-throne", "en"))[::4]
    yield from (f"/heroes/{hero}{kind}" for hero, kind in product(heroes, ("", ".pdf")))
    yield from (f"/answers/{answer}" for answer in list(shipped_answers())[::8])
    rules = ("DT-DMG-04", "DT-CARD-02", "DT-TOK-08", "DF-FEAT-01", "DF-BLESS-04", "DF-OUST-02")
    yield from (f"/rules/{rule}" for rule in rules)
    papers = ("pairings", "standings", "slips", "kit", "pocket", "bracket", "cards", "rulings")
    yield from (f"/e/{slug}/desk/{paper}.pdf" for paper in papers)
    with app.extensions["judge.database"].transaction() as session:
        token = drafts.begin(session, FORGE, NOW).token
    yield from (f"/rule/{token}{page}" for page in ("", "/ruling", "/game", "/ruling.pdf"))


@pytest.mark.parametrize("lang", ["fr", "ru"])
def test_pages_and_papers_speak_the_language_of_the_reader(app, world, lang):
    organiser, values, tokens, asked = world
    paths = [*addresses(app, values, tokens), *more_addresses(app, values["slug"]), *asked]
    found, read = {}, 0
    for path in [*paths, *(f"public {path}" for path in addresses(app, values, tokens))]:
        client = app.test_client() if path.startswith("public ") else organiser
        text = text_of(client.get(path.split()[-1], headers={"Accept-Language": lang}), lang)
        read += bool(text)
        for word in english_in(text, lang, TYPED):
            found.setdefault(word, set()).add(path)

    assert read > 300
    assert found == {}


# -- the command --------------------------------------------------------------------------------------------

PLAYERS = "players: [Ana, Ben, Cleo, Dov, Eva]\n"
EVENT = (
    PLAYERS
    + """
tournament: 1
tiebreakers: [wins-vs-tied, head-to-head, median-buchholz, omw, health-diff]
format: {kind: swiss, rounds: 3}
rounds:
- [{a: Ana, b: Ben, result: a}, {a: Cleo, b: Dov, result: draw}, {a: Eva, result: bye}]
"""
)
BRACKET = PLAYERS + "format: {kind: double-elimination}\nrounds: [[{a: Dov, b: Eva, result: a}]]\n"
SEASON = "season: 1\nname: Ana\npoints: {places: [3, 2, 1]}\nevents: [{name: Ben, file: event.yaml}]\n"
SHOWS = "players: [{id: Ana, health: 41}, {id: Ben, health: 20}]\n"
WRONG = "expect: {players: {Ben: {health: 3}}, legal: false}\n"
DISPUTE = yaml.safe_dump(TABLE)
COMMANDS = [
    "rule table.yaml", "rule table.yaml --all-rules", "rule table.yaml --compare", "rule forge.yaml",
    "check wrong.yaml", "repair table.yaml --shows shows.yaml", "repair table.yaml --illegal 1",
    "standings event.yaml", "standings event.yaml --explain Ana", "standings event.yaml --event",
    "pair event.yaml", "pair pods.yaml", "bracket bracket.yaml", "outlook event.yaml", "season season.yaml",
    "heroes", "heroes barbarian", "heroes samurai", "heroes --check", "answers", "answers undefendable",
    "rules", "rules DT-DMG-04",
]  # fmt: skip
# What a command prints for people to type it again: keys of a file, ids of heroes.
TO_TYPE = {"check wrong.yaml": f"table {WRONG}", "heroes": " ".join(hero_names("dice-throne", "en"))}
PRINTS = [
    *(f"{kind} event.yaml" for kind in ("pairings", "standings", "slips", "kit")),
    "bracket bracket.yaml", "ruling table.yaml", "ruling forge.yaml", "pocket", "answers", "hero Samurai",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    files = {
        "table": DISPUTE, "forge": yaml.safe_dump(FORGE), "wrong": DISPUTE + WRONG, "shows": SHOWS,
        "event": EVENT, "bracket": BRACKET, "season": SEASON,
        "pods": PLAYERS + "format: {kind: pods}\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("lang", ["fr", "ru"])
def test_commands_speak_the_language_they_are_asked_in(folder, lang):
    found = {}
    for command in COMMANDS:
        done = CliRunner().invoke(cli, [*command.split(), "--lang", lang])
        assert len(done.output) > 20, command
        if words := english_in(done.output, lang, (*TYPED, TO_TYPE.get(command, ""))):
            found[command] = words

    assert found == {}


@pytest.mark.parametrize("lang", ["fr", "ru"])
def test_papers_of_a_file_speak_the_language_they_are_asked_in(folder, lang):
    found = {}
    for paper in PRINTS:
        done = CliRunner().invoke(cli, ["print", *paper.split(), "-o", "out.pdf", "--lang", lang])
        assert done.exit_code == 0, done.output
        if words := english_in(paper_text((folder / "out.pdf").read_bytes()), lang, TYPED):
            found[paper] = words

    assert found == {}


def tables():
    """Some tables of every file of cases; the ids that a file itself invents are left out."""
    for path in sorted(CASES.rglob("*.yaml")):
        if path.stem == "old-ids":  # their rulings say which id to write instead
            continue
        listed = yaml.safe_load(path.read_text(encoding="utf-8"))
        for table in (listed.get("tables") or [])[5::60] if isinstance(listed, dict) else ():
            yield {key: value for key, value in table.items() if key not in ("id", "title", "expect")}


def test_rulings_in_the_terminal_speak_the_language_they_are_asked_in():
    found, read = set(), 0
    for table in tables():
        try:
            case = Case(table)
            texts = {
                lang: "\n".join(RulingText(case.said(lang), case.phrases(lang)).lines())
                for lang in ("fr", "ru")
            }
        except InputError:
            continue  # a file that is refused has no ruling
        for lang, text in texts.items():
            found |= english_in(text, lang, [str(table)]) | set(re.findall("[{}]", text))
        read += 1

    assert read > 40
    assert found == set()


def test_english_and_ids_are_found_and_names_are_not():
    assert english_in("Rang de buchholz-cut-1, which winner", "fr") == {
        "buchholz-cut-1",
        "cut",
        "which",
        "winner",
    }
    assert english_in("Ана: barbarian, main-2", "ru", ["Ana"]) == {"barbarian", "main-2", "main"}
    assert english_in("Règle DT-DMG-04, http://x.example/standings : Santa", "fr", ["Santa"]) == set()
    assert page_text('<p title="a">b<code>c</code><i lang="en">d</i></p>', "fr").split() == ["a", "b"]

"""Whole documents: the kit, the ZIP of a round, the command, and the same bytes for the same input."""

import json
import os
import subprocess
import sys
import zipfile
from io import BytesIO

import pytest

from judge.core.errors import InputError
from judge.core.messages import LANGS
from judge.schemas.shape import is_usable
from judge.schemas.tournament.writer import write_tournament
from judge.services.paper.documents import PrintOptions, print_file, print_tournament
from tests.paper.papers import HOSTILE, people, played
from tests.paper.reading import Read
from tests.paper.test_rulings import TABLE

KINDS = ["pairings", "standings", "slips", "kit", "round"]


@pytest.fixture(scope="module")
def event():
    return played(people(21), rounds=2)


@pytest.fixture
def file(event, tmp_path):
    path = tmp_path / "event.json"
    path.write_text(json.dumps(write_tournament(event)))
    return path


def judge(*words: object, **environment: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "judge.cli", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


@pytest.mark.parametrize("lang", LANGS)
def test_the_kit_holds_pairings_standings_players_slips_and_blanks(event, lang):
    read = Read(print_tournament("kit", event, PrintOptions(lang=lang, per_page=8, number="7")))

    read.assert_well_set()
    first = next(name for name in people(21) if name == event.entrants[0].name)
    # by table; by name, own line and the opponent's; standings; players; slip or bye
    assert read.texts.count(first) in (4, 6)
    assert len(read.pages) == 1 + 2 + 2 + 1 + 2 + 2


def test_all_papers_of_a_round_come_in_one_zip(event):
    data = print_tournament("round", event, PrintOptions())

    with zipfile.ZipFile(BytesIO(data)) as bundle:
        assert bundle.namelist() == [
            "round-2-pairings-by-table.pdf", "round-2-pairings-by-name.pdf", "round-2-slips.pdf",
            "standings-before-round-2.pdf",
        ]  # fmt: skip
        for name in bundle.namelist():
            Read(bundle.read(name)).assert_well_set()
    assert data == print_tournament("round", event, PrintOptions())


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_names_print_in_every_kind(kind):
    players = [{"name": name or "?", "id": f"p{n}"} for n, name in enumerate(HOSTILE) if is_usable(name)]
    t = played(players, rounds=1)

    assert print_tournament(kind, t, PrintOptions(per_page=8)) == print_tournament(
        kind, t, PrintOptions(per_page=8)
    )


def test_a_file_without_rounds_is_paired_first():
    t = played(people(9), rounds=0)

    read = Read(print_tournament("pairings", t, PrintOptions()))

    assert "Spring Throne · Round 1" in read.texts
    assert "bye" in read.texts


def test_the_first_round_of_a_bracket_names_everybody_once():
    names = people(37)
    t = played(names, "single-elimination", rounds=0)

    texts = Read(print_tournament("pairings", t, PrintOptions())).texts

    assert sorted(text for text in texts if text in set(names)) == sorted(names)


def test_next_prints_the_round_that_would_be_paired(event):
    read = Read(print_tournament("slips", event, PrintOptions(next=True)))

    assert "Round 3" in read.texts


def test_two_of_one_name_can_be_told_apart():
    t = played([{"name": "Ana", "id": "a1", "club": "Lyon"}, {"name": "Ana", "id": "a2"}], rounds=0)

    texts = Read(print_tournament("pairings", t, PrintOptions())).texts

    assert {"Ana (Lyon)", "Ana (a2)"} <= set(texts)


def test_progress_is_told_page_by_page(event):
    told: list[tuple[int, int]] = []

    print_tournament("slips", event, PrintOptions(per_page=2), lambda done, of: told.append((done, of)))

    assert told == [(n, 5) for n in range(1, 6)]


@pytest.mark.parametrize(
    ("kind", "options", "key"),
    [
        ("bracket", PrintOptions(), "print_no_bracket"),
        ("pairings", PrintOptions(round=9), "print_no_round"),
        ("standings", PrintOptions(round=9), "print_no_round"),
        ("slips", PrintOptions(url="x" * 400), "print_url_too_long"),
    ],
)
def test_what_cannot_be_printed_is_said(event, kind, options, key):
    with pytest.raises(InputError) as caught:
        print_file(kind, write_tournament(event), options)

    assert caught.value.problems[0].message.key == key


@pytest.mark.parametrize("kind", ["slips", "pocket"])
def test_the_command_gives_the_same_bytes_in_every_process(file, tmp_path, kind):
    for n in (1, 2):
        done = judge("print", kind, file, "-o", tmp_path / f"{n}.pdf", "--lang", "ru", PYTHONHASHSEED=str(n))
        assert (done.returncode, done.stderr) == (0, "")

    assert (tmp_path / "1.pdf").read_bytes() == (tmp_path / "2.pdf").read_bytes()


def test_the_command_says_what_it_wrote(file, tmp_path):
    out = tmp_path / "out.pdf"

    done = judge("print", "pairings", file, "-o", out, "--by", "name", "--paper", "letter", "--json")

    said = json.loads(done.stdout)
    assert said == {
        "kind": "pairings", "file": str(out), "bytes": out.stat().st_size, "pages": 1, "lang": "en",
        "paper": "letter",
    }  # fmt: skip
    assert Read(out.read_bytes()).pages[0].mediabox.width == 612


def test_a_ruling_is_printed_in_two_languages_by_the_command(tmp_path):
    (tmp_path / "table.json").write_text(json.dumps(TABLE))

    done = judge("print", "ruling", tmp_path / "table.json", "-o", tmp_path / "r.pdf", "--lang", "fr",
                 "--second-lang", "ru", "--url", "https://j.example/r/1")  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert {"La réponse", "Ответ"} <= set(Read((tmp_path / "r.pdf").read_bytes()).texts)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pairings", "nowhere.yaml", "-o", "x.pdf"], "nowhere.yaml"),
        (["bracket", "FILE", "-o", "x.pdf"], "format.kind"),
        (["pairings", "FILE", "-o", "/nowhere/at/all.pdf"], "/nowhere/at/all.pdf"),
        (["pairings", "-o", "x.pdf"], "FILE"),
        (["poster", "FILE", "-o", "x.pdf"], "poster"),
        (["slips", "FILE", "-o", "x.pdf", "--per-page", "5"], "5"),
    ],
)
def test_wrong_input_is_exit_code_2_and_one_clear_line(file, words, said):
    done = judge("print", *(file if word == "FILE" else word for word in words))

    assert done.returncode == 2
    assert said in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr

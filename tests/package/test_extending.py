"""A new thing is added in one place and then works everywhere: in commands, on pages and on paper."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.core.messages import LANGS
from judge.printing.page import Press, Sheet
from judge.rules.catalog import Catalog
from judge.rules.dice_forge.flow.replay import VERBS as FORGE_VERBS
from judge.rules.dice_throne.effects.damage_words import restore
from judge.rules.dice_throne.effects.vocabulary import Shape, Trait, effect_word, forget
from judge.rules.dice_throne.effects.words import amount_of
from judge.rules.dice_throne.verbs.registry import VERBS as THRONE_VERBS
from judge.schemas.dice_forge.events import VERB_KEYS
from judge.schemas.dice_throne.effects import read_effect
from judge.schemas.dice_throne.event_keys import EVENT_KEYS
from judge.schemas.fixtures import sentences
from judge.services.event.tournament_files import phrasebook
from judge.services.paper.documents import TOURNAMENT_PAPERS, TournamentPaper, print_file
from judge.services.rulebook.effect_words import EffectWords
from judge.web.dispute.table.table_view import DESKS
from tests.builders import make_event, make_players, make_round, make_staff
from tests.paper.reading import Read

# -- an effect ----------------------------------------------------------------------------------------------


@pytest.fixture
def toast():
    """A made-up effect word: everybody at the table heals."""

    @effect_word(
        "toast", Shape.NUMBER, options=("max",), traits=(Trait.COUNTED,), label="everybody heals {n} health"
    )
    def everybody_heals(game, context, one):
        amount = amount_of(game, context, one)
        for player in game.seats if amount else ():
            restore(game, context, player, amount)

    yield "toast"
    forget("toast")


def raised(**effect):
    return {
        "game": "dice-throne",
        "players": [{"id": "Ann", "health": 20}, {"id": "Ben", "health": 30}],
        "events": [{"by": "Ann", "does": "raises a glass", "effects": [effect]}],
    }


def test_a_registered_effect_is_ruled_by_the_command(toast):
    table = json.dumps(raised(toast=5, max=4))
    text = CliRunner().invoke(cli, ["rule", "-", "--lang", "fr"], input=table)
    ruling = json.loads(CliRunner().invoke(cli, ["rule", "-", "--json"], input=table).stdout)

    assert text.exit_code == 0
    assert "24" in text.stdout
    assert {player: now["health"] for player, now in ruling["players"].items()} == {"Ann": 24, "Ben": 34}


def test_a_registered_effect_stands_on_the_page_of_a_table_and_on_its_printed_ruling(toast, app, client):
    app.config["WTF_CSRF_ENABLED"] = False
    address = client.post("/rule/open", data={"file": json.dumps(raised(toast=3))}).headers["Location"]
    page, ruling = client.get(address).text, client.get(f"{address}/ruling").text
    paper = Read(client.get(f"{address}/ruling.pdf").data)

    assert "everybody heals 3 health" in page
    assert "Ben heals 3; health 33." in ruling
    assert "Ben heals 3; health 33." in [word.text for word in paper.words]


def test_the_desk_asks_for_the_number_of_a_registered_effect(toast, app, client):
    app.config["WTF_CSRF_ENABLED"] = False
    address = client.post("/rule/open", data={"file": json.dumps(raised(toast=None))}).headers["Location"]
    client.post(address, data={"do": "number", "n": 1, "word": toast, "value": 2})

    assert "everybody heals 2 health" in client.get(address).text


def test_a_registered_effect_is_said_on_sheets_in_every_language(toast):
    for lang in LANGS:
        line = EffectWords(lang, Catalog()).line(read_effect({"may": [{"toast": 2}]}, ""))

        assert str(line.parts[0]) == "everybody heals 2 health"


# -- an event verb ------------------------------------------------------------------------------------------


def test_every_verb_is_read_carried_out_and_said():
    assert set(THRONE_VERBS) == set(EVENT_KEYS)
    assert {*FORGE_VERBS, "collide"} == set(VERB_KEYS)
    for lang in LANGS:
        assert {f"legal_{verb}" for verb in THRONE_VERBS} - set(sentences(lang)) == set()


# -- a printed document -------------------------------------------------------------------------------------


def print_name_tags(t, options, progress):
    press = Press(phrasebook(options.lang), options.paper, progress=progress)
    press.frame(Sheet(t.name), "Name tags")
    for n, entrant in enumerate(t.entrants):
        press.text(press.area().left, press.area().top - 40 * (n + 1), entrant.name, 24)
    press.end_page()
    return press.finish()


@pytest.mark.parametrize("is_public", [True, False])
def test_a_registered_paper_is_printed_from_a_file_and_from_its_event(
    app, app_database, sign_in, monkeypatch, is_public
):
    paper = TournamentPaper(print_name_tags, "name-tags", is_public=is_public)
    monkeypatch.setitem(TOURNAMENT_PAPERS, "tags", paper)
    with app_database.transaction() as session:
        event = make_event(session)
        make_round(session, event, [make_players(session, event, 2)])
        client = sign_in(app.test_client(), make_staff(session, event, "organiser"))
        address = f"/e/{event.slug}/{'' if is_public else 'desk/'}tags.pdf"
    answer = client.get(address)

    assert "Ana" in Read(print_file("tags", {"players": ["Ana", "Ben"]})).texts
    assert "Ana" in Read(answer.data).texts
    assert "name-tags.pdf" in answer.headers["Content-Disposition"]
    assert app.test_client().get(address).status_code == (200 if is_public else 302)


# -- a third game -------------------------------------------------------------------------------------------


def test_a_game_that_is_not_entered_by_tapping_shows_its_ruling(app, client, monkeypatch):
    app.config["WTF_CSRF_ENABLED"] = False
    monkeypatch.delitem(DESKS, "dice-forge")
    table = {"game": "dice-forge", "players": [{"id": "A"}, {"id": "B"}], "events": []}
    address = client.post("/rule/open", data={"file": json.dumps(table)}).headers["Location"]
    page = client.get(address, follow_redirects=True)

    assert page.request.path == f"{address}/ruling"
    assert page.status_code == 200

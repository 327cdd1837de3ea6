"""Formats and tie-breakers are records: what is registered is offered, read, shown and printed."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.schemas.fixtures import sentences
from judge.services.event.importing import import_file
from judge.services.paper.documents import PrintOptions, print_file
from judge.tournament.formats import FORMATS, FormatKind
from judge.tournament.model import Tournament
from judge.tournament.pairing import Pairing, seat
from judge.tournament.tiebreaks import TIEBREAKERS, Field, Term, TieBreaker, Worked, total
from tests.builders import NOW, make_event, make_staff
from tests.paper.reading import Read


def pair_ladder(t: Tournament, seed: int) -> Pairing:
    """Neighbours in the order of entry."""
    players = [e.id for e in t.active(len(t.rounds) + 1)]
    pairs = [(a, b, ()) for a, b in zip(players[::2], players[1::2], strict=False)]
    tables = seat(pairs, t)
    return Pairing(len(t.rounds) + 1, tables, tuple(players[2 * len(pairs) :]), seed=seed)


def entered_first(player: str, everybody: Field, still_tied: object) -> Worked:
    order = [e.id for e in everybody.tournament.entrants]
    return total([Term(Fraction(len(order) - order.index(player)), 0)])


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> str:
    kind = FormatKind(id="ladder", label="Ladder of friends", pair=pair_ladder)
    monkeypatch.setitem(FORMATS, kind.id, kind)
    return kind.id


@pytest.fixture
def first_come(monkeypatch: pytest.MonkeyPatch) -> str:
    record = TieBreaker("first-come", entered_first, label="First come", says="Who entered before others.")
    monkeypatch.setitem(TIEBREAKERS, "first-come", record)
    return "first-come"


EVENT = {
    "name": "Spring",
    "players": ["Ana", "Ben", "Cleo", "Dov"],
    "rounds": [[{"a": "Ana", "b": "Ben", "result": "b"}, {"a": "Cleo", "b": "Dov", "result": "b"}]],
}


@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_the_form_of_an_event_offers_every_format_and_tie_breaker_by_its_name(
    app, app_database, sign_in, lang
):
    with app_database.transaction() as session:
        client = sign_in(app.test_client(), make_staff(session, make_event(session), "organiser"))

    page = client.get(f"/events/new?lang={lang}", follow_redirects=True).text.replace("&#39;", "’")

    for record in (*FORMATS.values(), *TIEBREAKERS.values()):
        assert f'value="{record.id}">{sentences(lang)[record.key]}</option>' in page


def test_a_format_registered_from_outside_pairs_ranks_and_is_printed(ladder):
    data = {**EVENT, "format": {"kind": ladder}}

    paired = CliRunner().invoke(cli, ["pair", "-", "--json"], input=json.dumps(data))
    ranked = CliRunner().invoke(cli, ["standings", "-", "--json"], input=json.dumps(data))

    tables = json.loads(paired.stdout)["tables"]
    assert [(table["a"], table["b"]) for table in tables] == [("Ana", "Ben"), ("Cleo", "Dov")]
    assert {line["player"] for line in json.loads(ranked.stdout)[:2]} == {"Ben", "Dov"}
    assert "Ben" in {word.text for word in Read(print_file("standings", data, PrintOptions())).words}


def test_a_format_and_a_tie_breaker_registered_from_outside_reach_page_and_paper(
    app, app_database, sign_in, ladder, first_come
):
    data = {**EVENT, "format": {"kind": ladder}, "tiebreakers": [first_come]}
    with app_database.transaction() as session:
        organiser = make_staff(session, None, "organiser")
        slug = import_file(session, organiser, json.dumps(data).encode(), NOW).result.slug
        client = sign_in(app.test_client(), organiser)

    desk, form = client.get(f"/e/{slug}/desk").text, client.get(f"/e/{slug}/desk/settings").text
    page = client.get(f"/e/{slug}/standings").text
    paper = {word.text for word in Read(client.get(f"/e/{slug}/standings.pdf").data).words}

    assert "Pair round 2" in desk
    assert "Ladder of friends</option>" in form
    assert "First come</option>" in form
    assert page.index("Ben") < page.index("Dov") < page.index("Ana")
    assert "First come" in page
    assert {"First", "come"} <= paper  # a heading of two lines

"""Choosing a hero wherever one is chosen: typed in any language or tapped, recent ones first, by season."""

import re

import pytest
from sqlmodel import select

from judge.core.games import DICE_THRONE
from judge.schemas.files import parse
from judge.services.rulebook.heroes import hero_groups
from judge.storage.tables import Event, Match, Player
from tests.builders import make_players, make_round

PART = {"HX-Request": "true"}


@pytest.fixture
def begin(app, client):
    """begin(hero1=..., other2=...): the heroes of the table that this form begins."""
    app.config["WTF_CSRF_ENABLED"] = False

    def send(**form):
        address = client.post("/rule", data=form).headers["Location"]
        return [seat.get("hero") for seat in table(client, address)["players"]]

    return send


def table(client, address):
    return parse(client.get(f"{address}/table.yaml").data)


# -- a new table --------------------------------------------------------------------------------------------


def test_heroes_stand_under_their_seasons_for_each_player(client):
    page = client.get("/rule?lang=fr").text
    first = page[page.index('<fieldset class="heroes">') : page.index("</fieldset>")]

    for group in hero_groups(DICE_THRONE, "fr"):
        part = first[first.index(f"<summary>{group.name} ") :]
        part = part[: part.index("</details>")]
        assert re.findall(r'value="([^"]+)"', part) == [line.id for line in group.heroes]
    assert first.count("<details") == first.count('class="season') == len(hero_groups(DICE_THRONE, "fr"))


@pytest.mark.parametrize(
    ("typed", "hero"),
    [
        ("Gunslinger", "gunslinger"),
        ("as de la gachette", "gunslinger"),
        ("НАЁМНИЦА", "gunslinger"),
        ("gun", "gunslinger"),
        ("Homemade Hero", "Homemade Hero"),
    ],
)
def test_a_typed_hero_is_understood_in_three_languages(begin, typed, hero):
    assert begin(other1=typed, hero2="paladin") == [hero, "paladin"]


def test_a_tapped_hero_counts_where_nothing_known_is_typed(begin):
    assert begin(hero1="barbarian", other1="", hero2="paladin", other2="zz") == ["barbarian", "paladin"]
    assert begin(hero1="barbarian", other1="treant", hero2="paladin") == ["treant", "paladin"]


def test_the_heroes_of_the_last_tables_come_first(begin, client):
    assert 'aria-label="Recent heroes"' not in client.get("/rule").text

    begin(hero1="treant", hero2="paladin")
    begin(hero1="vampire-lord", hero2="treant")
    page = client.get("/rule").text
    recent = re.search(r'aria-label="Recent heroes">(.*?)</div>', page, re.S)[1]

    assert re.findall(r'value="([^"]+)"', recent) == ["vampire-lord", "treant", "paladin"]
    assert page.index('aria-label="Recent heroes"') < page.index('class="season')


def test_every_name_of_a_hero_is_offered_to_a_browser_without_javascript(client):
    page = client.get("/rule").text
    names = page[page.index('<datalist id="hero-names">') : page.index("</datalist>")]

    for name in ("Gunslinger", "As de la Gâchette", "Наёмница"):
        assert f'<option value="{name}">' in names
    assert page.count('list="hero-names"') == 6


def test_a_player_of_a_table_gets_a_hero_by_any_of_its_names(app, client):
    app.config["WTF_CSRF_ENABLED"] = False
    address = client.post("/rule", data={"hero1": "treant", "hero2": "paladin"}).headers["Location"]
    who = table(client, address)["players"][0]["id"]
    client.post(address, data={"do": "seat", "who": who, "hero": "voleur de l’ombre"}, headers=PART)
    page = client.get(f"{address}?lang=ru").text

    assert table(client, address)["players"][0]["hero"] == "shadow-thief"
    assert 'value="Теневой вор" list="hero-names"' in page
    assert page.count('<datalist id="hero-names">') == 1


# -- events -------------------------------------------------------------------------------------------------


def drawn(database, desk, *heroes):
    """A match of the event whose players brought these heroes, written as they are."""
    with database.transaction() as session:
        event = session.get(Event, desk.event_id)
        players = make_players(session, event, 2)
        for player, written in zip(players, heroes, strict=False):
            player.heroes = [written]
        make_round(session, event, [players])
        return session.exec(select(Match)).one().id


def test_a_table_begun_from_a_match_knows_heroes_written_by_name(desk, app_database):
    match = drawn(app_database, desk, "Наёмница", "voleur de l'ombre")
    address = desk.post(f"/e/{desk.slug}/desk/matches/{match}/rule").headers["Location"]

    assert [seat["hero"] for seat in table(desk.client, address)["players"]] == ["gunslinger", "shadow-thief"]


def test_a_free_pick_is_kept_as_the_hero_it_names(desk, app_database, set_up):
    set_up(heroes={"mode": "free"})
    match = drawn(app_database, desk)
    for form in ({"die_a": 5, "die_b": 2}, {"side": "a"}, {"hero": "As de la gâchette"}):
        with app_database.transaction() as session:
            version = session.get(Match, match).version
        desk.post(f"/e/{desk.slug}/desk/matches/{match}/selection", version=version, **form)

    with app_database.transaction() as session:
        assert session.get(Match, match).selection["picks"] == {"a": "gunslinger"}


def test_an_events_own_list_is_what_registration_offers(desk, visitor, set_up):
    heroes = {"mode": "free", "bring": 1, "allowed": ["treant", "Homemade"]}
    set_up(heroes=heroes, registration={"mode": "open"})
    page = visitor.client.get(f"/e/{desk.slug}/register").text
    names = page[page.index('<datalist id="hero-names">') : page.index("</datalist>")]

    assert re.findall(r'value="([^"]+)"', names) == ["Treant", "Tréant", "Homemade"]
    assert "heroes.js" in page


def test_the_page_of_a_player_lists_heroes_by_season(desk, app_database):
    with app_database.transaction() as session:
        make_players(session, session.get(Event, desk.event_id), 1)
        number = session.exec(select(Player)).one().id
    page = desk.client.get(f"/e/{desk.slug}/desk/players/{number}?lang=fr").text

    assert page.index("<strong>Saison 1</strong>") < page.index("<strong>Saison 2</strong>")
    assert "heroes.js" in page

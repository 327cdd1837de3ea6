"""Heroes: the list by season, their sheets in words and drawings, and finding one by any of its names."""

import html
import re

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.core.games import DICE_THRONE
from judge.core.messages import LANGS
from judge.schemas.dice_throne.origin import read_origin
from judge.schemas.dice_throne.shipped import hero_ids, raw_hero, shipped_hero
from judge.schemas.fixtures import load_json
from judge.services.rulebook.hero_sheet import hero_sheet, origins_of
from judge.services.rulebook.heroes import (
    Name,
    catalogue,
    find_hero,
    find_hero_by_beginning,
    hero_groups,
    name_in,
)
from judge.services.rulebook.origins import disputed_values, source, value_in_words


def text(page):
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def article(page, name):
    """The part of the page that shows the space, card or token of this name."""
    articles = re.findall(r"<article.*?</article>", page, re.S)
    return next(one for one in articles if name in text(one[: one.index("</h3>")]))


# -- the list -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_the_list_shows_every_hero_once_under_its_season(client, lang):
    page = client.get(f"/heroes?lang={lang}").text
    groups = hero_groups(DICE_THRONE, lang)

    assert sorted(line.id for group in groups for line in group.heroes) == hero_ids()
    places = [page.index(f'<h2 id="{group.id}">') for group in groups]
    assert places == sorted(places)
    for group in groups:
        for line in group.heroes:
            assert page.count(f'href="/heroes/{line.id}"') == 1


def test_the_heroes_of_the_first_two_seasons_stand_in_them():
    groups = {group.id: {line.id for line in group.heroes} for group in hero_groups(DICE_THRONE, "en")}

    assert {"barbarian", "paladin", "treant"} <= groups["season-1"]
    assert {"gunslinger", "vampire-lord", "cursed-pirate"} <= groups["season-2"]
    assert "other" not in groups


# -- the sheet ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_a_sheet_names_everything_and_shows_no_id(client, lang):
    for hero_id in hero_ids():
        words = text(client.get(f"/heroes/{hero_id}?lang={lang}").text)
        sheet = hero_sheet(hero_id, lang)

        assert sheet.name.text in words
        for entry in sheet.entries:
            assert entry.name.text in words or entry.level > 1, (hero_id, entry.id)
        raw = {e.id for e in sheet.entries if "-" in e.id and e.id != e.name.text.casefold()}
        assert [one for one in raw if re.search(rf"(?<![\w/#-]){one}(?![\w-])", words)] == [], hero_id
        assert "fx_" not in words


@pytest.mark.parametrize("hero_id", hero_ids())
def test_every_ability_card_and_token_of_a_hero_is_on_the_sheet(hero_id):
    hero, sheet = shipped_hero(hero_id), hero_sheet(hero_id, "en")

    shown = {entry.id for entry in sheet.entries}
    assert shown >= set(hero.abilities)
    assert shown >= set(hero.cards)
    assert {stage.id for c in hero.companions.values() for stage in c.stages} <= shown


def test_the_levels_of_an_ability_stand_side_by_side_with_their_costs(client):
    space = article(client.get("/heroes/gunslinger").text, "Showdown")
    levels = [text(level) for level in re.findall(r'<section class="level">.*?</section>', space, re.S)]

    assert [level.split()[0] for level in levels] == ["I", "II", "III"]
    assert all("Small Straight" in level for level in levels)
    assert [bool(re.search(r"\d CP", level)) for level in levels] == [False, True, True]


def test_a_level_whose_card_names_no_dice_needs_those_of_the_first():
    sheet = hero_sheet("gunslinger", "en")
    space = next(space for space in sheet.spaces if space.name.text == "Bounty Hunter")

    assert len({tuple(tier.needs for tier in level.tiers) for level in space.levels}) == 1


def test_a_second_ability_stands_on_the_level_whose_card_prints_it(client):
    space = article(client.get("/heroes/gunslinger").text, "Take Cover")
    first, second = re.findall(r'<section class="level">.*?</section>', space, re.S)

    assert "Mark the Target" not in first
    assert "Mark the Target" in second


def test_the_branches_of_a_roll_are_drawn_and_said(client):
    card = article(client.get("/heroes/paladin").text, "Absolution!")

    assert "#helmet" in card
    assert "on helmet: prevents 3 damage" in text(card)


def test_a_french_sheet_marks_the_english_names():
    sheet = hero_sheet("paladin", "fr")
    names = {entry.id: entry.name for entry in sheet.entries}

    assert names["divine-defense"] == Name("Défense divine")
    assert names["mighty"] == Name("Mighty!", is_foreign=True)
    assert sheet.lacks_names


def test_a_level_is_called_like_its_ability_where_no_book_names_it():
    sheet = hero_sheet("gunslinger", "ru")
    space = next(space for space in sheet.spaces if space.name.text == "Разборки")

    assert [level.name.text for level in space.levels][:2] == ["Разборки", "Разборки II"]


def test_a_thing_without_any_name_is_called_by_its_id_in_words():
    assert name_in({"en": None}, "fr", "smoke-bomb") == Name("Smoke bomb", is_foreign=True)


def test_an_unknown_hero_has_no_sheet(client):
    assert client.get("/heroes/nobody").status_code == 404


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("hero_id", hero_ids())
def test_a_sheet_says_no_word_twice_and_leaves_no_gap_in_a_sentence(hero_id, lang):
    sheet = hero_sheet(hero_id, lang)
    lines = [
        str(line) for e in sheet.entries for line in (*e.effects, *(x for t in e.tiers for x in t.effects))
    ]

    assert [line for line in lines if re.search(r"\b(\w+) \1\b|[{}_]", line)] == []


def test_what_a_companion_can_do_is_on_the_sheet():
    bots = {one.id: one for one in hero_sheet("artificer", "en").companions}
    nyra = hero_sheet("huntress", "en").companions[0]

    assert str(bots["shock-bot"].effects[0]).startswith("I for Synth ×2; II for Synth ×1; after attacking")
    assert str(bots["shock-bot"].effects[0]).endswith(": +3 damage")
    assert bots["shock-bot"].facts == ("built up to level 2",)
    assert nyra.facts == ("health at most 7",)
    assert ("Nyra", 5) in hero_sheet("huntress", "en").setup


def test_what_only_the_starting_player_begins_with_is_said(client):
    assert "The Starting Player also begins with: Honor ×1" in text(client.get("/heroes/samurai").text)


# -- by name ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hero_id", catalogue(DICE_THRONE))
def test_a_hero_is_found_by_each_of_its_names_and_by_its_id(hero_id):
    names = {*catalogue(DICE_THRONE)[hero_id].values(), hero_id}

    for name in names:
        assert find_hero(DICE_THRONE, name) == hero_id
        assert find_hero(DICE_THRONE, f"  {name.upper()} ") == hero_id


@pytest.mark.parametrize(
    ("written", "hero"),
    [
        ("voleur de l’ombre", "shadow-thief"),
        ("Voleur de l'ombre", "shadow-thief"),
        ("treant", "treant"),
        ("TRÉANT", "treant"),
        ("Наемница", "gunslinger"),
        ("наёмница", "gunslinger"),
        ("shadow thief", "shadow-thief"),
        ("Shadow-Thief", "shadow-thief"),
        ("Homemade Hero", "Homemade Hero"),
        ("", ""),
    ],
)
def test_accents_capitals_and_apostrophes_do_not_matter(written, hero):
    assert find_hero(DICE_THRONE, written) == hero


@pytest.mark.parametrize(
    ("written", "hero"),
    [
        ("gun", "gunslinger"),
        ("as de", "gunslinger"),
        ("тен", "shadow-thief"),
        ("pala", "paladin"),
        ("pirate m", "cursed-pirate"),
        ("p", "p"),  # one letter says too little
        ("pa x", "pa x"),
    ],
)
def test_the_first_letters_are_enough_where_they_mean_one_hero(written, hero):
    assert find_hero_by_beginning(DICE_THRONE, written) == hero


# -- the command --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("hero_id", hero_ids())
def test_the_command_prints_the_whole_sheet(hero_id, lang):
    answer = CliRunner().invoke(cli, ["heroes", hero_id, "--lang", lang])
    sheet = hero_sheet(hero_id, lang)

    assert answer.exit_code == 0
    for entry in sheet.entries:
        assert entry.name.text in answer.output or entry.level > 1
        for line in entry.effects:
            assert str(line) in answer.output
        for tier in entry.tiers:
            assert tier.needs.says in answer.output


def test_the_command_finds_a_hero_by_name_and_lists_them_with_their_seasons():
    by_name = CliRunner().invoke(cli, ["heroes", "Наёмница", "--lang", "fr"]).output
    listed = CliRunner().invoke(cli, ["heroes"]).output

    assert by_name == CliRunner().invoke(cli, ["heroes", "gunslinger", "--lang", "fr"]).output
    assert re.search(r"^gunslinger +Gunslinger +Season 2$", listed, re.M)


def test_the_shipped_heroes_pass_their_own_check():
    assert CliRunner().invoke(cli, ["heroes", "--check"]).exit_code == 0


# -- where it comes from ------------------------------------------------------------------------------------


def _origins():
    raw = [entry for hero in hero_ids() for entry in origins_of(raw_hero(hero)).values()]
    return [*raw, *(read_origin(entry) for entry in load_json(DICE_THRONE, "statuses.json"))]


@pytest.mark.parametrize("lang", LANGS)
def test_every_source_is_named_with_its_kind(lang):
    used = {key for origin in _origins() for key in origin.sources}
    used |= {key for origin in _origins() for conflict in origin.conflicts for key in conflict.sources}

    assert {key for key in used if not source(key, lang).kind} == set()
    assert (
        str(source("FR-2.4.1", lang))
        == {
            "en": "French rulebook 2.4.1 (rulebook, 2023)",
            "fr": "Livre de règles français 2.4.1 (livre de règles, 2023)",
            "ru": "французские правила 2.4.1 (правила, 2023)",
        }[lang]
    )


@pytest.mark.parametrize("lang", ["fr", "ru"])
def test_every_disputed_value_that_is_words_is_said_in_the_language(lang):
    conflicts = [conflict for origin in _origins() for conflict in origin.conflicts]
    values = {value for conflict in conflicts for value in (conflict.taken, conflict.other)}
    words = {value for value in values if re.search(r"[a-z]", value)}
    names = {"Conductivity!", "Conductive!", "Parlay", "Parley"}  # printed names stay what they are

    assert len(words) > 100
    assert {value for value in words if value not in disputed_values()} == set()
    if lang == "ru":
        foreign = {v for v in words - names if re.fullmatch(r"[a-z +/0-9,.:-]+", value_in_words(v, lang))}
        assert foreign == set()


@pytest.mark.parametrize(("lang", "said"), [
    ("fr", "1 Honte ici ; ailleurs 2 Honte"),
    ("ru", "здесь 1 Стыд"),
])  # fmt: skip
def test_the_page_says_a_conflict_and_its_sources_in_the_language(client, lang, said):
    page = text(client.get(f"/heroes/samurai?lang={lang}").text)

    assert said in page
    assert "yh-img" not in page
    assert "dtbot" not in page


def test_a_source_that_nobody_lists_stands_as_it_is_written():
    assert str(source("my own copy", "ru")) == "my own copy"
    assert value_in_words("a clock", "fr") == "a clock"

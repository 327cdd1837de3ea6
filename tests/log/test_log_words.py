"""Every kind of change that the product writes into the log has its sentence in every language."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from judge.core.messages import LANGS, Phrasebook
from judge.schemas.fixtures import sentences
from judge.schemas.tournament.event_settings import EventSettings
from judge.services.event.events import EventFacts, change_event, fingerprint, settings_of
from judge.services.log.changes import UNRECORDED
from judge.services.log.setting_words import LARGE, changed_settings
from judge.services.rulebook.heroes import hero_name
from judge.storage.tables import Event, Player
from judge.web.event.event_form import EventForm
from judge.web.event.setting_labels import SettingLabel
from tests.builders import DESK

SERVICES = Path(__file__).parents[2] / "judge" / "services"
KINDS = (
    "result|round|match|player|players|clock|table|event|staff|ruling|announcement|answer|token|webhook"
    "|call|catalogue|penalty"
)


def kinds():
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(SERVICES.rglob("*.py")))
    return sorted(set(re.findall(rf'"((?:{KINDS})\.[a-z-]+)"', code)))


@pytest.mark.parametrize("lang", LANGS)
def test_every_change_has_words_for_the_log(lang):
    keys = {kind: "log_" + kind.replace(".", "_").replace("-", "_") for kind in kinds()}

    assert len(keys) > 25
    assert [kind for kind, key in keys.items() if key not in sentences(lang)] == []


@pytest.mark.parametrize("lang", LANGS)
def test_every_column_of_a_player_that_can_change_has_a_name(lang):
    columns = set(Player.model_fields) - {"id", "event_id", "created_at", *UNRECORDED}

    assert [name for name in sorted(columns) if f"player_field_{name}" not in sentences(lang)] == []


@pytest.mark.parametrize("lang", LANGS)
def test_every_setting_of_an_event_that_can_change_has_a_name(lang):
    row = {**EventSettings(place_points={"4": (4, 2, 1, 0)}).as_row(), **{key: [1] for key in LARGE}}
    book = Phrasebook(lang, sentences(lang))
    says = list(changed_settings({}, {"settings": row}, book))

    assert len(says) > 30
    assert sum("–" in line or "→" not in line for line in says) == len(says)


def test_settings_are_said_in_the_language_of_the_reader():
    old = {"day": "2026-11-14", "edition": "fr-2.2", "settings": {"format": {"kind": "swiss"}}}
    new = {
        "day": "2026-11-15",
        "edition": "fr-2.4.1",
        "settings": {
            "format": {"kind": "pods", "counts": "places"},
            "clock": {"round_s": 1500},
            "third_place": True,
            "tiebreakers": ["health-diff", "omw"],
            "stages": [{"name": "Top 8"}],
        },
    }
    says = list(changed_settings(old, new, Phrasebook("fr", sentences("fr"))))

    assert [line.replace("\u00a0", " ") for line in says] == [
        "Date : 2026-11-14 → 2026-11-15",
        "Jeu et édition des règles : Dice Throne 2.2 → Dice Throne 2.4.1",
        "Minutes par ronde : – → 25",
        "Ce qui est noté à une table : – → Seulement les places",
        "Format : Suisse : chacun joue à chaque ronde"
        " → Tablées : trois joueurs ou plus par table, points selon la place",
        "Phases : modifié",
        "Match pour la troisième place : – → oui",
        "Départages : – → Différence de Santé, Victoires adverses",
    ]


def test_allowed_heroes_and_fields_of_players_are_named_in_the_language_of_the_reader(hall):
    hall = hall("dice-throne-ranked", 4)
    with hall.database.transaction() as session:
        event = session.get(Event, hall.id)
        settings = settings_of(event)
        settings = replace(settings, heroes=replace(settings.heroes, allowed=("monk", "moon-elf", "treant")))
        facts = EventFacts(event.name, event.day, event.edition, event.preset, settings)
        change_event(session, event, DESK, facts, fingerprint(event))
    player = hall.rows(Player)[0]
    hall.post(f"/players/{player.id}", version=player.version, name=player.name, club="Lyon")
    page = hall.get("/log", lang="fr").replace("\u00a0", " ")

    heroes = (hero_name("dice-throne", hero, "fr") for hero in ("monk", "moon-elf", "treant"))
    assert f"Héros permis : – → {', '.join(heroes)}" in page
    assert re.search("[Cc]lub[^:]* : – → Lyon", page)


def test_every_kind_of_the_filter_has_a_name():
    page = (SERVICES.parents[1] / "templates" / "log" / "log.html").read_text(encoding="utf-8")

    assert [kind for kind in {kind.split(".")[0] for kind in kinds()} if f'"{kind}": _(' not in page] == []


def test_the_form_and_the_log_call_a_setting_alike(client):
    """Names of settings have one home: no field says one of them in words of its own."""
    named = {text for key, text in sentences("en").items() if key.startswith("setting_")}
    with client.application.test_request_context(headers={"Accept-Language": "fr"}):
        fields = list(EventForm())
        own = [str(f.label.text) for f in fields if not isinstance(f.label.text, SettingLabel)]
        said = [str(f.label.text) for f in fields if isinstance(f.label.text, SettingLabel)]

    assert len(said) > 35
    assert not named & set(own)
    assert set(said) <= {text for key, text in sentences("fr").items() if key.startswith("setting_")}

"""Creating, changing, cloning and deleting events."""

import re
from datetime import date

import pytest
from sqlmodel import select

from judge.schemas.tournament.presets import presets
from judge.storage.tables import AuditRow, Event, Player, Staff
from tests.builders import make_event, make_players, make_round, make_staff
from tests.conftest import Desk


def shown_fields(html):
    """What a browser would send if the form were sent as it is shown."""
    form = max(re.findall(r"<form method=\"post\".*?</form>", html, re.S), key=len)
    fields = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name, kind = re.search(r'name="([^"]*)"', tag), re.search(r'type="([^"]*)"', tag)
        if not name or "disabled" in tag or (kind and kind[1] == "checkbox" and "checked" not in tag):
            continue
        value = re.search(r'value="([^"]*)"', tag)
        fields.setdefault(name[1], []).append(value[1] if value else "")
    for name, inner in re.findall(
        r'<select(?![^>]*disabled)[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form, re.S
    ):
        chosen = re.search(r'<option selected value="([^"]*)"', inner)
        fields[name] = [(chosen or re.search(r'<option value="([^"]*)"', inner))[1]]
    for attributes, inner in re.findall(r"<textarea([^>]*)>(.*?)</textarea>", form, re.S):
        if "disabled" not in attributes:
            fields[re.search(r'name="([^"]*)"', attributes)[1]] = [inner.strip()]
    return fields


def create(desk, preset="dice-throne-ranked", **changes):
    fields = shown_fields(desk.get(f"/events/new?preset={preset}").text)
    fields |= {"name": ["Spring Throne"], **{key: [value] for key, value in changes.items()}}
    return desk.post("/events/new", fields)


def event_of(desk, answer):
    slug = answer.headers["Location"].split("/")[2]
    with desk.database.session() as session:
        return session.exec(select(Event).where(Event.slug == slug)).one()


@pytest.mark.parametrize("preset", sorted(presets()))
def test_every_preset_makes_an_event_as_it_is_shown(desk, preset):
    event = event_of(desk, create(desk, preset))

    assert event.preset == preset
    assert event.edition == presets()[preset].get("edition", "fr-2.4.1")
    assert event.settings["format"]["kind"] == presets()[preset].get("format")["kind"]
    assert event.settings["scoring"]["draw"] == presets()[preset].get("scoring")["draw"]
    assert event.settings["tiebreakers"] == presets()[preset].get("tiebreakers")


def test_the_ranked_preset_brings_its_published_values(desk):
    settings = event_of(desk, create(desk)).settings

    assert settings["clock"] == {"setup_s": 120, "round_s": 1800}
    assert settings["heroes"]["mode"] == "bring-ban"
    assert (settings["heroes"]["bring"], settings["heroes"]["ban"]) == (3, 1)


def test_every_default_says_where_it_comes_from(desk):
    page = desk.get("/events/new").text

    assert "All Aboard Expo 2025" in page
    assert "Our assumption:" in page
    assert "French rulebook, version 2.4.1 (2023)" in page


def test_the_address_is_readable_but_not_to_be_guessed(desk):
    first, second = event_of(desk, create(desk)).slug, event_of(desk, create(desk)).slug

    assert re.fullmatch(r"spring-throne-[a-z0-9]{4}", first)
    assert first != second
    assert re.fullmatch(r"event-[a-z0-9]{4}", event_of(desk, create(desk, name="Кубок")).slug)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": "  "}, "Please fill this in."),
        ({"day": "tomorrow"}, "Not a valid date"),
        ({"rounds": "99"}, "from 1 to 30"),
        ({"draw": "4"}, "a draw lies between"),
        ({"bye": "9"}, "A bye cannot be worth more"),
        ({"ban": "3"}, "At least one hero must be left"),
        ({"tiebreaker_2": "wins-vs-tied"}, "named twice"),
        ({"format": "chess"}, "Not a valid choice"),
    ],
)
def test_a_fault_is_said_at_its_field_and_nothing_is_saved(desk, changes, says):
    answer = create(desk, **changes)

    assert answer.status_code == 422
    assert says in answer.text
    with desk.database.session() as session:
        assert len(session.exec(select(Event)).all()) == 1


def settings_page(desk):
    return f"/e/{desk.slug}/desk/settings"


def save(desk, fields=None, **changes):
    fields = fields or shown_fields(desk.get(settings_page(desk)).text)
    return desk.post(settings_page(desk), {**fields, **{key: [value] for key, value in changes.items()}})


def test_settings_can_be_changed_before_round_1(desk):
    save(desk, name="Winter Throne", win="5", rounds="6")

    with desk.database.session() as session:
        event = session.get(Event, desk.event_id)
        entry = session.exec(select(AuditRow).where(AuditRow.what == "event.changed")).one()
    assert (event.name, event.settings["scoring"]["win"], event.settings["format"]["rounds"]) == (
        "Winter Throne",
        5,
        6,
    )
    assert entry.actor == "Organiser"


def publish(desk):
    with desk.database.transaction() as session:
        event = session.get(Event, desk.event_id)
        ana, ben = make_players(session, event, 2)
        make_round(session, event, [(ana, ben)])


def test_after_round_1_only_the_harmless_can_be_changed_and_the_page_says_why(desk):
    open_fields = shown_fields(desk.get(settings_page(desk)).text)
    publish(desk)
    assert "stays as it was announced" in desk.get(settings_page(desk)).text
    refused = save(desk, {**open_fields, "win": ["9"]})
    saved = save(desk, name="Winter Throne", round_min="40")

    assert refused.status_code == 422
    assert saved.status_code == 302
    with desk.database.session() as session:
        event = session.get(Event, desk.event_id)
        assert event.name == "Winter Throne"
        assert event.settings["clock"]["round_s"] == 2400
        assert event.settings["scoring"]["win"] == 3


def test_of_two_organisers_changing_settings_one_is_told(desk):
    fields = shown_fields(desk.get(settings_page(desk)).text)
    save(desk, name="Mine")
    answer = save(desk, fields, name="Theirs")

    assert answer.status_code == 409
    with desk.database.session() as session:
        assert session.get(Event, desk.event_id).name == "Mine"


@pytest.mark.parametrize("with_players", [True, False])
def test_a_clone_has_the_settings_and_if_wished_the_players(desk, with_players):
    save(desk, win="7")
    publish(desk)
    data = {"name": "Again", "day": "2027-01-05", **({"with_players": "y"} if with_players else {})}
    clone = event_of(desk, desk.post(f"/e/{desk.slug}/desk/clone", data))

    assert clone.settings["scoring"]["win"] == 7
    assert clone.day == date(2027, 1, 5)
    with desk.database.session() as session:
        players = session.exec(select(Player).where(Player.event_id == clone.id)).all()
        staff = session.exec(select(Staff).where(Staff.event_id == clone.id)).all()
    assert [p.state for p in players] == (["registered"] * 2 if with_players else [])
    assert [s.role for s in staff] == ["organiser"]


def test_deleting_asks_for_the_name_and_leaves_nothing_behind(desk):
    publish(desk)
    page = f"/e/{desk.slug}/desk/delete"
    assert desk.post(page, name="Spring").status_code == 422
    desk.post(page, name="Autumn Throne")

    with desk.database.session() as session:
        assert session.exec(select(Event)).all() == []
        assert session.exec(select(Player)).all() == []
        assert [row.what for row in session.exec(select(AuditRow))] == ["event.deleted"]
    assert desk.get("/events").status_code == 200


def test_the_list_shows_ones_own_events_only(app, desk, sign_in):
    with desk.database.transaction() as session:
        make_event(session, slug="hidden", name="Hidden Throne")
        sam = sign_in(app.test_client(), make_staff(session, None, "stranger", "sam"))
    guest = Desk(sam, desk.database, desk.event_id, desk.slug)

    mine = desk.get("/events").text
    assert "Autumn Throne" in mine
    assert "Hidden Throne" not in mine
    assert "You are on no event’s staff" in guest.get("/events").text


def test_an_unknown_preset_or_event_is_not_found(desk):
    assert desk.get("/events/new?preset=nope").status_code == 404
    assert desk.get("/e/nope/desk/settings").status_code == 404

"""The list of players at the desk: paste, CSV, check-in, one player's page."""

import io
import re

import pytest
from sqlmodel import select

from judge.storage.tables import Event, Player
from tests.builders import make_players, make_round


def names(desk):
    with desk.database.session() as session:
        return [p.name for p in session.exec(select(Player).order_by(Player.id))]


def player(desk, name="Ana"):
    with desk.database.session() as session:
        return session.exec(select(Player).where(Player.name == name)).one()


def add(desk, text, kind="names", **more):
    return desk.post(f"{desk.players}/add", text=text, kind=kind, **more)


def test_plain_names_are_added_at_once(desk):
    answer = add(desk, "Ana; Lyon\n\n  Ben  \r\nCleo\n")

    assert answer.status_code == 302
    assert names(desk) == ["Ana", "Ben", "Cleo"]
    assert player(desk).club == "Lyon"


def test_a_namesake_is_shown_before_anything_is_saved(desk):
    add(desk, "Ana")
    asked = add(desk, "Ben\nana\nBen")

    assert asked.status_code == 200
    assert asked.text.count("Namesake") == 2
    assert names(desk) == ["Ana"]
    add(desk, "Ben\nana\nBen", confirmed="yes")
    assert names(desk) == ["Ana", "Ben", "ana", "Ben"]
    assert "Ben (2)" in desk.get(desk.players).text


CSV = """name;club;display name;seed;table;heroes
Ana;Lyon;A.;1;4;Paladin, Treant, Jester
;Nice;;;;
Ben;;;one;;
Cleo;;;1;;
Dov;;;;;Paladin, Paladin, Treant
Eva;;;;;Paladin
"""


def test_a_csv_is_shown_with_the_fault_of_every_row_and_saved_only_when_confirmed(desk):
    page = add(desk, CSV, "csv").text

    assert "1 player can be added" in page
    assert "5 rows are left out" in page
    for says in (
        "A name is missing.",
        "“one” is not a whole number",
        "Seed 1 is already given to Ana.",
        "Paladin is named twice.",
        "3 heroes have to be declared, not 1.",
    ):
        assert says in page
    assert names(desk) == []
    add(desk, CSV, "csv", confirmed="yes")
    ana = player(desk)
    assert (ana.club, ana.public_name, ana.seed, ana.fixed_table) == ("Lyon", "A.", 1, 4)
    assert ana.heroes == ["paladin", "treant", "Jester"], "known heroes by id, others as written"


def test_a_csv_file_can_be_uploaded_with_its_columns_in_french(desk):
    file = (io.BytesIO("\ufeffNom,Équipe\nZoé,Lyon\n".encode()), "joueurs.csv")
    page = desk.post(f"{desk.players}/add", {"kind": "csv", "file": file}).text

    assert "Zoé" in page
    assert "1 player can be added" in page


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("player one;x\nAna;y", "no column called “name”"),
        ("name;club", "no row with a name"),
        ("", "no row with a name"),
    ],
)
def test_a_csv_that_is_none_says_what_it_needs(desk, text, says):
    answer = add(desk, text, "csv")

    assert answer.status_code == 422
    assert says in answer.text


def test_a_file_that_is_not_text_is_refused(desk):
    file = (io.BytesIO(b"\x89PNG\r\n\x1a\n\0\0\1"), "players.xlsx")
    answer = desk.post(f"{desk.players}/add", {"kind": "csv", "file": file})

    assert answer.status_code == 422
    assert "Save it as CSV" in answer.text


def test_heroes_are_checked_against_the_list_of_the_event(desk, set_up):
    set_up(heroes={"mode": "bring-ban", "bring": 1, "ban": 0, "allowed": ["paladin", "treant"]})
    page = add(desk, "name,heroes\nAna,Sylvanian\nBen,Barbare", "csv").text

    assert "Barbarian is not on this event’s list of heroes." in page


def test_check_in_by_one_tap_and_back(desk):
    add(desk, "Ana\nBen")
    number = player(desk).id
    answer = desk.post(f"{desk.players}/check-in", {"in": number})
    assert answer.headers["Location"].endswith(f"#p{number}")
    assert player(desk).state == "present"
    desk.post(f"{desk.players}/check-in", {"in": number})
    assert player(desk).state == "present", "twice is as good as once"
    desk.post(f"{desk.players}/check-in", {"out": number})

    assert player(desk).state == "registered"


def test_check_in_all(desk):
    add(desk, "Ana\nBen\nCleo")
    desk.post(f"{desk.players}/check-in-all")

    page = desk.get(desk.players).text
    assert "3 / 3" in page
    assert "Check in all" not in page


def test_search_and_filters(desk):
    add(desk, "Ana; Lyon\nBen; Nice\nCleo; Lyon")
    desk.post(f"{desk.players}/check-in", {"in": player(desk, "Cleo").id})

    def shown(query):
        return re.findall(
            r'class="line[^>]*>\s*<span class="who-line">\s*<a[^>]*>(\w+)',
            desk.get(desk.players + query).text,
        )

    assert shown("?q=lyon") == ["Ana", "Cleo"]
    assert shown("?show=absent") == ["Ana", "Ben"]
    assert shown("?show=nonsense") == ["Ana", "Ben", "Cleo"]


def test_a_player_can_be_edited(desk):
    add(desk, "Ana")
    ana = player(desk)
    data = {"name": "Anna", "public_name": "A. L.", "club": "Lyon", "seed": "3", "fixed_table": "7"}
    answer = desk.post(f"{desk.players}/{ana.id}", data, version=ana.version, heroes="Paladin\nМонах\nTreant")

    assert answer.status_code == 302
    anna = player(desk, "Anna")
    assert "Paladin\nМонах\nTreant</textarea>" in desk.get(f"{desk.players}/{ana.id}").text.replace("\r", "")
    assert (anna.public_name, anna.club, anna.seed, anna.fixed_table) == ("A. L.", "Lyon", 3, 7)
    assert len(anna.heroes) == 3


def test_faults_of_the_players_form_are_shown_and_keep_what_was_typed(desk):
    add(desk, "Ana\nBen")
    ana, ben = player(desk), player(desk, "Ben")
    desk.post(f"{desk.players}/{ana.id}", name="Ana", seed="1", version=ana.version)
    answer = desk.post(
        f"{desk.players}/{ben.id}", name="Benny", seed="1", heroes="Paladin", version=ben.version
    )

    assert answer.status_code == 422
    assert "Seed 1 is already given to Ana." in answer.text
    assert "3 heroes have to be declared" in answer.text
    assert 'value="Benny"' in answer.text


def test_a_stale_form_gets_409_with_what_changed(desk):
    add(desk, "Ana")
    ana = player(desk)
    desk.post(f"{desk.players}/{ana.id}", name="Ana", club="Lyon", version=ana.version)
    answer = desk.post(f"{desk.players}/{ana.id}", name="Anna", version=ana.version)

    assert answer.status_code == 409
    assert "Organiser changed Ana in the meantime (club)." in answer.text
    assert player(desk).club == "Lyon"


def test_drop_and_back(desk):
    add(desk, "Ana\nBen")
    ana = player(desk)
    desk.post(f"{desk.players}/{ana.id}/drop", version=ana.version, why="ill")
    ana = player(desk)
    assert (ana.state, ana.last_round) == ("dropped", 0)
    desk.post(f"{desk.players}/{ana.id}/restore", version=ana.version)

    assert player(desk).state == "present"


def test_the_private_link_can_be_issued_anew(desk, visitor):
    add(desk, "Ana")
    page = f"{desk.players}/{player(desk).id}"
    old = re.search(r"/me/[\w.-]+", desk.get(page).text)[0]
    desk.post(f"{page}/new-link", version=player(desk).version)
    new = re.search(r"/me/[\w.-]+", desk.get(page).text)[0]

    assert old != new


def test_an_erased_player_is_on_no_page(desk):
    add(desk, "Annabel; Lyon\nBen")
    ana = player(desk, "Annabel")
    assert "Erase Annabel?" in desk.get(f"{desk.players}/{ana.id}/erase").text
    desk.post(f"{desk.players}/{ana.id}/erase", version=ana.version)

    for path in (desk.players, f"{desk.players}/{ana.id}", f"/e/{desk.slug}", f"/e/{desk.slug}/desk"):
        assert "Annabel" not in desk.get(path).text


def test_another_events_player_is_out_of_reach(desk):
    with desk.database.transaction() as session:
        from tests.builders import make_event

        (stranger,) = make_players(session, make_event(session, slug="other"), 1)
        number = stranger.id

    assert desk.get(f"{desk.players}/{number}").status_code == 404
    assert desk.post(f"{desk.players}/{number}/drop", version=1).status_code == 404


def test_the_pages_ask_as_often_for_512_players_as_for_8(desk, queries):
    def fill(count):
        with desk.database.transaction() as session:
            event = session.get(Event, desk.event_id)
            made = make_players(session, event, count, state="registered")
            if count == 8:
                make_round(session, event, list(zip(made[::2], made[1::2], strict=True)))

    fill(8)
    few = queries(lambda: desk.get(desk.players)), queries(lambda: desk.get("/events"))
    fill(504)
    many = queries(lambda: desk.get(desk.players)), queries(lambda: desk.get("/events"))

    assert many == few
    assert max(few) <= 7


# -- self-registration --------------------------------------------------------------------------------------


def register(visitor, name, **more):
    return visitor.post(f"/e/{visitor.slug}/register", name=name, **more)


def test_registration_is_closed_until_it_is_opened(visitor):
    assert "is closed" in visitor.get(f"/e/{visitor.slug}/register").text
    assert register(visitor, "Ana").status_code == 422


def test_whoever_registers_gets_a_private_link(visitor, desk, set_up):
    set_up(registration={"mode": "open", "capacity": None})
    answer = register(visitor, "Ana", club="Lyon", public_name="A.")
    page = visitor.get(answer.headers["Location"]).text

    assert "Ana, you are on the list." in page
    assert re.search(r"/me/[\w.-]+", page)
    assert player(desk).public_name == "A."
    assert "/register" in desk.get(desk.players).text


def test_registration_with_approval_waits_for_the_staff(visitor, desk, set_up):
    set_up(registration={"mode": "approval", "capacity": None})
    done = register(visitor, "Ana").headers["Location"]
    assert "still has to confirm" in visitor.get(done).text
    assert "Waiting for an answer" in desk.get(desk.players).text
    desk.post(f"{desk.players}/{player(desk).id}/admit", version=player(desk).version)

    assert "you are on the list" in visitor.get(done).text


def test_the_staff_can_decline(visitor, desk, set_up):
    set_up(registration={"mode": "approval", "capacity": None})
    done = register(visitor, "Ana").headers["Location"]
    desk.post(f"{desk.players}/{player(desk).id}/remove", version=player(desk).version)

    assert names(desk) == []
    assert visitor.get(done).status_code == 410


def test_a_full_event_has_a_waiting_list(visitor, desk, set_up):
    set_up(registration={"mode": "open", "capacity": 2})
    add(desk, "Ana\nBen")
    assert "join the waiting list" in visitor.get(f"/e/{visitor.slug}/register").text
    done = register(visitor, "Cleo").headers["Location"]
    assert "you are on the waiting list" in visitor.get(done).text
    desk.post(f"{desk.players}/{player(desk).id}/drop", version=player(desk).version)

    assert "you are on the list" in visitor.get(done).text


def test_a_namesake_has_to_say_so(visitor, desk, set_up):
    set_up(registration={"mode": "open", "capacity": None})
    register(visitor, "Ana")
    asked = register(visitor, "Ana")
    assert asked.status_code == 422
    assert "I am another person with the same name" in asked.text
    register(visitor, "Ana", another="yes")

    assert names(desk) == ["Ana", "Ana"]


def test_heroes_can_be_declared_at_registration(visitor, desk, set_up):
    set_up(registration={"mode": "open", "capacity": None})
    refused = visitor.post(f"/e/{visitor.slug}/register", {"name": "Ana", "hero": ["Paladin", "Treant", ""]})
    visitor.post(f"/e/{visitor.slug}/register", {"name": "Ana", "hero": ["Paladin", "Treant", "Jester"]})

    assert "3 heroes have to be declared, not 2." in refused.text
    assert player(desk).heroes == ["paladin", "treant", "Jester"]

"""Links are random and never come back to life: not for another row, not for somebody without the right."""

from datetime import timedelta

import pytest
from sqlalchemy import inspect, text
from sqlmodel import delete, select

from judge.services.accounts.accounts import find_invite, make_invite, make_token
from judge.services.dispute import drafts
from judge.services.event.staff import change_role, invite_staff, new_password_link
from judge.services.log.changes import Actor
from judge.storage.accounts import Invite
from judge.storage.events import Staff
from judge.storage.rulings import TableDraft
from tests.builders import NOW, make_event, make_staff

TABLE = {"game": "dice-throne", "edition": "fr-2.2", "players": [{"id": "A"}, {"id": "B"}], "events": []}


@pytest.fixture
def house(database):
    """An event with two organisers, the second of whom makes links."""
    with database.transaction() as session:
        event = make_event(session)
        make_staff(session, event, "organiser", "first")
        yield session, event, make_staff(session, event, "organiser", "second")


def staff_row(session, account):
    return session.exec(select(Staff).where(Staff.account_id == account.id)).one()


def test_the_number_of_a_deleted_row_is_never_given_again(house):
    session, event, _ = house
    numbers = []
    for _ in range(3):
        invite = make_invite(session, "staff", NOW, event=event, role="scorekeeper")
        numbers.append(invite.id)
        session.exec(delete(Invite))
        session.expunge_all()

    assert len(set(numbers)) == 3


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)  # PostgreSQL's sequences never go back
def test_every_table_of_sqlite_counts_on(database):
    with database.engine.connect() as connection:
        names = set(inspect(connection).get_table_names()) - {"alembic_version"}
        made = connection.execute(
            text("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
        )

        assert {row.name for row in made} == names


def test_a_signed_number_opens_no_invite_and_no_table(client, app_database, app):
    with app_database.transaction() as session:
        invite = make_invite(session, "organiser", NOW)
        draft = drafts.begin(session, TABLE, NOW)
        old = [make_token(str(app.secret_key), *which) for which in (("invite", 1), ("draft", 1))]
        links = [f"/join/{old[0]}", f"/join/{invite.id}", f"/rule/{old[1]}", f"/rule/{draft.id}"]

    assert [client.get(link).status_code for link in links] == [410, 410, 404, 404]


def test_tokens_are_long_and_all_different(house):
    session, event, _ = house
    tokens = {make_invite(session, "staff", NOW, event=event, role="judge").token for _ in range(50)}
    session.add_all(TableDraft(steps=[{"table": TABLE}], started_at=NOW, changed_at=NOW) for _ in range(50))
    session.flush()
    tokens |= set(session.exec(select(TableDraft.token)).all())

    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 24


@pytest.mark.parametrize("role", ["head-judge", None])
def test_an_invite_of_somebody_who_is_no_longer_organiser_opens_nothing(house, role):
    session, event, second = house
    actor = Actor("second", second.id)
    invite = invite_staff(session, event, actor, "organiser", "", NOW).result
    assert find_invite(session, invite.token, NOW)

    if role:
        change_role(session, event, actor, staff_row(session, second).id, role)
    else:
        session.delete(staff_row(session, second))
    session.flush()

    assert find_invite(session, invite.token, NOW) is None


def test_a_password_link_ends_when_its_maker_or_its_owner_leaves(house):
    session, event, second = house
    judge = make_staff(session, event, "judge", "third")
    link = new_password_link(session, event, Actor("second", second.id), staff_row(session, judge).id, NOW)
    assert find_invite(session, link.result.token, NOW)

    make_staff(session, make_event(session, slug="elsewhere"), "organiser", "other")
    session.delete(staff_row(session, judge))
    session.flush()

    assert find_invite(session, link.result.token, NOW) is None


def test_a_link_made_by_a_command_asks_for_nobodys_rights(house):
    session, _, _ = house
    invite = make_invite(session, "organiser", NOW)

    assert find_invite(session, invite.token, NOW)
    assert find_invite(session, invite.token, NOW + timedelta(days=8)) is None


def test_a_table_of_an_event_is_changed_by_its_staff_of_today_only(app, desk, visitor):
    with desk.database.transaction() as session:
        event = session.exec(select(Staff)).one().event_id
        row = TableDraft(event_id=event, steps=[{"table": TABLE}], started_at=NOW, changed_at=NOW)
        session.add(row)
        session.flush()
        address = f"/rule/{row.token}"
    change = {"do": "title", "title": "Table 4"}

    assert visitor.get(address).status_code == 200
    assert visitor.post(address, change).status_code == 403
    assert desk.post(address, change).status_code == 303
    with desk.database.transaction() as session:
        session.delete(session.exec(select(Staff)).one())
    assert desk.post(address, change).status_code == 403

"""Health for machines and for the organiser."""

import gzip
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from judge.services.accounts.limits import LONGEST_DRAFT, MOST, MOST_STEPS
from judge.services.dispute import drafts
from judge.services.dispute.case import Case
from judge.storage.auto_backup import KEPT, KEPT_DAYS, Keeper, backups_in, rotate
from judge.storage.backup import BackupError, restore_backup, verify_backup, write_backup
from judge.storage.tables import TableDraft
from tests.builders import DESK, NOW, make_event, make_players
from tests.conftest import judge_command
from tests.storage.test_database import row

TABLE = {"game": "dice-throne", "edition": "fr-2.2", "players": [{"id": "A"}, {"id": "B"}], "events": []}


def test_prometheus_reads_counters_from_this_machine_only(client, desk):
    client.get("/")
    answer = client.get("/metrics")
    values = dict(line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#"))

    assert answer.content_type.startswith("text/plain; version=0.0.4")
    assert float(values['judge_requests_total{status="2xx"}']) >= 1
    assert float(values["judge_request_seconds_count"]) >= float(
        values['judge_request_seconds_bucket{le="0.01"}']
    )
    assert float(values["judge_backup_age_seconds"]) == -1
    assert all(re.fullmatch(r'[a-z_]+(\{[a-z]+="[^"]+"\})?', name) for name in values)
    for outside in ({"REMOTE_ADDR": "192.0.2.9"}, {"HTTP_X_FORWARDED_FOR": "192.0.2.9"}):
        assert client.get("/metrics", environ_overrides=outside).status_code == 404
        assert desk.client.get("/metrics", environ_overrides=outside).status_code == 200


def test_the_organiser_sees_whether_all_is_well(desk, visitor, settings, app_database):
    before = desk.get("/well").text
    write_backup(app_database, settings.backups)
    after = desk.get("/well").text

    assert "none yet" in before
    assert "Something needs you" in before
    assert "All is well." in after
    assert visitor.get("/well").status_code == 302
    with app_database.transaction() as session:
        session.execute(text("UPDATE audit SET actor = 'x'"))
        make_event(session, slug="other")


# -- backups by themselves ----------------------------------------------------------------------------------


def test_a_backup_is_written_after_a_round_and_after_minutes_of_changes(database, tmp_path):
    keeper = Keeper(database, tmp_path / "one", minutes=10, second=tmp_path / "two")
    assert keeper.look(1000) is None, "nothing has changed"
    with database.transaction() as session:
        session.add(row())
    first = keeper.look(2000)
    with database.transaction() as session:
        session.add(row())
    assert keeper.look(2100) is None, "too early"
    with database.transaction() as session:
        session.add(row(what="round.published"))
    second = keeper.look(2101)

    assert first
    assert second
    assert backups_in(tmp_path / "one") == [second, first]
    assert [file.name for file in backups_in(tmp_path / "two")] == [second.name, first.name]
    assert verify_backup(second).rows == 3


def test_old_backups_go_and_one_of_each_day_stays(tmp_path):
    now = datetime(2026, 11, 18, 12, tzinfo=UTC)
    for hours in range(0, 24 * 30, 6):
        (tmp_path / f"judge-{now - timedelta(hours=hours):%Y%m%d-%H%M%S-%f}-auto.judge.gz").touch()
    (tmp_path / "judge-20200101-000000-000000-before-0002.judge.gz").touch()
    rotate(tmp_path, now)
    days = [file.name.split("-")[1] for file in backups_in(tmp_path)]

    assert len(days) < KEPT + KEPT_DAYS
    assert days[KEPT:] == sorted(set(days[KEPT:]), reverse=True)
    assert days[-1] >= f"{now - timedelta(days=KEPT_DAYS):%Y%m%d}"
    assert len(list(tmp_path.glob("*before*"))) == 1, "those before a migration stay"


def test_a_full_second_disk_stops_no_backup(database, tmp_path):
    (tmp_path / "file").touch()
    keeper = Keeper(database, tmp_path / "one", minutes=0, second=tmp_path / "file" / "below")
    with database.transaction() as session:
        session.add(row())

    assert keeper.look(1000)


def test_verify_restores_and_compares(database, tmp_path):
    with database.transaction() as session:
        make_players(session, make_event(session), 5)
    file = write_backup(database, tmp_path)
    assert verify_backup(file).is_same

    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    lines[1] = lines[1].replace('"table"', '"tabel"')
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    with pytest.raises(BackupError):
        verify_backup(file)


def test_the_commands_verify_backups_and_the_log(app_database, settings, tmp_path):
    with app_database.transaction() as session:
        event = make_event(session)
        from judge.services.log.changes import note

        for _ in range(3):
            note(session, event, DESK, "staff.invited")

    def say(*words):
        process = judge_command(settings.instance, *words)
        return process.communicate(timeout=60)[0], process.returncode

    said, code = say("backup", "--verify")
    assert code == 0
    assert "each the same" in said
    said, code = say("log", "--verify")
    assert (code, "Nothing was altered" in said, "3 entries" in said) == (0, True, True)
    with app_database.transaction() as session:
        session.execute(text("UPDATE audit SET actor = 'x' WHERE id = 2"))
    said, code = say("log", "--verify")
    assert (code, "entry 2 was altered" in said) == (1, True)


def test_a_restore_drill_brings_back_everything(database, tmp_path):
    with database.transaction() as session:
        make_players(session, make_event(session), 5)
    keeper = Keeper(database, tmp_path, minutes=0)
    with database.transaction() as session:
        session.add(row())
    file = keeper.look(1)
    with database.transaction() as session:
        session.execute(text("DELETE FROM player"))
    restore_backup(database, file)

    with database.session() as session:
        assert session.execute(text("SELECT COUNT(*) FROM player")).scalar() == 5


# -- limits on what is stored -------------------------------------------------------------------------------


def test_a_table_has_a_size(client, app):
    app.config["WTF_CSRF_ENABLED"] = False
    long = TABLE | {"events": [{"by": "A", "note": "x" * 3000, "sell": 1} for _ in range(110)]}
    assert len(json.dumps(long)) > LONGEST_DRAFT
    answer = client.post("/rule/open", data={"file": json.dumps(long)})

    assert answer.status_code == 422
    assert "characters" in answer.text


def test_steps_have_a_number_and_the_table_stays_as_it_is(database):
    with database.transaction() as session:
        token = drafts.begin(session, TABLE, NOW).token
        row = session.exec(drafts.select(TableDraft)).one()
        row.steps = [*row.steps, *({"set": {"title": str(n)}} for n in range(MOST_STEPS + 10))]
        row.at = len(row.steps) - 1
        session.flush()
        opened = drafts.OpenDraft(session, token)
        assert opened.shown.table["title"] == str(MOST_STEPS + 9)
        opened.change(Case({**opened.shown.table, "note": "later"}), NOW)

        assert len(row.steps) == MOST_STEPS + 1
        assert opened.shown.table["note"] == "later"
        opened.undo(NOW)
        assert opened.shown.table["title"] == str(MOST_STEPS + 9)


def test_too_many_reports_by_one_link_are_told_to_wait(app, app_database, desk):
    from judge.services.accounts.accounts import make_token
    from judge.services.event.event_view import get_event
    from tests.builders import make_round

    app.config["WTF_CSRF_ENABLED"] = False
    with app_database.transaction() as session:
        event = get_event(session, desk.slug)
        pair = make_players(session, event, 2)
        make_round(session, event, [tuple(pair)])
        link = f"/me/{make_token(str(app.secret_key), 'player', pair[0].id, pair[0].link)}/report"
    phone = app.test_client()
    answers = {phone.post(link, data={"result": "a"}).status_code for _ in range(MOST["report"])}

    assert 429 not in answers
    assert phone.post(link, data={"result": "a"}).status_code == 429


def test_the_readme_lists_the_limits():
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")

    for number in (*MOST.values(), MOST_STEPS, LONGEST_DRAFT):
        assert f"| {number:,} " in readme

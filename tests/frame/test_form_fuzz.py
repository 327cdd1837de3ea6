"""Whatever a form brings is taken or refused, never a crash. tests/deep/attack sends many more."""

import pytest
from sqlmodel import col, select

from judge.app import create_app
from judge.config import Settings
from judge.services.event.demo import load_demo
from judge.storage.events import Event, Match, Player
from judge.storage.migrate import migrate
from tests.builders import NOW, make_staff
from tests.conftest import SECRET
from tests.hostile import FINE, VALUES, field_names, fuzz_forms, tokens


def prepared(url, tmp_path, sign_in):
    """An app with the demo event, an organiser and a visitor, and what exists in it."""
    app = create_app(Settings(tmp_path, url, SECRET, busy_seconds=0.9))
    app.config.update(WTF_CSRF_ENABLED=False, JUDGE_API_RATE=10**9)
    database = app.extensions["judge.database"]
    migrate(database, tmp_path)
    with database.transaction() as session:
        organiser = make_staff(session, None, "organiser")
        load_demo(session, organiser, NOW)
        event, player = session.exec(select(Event)).one(), session.exec(select(Player)).first()
        match = session.exec(select(Match).where(col(Match.result).is_(None))).first()
        known = {"slug": event.slug, "match_id": match.id, "tokens": tokens(app, player, match)}
        return app, [sign_in(app.test_client(), organiser), app.test_client()], known


@pytest.mark.parametrize("seed", [1])
def test_no_form_makes_the_server_fail(tmp_path, sign_in, seed):
    app, clients, known = prepared(f"sqlite:///{tmp_path / 'judge.sqlite3'}", tmp_path, sign_in)
    statuses = fuzz_forms(app, clients, known, 400, seed)
    app.extensions["judge.database"].close()

    assert set(statuses) <= FINE
    assert statuses.total() == 400


def test_there_is_much_to_try():
    assert len(VALUES) >= 38
    assert len(field_names()) > 100

"""Schemathesis against the API's own description, over a real server: no server error, only the declared
answers, malformed requests refused.

Left out is `positive_data_acceptance`: a description cannot say that a player must exist or that a die has
six sides, so well-shaped requests may rightly be refused with 422.
"""

import threading
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from werkzeug.serving import make_server

from judge.app import create_app
from judge.config import Settings
from judge.storage.migrate import migrate
from judge.web.api.openapi import document
from tests.builders import make_event, make_players, make_round

schema = schemathesis.openapi.from_dict(document())


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("api")
    app = create_app(
        Settings(folder, f"sqlite:///{folder / 'none.sqlite3'}", "a secret for tests only", api_rate=10**9)
    )
    opened = app.extensions["judge.database"]
    migrate(opened, folder / "backups")
    with opened.transaction() as session:
        event = make_event(session, slug="spring-throne-x7k2")
        ana, ben, cleo = make_players(session, event, 3)
        make_round(session, event, [(ana, ben), (cleo, None)])
    server = make_server("127.0.0.1", 0, app)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()
    app.extensions["judge.database"].close()


@schema.parametrize()
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_api_keeps_its_word(case, address):
    case.call_and_validate(base_url=address, excluded_checks=[positive_data_acceptance])

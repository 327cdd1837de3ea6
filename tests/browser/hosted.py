"""An event on a running server with its organiser in a browser. What a test is not about is sent as forms
through the browser's own connection; what it is about is clicked and typed.
"""

import re
from uuid import uuid4

from judge.storage.database import Database
from judge.storage.events import Event
from tests.browser.test_events_played import Desk
from tests.builders import make_staff
from tests.hall import Hall


class Forms:
    """Sends forms as somebody who is signed in at a page of a browser; looks like Flask's test client."""

    def __init__(self, page, url):
        self.request, self.url = page.context.request, url

    def get(self, path, headers=None):
        return Answer(self.request.get(self.url + path, headers=headers or {}))

    def post(self, path, data, headers=None):
        form = {key: str(value) for key, value in data.items()}
        return Answer(self.request.post(self.url + path, form=form, headers=headers or {}, max_redirects=0))


class Answer:
    def __init__(self, response):
        self.status_code, self.text = response.status, response.text()


class HostedHall(Hall):
    """`HostedHall(server, page, "dice-throne-ranked", 13)`: the organiser is signed in at the page."""

    def __init__(self, server, page, preset, players, **settings):
        self.server, self.database = server, Database(f"sqlite:///{server.instance / 'judge.sqlite3'}")
        account = self.open_event(f"{preset}-{uuid4().hex[:8]}", preset, players, settings)
        self.desk = self.at(page, account.login)
        self.client = self.visitor = Forms(page, server.url)

    def at(self, page, login):
        """Somebody of the staff, signed in at a page."""
        desk = Desk(page, self.server)
        page.goto(f"{self.server.url}/sign-in")
        page.locator("input[name=login]").fill(login)
        page.locator("input[name=password]").fill("correct horse")
        page.locator("main button").click()
        page.wait_for_url("**/events")
        desk.path = f"{self.server.url}/e/{self.slug}"
        return desk

    def join(self, page, role):
        """Somebody else of the staff, at a page of their own."""
        with self.database.transaction() as session:
            make_staff(session, session.get(Event, self.id), role, f"{role}-{self.slug}")
        return self.at(page, f"{role}-{self.slug}")

    def phone_link(self, player):
        """The private link of a player."""
        page = self.client.get(f"/e/{self.slug}/desk/players/{player.id}").text
        return self.server.url + re.search(r"/me/[\w.-]+", page)[0]


def words(page):
    return re.sub(r"\s+", " ", page.locator("main").inner_text())


def ranks(page):
    """Ranks and names of the table of standings that a page shows."""
    rows = page.locator("table.standings tbody tr").all()
    return [(row.locator("td").first.inner_text(), row.locator("th a").inner_text()) for row in rows]

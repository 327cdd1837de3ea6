"""An event run by forms alone, without a browser: `hall("dice-throne-ranked", 13)`."""

import re
from functools import cached_property

from sqlmodel import select

from judge.schemas.tournament.event_settings import settings_of_preset
from judge.schemas.tournament.presets import presets
from judge.storage.tables import Event, Match, Player, Round
from tests.builders import make_event, make_players, make_staff


class Hall:
    """An event with its organiser signed in, and somebody without an account."""

    def __init__(self, app, sign_in, preset, players, **settings):
        self.app, self.database = app, app.extensions["judge.database"]
        account = self.open_event(f"{preset}-{players}", preset, players, settings)
        self.client = sign_in(app.test_client(), account)
        self.visitor = app.test_client()

    def open_event(self, slug, preset, players, settings):
        """Write the event, its players and its organiser to the database; returns the organiser's account."""
        given = {**settings_of_preset(presets()[preset]).as_row(), **settings}
        self.slug = slug
        with self.database.transaction() as session:
            game = "dice-forge" if "forge" in preset else "dice-throne"
            edition = presets()[preset].get("edition", "fr-2.4.1")
            event = make_event(session, slug=slug, preset=preset, settings=given, game=game, edition=edition)
            make_players(session, event, players)
            self.id = event.id
            account = make_staff(session, event, "organiser", f"o-{slug}")
            session.expunge(account)
            return account

    def rows(self, model):
        with self.database.session() as session:
            found = session.exec(select(model).where(model.event_id == self.id).order_by(model.id)).all()
            session.expunge_all()
            return found

    def names(self):
        return {p.id: p.name for p in self.rows(Player)}

    def get(self, path, status=200, lang="en"):
        answer = self.client.get(f"/e/{self.slug}/desk{path}", headers={"Accept-Language": lang})
        assert answer.status_code == status, answer.text
        return text(answer.text)

    def seen(self, path="", lang="en"):
        answer = self.visitor.get(f"/e/{self.slug}{path}", headers={"Accept-Language": lang})
        assert answer.status_code == 200, answer.text
        return text(answer.text)

    def post(self, path, status=302, client=None, at=None, on=None, **form):
        """Send a form; `on` is the page at the desk that it stands on."""
        client = client or self.client
        token = self.token if client is self.client else token_of(client, at)
        where = at or f"/e/{self.slug}/desk{path}"
        headers = {} if on is None else {"Referer": f"http://localhost/e/{self.slug}/desk{on}"}
        answer = client.post(where, data={**form, "csrf_token": token}, headers=headers)
        self.page = answer.text
        assert answer.status_code == status, answer.text
        return text(answer.text)

    @cached_property
    def token(self):
        """The organiser's; it holds for as long as they are signed in."""
        return token_of(self.client, f"/e/{self.slug}/desk/results")

    def staff(self, sign_in, role):
        """Somebody else of the staff, signed in."""
        with self.database.transaction() as session:
            event = session.get(Event, self.id)
            account = make_staff(session, event, role, f"{role}-{self.slug}")
            return sign_in(self.app.test_client(), account)

    def publish(self, number):
        self.post("/rounds", number=number)
        self.post(f"/rounds/{number}/publish", version=self.rows(Round)[-1].version)

    def open(self):
        return [m for m in self.rows(Match) if m.result is None]


def token_of(client, path):
    """What a form on this page is sent with."""
    return re.search(r'name="csrf_token" value="([^"]+)"', client.get(path).text)[1]


def text(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).replace("&#39;", "'")

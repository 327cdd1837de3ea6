"""Every page of the product, each with something on it: the demo event and the addresses to open."""

from datetime import UTC, datetime

from sqlmodel import col, select

from judge.schemas.answers import shipped_answers
from judge.services.accounts.accounts import make_invite, make_token
from judge.services.dispute import drafts, kept_rulings
from judge.services.dispute.case import Case
from judge.services.event.catalogue import remember_word
from judge.services.event.demo import load_demo
from judge.services.log.changes import Actor
from judge.services.pairing.rounds import pair_next
from judge.services.play.calls import call_judge
from judge.services.play.penalties import Sentence, give
from judge.services.season.seasons import SeasonFacts, add_event, create_season
from judge.storage.events import Event, Match, Player
from tests.builders import DESK, NOW, make_staff

LATER = datetime.now(UTC)
TABLE = {
    "game": "dice-throne",
    "edition": "fr-2.2",
    "players": [{"id": "Ana", "hero": "barbarian"}, {"id": "Ben", "hero": "paladin"}],
    "events": [{"by": "Ana", "activate": "overpower", "on": "Ben", "effects": [{"deal": 8}]}],
}
FOG = {"id": "fog", "names": {"en": "Fog"}, "polarity": "negative"}


def build_world(app, sign_in):
    """The demo event with a draft, a call, a penalty and a word of its own; its organiser; its addresses."""
    app.config["WTF_CSRF_ENABLED"] = False

    def token(kind, *numbers):
        return make_token(str(app.secret_key), kind, *numbers)

    with app.extensions["judge.database"].transaction() as session:
        organiser = make_staff(session, None, "organiser")
        load_demo(session, organiser, NOW)
        event, player = session.exec(select(Event)).one(), session.exec(select(Player)).first()
        match = session.exec(select(Match).where(col(Match.result).is_(None))).first()
        call_judge(session, event, match.id, "Ana", "dice", NOW)
        give(session, event, DESK, Sentence(player.id, "late", "warning"), NOW, "late")
        remember_word(session, event, DESK, "status", FOG)
        draft = pair_next(session, event, DESK, 4, despite_missing=True).result
        one, other = session.exec(select(Match).where(Match.round_id == draft.id)).all()[:2]
        invites = [
            make_invite(session, "staff", LATER, event=event, role="judge"),
            make_invite(session, "password", LATER, account=organiser),
        ]
        kept = kept_rulings.keep(session, Case(TABLE), NOW, actor=DESK, event=event, match_id=match.id).result
        draft_of_table = drafts.begin(session, TABLE, NOW, event=event, match=match)
        tokens = [
            token("player", player.id, player.link),
            token("table", match.id, match.link),
            draft_of_table.token,
        ]
        season = create_season(session, SeasonFacts("Age", {"places": [3, 1]}, None), organiser, NOW).result
        add_event(session, season, Actor(organiser.name, organiser.id), event.id, NOW)
        swap = f"rounds/4/swap?one={one.a_id}&other={other.a_id}&version={draft.version}"
        asked = [f"/e/{event.slug}/desk/{swap}", *(f"/join/{i.token}" for i in invites)]
        values = {
            "slug": event.slug,
            "player": player.id,
            "match_id": match.id,
            "kind": "status",
            "word": "fog",
            "key": kept.key,
            "season": season.slug,
            "hero_id": "samurai",
            "rule_id": "DT-DMG-04",
            "answer_id": next(iter(shipped_answers())),
        }
        client = sign_in(app.test_client(), organiser)
    return client, values, tokens, asked


def addresses(app, known, tokens):
    """Every page that can be opened, for every link."""
    for rule in app.url_map.iter_rules():
        if "GET" not in rule.methods or rule.endpoint == "static":
            continue
        for token in tokens if "token" in rule.arguments else [""]:
            values = {name: known.get(name, token if name == "token" else 1) for name in rule.arguments}
            if rule.rule.startswith("/s/"):
                values["slug"] = known["season"]
            yield app.url_map.bind("localhost").build(rule.endpoint, values)

"""What players do on their own phones, from check-in to the last pick."""

import hashlib
import re
from types import SimpleNamespace

import pytest
from sqlmodel import select

from judge.schemas.tournament.event_settings import read_settings
from judge.services.accounts.accounts import make_token
from judge.services.event.events import settings_of
from judge.services.log.changes import undo
from judge.services.pairing.rounds import pair_next, publish
from judge.services.phone.declaring import may_declare
from judge.services.phone.hero_steps import PhoneAct, act_by_phone
from judge.services.phone.sealing import die
from judge.services.play.outcomes import Outcome
from judge.services.play.reports import report
from judge.services.play.results import enter
from judge.storage.audit import AuditRow
from judge.storage.events import Event, Match, Player, Round
from tests.builders import DESK, NOW, make_event, make_players, make_round, make_staff

ANAS, BENS = ["monk", "paladin", "treant"], ["barbarian", "shadow-thief", "moon-elf"]


@pytest.fixture
def world(app, sign_in):
    """world(heroes=..., players=2): an event, its players with a phone each, the organiser's desk."""
    app.config["WTF_CSRF_ENABLED"] = False
    database = app.extensions["judge.database"]

    def start(players=2, settings=None, state="present", rounds=1):
        with database.transaction() as session:
            event = make_event(session, settings=settings or {})
            people = make_players(session, event, players, state=state)
            people[0].heroes, people[1].heroes = ANAS, BENS
            if rounds:
                pairs = [(people[n], people[n + 1]) for n in range(0, players - 1, 2)]
                make_round(session, event, pairs + ([(people[-1], None)] if players % 2 else []))
                event.state = "running"
            desk = sign_in(app.test_client(), make_staff(session, event, "organiser"))
            links = [f"/me/{make_token(str(app.secret_key), 'player', p.id, 1)}" for p in people]
            slug = event.slug
        return SimpleNamespace(
            database=database,
            links=links,
            desk=desk,
            phone=app.test_client(),
            base=f"/e/{slug}/desk",
            app=app,
        )

    return start


def text(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))


def read(world, model):
    with world.database.session() as session:
        return list(session.exec(select(model).order_by(model.id)))


def step(world, link, **form):
    """Press the button that the phone shows."""
    page = world.phone.get(f"{link}/heroes").text
    hidden = {name: re.search(rf'name="{name}" value="([^"]*)"', page) for name in ("kind", "stage")}
    sent = {name: found[1] for name, found in hidden.items() if found}
    return world.phone.post(f"{link}/heroes", data=sent | form)


# -- being there --------------------------------------------------------------------------------------------


def test_a_player_checks_in_only_while_the_organiser_lets_players_do_so(world):
    w = world(state="registered", rounds=0)
    ana = w.links[0]
    closed = w.phone.post(f"{ana}/check-in")
    w.desk.post(f"{w.base}/phones", data={"check_in": "1", "heroes": "1"})
    offered = text(w.phone.get(ana))
    w.phone.post(f"{ana}/check-in")
    w.phone.post(f"{ana}/check-in")

    assert closed.status_code == 409
    assert "I am here" in offered
    assert [p.state for p in read(w, Player)] == ["present", "registered"]
    assert "You are checked in" in text(w.phone.get(ana))
    assert [(e.actor, e.what) for e in read(w, AuditRow)][-1] == ("Ana", "player.checked-in"), "once"
    assert w.phone.post(f"{ana}/leave", data={"sure": "1"}).status_code == 409, "switched off"


def test_the_switches_survive_a_change_of_the_settings(world):
    w = world(rounds=0)
    w.desk.post(f"{w.base}/phones", data={"check_in": "1"})

    with w.database.session() as session:
        phones = settings_of(session.exec(select(Event)).one()).phones

    assert (phones.check_in, phones.drop, phones.heroes) == (True, False, False)
    assert "checked" in re.search(r'id="phones-check_in"[^>]*>', w.desk.get(f"{w.base}/players").text)[0]


def test_leaving_takes_a_tick_is_in_the_log_and_can_be_undone_by_the_desk(world):
    w = world()
    ana = w.links[0]
    assert w.phone.post(f"{ana}/leave", data={"why": "My train"}).status_code == 409
    assert "My train" in w.phone.post(f"{ana}/leave", data={"why": "My train"}).text, "nothing typed is lost"
    assert "still being played" in text(w.phone.get(f"{ana}/leave"))
    w.phone.post(f"{ana}/leave", data={"why": "My train", "sure": "1"})

    player, entry = read(w, Player)[0], read(w, AuditRow)[-1]
    assert (player.state, player.last_round) == ("dropped", 1)
    assert (entry.actor, entry.what, entry.why) == ("Ana", "player.dropped", "My train")
    assert "You have left the event" in text(w.phone.get(ana))
    with w.database.transaction() as session:
        undo(session, session.exec(select(Event)).one(), entry.id, DESK)
    assert read(w, Player)[0].state == "present"


def test_a_report_that_waits_stands_on_top_of_the_opponents_page(world):
    w = world()
    with w.database.transaction() as session:
        event = session.exec(select(Event)).one()
        match = session.exec(select(Match)).one()
        report(session, event, match.id, "b", Outcome("b", None, 0, 12), NOW)

    ana, ben = (text(w.phone.get(link)) for link in w.links)
    assert "Ben reports:" in ana
    assert "Confirm it or say otherwise" in ana
    assert "Your opponent still has to confirm it" in ben


# -- heroes -------------------------------------------------------------------------------------------------


def test_declared_heroes_are_locked_with_time_and_a_hash_that_anybody_can_check(world):
    w = world(settings={"heroes": {"mode": "bring-ban", "bring": 3, "ban": 1}})
    cleo = w.links[0]
    twice = w.phone.post(f"{cleo}/declare", data={"hero": ["monk", "monk", "treant"]})
    few = w.phone.post(f"{cleo}/declare", data={"hero": ["monk", "", ""]})
    w.phone.post(f"{cleo}/declare", data={"hero": ["monk", "Treant", "paladin"]})
    again = w.phone.post(f"{cleo}/declare", data={"hero": ["monk", "treant", "barbarian"]})

    player = read(w, Player)[0]
    assert (twice.status_code, few.status_code, again.status_code) == (422, 422, 422)
    assert player.heroes == ["monk", "treant", "paladin"]
    said = f"{player.declared['salt']} monk treant paladin"
    assert player.declared["hash"] == hashlib.sha256(said.encode()).hexdigest()
    assert player.declared["hash"] in w.phone.get(f"{w.links[1]}/heroes").text, "the opponent can check it"
    w.desk.post(
        f"{w.base}/players/{player.id}",
        data={"version": player.version, "name": "Ana", "heroes": "monk\npaladin\nbarbarian"},
    )
    assert read(w, Player)[0].declared is None, "what the desk changes is open again"


def test_bans_and_picks_on_both_phones_with_the_toss_kept_by_the_program(world):
    w = world(settings={"heroes": {"mode": "bring-ban", "bring": 3, "ban": 1}})
    ana, ben = w.links
    sides = {"a": ana, "b": ben}

    def selection():
        return read(w, Match)[0].selection

    def toss(stage):
        while (
            len({*([0, 0] if not selection().get(f"{stage}_rolls") else selection()[f"{stage}_rolls"][-1])})
            < 2
        ):
            step(w, ana)
            first = selection()
            assert step(w, ana).status_code in (302, 409), "a second press changes nothing"
            assert selection() == first
            step(w, ben)
        a, b = selection()[f"{stage}_rolls"][-1]
        return "a" if a > b else "b"

    assert "Throw my die" in text(w.phone.get(ana))
    winner = toss("ban")
    seed = selection()["toss"]["seed"]
    assert seed not in w.phone.get(f"{ana}/heroes").text, "dice are still to come"
    loser = "b" if winner == "a" else "a"
    refused = step(w, sides[loser], kind="choose", stage="ban", side=loser)
    assert refused.status_code == 409
    step(w, sides[winner], side=winner)
    step(w, sides[winner], hero={"a": "moon-elf", "b": "monk"}[winner])
    assert step(w, sides[winner], kind="ban", hero="treant").status_code == 409, "not this player's turn"
    step(w, sides[loser], hero={"a": "moon-elf", "b": "monk"}[loser])
    starter = toss("start")
    step(w, sides[starter], side="a")
    assert seed in w.phone.get(f"{ben}/heroes").text, "now the seed can be checked"
    assert step(w, ana, hero="monk").status_code == 422, "banned"
    step(w, ana, hero="paladin")
    step(w, ben, hero="barbarian")

    assert selection()["picks"] == {"a": "paladin", "b": "barbarian"}
    for stage in ("ban", "start"):
        rolls = selection()[f"{stage}_rolls"]
        assert rolls == [[die(seed, stage, n, side) for side in "ab"] for n in range(1, len(rolls) + 1)]
    assert selection()["toss"]["hash"] == hashlib.sha256(f"toss {seed}".encode()).hexdigest()
    assert {e.actor for e in read(w, AuditRow)} == {"Ana", "Ben"}
    assert "Paladin – Barbarian" in text(w.phone.get(ana))


def test_a_secret_hero_is_shown_to_nobody_until_both_have_chosen(world):
    w = world(settings={"heroes": {"mode": "lockout", "bring": 3, "ban": 0}})
    with w.database.transaction() as session:
        match = session.exec(select(Match)).one()
        match.selection = {"start_rolls": [[6, 1]], "first": "a"}
    ana, ben = w.links
    assert step(w, ana, hero="barbarian").status_code == 422, "not brought"
    step(w, ana, hero="paladin")
    waiting = w.phone.get(f"{ben}/heroes").text
    match = read(w, Match)[0]
    assert match.selection["sealed"]["a"]["hash"][:12] in waiting
    assert match.selection["sealed"]["a"]["salt"] not in waiting
    assert "picks" not in match.selection
    assert step(w, ana, hero="monk").status_code in (302, 409), "locked"
    step(w, ben, hero="moon-elf")

    match = read(w, Match)[0]
    assert match.selection["picks"] == {"a": "paladin", "b": "moon-elf"}
    sealed = match.selection["sealed"]["a"]
    assert sealed["hash"] == hashlib.sha256(f"{sealed['salt']} paladin".encode()).hexdigest()
    assert sealed["salt"] in w.phone.get(f"{ben}/heroes").text


def test_both_phones_throw_at_the_same_moment_and_both_dice_count(database):
    with database.transaction() as session:
        event = make_event(session)
        ana, ben = make_players(session, event, 2)
        make_round(session, event, [(ana, ben)])
        numbers = event.id, session.exec(select(Match)).one().id, ana.id, ben.id
    with database.transaction() as session:
        event = session.get_one(Event, numbers[0])
        for player in numbers[2:]:
            act_by_phone(session, event, numbers[1], player, PhoneAct("roll", "ban"), NOW)
        selection = session.get_one(Match, numbers[1]).selection

    assert len(selection["ban_rolls"]) == 1
    assert "thrown" not in selection


def test_dice_are_fair():
    counts = [0] * 7
    for n in range(6000):
        counts[die("seed", n)] += 1

    assert counts[0] == 0
    assert all(850 < count < 1150 for count in counts[1:])


# -- heroes by lot ------------------------------------------------------------------------------------------


def test_nobody_declares_heroes_that_are_drawn_by_lot():
    settings = read_settings({"heroes": {"mode": "random", "bring": 3, "ban": 1}})

    assert (settings.heroes.bring, settings.heroes.ban) == (0, 0)
    event = SimpleNamespace(
        state="setup", settings={"heroes": {"mode": "random", "bring": 3, "ban": 1}}, preset=""
    )
    assert not may_declare(event, "present", None)
    event.settings["heroes"]["mode"] = "bring-ban"
    assert may_declare(event, "present", None)


def test_random_heroes_are_drawn_for_every_table_on_publishing_by_a_stored_seed(database):
    with database.transaction() as session:
        event = make_event(session, settings={"heroes": {"mode": "random"}})
        make_players(session, event, 7)
        round_ = pair_next(session, event, DESK, 1).result
        change = publish(session, event, DESK, 1, round_.version, NOW)
        seed = round_.report["hero_seed"]
        tables = session.exec(select(Match).where(Match.b_id.is_not(None))).all()
        picks = [m.selection["picks"] for m in tables]
        again = [dict(p) for p in picks]
        undo(session, event, change.entry, DESK)
        undone = [m.selection for m in session.exec(select(Match).where(Match.b_id.is_not(None)))]

    assert len(picks) == 3
    assert all(p["a"] != p["b"] for p in picks)
    assert len(seed) == 16
    assert undone == [{}, {}, {}]
    assert again == picks


def test_taking_a_round_back_does_not_draw_new_heroes(database):
    from judge.services.pairing.rounds import unpublish

    with database.transaction() as session:
        event = make_event(session, settings={"heroes": {"mode": "random"}})
        make_players(session, event, 4)
        round_ = pair_next(session, event, DESK, 1).result
        publish(session, event, DESK, 1, round_.version, NOW)
        first = {m.id: m.selection["picks"] for m in session.exec(select(Match))}
        unpublish(session, event, DESK, 1, session.exec(select(Round)).one().version)
        publish(session, event, DESK, 1, session.exec(select(Round)).one().version, NOW)

        assert {m.id: m.selection["picks"] for m in session.exec(select(Match))} == first


# -- what is needed -----------------------------------------------------------------------------------------


def test_what_do_i_need_is_about_the_cut_and_then_settled(world, monkeypatch):
    monkeypatch.setattr("judge.services.phone.needs.LONG", 60)  # a busy machine is no big hall
    w = world(players=4, settings={"format": {"kind": "swiss", "rounds": 2}, "cut": 2})
    before = text(w.phone.get(f"{w.links[0]}/needs"))
    with w.database.transaction() as session:
        event = session.exec(select(Event)).one()
        for match in session.exec(select(Match)).all():
            enter(session, event, DESK, match.id, Outcome("a", None, 9, 0))
    later = text(w.phone.get(f"{w.links[0]}/needs"))

    assert "To go on to the next stage" in before
    assert later != before


def test_in_a_big_hall_the_answer_of_a_moment_ago_will_do(world, monkeypatch):
    monkeypatch.setattr("judge.services.phone.needs.LONG", 0)
    monkeypatch.setattr("judge.services.phone.needs.LEAST_PAUSE", 10**9)
    w = world(players=4, settings={"format": {"kind": "swiss", "rounds": 2}, "cut": 2})
    before = text(w.phone.get(f"{w.links[0]}/needs"))
    with w.database.transaction() as session:
        event = session.exec(select(Event)).one()
        for match in session.exec(select(Match)).all():
            enter(session, event, DESK, match.id, Outcome("a", None, 9, 0))

    assert text(w.phone.get(f"{w.links[0]}/needs")) == before


# -- cost ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["bring-ban", "lockout", "free"])
def test_the_pages_take_no_more_queries_with_more_players(world, queries, mode):
    w = world(players=40, settings={"heroes": {"mode": mode, "bring": 3 if mode != "free" else 0, "ban": 0}})

    def all_pages(link):
        return {
            page: queries(lambda page=page: w.phone.get(f"{link}{page}"))
            for page in ("", "/heroes", "/declare", "/leave", "/check-in", "/needs")
        }

    counts = all_pages(w.links[0])
    assert max(counts.values()) <= 12, counts
    with w.database.transaction() as session:
        event = session.exec(select(Event)).one()
        make_players(session, event, 60)
    more = all_pages(w.links[1])
    assert all(more[page] <= counts[page] for page in counts), (more, counts)

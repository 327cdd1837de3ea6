"""The page of a table: every action by forms, undo and redo without end; and whatever the page can produce,
its exported file is ruled the same."""

import json
import random
import re
from html import unescape

import pytest
from sqlmodel import select

from judge.schemas.files import parse
from judge.services.dispute.drafts import get_draft
from judge.services.dispute.rulings import rule_file
from judge.storage.rulings import TableDraft

PART = {"HX-Request": "true"}


@pytest.fixture
def desk(app, client):
    """A desk at which somebody taps: begin(...) a table, tap(...) on it, read its file and what it shows."""
    app.config["WTF_CSRF_ENABLED"] = False
    return Desk(app, client)


class Desk:
    def __init__(self, app, client):
        self.app, self.client, self.address = app, client, ""

    def begin(self, **form):
        form = {"hero1": "barbarian", "hero2": "paladin", **form}
        self.address = self.client.post("/rule", data=form).headers["Location"]
        return self

    def tap(self, do, status=200, **form):
        answer = self.client.post(self.address, data={"do": do, **form}, headers=PART)
        assert answer.status_code == status, answer.text[:800]
        return answer.text

    def add(self, status=200, **event):
        where = {key: event.pop(key) for key in ("p", "before") if key in event}
        return self.tap("add", status, event=json.dumps(event), **where)

    @property
    def file(self):
        return parse(self.client.get(f"{self.address}/table.yaml").data)

    @property
    def events(self):
        return self.file.get("events") or []

    def shown(self):
        """The numbers of the answer bar."""
        text = self.client.get(self.address, headers=PART).text
        bar = text[text.index('class="answer-so-far"') :]
        pairs = re.findall(r'class="clip">([^<]*)</span> <b[^>]*>(\d+)</b>', bar)
        return {who: int(number) for who, number in pairs}, len(re.findall(r'class="line illegal', text))


@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_effects_that_name_a_player_are_shown(desk, lang):
    desk.begin()
    skips = [{"may": [{"skip_phase": "offensive-roll", "to": "Barbarian"}]}]
    desk.add(by="Paladin", does="trip", effects=[{"skip_phase": "offensive-roll", "to": "Barbarian"}])
    desk.add(by="Paladin", does="feint", effects=skips)

    page = desk.client.get(desk.address, headers={"Accept-Language": lang})
    assert page.status_code == 200
    assert page.text.count("line legal") + page.text.count("line discretion") == 2


def test_an_event_is_added_inserted_moved_changed_and_removed(desk):
    desk.begin()
    desk.add(by="Barbarian", activate="overpower", on="Paladin")
    desk.add(by="Paladin", defend="divine-defense")
    desk.add(by="Barbarian", play="get-some", before=2)
    desk.tap("number", n=1, word="deal", value=18)
    desk.tap("move", n=3, by="up")
    desk.tap("dice", n=2, d1="3", d2="3", d3="5")
    desk.tap("remove", n=3)

    assert desk.events == [
        {
            "by": "Barbarian", "activate": "overpower", "on": "Paladin",
            "effects": [{"type": "normal", "deal": 18}, {"inflict": "concussion"}],
        },
        {"by": "Paladin", "defend": "divine-defense", "dice": [3, 3, 5]},
    ]  # fmt: skip
    assert desk.shown() == ({"Paladin": 14}, 0)


def test_every_step_can_be_taken_back_and_done_again(desk):
    desk.begin()
    files = [desk.file]
    for n in range(12):
        desk.tap("holds", who="Paladin", token="protect", by=1 if n % 2 == 0 else -1)
        files.append(desk.file)
    for file in reversed(files[:-1]):
        desk.tap("undo")
        assert desk.file == file
    for file in files[1:]:
        desk.tap("redo")
        assert desk.file == file


def test_what_cannot_be_ruled_changes_nothing_and_says_why(desk):
    desk.begin()
    before = desk.file
    text = desk.add(422, by="Nobody", activate="overpower")

    assert "expected one of: Barbarian, Paladin" in text
    assert desk.file == before


def test_a_tap_that_arrives_twice_counts_once(desk):
    desk.begin()
    event = json.dumps({"by": "Barbarian", "activate": "overpower", "on": "Paladin"})
    desk.tap("add", event=event, once="tap-1")
    desk.tap("add", event=event, once="tap-1")

    assert len(desk.events) == 1


def test_what_was_sent_again_after_a_lost_answer_counts_once(desk):
    desk.begin()
    for n in range(3):
        desk.add(by="Barbarian", activate="overpower", on="Paladin", effects=[{"deal": n + 1}])
    counts = []
    for do, mark in (("undo", "a"), ("undo", "b"), ("redo", "c"), ("remove", "d")):
        for _ in range(2):
            desk.tap(do, n=2, once=mark)
        counts.append(len(desk.events))
    desk.tap("pin", once="e")
    desk.tap("pin", once="e")

    assert counts == [2, 1, 2, 1]
    with desk.app.extensions["judge.database"].transaction() as session:
        assert session.exec(select(TableDraft)).one().is_pinned


def test_a_player_is_renamed_wherever_the_file_names_them(desk):
    desk.begin()
    desk.add(by="Barbarian", activate="overpower", on="Paladin")
    desk.tap("claim", **{"claim-1-2": "5"})
    desk.tap("seat", who="Paladin", name="Ben")

    assert desk.events[0]["on"] == "Ben"
    assert desk.file["claims"] == [{"by": "Barbarian", "player": "Ben", "final": 5}]


def test_two_events_meet_and_part_again(desk):
    desk.begin()
    desk.tap("holds", who="Paladin", token="protect")
    desk.add(by="Barbarian", activate="overpower", on="Paladin", effects=[{"deal": 8}])
    desk.add(by="Paladin", spend="protect")
    desk.add(by="Barbarian", play="buh-bye", on="Paladin")
    desk.tap("join", n=3, timing="in-answer")

    assert [list(event) for event in desk.events[1:]] == [["collide", "timing"]]
    desk.tap("part", n=2)
    assert len(desk.events) == 3


def test_the_head_judge_chooses_a_reading_and_leaves_it_open_again(desk):
    desk.begin()
    desk.tap("point", point="J-03", letter="a")
    assert desk.file["rulings"] == {"J-03": "a"}
    desk.tap("point", point="J-03", letter="")

    assert "rulings" not in desk.file


def test_something_else_by_numbers_is_ruled_and_offered_again_by_name(desk):
    desk.begin()
    text = desk.tap(
        "something", who="Barbarian", name="Big Stick", thing="attack", deal="7", type="undefendable"
    )

    assert desk.shown() == ({"Paladin": 7}, 0)
    assert "Big Stick" in text


def test_a_name_that_was_typed_is_shown_as_typed_and_is_one_thing(desk):
    desk.begin(hero1="Zorblax")
    for typed in ("Black Gloom", "black gloom"):
        text = desk.tap("holds", who="Zorblax", named=typed)
    known = desk.tap("holds", who="Zorblax", named="evasive")

    assert "Black Gloom ×2" in text
    assert desk.file["players"][0]["statuses"] == {"Black Gloom": 2, "evasive": 1}
    assert "Evasive" in known


def test_a_table_for_four_in_teams_knows_who_is_against_whom(desk):
    desk.begin(mode="2v2", hero3="treant", hero4="gunslinger")
    file = desk.file

    assert [p["team"] for p in file["players"]] == ["red", "red", "blue", "blue"]
    assert "Treant" in desk.client.get(desk.address).text


def test_a_forged_link_opens_nothing(client):
    assert client.get("/rule/WzFd.forged").status_code == 404


def test_the_page_of_a_dice_throne_table_finds_things_in_three_languages(desk):
    desk.begin()
    for typed, name in (
        ("domi", "Overpower"),
        ("прев", "Overpower"),
        ("buh", "Buh, Bye!"),
        ("tcha", "Buh, Bye!"),
    ):
        assert name in desk.client.get(f"{desk.address}/find", query_string={"q": typed}).text


def test_a_file_that_writes_heroes_by_name_is_offered_what_they_can_do(desk):
    players = [{"id": "A", "hero": "SAMURAI"}, {"id": "B", "hero": "As de la Gâchette"}]
    file = {"game": "dice-throne", "edition": "fr-2.4.1", "players": players, "events": []}
    answer = desk.client.post("/rule/open", data={"file": json.dumps(file)})

    page = desk.client.get(answer.headers["Location"]).text
    assert "Katana Slice" in page
    assert "Gunslinger" in page


# -- Dice Forge ---------------------------------------------------------------------------------------------


def forge(desk, *players, **table):
    file = {"game": "dice-forge", "edition": "fr-1", "players": list(players), "events": [], **table}
    answer = desk.client.post("/rule/open", data={"file": json.dumps(file)})
    desk.address = answer.headers["Location"]
    return desk


RICH = {"gold": 12, "sun": 6, "moon": 6}
ACTION = {"active": "Ana", "first": "Ana", "step": 3}


def test_a_face_that_is_bought_goes_over_a_plain_one_until_somebody_says_otherwise(desk):
    forge(desk, {"id": "Ana", **RICH}, {"id": "Ben"}, turn=ACTION)
    page = desk.client.get(desk.address).text
    offer = next(
        json.loads(v) for v in map(unescape, re.findall(r'name="event" value="([^"]+)"', page)) if "M2" in v
    )
    assert offer == {"by": "Ana", "offer": [{"face": "M2", "die": 1, "over": "G1"}]}
    desk.add(**offer)
    desk.tap("pick", n=1, what="another", face="G3")
    desk.tap("pick", n=1, what="place", key="offer", k=1, die=2, over="V2")

    assert desk.events[0]["offer"] == [
        {"face": "M2", "die": 1, "over": "G1"},
        {"face": "G3", "die": 2, "over": "V2"},
    ]
    assert desk.shown()[1] == 0
    desk.tap("pick", n=1, what="drop", k=0)
    assert desk.events[0]["offer"] == [{"face": "G3", "die": 2, "over": "V2"}]


def test_choices_mirrors_ships_and_the_hammer_are_tapped_on_the_blessing(desk):
    dice = [["MIRROR", "SHIP", "CH1", "G6", "G1", "G1"], ["X3", "G1", "G1", "G1", "M1", "V2"]]
    ana = {
        "id": "Ana",
        "gold": 5,
        "dice": dice,
        "feats": ["blacksmiths_hammer"],
        "hammer": {"lap": 1, "position": 0},
    }
    forge(desk, ana, {"id": "Ben", "shown": ["G1", "S1"]})
    desk.add(by="Ana", bless=["MIRROR", "M1"])
    desk.tap("pick", n=1, what="copy", player="Ben", die=2)
    assert desk.events[0]["copy"] == {"player": "Ben", "die": 2}
    desk.add(by="Ana", bless=["CH1", "G1"])
    desk.tap("pick", n=2, what="choose", value="S")
    desk.tap("pick", n=2, what="hammer", value=1)
    assert desk.events[1] == {"by": "Ana", "bless": ["CH1", "G1"], "choose": "S", "hammer": 1}
    desk.tap("pick", n=2, what="choose", value="")
    assert "choose" not in desk.events[1]
    desk.add(by="Ana", bless=["SHIP", "G1"])
    desk.tap("pick", n=3, what="place", key="buy", k=0, face="G4")
    assert desk.events[2]["buy"] == {"face": "G4", "die": 1, "over": "G1"}


@pytest.mark.parametrize(
    "sent",
    [
        {"what": "copy", "player": "Nobody"},
        {"what": "oust", "player": "Nobody", "d1": "G1", "d2": "G1"},
        {"what": "place", "key": "offer", "k": -7},
        {"what": "sing"},
        {"what": "flag", "value": "by"},
    ],
)
def test_a_tap_that_makes_no_sense_is_refused(desk, sent):
    forge(desk, {"id": "Ana", **RICH}, {"id": "Ben"}, turn=ACTION).add(by="Ana", feat="ferryman")
    before = desk.file

    desk.tap("pick", 422, n=1, **sent)
    assert desk.file == before
    desk.add(advance="turn")
    desk.tap("pick", 422, n=2, what="choose", value="G")


def test_what_can_be_paid_comes_first(desk):
    forge(desk, {"id": "Ana", "moon": 1, "gold": 3}, {"id": "Ben"}, turn=ACTION)
    page = desk.client.get(desk.address).text
    now, later = page[page.index('id="feats"') : page.index('id="minor"')], page[page.index('id="later"') :]

    assert "Blacksmith" in now
    assert "Hydra" not in now
    assert "Hydra" in later


def test_what_is_gone_or_done_already_is_not_offered_as_possible(desk):
    def possible():
        page = desk.client.get(desk.address).text
        chips = page[page.index('id="feats"') : page.index('id="minor"')]
        return [json.loads(unescape(v)) for v in re.findall(r'name="event" value="([^"]+)"', chips)]

    faces = [["G6", "G1", "G1", "G1", "G1", "S1"], ["G1", "G1", "G1", "G1", "M1", "V2"]]
    forge(desk, {"id": "Ana", **RICH, "dice": faces}, {"id": "Ben"}, turn=ACTION)
    bought = [event["offer"][0]["face"] for event in possible() if "offer" in event]
    assert "CH1" in bought
    assert "G6" not in bought  # the only one sits on Ana's die
    desk.add(by="Ana", feat="ferryman")
    assert all(event["extra"] for event in possible())
    desk.add(by="Ana", feat="wild_spirits", extra=True)
    assert possible() == []


# -- whatever the page can produce --------------------------------------------------------------------------

FORM = re.compile(r'<form[^>]*method="post"[^>]*>(.*?)</form>', re.S)
INPUT = re.compile(r"<input([^>]*)>")
SELECT = re.compile(r"<select([^>]*)>(.*?)</select>", re.S)
BUTTON = re.compile(r"<button([^>]*)>")
OPTION = re.compile(r"<option([^>]*)>([^<]*)")


def attribute(text, name):
    found = re.search(rf'(?:^|\s){name}="([^"]*)"', text)
    return unescape(found[1]) if found else None


def a_tap(dice, page):
    """Some form of the page, filled in at random, with one of its buttons."""
    body = dice.choice([body for body in FORM.findall(page) if 'name="do"' in body])
    sent, radios = {}, {}
    for given in INPUT.findall(body):
        name, kind, value = (attribute(given, key) for key in ("name", "type", "value"))
        if kind == "radio":
            radios.setdefault(name, []).append(value)
        elif kind == "checkbox":
            sent |= {name: "on"} if dice.random() < 0.3 else {}
        elif kind == "number":
            sent[name] = str(dice.choice(["", 0, 1, 2, 5, 18]))
        elif kind == "hidden":
            sent[name] = value or ""
    for given, inner in SELECT.findall(body):
        options = [(attribute(o, "value"), unescape(text)) for o, text in OPTION.findall(inner)]
        sent[attribute(given, "name")] = dice.choice(
            [text if v is None else v for v, text in options] or [""]
        )
    sent |= {name: dice.choice(values) for name, values in radios.items()}
    buttons = [(attribute(given, "name"), attribute(given, "value") or "") for given in BUTTON.findall(body)]
    if named := [pair for pair in buttons if pair[0]]:
        sent |= dict([dice.choice(named)])
    return {k: v for k, v in sent.items() if k != "csrf_token"}


@pytest.mark.parametrize("seed", [*range(6), 7, 10])
def test_whatever_is_tapped_the_exported_file_is_ruled_as_the_page_shows(desk, seed):
    dice = random.Random(seed)
    games = [
        {"hero1": dice.choice(HEROES), "hero2": dice.choice(HEROES)},
        {"game": "dice-forge", "players": str(dice.randint(2, 4))},
        {"mode": "2v2", "hero3": dice.choice(HEROES), "hero4": ""},
    ]
    desk.begin(**games[seed % 3])
    counted = 0
    for _ in range(40):
        page = desk.client.get(f"{desk.address}?p={dice.randint(1, 2)}").text
        tap = a_tap(dice, page)
        if tap["do"] in ("whole", "pin"):
            continue
        answer = desk.client.post(desk.address, data=tap, headers=PART)
        assert answer.status_code in (200, 422), (tap, answer.text[:500])
        counted += answer.status_code == 200
        yaml = desk.client.get(f"{desk.address}/table.yaml").data
        file = json.loads(desk.client.get(f"{desk.address}/table.json").data)
        assert parse(yaml) == file
        ruling = rule_file(file)
        shown, illegal = desk.shown()
        assert illegal == sum(event["verdict"] == "illegal" for event in ruling["events"]), tap
        assert shown == answer_of(ruling), tap
        assert ruling == rule_file(own_table(desk))

    assert counted >= 10


HEROES = [
    "barbarian",
    "cursed-pirate",
    "gunslinger",
    "paladin",
    "pyromancer",
    "shadow-thief",
    "treant",
    "vampire-lord",
]


def own_table(desk):
    """The table as it is stored."""
    token = desk.address.rsplit("/", 1)[1]
    with desk.app.extensions["judge.database"].session() as session:
        return get_draft(session, token).table


def answer_of(ruling):
    if ruling["game"] == "dice-forge":
        if ruling["outcome"]["state"] != "playing":
            return ruling["outcome"]["scores"]
        return {name: p["glory"] + 100 * p["hundreds"] for name, p in ruling["players"].items()}
    taken = {}
    for resolution in ruling["resolutions"]:
        for who, total in resolution["totals"].items():
            taken[who] = taken.get(who, 0) + total["final"]
    return taken


def test_what_the_books_leave_open_is_said_before_the_numbers(desk):
    desk.begin()
    desk.tap("holds", who="Paladin", named="shadows")
    desk.tap("holds", who="Paladin", named="retribution")
    desk.add(by="Barbarian", activate="smack", on="Paladin", effects=[{"deal": 7}])
    bar = desk.add(by="Paladin", spend="retribution")
    pages = [desk.client.get(f"{desk.address}/ruling{how}").text for how in ("", "?show=1", "?second=fr")]

    assert "Left to the head judge" in bar.partition('id="answer-so-far"')[2]
    for page in pages:
        assert "Left to the head judge" in page.partition(" takes ")[0].partition("<h1")[2]
    assert "Au choix de l’arbitre principal" in pages[2]


def test_an_entered_order_is_told_in_names(desk):
    desk.begin()
    desk.tap("holds", who="Paladin", named="protect")
    one, other = (
        {"by": "Paladin", "spend": "protect"},
        {"by": "Barbarian", "play": "buh-bye", "on": "Paladin"},
    )
    desk.add(by="Barbarian", activate="smack", on="Paladin", effects=[{"deal": 7}])
    page = desk.add(collide=[one, other])

    assert "Barbarian: Buh, Bye! (resolves) → Paladin: Protect" in page

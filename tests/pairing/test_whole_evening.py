"""Whole events by forms alone: a late player, changes to a published round, a correction two rounds later,
and final standings that are the same on page, phone, paper, screen, CSV and file.
"""

import csv
import io
import json
import re

import pytest
from sqlmodel import select

from judge.services.event.tournament_files import standings_file
from judge.storage.tables import AuditRow, Match, Player, Round
from judge.web.public.private_links import player_link
from tests.hall import text
from tests.paper.reading import Read


def enter(hall, winner=None):
    """Enter the open tables; the player with the lower number wins, or `winner` where named."""
    for match in hall.open():
        side = "b" if (winner and winner == match.b_id) or (not winner and match.b_id < match.a_id) else "a"
        health = (12, 0) if side == "a" else (0, 12)
        hall.post(f"/matches/{match.id}/result", result=side, health_a=health[0], health_b=health[1])


def version(hall):
    return hall.rows(Round)[-1].version


def pdf(hall, path):
    return Read(hall.client.get(f"/e/{hall.slug}{path}").data)


def places_on_page(hall, names):
    """Rank by name, from the public page."""
    rows = re.findall(
        r'<tr( class="above-cut")?><td class="num">(\d+)</td><th scope="row"><a[^>]*>([^<]+)',
        hall.visitor.get(f"/e/{hall.slug}/standings").text,
    )
    assert len(rows) == len(names)
    return {name: int(rank) for _, rank, name in rows}, [name for cut, _, name in rows if cut]


@pytest.fixture
def evening(hall):
    """Thirteen players, four rounds of Ranked and a cut to eight, with everything that goes wrong in one."""
    hall = hall("dice-throne-ranked", 12, cut=8, third_place=True, format={"kind": "swiss", "rounds": 4})
    hall.publish(1)
    return hall


def test_a_late_player_a_correction_and_the_cut(evening, app):
    hall = evening
    hall.post("/players/add", kind="names", text="Late Lou")
    lou = hall.rows(Player)[-1]
    assert "Without a seat in this round" in hall.get("/rounds/1")
    hall.post("/rounds/1/late", version=version(hall), player=lou.id)
    (bye,) = [m for m in hall.rows(Match) if m.b_id is None]
    assert bye.a_id == lou.id, "nobody had the bye: it is Lou's"
    hall.post("/players/add", kind="names", text="Later Liz")
    liz = hall.rows(Player)[-1]
    hall.post("/rounds/1/late", version=version(hall), player=liz.id)
    (seated,) = [m for m in hall.rows(Match) if liz.id in m.seats]
    assert set(seated.seats) == {lou.id, liz.id}
    assert seated.table_no == 7
    assert seated.result is None
    hall.post("/rounds/1/late", 422, on="/rounds/1", version=version(hall), player=liz.id)
    entry = latest(hall, "round.late-seated")
    hall.post(f"/log/{entry.id}/undo")
    assert [m.a_id for m in hall.rows(Match) if m.b_id is None] == [lou.id], "undone, Lou has the bye again"
    hall.post(f"/players/{liz.id}/remove", 302, version=hall.rows(Player)[-1].version)

    enter(hall)
    for number in (2, 3, 4):
        hall.publish(number)
        enter(hall)
    early = next(m for m in hall.rows(Match) if m.b_id is not None)
    new = "b" if early.result == "a" else "a"
    healths = {"health_a": 0 if new == "b" else 9, "health_b": 9 if new == "b" else 0}
    form = {"version": early.version, "result": new, "why": "slip misread", **healths}
    assert "stay as they were played" in hall.post(f"/matches/{early.id}/correct", 200, **form)
    hall.post(f"/matches/{early.id}/correct", step="apply", **form)

    names = {p.id: p.name for p in hall.rows(Player)}
    swiss, above = places_on_page(hall, names)
    assert "Standings after 4 rounds" in hall.seen("/standings"), "not final: the cut is still to come"
    assert len(above) == 1, "one line, at the cut"
    assert [n for n, rank in sorted(swiss.items(), key=lambda pair: pair[1])][7] == above[0]
    hall.post("/cut", number=5)
    hall.post("/rounds/5/publish", version=version(hall))
    seeds = hall.rows(Round)[-1].report["seeds"]
    enter(hall, winner=seeds[7])  # the eighth beats the first; elsewhere side a wins
    for number in (6, 7):
        hall.publish(number)
        enter(hall, winner=seeds[7])
    hall.post("/finish")

    page, above = places_on_page(hall, names)
    champion = names[seeds[7]]
    assert page[champion] == 1, "the winner of the bracket is first, not the Swiss leader"
    assert page[names[seeds[0]]] == 5
    assert sorted(page.values())[:8] == [1, 2, 3, 4, 5, 5, 5, 5]
    assert "Final standings" in hall.seen("/standings")
    assert "Final standings" in hall.seen("/screen")

    listed = spreadsheet(hall, "standings")
    assert {row["player"]: int(row["rank"]) for row in listed} == page
    results = spreadsheet(hall, "results")
    assert {row["round"] for row in results} == set("1234567")

    file = json.loads(hall.client.get(f"/e/{hall.slug}/desk/files/tournament.json").text)
    assert {line["player"]: line["rank"] for line in standings_file(file, whole_event=True)} == page

    for path in ("/standings.pdf", "/standings.pdf?language=fr", "/standings.pdf?language=ru"):
        paper = pdf(hall, path)
        words = " ".join(paper.texts)
        assert {"": "Final", "fr": "final", "ru": "тогов"}[path[-2:] if "=" in path else ""] in words
        order = sorted(names.values(), key=lambda name: paper.texts.index(name))
        assert order[0] == champion
        assert [page[name] for name in order] == sorted(page.values())

    with app.test_request_context():
        links = {p.name: player_link(p) for p in hall.rows(Player)}
    assert f"Final place: 1 of {len(names)}" in text(hall.visitor.get(links[champion]).text)
    assert f"Final place: {page['Late Lou']} of" in text(hall.visitor.get(links["Late Lou"]).text)


def spreadsheet(hall, what):
    answer = hall.client.get(f"/e/{hall.slug}/desk/files/{what}.csv")
    return list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))


def latest(hall, what):
    with hall.database.session() as session:
        return session.exec(
            select(AuditRow).where(AuditRow.what == what).order_by(AuditRow.id.desc())
        ).first()


def test_tables_of_a_published_round_change_with_a_reason(evening):
    hall = evening
    first, second, third, *_ = hall.open()
    hall.post(f"/matches/{first.id}/result", result="a", health_a=20, health_b=0)
    names = hall.names()
    page = f"/rounds/1/swap?version={version(hall)}&one={second.a_id}&other={third.a_id}"
    assert "Reason" in hall.get(page)
    form = {"version": version(hall), "one": second.a_id, "other": third.a_id}
    assert "give a reason" in hall.post("/rounds/1/swap", 422, on="/rounds/1", **form)
    link = {m.id: m.link for m in hall.rows(Match)}
    hall.post("/rounds/1/swap", why="they travel together", **form)
    now = {m.id: m for m in hall.rows(Match)}
    assert now[second.id].a_id == third.a_id
    assert now[second.id].link != link[second.id], "an old slip reports nothing"
    assert names[third.a_id] in hall.seen("")
    assert "they travel together" in hall.get("/log")

    played = {"version": version(hall), "one": first.a_id, "other": third.a_id, "why": "x"}
    assert "already" in hall.post("/rounds/1/swap", 422, on="/rounds/1", **played)
    move = {"version": version(hall), "match": second.id, "table": 40}
    hall.post("/rounds/1/tables", 422, on="/rounds/1", **move)
    hall.post("/rounds/1/tables", why="the lamp is broken", **move)
    assert next(m for m in hall.rows(Match) if m.id == second.id).table_no == 40

    tables = [m.table_no for m in hall.open()]
    shown = hall.post("/rounds/1/open-tables", 200, version=version(hall), table=tables)
    assert "Rematches" in shown
    before = {m.seats for m in hall.rows(Match)}
    stale = version(hall)
    hall.post("/rounds/1/open-tables", version=stale, table=tables, step="apply", why="two friends met")
    after = hall.rows(Match)
    assert first.seats in {m.seats for m in after}, "the played table stays"
    assert {p for seats in before for p in seats} == {p for m in after for p in m.seats}
    hall.post("/rounds/1/open-tables", 409, version=stale, table=tables, step="apply", why="again")
    hall.post(f"/log/{latest(hall, 'round.tables-paired-again').id}/undo")
    assert {m.seats for m in hall.rows(Match)} == before

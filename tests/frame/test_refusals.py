"""A refused form comes back on its own page: what is wrong on top, everything typed still in it."""

import re

from werkzeug.datastructures import MultiDict

from judge.storage.tables import Player, Round
from judge.web.frame.refill import refilled
from judge.web.frame.security import LONGEST_FORM

PAGE = """<!doctype html><html><main id="content" class="page"><details><summary>More</summary>
<form method="post" action="/a/1"><input type="hidden" name="which" value="1"><input name="club"></form>
<form method="post" action="/a/1"><input type="hidden" name="which" value="2">
<input type="hidden" name="version" value="7">
<input name="club" value="old &amp; &#39;new&#39;"><textarea name="note">before</textarea>
<input type="checkbox" name="is_new" checked>
<select name="kind"><option value="a" selected>A</option><option value="b">B</option></select>
<button name="go" value="x">Go</button></form>
</details></main></html>"""


def test_the_form_that_was_sent_is_filled_and_unfolded_and_keeps_its_fresh_version():
    sent = MultiDict(
        {"which": "2", "version": "5", "club": '"Lyon" <b>', "note": "a\n</textarea>", "kind": "b", "go": "x"}
    )

    page = refilled(PAGE, "/a", "/a/1", sent, notice)

    assert '<main id="content" class="page"><p>No. None</p>' in page
    assert "<details open>" in page
    first, second = page.split("<form")[1:]
    assert "Lyon" not in first
    assert 'name="version" value="7"' in second
    assert 'value="&quot;Lyon&quot; &lt;b&gt;"' in second
    assert "a\n&lt;/textarea&gt;</textarea>" in second
    assert "before" not in second
    assert 'name="is_new" checked' not in second
    assert '<option value="b" selected>' in second
    assert '<option value="a">' in second


def notice(typed):
    return f"<p>No. {typed}</p>"


def test_a_page_without_that_form_gets_the_sentence_and_what_was_typed():
    page = refilled(
        PAGE,
        "/a",
        "/elsewhere",
        MultiDict({"club": "Lyon", "next": "/"}),
        lambda typed: f"<p>No. {typed}</p>",
    )

    assert page == PAGE.replace('class="page">', f'class="page">{notice(["Lyon"])}')


def test_refusals_are_shown_where_the_form_stands(hall, sign_in):
    hall = hall("dice-throne-ranked", 5)
    player = hall.rows(Player)[0]
    address = f"/players/{player.id}"
    hall.post(address, version=player.version, name=player.name, club="Lyon")

    says = hall.post(address, 409, on=address, version=player.version, name="Somebody", club="Nantes")
    assert "Somebody was faster" in says
    assert "club" in says
    assert 'value="Nantes"' in hall.page
    fresh = hall.rows(Player)[0].version
    assert f'name="version" value="{fresh}"' in hall.page
    hall.post(address, version=fresh, name="Somebody", club="Nantes")
    assert hall.rows(Player)[0].club == "Nantes", "sent again from the fresh page, it is saved"

    hall.publish(1)
    match = hall.open()[0]
    page = f"/matches/{match.id}"
    hall.post(f"{page}/result", on=page, result="a", health_a=20, health_b=0)
    says = hall.post(f"{page}/result", 409, on=page, result="b", health_a=0, health_b=3)
    assert "Nothing was saved" in says
    round_ = hall.rows(Round)[-1]
    says = hall.post("/rounds/1/unpublish", 422, on="/rounds/1", version=round_.version)
    assert "Tables of round 1" in says, "the page of the round"

    scorekeeper = hall.staff(sign_in, "scorekeeper")
    token = re.search(r'csrf_token" value="([^"]+)"', scorekeeper.get(f"/e/{hall.slug}/desk/results").text)[1]
    home = f"http://localhost/e/{hall.slug}/desk"
    answer = scorekeeper.post(
        f"/e/{hall.slug}/desk/delete", data={"csrf_token": token}, headers={"Referer": home}
    )
    assert answer.status_code == 403
    assert "You may not do that" in answer.text
    assert 'id="next"' in answer.text
    stale = scorekeeper.post(
        f"/e/{hall.slug}/desk/results", data={"line": "2 a"}, headers={"Referer": f"{home}/results"}
    )
    assert stale.status_code == 400
    assert 'value="2 a"' in stale.text, "a form that was open for too long loses nothing"


def test_without_a_page_to_go_back_to_there_is_a_page_of_its_own(hall):
    hall = hall("dice-throne-ranked", 5)

    says = hall.post("/rounds/9/publish", 404, version=1)

    assert "To the start page" in says
    answer = hall.client.post(f"/e/{hall.slug}/desk/cut", headers={"Referer": "https://elsewhere.example/x"})
    assert "elsewhere.example" not in answer.text


def test_a_long_form_of_a_visitor_is_refused_unread_and_that_of_staff_is_read(client, desk):
    long = {"login": "x" * (LONGEST_FORM + 1), "csrf_token": "x"}
    refused = client.post("/sign-in", data=long)

    assert refused.status_code == 413
    assert "at most 2 MiB" in refused.text
    assert desk.client.post("/account/name", data=long).status_code == 400, "read: its token is wrong"


def test_a_form_that_is_gone_leaves_what_was_typed_on_the_page(hall):
    """The round whose table was to move is discarded meanwhile in another window."""
    hall = hall("dice-throne-ranked", 4)
    hall.post("/rounds", number=1)
    version = hall.rows(Round)[-1].version
    hall.post("/rounds/1/discard", version=version)
    says = hall.post("/rounds/1/tables", 404, on="", version=version, match=1, table=77, why="Light")

    assert "no longer has this form. You had typed: 1 , 77 , Light" in says

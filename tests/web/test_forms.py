"""Forms of any kind: none is believed without its token."""

import pytest


def posts(app):
    return sorted(
        {r.rule for r in app.url_map.iter_rules() if "POST" in r.methods and not r.rule.startswith("/api/")}
    )


@pytest.mark.parametrize("token", [None, "forged"])
def test_no_form_is_believed_without_its_token(app, desk, token):
    taken = []
    for rule in posts(app):
        path = rule.replace("<slug>", desk.slug).replace("<int:", "<").replace("<token>", "x")
        for name in ("number", "player_id", "match_id", "entry_id", "round_id"):
            path = path.replace(f"<{name}>", "1")
        answer = desk.client.post(path, data={"csrf_token": token} if token else {})
        if answer.status_code != 400:
            taken.append(f"{rule}: {answer.status_code}")

    assert not taken

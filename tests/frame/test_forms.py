"""Forms of any kind: none is believed without its token."""

import pytest

from tests.accounts.test_access_matrix import address, routes


@pytest.mark.parametrize("token", [None, "forged"])
def test_no_form_is_believed_without_its_token(app, desk, token):
    taken = []
    for rule, method in routes(app):
        if method == "POST" and not rule.rule.startswith("/api/"):
            sent = {"csrf_token": token} if token else {}
            answer = desk.client.post(address(app, rule, desk.slug), data=sent)
            if answer.status_code != 400:
                taken.append(f"{rule.rule}: {answer.status_code}")

    assert not taken

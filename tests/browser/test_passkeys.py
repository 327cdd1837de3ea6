"""Passkeys and codes in a real browser, whose own virtual device answers in place of a finger."""

from __future__ import annotations

import base64
import re
import time

import pytest

from judge.services.accounts.codes import STEP_SECONDS, code_at
from tests.browser.test_first_event import PASSWORD, first_link


def with_device(page, *, keeps_a_list=True):
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    kind = {"protocol": "ctap2", "transport": "internal", "hasUserVerification": True, "isUserVerified": True}
    options = kind | {"hasResidentKey": keeps_a_list, "automaticPresenceSimulation": True}
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def sign_up(page, server):
    """The first organiser's account, at localhost: browsers allow no passkey at 127.0.0.1."""
    here = server.url.replace("127.0.0.1", "localhost")
    page.goto(first_link(server).replace("127.0.0.1", "localhost"))
    page.get_by_label("Your name").fill("Olga Orga")
    page.get_by_label("Sign-in name").fill("olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make account").click()
    return here


def add_passkey(page, here, password=PASSWORD):
    page.goto(f"{here}/account/passkeys")
    page.get_by_label("Name of the passkey").fill("my laptop")
    page.get_by_label("Your password").fill(password)
    page.get_by_role("button", name="Add a passkey").click()


def sign_out(page, here):
    page.goto(f"{here}/account")
    page.get_by_role("button", name="Sign out", exact=True).click()


@pytest.mark.parametrize("keeps_a_list", [True, False], ids=["without a name", "with the name"])
def test_a_judge_makes_a_passkey_signs_out_and_in_with_it(page, server, keeps_a_list, look_over):
    with_device(page, keeps_a_list=keeps_a_list)
    here = sign_up(page, server)
    add_passkey(page, here, "not my password")
    page.get_by_text("This is not your password.").wait_for()
    add_passkey(page, here)
    page.get_by_text("From now on you can sign in here").wait_for()
    add_passkey(page, here)
    page.get_by_text("This device holds a passkey for your account already.").wait_for()
    sign_out(page, here)
    page.goto(f"{here}/sign-in?next=/account/passkeys")
    if not keeps_a_list:
        page.get_by_label("Sign-in name").fill("olga")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_text("last used").wait_for()
    look_over(page, [f"{here}/account/passkeys"])
    page.goto(f"{here}/account/passkeys?lang=en")
    page.get_by_role("button", name="Remove my laptop").click()
    page.get_by_text("You have none yet.").wait_for()
    sign_out(page, here)
    page.goto(f"{here}/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_role("alert").get_by_text("This passkey is not known here.").or_(
        page.get_by_text("No passkey was used.")
    ).first.wait_for()


def test_a_judge_signs_in_with_the_code_of_an_app(phone, server, look_over):
    here = sign_up(phone, server)
    phone.goto(f"{here}/account/codes")
    phone.get_by_label("Your password").fill(PASSWORD)
    phone.get_by_role("button", name="Set up an app").click()
    typed = phone.locator("code.break").inner_text()
    secret = base64.b32decode(re.sub(r"\s", "", typed))
    look_over(phone, [f"{here}/account/codes"])
    phone.goto(f"{here}/account/codes?lang=en")
    phone.get_by_label("Code").fill(code_at(secret, int(time.time()) // STEP_SECONDS))
    phone.get_by_role("button", name="Ask for codes from now on").click()
    assert phone.locator("main li code").count() == 10
    sign_out(phone, here)
    phone.goto(f"{here}/sign-in?next=/account/codes")
    phone.get_by_label("Sign-in name").fill("olga")
    phone.get_by_label("Password").fill(PASSWORD)
    phone.get_by_role("button", name="Sign in", exact=True).click()
    look_over(phone, [f"{here}/sign-in/code?next=/account/codes"])
    phone.goto(f"{here}/sign-in/code?next=/account/codes&lang=en")
    phone.get_by_label("Code").fill(code_at(secret, int(time.time()) // STEP_SECONDS + 1))
    phone.get_by_role("button", name="Sign in").click()

    phone.get_by_text("Recovery codes left: 10.").wait_for()

"""The judge's desk on a phone: a dispute entered from nothing by tapping, with every tap counted."""

import json

import pytest

from tests.browser.tapping import COUNT, Phone


@pytest.fixture
def hand(phone, shared_server):
    hand = Phone(phone, shared_server.url)
    phone.set_default_timeout(10_000)
    phone.goto(f"{shared_server.url}/rule")
    return hand


def start(hand, first, second):
    hand.tap(".heroes:nth-of-type(1) .tile", has_text=first)
    hand.tap(".heroes:nth-of-type(2) .tile", has_text=second)
    hand.tap(".start-bar button")
    hand.page.wait_for_selector("#table")
    return hand


def begin_with(hand, p, *tokens):
    for token in tokens:
        hand.enter(f".beginning:nth-of-type({p}) .token-chip", has_text=token)
    return hand


def test_the_rulebooks_dispute_takes_at_most_thirty_taps(hand, capsys):
    start(hand, "Barbarian", "Paladin")
    begin_with(hand, 2, "Retribution", "Protect")
    hand.chip("Overpower").number("deal", 18)
    hand.player(2).chip("Retribution").chip("Protect").chip("Divine Defense").number("prevent", 3)
    hand.token("Protect")
    hand.player(1).chip("Get Some!").number("add", 5)
    hand.player(2).chip("Absolution!").enter('.current .palette [data-face="3"]').chip("Protect")
    with capsys.disabled():
        print(f"\nBarbarian against Paladin, from nothing to the ruling: {hand.taps} taps")

    assert hand.answer() == {"Barbarian": 9, "Paladin": 0}
    assert hand.taps <= 30
    hand.tap("#to-ruling")
    assert "Paladin takes 0" in " ".join(hand.page.locator(".the-answer").inner_text().split())


def test_samurai_against_seraph_takes_at_most_twenty_two_taps(hand):
    """Three Attacks with their answers, one card and one token of each player; every die is tapped."""
    hand.tap(".heroes:nth-of-type(1) .season summary", has_text="Season 2")
    hand.tap(".heroes:nth-of-type(1) .tile", has_text="Samurai")
    hand.tap(".heroes:nth-of-type(2) .tile", has_text="Seraph")  # from the same box: her season is open
    hand.tap(".start-bar button")
    hand.page.wait_for_selector("#table")

    hand.chip("Don't Back Down!").chip("Budo").chip("Honor: +1 damage").chip("Angelic Mantle").dice(5)
    assert hand.answer() == {"Seraph": 5}  # 6 + 1, a cross prevents 2
    hand.next_attack("Seraph")
    hand.chip("Glorious").chip("Angelic Combat!").dice(1).chip("Stand Tall").dice(1, 4, 6)
    assert hand.answer() == {"Seraph": 6, "Samurai": 6}  # 6 + 3, 1 + 2 prevented, 1 back for the katana
    hand.next_attack("Samurai")
    hand.chip("Solemnity")
    assert hand.answer() == {"Seraph": 13, "Samurai": 6}  # 7 besides the 6
    hand.chip("Flight").dice(6, 1)

    assert hand.answer() == {"Seraph": 6, "Samurai": 6}  # a 6 avoids the whole Attack
    assert hand.taps <= 22
    assert "✗" not in hand.page.locator(".answer-so-far").inner_text()


def open_file(hand, table):
    hand.page.locator("details:has(#file) > summary").click()
    hand.page.locator("#file").fill(json.dumps(table))
    hand.page.get_by_role("button", name="Open").click()
    hand.page.wait_for_selector("#table")


def test_who_is_first_differs_between_2_2_and_2_4_1(hand):
    hand.page.locator(".tile", has_text="2.2 (book in French)").click()
    start(hand, "Barbarian", "Paladin")
    begin_with(hand, 2, "Protect")
    hand.chip("Overpower").number("deal", 8)
    hand.player(2).chip("Protect")
    hand.player(1)
    hand.page.locator("#q").fill("bu")
    hand.enter("#found .chip", has_text="Buh, Bye!")
    hand.tap(".change > summary").enter("button", has_text="In answer to the one before")

    assert hand.answer() == {"Paladin": 4}
    hand.tap("#file-part > summary").enter("#file-part .tile", has_text="2.4.1 (book in French)")
    assert hand.answer() == {"Paladin": 8}
    hand.tap("#to-ruling")
    assert hand.page.locator(".editions li").count() == 3


def test_an_answer_to_an_ultimate_is_marked_at_once_with_its_reason(hand):
    start(hand, "Barbarian", "Paladin")
    begin_with(hand, 2, "Protect")
    hand.chip("Rage!").player(2)
    hand.tap("summary", has_text="Not possible now").enter(".offers .chip.later", has_text="Protect")

    assert "✗ 1" in hand.page.locator(".answer-so-far").inner_text()
    assert hand.page.locator(".current.illegal .why").inner_text() != ""
    assert hand.answer() == {"Paladin": 15}


DISPUTE = {
    "game": "dice-throne",
    "edition": "fr-2.4.1",
    "players": [
        {"id": "Ana", "hero": "barbarian"},
        {
            "id": "Ben",
            "hero": "paladin",
            "statuses": {"retribution": 1, "protect": 2},
            "limits": {"protect": 2},
        },
    ],
    "events": [
        {"by": "Ana", "activate": "overpower", "on": "Ben", "effects": [{"deal": 17}]},
        {"by": "Ben", "spend": "protect"},
        {"by": "Ben", "spend": "protect"},
    ],
}


def test_a_claim_shows_the_mistake_that_leads_to_it(hand):
    open_file(hand, DISPUTE)
    hand.tap("#claims > summary")
    hand.page.locator("#claim-1-2").fill("4")
    hand.page.locator("#claim-2-2").fill("0")
    hand.enter("#claims button", has_text="Compare")

    assert "Ana says 4 for Ben" in hand.page.locator(".claim-list .bad").inner_text()
    assert hand.page.locator(".claim-list .bad .hint").first.inner_text() != ""
    assert "Ben is right: 0" in hand.page.locator(".claim-list .good").inner_text()


def test_a_claim_is_saved_while_it_is_typed(hand):
    open_file(hand, DISPUTE)
    hand.tap("#claims > summary")
    line = hand.page.locator("#claim-1-2")
    for digit in "12":
        hand.changes(lambda digit=digit: line.press_sequentially(digit))

    assert line.input_value() == "12"
    assert line.evaluate("e => e === document.activeElement")
    table = hand.page.request.get(f"{hand.page.url.split('?')[0]}/table.json").json()
    assert table["claims"] == [{"by": "Ana", "player": "Ben", "final": 12}]


def test_letters_typed_while_a_tap_is_on_its_way_stay(hand):
    open_file(hand, DISPUTE)
    before = hand.page.evaluate("window.shown")
    hand.page.evaluate("""() => {
        document.querySelector(".next-phase button[name=event]").click();
        document.getElementById("file-part").open = true;
        document.getElementById("title").focus();
    }""")
    hand.page.keyboard.type("My ruling")
    hand.wait(lambda: hand.page.evaluate("window.shown") > before)

    assert hand.page.locator("#title").input_value() == "My ruling"


def test_a_fold_that_a_tap_does_not_change_stays_and_looks_as_if_drawn_anew(hand):
    open_file(hand, DISPUTE)
    hand.enter(".next-phase button[name=event]")
    page = hand.page
    page.evaluate("() => { window.kept = document.getElementById('else-name'); window.kept.value = 'Net'; }")
    for fold in page.locator("#else, .begin, .begin details, #file-part").all():
        fold.evaluate("e => { e.open = true; }")
    page.locator("#title").press_sequentially("My ru")
    hand.changes(lambda: page.evaluate("document.getElementById('undo').click()"))
    page.keyboard.type("ling")

    assert page.evaluate("window.kept === document.getElementById('else-name')")
    assert page.locator("#else-name").input_value() == ""
    assert page.locator("#else[open], .begin[open], .begin details[open]").count() == 0
    assert page.locator("#title").input_value() == "My ruling"


def test_a_form_in_a_fold_that_stayed_keeps_the_place_on_the_page(hand):
    open_file(hand, DISPUTE)
    hand.enter(".next-phase button[name=event]").enter("#undo").enter(".line-says")
    hand.tap("#file-part > summary").page.locator("#title").fill("My ruling")
    hand.enter("#file-part form:has(#title) button")

    assert hand.page.locator("#question").get_attribute("aria-label") == "Event 1"
    assert hand.page.locator("#title").input_value() == "My ruling"


def test_a_dice_forge_turn_is_entered_by_tapping_faces(hand):
    hand.tap("summary", has_text="With names")
    hand.page.locator("#forge1").fill("Ana")
    hand.page.locator("#forge2").fill("Ben")
    hand.tap(".start-forge", has_text="2 players")
    hand.page.wait_for_selector("#table")
    for who in (1, 2):
        hand.player(who).tap('#bless .die:nth-of-type(1) .face:has([value="G1"])')
        hand.enter('#bless .die:nth-of-type(2) .face:has([value="M1"])')
    hand.player(1).enter("#faces .chip", has_text="3 gold")
    hand.enter('.current .spot form:has([name="die"][value="2"]) [name="over"][value="G1"]')

    assert hand.page.locator(".line.legal").count() == 3
    assert "Ana" in hand.page.locator(".answer-so-far").inner_text()
    # A second action is not allowed: it comes later in the list, and the page says why.
    hand.tap("#later > summary").enter("#later .chip", has_text="Hammer")
    assert hand.page.locator(".current.illegal .why").inner_text() != ""


def test_the_satyrs_are_entered_by_tapping_the_others_dice(hand, axe):
    players = [{"id": "Ana", "moon": 6}, {"id": "Ben", "island": 2}, {"id": "Cleo"}]
    turn = {"active": "Ana", "first": "Ana", "step": 3}
    open_file(hand, {"game": "dice-forge", "edition": "fr-1", "players": players, "turn": turn, "events": []})
    hand.enter("#feats .chip", has_text="Satyrs")
    for who, what, faces in (("Ben", "oust", "G1 V2"), ("Ben", "rolls", "S1 M1"), ("Cleo", "rolls", "G1 V2")):
        form = f'.forge-roll:has([name="what"][value="{what}"]):has([name="player"][value="{who}"])'
        first, second = faces.split()
        hand.tap(f'{form} .face:has([name="d1"][value="{first}"])')
        hand.enter(f'{form} .face:has([name="d2"][value="{second}"])')
    assert hand.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert hand.page.evaluate(SMALL) == []
    hand.enter(".copies button", has_text="Ben, Die 1").enter(".copies button", has_text="Cleo, Die 2")
    axe(hand.page)

    assert hand.page.locator(".current.legal").count() == 1
    assert hand.page.locator(".current .asks").count() == 0
    ruling = hand.page.request.get(f"{hand.page.url.split('?')[0]}/table.json").json()
    assert ruling["events"] == [
        {
            "by": "Ana",
            "feat": "satyrs",
            "oust": {"Ben": ["G1", "V2"]},
            "rolls": [{"Ben": ["S1", "M1"]}, {"Cleo": ["G1", "V2"]}],
            "copy": [{"player": "Ben", "die": 1}, {"player": "Cleo", "die": 2}],
        }
    ]


WORDS = {
    "en": ("Barbarian", "Paladin", "Overpower", "Divine Defense"),
    "fr": ("Barbare", "Paladin", "Domination", "Défense divine"),
    "ru": ("Варвар", "Паладин", "Превосходство", "Божественная защита"),
}


@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_the_desk_speaks_the_judges_language(hand, lang, axe):
    hand.page.goto(f"{hand.url}/rule?lang={lang}")
    first, second, attack, defence = WORDS[lang]
    start(hand, first, second)
    hand.chip(attack).number("deal", 18)
    hand.player(2).chip(defence).number("prevent", 3)

    assert hand.answer() == {second: 15}
    assert hand.page.evaluate("document.documentElement.scrollWidth") <= 390
    axe(hand.page)
    hand.tap("#to-ruling")
    assert hand.page.locator(".the-answer").inner_text()
    assert hand.page.evaluate("document.documentElement.scrollWidth") <= 390
    axe(hand.page)


def test_a_dispute_is_entered_with_the_keyboard_alone(page, shared_server):
    page.add_init_script(COUNT)
    page.goto(f"{shared_server.url}/rule")
    hand = Phone(page, shared_server.url)

    def tab_to(selector):
        for _ in range(80):
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(selector)

    def press(*keys):
        before = page.evaluate("window.shown")
        for key in keys:
            page.keyboard.press(key)
        hand.wait(lambda: page.evaluate("window.shown") > before)

    tab_to('[name="hero1"]')
    page.keyboard.press("Space")
    tab_to('[name="hero2"]')
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    tab_to(".start-bar button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#table")
    attack = page.locator(".offers > .chips .chip.offensive", has_text="Overpower")
    letter = attack.get_attribute("data-letter")
    press(letter)
    press("#", "1", "8", "Enter")
    press("2")
    press("ArrowRight", "Enter")

    assert page.locator(".line").count() == 2
    press("Alt+u")
    assert page.locator(".line").count() == 1
    press("Alt+r")
    assert page.locator(".line").count() == 2
    page.keyboard.press("?")
    assert page.locator("#keys-help").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("=")
    page.wait_for_selector(".the-answer")
    assert "takes" in page.locator(".the-answer").inner_text()


def test_the_keys_can_be_switched_off_and_stay_off(page, shared_server):
    hand = Phone(page, shared_server.url)
    page.goto(f"{shared_server.url}/rule")
    open_file(hand, DISPUTE)
    letters = page.locator(".offers .chip[data-letter]")
    assert letters.count() > 0
    page.locator("#keys-open").click()
    page.locator("#use-keys").uncheck()
    page.locator("#keys-help button").click()
    page.reload()
    page.wait_for_selector("#keys-open:visible")

    assert letters.count() == 0
    assert page.locator("[aria-keyshortcuts]").count() == 0
    for key in ("a", "2", "Backspace", "Alt+u", "?", "="):
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert page.locator(".line").count() == 3
    assert page.locator("#p1[aria-current]").count() == 1
    assert not page.locator("#keys-help").is_visible()
    page.locator("#keys-open").click()
    page.locator("#use-keys").check()
    assert letters.count() > 0


def test_taps_while_the_server_is_away_are_sent_when_it_is_back(phone, start_server, free_port):
    port = ("--port", str(free_port))
    server = start_server(*port)
    hand = Phone(phone, server.url)
    phone.goto(f"{server.url}/rule")
    start(hand, "Barbarian", "Paladin")
    hand.chip("Overpower").number("deal", 18)
    server.stop()
    hand.tap('.current .token-chip:has-text("Stun")')
    hand.wait(lambda: phone.locator("#unsent").is_visible())
    hand.tap(".offers .chip", has_text="Get Some!")
    hand.wait(lambda: "2 taps" in phone.locator("#unsent").inner_text())

    assert phone.locator(".line:not(.waiting)").count() == 1
    start_server(*port)
    hand.wait(lambda: not phone.locator("#unsent").is_visible(), seconds=20)
    hand.wait(lambda: phone.locator(".line").count() == phone.locator(".line:not(.waiting)").count() == 2)
    hand.wait(lambda: phone.evaluate("localStorage.length") == 0)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_of_the_desk_is_sound_on_phone_and_laptop(chromium, shared_server, axe, width, theme):
    context = chromium.new_context(viewport={"width": width, "height": 844}, locale="en")
    page = context.new_page()
    page.add_init_script(COUNT)
    page.goto(f"{shared_server.url}/rule?theme={theme}")
    hand = Phone(page, shared_server.url)
    axe(page)
    open_file(hand, {**DISPUTE, "claims": [{"by": "Ana", "player": "Ben", "final": 4}]})
    for fold in page.locator("#table > details, .offers > details, .entered > details").all():
        if fold.get_attribute("open") is None:
            fold.locator("> summary").click()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(SMALL)
    page.locator("#to-ruling").click()
    axe(page)
    page.goto(f"{page.url}?second=ru")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("#keep-by").fill("Cleo")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.wait_for_selector(".share .qr, .share .qr-note")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert small == []
    context.close()


SMALL = """() => [...document.querySelectorAll('#table button, #table a, #table summary, .face, .tile')]
  .filter(e => e.offsetParent && (e.offsetHeight < 44 || e.offsetWidth < 44))
  .map(e => e.outerHTML.slice(0, 120))"""

"""Choosing heroes with a phone: two letters or a tap, in any language."""


def chosen(page):
    return page.eval_on_selector_all(".choose-hero input:checked", "all => all.map((one) => one.value)")


def test_two_letters_or_a_tap_choose_a_hero(phone, shared_server):
    phone.goto(f"{shared_server.url}/rule")
    first, second = phone.locator(".choose-hero").all()
    first.locator(".hero-line").fill("va")
    assert chosen(phone) == ["vampire-lord"]
    assert first.locator(".tile:visible").all_inner_texts() == ["Vampire Lord"]

    first.locator(".hero-line").fill("прокл")  # in a page in English
    assert chosen(phone) == ["cursed-pirate"]
    first.locator(".hero-line").fill("zz")
    assert chosen(phone) == []
    assert first.locator(".no-hero").is_visible()

    first.locator(".hero-line").fill("paladi")
    second.locator("summary", has_text="Season 2").tap()
    second.locator(".tile", has_text="Gunslinger").tap()
    phone.locator(".start-bar button").tap()
    phone.wait_for_selector("#table")
    assert phone.title().startswith("Paladin – Gunslinger")

    phone.goto(f"{shared_server.url}/rule")
    assert phone.locator(".choose-hero > .tiles").first.locator(".tile").all_inner_texts() == [
        "Paladin",
        "Gunslinger",
    ]


def test_a_tapped_hero_empties_the_line(phone, shared_server):
    phone.goto(f"{shared_server.url}/rule")
    first = phone.locator(".choose-hero").first
    first.locator(".hero-line").fill("tr")
    first.locator(".hero-line").fill("p")
    first.locator(".tile:visible", has_text="Paladin").tap()

    assert first.locator(".hero-line").input_value() == ""
    assert chosen(phone) == ["paladin"]


def test_the_sheet_and_the_list_of_heroes_fit_a_phone_and_can_be_read_aloud(phone, shared_server, axe):
    for path in ("/heroes", "/heroes/gunslinger?lang=fr", "/heroes/cursed-pirate?lang=ru", "/rule"):
        phone.goto(f"{shared_server.url}{path}")
        axe(phone)
        assert phone.evaluate("document.documentElement.scrollWidth") == 390

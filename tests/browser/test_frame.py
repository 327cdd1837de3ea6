"""The frame in a real browser: by keyboard, on a phone, in the dark, without JavaScript."""

import pytest


def problems_of(page):
    """What the browser complains about: script errors, blocked content, requests to other hosts."""
    found = []
    page.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", lambda r: None if "://127.0.0.1:" in r.url else found.append(r.url))
    return found


def test_the_start_page_loads_without_complaint_and_asks_no_stranger(page, shared_server):
    found = problems_of(page)
    page.goto(shared_server.url)

    assert page.locator("h1").inner_text() == "Call the judge."
    assert page.evaluate("typeof htmx") == "object"
    assert found == []


@pytest.mark.parametrize("path", ["/", "/nope"])
@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_nothing_is_wider_than_a_phone(phone, shared_server, path, lang):
    phone.goto(f"{shared_server.url}{path}?lang={lang}")
    phone.locator("summary").click()

    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    menu = phone.locator(".menu-in").bounding_box()
    assert menu["x"] >= 0
    assert menu["x"] + menu["width"] <= 390


def test_everything_that_can_be_pressed_is_44_pixels(phone, shared_server):
    phone.goto(f"{shared_server.url}/nope")
    phone.locator("summary").click()
    boxes = [
        (item.inner_text(), item.bounding_box())
        for item in phone.locator("header a, summary, .button, .choices a").all()
        if item.is_visible()
    ]

    assert len(boxes) >= 8
    assert [name for name, box in boxes if box["height"] < 44 or box["width"] < 44] == []


def test_the_keyboard_reaches_the_content_first_and_sees_where_it_is(page, shared_server):
    page.goto(shared_server.url)
    page.keyboard.press("Tab")
    shown = page.evaluate(
        "[document.activeElement.className, getComputedStyle(document.activeElement).outlineStyle]"
    )
    page.keyboard.press("Enter")

    assert shown == ["skip", "solid"]
    assert page.evaluate("document.activeElement.id") == "content"


def test_language_and_light_are_switched_without_javascript(chromium, shared_server):
    context = chromium.new_context(java_script_enabled=False, locale="en", color_scheme="light")
    page = context.new_page()
    page.goto(shared_server.url)
    page.locator("summary").click()
    page.get_by_role("link", name="Français").click()
    page.locator("summary").click()
    page.get_by_role("link", name="Sombre").click()
    page.goto(shared_server.url)

    assert page.locator("html").get_attribute("lang") == "fr"
    assert page.locator("html").get_attribute("data-theme") == "dark"
    context.close()


@pytest.mark.parametrize(("scheme", "bright"), [("light", True), ("dark", False)])
def test_without_a_choice_the_device_decides_between_light_and_dark(chromium, shared_server, scheme, bright):
    context = chromium.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(shared_server.url)
    colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    context.close()

    assert (sum(int(part) for part in colour[4:-1].split(",")) > 600) is bright


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_stand_out_from_the_ground(page, shared_server, theme):
    """WCAG AA: 4.5 to 1 for every pair of colours that meet."""
    page.goto(f"{shared_server.url}/?theme={theme}")
    ratios = page.evaluate(CONTRAST)

    assert {pair: ratio for pair, ratio in ratios.items() if ratio < 4.5} == {}


CONTRAST = """() => {
  const css = getComputedStyle(document.documentElement);
  const light = name => {
    const hex = css.getPropertyValue('--' + name).trim().slice(1);
    const parts = [0, 2, 4].map(i => parseInt(hex.slice(i, i + 2), 16) / 255)
      .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2];
  };
  const pairs = [['ink', 'paper'], ['ink', 'sheet'], ['ink', 'sunk'], ['soft', 'paper'], ['soft', 'sheet'],
    ['link', 'paper'], ['link', 'sheet'], ['on-accent', 'accent'], ['good', 'good-bg'], ['bad', 'bad-bg'],
    ['warn', 'warn-bg'], ['info', 'info-bg'], ['bad', 'sheet'], ['good', 'sheet'], ['warn', 'sheet']];
  return Object.fromEntries(pairs.map(([a, b]) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return [a + ' on ' + b, (x + .05) / (y + .05)];
  }));
}"""


def test_paper_shows_the_content_alone_and_light(page, shared_server):
    page.goto(f"{shared_server.url}/?theme=dark")
    page.emulate_media(media="print")

    assert not page.locator("header").is_visible()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"

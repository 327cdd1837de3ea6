"""Takes the pictures of README and docs anew. `make pictures` starts judge with the demo event, photographs
its pages, turns two papers into pictures and writes all of them to docs/. Needs Chromium and pdftoppm.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page, sync_playwright

from tests.conftest import BROWSERS, Server, servers

DOCS = Path(__file__).parent.parent / "docs"
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
PASSWORD = "four plain words here"
FIRST_NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gaia", "Hugo", "Ines", "Jon")
TABLE = """
title: Barbarian against Paladin
game: dice-throne
edition: fr-2.4.1
players:
- {id: Ana, hero: barbarian}
- {id: Ben, hero: paladin, cp: 6, statuses: {protect: 1, retribution: 1}}
turn: {active: Ana, phase: offensive-roll}
events:
- {by: Ana, activate: overpower, effects: [{deal: 18, type: normal}]}
- {by: Ben, defend: divine-defense, dice: [3, 4, 4]}
- {by: Ana, does: battle cry, effects: [{add: 5}]}
- {by: Ben, spend: protect}
- {by: Ben, spend: retribution}
claims: [{by: Ana, player: Ben, final: 5}]
"""


@contextmanager
def a_page(browser: Browser, viewport: Any, theme: str = "light") -> Iterator[Page]:
    context = browser.new_context(viewport=viewport, locale="en", color_scheme=theme)
    yield context.new_page()
    context.close()


def save(page: Page, name: str, *, whole: bool = False) -> None:
    page.wait_for_load_state("networkidle")
    for _ in range(3):  # the browser now and then fails to draw a page that has just come
        try:
            page.screenshot(path=DOCS / f"{name}.png", full_page=whole)
            break
        except Error:
            page.wait_for_timeout(500)
    print(f"docs/{name}.png")


def organiser(page: Page, server: Server) -> str:
    """Make the organiser's account by the link of the first start and load the demo event; its address."""
    link = next(word for line in server.output for word in re.findall(r"http\S+/join/\S+", line))
    page.goto(link)
    for name, value in (("name", "Dana"), ("login", "dana"), ("password", PASSWORD)):
        page.fill(f"[name={name}]", value)
    page.locator("main form button").last.click()
    page.goto(server.url)
    page.locator("form[action*=demo] button").first.click()
    page.goto(server.url)
    address: str | None = page.locator(".demo a.primary").get_attribute("href")
    return f"{server.url}{address}"


def pages(browser: Browser, server: Server) -> None:
    with a_page(browser, LAPTOP) as page:
        event = organiser(page, server)
        page.goto(f"{event}/desk")
        save(page, "event-desk")
    with a_page(browser, PHONE) as page:
        page.goto(server.url)
        save(page, "start")
        page.goto(event)
        save(page, "event-phone")
        page.goto(f"{server.url}/answers/protect-against-undefendable")
        save(page, "answer")
    for theme, entering, ruling in (("light", "desk-entering", "desk-ruling"), ("dark", "desk-dark", "")):
        with a_page(browser, PHONE, theme) as page:
            page.goto(f"{server.url}/rule")
            page.locator("textarea[name=file]").evaluate(
                "box => { for (let e = box; e; e = e.parentElement) e.open = true }"
            )
            page.locator("textarea[name=file]").fill(TABLE)
            page.locator("form", has=page.locator("textarea[name=file]")).locator("button").last.click()
            save(page, entering)
            if ruling:
                page.goto(f"{page.url.split('#')[0]}/ruling")
                save(page, ruling)


def terminal(browser: Browser, folder: Path) -> None:
    """The ruling as the command prints it."""
    file = folder / "table.yaml"
    file.write_text(TABLE)
    words = [sys.executable, "-m", "judge.cli", "rule", str(file)]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    lines = "\n".join(said.splitlines()[:34])
    with a_page(browser, {"width": 1000, "height": 640}) as page:
        page.set_content(
            "<body style='background:#1b2328;color:#e8e6df;font:13px/1.35 monospace'>"
            "<pre style='white-space:pre-wrap'></pre>"
        )
        page.locator("pre").evaluate("(pre, text) => { pre.textContent = text }", lines)
        save(page, "ruling-terminal")


def papers(folder: Path) -> None:
    """Pairings and a bracket of a made-up event, as pictures of their first pages."""
    names = [f"{first} {last}" for last in ("Ash", "Birch", "Cedar", "Dale") for first in FIRST_NAMES]
    formats = {"pairings": "swiss, rounds: 5", "bracket": "single-elimination"}
    for kind, format_ in formats.items():
        file, pdf = folder / f"{kind}.yaml", folder / f"{kind}.pdf"
        players = ", ".join(names if kind == "pairings" else names[:16])
        file.write_text(
            f"tournament: 1\nname: Autumn Throne\nformat: {{kind: {format_}}}\nplayers: [{players}]\n"
        )
        words = ["print", kind, str(file), "-o", str(pdf), "--by", "name"]
        subprocess.run([sys.executable, "-m", "judge.cli", *words], check=True)
        pictures = ["pdftoppm", "-png", "-r", "60", "-singlefile", str(pdf), str(DOCS / kind)]
        subprocess.run(pictures, check=True)
        print(f"docs/{kind}.png")


def main() -> None:
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as folder, servers(Path(folder) / "instance") as start:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            pages(browser, start())
            terminal(browser, Path(folder))
            browser.close()
        papers(Path(folder))


if __name__ == "__main__":
    main()

"""From a tap to the updated ruling, in a real browser on loopback, with its parts: the server's own time (by
its Server-Timing header: ruling and drawing), the way there and back, and the browser's swap and paint.

Each is compared with the smallest answer of the same server (/healthz) fetched by the same page.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

TAPS = 30
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TABLE = {
    "game": "dice-throne",
    "edition": "fr-2.4.1",
    "players": [{"id": "Ana", "hero": "barbarian"}, {"id": "Ben", "hero": "paladin", "cp": 9}],
    "events": [{"by": "Ana", "activate": "overpower", "on": "Ben", "effects": [{"deal": 18}]}],
}
# Taps a button and waits until the page has painted what came back.
TAP = """selector => new Promise(done => {
  const from = performance.now();
  document.addEventListener('judge:shown', event => {
    const shown = performance.now();
    const sent = performance.getEntriesByType('resource').filter(e => e.initiatorType === 'fetch').pop();
    done({all: shown - from, fetch: sent.responseEnd - sent.startTime, timing: event.detail});
    performance.clearResourceTimings();
  }, {once: true});
  document.querySelector(selector).click();
})"""
SMALLEST = """async () => {
  const from = performance.now();
  await (await fetch('/healthz', {cache: 'no-store'})).text();
  return performance.now() - from;
}"""


def ratios() -> Iterator[tuple[str, float, float | None, str]]:
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, url = _serve(folder)
        try:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            page = browser.new_context(viewport={"width": 390, "height": 844}, locale="en").new_page()
            taps, smallest = _measure(page, url)
            browser.close()
        finally:
            server.terminate()
            server.communicate()
    yield from _told(taps, smallest)


def _serve(folder: str) -> tuple[subprocess.Popen[str], str]:
    server = subprocess.Popen(
        [sys.executable, "-m", "judge.cli", "serve", "--port", "0"],
        env={**os.environ, "JUDGE_INSTANCE": folder, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert server.stdout
    address = next(line.split()[3] for line in server.stdout if line.startswith("judge is at "))
    return server, address


def _measure(page: Any, url: str) -> tuple[list[dict[str, float]], float]:
    page.goto(f"{url}/rule")
    page.locator("details:has(#file) > summary").click()
    page.locator("#file").fill(json.dumps(TABLE))
    page.get_by_role("button", name="Open").click()
    page.wait_for_selector("#table")
    taps, smallest = [], []
    for n in range(TAPS):
        number = ".number-chip" if n == 0 else f'.number-chip[value="{3 + n % 16}"]'
        if page.locator(number).count() == 0:
            page.locator(".line-says").first.click()
            page.wait_for_selector(number)
        taps.append(_parts(page.evaluate(TAP, number)))
        smallest.append(page.evaluate(SMALLEST))
    return taps[3:], statistics.median(smallest[3:])


def _parts(tap: dict[str, Any]) -> dict[str, float]:
    took = {name: float(value) for name, value in re.findall(r"(\w+);dur=([\d.]+)", tap["timing"] or "")}
    server = sum(took.values())
    return {
        "all": tap["all"],
        "rule": took.get("rule", 0),
        "draw": took.get("draw", 0),
        "way": tap["fetch"] - server,
        "paint": tap["all"] - tap["fetch"],
    }


def _told(taps: list[dict[str, float]], smallest: float) -> Iterator[tuple[str, float, float | None, str]]:
    middle = {name: statistics.median(tap[name] for tap in taps) for name in taps[0]}
    note = ", ".join(f"{name} {ms:.1f} ms" for name, ms in middle.items())
    yield "tap to updated ruling / smallest answer, time in the browser", middle["all"] / smallest, 40, note
    yield (
        "of it the server (ruling and drawing), share",
        (middle["rule"] + middle["draw"]) / middle["all"],
        0.9,
        "",
    )
    yield (
        "of it the way there and back, share",
        middle["way"] / middle["all"],
        None,
        f"smallest {smallest:.1f} ms",
    )
    yield "of it swapping and painting, share", middle["paint"] / middle["all"], None, ""

"""The entries of the navigation and the start page. Each part of the product adds its own once its
pages work.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask

from judge.web.frame.texts import LazyText, lazy_gettext


@dataclass(frozen=True)
class Entry:
    endpoint: str
    label: LazyText
    text: LazyText | None = None  # with a text it is also a card on the start page


ENTRIES: tuple[Entry, ...] = (
    Entry("pages.start", lazy_gettext("Start")),
    Entry(
        "events.mine",
        lazy_gettext("Events"),
        lazy_gettext("Run a tournament from one laptop: players, rounds, results, standings."),
    ),
    Entry(
        "rulebook.index",
        lazy_gettext("Rule book"),
        lazy_gettext("Every rule in three languages, where the books differ, hero sheets, calculators."),
    ),
    Entry(
        "rule.start",
        lazy_gettext("Rule"),
        lazy_gettext("Two players disagree: tap what happened, and see at once what the rules say."),
    ),
    Entry("rulings.mine", lazy_gettext("Rulings")),
)


def init_navigation(app: Flask) -> None:
    app.jinja_env.globals["navigation"] = ENTRIES

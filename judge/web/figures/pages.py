"""Figures of an event and of a season: plots with the same numbers as tables, and CSV."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template

from judge.core.games import DICE_THRONE
from judge.services.figures.counting import Duel, Figures, Share
from judge.services.figures.reading import TABLES, figures_csv, read_event_figures, read_season_figures
from judge.services.public.read_models import Head, Stamp, find_stamp
from judge.services.public.standings import read_everybody
from judge.services.rulebook.heroes import hero_name
from judge.services.season.season_table import read_season_table
from judge.services.season.seasons import get_season
from judge.storage.reader import Reader, reading
from judge.web.frame.preferences import language
from judge.web.frame.transaction import database, session
from judge.web.public.page_cache import Variables, shared

figures = Blueprint("figures", __name__)
MOST_IN_MATRIX = 16


@figures.app_template_filter("decimal")
def decimal(value: float) -> str:
    """At most one decimal, with the sign of the language."""
    text = f"{value:.1f}".removesuffix(".0")
    return text if language() == "en" else text.replace(".", ",")


@figures.app_template_filter("percent")
def percent(value: float | None) -> str:
    """A share for people: 0.583 -> 58 %."""
    return "–" if value is None else f"{round(100 * value)}\u00a0%"


@figures.app_template_global("hero_of")
def hero_of(game: str, hero: str) -> str:
    return hero_name(game, hero, language())


@figures.get("/e/<slug>/figures")
def of_event(slug: str) -> Response:
    return shared(slug, "figures/event.html", event_values)


def event_values(reader: Reader, stamp: Stamp, head: Head) -> Variables:
    game = read_everybody(reader, stamp).rows.event.game
    return _variables(read_event_figures(reader, stamp), game)


@figures.get("/s/<slug>/figures")
def of_season(slug: str) -> str:
    season = get_season(session(), slug)
    table = read_season_table(session(), season)
    counted = read_season_figures(session(), season)
    return render_template(
        "figures/season.html", season=season, table=table, **_variables(counted, DICE_THRONE)
    )


def _variables(counted: Figures, game: str) -> Variables:
    """The figures with the rows of their plots; the duels of the heroes played most as a matrix."""
    heroes = [h.hero for h in counted.heroes if h.won.of][:MOST_IN_MATRIX]
    duels: dict[tuple[str, str], Duel] = {(d.hero, d.other): d for d in counted.duels}
    matrix = [(a, [duels[a, b].won if (a, b) in duels else None for b in heroes]) for a in heroes]
    wins = sorted((h for h in counted.heroes if h.won.of), key=lambda h: -(h.won.value or 0))
    return {
        "game": game,
        "figures": counted,
        "wins": [(hero_of(game, h.hero), h.won) for h in wins],
        "picks": [(hero_of(game, h.hero), h.picked, h.banned) for h in counted.heroes],
        "matrix": matrix,
        "in_matrix": [hero_of(game, hero) for hero in heroes],
        "Share": Share,
    }


@figures.get("/e/<slug>/figures/<table>.csv")
def event_csv(slug: str, table: str) -> Response:
    with reading(database().engine) as reader:
        stamp = find_stamp(reader, slug) or abort(404)
        counted = read_event_figures(reader, stamp)
        game = read_everybody(reader, stamp).rows.event.game
    return _csv(counted, table, game, slug)


@figures.get("/s/<slug>/figures/<table>.csv")
def season_csv(slug: str, table: str) -> Response:
    return _csv(read_season_figures(session(), get_season(session(), slug)), table, DICE_THRONE, slug)


def _csv(counted: Figures, table: str, game: str, slug: str) -> Response:
    if table not in TABLES:
        abort(404)
    text = "\ufeff" + figures_csv(counted, table, game, language())
    headers = {"Content-Disposition": f'attachment; filename="{slug}-{table}.csv"'}
    return Response(text, mimetype="text/csv", headers=headers)

"""Bans and picks of a match: one step at a time, at the desk or on a judge's phone."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for

from judge.schemas.shape import whole
from judge.services.event.event_view import EventView
from judge.services.play.bans_and_picks import Act, act, start_over
from judge.services.play.selection import SIDES
from judge.services.rulebook.heroes import find_hero
from judge.web.accounts.access import actor, needs
from judge.web.frame.links import redirect
from judge.web.frame.transaction import session
from judge.web.log.undo_offer import number_from_form

selections = Blueprint("selections", __name__)


@selections.post("/e/<slug>/desk/matches/<int:match_id>/selection")
@needs("select-heroes")
def step(event: EventView, match_id: int) -> Response:
    act(session(), event, actor(), match_id, number_from_form("version"), _read(event.game))
    return _back(event, match_id)


@selections.post("/e/<slug>/desk/matches/<int:match_id>/selection/again")
@needs("select-heroes")
def again(event: EventView, match_id: int) -> Response:
    start_over(session(), event, actor(), match_id, number_from_form("version"))
    return _back(event, match_id)


def _read(game: str) -> Act:
    """The step as it was entered; a hero may be written by any of its names."""
    form = request.form
    die_a, die_b = form.get("die_a", type=whole), form.get("die_b", type=whole)
    written = [form.get(name, "") for name in ("hero_a", "hero_b")]
    heroes = tuple(find_hero(game, hero) for hero in (written if any(written) else [form.get("hero", "")]))
    return Act(
        dice=(die_a, die_b) if die_a is not None and die_b is not None else None,
        side=next((side for side in SIDES if side == form.get("side")), None),
        heroes=tuple(hero for hero in heroes if hero),
    )


def _back(event: EventView, match_id: int) -> Response:
    place = url_for("results.match", slug=event.slug, match_id=match_id)
    return redirect(f"{place}#selection")

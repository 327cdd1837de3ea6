"""Reads the result form: buttons or radio buttons `result`, `how`, two healths, two or three games.

A value like `a:concession` combines result and how, so that a phone needs one tap. A pod sends `pod:scores`
or `pod:places`, a value for every seat, and who was absent.
"""

from __future__ import annotations

from flask import render_template, request

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.services.play.entry_line import ABSENT, pod_outcome, read_score
from judge.services.play.outcomes import POD, Outcome
from judge.web.frame.texts import gettext
from judge.web.log.undo_offer import spoken


def read_outcome() -> Outcome:
    result, _, how = request.form.get("result", "").partition(":")
    if result == POD:
        return pod_outcome(_seats(), how)
    games = [_number(f"games_{side}") for side in ("a", "b", "drawn")]
    has_games = games[0] is not None and games[1] is not None
    return Outcome(
        result,
        how or None,
        _number("health_a"),
        _number("health_b"),
        (games[0] or 0, games[1] or 0, games[2] or 0) if has_games else None,
    )


def _number(name: str) -> int | None:
    text = request.form.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 3:
        raise Refused(Message("outcome_health_range", most=999))
    return int(text)


def _seats() -> list[int | None]:
    """Scores or places by seat; None for a player ticked as absent or marked "x"."""
    seats: list[int | None] = []
    while (text := request.form.get(f"seat_{len(seats)}")) is not None:
        is_absent = text.strip().lower() in ABSENT or request.form.get(f"absent_{len(seats)}")
        seats.append(None if is_absent else read_score(text))
    return seats


def is_sure() -> bool:
    return bool(request.form.get("sure"))


def ask_if_sure(doubtful: Refused, action: str, back: str) -> str:
    """The page that asks whether an unusual result is meant; yes sends the form again with `sure`."""
    values = {k: v for k, v in request.form.items() if k not in ("csrf_token", "sure")}
    return render_template(
        "frame/confirm.html",
        title=gettext("Is that right?"),
        text=" ".join(map(spoken, doubtful.reasons)),
        action=action,
        yes=gettext("Yes, it is meant"),
        back=back,
        kept={**values, "sure": "1"},
    )

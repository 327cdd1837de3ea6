"""Who may do what at an event. One table: pages ask it, the server checks it, the tests walk it."""

from __future__ import annotations

# Least to most: each may do what those before may.
ROLES = ("scorekeeper", "judge", "head-judge", "organiser")

LEAST_ROLE: dict[str, str] = {
    "see-desk": "scorekeeper",
    "enter-result": "scorekeeper",
    "check-in": "scorekeeper",
    "run-clock": "scorekeeper",
    "print": "scorekeeper",
    "extend-time": "judge",
    "select-heroes": "scorekeeper",
    "edit-players": "scorekeeper",
    "pair": "scorekeeper",
    "correct-result": "judge",
    "undo": "judge",
    "rule": "judge",
    "see-log": "scorekeeper",
    "answer-call": "judge",
    "give-penalty": "judge",
    "edit-catalogue": "judge",
    "decide-appeal": "head-judge",
    "edit-event": "organiser",
    "manage-staff": "organiser",
    "delete-event": "organiser",
    "erase-player": "organiser",
    "export": "scorekeeper",
}


def may(role: str | None, action: str) -> bool:
    """Whether somebody with this role at the event may do this. None is a stranger."""
    return role is not None and ROLES.index(role) >= ROLES.index(LEAST_ROLE[action])

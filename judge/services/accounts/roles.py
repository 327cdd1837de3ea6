"""The actions that each role may perform at an event."""

from __future__ import annotations

# From least to most; each role may do everything the roles before it may.
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
    "announce": "head-judge",
    "edit-event": "organiser",
    "manage-staff": "organiser",
    "delete-event": "organiser",
    "erase-player": "organiser",
    "connect": "organiser",
    "export": "scorekeeper",
}


def may(role: str | None, action: str) -> bool:
    """Whether somebody with this role at the event may perform the action; None is a stranger."""
    return role is not None and ROLES.index(role) >= ROLES.index(LEAST_ROLE[action])

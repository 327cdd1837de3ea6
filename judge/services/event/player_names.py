"""What players are called on pages and paper. Two who share a name are told apart by club or number, and the
display name stands wherever the public can read it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from judge.storage.events import Player


def shown_name(player: Player, *, public: bool = False) -> str:
    return (player.public_name or player.name) if public else player.name


def shown_names(players: Iterable[Player], *, public: bool = False) -> dict[int, str]:
    """A name for every player id, no two alike: "Ana", "Ana (Lyon)", "Ana (2)"."""
    everyone = sorted(players, key=lambda p: p.id)
    plain = {p.id: shown_name(p, public=public) for p in everyone}
    bare = Counter(name.casefold() for name in plain.values())
    clubbed = Counter((plain[p.id].casefold(), (p.club or "").casefold()) for p in everyone)
    taken = {name.casefold() for name in plain.values() if bare[name.casefold()] == 1}
    result: dict[int, str] = {}
    for player in everyone:
        name = plain[player.id]
        if bare[name.casefold()] > 1:
            by_club = bool(player.club) and clubbed[name.casefold(), (player.club or "").casefold()] == 1
            name = _numbered(name, taken, f"{name} ({player.club})" if by_club else None)
            taken.add(name.casefold())
        result[player.id] = name
    return result


def _numbered(name: str, taken: set[str], wish: str | None) -> str:
    """The wish if it is free; else the name with the first free number; the first of them keeps it bare."""
    options = [wish] if wish else []
    options += [name, *(f"{name} ({n})" for n in range(2, len(taken) + 3))]
    return next(option for option in options if option.casefold() not in taken)

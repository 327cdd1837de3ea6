"""The names of players on pages and paper. Players who share a name are told apart by club or number; the
public sees display names.
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
    namesakes = Counter(name.casefold() for name in plain.values())
    in_club = Counter((plain[p.id].casefold(), (p.club or "").casefold()) for p in everyone)
    used = {name.casefold() for name in plain.values() if namesakes[name.casefold()] == 1}
    result: dict[int, str] = {}
    for player in everyone:
        name = plain[player.id]
        if namesakes[name.casefold()] > 1:
            by_club = bool(player.club) and in_club[name.casefold(), (player.club or "").casefold()] == 1
            name = _numbered(name, used, f"{name} ({player.club})" if by_club else None)
            used.add(name.casefold())
        result[player.id] = name
    return result


def _numbered(name: str, used: set[str], with_club: str | None) -> str:
    """The name with its club if that is free, else the plain name, else the name with the first free
    number."""
    options = [with_club] if with_club else []
    options += [name, *(f"{name} ({n})" for n in range(2, len(used) + 3))]
    return next(option for option in options if option.casefold() not in used)

"""Gives each player a box of the hero they play: their own, else one that is lent and in no running match.

A hero without any box in the list is taken to be brought by whoever plays it. Given what was chosen and where
the boxes are, everything here is worked out without the database; `Shelf` is read with two queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session, col, select

from judge.core.errors import Refused
from judge.core.messages import Message, Ref
from judge.services.event.event_rows import EventRows
from judge.services.event.event_view import AnyEvent
from judge.services.play.selection import SIDES, Selection, read_selection
from judge.storage.boxes import HeroBox
from judge.storage.events import Match, Round
from judge.tournament.model import Side

NOBODY = 0  # no player has this id


@dataclass(frozen=True, slots=True)
class Shelf:
    """The boxes of an event, and the tables at which they are being played with."""

    boxes: tuple[HeroBox, ...]
    at: Mapping[int, tuple[int, int]]  # box -> (match, table)

    def of(self, hero: str) -> list[HeroBox]:
        return [box for box in self.boxes if box.hero == hero]

    def free(self, hero: str, player: int, match: int, taken: Iterable[int] = ()) -> HeroBox | None:
        """A box for this player: their own first; none that is in another match."""
        busy = {box for box, (where, _) in self.at.items() if where != match} | set(taken)
        fitting = [b for b in self.of(hero) if b.player_id in (None, player) and b.id not in busy]
        return min(fitting, key=lambda b: (b.player_id is None, b.id), default=None)

    def can_lend(self, hero: str, match: int) -> bool:
        """Whether a box that anybody may borrow is free."""
        return self.free(hero, NOBODY, match) is not None

    def with_match(self, match: Match) -> Shelf:
        """The shelf once the boxes of this match are at its table."""
        boxes = read_selection(match.selection).boxes or {}
        taken = dict.fromkeys(boxes.values(), (match.id, match.table_no or 0))
        return Shelf(self.boxes, {**self.at, **taken})

    def tables(self, hero: str) -> list[int]:
        """The tables at which boxes of this hero are."""
        return sorted(self.at[box.id][1] for box in self.of(hero) if box.id in self.at)


NO_BOXES = Shelf((), {})


def read_shelf(session: Session, event: AnyEvent) -> Shelf:
    query = select(HeroBox).where(HeroBox.event_id == event.id).order_by(col(HeroBox.hero), col(HeroBox.id))
    boxes = session.exec(query).all()
    if not boxes:
        return NO_BOXES
    running = session.execute(
        select(Match.id, Match.table_no, Match.selection)
        .join(Round, col(Round.id) == Match.round_id)
        .where(Match.event_id == event.id, Round.state == "published", col(Match.result).is_(None))
    )
    at = {
        box: (match, table or 0)
        for match, table, selection in running
        for box in (read_selection(selection).boxes or {}).values()
    }
    return Shelf(tuple(boxes), at)


def with_boxes(shelf: Shelf, match: Match, selection: Selection, *, is_strict: bool) -> Selection:
    """The selection with a box for every hero that was picked. If none is free: refused, or, where a refusal
    would give a secret away, left without."""
    if not shelf.boxes or not selection.picks:
        return selection
    seats = {"a": match.a_id, "b": match.b_id or 0}
    lent: dict[Side, int] = {}
    for side in SIDES:
        hero = selection.picks.get(side)
        if hero is None or not shelf.of(hero):
            continue
        box = shelf.free(hero, seats[side], match.id, lent.values())
        if box is not None:
            lent[side] = box.id
        elif is_strict:
            raise Refused(Message("box_none_free", hero=Ref("hero", hero), tables=shelf.tables(hero)))
    return replace(selection, boxes=lent)


# -- before a round -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Clash:
    """More players need a hero than there are boxes for them."""

    hero: str
    needed: int
    boxes: int
    tables: tuple[int, ...]


def clashes(rows: EventRows, round_: Round, shelf: Shelf) -> list[Clash]:
    """Heroes of which a round needs more boxes than there are, as far as the heroes are known: picked
    already, or the only one a player brings."""
    needs: dict[str, list[tuple[int, int]]] = {}
    for match in rows.matches.get(round_.id, ()):
        if match.b_id is None or match.more:
            continue
        for side, player in zip(SIDES, match.seats, strict=True):
            hero = read_selection(match.selection).picks.get(side) or _only(rows.players[player].heroes)
            if hero and shelf.of(hero):
                needs.setdefault(hero, []).append((player, match.table_no or 0))
    clashing = []
    for hero, wanting in sorted(needs.items()):
        own = {box.player_id for box in shelf.of(hero) if box.player_id is not None}
        lent = sum(box.player_id is None for box in shelf.of(hero))
        borrowing = [table for player, table in wanting if player not in own]
        if len(borrowing) > lent:
            clashing.append(Clash(hero, len(borrowing), lent, tuple(sorted(set(borrowing)))))
    return clashing


def _only(heroes: Sequence[str]) -> str | None:
    return heroes[0] if len(heroes) == 1 else None

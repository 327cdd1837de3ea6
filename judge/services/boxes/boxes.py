"""The list of boxes: adding and removing them, and where each one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, select

from judge.core.errors import Missing, Refused
from judge.core.messages import Message
from judge.services.boxes.lending import read_shelf
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Actor, Change, changing, hold
from judge.services.rulebook.heroes import find_hero
from judge.storage.boxes import HeroBox
from judge.storage.events import Player

MOST_BOXES = 1000
MOST_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class BoxLine:
    id: int
    hero: str
    label: str
    owner: str  # empty: lent to anybody
    table: int | None  # where it is being played with


def add_boxes(
    session: Session, event: AnyEvent, actor: Actor, hero: str, count: int, label: str, owner: int | None
) -> Change[int]:
    """Add so many boxes of a hero, of one player or to be lent."""
    event = hold(session, event)
    hero = find_hero(event.game, hero.strip())
    if not hero or not 1 <= count <= MOST_AT_ONCE:
        raise Refused(Message("box_incomplete", most=MOST_AT_ONCE))
    if owner is not None:
        player = session.get(Player, owner)
        if player is None or player.event_id != event.id:
            raise Refused(Message("player_unknown"))
    if len(read_shelf(session, event).boxes) + count > MOST_BOXES:
        raise Refused(Message("box_too_many", most=MOST_BOXES))
    boxes = [
        HeroBox(
            event_id=event.id, hero=hero[:60], label=_numbered(label.strip()[:34], n, count), player_id=owner
        )
        for n in range(1, count + 1)
    ]
    with changing(session, event, actor, "event.boxes-added") as recording:
        session.add_all(boxes)
    return recording.change.giving(count)


def _numbered(label: str, n: int, count: int) -> str:
    return label if count == 1 else f"{label} {n}".strip()


def remove_box(session: Session, event: AnyEvent, actor: Actor, box_id: int) -> Change[None]:
    event = hold(session, event)
    box = session.get(HeroBox, box_id)
    if box is None or box.event_id != event.id:
        raise Missing(Message("box_unknown"))
    if box_id in read_shelf(session, event).at:
        raise Refused(Message("box_in_use"))
    with changing(session, event, actor, "event.box-removed") as recording:
        session.delete(box)
    return recording.change


def read_boxes(session: Session, event: AnyEvent) -> list[BoxLine]:
    shelf = read_shelf(session, event)
    names = names_of(session, event) if shelf.boxes else {}
    return [
        BoxLine(
            box.id, box.hero, box.label, names.get(box.player_id or 0, ""),
            shelf.at[box.id][1] if box.id in shelf.at else None,
        )
        for box in shelf.boxes
    ]  # fmt: skip


def names_of(session: Session, event: AnyEvent) -> dict[int, str]:
    """Players by id, to choose an owner from."""
    query = select(Player.id, Player.name).where(Player.event_id == event.id, Player.state != "dropped")
    rows: Sequence[tuple[int, str]] = session.exec(query).all()
    return dict(sorted(rows, key=lambda row: row[1].casefold()))

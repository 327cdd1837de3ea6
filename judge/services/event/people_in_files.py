"""What a tournament file of the desk says about people beside the tournament: who is not in it or not checked
in, what was announced, whose hero boxes there are; written from an event's rows and read into new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from judge.core.json_types import JsonObject
from judge.schemas.tournament.desk_people import (
    Announced,
    Outsider,
    read_announcements,
    read_boxes,
    read_outside,
    write_announced,
    write_outsider,
)
from judge.schemas.tournament.story_reader import Names
from judge.services.event.event_rows import EventRows
from judge.services.event.event_view import AnyEvent
from judge.services.event.tournament_of import as_entrant, ids_in_files, player_id
from judge.storage.boxes import HeroBox
from judge.storage.events import Announcement, Player, Round
from judge.tournament.model import Member, PlayerId
from judge.tournament.stages import StagedEvent

Label = Callable[[PlayerId], str]


def outsiders(rows: EventRows, event: StagedEvent) -> dict[int, Outsider]:
    """The players of the event who are not in the tournament, by row."""
    listed = {e.id for e in event.stages[0].plan.entrants}
    ids = ids_in_files(rows)
    return {
        p.id: Outsider(
            as_entrant(p, p.name, ids.get(p.id)), p.state, p.first_round, p.last_round, p.public_name,
            tuple(p.byes), tuple(p.half_byes), tuple(p.absent),
        )
        for p in rows.players.values()
        if player_id(p.id) not in listed
    }  # fmt: skip


def labeller(event: StagedEvent, outside: Mapping[int, Outsider]) -> Label:
    """What the file calls somebody, in the tournament or not."""
    others = {player_id(row): one.entrant for row, one in outside.items()}

    def label(player: PlayerId) -> str:
        who = others.get(player)
        if who is None:
            return event.stages[0].plan.label(player)
        return who.id_in_files if who.given_id else who.name

    return label


def people_in_file(
    session: Session, rows: EventRows, event: StagedEvent, outside: Mapping[int, Outsider]
) -> JsonObject:
    """The keys of `desk` that this module reads; those with nothing to say are left out."""
    label = labeller(event, outside)
    facts: JsonObject = {
        "outside": [write_outsider(one) for one in outside.values()],
        "not_checked_in": [
            label(player_id(p.id))
            for p in rows.players.values()
            if p.state == "registered" and p.id not in outside
        ],
        "announcements": [write_announced(one) for one in _announced(session, rows.event)],
        "boxes": [_box(box, label) for box in _boxes(session, rows.event)],
        "hero_seeds": {str(r.number): seed for r in rows.rounds if (seed := r.report.get("hero_seed"))},
    }
    return {key: value for key, value in facts.items() if value}


def _announced(session: Session, event: AnyEvent) -> list[Announced]:
    query = select(Announcement).where(Announcement.event_id == event.id).order_by(col(Announcement.id))
    return [Announced(row.at, row.by, row.text, row.is_shown) for row in session.exec(query)]


def _boxes(session: Session, event: AnyEvent) -> Sequence[HeroBox]:
    return session.exec(select(HeroBox).where(HeroBox.event_id == event.id).order_by(col(HeroBox.id))).all()


def _box(box: HeroBox, label: Label) -> JsonObject:
    facts = {"hero": box.hero, "label": box.label}
    facts["player"] = label(player_id(box.player_id)) if box.player_id else ""
    return {key: word for key, word in facts.items() if word}


# -- reading ----------------------------------------------------------------------------------------------


def names_of(staged: StagedEvent) -> Names:
    """How the file calls people, in the tournament or not."""
    outside = [one.entrant for one in read_outside(staged.desk.get("outside"))]
    return Names(staged.stages[0].plan.entrants, outside)


def not_checked_in(staged: StagedEvent) -> set[PlayerId | None]:
    names = names_of(staged)
    return {names.find(str(who)) for who in staged.desk.get("not_checked_in") or ()}


def outside_rows(event: AnyEvent, staged: StagedEvent, now: datetime) -> dict[PlayerId, Player]:
    """New rows for the players who are not in the tournament."""
    return {
        one.entrant.id: Player(
            event_id=event.id, name=one.entrant.name, public_name=one.display, club=one.entrant.club,
            seed=one.entrant.seed, fixed_table=one.entrant.table, heroes=list(one.entrant.heroes),
            key=one.entrant.id if one.entrant.given_id else None, group_no=one.entrant.group,
            members=members_in_row(one.entrant.members), state=one.state, first_round=one.first_round,
            last_round=one.last_round, byes=list(one.byes), half_byes=list(one.half_byes),
            absent=list(one.absent), created_at=now,
        )
        for one in read_outside(staged.desk.get("outside"))
    }  # fmt: skip


def members_in_row(members: Sequence[Member]) -> list[JsonObject | str]:
    return [{"name": m.name, "heroes": list(m.heroes)} if m.heroes else m.name for m in members]


def add_announcements_and_boxes(
    session: Session, event: AnyEvent, staged: StagedEvent, ids: Mapping[PlayerId, int]
) -> None:
    session.add_all(
        Announcement(event_id=event.id, at=one.at, by=one.by, text=one.text, is_shown=one.is_shown)
        for one in read_announcements(staged.desk.get("announcements"))
    )
    session.flush()
    session.add_all(
        HeroBox(
            event_id=event.id,
            hero=box.hero,
            label=box.label,
            player_id=ids[box.player] if box.player else None,
        )
        for box in read_boxes(staged.desk.get("boxes"), names_of(staged))
    )
    session.flush()


def with_hero_seed(round_: Round, staged: StagedEvent) -> JsonObject:
    """The report of a round with the seed by which its heroes were drawn."""
    seed = (staged.desk.get("hero_seeds") or {}).get(str(round_.number))
    return {**round_.report, "hero_seed": str(seed)} if seed else round_.report

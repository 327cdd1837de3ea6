"""The rows of an event that its tournament depends on: one query for each table, whatever its size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from sqlmodel import Session, col, select

from judge.services.event.event_view import AnyEvent
from judge.services.players.player_names import shown_names
from judge.storage.events import Match, Player, Round


@dataclass(frozen=True)
class EventRows:
    """The rows of an event that its tournament depends on."""

    event: AnyEvent
    players: dict[int, Player]
    rounds: tuple[Round, ...]  # in order of play, drafts too
    matches: dict[int, tuple[Match, ...]]  # by round id, in order of tables, byes last

    @cached_property
    def names(self) -> dict[int, str]:
        """The players' unique names at the desk."""
        return shown_names(self.players.values())

    @cached_property
    def published(self) -> tuple[Round, ...]:
        return tuple(r for r in self.rounds if r.state == "published")

    @cached_property
    def without_drafts(self) -> EventRows:
        """The same as everybody sees it."""
        return replace(self, rounds=self.published)

    @property
    def draft(self) -> Round | None:
        return next((r for r in self.rounds if r.state == "draft"), None)

    @property
    def last(self) -> Round | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def current(self) -> Round | None:
        """The round being played, or the last one played."""
        return self.published[-1] if self.published else None

    @cached_property
    def begun(self) -> dict[int, int]:
        """The first rounds of the stages that have begun."""
        return {r.stage: r.number for r in reversed(self.rounds)}

    def of_stage(self, stage: int, *, drafts: bool = False) -> tuple[Round, ...]:
        return tuple(r for r in (self.rounds if drafts else self.published) if r.stage == stage)

    def round_of(self, match: Match) -> Round:
        return next(r for r in self.rounds if r.id == match.round_id)

    def missing(self) -> list[Match]:
        """Tables of published rounds without a result."""
        return [m for r in self.published for m in self.matches.get(r.id or 0, ()) if m.result is None]

    def all_matches(self) -> Iterable[tuple[Round, Match]]:
        return ((r, m) for r in self.rounds for m in self.matches.get(r.id or 0, ()))


def read_rows(session: Session, event: AnyEvent) -> EventRows:
    players = session.exec(select(Player).where(Player.event_id == event.id).order_by(col(Player.id))).all()
    rounds = session.exec(
        select(Round).where(Round.event_id == event.id).order_by(col(Round.stage), col(Round.number))
    ).all()
    matches: dict[int, list[Match]] = {}
    for match in session.exec(select(Match).where(Match.event_id == event.id).order_by(col(Match.id))).all():
        matches.setdefault(match.round_id, []).append(match)
    return EventRows(
        event,
        {p.id or 0: p for p in players},
        tuple(rounds),
        {key: tuple(sorted(in_round, key=_by_table)) for key, in_round in matches.items()},
    )


def _by_table(match: Match) -> tuple[bool, int, int]:
    return match.table_no is None, match.table_no or 0, match.id or 0

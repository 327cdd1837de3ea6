"""The ranking of an event at the desk, on public pages, phones, papers and in spreadsheets: one function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from judge.services.event.event_rows import EventRows
from judge.services.event.stage_format import planned_stages, take_of
from judge.services.event.tournament_of import player_id, stages_begun, tournament_of
from judge.tournament.event_ranking import EventRanking, rank_event
from judge.tournament.model import Tournament


def named_stage(rows: EventRows, stage: int, names: Mapping[int, str]) -> Tournament:
    """The engine's tournament of a stage, with these names of the players."""
    t = tournament_of(rows, stage, name_of=lambda player: names[player.id or 0])
    return replace(t, labels={player_id(n): name for n, name in names.items()})


def event_ranking(rows: EventRows, names: Mapping[int, str] | None = None) -> EventRanking:
    """Everybody's place in the whole event: of the last stage first, then of the one before. It is final once
    everything that was planned is played, or the organiser has closed the event."""
    begun = stages_begun(rows)
    stages = [named_stage(rows, n, rows.names if names is None else names) for n in range(1, begun + 1)]
    ranking = rank_event(stages, planned_stages(rows.event), take_of(rows.event, begun + 1))
    is_closed = rows.event.state == "finished" and not rows.missing()
    return replace(ranking, is_over=ranking.is_over or (is_closed and bool(rows.published)))

"""Reads the matches that figures are made of: one query, whatever the size of the event or season."""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, or_
from sqlmodel import Session, col

from judge.core.messages import Lang
from judge.schemas.tournament.spreadsheets import to_csv
from judge.services.figures.counting import MARGIN_STEP, Figures, Played, Share, figures_of
from judge.services.play.outcomes import PLAYED
from judge.services.public.read_models import Stamp, cached
from judge.services.rulebook.heroes import hero_name
from judge.services.season.seasons import SeasonView
from judge.storage.events import Match, Round
from judge.storage.reader import Prepared, Reader, select_columns
from judge.storage.seasons import SeasonEvent
from judge.tournament.model import winner

_COLUMNS = (Match.selection, Match.result, Match.health_a, Match.health_b)
_PLAYED = (
    select_columns(*_COLUMNS)
    .join(Round, col(Round.id) == Match.round_id)
    .where(
        Round.state == "published", col(Match.b_id).is_not(None), col(Match.more).is_(None),
        or_(*(Match.result == word for word in PLAYED)),  # type: ignore[arg-type]  # a column's comparison
    )
)  # fmt: skip
_OF_EVENT = Prepared(_PLAYED.where(Match.event_id == bindparam("event")), "event")


def read_event_figures(reader: Reader, stamp: Stamp) -> Figures:
    return cached(
        reader,
        "figures",
        stamp,
        lambda: figures_of([_played(*row) for row in reader.rows(_OF_EVENT, stamp.id)]),
    )


def read_season_figures(session: Session, season: SeasonView) -> Figures:
    """Over the events of the season that are closed."""
    query = _PLAYED.join(SeasonEvent, col(SeasonEvent.event_id) == Match.event_id).where(
        SeasonEvent.season_id == season.id, col(SeasonEvent.standings).is_not(None)
    )
    return figures_of([_played(*row) for row in session.execute(query)])


def _played(selection: dict[str, Any], result: str, health_a: int | None, health_b: int | None) -> Played:
    picks, bans = selection.get("picks", {}), selection.get("bans", {})
    return Played(
        heroes=(picks["a"], picks["b"]) if len(picks) == 2 else None,
        bans=tuple(hero for heroes in bans.values() for hero in heroes),
        has_bans=bool(bans),
        first=selection.get("first"),
        won=winner(result) or "draw",
        health=None if health_a is None or health_b is None else (health_a, health_b),
    )


# -- as CSV -------------------------------------------------------------------------------------------------

TABLES = ("heroes", "duels", "others")


def figures_csv(figures: Figures, table: str, game: str, lang: Lang) -> str:
    """One of the tables, with counts, shares and the ends of their intervals."""
    if table == "heroes":
        kinds = ("picked", "banned", "won")
        header = [
            "hero",
            "id",
            *(f"{kind}_{name}" for kind in kinds for name in ("n", "of", "share", "low", "high")),
        ]
        rows: list[list[object]] = [
            [
                hero_name(game, h.hero, lang),
                h.hero,
                *_numbers(h.picked),
                *_numbers(h.banned),
                *_numbers(h.won),
            ]
            for h in figures.heroes
        ]
    elif table == "duels":
        header = ["hero", "other", "won", "of", "share", "low", "high"]
        rows = [
            [hero_name(game, d.hero, lang), hero_name(game, d.other, lang), *_numbers(d.won)]
            for d in figures.duels
        ]
    else:
        header = ["what", "n", "of", "share", "low", "high"]
        rows = [["first player won", *_numbers(figures.first)]]
        rows += [
            [
                f"won by {n * MARGIN_STEP} to {n * MARGIN_STEP + MARGIN_STEP - 1} health",
                *_numbers(Share(count, figures.margins.count)),
            ]
            for n, count in enumerate(figures.margins.steps)
        ]
    return to_csv(header, rows)


def _numbers(share: Share) -> list[object]:
    if share.value is None or share.interval is None:
        return [share.count, share.of, "", "", ""]
    return [share.count, share.of, *(round(x, 4) for x in (share.value, *share.interval))]

"""The page of one match at the desk: players, result or reports, bans and picks, locked heroes."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlmodel import Session

from judge.core.messages import Lang, Message
from judge.services.event.event_rows import EventRows, read_rows
from judge.services.event.event_view import AnyEvent, MatchView, PlayerView, match_view, player_view
from judge.services.event.stage_format import pod_counts
from judge.services.pairing.reasons import phrasebook
from judge.services.pairing.round_page import bracket_names, say
from judge.services.play.bans_and_picks import (
    Choice,
    HeroRules,
    Lock,
    Step,
    choices,
    hero_rules,
    locks,
    next_step,
    winner_of,
)
from judge.services.play.outcomes import HouseRules, Outcome, describe, house_rules, outcome_of
from judge.services.play.reports import SEATS, is_one_phone, read_reports
from judge.services.play.selection import SIDES, Selection, read_selection
from judge.storage.events import Match, Round
from judge.tournament.model import Side


@dataclass(frozen=True, slots=True)
class MatchPage:
    id: int
    version: int
    number: int | None
    round: int
    stage: int
    is_public: bool
    bracket: str | None
    a: str
    b: str | None  # in a pod: everybody after the first
    names: list[str]
    players: list[PlayerView]  # for links and heroes
    why: list[str]
    outcome: Outcome | None
    describes: Message
    says: str
    reports: dict[str, str]  # by name
    reported: dict[str, Outcome]  # the same as outcomes, to accept one
    is_one_phone: bool  # both sides have reported from one phone
    has_later_round: bool
    rules: HouseRules
    heroes: HeroRules
    step: Step
    selection: Selection
    rolled: dict[str, Side | None]
    choices: dict[Side, list[Choice]] = field(default_factory=dict)
    locks: dict[Side, list[Lock]] = field(default_factory=dict)
    match: MatchView | None = None


def match_page(session: Session, event: AnyEvent, match_id: int, lang: Lang) -> MatchPage | None:
    rows = read_rows(session, event)
    pair = next(((r, m) for r, m in rows.all_matches() if m.id == match_id), None)
    if pair is None:
        return None
    round_, match = pair
    names, counts = [rows.names[p] for p in match.seats], pod_counts(event, round_.stage)
    rules, selection = hero_rules(event), read_selection(match.selection)
    step = next_step(selection, rules)
    book, outcome, reports = phrasebook(lang), outcome_of(match), read_reports(match.reports)
    reported = {names[SEATS.index(seat)]: reports[seat].outcome for seat in sorted(reports)}
    return MatchPage(
        id=match.id or 0,
        version=match.version,
        number=match.table_no,
        round=round_.number,
        stage=round_.stage,
        is_public=round_.state == "published",
        bracket=bracket_names(rows, round_, lang).get(match.slot or ""),
        a=names[0],
        b=" – ".join(names[1:]) or None,
        names=names,
        players=[player_view(rows.players[p]) for p in match.seats],
        why=say(rows, match.why, lang),
        outcome=outcome,
        describes=describe(names, outcome, counts),
        says=book.say(describe(names, outcome, counts)),
        reports={name: book.say(describe(names, report, counts)) for name, report in reported.items()},
        reported=reported,
        is_one_phone=is_one_phone(reports),
        has_later_round=any(r.number > round_.number for r in rows.rounds),
        rules=house_rules(event, round_.stage),
        heroes=rules,
        step=step,
        selection=selection,
        rolled={stage: winner_of(selection.rolls(stage)) for stage in ("ban", "start")},
        choices=_choices(rows, round_, match, step, rules),
        locks=_locks(rows, round_, match, rules),
        match=match_view(match),
    )


def _locks(rows: EventRows, round_: Round, match: Match, rules: HeroRules) -> dict[Side, list[Lock]]:
    """The locked heroes of each side."""
    if rules.mode != "lockout":
        return {}
    players = {"a": match.a_id, "b": match.b_id}
    return {s: locks(rows, p, round_, rules) for s in SIDES if (p := players[s]) is not None}


def _choices(
    rows: EventRows, round_: Round, match: Match, step: Step, rules: HeroRules
) -> dict[Side, list[Choice]]:
    if match.b_id is None or match.more:
        return {}
    if step.kind == "reveal":
        return {side: choices(rows, round_, match, step, rules, side) for side in SIDES}
    return (
        {step.by: choices(rows, round_, match, step, rules)}
        if step.by and step.kind in ("ban", "pick")
        else {}
    )

"""Turns an event's rows into the tournament that the engine ranks, pairs and draws.

    rows = read_rows(session, event)           # a query for each table, whatever the event's size
    rank(tournament_of(rows))                  # published rounds of the event's own format
    play_bracket(tournament_of(rows, stage=2)) # the cut

The engine's player id is the row's id as text (`player_id`). Round numbers continue through the stages: after
four Swiss rounds the cut begins with round 5, which is the first round of its own tournament.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from judge.core.json_types import TournamentFile
from judge.schemas.tournament.presets import presets
from judge.schemas.tournament.selections import KEYS as SELECTION_KEYS
from judge.schemas.tournament.selections import read_selection
from judge.schemas.tournament.stage_settings import StageSettings
from judge.schemas.tournament.writer import write_tournament
from judge.services.event.event_rows import EventRows
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import (
    has_cut_of_preset,
    is_bracket_round,
    kind_of,
    later_stage,
    more_of,
    planned_stages,
    settings_as_given,
    stage_rules,
)
from judge.storage.events import HALF_BYE, Match, Player, Round
from judge.tournament import model
from judge.tournament.model import (
    HOWS,
    ByRound,
    Entrant,
    How,
    Member,
    PlayerId,
    Result,
    Tournament,
    labels_of,
)
from judge.tournament.stages import (
    Attendance,
    Stage,
    StagedEvent,
    Take,
    going_on,
    one_stage,
    seeds,
)

HOW_BY_WORD: dict[str, How] = {how: how for how in HOWS}
PLAYS = ("registered", "present", "dropped")


def player_id(row_id: int) -> PlayerId:
    return PlayerId(str(row_id))


def display_name(player: Player) -> str:
    """The player's name on public pages."""
    return player.public_name or player.name


def desk_name(player: Player) -> str:
    return player.name


def tournament_of(
    rows: EventRows,
    stage: int = 1,
    *,
    upto: int | None = None,
    name_of: Callable[[Player], str] = desk_name,
    going: Sequence[int] = (),
) -> Tournament:
    """The engine's tournament of one stage: its published rounds, up to round number `upto` if given. `going`
    are the players of a stage that has not begun."""
    event = rows.event
    rounds = [r for r in rows.of_stage(stage) if upto is None or r.number <= upto]
    players = [rows.players[p] for p in going] or _entrants(rows, stage)
    entrants = _as_entrants(rows, stage, players, name_of)
    rules = stage_rules(event, stage, len(players))
    return Tournament(
        name=event.name,
        game=event.game,
        preset=event.preset if event.preset in presets() else None,
        entrants=entrants,
        drops=_drops(rows, stage, players, rounds),
        late=_late(rows, players) if stage == 1 else {},
        byes=_excused(rows, stage, players, "byes"),
        half_byes=_excused(rows, stage, players, "half_byes"),
        absent=_excused(rows, stage, players, "absent"),
        carried=_carried(rows, stage, name_of),
        rounds=tuple(matches_in(rows, r) for r in rounds),
        given=settings_as_given(event, stage),
        labels=labels_of(entrants),
        forbidden=_forbidden(event, entrants),
        **rules.as_fields(),
    )


def _excused(rows: EventRows, stage: int, players: list[Player], key: str) -> ByRound:
    """Awarded byes, half byes or absences, counted from the first round of the stage; a bracket has none."""
    if kind_of(rows.event, stage).has_bracket:
        return {}
    before = first_number(rows, stage) - 1

    def counts(number: int) -> bool:
        return number > before and not is_bracket_round(rows.event, number, rows.begun)

    numbers = {p.id or 0: tuple(n - before for n in getattr(p, key) or () if counts(n)) for p in players}
    return {player_id(p): rounds for p, rounds in numbers.items() if rounds}


def _carried(rows: EventRows, stage: int, name_of: Callable[[Player], str]) -> Tournament | None:
    if stage == 1 or not later_stage(rows.event, stage).carry:
        return None
    return tournament_of(rows, stage - 1, name_of=name_of)


def _forbidden(event: AnyEvent, entrants: Iterable[Entrant]) -> tuple[tuple[PlayerId, PlayerId], ...]:
    """The pairs of an imported file that must not meet."""
    here = {e.id for e in entrants}
    pairs = ((player_id(a), player_id(b)) for a, b in more_of(event).get("forbidden", ()))
    return tuple((a, b) for a, b in pairs if a in here and b in here)


def _as_entrants(
    rows: EventRows, stage: int, players: list[Player], name_of: Callable[[Player], str]
) -> tuple[Entrant, ...]:
    seeds = {p: n for n, p in enumerate(seeds_of(rows, stage), start=1)}
    groups = groups_in(rows, stage)
    ids = ids_in_files(rows, name_of)
    return tuple(
        replace(
            as_entrant(p, name_of(p), ids.get(p.id)), seed=seeds.get(p.id, p.seed), group=groups.get(p.id)
        )
        for p in players
    )


def ids_in_files(rows: EventRows, name_of: Callable[[Player], str] = desk_name) -> dict[int, str]:
    """The ids of players in tournament files: those that a file gave, and new ones of namesakes. Others go by
    name, so that a season knows them again in the files of other events."""
    given = {p.id: p.key for p in rows.players.values() if p.key}
    names = {p.id: name_of(p) for p in rows.players.values()}
    times = Counter(names.values())
    taken = set(given.values())
    alike = [p for p, name in names.items() if times[name] > 1 or name in taken]
    return {p: f"{rows.event.slug}-{p}" for p in alike} | given


def as_entrant(player: Player, name: str, file_id: str | None) -> Entrant:
    """The player as a file or form described them."""
    return Entrant(
        id=player_id(player.id),
        name=name,
        club=player.club or None,
        seed=player.seed,
        table=player.fixed_table or None,
        heroes=tuple(player.heroes or ()),
        given_id=file_id is not None,
        group=player.group_no,
        members=members_of(player),
        file_id=file_id,
    )


def members_of(player: Player) -> tuple[Member, ...]:
    """The people of a team; each is stored as a name, or with heroes."""
    return tuple(
        Member(m) if isinstance(m, str) else Member(m["name"], tuple(m["heroes"]))
        for m in player.members or ()
    )


def _drops(rows: EventRows, stage: int, players: list[Player], rounds: list[Round]) -> dict[PlayerId, int]:
    """The last rounds of those who have dropped, counted from the first round of the stage. Whoever has a
    table in a later round has not left before it, whatever the row says."""
    gone = {p.id: p for p in players if p.state == "dropped"}
    if not gone:
        return {}
    before = first_number(rows, stage) - 1
    last = max((r.number for r in rounds), default=before)
    seated = {p: r.number for r in rounds for m in rows.matches.get(r.id, ()) for p in m.seats if p in gone}
    drops = {p: last if row.last_round is None else row.last_round for p, row in gone.items()}
    return {player_id(p): max(0, max(n, seated.get(p, 0)) - before) for p, n in drops.items()}


def tournament_file(
    rows: EventRows, stage: int = 1, name_of: Callable[[Player], str] = desk_name
) -> TournamentFile:
    """The tournament file of a stage, as `judge standings` and `judge pair` read it."""
    return write_tournament(tournament_of(rows, stage, name_of=name_of))


def staged_event_of(
    rows: EventRows, name_of: Callable[[Player], str] = desk_name, *, with_planned: bool = False
) -> StagedEvent:
    """The whole event with its stages, planned or played. A cut that its preset plans is left out until it is
    played, unless asked for: a file that names the preset has it already."""
    first = tournament_of(rows, name_of=name_of)
    begun = stages_begun(rows)
    is_of_preset = has_cut_of_preset(rows.event) and not with_planned
    if begun == 1 and (planned_stages(rows.event) == 1 or is_of_preset):
        return one_stage(first)
    later = (_stage(rows, n, first, name_of) for n in range(2, max(begun, planned_stages(rows.event)) + 1))
    whole = Attendance(
        drops=first.drops, late=first.late, byes=first.byes, half_byes=first.half_byes, absent=first.absent
    )
    plain = replace(first, drops={}, late={}, byes={}, half_byes={}, absent={})
    return StagedEvent(
        name=first.name, stages=(Stage(plain), *later), listed=first.entrants, attendance=whole,
        forbidden=first.forbidden,
    )  # fmt: skip


def _stage(rows: EventRows, number: int, first: Tournament, name_of: Callable[[Player], str]) -> Stage:
    settings = later_stage(rows.event, number)
    t = tournament_of(rows, number, name_of=name_of)
    nobody: ByRound = {}
    plan = replace(
        t, entrants=first.entrants, drops={}, late={}, byes=nobody, half_byes=nobody, absent=nobody,
        labels=first.labels, carried=None, forbidden=first.forbidden,
    )  # fmt: skip
    before, take = tournament_of(rows, number - 1, name_of=name_of), settings.who()
    planned, going = _planned(before, t, take, settings), [e.id for e in t.entrants]
    if t.rounds and set(planned) != set(going):  # somebody left or came back after the stage had begun
        take = Take(players=tuple(going))
        planned = _planned(before, t, take, settings)
    return Stage(
        plan,
        name=settings.name,
        take=take,
        seeding=settings.seeding,
        is_carried=settings.carry,
        own_facts=_own_seeds(planned, t),
    )


def stages_begun(rows: EventRows) -> int:
    """The number of the stage being played: the last one with a published round, else the first."""
    return max((r.stage for r in rows.published), default=1)


def _planned(before: Tournament, t: Tournament, take: Take | None, settings: StageSettings) -> list[PlayerId]:
    """Who would go on into the stage now, best seed first; nobody while it has not begun."""
    if not t.rounds:
        return []
    seen = {p for matches in t.rounds for match in matches for p in match.players}
    return seeds(before, going_on(before, take, seen)[0], settings.seeding)


def _own_seeds(planned: list[PlayerId], t: Tournament) -> dict[PlayerId, Entrant]:
    """The players of a stage by seed, where they are not those of the standings."""
    if not t.rounds or planned == [e.id for e in t.entrants]:
        return {}
    return {e.id: replace(e, seed=n, group=None) for n, e in enumerate(t.entrants, start=1)}


def first_number(rows: EventRows, stage: int) -> int:
    """The number of the stage's first round."""
    if stage == 1:
        return 1
    return 1 + max((r.number for r in rows.rounds if r.stage < stage), default=0)


def seeds_of(rows: EventRows, stage: int) -> list[int]:
    """The players of a bracket, best seed first; empty if the format has no seeding of its own."""
    first = next(iter(rows.of_stage(stage, drafts=True)), None)
    return list(first.report.get("seeds", [])) if first else []


def groups_in(rows: EventRows, stage: int) -> dict[int, int]:
    """The group of each player: as a file gave it, then from the reports of the rounds; later rounds add late
    entries."""
    given = {p.id: p.group_no for p in rows.players.values() if p.group_no} if stage == 1 else {}
    reports = (r.report.get("groups", {}) for r in rows.of_stage(stage, drafts=True))
    return given | {int(player): group for groups in reports for player, group in groups.items()}


def takes_part(player: Player, *, only_present: bool) -> bool:
    return player.state in ("present", "dropped") if only_present else player.state in PLAYS


def _entrants(rows: EventRows, stage: int) -> list[Player]:
    """The players who have played in the stage and, while it takes entries, those of its next round.

    Once anybody has checked in, players who have not are left out until they do."""
    played = {
        p for r in rows.of_stage(stage, drafts=True) for m in rows.matches.get(r.id or 0, ()) for p in m.seats
    }
    seeds = seeds_of(rows, stage)
    if seeds:
        return [rows.players[p] for p in seeds]
    if stage > 1 or (played and kind_of(rows.event, stage).has_bracket):
        return [p for p in rows.players.values() if p.id in played]
    only_present = any(p.state == "present" for p in rows.players.values())
    return [
        p
        for p in rows.players.values()
        if p.id in played or (p.state != "dropped" and takes_part(p, only_present=only_present))
    ]


def _late(rows: EventRows, players: list[Player]) -> dict[PlayerId, int]:
    """The first rounds of late entries. Players who have not played yet enter in the next round."""
    first: dict[int, int] = {}
    for r in reversed(rows.of_stage(1, drafts=True)):
        for match in rows.matches.get(r.id or 0, ()):
            first |= dict.fromkeys(match.seats, r.number)
    upcoming = 1 + max((r.number for r in rows.of_stage(1)), default=0)
    entered = {p.id or 0: first.get(p.id or 0, max(p.first_round, upcoming)) for p in players}
    return {player_id(p): number for p, number in entered.items() if number > 1}


def matches_in(rows: EventRows, round_: Round) -> tuple[model.Match, ...]:
    """The tables of a round. Awarded byes, half byes and absences are no matches: they stand beside it."""
    tables = [m for m in rows.matches.get(round_.id or 0, ()) if not is_excused(rows, round_, m)]
    if not kind_of(rows.event, round_.stage).has_pods:
        return tuple(map(_match, tables))
    return tuple(
        match for table in tables for match in ([_match(table)] if table.b_id is None else _pod(table))
    )


def is_excused(rows: EventRows, round_: Round, match: Match) -> bool:
    """Whether the row only shows an awarded bye, a half bye or an absence."""
    if match.b_id is not None:
        return False
    if match.result == HALF_BYE:
        return True
    player = rows.players[match.a_id]
    if match.result != Result.BYE:
        return round_.number in (player.absent or ())
    if not kind_of(rows.event, round_.stage).has_bracket:
        return round_.number in (player.byes or ())
    tables = rows.matches.get(round_.id or 0, ())  # a bye of the bracket itself, unless they also play
    return any(m.b_id is not None and match.a_id in m.seats for m in tables)


def _pod(match: Match) -> list[model.Match]:
    """A pod as the matches of a tournament: absent players miss the round, a player left alone gets a bye."""
    seats = tuple(map(player_id, match.seats))
    if match.scores is None:
        return [model.Match(seats=seats, table=match.table_no)]
    scores = {p: Fraction(str(s)) for p, s in zip(seats, match.scores, strict=True) if s is not None}
    missed = [model.Match(a=p, result=Result.MISSED) for p in seats if p not in scores]
    if len(scores) > 1:
        return [model.Match(scores=scores, table=match.table_no), *missed]
    return [*(model.Match(a=p, result=Result.BYE) for p in scores), *missed]


def games_of(stored: list[int] | None) -> tuple[int, int, int] | None:
    """Games won by a, won by b and drawn, from a stored row."""
    if not stored:
        return None
    a, b, drawn = (*stored, 0)[:3]
    return a, b, drawn


def _match(match: Match) -> model.Match:
    a, b = match.health_a, match.health_b
    return model.Match(
        a=player_id(match.a_id),
        b=None if match.b_id is None else player_id(match.b_id),
        result=Result(match.result) if match.result else None,
        health=None if a is None or b is None else (a, b),
        games=games_of(match.games),
        how=HOW_BY_WORD.get(match.how or ""),
        table=match.table_no,  # who started is left out: dice decide it, so pairings must not balance it
        selection=_selection(match),
    )


def _selection(match: Match) -> model.Selection | None:
    """The bans and picks of a match, without what phones have not shown yet."""
    shown = {key: value for key, value in match.selection.items() if key in SELECTION_KEYS}
    return read_selection(shown, "selection") if shown else None

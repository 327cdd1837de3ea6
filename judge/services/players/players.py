"""Adds, changes, checks in, drops and restores players. roster.py has what pages show, registration.py
self-registration, erasure.py erasing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from sqlmodel import Session, col, select

from judge.core.errors import Conflict, InputError, Missing, Refused
from judge.core.messages import Message, Ref
from judge.schemas.tournament.event_settings import EventSettings
from judge.schemas.tournament.player_lists import ListedRow, PlayerFacts
from judge.services.event.event_rows import read_rows
from judge.services.event.event_view import AnyEvent, PlayerView, player_view
from judge.services.event.events import settings_of
from judge.services.event.stage_format import is_bracket_round, kind_of
from judge.services.event.tournament_of import tournament_of
from judge.services.log.changes import Actor, Change, changing, unchanged
from judge.services.players.roster import (
    PLAYING,
    free_places,
    last_of_all_stages,
    last_published,
    players_of,
    stages_begun,
    table_warnings,
    tables_of,
)  # fmt: skip
from judge.services.rulebook.heroes import find_hero
from judge.storage.audit import AuditRow
from judge.storage.events import Event, Match, Player, Round, sits_at
from judge.storage.rulings import Penalty
from judge.tournament.formats import play_bracket

# Lists of rounds in which a player is not paired.
ATTENDANCE = ("byes", "half_byes", "absent")
# Columns that have a word of their own for a form that is out of date.
FIELDS = (
    "name", "public_name", "club", "seed", "fixed_table", "heroes", "declared", "state", "first_round",
    "last_round", "is_erased", "link", "members", "key", "group_no", *ATTENDANCE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Added:
    players: list[Player]
    waiting: int  # how many of them are on the waiting list


def get_player(session: Session, event: AnyEvent, player_id: int, version: int | None = None) -> Player:
    """A player of this event. `version` is the one the form showed; a Conflict says what changed since."""
    player = session.get(Player, player_id)
    if player is None or player.event_id != event.id:
        raise Missing(Message("player_unknown"))
    if version is not None and player.version != version:
        raise Conflict(_what_changed(session, event, player))
    return player


def read_player(session: Session, event: AnyEvent, player_id: int) -> PlayerView:
    return player_view(get_player(session, event, player_id))


def _what_changed(session: Session, event: AnyEvent, player: Player) -> Message:
    entries = session.exec(
        select(AuditRow).where(AuditRow.event_id == str(event.id)).order_by(col(AuditRow.id).desc()).limit(50)
    )
    for entry in entries:
        for row in entry.after or []:
            if row["table"] == "player" and row["id"] == player.id and row["row"]:
                fields = [Message(f"player_field_{name}") for name in row["row"] if name in FIELDS]
                if fields:
                    return Message("player_changed", name=player.name, fields=fields, actor=entry.actor)
    return Message("changed_meanwhile")


def lock_places(session: Session, event: AnyEvent) -> None:
    """Lock the event while places are given out, so that the last place is given only once."""
    session.exec(select(Event.id).where(Event.id == event.id).with_for_update()).one()


# -- adding -----------------------------------------------------------------------------------------------


def check_rows(session: Session, event: AnyEvent, rows: Iterable[ListedRow]) -> list[ListedRow]:
    """Check rows against the event: namesakes (a warning), heroes, and tables and seeds already taken."""
    everyone, settings = players_of(session, event), settings_of(event)
    names = Counter(p.name.casefold() for p in everyone)
    seeds, tables = seeds_of(everyone), tables_of(everyone)
    begun = stages_begun(session, event)
    checked = []
    for row in rows:
        if row.facts is not None:
            row = _checked(row, row.facts, event, settings, names, seeds, begun)
        if row.facts is not None and row.facts.fixed_table:
            row = _sharing(row, row.facts, tables.setdefault(row.facts.fixed_table, []))
        checked.append(row)
    return checked


def _sharing(row: ListedRow, facts: PlayerFacts, seated: list[str]) -> ListedRow:
    """The row with a warning if others already have its fixed table; `seated` are their names."""
    warnings = table_warnings({facts.fixed_table or 0: [*seated, facts.name]}) if seated else []
    seated.append(facts.name)
    return replace(row, warnings=(*row.warnings, *warnings))


def _checked(
    row: ListedRow,
    facts: PlayerFacts,
    event: AnyEvent,
    settings: EventSettings,
    names: Counter[str],
    seeds: dict[int, str],
    begun: dict[int, int],
) -> ListedRow:
    facts = replace(facts, heroes=tuple(find_hero(event.game, hero) for hero in facts.heroes))
    faults = hero_faults(settings.heroes, facts.heroes) + seed_faults(seeds, facts)
    faults += bracket_faults(event, begun, facts)
    warnings = []
    if names[facts.name.casefold()]:
        warnings.append(Message("player_twins", name=facts.name))
    if not faults:
        names[facts.name.casefold()] += 1
        if facts.seed:
            seeds[facts.seed] = facts.name
    return replace(row, facts=None if faults else facts, faults=tuple(faults), warnings=tuple(warnings))


def seeds_of(players: Sequence[Player], besides: Player | None = None) -> dict[int, str]:
    """The names of players by seed."""
    others = [p for p in players if p is not besides and p.state != "dropped"]
    return {p.seed: p.name for p in others if p.seed}


def seed_faults(seeds: dict[int, str], facts: PlayerFacts) -> list[Message]:
    if facts.seed is None or facts.seed not in seeds:
        return []
    return [Message("player_seed_taken", seed=facts.seed, name=seeds[facts.seed])]


def bracket_faults(
    event: AnyEvent, begun: dict[int, int], facts: PlayerFacts, player: Player | None = None
) -> list[Message]:
    """Awarded byes and absences in rounds of a bracket, beside those that the player has already."""
    named = {n for key in ATTENDANCE for n in getattr(facts, key) or ()}
    named -= {n for key in ATTENDANCE for n in (getattr(player, key) if player else ())}
    rounds = [n for n in sorted(named) if is_bracket_round(event, n, begun)]
    return [Message("player_round_in_bracket", rounds=rounds)] if rounds else []


class HeroLimits(Protocol):
    """What an event says about heroes: how many to bring, and which."""

    @property
    def bring(self) -> int: ...
    @property
    def allowed(self) -> tuple[str, ...]: ...


def hero_faults(rules: HeroLimits, heroes: Sequence[str]) -> list[Message]:
    """Faults of the heroes a player declares. Nobody has to declare any before check-in."""
    faults = []
    for n, hero in enumerate(heroes):
        if rules.allowed and hero not in rules.allowed:
            faults.append(Message("player_hero_not_allowed", hero=Ref("hero", hero)))
        if hero in heroes[:n]:
            faults.append(Message("player_hero_twice", hero=Ref("hero", hero)))
    if heroes and rules.bring and len(heroes) != rules.bring:
        faults.append(Message("player_hero_count", need=rules.bring, has=len(heroes)))
    return faults


def add_players(
    session: Session, event: AnyEvent, actor: Actor, everyone: Sequence[PlayerFacts], now: datetime
) -> Change[Added]:
    """Add players; those beyond the capacity go to the waiting list. After round 1 they enter in the next
    round and count as present, since somebody at the desk has just named them."""
    lock_places(session, event)
    free = free_places(session, event)
    played = last_published(session, event)
    players = []
    for n, facts in enumerate(everyone):
        state = "present" if played else "registered"
        if free is not None and n >= free:
            state = "waiting"
        players.append(make_player(event, facts, state, played, now))
    subject = players[0] if len(players) == 1 else None
    with changing(session, event, actor, "players.added", subject) as recording:
        session.add_all(players)
    return recording.change.giving(Added(players, sum(p.state == "waiting" for p in players)))


def make_player(event: AnyEvent, facts: PlayerFacts, state: str, played: int, now: datetime) -> Player:
    return Player(
        event_id=event.id,
        name=facts.name,
        public_name=facts.public_name,
        club=facts.club,
        seed=facts.seed,
        fixed_table=facts.fixed_table,
        heroes=list(facts.heroes),
        members=list(facts.members),
        byes=sorted(facts.byes or ()),
        half_byes=sorted(facts.half_byes or ()),
        absent=sorted(facts.absent or ()),
        state=state,
        first_round=facts.first_round or played + 1,
        created_at=now,
    )


# -- changing ---------------------------------------------------------------------------------------------


def change_player(
    session: Session, event: AnyEvent, actor: Actor, player_id: int, version: int, facts: PlayerFacts
) -> Change[Player]:
    player = get_player(session, event, player_id, version)
    if player.is_erased:
        raise Refused(Message("player_erased"))
    facts = replace(facts, heroes=tuple(find_hero(event.game, hero) for hero in facts.heroes))
    faults = hero_faults(settings_of(event).heroes, facts.heroes)
    faults += seed_faults(seeds_of(players_of(session, event), besides=player), facts)
    faults += bracket_faults(event, stages_begun(session, event), facts, player)
    if faults:
        raise Refused(*faults)
    _refuse_two_ways(facts)
    published = last_of_all_stages(session, event)
    with changing(session, event, actor, "player.changed", player) as recording:
        for name in ("name", "public_name", "club", "seed", "fixed_table"):
            _set(player, name, getattr(facts, name))
        if player.heroes != list(facts.heroes):
            player.heroes, player.declared = list(facts.heroes), None  # what the desk changes is open again
        _set(player, "members", _members(player, facts.members))
        for key in ATTENDANCE:
            if getattr(facts, key) is not None:
                _set(player, key, _to_come(player, key, getattr(facts, key), published))
        if facts.first_round is not None:
            _set(player, "first_round", facts.first_round)
    return recording.change.giving(player)


def _refuse_two_ways(facts: PlayerFacts) -> None:
    """A round cannot be an awarded bye, a half bye and an absence at once."""
    numbers = Counter(n for key in ATTENDANCE for n in set(getattr(facts, key) or ()))
    if twice := sorted(n for n, ways in numbers.items() if ways > 1):
        raise Refused(Message("player_round_two_ways", rounds=twice))


def _members(player: Player, names: Sequence[str]) -> list[Any]:
    """The members by name; heroes that a file gave one of them stay."""
    known = {m["name"]: m for m in player.members if not isinstance(m, str)}
    return [known.get(name, name) for name in names]


def _to_come(player: Player, key: str, numbers: Sequence[int], published: int) -> list[int]:
    """Rounds with an awarded bye or a half bye, or missed. Those of published rounds stay as they are."""
    past = [n for n in getattr(player, key) if n <= published]
    new = [n for n in numbers if n <= published and n not in past]
    if new:
        raise Refused(Message("player_round_is_over", rounds=new))
    return sorted({*past, *(n for n in numbers if n > published)})


def _set(player: Player, name: str, value: Any) -> None:
    if getattr(player, name) != value:
        setattr(player, name, value)


def set_present(
    session: Session, event: AnyEvent, actor: Actor, player_id: int, present: bool
) -> Change[Player]:
    """Check a player in or out. Doing it twice is no fault: two people at the door do not collide."""
    player = get_player(session, event, player_id)
    if player.state not in PLAYING:
        raise Conflict(Message("player_not_registered", name=player.name))
    action = "player.checked-in" if present else "player.checked-out"
    with changing(session, event, actor, action, player) as recording:
        _set(player, "state", "present" if present else "registered")
    return recording.change.giving(player)


def check_in_all(session: Session, event: AnyEvent, actor: Actor) -> Change[int]:
    """Check everybody in; the result is how many were not checked in before."""
    absent = [p for p in players_of(session, event) if p.state == "registered"]
    with changing(session, event, actor, "players.checked-in") as recording:
        for player in absent:
            player.state = "present"
    return recording.change.giving(len(absent))


def drop_player(
    session: Session, event: AnyEvent, actor: Actor, player_id: int, version: int, why: str = ""
) -> Change[list[Player]]:
    """Drop a player from all further rounds. Before round 1 the place goes to whoever has waited longest; the
    result is those let in."""
    lock_places(session, event)
    player = get_player(session, event, player_id, version)
    if player.state == "dropped":
        return unchanged("player.dropped", player).giving([])
    _refuse_in_draft(session, event, player)
    played = last_of_all_stages(session, event)
    with changing(session, event, actor, "player.dropped", player, why) as recording:
        player.state, player.last_round = "dropped", played
        session.flush()
        let_in = [] if played else _let_in_waiting(session, event)
    return recording.change.giving(let_in)


def restore_player(
    session: Session, event: AnyEvent, actor: Actor, player_id: int, version: int
) -> Change[Player]:
    """Let a dropped player back in from the next round; rounds in between count as missed."""
    player = get_player(session, event, player_id, version)
    if player.is_erased:
        raise Refused(Message("player_erased"))
    with changing(session, event, actor, "player.restored", player) as recording:
        if player.state == "dropped":
            player.state, player.last_round = "present", None
            session.flush()
            _check_brackets(session, event, player)
    return recording.change.giving(player)


def _check_brackets(session: Session, event: AnyEvent, player: Player) -> None:
    """Refuse somebody whose place in a bracket others have taken since they left."""
    rows = read_rows(session, event)
    for stage in {r.stage for r in rows.published if kind_of(event, r.stage).has_bracket}:
        try:
            play_bracket(tournament_of(rows, stage))
        except InputError as error:
            raise Refused(Message("player_out_of_bracket", name=player.name)) from error


def _refuse_in_draft(session: Session, event: AnyEvent, player: Player) -> None:
    drafted = (
        select(Match.id)
        .join(Round, col(Match.round_id) == col(Round.id))
        .where(Match.event_id == event.id, Round.state == "draft")
        .where(sits_at(player.id))
    )
    if session.exec(drafted).first() is not None:
        raise Refused(Message("player_in_pairing", name=player.name))


def _let_in_waiting(session: Session, event: AnyEvent) -> list[Player]:
    free = free_places(session, event)
    waiting = [p for p in players_of(session, event) if p.state == "waiting"]
    let_in = waiting if free is None else waiting[:free]
    for player in let_in:
        player.state = "registered"
    return let_in


def admit(session: Session, event: AnyEvent, actor: Actor, player_id: int, version: int) -> Change[Player]:
    """Let in a player who asked to play or is waiting. If the event is full, one who asked goes to the
    waiting list; one who is waiting is let in anyway, because the staff decided so."""
    lock_places(session, event)
    player = get_player(session, event, player_id, version)
    if player.state not in ("pending", "waiting"):
        raise Conflict(Message("player_not_waiting", name=player.name))
    free = free_places(session, event)
    played = last_published(session, event)
    with changing(session, event, actor, "player.admitted", player) as recording:
        if player.state == "pending" and free == 0:
            player.state = "waiting"
        else:
            player.state = "present" if played else "registered"
            player.first_round = max(player.first_round, played + 1)
    return recording.change.giving(player)


def remove_player(
    session: Session, event: AnyEvent, actor: Actor, player_id: int, version: int
) -> Change[list[Player]]:
    """Remove a player who never played (a declined request, a line pasted by mistake).

    A player with a penalty stays until the penalty is undone in the log, so that it does not vanish unseen.
    Rulings and calls belong to a match, and players with a match are never removed."""
    lock_places(session, event)
    player = get_player(session, event, player_id, version)
    seated = select(Match.id).where(Match.event_id == event.id, sits_at(player.id))
    if session.exec(seated).first() is not None:
        raise Refused(Message("player_has_played", name=player.name))
    penalties = session.exec(select(Penalty.id).where(Penalty.player_id == player.id)).all()
    if penalties:
        raise Refused(Message("player_has_penalty", name=player.name, n=len(penalties)))
    with changing(session, event, actor, "player.removed", player) as recording:
        session.delete(player)
        session.flush()
        let_in = [] if last_published(session, event) else _let_in_waiting(session, event)
    return recording.change.giving(let_in)


def reissue_link(
    session: Session, event: AnyEvent, actor: Actor, player_id: int, version: int
) -> Change[Player]:
    """Issue a new private link; the old one stops working."""
    player = get_player(session, event, player_id, version)
    with changing(session, event, actor, "player.link", player) as recording:
        player.link += 1
    return recording.change.giving(player)

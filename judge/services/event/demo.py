"""A demo event to try out: 24 players, Ranked Play, in round 3 of 5 with results coming in.

It uses the services of a real event, so its log reads like a real one: two rounds, a corrected result, a
table with extra time, two late tables. All names are invented.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

from sqlmodel import Session, func, select

from judge.schemas.tournament.event_settings import settings_of_preset
from judge.schemas.tournament.presets import presets
from judge.services.accounts.account_view import AnyAccount
from judge.services.event.event_rows import read_rows
from judge.services.event.event_view import AnyEvent, EventView, event_view
from judge.services.event.events import EventFacts, create_event, delete_event
from judge.services.log.changes import Actor, Change, changing, unchanged
from judge.services.pairing.rounds import pair_next, publish
from judge.services.play import clock
from judge.services.play.outcomes import Outcome
from judge.services.play.results import correct, enter
from judge.services.rulebook.heroes import catalogue
from judge.storage.events import Event, Match, Player, Round

NAME, PRESET, EDITION, ROUNDS = "Demo Throne", "dice-throne-ranked", "fr-2.4.1", 5
SEED = 24
FIRST = (
    "Ana", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gaia", "Hugo", "Inès", "Joel", "Kira", "Liam",
    "Mona", "Nils", "Olga", "Pavel", "Quinn", "Rosa", "Sven", "Tara", "Uma", "Viktor", "Wanda", "Yann",
)  # fmt: skip
LAST = (
    "Quillfeather", "Brambleton", "Stormwell", "Ashgrove", "Fenwick-Oak", "Larkspur", "Moonhollow", "Thistle",
    "Vantage", "Ravenscar", "Copperpot", "Willowby",
)  # fmt: skip
CLUBS = ("Tavern Dicers", "Les Six Faces", "Кубик", None, None)
EXTENDED, LATE = 12, (5, 9)  # tables of round 3 that have no result yet


def find_demo(session: Session) -> EventView | None:
    row = session.exec(select(Event).where(Event.is_demo)).first()
    return event_view(row) if row is not None else None


def may_offer(session: Session) -> bool:
    """Whether to offer the demo: only while there is no event at all."""
    return session.exec(select(func.count()).select_from(Event)).one() == 0


def load_demo(session: Session, organiser: AnyAccount, now: datetime) -> Change[EventView]:
    """Load the demo event, or return it if somebody has loaded it already."""
    existing = find_demo(session)
    if existing:
        return unchanged("event.created", existing).giving(existing)
    actor, dice = Actor(organiser.name, organiser.id), Random(SEED)  # noqa: S311 a game, not a secret
    created = _create(session, organiser, now)
    event = created.result
    _add_players(session, event, actor, dice, now)
    for number in (1, 2, 3):
        began = now - timedelta(minutes=(4 - number) * 50 - 15)
        _play_round(session, event, actor, dice, number, began)
    _correct_one(session, event, actor)
    return created.giving(event_view(event))


def remove_demo(session: Session, event: AnyEvent, actor: Actor, now: datetime) -> Change[None]:
    return delete_event(session, event, actor, event.name, now)


def _create(session: Session, organiser: AnyAccount, now: datetime) -> Change[Event]:
    settings = settings_of_preset(presets()[PRESET])
    settings = replace(settings, format=replace(settings.format, rounds=ROUNDS))
    facts = EventFacts(NAME, now.date(), EDITION, PRESET, settings)
    return create_event(session, facts, organiser, now, is_demo=True)


def _add_players(session: Session, event: AnyEvent, actor: Actor, dice: Random, now: datetime) -> None:
    heroes = sorted(catalogue("dice-throne"))
    with changing(session, event, actor, "players.added"):
        for n, first in enumerate(FIRST):
            session.add(
                Player(
                    event_id=event.id,
                    name=f"{first} {LAST[n % len(LAST)]}",
                    club=dice.choice(CLUBS),
                    fixed_table=2 if first == "Rosa" else None,
                    heroes=sorted(dice.sample(heroes, 3)) if len(heroes) >= 3 else [],
                    state="present",
                    created_at=now,
                )
            )


def _play_round(
    session: Session, event: AnyEvent, actor: Actor, dice: Random, number: int, began: datetime
) -> None:
    draft = pair_next(session, event, actor, number, seed=SEED).result
    published_at = began - timedelta(minutes=5)
    round_ = publish(session, event, actor, number, draft.version, published_at).result
    clock.start(session, event, round_, actor, began)
    for match in _tables(session, event, round_):
        if number == 3 and match.table_no == EXTENDED:
            clock.extend(session, event, match, actor, 10, "A long call: which upgrade was in play?")
        elif number < 3 or match.table_no not in LATE:
            enter(session, event, actor, match.id, _outcome(dice), is_sure=True)
    if number < 3:
        clock.close(session, event, round_, actor, began + timedelta(minutes=35))


def _tables(session: Session, event: AnyEvent, round_: Round) -> list[Match]:
    matches = read_rows(session, event).matches.get(round_.id, ())
    return [match for match in matches if match.b_id is not None]


def _outcome(dice: Random) -> Outcome:
    roll, health = dice.random(), dice.randint(1, 38)
    if roll < 0.08:
        level = dice.randint(4, 20)
        return Outcome("draw", health_a=level, health_b=level)
    if roll < 0.54:
        return Outcome("a", health_a=health, health_b=0)
    return Outcome("b", health_a=0, health_b=health)


def _correct_one(session: Session, event: AnyEvent, actor: Actor) -> None:
    """Correct a result of round 2 that was entered the wrong way round."""
    rows = read_rows(session, event)
    match = next(m for m in rows.matches[rows.published[1].id or 0] if m.result in ("a", "b"))
    swapped = Outcome("b" if match.result == "a" else "a", None, match.health_b, match.health_a)
    why = "The slip was read the wrong way round; both players agree."
    correct(session, event, actor, match.id, match.version, swapped, why, is_sure=True)

"""Kept rulings: storing, searching and exporting them, appeals, precedents, and ruling again by today's
rules.

Only the appeal and the precedent mark can change later; the table file and the ruling never do.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import TYPE_CHECKING, NotRequired, TypedDict

from sqlalchemy import ColumnElement
from sqlalchemy.orm import defer
from sqlmodel import Session, col, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from judge import __version__
from judge.core.errors import Conflict, InputError, Missing, Refused
from judge.core.games import DICE_THRONE
from judge.core.json_types import EventEntry, JsonObject, TableFile
from judge.core.messages import LANGS, Lang, Message, Phrasebook, Ref
from judge.rules.expectations import Difference, differences
from judge.services.accounts.limits import LONGEST_KEPT
from judge.services.dispute.case import Case, phrasebook
from judge.services.dispute.find_by_name import Things, letters_of
from judge.services.dispute.table_files import DECIDING, verb_of, with_expectation
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Actor, Change, changing, check_version, hold
from judge.services.rulebook.heroes import catalogue
from judge.storage.events import Match, Round, Staff
from judge.storage.rulings import KeptRuling

if TYPE_CHECKING:  # a cold start need not load it
    from judge.rules.ruling_json import RulingJson

OUTCOMES = ("upheld", "changed")
MOST_SHOWN = 100
MOST_COMPARED = 400  # how many kept rulings are compared with a new table
LEAST_ALIKE = 3  # one thing and one hero in common, or two things


class Appeal(TypedDict):
    """An appeal to the head judge; `outcome` is None until it is decided."""

    by: str
    why: str
    outcome: str | None
    says: NotRequired[str]
    decided_by: NotRequired[str]
    decided_at: NotRequired[str]


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept ruling as pages see it."""

    key: str
    event_id: int | None
    round_no: int | None
    table_no: int | None
    title: str
    players: list[str]
    edition: str
    table: TableFile
    rulings: Mapping[str, RulingJson]  # by language
    names: Mapping[str, Mapping[str, str]] | None  # by language: -> what the things on the table were called
    product_version: str
    account_id: int | None
    ruled_by: str
    ruled_at: datetime
    minutes: int
    is_precedent: bool
    appeal: Appeal | None
    version: int


@dataclass(frozen=True, slots=True)
class Similar:
    """An earlier ruling on the same things, as a link."""

    key: str
    title: str
    is_precedent: bool
    ruled_at: datetime


def _view(row: KeptRuling) -> Kept:
    return Kept(**{field.name: getattr(row, field.name) for field in fields(Kept)})


def keep(
    session: Session,
    case: Case,
    now: datetime,
    *,
    actor: Actor,
    event: AnyEvent | None = None,
    match_id: int | None = None,
    title: str = "",
    minutes: int = 0,
) -> Change[KeptRuling]:
    """Store the table with its ruling in every language, and the round and table where it was given."""
    match = session.get(Match, match_id) if match_id else None
    kept = _new_row(case, title, actor)
    if actor.account_id is None:
        _check_size(kept)
    kept.event_id = event.id if event else None
    if match is not None:
        kept.match_id, kept.table_no = match.id, match.table_no
        kept.round_no = session.get_one(Round, match.round_id).number
    kept.ruled_at, kept.minutes = now, max(0, min(minutes, 999))
    if event is None:
        session.add(kept)
        session.flush()
        return Change(None, "ruling.kept", ("kept_ruling", kept.id or 0), kept)  # only events keep a log
    event = hold(session, event)
    with changing(session, event, actor, "ruling.kept", kept) as recording:
        session.add(kept)
    return recording.change.giving(kept)


def _check_size(kept: KeptRuling) -> None:
    """A ruling that belongs to nobody stays for ever, so it has a limit of its own."""
    size = len(json.dumps([kept.table, kept.rulings, kept.names], ensure_ascii=False)) + len(kept.words)
    if size > LONGEST_KEPT:
        raise Refused(Message("ruling_too_large", most=LONGEST_KEPT))


def _new_row(case: Case, title: str, actor: Actor) -> KeptRuling:
    """The row of a ruling, with its names and its text for searches."""
    table = case.data
    rulings: dict[str, RulingJson] = {lang: case.said(lang) for lang in LANGS}
    return KeptRuling(
        key=secrets.token_urlsafe(9),
        title=title[:120],
        players=[str(player["id"]) for player in table["players"]],
        game=case.game.id,
        edition=rulings["en"]["edition"],
        table=table,
        rulings=rulings,
        names={lang: _names_in(case, rulings[lang], lang) for lang in LANGS},
        product_version=__version__,
        words=words_in(table, rulings["en"], title),
        account_id=actor.account_id,
        ruled_by=actor.name[:80],
    )


def _names_in(case: Case, ruling: RulingJson, lang: Lang) -> dict[str, str]:
    """The names of the heroes, tokens, companions and upgraded abilities on the table."""
    book = case.phrases(lang)
    kinds = {"statuses": "status", "companions": "companion", "upgrades": "ability"}
    names: dict[str, str] = {}
    for board in ruling["players"].values():
        if board.get("hero"):
            names[board["hero"]] = book.word(Ref("hero", board["hero"]))
        for key, kind in kinds.items():
            names.update({thing: book.word(Ref(kind, thing)) for thing in board.get(key) or ()})
    return names


def phrases(kept: Kept, lang: Lang) -> Phrasebook:
    """The sentences of a language with the names stored with the ruling. Rulings kept by an older release
    have none: they use today's names, or ids if today's rules cannot read the table."""
    if kept.names is None:
        try:
            return Case(kept.table).phrases(lang)
        except InputError:
            pass
    names = (kept.names or {}).get(lang, {})
    return phrasebook(lang, lambda ref, _: names.get(ref.id, ref.id.replace("-", " ")))


def words_in(table: TableFile, ruling: RulingJson, title: str) -> str:
    """The text that searches look through: players, heroes, things in all languages, rules, title and
    note."""
    things = _things(table)
    words = [title, str(table.get("title") or ""), str(table.get("note") or "")]
    for player in table["players"]:
        words += [str(player["id"]), str(player.get("hero") or "")]
        words += list(catalogue(DICE_THRONE).get(str(player.get("hero")), {}).values())
    for event in _single(table):
        value = str(event.get(verb_of(event)) or "")
        words.append(value)
        words += [name for thing in things.like(value) for _, name in thing.names]
    words += [*ruling["citations"], *ruling["discretion"], ruling["edition"]]
    return " ".join(dict.fromkeys(letters_of(w.replace("-", " ")) for w in words if w))


def _things(table: TableFile) -> Things:
    """Everything with a name at the table; its own catalogue is left out if it can no longer be read."""
    things = Things(table.get("catalogue"))
    try:
        things.own  # noqa: B018 - read here, where a fault can be answered
    except InputError:
        return Things(None)
    return things


def _single(table: TableFile) -> list[EventEntry]:
    """The events of a table, with the actions of a collision one by one."""
    return [action for event in table.get("events") or [] for action in event.get("collide") or [event]]


def get_kept(session: Session, key: str) -> Kept:
    return _view(_row(session, key))


def _row(session: Session, key: str) -> KeptRuling:
    row = session.exec(select(KeptRuling).where(KeptRuling.key == key)).first()
    if row is None:
        raise Missing(Message("ruling_gone"))
    return row


def _own(session: Session, event: AnyEvent, key: str) -> KeptRuling:
    """Lock the event and return one of its rulings."""
    hold(session, event)
    row = _row(session, key)
    if row.event_id != event.id:
        raise Missing(Message("ruling_gone"))
    return row


def rule_again(kept: Kept, lang: Lang) -> tuple[RulingJson, list[Difference]]:
    """The ruling by today's rules, and where it differs from the kept one; InputError if today's rules cannot
    read the table."""
    now = Case(kept.table).said(lang)
    then = kept.rulings[lang]
    decided: JsonObject = {"events": [{"verdict": event["verdict"]} for event in then["events"]]}
    decided |= {key: value for key, value in then.items() if key in DECIDING}
    return now, list(differences(decided, now))


# -- appeals, precedents ------------------------------------------------------------------------------------


def appeal(
    session: Session, event: AnyEvent, actor: Actor, key: str, by: str, why: str, now: datetime
) -> Change[None]:
    """Record that a player, or all of them, appeal to the head judge."""
    kept = _own(session, event, key)
    by = by or ", ".join(kept.players)
    if kept.appeal is not None:
        raise Conflict(Message("ruling_appealed_already"))
    with changing(session, event, actor, "ruling.appealed", kept, why) as recording:
        kept.appealed_at = now
        kept.appeal = {"by": by[:80], "why": why[:500], "outcome": None}
    return recording.change


def decide(
    session: Session, event: AnyEvent, actor: Actor, key: str, outcome: str, why: str, now: datetime
) -> Change[None]:
    """Record the head judge's answer to an appeal: upheld, or changed (the new ruling is kept separately)."""
    kept = _own(session, event, key)
    if kept.appeal is None or kept.appeal.get("outcome"):
        raise Refused(Message("ruling_no_appeal"))
    if outcome not in OUTCOMES:
        raise Refused(Message("ruling_no_outcome"))
    with changing(session, event, actor, "ruling.decided", kept, why) as recording:
        kept.appeal = {
            **kept.appeal,
            "outcome": outcome,
            "says": why[:500],
            "decided_by": actor.name,
            "decided_at": now.isoformat(),
        }
    return recording.change


def mark_precedent(
    session: Session, event: AnyEvent, actor: Actor, key: str, is_precedent: bool, version: int | None = None
) -> Change[None]:
    """Mark a ruling as a precedent, or remove the mark; `version` is the one its page showed."""
    kept = _own(session, event, key)
    check_version(kept, kept.version if version is None else version, Message("changed_meanwhile"))
    action = "ruling.precedent" if is_precedent else "ruling.no-precedent"
    with changing(session, event, actor, action, kept) as recording:
        kept.is_precedent = is_precedent
    return recording.change


# -- queries ------------------------------------------------------------------------------------------------


def _visible(
    events: list[int], account_id: int | None, keys: Sequence[str] = ()
) -> SelectOfScalar[KeptRuling]:
    """Rulings of these events and of this account; precedents first, then the newest."""
    own: ColumnElement[bool] = col(KeptRuling.event_id).in_(events)
    if account_id is not None:
        own = or_(own, col(KeptRuling.account_id) == account_id)
    if keys:
        own = or_(own, col(KeptRuling.key).in_(keys))
    order = (col(KeptRuling.is_precedent).desc(), col(KeptRuling.ruled_at).desc())
    return select(KeptRuling).where(own).order_by(*order)


def events_of(session: Session, account_id: int) -> list[int]:
    """The events on whose staff an account is."""
    return list(session.exec(select(Staff.event_id).where(Staff.account_id == account_id)).all())


def search(
    session: Session, events: list[int], account_id: int | None, typed: str = "", keys: Sequence[str] = ()
) -> list[Kept]:
    """Rulings whose text has every word; `keys` are those of rulings the reader kept without an account."""
    query = _visible(events, account_id, keys)
    for word in letters_of(typed.replace("-", " ")).split():
        spellings = {word, word.replace("oe", "œ")}  # rulings of the first version have the letter itself
        words = col(KeptRuling.words)
        query = query.where(or_(*(words.contains(spelling, autoescape=True) for spelling in spellings)))
    return [_view(row) for row in session.exec(query.limit(MOST_SHOWN)).all()]


def subject_of(table: TableFile) -> tuple[set[str], set[str]]:
    """What a table is about: the things used, and the heroes."""
    things = {str(event.get(verb_of(event))) for event in _single(table)}
    return things, {str(p["hero"]) for p in table["players"] if p.get("hero")}


def similar(
    session: Session, events: list[int], account_id: int | None, table: TableFile, most: int = 3
) -> list[Similar]:
    """Earlier rulings on the same things: precedents first, then the most alike."""
    things, heroes = subject_of(table)
    if not things:
        return []

    def likeness(kept: KeptRuling) -> int:
        other_things, other_heroes = subject_of(kept.table)
        return 2 * len(things & other_things) + len(heroes & other_heroes)

    # The answers in three languages are most of a row; a list of links needs none of them.
    query = _visible(events, account_id).where(KeptRuling.game == table["game"])
    light = query.options(defer(KeptRuling.rulings))  # type: ignore[arg-type]  # a column to SQLAlchemy
    rows = session.exec(light.limit(MOST_COMPARED)).all()
    alike = [(score, kept) for kept in rows if (score := likeness(kept)) >= LEAST_ALIKE]
    alike.sort(key=lambda pair: (not pair[1].is_precedent, -pair[0]))
    return [
        Similar(kept.key, kept.title or " – ".join(kept.players), kept.is_precedent, kept.ruled_at)
        for _, kept in alike[:most]
    ]


def as_cases(rulings: list[Kept]) -> JsonObject:
    """Kept rulings as tables with `expect`; `judge check` passes on the file as long as the rules stay the
    same."""
    tables = []
    for kept in rulings:
        table = {**kept.table, "id": kept.key, **({"title": kept.title} if kept.title else {})}
        tables.append(with_expectation(table, kept.rulings["en"]))
    return {"tables": tables}

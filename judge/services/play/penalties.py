"""Infractions, with their remedy (how the table is put right) and their penalty (for the player). The two are
separate: a remedy must not depend on who gains by it.

These games have no published catalogue; the shipped one is our assumption, and every event may change it. A
game or match loss becomes a result; a disqualification also drops the player. Each of these has its own log
entry and can be undone there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlmodel import Session, col, select

from judge.core.errors import Conflict, Refused, fail
from judge.core.json_types import JsonObject
from judge.core.messages import LANGS, Lang, Message
from judge.schemas.fixtures import load_json
from judge.schemas.shape import at, listing, mapping, one_of, text
from judge.services.event.catalogue import find_own, id_from
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Actor, Change, changing, check_version, hold, unchanged
from judge.services.play import results
from judge.services.play.outcomes import Outcome, house_rules, outcome_of
from judge.services.players.players import drop_player, get_player
from judge.storage.events import Match, Player, Round
from judge.storage.rulings import EventCatalogue, Penalty

INFRACTION_KEYS = ("id", "name", "text", "remedy", "penalty", "repeat", "source")
Text = str | dict[str, str]  # one text for all languages, or one per language


@dataclass(frozen=True, slots=True)
class Infraction:
    """One entry of the catalogue in one language. repeat: the penalty from the second time on."""

    id: str
    name: str
    text: str
    remedy: str
    penalty: str
    repeat: str
    is_ours: bool = False  # as shipped, not changed by the event


@dataclass(frozen=True, slots=True)
class GivenPenalty:
    """A penalty as lists show it. times: how often the player has had this infraction, including this one."""

    id: int
    player_id: int
    player: str
    infraction: str
    name: str
    penalty: str
    remedy: str
    note: str
    given_by: str
    given_at: datetime
    match_id: int | None
    times: int


# -- the catalogue ------------------------------------------------------------------------------------------


@cache
def _shipped() -> JsonObject:
    data: JsonObject = load_json("penalties.json")
    return data


def penalty_names(lang: Lang) -> dict[str, str]:
    """Every penalty, the mildest first."""
    return {p["id"]: p["names"][lang] for p in _shipped()["penalties"]}


def effect_of(penalty: str) -> str:
    """What a penalty does to the event: "" | game | match | out."""
    return next((str(p["effect"]) for p in _shipped()["penalties"] if p["id"] == penalty), "")


def assumption_note(lang: Lang) -> str:
    return str(_shipped()["note"][lang])


def catalogue(session: Session, event: AnyEvent, lang: Lang) -> list[Infraction]:
    """The event's infractions, or the shipped ones."""
    own = find_own(session, event)
    entries = own.infractions if own is not None and own.infractions else None
    shipped = {entry["id"]: entry for entry in _shipped()["infractions"]}
    return [_infraction(e, lang, e == shipped.get(e["id"])) for e in entries or shipped.values()]


def is_own(session: Session, event: AnyEvent) -> bool:
    own = find_own(session, event)
    return own is not None and bool(own.infractions)


def _infraction(entry: JsonObject, lang: Lang, is_ours: bool) -> Infraction:
    texts = {key: _in_language(entry.get(key, ""), lang) for key in ("name", "text", "remedy")}
    return Infraction(entry["id"], **texts, penalty=entry["penalty"], repeat=entry["repeat"], is_ours=is_ours)


def _in_language(value: Text, lang: Lang) -> str:
    return value if isinstance(value, str) else value[lang]


def read_infractions(value: Any, path: str = "") -> list[JsonObject]:
    """The checked entries of a catalogue; a fault names its field."""
    penalties = list(penalty_names("en"))
    result = []
    for n, item in enumerate(listing(value, path), start=1):
        here = at(path, n)
        entry = mapping(item, here, INFRACTION_KEYS)
        for key in ("id", "name", "penalty", "repeat"):
            if not entry.get(key):
                raise fail(at(here, key), "key_missing")
        text(entry["id"], at(here, "id"))
        one_of(entry["penalty"], at(here, "penalty"), penalties)
        one_of(entry["repeat"], at(here, "repeat"), penalties)
        for key in ("name", "text", "remedy"):
            _check_text(entry.get(key, ""), at(here, key))
        result.append(entry)
    ids = [entry["id"] for entry in result]
    for n, infraction_id in enumerate(ids, start=1):
        if ids.index(infraction_id) < n - 1:
            raise fail(at(at(path, n), "id"), "id_twice", id=infraction_id)
    return result


def _check_text(value: Any, path: str) -> None:
    if isinstance(value, dict):
        mapping(value, path, LANGS)
        for lang in LANGS:
            if lang not in value:
                raise fail(at(path, lang), "key_missing")
            text(value[lang], at(path, lang))
    else:
        text(value, path)


def change_infraction(
    session: Session,
    event: AnyEvent,
    actor: Actor,
    changed: Infraction,
    lang: Lang,
    version: int | None = None,
) -> Change[str]:
    """Change an infraction in one language, or add it; texts that did not change keep their other languages.
    The result is its id."""
    entries = _entries(session, event)
    old = next((e for e in entries if e["id"] == changed.id), None)
    entry: JsonObject = {"id": changed.id or id_from(changed.name)[:40]}
    for key in ("name", "text", "remedy"):
        new_text = getattr(changed, key)
        old_text = old.get(key, "") if old else ""
        entry[key] = old_text if old and _in_language(old_text, lang) == new_text else new_text
    entry |= {"penalty": changed.penalty, "repeat": changed.repeat}
    if old and entry == {key: old[key] for key in entry}:
        return unchanged("penalty.catalogue", event).giving(str(entry["id"]))
    entries = [entry if e["id"] == entry["id"] else e for e in entries]
    if old is None:
        entries.append(entry)
    return _store(session, event, actor, read_infractions(entries), version).giving(str(entry["id"]))


def remove_infraction(
    session: Session, event: AnyEvent, actor: Actor, infraction: str, version: int | None = None
) -> Change[None]:
    entries = [e for e in _entries(session, event) if e["id"] != infraction]
    if not entries:
        raise Refused(Message("last_infraction"))
    return _store(session, event, actor, entries, version)


def use_shipped(session: Session, event: AnyEvent, actor: Actor, version: int | None = None) -> Change[None]:
    """Return to the shipped catalogue."""
    return _store(session, event, actor, [], version)


def _entries(session: Session, event: AnyEvent) -> list[JsonObject]:
    own = find_own(session, event)
    return list(own.infractions if own is not None and own.infractions else _shipped()["infractions"])


def _store(
    session: Session, event: AnyEvent, actor: Actor, entries: list[Any], version: int | None
) -> Change[None]:
    event = hold(session, event)
    own = find_own(session, event) or EventCatalogue(event_id=event.id, catalogue={}, infractions=[])
    if version is not None and own.id is not None:
        check_version(own, version, Message("changed_meanwhile"))
    with changing(session, event, actor, "penalty.catalogue") as recording:
        own.infractions = entries
        session.add(own)
    return recording.change


# -- giving one ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a judge decides: the infraction, the remedy and the penalty."""

    player_id: int
    infraction: str
    penalty: str
    remedy: str = ""
    note: str = ""
    match_id: int | None = None


def suggested(entry: Infraction, earlier: int) -> str:
    """The penalty of the catalogue, by how often the infraction happened before."""
    return entry.repeat if earlier else entry.penalty


def give(
    session: Session, event: AnyEvent, actor: Actor, sentence: Sentence, now: datetime, reason: str
) -> Change[Penalty]:
    """Record a penalty. A loss also changes the result; a disqualification also drops the player. `reason`
    goes into the log. Each is a change of its own; the last one is returned."""
    event = hold(session, event)
    player = get_player(session, event, sentence.player_id)
    if player.is_erased:
        raise Refused(Message("player_erased"))
    effect = effect_of(sentence.penalty)
    match = _match_of(session, event, player, sentence.match_id)
    if effect in ("game", "match") and match is None:
        raise Refused(Message("penalty_needs_match"))
    if sentence.penalty not in penalty_names("en"):
        raise Refused(Message("penalty_unknown"))
    penalty = Penalty(
        event_id=event.id,
        player_id=player.id,
        match_id=sentence.match_id,
        infraction=sentence.infraction[:40],
        penalty=sentence.penalty,
        remedy=sentence.remedy[:300],
        note=sentence.note[:500],
        given_by=actor.name[:80],
        given_at=now,
    )
    with changing(session, event, actor, "penalty.given", player, why=reason) as recording:
        session.add(penalty)
    changes = [recording.change]
    if match is not None and ends_the_match(event, match, effect):
        changes.append(_lose(session, event, actor, match[0], player, reason))
    if effect == "out" and player.state != "dropped":
        dropped = drop_player(session, event, actor, player.id, player.version, reason)
        changes.append(dropped.giving(None))
    return [change for change in changes if change.entry is not None][-1].giving(penalty)


def ends_the_match(event: AnyEvent, match: tuple[Match, Round], effect: str) -> bool:
    """Whether the penalty ends the match: a lost game does if a match is one game, a disqualification if the
    match is still being played."""
    row, round_ = match
    if row.more:
        return False  # nobody wins a pod by it: the desk enters the scores
    if effect == "game":
        return house_rules(event, round_.stage).best_of == 1
    return effect == "match" or (effect == "out" and row.result is None)


def _match_of(
    session: Session, event: AnyEvent, player: Player, match_id: int | None
) -> tuple[Match, Round] | None:
    if match_id is None:
        return None
    match, round_ = results.get_match(session, event, match_id)
    if player.id not in match.seats or round_.state != "published" or match.b_id is None:
        raise Conflict(Message("match_gone"))
    return match, round_


def _lose(
    session: Session, event: AnyEvent, actor: Actor, match: Match, player: Player, reason: str
) -> Change[None]:
    outcome = Outcome("b" if match.a_id == player.id else "a")
    current, number = outcome_of(match), match.id
    if current is None:
        entered = results.enter(session, event, actor, number, outcome, is_sure=True)
        return entered.giving(None)
    if current.result == outcome.result:
        return unchanged("result.entered", match)
    corrected = results.correct(session, event, actor, number, match.version, outcome, reason, is_sure=True)
    return corrected.giving(None)


# -- reading ------------------------------------------------------------------------------------------------


def read_penalties(
    session: Session, event: AnyEvent, lang: Lang, player_id: int | None = None
) -> list[GivenPenalty]:
    """The penalties of an event or a player, newest first, in three queries."""
    query = (
        select(Penalty, Player.name)
        .join(Player, col(Penalty.player_id) == col(Player.id))
        .where(Penalty.event_id == event.id)
        .order_by(col(Penalty.id))
    )
    if player_id is not None:
        query = query.where(Penalty.player_id == player_id)
    names = {entry.id: entry.name for entry in catalogue(session, event, lang)}
    counts: dict[tuple[int, str], int] = {}
    penalties = []
    for row, player in session.exec(query).all():
        key = (row.player_id, row.infraction)
        counts[key] = counts.get(key, 0) + 1
        penalties.append(_given(row, player, names.get(row.infraction, row.infraction), counts[key]))
    return penalties[::-1]


def _given(row: Penalty, player: str, name: str, times: int) -> GivenPenalty:
    return GivenPenalty(
        row.id, row.player_id, player, row.infraction, name, row.penalty, row.remedy, row.note,
        row.given_by, row.given_at, row.match_id, times,
    )  # fmt: skip


# -- missed triggers ----------------------------------------------------------------------------------------


def missed_trigger(noticed: str, state: str) -> str:
    """What to do about a forgotten trigger: resolve | lost | lost-late; "" until both questions are answered.

    Published practice allows it if it is noticed in the same turn and does not disturb the present state. The
    published text ends there; that it is lost otherwise is our reading."""
    if noticed == "later":
        return "lost-late"
    if noticed == "same" and state in ("ok", "disturbs"):
        return "resolve" if state == "ok" else "lost"
    return ""

"""Rules on a Dice Throne table: checks each event against the current state and carries it out if legal."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import partial
from typing import Any

from judge.core.budget import current, spend
from judge.core.games import DICE_THRONE
from judge.core.json_types import JsonObject
from judge.core.messages import Message, Ref
from judge.rules.dice_throne.flow import phases
from judge.rules.dice_throne.flow.answers import close_unanswered, closes_damage, closes_dice
from judge.rules.dice_throne.flow.attack import close_open, go_on_unchosen
from judge.rules.dice_throne.flow.collide import collide
from judge.rules.dice_throne.flow.judging import carry_out, is_refused, settle
from judge.rules.dice_throne.flow.roll_phases import enter_extra_phase, finish_roll_phase
from judge.rules.dice_throne.flow.trying import copy_of
from judge.rules.dice_throne.state import report
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.table import Event, Label, Table
from judge.rules.dice_throne.verbs.legality import Check, deciding, phase_word
from judge.rules.dice_throne.verbs.registry import VERBS, check_event, open_before_the_end, open_verbs
from judge.rules.dice_throne.verbs.uses import as_meant
from judge.rules.ruling import EventRuling, Reading, Record, Ruling, Verdict

ThroneRuling = Ruling[report.PlayerReport, report.TurnReport, report.ThroneExtra]
ThroneReading = Reading[report.PlayerReport, report.TurnReport, report.ThroneExtra]
_DONE = {verb: "legal_" + verb for verb in VERBS}
_LONG = 100  # events
_NOTHING: list[Any] = []  # shared by the rulings of a long game; never changed
_PLAIN = frozenset(("roll", "sell", "target", "choose"))


def rule(table: Table) -> ThroneRuling:
    """The ruling, with every reading of an unsettled point worked out to the end.

    A long game, or one replayed for a claim, makes thousands of records that all stay alive. The cycle
    collector would scan them again and again and free nothing, so it is off meanwhile; that keeps the time
    proportional to the game's length.
    """
    is_short = len(table.events) < _LONG and not table.claims
    if is_short or not gc.isenabled():
        return _rule(table)
    gc.disable()
    try:
        return _rule(table)
    finally:
        gc.enable()


def _rule(table: Table) -> ThroneRuling:
    game = replay(table, {**table.rulings})
    ruling = ruling_of(game)
    if table.claims:
        # Imported only when needed: most tables have no claims, and a cold start is faster.
        from judge.rules.dice_throne.claims.judging import judge_claims

        ruling.claims = judge_claims(game, replay)
    if game.unsettled:
        ruling.readings = list(_readings(table, game.unsettled))
    return ruling


def _readings(table: Table, points: list[str]) -> Iterator[ThroneReading]:
    for point in points:
        for letter in table.open_points[point][0]:
            text = Ref("reading", f"{point}.{letter}")
            says = Message("dt_reading", id=point, letter=letter, text=text)
            yield Reading(point, letter, says, _under_reading(table, point, letter))


def rule_counting(table: Table, n: Label) -> ThroneRuling:
    """The ruling as if the illegal event n had counted: the state of a table that played on with it."""
    return ruling_of(replay(table, {**table.rulings}, frozenset((n,))))


def carried_on(table: Table) -> JsonObject:
    """Players, teams and turn after the last event, in the form of a table file.

    A Roll Phase that is under way counts as concluded: the state is the one the ruling shows.
    """
    game = replay(table, {**table.rulings})
    if game.attack is not None and not game.over:
        finish_roll_phase(game, len(table.events))
        if game.has_extra_phase:
            enter_extra_phase(game, len(table.events))
        else:
            game.phase = "main-2"
    return report.continuation(game)


def _under_reading(table: Table, point: str, letter: str) -> ThroneRuling:
    game = replay(table, {**table.rulings, point: letter})
    ruling = ruling_of(game)
    if table.claims:
        from judge.rules.dice_throne.claims.judging import judge_claim

        ruling.claims = [judge_claim(game, claim) for claim in table.claims]
    return ruling


def replay(table: Table, rulings: dict[str, str], counted: frozenset[Label] = frozenset()) -> Game:
    game = Game(table, rulings, counted)
    judge_all(game)
    game.notes, game.cited = [], []
    if table.turn.phase is not None:  # a dispute that names no phase is not followed live
        game.meanwhile = open_before_the_end(game)
    phases.finish(game)
    return game


def judge_all(game: Game) -> None:
    """Judge the events of the table one after the other."""
    budget, done = current(), game.events
    for event in game.table.events:
        if budget is not None:
            budget.spend(1)
        done.append(judge(game, event))


def judge(game: Game, event: Event) -> EventRuling:
    """The verdict on one event; a legal one is carried out."""
    if game.open is not None or game.instances or game.pending:
        refusal = _close_what_waits(game, event)
        if refusal is not None:
            return refusal
    game.notes, game.cited, game.verdict = [], [], "legal"
    if event.verb == "collide":
        return collide(game, event)
    if event.names_no_use:
        event = as_meant(game, event)
    check = check_event(game, event)
    if not settle(game, event, check):
        return _refusal(game, event, check)
    before, game.fizzled = len(game.steps), False
    carry_out(game, event)
    if game.fizzled and not game.notes:
        game.note("nothing_to_act_on")
    ruling = Done(game, event, check.rules, before)
    return ruling if ruling.verdict != "illegal" else _impossible_choice(game, ruling)


def _close_what_waits(game: Game, event: Event) -> EventRuling | None:
    """Count dice and go on with texts that waited for an answer which this event is not; or why it is
    illegal while they wait."""
    game.cited = []  # the list of the last event stays as it is
    if game.open is not None or game.instances:
        refusal = _refused_while_open(game, event)
        if refusal is not None:
            return refusal
        close_unanswered(game, _meant(game, event))
    if game.pending and event.verb != "choose" and not any(each.verb == "choose" for each in event.inner):
        go_on_unchosen(game)
    return None


def _refusal(game: Game, event: Event, check: Check) -> EventRuling:
    faults = check.faults or check.doubts
    rules = [rule for _, cited in faults for rule in cited] + game.cited
    is_open = not check.faults and game.verdict == "discretion"
    verdict: Verdict = "discretion" if is_open else "illegal"
    reasons = [*(why for why, _ in faults), *event.departures]
    return EventRuling(event.n, verdict, rules, reasons, deciding(faults))


def _impossible_choice(game: Game, ruling: EventRuling) -> EventRuling:
    """The ruling on an event whose choice cannot be made, though nothing else speaks against it."""
    faults = [game.refused] if game.refused is not None else []
    first = [rule for _, each in faults for rule in each]
    return EventRuling(ruling.n, "illegal", first + ruling.rules, game.notes, deciding(faults))


class Done(EventRuling):
    """The ruling on an event that was carried out. What was done, and by which rules, is said when asked:
    those of its checks, of its text, of its steps, and what was cited besides."""

    __slots__ = ("_checked", "_event", "_steps")

    def __init__(self, game: Game, event: Event, checked: list[str], before: int) -> None:
        self.n, self.verdict, self.decides = event.n, game.verdict, _NOTHING
        self._event, self._checked, self._rules = event, checked, game.cited or _NOTHING
        # What still waits may add a note to this event when it is closed.
        waits = game.open is not None or game.instances or game.pending
        self._reasons = game.notes if game.notes or waits else _NOTHING
        self._steps = game.steps[before:] if len(game.steps) > before else ()

    @property
    def rules(self) -> list[str]:
        by_steps = [rule for _, _, _, rules, _, _ in self._steps for rule in rules]
        return list(dict.fromkeys([*self._checked, *self._event.text_rules, *by_steps, *self._rules]))

    @property
    def reasons(self) -> list[Message]:
        return [_done(self._event), *self._reasons]


def _done(event: Event) -> Message:
    """What was done, in a sentence."""
    verb = event.verb
    if event.ref is not None and verb not in _PLAIN:
        return Message(_DONE[verb], who=event.by, thing=event.ref)
    if verb == "advance":
        goal = str(event.value)
        return Message("legal_advance", phase=Message("next_turn") if goal == "turn" else phase_word(goal))
    if verb == "roll":
        return Message("legal_roll", who=event.by, dice=event.dice)
    if verb == "sell":
        return Message("legal_sell", who=event.by, n=event.value)
    return Message(_DONE[verb], who=event.by, thing=event.ref)


def _meant(game: Game, event: Event) -> list[Event]:
    """The event, or the actions that collide in it, each with the use it means as the table stands."""
    return [as_meant(game, each) for each in event.inner or (event,)]


def _refused_while_open(game: Game, event: Event) -> EventRuling | None:
    """The ruling on an event that is illegal while dice or a pause are open; it leaves them open.

    The answer is known only once the open dice have counted, so they are counted on a copy, and only if
    something speaks against the event already.
    """
    actions = _meant(game, event)
    is_closing = closes_dice(game, actions) or closes_damage(game, actions)
    if not is_closing or not is_refused(game, event) or any(each.n in game.counted for each in actions):
        return None
    spend()
    trial = copy_of(game)
    close_unanswered(trial, actions)
    if not is_refused(trial, event):
        return None
    ruling = judge(trial, event)
    game.order.extend(trial.order)
    return ruling


def ruling_of(game: Game) -> ThroneRuling:
    table = game.table
    players: dict[str, report.PlayerReport] = {}
    partly_known: list[str] = []
    for player in game.seats:
        players[player.id] = report.player_report(game, player)
        if player.hero is not None and player.hero.is_partial:
            partly_known.append(player.id)
    discretion = sorted(game.discretion) if game.discretion else []
    if not table.edition.describes(table.mode, len(table.players)):
        discretion.append("mode")
    has_remarks = partly_known or table.old_points or table.former_ids
    return Ruling(
        table.id,
        DICE_THRONE,
        table.edition.id,
        players,
        report.turn(game),
        Record(game.events, game.order, discretion, [], game.asks, game.steps),
        report.ThroneExtra(game.teams, game.meanwhile, {**table.rulings}, partly_known),
        game.resolutions,
        partial(open_verbs, game),
        game.outcome,
        game.lost,
        [],
        [],
        _remarks(table) if has_remarks else [],
    )


def _remarks(table: Table) -> list[Message]:
    """What the file still calls by a former id, and the heroes the catalogue knows in part."""
    remarks = [Message("point_was_split", id=point) for point in table.old_points]
    for old, ref in table.former_ids:
        remarks.append(Message("id_was_renamed", old=old, thing=ref, new=ref.id))
    seated = {seat.hero for seat in table.players}
    for hero in table.catalog.heroes.values():
        if hero.is_partial and hero.id in seated:
            remarks.append(Message("hero_known_in_part", hero=Ref("hero", hero.id)))
    return remarks


def standing(table: Table) -> Game:
    """The game as it is now: pending damage is not concluded, so it can still be answered."""
    game = beginning(table)
    judge_all(game)
    close_open(game)
    return game


def beginning(table: Table) -> Game:
    """The game before its first event."""
    return Game(table, {**table.rulings})

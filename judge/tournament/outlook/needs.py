"""What a player still needs to go on to the next stage, or to be first: in, out, or open.

A result that is still missing can be a win, a draw or a loss. Where few are missing and every meeting is
known, all of them are tried, with the tie-breakers that results decide (exact). Else points alone are
weighed: what is proven in or out by them is exact too, and so is an open state that single results of a
paired round decide. What remains is open by a seeded simulation, which gives a chance with its error; there
level players share the places at the edge. Health and scores to come are never guessed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Literal

from judge.core.budget import spend
from judge.core.errors import fail
from judge.core.messages import Message
from judge.tournament.brackets.elimination import Bracket, places
from judge.tournament.formats import format_of, play_bracket
from judge.tournament.groups import by_group
from judge.tournament.model import Match, PlayerId, Result, Tournament
from judge.tournament.outlook.contest import OWN, Contest
from judge.tournament.ranking import in_order_of_going_on
from judge.tournament.stages import StagedEvent, Take, going_on, is_complete
from judge.tournament.tiebreaks import TIEBREAKERS

State = Literal["in", "out", "open"]
MAX_TRIED = 6_000  # scenarios times players that are worked out in full
SCENARIOS = 400
DRAWS = 0.1  # of the simulated matches


@dataclass(frozen=True, slots=True)
class Outlook:
    player: PlayerId
    state: State
    needs: tuple[Message, ...]
    draw_is_safe: bool  # a draw in the next match is enough, whatever happens elsewhere
    is_exact: bool
    chance: float | None = None  # where simulated
    error: float | None = None  # the standard error of the chance


def outlook(event: StagedEvent, seed: int = 0) -> list[Outlook]:
    """Everybody's outlook in the stage being played, in the order of its standings."""
    number = event.begun
    t = event.tournament(number)
    has_next = number < len(event.stages)
    take = event.stages[number].take if has_next else Take(top=1)
    with event.inside(number):
        order = [line.player for _, line in in_order_of_going_on(t)]
        if has_next and (take is None or take.players is not None):
            named = set(order if take is None else take.players or ())
            return [_settled(p, p in named) for p in order]
        assert take is not None
        outlooks = _of_stage(t, take, has_next, seed)
    return [outlooks[player] for player in order]


def _of_stage(t: Tournament, take: Take, has_next: bool, seed: int) -> dict[PlayerId, Outlook]:
    kind = format_of(t)
    if is_complete(t):
        return _after_last_result(t, take, has_next)
    if kind.has_bracket:
        return _of_bracket(play_bracket(t), take.top or 1)
    if kind.planned_rounds(t) is None and t.format.until_wins is None:
        raise fail("format.rounds", "outlook_rounds_unknown")
    if kind.has_groups:
        return _of_groups(t, take if has_next else Take(of_each_group=1), seed)
    return _of_contest(Contest(t, take, with_dropped=not has_next), seed)


def _after_last_result(t: Tournament, take: Take, has_next: bool) -> dict[PlayerId, Outlook]:
    """In or out; open only for those who are level across the edge of a cut, which nothing has settled."""
    if not has_next:
        best = in_order_of_going_on(t)[0][0]
        first = {line.player for key, line in in_order_of_going_on(t) if key == best}
        return {e.id: _settled(e.id, e.id in first) for e in t.entrants}
    through, notes = going_on(t, take)
    level = {name for note in notes for name in note.params["names"]}
    needs = (Message("outlook_level"),)
    return {
        e.id: Outlook(e.id, "open", needs, draw_is_safe=False, is_exact=True)
        if t.label(e.id) in level
        else _settled(e.id, e.id in through)
        for e in t.entrants
    }


def _settled(player: PlayerId, is_in: bool) -> Outlook:
    needs = Message("outlook_in" if is_in else "outlook_out")
    return Outlook(player, "in" if is_in else "out", (needs,), is_in, is_exact=True)


# -- brackets -----------------------------------------------------------------------------------------------


def _of_bracket(bracket: Bracket, size: int) -> dict[PlayerId, Outlook]:
    """Players who are still in share the best place there is; the others have theirs."""
    place = places(bracket)
    still_in = [p for p in bracket.seeds if place[p] == 1]
    outlooks = {p: _settled(p, place[p] <= size) for p in bracket.seeds}
    if len(still_in) > size:
        needs = (Message("outlook_bracket"),)
        outlooks |= {p: Outlook(p, "open", needs, draw_is_safe=False, is_exact=True) for p in still_in}
    return outlooks


# -- groups -------------------------------------------------------------------------------------------------


def _of_groups(t: Tournament, take: Take, seed: int) -> dict[PlayerId, Outlook]:
    """Each group for itself where so many of each go on; across groups only by trying out."""
    if take.of_each_group is not None or take.points is not None:
        own = take if take.points is not None else Take(top=take.of_each_group)
        return {
            player: one
            for group in by_group(t)
            for player, one in _of_contest(Contest(group, own), seed).items()
        }
    contest = Contest(t, take)
    tried, needs = _try_all(contest), (Message("outlook_wait"),)
    return _gone(contest) | {
        p: Outlook(p, "open", needs, draw_is_safe=False, is_exact=False)
        if tried is None
        else _conclude(contest, p, tried[p], is_exact=True)
        for p in contest.points
    }


def _gone(contest: Contest) -> dict[PlayerId, Outlook]:
    """Those who have dropped."""
    players = (e.id for e in contest.tournament.entrants)
    return {p: _settled(p, is_in=False) for p in players if p not in contest.points}


# -- what a result of one's own is worth --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prospect:
    """What follows from a gain of one's own: it is enough whatever happens; it can be enough."""

    is_enough: bool
    can_do: bool


Prospects = dict[int, Prospect]  # by points gained, from the least to the most


@lru_cache(64)
def _gains(matches: int, per_match: tuple[int, ...]) -> list[int]:
    """Every number of points that so many matches can bring."""
    totals = {0}
    for _ in range(matches):
        totals = {total + gain for total in totals for gain in per_match}
    return sorted(totals)


def _by_points(contest: Contest, player: PlayerId) -> Prospects:
    """What points alone prove. Level players count against the player where it is to be enough, and for
    them where it can do."""
    base, unit = contest.certain[player], contest.unit_of[player]
    gains = _gains(contest.open_matches[player], contest.per_round)

    def weighed(gain: int) -> Prospect:
        spend()
        target = base + gain
        if contest.threshold is not None:
            return Prospect(target >= contest.threshold, target >= contest.threshold)
        own = [way for way in unit if way[player] == target] if contest.is_one_round else unit
        against = contest.others(player, own, target, most=True, level=True)
        must = contest.others(player, own, target, most=False, level=False)
        return Prospect(against < contest.places, must < contest.places)

    if contest.is_one_round:
        return {gain: weighed(gain) for gain in gains}
    # More points are never worth less, so the first gains that can do and that are enough say all.
    can_do = bisect_left(gains, True, key=lambda gain: weighed(gain).can_do)
    enough = bisect_left(gains, True, key=lambda gain: weighed(gain).is_enough)
    return {gain: Prospect(n >= enough, n >= can_do) for n, gain in enumerate(gains)}


def _is_proven_open(contest: Contest, player: PlayerId) -> bool:
    """Whether some results of one round put the player in, and some out, whatever the tie-breakers say."""
    if not contest.is_one_round or contest.threshold is not None:
        return contest.threshold is not None
    ways = contest.unit_of[player]
    low, high = (pick(way[player] for way in ways) for pick in (min, max))
    worst, best = ([way for way in ways if way[player] == points] for points in (low, high))
    can_be_out = contest.others(player, worst, low, most=True, level=False) >= contest.places
    can_be_in = contest.others(player, best, high, most=False, level=True) < contest.places
    return can_be_out and can_be_in


# -- every result tried -------------------------------------------------------------------------------------


def _try_all(contest: Contest) -> dict[PlayerId, Prospects] | None:
    """What follows from each result of one's own, over all others; None if they are too many."""
    t, matches = contest.tournament, contest.matches
    scenarios = len(OWN) ** len(matches)
    if contest.rounds_to_pair or contest.pods or scenarios * len(contest.points) > MAX_TRIED:
        return None
    # What takes more than results is unknown while a match is being played.
    details = (n for n, name in enumerate(t.tiebreakers) if TIEBREAKERS[name].counts)
    cut = next(details, len(t.tiebreakers))
    rests = tuple(Match(a=p, result=Result.BYE) for p in contest.points if contest.rest(p))
    known = replace(t, tiebreakers=t.tiebreakers[:cut], rounds=(*t.rounds, rests) if rests else t.rounds)
    seen: dict[PlayerId, dict[int, list[Prospect]]] = {p: {} for p in contest.points}
    for results in product((Result.A, Result.DRAW, Result.B), repeat=len(matches)):
        standing = _ratings(_with(known, dict(zip(matches, results, strict=True))), contest)
        for player, (points, prospect) in standing.items():
            seen[player].setdefault(points - contest.certain[player], []).append(prospect)
    return {
        player: {
            gain: Prospect(all(one.is_enough for one in prospects), any(one.can_do for one in prospects))
            for gain, prospects in sorted(gains.items())
        }
        for player, gains in seen.items()
    }


def _with(t: Tournament, results: dict[tuple[PlayerId, PlayerId], Result]) -> Tournament:
    """The tournament with these results; meetings that are not paired yet follow as one round."""
    left = dict(results)
    rounds = []
    for matches in t.rounds:
        filled = []
        for m in matches:
            result = left.pop((m.a, m.b), None) if not m.is_finished and m.a and m.b else None
            filled.append(m if result is None else replace(m, result=result))
        rounds.append(tuple(filled))
    more = tuple(Match(a=a, b=b, result=result) for (a, b), result in left.items())
    return replace(t, rounds=(*rounds, more) if more else tuple(rounds))


def _ratings(t: Tournament, contest: Contest) -> dict[PlayerId, tuple[int, Prospect]]:
    """Each player's points, and whether the place is inside the cut: surely, or if ties fall well."""
    rated = [(key, line) for key, line in in_order_of_going_on(t) if line.player in contest.points]
    keys = [key for key, _ in rated]
    ratings = {}
    for key, line in rated:
        above, level = keys.index(key), keys.count(key)
        is_in = above + level <= contest.places
        ratings[line.player] = (int(line.points * contest.unit), Prospect(is_in, above < contest.places))
    return ratings


# -- the answer ---------------------------------------------------------------------------------------------


def _of_contest(contest: Contest, seed: int) -> dict[PlayerId, Outlook]:
    tried = _try_all(contest) if contest.threshold is None else None
    if tried is not None:
        decided = {p: _conclude(contest, p, tried[p], is_exact=True) for p in contest.points}
        return _gone(contest) | decided
    outlooks = _gone(contest)
    alike: dict[object, Outlook] = {}  # five hundred players have few different stands
    for player in contest.points:
        stand = contest.stand_of(player)
        if stand not in alike:
            is_exact = _is_proven_open(contest, player)
            alike[stand] = _conclude(contest, player, _by_points(contest, player), is_exact=is_exact)
        outlooks[player] = replace(alike[stand], player=player)
    unsure = [p for p, one in outlooks.items() if not one.is_exact]
    if unsure:
        from judge.tournament.outlook.simulation import chances  # numpy takes longer to load than all else

        chance = chances(contest, SCENARIOS, DRAWS, seed)
        for player in unsure:
            share = chance[player]
            error = (share * (1 - share) / SCENARIOS) ** 0.5
            outlooks[player] = replace(outlooks[player], chance=share, error=max(error, 1 / SCENARIOS))
    return outlooks


def _conclude(contest: Contest, player: PlayerId, prospects: Prospects, *, is_exact: bool) -> Outlook:
    if all(one.is_enough for one in prospects.values()):
        return _settled(player, is_in=True)
    if not any(one.can_do for one in prospects.values()):
        return _settled(player, is_in=False)
    left = contest.open_matches[player]
    least, draw = min(contest.per_round), contest.worth["draw"]
    has_draws = not format_of(contest.tournament).has_pods
    safe = prospects.get(draw + least * (left - 1)) if left and has_draws else None
    needs = tuple(_needs(contest, left, prospects))
    return Outlook(player, "open", needs, safe is not None and safe.is_enough, is_exact)


def _needs(contest: Contest, left: int, prospects: Prospects) -> Iterator[Message]:
    """What is enough, and what is the least that can do."""
    enough = next((gain for gain, one in prospects.items() if one.is_enough), None)
    least = next(gain for gain, one in prospects.items() if one.can_do)
    if left == 0:
        yield Message("outlook_wait")
    elif left == 1 and not format_of(contest.tournament).has_pods:
        word: Callable[[int], str] = {contest.worth[own]: own for own in OWN}.__getitem__
        yield Message(f"outlook_enough_{'none' if enough is None else word(enough)}")
        if least != enough:
            yield Message(f"outlook_least_{word(least)}")
    else:
        yield from _needs_points(contest, enough, least)


def _needs_points(contest: Contest, enough: int | None, least: int) -> Iterator[Message]:
    def shown(points: int) -> int | str:
        value = Fraction(points, contest.unit)
        return value.numerator if value.denominator == 1 else f"{float(value):g}"

    if enough is None:
        yield Message("outlook_enough_none")
    else:
        yield Message("outlook_enough_points", n=shown(enough))
    if least != enough and least > 0:
        yield Message("outlook_least_points", n=shown(least))

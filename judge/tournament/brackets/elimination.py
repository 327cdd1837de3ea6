"""Plays a bracket: fills the plan with a tournament's results, pairs the next matches, ranks the players.

A result belongs to the match of its two players, in the order of the rounds. A match with nobody on one side
is won without play (a bye, or the opponent dropped out or took a double loss before). After a double loss
both players are out, on the winners' side of a double elimination too: nothing published says otherwise.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Literal

from judge.core.errors import fail
from judge.core.messages import Message
from judge.tournament.brackets.plan import (
    From,
    MatchId,
    Node,
    Seed,
    Source,
    double_elimination,
    reset_final,
    single_elimination,
    size_for,
)  # fmt: skip
from judge.tournament.model import Entrant, Match, PlayerId, Tournament, winner
from judge.tournament.pairing import Pairing, seat
from judge.tournament.standings import Standing, standings

# Nobody will ever come / not known yet / a player.
NOBODY: Literal[""] = ""
Occupant = PlayerId | Literal[""] | None
Status = Literal["waiting", "due", "playing", "done", "walkover", "void"]


@dataclass(slots=True)
class Bout:
    """A match of the bracket as it stands now."""

    node: Node
    a: Occupant = None
    b: Occupant = None
    winner: Occupant = None
    loser: Occupant = None
    status: Status = "waiting"
    match: Match | None = None

    @property
    def id(self) -> MatchId:
        return self.node.id


@dataclass(slots=True)
class Bracket:
    tournament: Tournament
    seeds: list[PlayerId]
    bouts: dict[MatchId, Bout] = field(default_factory=dict)
    is_double: bool = False  # a player who loses on the winners' side goes on in the losers' side

    @property
    def size(self) -> int:
        return size_for(len(self.seeds))

    def due(self) -> list[Bout]:
        return [bout for bout in self.bouts.values() if bout.status == "due"]

    def champion(self) -> PlayerId | None:
        """The winner of the last match, once no match is left that could change it."""
        last = self._deciding()
        return last.winner or None if last.status in ("done", "walkover") else None

    def _deciding(self) -> Bout:
        final = self.bouts.get("F.2") or self.bouts.get("F.1")
        return final or next(b for b in reversed(self.bouts.values()) if b.node.side == "winners")

    def first_round_byes(self) -> list[PlayerId]:
        """The players with a bye in round 1, best seed first."""
        rank = {player: n for n, player in enumerate(self.seeds)}
        first = (b for b in self.bouts.values() if b.node.side == "winners" and b.node.round == 1)
        return sorted((b.winner for b in first if b.status == "walkover" and b.winner), key=rank.__getitem__)


def seeded(entrants: tuple[Entrant, ...]) -> list[PlayerId]:
    """Players by seed; those without one follow in the order of entry."""
    order = sorted(enumerate(entrants), key=lambda pair: (pair[1].seed is None, pair[1].seed or 0, pair[0]))
    return [e.id for _, e in order]


def play_single(t: Tournament, after: int | None = None) -> Bracket:
    """A single elimination after `after` rounds (all if not given)."""
    return _play(t, single_elimination(len(t.entrants), t.format.third_place), after)


def play_double(t: Tournament, after: int | None = None) -> Bracket:
    """A double elimination after `after` rounds (all if not given)."""
    nodes = double_elimination(len(t.entrants), t.format.grand_final)
    return _play(t, nodes, after, is_double=True)


def _play(t: Tournament, nodes: list[Node], after: int | None, *, is_double: bool = False) -> Bracket:
    """The plan filled with the results. InputError names a match that was not due."""
    if len(t.entrants) < 2:
        raise fail("players", "tournament_too_few_players", n=len(t.entrants))
    bracket = Bracket(t, seeded(t.entrants), {node.id: Bout(node) for node in nodes}, is_double)
    rounds = t.rounds if after is None else t.rounds[:after]
    for number, matches in enumerate(rounds, start=1):
        _settle(bracket, number)
        _enter(bracket, number, matches)
    _settle(bracket, len(rounds) + 1)
    return bracket


def _settle(bracket: Bracket, number: int) -> None:
    """Advance everybody as far as the results allow, before round `number`."""
    for bout in list(bracket.bouts.values()):
        _settle_bout(bracket, bout, number)
    final = bracket.bouts.get("F.1")
    wants_reset = bracket.tournament.format.grand_final == "reset"
    if final and final.winner and final.winner == final.b and final.a and wants_reset:
        second = bracket.bouts.setdefault("F.2", Bout(reset_final()))
        _settle_bout(bracket, second, number)


def _settle_bout(bracket: Bracket, bout: Bout, number: int) -> None:
    if bout.status in ("done", "walkover", "void", "playing"):
        return
    bout.a, bout.b = _occupant(bracket, bout.node.a), _occupant(bracket, bout.node.b)
    if bout.a is None or bout.b is None:
        return
    drops = bracket.tournament.drops
    here = [p for p in (bout.a, bout.b) if p and drops.get(p, number) >= number]
    if len(here) == 2:
        bout.status = "due"
        return
    bout.status = "walkover" if here else "void"
    bout.winner = here[0] if here else NOBODY
    gone = [p for p in (bout.a, bout.b) if p and p != bout.winner]
    bout.loser = gone[0] if gone else NOBODY


def _occupant(bracket: Bracket, source: Source) -> Occupant:
    if isinstance(source, Seed):
        return bracket.seeds[source.number - 1] if source.number <= len(bracket.seeds) else NOBODY
    bout = bracket.bouts[source.match]
    return bout.winner if source.what == "winner" else bout.loser


def _enter(bracket: Bracket, number: int, matches: tuple[Match, ...]) -> None:
    due = {frozenset((bout.a, bout.b)): bout for bout in bracket.due()}
    for n, match in enumerate(matches, start=1):
        if match.b is None:
            continue
        bout = due.pop(frozenset((match.a, match.b)), None)
        if bout is None:
            label = bracket.tournament.label
            names = [f"{label(b.a)} – {label(b.b)}" for b in bracket.due() if b.a and b.b]
            raise fail(f"rounds[{number}][{n}]", "tournament_not_due", round=number, due=names)
        bout.match = match
        bout.status = "done" if match.result else "playing"
        side = winner(match.result)
        if side is not None:
            bout.winner, bout.loser = (match.a, match.b) if side == "a" else (match.b, match.a)
        elif match.result is not None:  # both have lost
            bout.winner = bout.loser = NOBODY


# -- the next round, and the places -------------------------------------------------------------------------


def pair_bracket(bracket: Bracket, seed: int = 0) -> Pairing:
    """The matches that are due, as the next round."""
    t, due = bracket.tournament, bracket.due()
    if not due:
        champion = bracket.champion()
        key = "tournament_finished" if champion else "tournament_nobody_left"
        raise fail("rounds", key, name=t.label(champion) if champion else "")
    byes = bracket.first_round_byes() if not t.rounds else []
    due = [bout for bout in due if bout.a not in byes]  # a player with a bye rests, whatever is due
    pairs = [(bout.a, bout.b, (_why(bracket, bout),)) for bout in due if bout.a and bout.b]
    why = (Message("why_bye_seeded", names=[t.label(p) for p in byes]),) if byes else ()
    return Pairing(len(t.rounds) + 1, seat(pairs, t), tuple(byes), seed=seed, bye_why=why)


def _why(bracket: Bracket, bout: Bout) -> Message:
    node = bout.node
    if node.side == "winners" and node.round == 1 and isinstance(node.a, Seed) and isinstance(node.b, Seed):
        return Message("why_bracket_seeds", a=node.a.number, b=node.b.number)
    return Message("why_bracket", name=round_name(bracket, node), a=_came(node.a), b=_came(node.b))


def _came(source: Source) -> Message | str:
    if isinstance(source, From):
        return Message(f"why_bracket_{source.what}", match=source.match)
    return str(source.number)


def round_name(bracket: Bracket, node: Node) -> Message:
    """What the round is called: final, semi-finals ... ; losers' rounds by number."""
    if node.side == "final":
        return Message("round_grand_final" if node.round == 1 else "round_grand_final_again")
    if node.side == "third":
        return Message("round_third_place")
    if node.side == "losers":
        return Message("round_losers", round=node.round)
    left = bracket.size >> node.round
    if left <= 4 and not bracket.is_double:
        return Message({1: "round_final", 2: "round_semi_finals", 4: "round_quarter_finals"}[left])
    return Message("round_winners" if bracket.is_double else "round_number", round=node.round)


def bracket_standings(bracket: Bracket, after: int | None = None) -> list[Standing]:
    """Standings by the round in which a player was eliminated; those eliminated together share the rank."""
    place = places(bracket)
    table = [replace(s, rank=place[s.player]) for s in standings(bracket.tournament, after)]
    return sorted(table, key=lambda s: s.rank)


def places(bracket: Bracket) -> dict[PlayerId, int]:
    """Everybody's place. Players eliminated in the same round share it, and so do those still in."""
    reached = _reached(bracket)
    better = Counter(reached.values())
    place, place_of = 1, {}
    for stage in sorted(better, reverse=True):
        place_of[stage] = place
        place += better[stage]
    return {player: place_of[reached[player]] for player in bracket.seeds}


_FINALS = 10_000  # beyond any number of rounds
_STILL_IN = 2 * _FINALS


def _reached(bracket: Bracket) -> dict[PlayerId, int]:
    """How far each player came, as a number: higher is better, and players still in are above all others."""
    champion = bracket.champion()
    skips_final = bracket.tournament.format.grand_final == "skip" and "F.1" not in bracket.bouts
    still_in = _FINALS if champion and skips_final else _STILL_IN
    reached = dict.fromkeys(bracket.seeds, still_in)
    for bout in bracket.bouts.values():
        for player in (bout.a, bout.b):
            if player and _is_out_in(bracket, bout, player):
                reached[player] = _stage(bracket, bout.node)
    third = bracket.bouts.get("T.1")
    if third and third.winner:
        reached[third.winner] = _stage(bracket, third.node) + 1
    if champion:
        reached[champion] = _STILL_IN + 1
    return reached


def _stage(bracket: Bracket, node: Node) -> int:
    if node.side == "final":
        return _FINALS + node.round
    return 4 * third_round(bracket) if node.side == "third" else 4 * node.round


def third_round(bracket: Bracket) -> int:
    """The round of the semi-finals."""
    return bracket.size.bit_length() - 2


def _is_out_in(bracket: Bracket, bout: Bout, player: PlayerId) -> bool:
    """Whether the player was eliminated in this match."""
    if player not in (bout.a, bout.b) or bout.winner is None or bout.winner == player:
        return False
    if bout.loser != player:  # a double loss
        return True
    if bout.node.side == "winners":
        waits_for_third = "T.1" in bracket.bouts and bout.node.round == third_round(bracket)
        return not bracket.is_double and not waits_for_third
    if bout.id == "F.1":
        return "F.2" not in bracket.bouts
    return True

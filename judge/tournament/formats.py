"""Format kinds: one record each says how it pairs, ranks and is checked, and what it is called.

    register(FormatKind(id="ladder", label="Ladder: the last challenges the next", pair=pair_ladder))

is all that a new format needs. Files, forms, pages and papers ask the record; no other module names a kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from judge.core.errors import fail
from judge.core.messages import Message, Phrasebook
from judge.tournament.brackets.elimination import (
    Bracket,
    bracket_standings,
    pair_bracket,
    play_double,
    play_single,
)
from judge.tournament.checker import faults, group_faults, pod_faults
from judge.tournament.groups import (
    by_group,
    crossing,
    explain_in_group,
    group_standings,
    is_open,
    pair_groups,
)
from judge.tournament.groups import planned_rounds as planned_group_rounds
from judge.tournament.history import has_finished, histories
from judge.tournament.model import DEFAULT_TIEBREAKERS, Format, PlayerId, Tournament
from judge.tournament.pairing import Cost, Pairing, Table
from judge.tournament.pods.next_round import pair_pods, pod_cost
from judge.tournament.round_robin import pair_round_robin, round_count, settled
from judge.tournament.standings import Standing, explain, standings
from judge.tournament.tiebreaks import Worked

Pair = Callable[[Tournament, int], Pairing]
Play = Callable[[Tournament, int | None], Bracket]
Crosses = list[tuple[int | None, Tournament]]


def _as_announced(t: Tournament) -> int | None:
    return t.format.rounds


def _has_played_all_rounds(t: Tournament) -> bool:
    return t.format.rounds is not None and len(t.rounds) >= t.format.rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatKind:
    """One kind of format. What is not given is as in a Swiss event: by points, announced rounds, any swap.

    Every language has its name under `key`; a kind that no language knows is called by its own `label`."""

    id: str
    label: str = ""
    pair: Pair
    rank: Callable[[Tournament, int | None], list[Standing]] = standings
    explain: Callable[[Tournament, PlayerId, int | None], dict[str, Worked]] = explain
    check: Callable[[Tournament, Pairing], list[Message]] | None = None  # what is wrong with a pairing
    cost: Callable[[Tournament, Sequence[Table], Sequence[PlayerId]], Cost] | None = None
    play: Play | None = None  # the bracket, where there is one
    crosses: Callable[[Tournament], Crosses] | None = None  # cross tables, with the number of the group
    planned_rounds: Callable[[Tournament], int | None] = _as_announced  # None: until it is decided
    is_over: Callable[[Tournament], bool] = _has_played_all_rounds  # every result being in
    tiebreakers: Callable[[Format], tuple[str, ...]] = lambda _: DEFAULT_TIEBREAKERS  # if none are named
    keys: tuple[str, ...] = ()  # of `format` in a file, beside its kind and number of rounds
    settings: tuple[str, ...] = ()  # keys of the file itself that only some kinds read
    has_rounds: bool = True  # whether a file may say how many rounds there are
    preset: str = ""  # whose settings an imported event gets that names none
    swaps: Literal["any", "first-round", "never"] = "any"  # when two players may change seats by hand
    has_draws: bool = True
    can_pair_again: bool = False  # whether unplayed tables of a published round can be paired anew
    can_carry: bool = False  # whether it can go on with the points and meetings of the stage before
    has_groups: bool = False
    has_pods: bool = False  # tables of three and more, with scores instead of sides
    over_key: str = "format_over"  # says that its rounds are over

    @property
    def key(self) -> str:
        return f"format_{self.id.replace('-', '_')}"

    @property
    def reads(self) -> tuple[str, ...]:
        """The keys of `format` that mean something to this kind."""
        return ("rounds", *self.keys) if self.has_rounds else self.keys

    @property
    def has_bracket(self) -> bool:
        return self.play is not None

    @property
    def has_drawing(self) -> bool:
        """Whether there is a bracket or a cross table to draw."""
        return self.play is not None or self.crosses is not None

    def name(self, book: Phrasebook) -> str:
        return book.label(self.key, self.label or self.id)


FORMATS: dict[str, FormatKind] = {}


def register(kind: FormatKind) -> FormatKind:
    """Add a kind: files, forms, pages and papers offer it from now on."""
    FORMATS[kind.id] = kind
    return kind


def format_of(t: Tournament) -> FormatKind:
    return FORMATS[t.format.kind]


# -- questions to every format ------------------------------------------------------------------------------


def pair_round(t: Tournament, seed: int = 0) -> Pairing:
    """The next round by the event's format. Refuses to pair while a result is missing, and names it."""
    kind = format_of(t)
    if not t.entrants:
        raise fail("players", "tournament_no_players")
    number = len(t.rounds) + 1
    active, awarded = t.active(number), t.awarded(number)
    if not active and all(e.id in t.drops for e in t.entrants):
        raise fail("drops", "tournament_everybody_dropped")
    if len(active) + len(awarded) < 2 and not kind.has_bracket:
        raise fail("players", "tournament_too_few_players", n=len(active))
    missing = t.first_missing_result()
    if missing:
        raise fail(f"rounds[{missing[0]}][{missing[1]}].result", "tournament_result_missing")
    if len(active) < 2 and awarded:  # nobody is left to play against
        return _with_awarded(t, Pairing(number, (), tuple(e.id for e in active), seed=seed), awarded)
    return _with_awarded(t, kind.pair(t, seed), awarded)


def _with_awarded(t: Tournament, pairing: Pairing, awarded: Sequence[PlayerId]) -> Pairing:
    """The pairing with the byes that were awarded, after the one that nobody could be paired with."""
    if not awarded:
        return pairing
    why = tuple(Message("why_bye_awarded", name=t.label(player)) for player in awarded)
    return replace(pairing, byes=(*pairing.byes, *awarded), bye_why=(*pairing.bye_why, *why))


def play_bracket(t: Tournament, after: int | None = None) -> Bracket:
    """The bracket after `after` rounds (all if not given); InputError where the format has none."""
    play = format_of(t).play
    if play is None:
        raise fail("format.kind", "tournament_no_bracket", kind=t.format.kind)
    return play(t, after)


# -- the formats --------------------------------------------------------------------------------------------


def _pair_swiss(t: Tournament, seed: int) -> Pairing:
    from judge.tournament.swiss.next_round import (
        pair_swiss,  # numpy takes longer to load than all else a command needs
    )

    return pair_swiss(t, seed)


def _swiss_cost(t: Tournament, tables: Sequence[Table], byes: Sequence[PlayerId]) -> Cost:
    from judge.tournament.swiss.next_round import swiss_cost  # as above

    return swiss_cost(t, tables, byes)


def _is_swiss_over(t: Tournament) -> bool:
    """Whether the rounds are played, or all but one are through or out."""
    if _has_played_all_rounds(t) or t.format.until_wins is None:
        return _has_played_all_rounds(t)
    played, active = histories(t), t.active(len(t.rounds) + 1)
    return sum(not has_finished(t.format, played[e.id]) for e in active) < 2


SWISS = register(
    FormatKind(
        id="swiss",
        is_over=_is_swiss_over,
        can_pair_again=True,
        pair=_pair_swiss,
        check=faults,
        cost=_swiss_cost,
        keys=("pattern", "until_wins", "until_losses"),
        settings=("clubs",),
        preset="dice-throne-ranked",
        can_carry=True,
        over_key="format_swiss_over",
    )
)
DEFAULT = SWISS  # of a file that names none


def _elimination(kind: str, play: Play, key: str) -> FormatKind:
    def rank(t: Tournament, after: int | None = None) -> list[Standing]:
        return bracket_standings(play(t, after), after) if len(t.entrants) > 1 else standings(t, after)

    return FormatKind(
        id=kind,
        pair=lambda t, seed: pair_bracket(play(t, None), seed),
        rank=rank,
        play=play,
        planned_rounds=lambda _: None,
        is_over=lambda t: play(t, None).champion() is not None,
        tiebreakers=lambda _: (),
        keys=(key,),
        has_rounds=False,
        preset=kind,
        swaps="first-round",
        has_draws=False,
    )


SINGLE_ELIMINATION = register(_elimination("single-elimination", play_single, "third_place"))
DOUBLE_ELIMINATION = register(_elimination("double-elimination", play_double, "grand_final"))


def _whole_schedule(t: Tournament) -> int:
    """The rounds in which everybody meets everybody, or fewer if the event says so."""
    rounds = max(1, round_count(len(t.entrants), t.format.cycles))
    return min(t.format.rounds or rounds, rounds)


ROUND_ROBIN = register(
    FormatKind(
        id="round-robin",
        pair=pair_round_robin,
        rank=lambda t, after: standings(settled(t), after),
        explain=lambda t, player, after: explain(settled(t), player, after),
        crosses=lambda t: [(None, t)],
        planned_rounds=_whole_schedule,
        is_over=lambda t: len(t.rounds) >= _whole_schedule(t),
        keys=("cycles",),
        settings=("drop_policy",),
        preset="round-robin",
        swaps="never",
    )
)

GROUPS = register(
    FormatKind(
        id="groups",
        pair=pair_groups,
        rank=group_standings,
        explain=explain_in_group,
        check=group_faults,
        crosses=lambda t: [] if crossing(t) else list(enumerate(by_group(t), start=1)),
        planned_rounds=planned_group_rounds,
        is_over=lambda t: not is_open(t),
        keys=("groups", "group_size", "cycles"),
        settings=("drop_policy",),
        preset="groups-and-bracket",
        has_groups=True,
        over_key="format_groups_over",
    )
)


def _pod_tiebreakers(shape: Format) -> tuple[str, ...]:
    """The usual tie-breakers of pods: those of two-player matches would be 0; places alone give no scores."""
    return ("table-wins",) if shape.counts == "places" else ("table-wins", "share-sum", "score-total")


PODS = register(
    FormatKind(
        id="pods",
        pair=pair_pods,
        check=pod_faults,
        cost=lambda t, tables, byes: pod_cost(t, [table.players for table in tables], byes),
        tiebreakers=_pod_tiebreakers,
        keys=("pod_size", "counts", "repeat_weight"),
        settings=("clubs", "place_points"),
        preset="dice-forge-pods",
        has_pods=True,
    )
)

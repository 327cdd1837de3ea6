"""The final score and who wins (DF-SCORE)."""

from __future__ import annotations

from judge.rules.dice_forge.state.catalog import Catalog
from judge.rules.dice_forge.state.desk import Desk
from judge.rules.dice_forge.state.model import Player, State
from judge.rules.ruling import Outcome


def printed_glory(player: Player, catalog: Catalog) -> int:
    return sum([catalog.feats[feat].glory for feat in player.feats])


def score(player: Player, catalog: Catalog) -> int:
    """Markers, 100 tokens and printed glory; anything else scores nothing (DF-SCORE-02)."""
    return player.have["V"] + catalog.glory_token * player.hundreds + printed_glory(player, catalog)


def scores(state: State, catalog: Catalog) -> dict[str, int]:
    return {name: score(player, catalog) for name, player in state.players.items()}


def winners(points: dict[str, int]) -> list[str]:
    best = max(points.values())
    return [name for name, n in points.items() if n == best]


def say_result(desk: Desk) -> None:
    points = scores(desk.state, desk.catalog)
    for name, player in desk.state.players.items():
        desk.say(
            "df_score", ("DF-SCORE-01", "DF-SCORE-02", "DF-FEAT-10"), points[name], who=name, n=points[name],
            shown=player.have["V"], tokens=desk.catalog.glory_token * player.hundreds,
            printed=printed_glory(player, desk.catalog),
        )  # fmt: skip
    best = winners(points)
    if len(best) == 1:
        desk.say("df_wins", ("DF-SCORE-03",), max(points.values()), who=best[0])
    else:
        desk.say("df_share", ("DF-SCORE-03", "DF-SCORE-04"), max(points.values()), who=best)


def outcome(state: State, catalog: Catalog) -> Outcome:
    points = scores(state, catalog)
    if not state.ended:
        return Outcome("playing", [], points)
    best = winners(points)
    return Outcome("won" if len(best) == 1 else "shared", best, points)

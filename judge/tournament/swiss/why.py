"""The reasons why two contenders meet: score groups, floats, and why the ideal partner was not free."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from judge.core.messages import Message
from judge.tournament.model import PlayerId, Tournament
from judge.tournament.pairing import Cost
from judge.tournament.swiss.contenders import Contender, Draw, groups_of


class Reasons:
    """The reasons of one paired round."""

    def __init__(
        self,
        tournament: Tournament,
        draw: Draw,
        bye: Contender | None,
        cost_with_bye: Callable[[Contender], Cost],
    ) -> None:
        self.label = tournament.label
        self.draw = draw
        self.bye = bye
        self.cost_with_bye = cost_with_bye
        field = [c for c in draw.contenders if c is not bye]
        self.groups = {field[start].points: field[start:end] for start, end in groups_of(field)}
        self.above = {field[start].points: start for start, _ in groups_of(field)}
        self.ideal: dict[PlayerId, Contender] = {}
        for points, group in self.groups.items():
            self._lay_out(group, is_first_taken=self.above[points] % 2 == 1)

    def _lay_out(self, group: list[Contender], is_first_taken: bool) -> None:
        """Note each player's partner by the pattern alone, as if everybody in the group could meet."""
        inside = group[1:] if is_first_taken else group
        inside = inside[: len(inside) // 2 * 2]
        half, pattern = len(inside) // 2, self.draw.pattern
        for place, contender in enumerate(inside):
            if pattern == "slide":
                other = (place + half) % len(inside)
            else:
                other = len(inside) - 1 - place if pattern == "fold" else place ^ 1
            self.ideal[contender.id] = inside[other]

    def points(self, contender: Contender) -> int | str:
        value = Fraction(contender.points, self.draw.unit)
        return value.numerator if value.denominator == 1 else f"{float(value):g}"

    def table(self, upper: Contender, lower: Contender) -> tuple[Message, ...]:
        said = [self._groups(upper, lower)]
        rounds = upper.met.get(lower.id)
        if rounds:
            said.append(Message("why_rematch", round=rounds[-1]))
        elif upper.points != lower.points:
            said.append(self._float_reason(upper))
        else:
            said += self._not_ideal(upper, lower)
        if upper.club and upper.club == lower.club:
            said.append(Message("why_club_mates", club=upper.club))
        return tuple(said)

    def _groups(self, upper: Contender, lower: Contender) -> Message:
        if self.draw.is_first:
            return Message("why_first_round")
        if upper.points == lower.points:
            return Message("why_same_points", points=self.points(upper))
        names = {"a": self.label(upper.id), "b": self.label(lower.id)}
        return Message("why_float", **names, high=self.points(upper), low=self.points(lower))

    def _float_reason(self, upper: Contender) -> Message:
        """Why a player floats: an odd number of players down to this group, or no opponent left in it."""
        group, points = self.groups[upper.points], self.points(upper)
        down_to_here = self.above[upper.points] + len(group)
        if down_to_here % 2:
            return Message("why_odd_group", points=points, n=down_to_here)
        met = [self.label(c.id) for c in group if c.id in upper.met]
        if met and len(met) == len(group) - 1:
            return Message("why_met_whole_group", name=self.label(upper.id), points=points, met=met)
        return Message("why_group_cannot_close", points=points)

    def _not_ideal(self, upper: Contender, lower: Contender) -> list[Message]:
        ideal = self.ideal.get(upper.id)
        if ideal is None or ideal is lower:
            return []
        names = {"name": self.label(upper.id), "ideal": self.label(ideal.id)}
        if ideal.id in upper.met:
            return [Message("why_ideal_met", **names, round=upper.met[ideal.id][-1])]
        if frozenset((ideal.id, upper.id)) in self.draw.forbidden:
            return [Message("why_ideal_forbidden", **names)]
        if upper.club and upper.club == ideal.club:
            return [Message("why_ideal_club", **names)]
        return [Message("why_ideal_elsewhere", **names)]

    def bye_itself(self) -> tuple[Message, ...]:
        """Why this player sits out, and why each one below does not."""
        bye = self.bye
        if bye is None:
            return ()
        params = {"name": self.label(bye.id), "points": self.points(bye)}
        below = [c for c in self.draw.contenders if (c.points, -c.rank) < (bye.points, -bye.rank)]
        passed_over = [c for c in self.draw.contenders if c.standing > bye.standing and not c.may_have_bye]
        could = [c for c in (below if bye.may_have_bye else self.draw.contenders) if c.may_have_bye]
        if could:
            said = [self._why_not(could[-1], params, [self.label(c.id) for c in could])]
        elif not bye.may_have_bye:
            said = [Message("why_bye_again", **params)]
        elif passed_over:
            said = [Message("why_bye_lowest_left", **params)]
        elif self.draw.is_first:
            said = [Message("why_bye_first_round", name=params["name"])]
        else:
            said = [Message("why_bye_lowest", **params)]
        return (*said, *self._passed_over(passed_over))

    def _why_not(self, lower: Contender, params: dict[str, Any], names: list[str]) -> Message:
        """Why not the lowest who could: the round would repeat a meeting, or its points lie further apart."""
        assert self.bye is not None
        is_level = self.bye.may_have_bye and lower.points == self.bye.points
        if is_level and self.cost_with_bye(lower).rematches == 0:
            return Message("why_bye_gap", **params, below=names)
        return Message("why_bye_needed", **params, below=names)

    def _passed_over(self, lower: list[Contender]) -> Iterator[Message]:
        had = [self.label(c.id) for c in lower if c.byes]
        free = [self.label(c.id) for c in lower if c.has_free_win and not c.byes]
        new = [self.label(c.id) for c in lower if c.enters_now and not c.byes and not c.has_free_win]
        for key, names in (("why_bye_had", had), ("why_bye_free_win", free), ("why_bye_new", new)):
            if names:
                yield Message(key, names=names)

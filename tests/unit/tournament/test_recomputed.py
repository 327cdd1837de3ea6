"""Standings worked out a second time, from the tournament file alone and without the engine, over random
events with byes, no-shows, absences, late entries, drops and awarded byes."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from judge.services.event.tournament_files import pair_file, standings_file

F = Fraction
ALL = ["wins-vs-tied", "head-to-head", "median-buchholz", "buchholz", "buchholz-cut-1", "sonneborn-berger",
       "omw", "oomw", "gw", "ogw", "health-diff", "health-total", "cumulative"]  # fmt: skip


# -- a random event -----------------------------------------------------------------------------------------


def random_event(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    names = [f"P{n:02}" for n in range(chance.randint(4, 14))]
    data: dict[str, Any] = {
        "tournament": 1,
        "best_of": chance.choice([1, 3]),
        "floor": chance.choice([0.33, "1/3", 0]),
        "scoring": {"win": 3, "draw": 1, "loss": 0, "bye": chance.choice([3, 3, 3, 1, 0])},
        "tiebreakers": chance.sample(ALL, chance.randint(2, 6)),
        "unplayed": chance.choice(["left-out", "dummy"]),
        "byes_in_omw": chance.random() < 0.7,
        "players": names, "rounds": [], "drops": {}, "late": {}, "absent": {}, "byes": {},
    }  # fmt: skip
    rounds = chance.randint(2, 6)
    for name in names:
        kind = chance.random()
        if kind < 0.08:
            data["late"][name] = chance.randint(2, rounds)
        elif kind < 0.16:
            data["absent"][name] = [chance.randint(1, rounds)]
        elif kind < 0.22:
            data["byes"][name] = [1]
    for number in range(1, rounds + 1):
        paired = pair_file(data, seed)
        matches = [played(t, chance, data["best_of"]) for t in paired["tables"]]
        awarded = [name for name, when in data["byes"].items() if number in when]
        matches += [{"a": p, "result": "bye"} for p in paired["byes"] if p not in awarded]
        data["rounds"].append(matches)
        still_in = [n for n in names if n not in data["drops"] and data["late"].get(n, 1) <= number]
        if len(still_in) > 5 and chance.random() < 0.25:
            gone = chance.choice(still_in)
            data["drops"][gone] = number
            data["absent"].pop(gone, None)
    return data


def played(table: dict[str, Any], chance: random.Random, best_of: int) -> dict[str, Any]:
    result = chance.choice(["a", "b", "a", "b", "draw", "no_show_a", "double_loss"])
    match = {"a": table["a"], "b": table["b"], "result": result}
    if result in ("a", "b"):
        health = (chance.randint(1, 30), 0)
        match["health"] = list(health if result == "a" else health[::-1])
        if best_of == 3:
            games = (2, chance.randint(0, 1), 0)
            match["games"] = list(games if result == "a" else (games[1], games[0], 0))
    return match


# -- the same, by hand --------------------------------------------------------------------------------------


class ByHand:
    """Everybody's rounds: opponent or None, outcome, points, whether played, own and other health, games.

    `last`: the last round of players who did not go on into the stage that is ranked."""

    def __init__(self, data: dict[str, Any], last: dict[str, int] | None = None) -> None:
        self.last = last or {}
        self.data, self.names = data, data["players"]
        self.worth = {key: F(value) for key, value in data["scoring"].items()}
        self.win_games = data["best_of"] // 2 + 1
        self.rounds = {name: self.own(name) for name in self.names}
        self.points = {name: sum((r[2] for r in rows.values()), F(0)) for name, rows in self.rounds.items()}

    def own(self, name: str) -> dict[int, tuple]:
        rows = {}
        for number, matches in enumerate(self.data["rounds"], start=1):
            if number > self.data["drops"].get(name, number):
                continue
            if number in self.data["byes"].get(name, []):
                rows[number] = self.bye()
            elif number < self.data["late"].get(name, 1) or number in self.data["absent"].get(name, []):
                rows[number] = (None, "missed", F(0), False, None, (0, self.win_games, 0))
            else:
                mine = [m for m in matches if name in (m["a"], m.get("b"))]
                if mine:
                    rows[number] = self.row(name, mine[0])
        return rows

    def bye(self) -> tuple:
        games = self.win_games if self.worth["bye"] else 0
        return (None, "bye", self.worth["bye"], False, None, (games, 0, 0))

    def row(self, name: str, m: dict[str, Any]) -> tuple:
        if m["result"] == "bye":
            return self.bye()
        is_a = m["a"] == name
        other, result = m["b"] if is_a else m["a"], m["result"]
        if result == "draw":
            outcome = "draw"
        elif result == "double_loss":
            outcome = "loss"
        else:
            outcome = "win" if (result in ("a", "no_show_b")) == is_a else "loss"
        on_table = result in ("a", "b", "draw")
        health = m.get("health") if on_table else None
        health = tuple(health if is_a else health[::-1]) if health else None
        games = m.get("games")
        if games:
            games = tuple(games) if is_a else (games[1], games[0], games[2])
        else:
            n = self.win_games
            games = {"win": (n, 0, 0), "loss": (0, n, 0), "draw": (0, 0, 1)}[outcome]
        return (other, outcome, self.worth[outcome], on_table, health, games)

    def record(self, name: str) -> str:
        outcomes = [r[1] for r in self.rounds[name].values() if not (r[1] == "bye" and not r[2])]
        lost = sum(o in ("loss", "missed") for o in outcomes)
        return f"{sum(o in ('win', 'bye') for o in outcomes)}-{lost}-{outcomes.count('draw')}"

    def floor(self, share: Fraction) -> Fraction:
        return max(share, F(str(self.data["floor"])))

    def match_wins(self, name: str) -> Fraction:
        counts_bye = self.data["byes_in_omw"] and self.worth["bye"] == 3
        rows = [r for r in self.rounds[name].values() if r[1] != "bye" or counts_bye]
        return self.floor(sum((r[2] for r in rows), F(0)) / (3 * len(rows)) if rows else F(0))

    def game_wins(self, name: str) -> Fraction:
        games = [r[5] for r in self.rounds[name].values()]
        count = sum(sum(g) for g in games)
        return self.floor(F(sum(3 * g[0] + g[2] for g in games), 3 * count) if count else F(0))

    def mean(self, name: str, of) -> Fraction:
        values = [of(r[0]) for r in self.rounds[name].values() if r[0]]
        return sum(values, F(0)) / len(values) if values else F(0)

    def opposition(self, name: str, weigh=lambda outcome, points: F(1)) -> list[Fraction]:
        """The points of each opponent, weighed; of dummies too where the event has them."""
        is_dummy = self.data["unplayed"] == "dummy"
        values = []
        for number in range(1, len(self.data["rounds"]) + 1):
            row = self.rounds[name].get(number)
            if row and row[0] and (row[3] or not is_dummy):
                theirs = self.with_draws(row[0]) if is_dummy else self.points[row[0]]
                values.append(theirs * weigh(row[1], row[2]))
            elif is_dummy:
                points = row[2] if row else F(0)
                kind = "win" if points == 3 else "draw" if points else "loss"
                values.append(self.points[name] * weigh(kind, points))
        return values

    def stayed_away(self, name: str, number: int) -> bool:
        """Not there of one's own will: missed, left, or lost without sitting down."""
        row = self.rounds[name].get(number)
        return row is None or (not row[3] and row[1] in ("missed", "loss"))

    def with_draws(self, name: str) -> Fraction:
        """The points of an opponent, the rounds since he left counted as draws."""
        points, number = self.points[name], self.last.get(name, len(self.data["rounds"]))
        while number and self.stayed_away(name, number):
            points, number = points + 1, number - 1
        return points

    def in_cutting_order(self, name: str) -> list[Fraction]:
        """Lowest first; with dummies the rounds one chose not to play before all others."""
        values = sorted(self.opposition(name))
        if self.data["unplayed"] == "dummy":
            rounds = range(1, len(self.data["rounds"]) + 1)
            chosen = sum(self.stayed_away(name, n) for n in rounds)
            for _ in range(chosen):
                values.remove(self.points[name])
            values = [self.points[name]] * chosen + values
        return values

    def value(self, name: str, tiebreaker: str) -> Fraction:
        rows = list(self.rounds[name].values())
        against = self.in_cutting_order(name)
        half = {"win": F(1), "draw": F(1, 2)}
        if tiebreaker == "wins-vs-tied":
            won = [r for r in rows if r[0] and r[1] == "win" and self.points[r[0]] == self.points[name]]
            return F(len(won))
        if tiebreaker == "cumulative":
            return self.cumulative(name)
        if tiebreaker in ("health-diff", "health-total"):
            other = tiebreaker == "health-diff"
            return F(sum(r[4][0] - (r[4][1] if other else 0) for r in rows if r[4]))
        return {
            "buchholz": lambda: sum(against, F(0)),
            "median-buchholz": lambda: sum(against[1:-1], F(0)),
            "buchholz-cut-1": lambda: sum(against[1:], F(0)),
            "sonneborn-berger": lambda: sum(
                self.opposition(name, lambda outcome, _: half.get(outcome, F(0))), F(0)
            ),
            "omw": lambda: self.mean(name, self.match_wins),
            "oomw": lambda: self.mean(name, lambda o: self.mean(o, self.match_wins)),
            "gw": lambda: self.game_wins(name),
            "ogw": lambda: self.mean(name, self.game_wins),
        }[tiebreaker]()

    def cumulative(self, name: str) -> Fraction:
        total = running = F(0)
        for number in range(1, len(self.data["rounds"]) + 1):
            row = self.rounds[name].get(number)
            running += row[2] if row else 0
            total += running if row or self.data["unplayed"] == "dummy" else 0
        return total

    def head_to_head(self, tied: list[str]) -> list[list[str]]:
        """The tied in order, those still level together; and the value each had at first."""
        met = {n: {r[0] for r in self.rounds[n].values()} for n in tied}
        if not all(other in met[n] for n in tied for other in tied if other != n):
            return [tied]
        got = {n: sum((r[2] for r in self.rounds[n].values() if r[0] in tied), F(0)) for n in tied}
        parts = [[n for n in tied if got[n] == value] for value in sorted({*got.values()}, reverse=True)]
        return [tied] if len(parts) == 1 else [level for part in parts for level in self.head_to_head(part)]

    def ranking(self) -> list[list[str]]:
        own = {self.points[n] for n in self.names}
        levels = [[n for n in self.names if self.points[n] == points] for points in own]
        levels.sort(key=lambda level: -self.points[level[0]])
        for tiebreaker in self.data["tiebreakers"]:
            levels = [part for level in levels for part in self.parted(level, tiebreaker)]
        return levels

    def parted(self, level: list[str], tiebreaker: str) -> list[list[str]]:
        if tiebreaker == "head-to-head":
            return self.head_to_head(level)
        value = {n: self.value(n, tiebreaker) for n in level}
        return [[n for n in level if value[n] == v] for v in sorted({*value.values()}, reverse=True)]


@pytest.mark.parametrize("seed", range(150))
def test_the_standings_are_those_worked_out_from_the_file_alone(seed):
    data = random_event(seed)
    mine = ByHand(data)

    table = standings_file(data)

    expected = mine.ranking()
    ranks = {name: 1 + sum(map(len, expected[:n])) for n, level in enumerate(expected) for name in level}
    assert {line["player"]: line["rank"] for line in table} == ranks
    for line in table:
        name = line["player"]
        assert (line["points"], line["record"]) == (mine.points[name], mine.record(name))
        for tiebreaker, value in line["tiebreakers"].items():
            if tiebreaker != "head-to-head":
                assert value == pytest.approx(float(mine.value(name, tiebreaker)), abs=1e-9), tiebreaker

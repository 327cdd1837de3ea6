"""A second, naive calculator of the final damage total: DT-DMG line by line, apart from the engine."""

from dataclasses import dataclass, field
from math import ceil, floor


@dataclass
class Sum:
    """Attack damage to one Defender: what was dealt, added, prevented; halves kept; halves returned."""

    dealt: int
    added: list[int] = field(default_factory=list)
    prevented: list[int] = field(default_factory=list)
    halves: int = 0
    returns: int = 0
    wither: int = 0
    bounty: int = 0
    avoided: bool = False

    def work_out(self) -> dict[str, int | list[int]]:
        subtotal = self.dealt + sum(self.added) + self.bounty - sum(self.prevented) - self.wither
        base = subtotal if subtotal > 0 else 0
        halves = [ceil(base / 2) for _ in range(self.halves)]
        final = 0 if self.avoided else max(0, subtotal - sum(halves))
        returned = sum(ceil(base / 2) for _ in range(self.returns))
        return {"subtotal": subtotal, "fractions": halves, "final": final, "returned": returned}

    def wrong(self, mistake: str) -> dict[str, int]:
        """Final and returned damage of somebody who makes that mistake; fixed answers first, halves last."""
        added = sum(self.added) + (0 if mistake == "bounty-forgotten" else self.bounty)
        taken = sum(self.prevented) + (0 if mistake == "wither-forgotten" else self.wither)
        subtotal = self.dealt + added - taken
        half = floor if mistake == "rounded-down" else ceil
        left = subtotal
        for _ in range(self.halves):
            if mistake == "halves-in-sequence":
                left -= half(max(left, 0) / 2)
            elif mistake == "fraction-of-incoming":
                left -= half(self.dealt / 2)
            else:
                left -= half(max(subtotal, 0) / 2)
        final = max(left, 0)
        base = {"return-from-final": final, "return-from-incoming": self.dealt}.get(mistake, subtotal)
        return {"final": final, "returned": self.returns * half(max(base, 0) / 2)}

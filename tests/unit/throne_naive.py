"""A second, naive calculator of the final damage total: section 9 line by line, apart from the engine."""

from dataclasses import dataclass, field
from math import ceil


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

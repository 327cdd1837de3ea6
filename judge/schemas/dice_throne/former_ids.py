"""Ids that abilities and cards had before they were renamed: files that use them stay readable."""

from __future__ import annotations

from judge.core.messages import Ref
from judge.rules.catalog import Ability, Card, Catalog


class FormerIds:
    """Puts today's id in place of a former one, and remembers which ones the file used."""

    def __init__(self) -> None:
        self._used: dict[str, Ref] = {}

    def today(self, written: str, thing: object) -> str:
        """The id of the thing that the file calls by this id."""
        if not isinstance(thing, (Ability, Card)) or thing.id == written:
            return written
        self._used[written] = Ref("card" if isinstance(thing, Card) else "ability", thing.id)
        return thing.id

    def ability(self, catalog: Catalog, hero: str | None, written: str) -> str:
        return self.today(written, catalog.find_ability(hero, written))

    @property
    def used(self) -> tuple[tuple[str, Ref], ...]:
        return tuple(self._used.items())

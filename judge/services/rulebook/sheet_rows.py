"""A hero's sheet as blocks of rows, ready to be printed on paper or on a terminal."""

from __future__ import annotations

from dataclasses import dataclass

from judge.core.games import DICE_THRONE
from judge.core.messages import Lang, Message, Phrasebook
from judge.schemas.dice_throne.origin import Conflict
from judge.schemas.fixtures import sentences
from judge.services.rulebook.conditions import Face, Need
from judge.services.rulebook.effect_words import Line
from judge.services.rulebook.hero_sheet import Entry, HeroSheet, Space
from judge.services.rulebook.heroes import Name, season_of, side_name

BETWEEN = " · "


@dataclass(frozen=True, slots=True)
class Row:
    """One paragraph: a label, what has to be rolled, and what it does. A note says what is unsure."""

    text: str
    label: str = ""
    need: Need | None = None
    is_note: bool = False
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """A named thing of the sheet; without rows it is the heading of a part."""

    title: str
    aside: str = ""
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class SheetInRows:
    name: str
    over: str  # season, what it begins with
    die: tuple[Face, ...]
    blocks: tuple[Block, ...]


def in_rows(sheet: HeroSheet, lang: Lang) -> SheetInRows:
    """The sheet in its language, one block for each thing."""
    return _Words(lang).sheet(sheet)


class _Words:
    def __init__(self, lang: Lang) -> None:
        self.lang = lang
        self.book = Phrasebook(lang, sentences(lang))

    def say(self, key: str, /, **params: object) -> str:
        return self.book.say(Message(key, **params))

    def sheet(self, sheet: HeroSheet) -> SheetInRows:
        over = [season_of(DICE_THRONE, sheet.id, self.lang)]
        over += [self.say("hero_partial")] if sheet.is_partial else []
        for key, things in (("hero_begins", sheet.setup), ("hero_first", sheet.first)):
            named = [self.say("hero_times", thing=name, n=n) for name, n in things]
            over += [self.say(key, things=named)] if named else []
        return SheetInRows(sheet.name.text, BETWEEN.join(over), sheet.die, tuple(self._blocks(sheet)))

    def _blocks(self, sheet: HeroSheet) -> list[Block]:
        parts = [
            ("hero_board", [self._space(space) for space in sheet.spaces]),
            ("hero_tokens", [self._token(token) for token in sheet.tokens]),
            ("hero_companions", [self._token(one) for one in sheet.companions]),
            ("hero_cards", [self._card(card) for card in sheet.cards]),
        ]
        return [block for key, blocks in parts if blocks for block in (Block(self.say(key)), *blocks)]

    def _name(self, name: Name) -> str:
        """A name that no book prints in this language is marked."""
        return f"{name.text} (en)" if name.is_foreign and self.lang != "en" else name.text

    # -- blocks ---------------------------------------------------------------------------------------------

    def _space(self, space: Space) -> Block:
        kind = self.say(f"hero_kind_{space.kind}")
        aside = f"{side_name(space.side, self.lang)}{BETWEEN}{kind}" if space.side else kind
        rows = [row for level in space.levels for row in self._level(level, len(space.levels) > 1)]
        return Block(self._name(space.name), aside, tuple(rows))

    def _level(self, level: Entry, is_one_of_several: bool) -> list[Row]:
        label = level.roman if is_one_of_several else ""
        if level.level > 1:
            label = f"{label} ({self._cost(level)})"
        rows = self._rows(level, label)
        if level.second is not None:
            rows += self._rows(level.second, f"+ {self._name(level.second.name)}", indent=1)
        return rows

    def _card(self, card: Entry) -> Block:
        aside = [self._cost(card), self.say(f"hero_kind_{card.kind}")]
        aside += [self.say("hero_modifier")] if card.is_modifier else []
        return Block(self._name(card.name), BETWEEN.join(aside), tuple(self._rows(card)))

    def _token(self, token: Entry) -> Block:
        aside = (
            [self.say(f"hero_kind_{token.kind}")] if token.kind in ("positive", "negative", "unique") else []
        )
        aside += [self.say("hero_limit", n=token.limit)] if token.limit else []
        aside += [self.say("hero_spent")] if token.is_spendable else []
        aside += [self.say("hero_persistent")] if token.is_persistent else []
        aside += token.facts
        rows = self._rows(token)
        if token.when:
            rows = [Row(token.when, is_note=True), *rows]
        return Block(self._name(token.name), BETWEEN.join(aside), tuple(rows))

    # -- rows -----------------------------------------------------------------------------------------------

    def _cost(self, entry: Entry) -> str:
        return self.say("hero_cp_unknown") if entry.cost is None else self.say("hero_cp", n=entry.cost)

    def _rows(self, entry: Entry, label: str = "", indent: int = 0) -> list[Row]:
        """What is rolled and what it does; then what is unsure about it."""
        rows = []
        for n, tier in enumerate(entry.tiers):
            text = _text(tier.effects if len(entry.tiers) > 1 else (*tier.effects, *entry.effects))
            rows.append(Row(text, label if n == 0 else "", tier.needs, indent=indent))
        if len(entry.tiers) != 1 and (entry.effects or (label and not rows)):
            rows.append(Row(_text(entry.effects), "" if rows else label, indent=indent))
        notes = [] if entry.is_known else [self.say("hero_gap")]
        notes += [self.say("hero_more_unknown")] if entry.is_known and entry.is_partial else []
        notes = [self.say("hero_says", text=entry.said(self.lang))] if entry.origin.says else notes
        notes += [self.say(f"hero_{word}") for word in _unsure(entry)]
        notes += [self._conflict(conflict) for conflict in entry.origin.conflicts]
        return [*rows, Row(BETWEEN.join(notes), is_note=True, indent=indent)] if notes else rows

    def _conflict(self, conflict: Conflict) -> str:
        about = Message(f"hero_about_{conflict.about}")
        return self.say("hero_conflict", about=about, taken=conflict.taken, other=conflict.other)


def _unsure(entry: Entry) -> list[str]:
    return {"low": ["unsure"], "medium": ["probable"]}.get(entry.origin.confidence, [])


def _text(lines: tuple[Line, ...]) -> str:
    return BETWEEN.join(str(line) for line in lines)

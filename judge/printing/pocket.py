"""Prints the judge's pocket cards for Dice Throne, four on a page, from the rules data alone.

Damage in three steps, who goes first in each edition, the damage types, where the editions differ, and the
usual mistakes with examples.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from judge.core.messages import Phrasebook
from judge.printing.flow import Line, Para, draw_lines, fitting_scale, lines_of, pages_of
from judge.printing.lettering import BOLD, REGULAR, wrap
from judge.printing.page import Area, Paper, Press, Progress
from judge.rules.answers import Note
from judge.rules.dice_throne.state.editions import Edition
from judge.rules.rulebook import Rulebook

TRAITS = ("defendable", "avoidable", "increased", "reduced", "special_targeting")
SWITCHES = (
    "priority", "spending_is_instant", "instants_against_roll_cards", "others_modifiers",
    "modifier_only_increases", "no_damage_no_defence",
)  # fmt: skip
DAMAGE_STEPS = (("1", ("DT-DMG-01",)), ("2", ("DT-DMG-02",)), ("3", ("DT-DMG-03", "DT-DMG-04", "DT-DMG-05")))
DAMAGE_NOTES = ("DT-DMG-06", "DT-DMG-07", "DT-DMG-08", "DT-DMG-09")
EXAMPLE = "DT-DMG-10"
# Cards of usual mistakes, and the groups of rules on each.
MISTAKES = {
    "print_card_mistakes_damage": ("DMG", "TYPE", "ATK", "RET"),
    "print_card_mistakes_defence": ("DRP", "HP"),
    "print_card_mistakes_timing": ("TIME", "ULT", "CARD", "DICE", "ACT", "ORP", "TGT"),
    "print_card_mistakes_tokens": ("STAT", "TOK", "UPK", "ISO", "COMP"),
}
PAD = 20.0
TITLE = 25.0
CELL_SIZE = 6.8
LEAST_SCALE = 0.72
TIMING = "DT-TIME-"
# Tokens and cards of one hero are in the books that print the hero; that is no difference in the rules.
OF_ONE_HERO = ("DT-TOK-", "DT-CARD-")


def pocket_pdf(
    rulebook: Rulebook, editions: Sequence[Edition], book: Phrasebook, paper: Paper = "a4",
    progress: Progress | None = None, notes: Collection[Note] = (),
) -> bytes:  # fmt: skip
    press = Press(book, paper, book.sentences["print_pocket"], progress)
    draw_pocket(press, rulebook, editions, notes)
    return press.finish()


def draw_pocket(
    press: Press, rulebook: Rulebook, editions: Sequence[Edition], notes: Collection[Note] = ()
) -> None:
    """Draw four cards a page; text that does not fit at a readable size continues on the next card."""
    cards = [_damage(press, rulebook), _priority(press, rulebook, editions)]
    cards += [_types(press, rulebook, editions), _differences(press, rulebook, editions)]
    cards += [_mistakes(press, notes, title, groups) for title, groups in MISTAKES.items() if notes]
    wide, high = press.width / 2 - 2 * PAD, press.height / 2 - 2 * PAD
    laid = [part for card in cards for part in _laid(press, card, wide, high)]
    pages = ceil(len(laid) / 4)
    press.expect(pages)
    for page in range(pages):
        press.dashed(press.width / 2, 0, press.width / 2, press.height)
        press.dashed(0, press.height / 2, press.width, press.height / 2)
        for place, part in enumerate(laid[page * 4 : page * 4 + 4]):
            row, column = divmod(place, 2)
            x, top = column * press.width / 2 + PAD, press.height - row * press.height / 2 - PAD
            _draw_card(press, part, Area(x, top - high, x + wide, top))
        press.end_page()


@dataclass(frozen=True, slots=True)
class _Card:
    title: str
    rows: Sequence[Sequence[str]]
    paras: Sequence[Para]
    first_share: float = 0.0
    is_ticked: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    card: _Card
    lines: Sequence[Line]
    is_first: bool


def _laid(press: Press, card: _Card, wide: float, high: float) -> list[_Part]:
    """The card, and as many further ones as its text needs."""
    room = high - TITLE - _grid_height(card, wide)
    scale = fitting_scale([card.paras], wide, room, LEAST_SCALE)
    lines = lines_of(card.paras, wide, scale)
    first = pages_of(lines, room)[0]
    parts = [_Part(card, first, True)]
    if rest := lines[len(first) :]:
        parts += [_Part(card, page, False) for page in pages_of(rest, high - TITLE)]
    return parts


def _draw_card(press: Press, part: _Part, area: Area) -> None:
    title = part.card.title if part.is_first else f"{part.card.title} …"
    press.text(area.left, area.top - 13, title, 15, BOLD, room=area.width)
    press.rule(area.left, area.top - 20, area.right, area.top - 20, 1.4)
    area = Area(area.left, area.bottom, area.right, area.top - TITLE)
    if part.is_first and part.card.rows:
        _draw_grid(press, area, part.card)
        area = Area(area.left, area.bottom, area.right, area.top - _grid_height(part.card, area.width))
    draw_lines(press, part.lines, area)


# -- damage and priority ------------------------------------------------------------------------------------


def _damage(press: Press, rules: Rulebook) -> _Card:
    paras = []
    for mark, ids in DAMAGE_STEPS:
        for n, rule_id in enumerate(ids):
            shown, before = (mark, 5) if n == 0 else ("", 1)
            text = rules.rules[rule_id].text[press.lang]
            paras.append(Para(text, 10, mark=shown, mark_font=BOLD, indent=16, before=before))
    paras += [
        Para(rules.rules[rule_id].text[press.lang], 8.5, mark="–", indent=16, before=4 if n == 0 else 1)
        for n, rule_id in enumerate(DAMAGE_NOTES)
    ]
    paras.append(Para(rules.rules[EXAMPLE].text[press.lang], 8.5, before=6))
    return _Card(press.say("print_card_damage"), (), paras)


def _priority(press: Press, rules: Rulebook, editions: Sequence[Edition]) -> _Card:
    """Timing rules, each under the editions that state it."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for rule in rules.rules.values():
        if rule.id.startswith(TIMING):
            stated = tuple(e.id for e in editions if e.id in rule.books)
            groups.setdefault(stated, []).append(rule.text[press.lang])
    paras = []
    for stated, texts in sorted(groups.items(), key=lambda item: (len(item[0]) == len(editions), item[0])):
        paras.append(Para(", ".join(stated), 9, BOLD, before=5))
        paras += [Para(text, 8.5, mark="–", indent=10, before=1) for text in texts]
    return _Card(press.say("print_card_priority"), (), paras)


# -- mistakes ------------------------------------------------------------------------------------------------


def _mistakes(press: Press, notes: Collection[Note], title: str, groups: Collection[str]) -> _Card:
    """The usual mistake with each rule, and an example that shows it."""
    paras = [
        para
        for note in notes
        if note.rule.split("-")[1] in groups
        for para in (
            Para(note.mistake[press.lang], 8.5, BOLD, mark="✗", mark_font=BOLD, indent=12, before=4),
            Para(note.example[press.lang], 8.5, indent=12, tail=note.rule),
        )
    ]
    return _Card(press.say(title), (), paras)


# -- types and editions -------------------------------------------------------------------------------------


def _types(press: Press, rules: Rulebook, editions: Sequence[Edition]) -> _Card:
    types = editions[0].types
    head = ["", *(press.say(f"print_trait_{trait}") for trait in TRAITS)]
    rows = [
        [press.say(f"print_type_{name}"), *(_ticks(name, trait, editions) for trait in TRAITS)]
        for name in types
    ]
    notes = [
        Para(rules.rules[fact.rule].text[press.lang], 9, before=3)
        for fact in types.values()
        if fact.rule in rules.rules
    ]
    return _Card(press.say("print_card_types"), [head, *rows], notes, 0.28, is_ticked=True)


def _ticks(name: str, trait: str, editions: Sequence[Edition]) -> str:
    """A tick or a dash; where the editions differ, the ones that allow it."""
    allowing = [e.id for e in editions if getattr(e.types[name], trait)]
    if len(allowing) == len(editions):
        return "✓"
    return "✓ " + ", ".join(allowing) if allowing else "–"


def _differences(press: Press, rules: Rulebook, editions: Sequence[Edition]) -> _Card:
    rows = [["", *(e.id for e in editions)]]
    for switch in SWITCHES:
        values = [getattr(e, switch) for e in editions]
        if len({repr(value) for value in values}) > 1:
            rows.append([press.say(f"print_switch_{switch}"), *(_value(press, value) for value in values)])
    rows += list(_modes(press, editions))
    paras = [Para(press.say("print_only_in"), 9, BOLD, before=4), *_only_in(press, rules, editions)]
    return _Card(press.say("print_card_editions"), rows, paras, 0.4)


def _value(press: Press, value: bool | str) -> str:
    if isinstance(value, bool):
        return press.say("print_yes" if value else "print_no")
    return press.say(f"print_value_{value}")


def _modes(press: Press, editions: Sequence[Edition]) -> Iterator[list[str]]:
    """Modes that not every book describes, or not for the same number of players."""
    for mode in dict.fromkeys(mode for e in editions for mode in e.modes):
        ranges = [e.modes.get(mode) for e in editions]
        if len(set(ranges)) > 1:
            name = press.say(f"print_mode_{mode.replace('-', '_')}")
            yield [press.say("print_mode_players", mode=name), *(_range(r) for r in ranges)]


def _range(numbers: Sequence[int] | None) -> str:
    if not numbers:
        return "–"
    low, high = numbers
    return str(low) if low == high else f"{low}–{high}"


def _only_in(press: Press, rules: Rulebook, editions: Sequence[Edition]) -> Iterator[Para]:
    """Rules that some editions state and others do not, timing apart: it has its own card."""
    for rule in rules.rules.values():
        stated = [e.id for e in editions if e.id in rule.books]
        elsewhere = rule.id.startswith((TIMING, *OF_ONE_HERO))
        if rule.kind == "decided" and stated and len(stated) < len(editions) and not elsewhere:
            yield Para(f"{', '.join(stated)}: {rule.text[press.lang]}", 8, before=1.5)


# -- the small table of a card ------------------------------------------------------------------------------


def _cells(card: _Card, row: int, wide: float) -> list[list[str]]:
    """The wrapped lines of each cell of a row."""
    first, rest = _widths(card, wide)
    return [
        wrap(text, _font(card, row, k), CELL_SIZE, (rest if k else first) - 2)
        for k, text in enumerate(card.rows[row])
    ]


def _font(card: _Card, row: int, column: int) -> str:
    return BOLD if column == 0 or (row == 0 and not card.is_ticked) else REGULAR


def _widths(card: _Card, wide: float) -> tuple[float, float]:
    first = wide * card.first_share
    return first, (wide - first) / (len(card.rows[0]) - 1)


def _row_height(cells: list[list[str]]) -> float:
    return max(len(cell) for cell in cells) * CELL_SIZE * 1.25 + 5


def _grid_height(card: _Card, wide: float) -> float:
    return sum(_row_height(_cells(card, n, wide)) for n in range(len(card.rows)))


def _draw_grid(press: Press, area: Area, card: _Card) -> None:
    first, rest = _widths(card, area.width)
    y = area.top
    for n in range(len(card.rows)):
        cells = _cells(card, n, area.width)
        for k, cell in enumerate(cells):
            x = area.left + (first + (k - 1) * rest if k else 0) + 2
            centered = card.is_ticked and k > 0
            for m, line in enumerate(cell):
                base = y - (m + 1) * CELL_SIZE * 1.25
                x_line = x + rest / 2 - 2 if centered else x
                press.text(x_line, base, line, CELL_SIZE, _font(card, n, k), "center" if centered else "left")
        y -= _row_height(cells)
        press.rule(area.left, y, area.right, y, 0.3 if n else 1.0)

"""The emergency kit: one document to continue on paper when the power fails; and many papers in one ZIP."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO

from judge.core.messages import Phrasebook
from judge.printing.bracket import BracketMatch, draw_bracket
from judge.printing.cross_table import CrossTable, draw_cross_table
from judge.printing.flow import Para, draw_lines, lines_of, pages_of
from judge.printing.lettering import BOLD
from judge.printing.page import Paper, Press, Progress, Sheet, check_code
from judge.printing.pairings import PairingLine, draw_pairings
from judge.printing.slips import PerPage, Slip, blank_slips, draw_slips
from judge.printing.standings import PlayerLine, StandingsTable, draw_players, draw_standings

STEPS = 6
# The first date a ZIP can hold; fixed, so that the same papers give the same bytes.
EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Kit:
    """Everything known about an event at this moment; empty parts are left out."""

    pairings: Sequence[PairingLine] = ()
    slips: Sequence[Slip] = ()
    standings: StandingsTable | None = None
    players: Sequence[PlayerLine] = ()
    bracket: Sequence[BracketMatch] = ()
    cross_tables: Sequence[tuple[str, CrossTable]] = ()
    blanks: int = 16
    met: Sequence[tuple[str, str]] = ()  # everybody by name, with the opponents round by round


def kit_pdf(
    sheet: Sheet, kit: Kit, book: Phrasebook, paper: Paper = "a4", per_page: PerPage = 8,
    progress: Progress | None = None,
) -> bytes:  # fmt: skip
    press = Press(book, paper, f"{sheet.event} – {book.sentences['print_kit']}", progress)
    _cover(press, sheet, kit)
    if kit.pairings:
        draw_pairings(press, sheet, kit.pairings, "table")
        draw_pairings(press, sheet, kit.pairings, "name")
    if kit.bracket:
        draw_bracket(press, sheet, kit.bracket)
    for name, table in kit.cross_tables:
        draw_cross_table(press, sheet, table, name)
    if kit.standings:
        draw_standings(press, sheet, kit.standings)
    if kit.players:
        draw_players(press, sheet, kit.players)
    if kit.met:
        _draw_met(press, sheet, kit.met)
    if kit.slips:
        draw_slips(press, sheet, kit.slips, per_page)
    if kit.blanks:
        counts = kit.slips[0].counts if kit.slips else "health"
        seats = max([2, *(len(slip.players) for slip in kit.slips)])
        draw_slips(press, Sheet(event=sheet.event), blank_slips(kit.blanks, counts, seats), per_page)
    return press.finish()


def _cover(press: Press, sheet: Sheet, kit: Kit) -> None:
    parts = [
        ("print_pairings", len(kit.pairings)), ("print_bracket", len(kit.bracket)),
        ("print_cross_table", len(kit.cross_tables)),
        ("print_standings", int(kit.standings is not None)), ("print_players", len(kit.players)),
        ("print_met", len(kit.met)), ("print_slips", len(kit.slips)), ("print_blank_slips", kit.blanks),
    ]  # fmt: skip
    paras = [Para(press.say("print_kit_what"), 12, before=4)]
    paras.append(Para(press.say("print_kit_contents"), 13, BOLD, before=14))
    paras += [Para(press.say(key), 12, mark="•", indent=16, before=2) for key, count in parts if count]
    paras.append(Para(press.say("print_kit_how"), 13, BOLD, before=14))
    paras += [
        Para(press.say(f"print_kit_step_{n}"), 12, mark=f"{n}.", mark_font=BOLD, indent=22, before=5)
        for n in range(1, STEPS + 1)
    ]
    area = press.area()
    press.expect(1)
    press.frame(sheet, press.say("print_kit"), code=check_code(sheet))
    draw_lines(press, lines_of(paras, area.width, 1.0), area)
    press.end_page()


def _draw_met(press: Press, sheet: Sheet, met: Sequence[tuple[str, str]]) -> None:
    """Everybody with the opponents so far, to pair on by hand without a repeated meeting."""
    area = press.area()
    paras = [Para(f"{name}: {opponents}", 10, before=3, indent=12) for name, opponents in met]
    pages = pages_of(lines_of(paras, area.width, 1.0), area.height)
    press.expect(len(pages))
    for n, lines in enumerate(pages, start=1):
        press.frame(sheet, press.say("print_met"), "", n, len(pages), check_code(met))
        draw_lines(press, lines, area)
        press.end_page()


def papers_zip(papers: Mapping[str, bytes]) -> bytes:
    """File name -> PDF, in one ZIP; the same papers give the same bytes."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, data in papers.items():
            info = zipfile.ZipInfo(name, EPOCH)
            info.external_attr = 0o644 << 16
            bundle.writestr(info, data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()

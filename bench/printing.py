"""Paper against the same marks drawn bare: texts by `drawString`, the rest ready-made.

The bare page is recorded from ours (same strings, places and fonts); its boxes and QR codes are replayed as
finished PDF code, so the bare side makes no codes at all. Ours also fits, cleans and lays out. Processor
time, so that neighbours on the machine count less.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from time import process_time

from reportlab.pdfgen.canvas import Canvas

from judge.printing import qr
from judge.printing.lettering import REGULAR, clean
from judge.printing.page import Press, Sheet
from judge.printing.pairings import PairingLine, draw_pairings
from judge.printing.slips import Slip, SlipPlayer, draw_slips
from judge.services.event.tournament_files import phrasebook

SHEET = Sheet("Spring Throne", 3, "41", "14:05", "https://judge.example.org/e/spring")
FIRST = "Ana Ben Cleo Dov Eva Finn Gaëlle Hugo Inès Joël Kira Léo Mona Nils Olga Pavel"
LAST = "Adler Brook Carter Dale Élis Ford Grant Hale"


def people(count: int) -> list[str]:
    first, last = FIRST.split(), LAST.split()
    return [f"{first[n % len(first)]} {last[n // 16 % len(last)]} {n}" for n in range(count)]


def list_of(players: int) -> Callable[[Press], None]:
    names = people(players)
    lines = [PairingLine(n // 2 + 1, (names[n], names[n + 1])) for n in range(0, players, 2)]
    return lambda press: draw_pairings(press, SHEET, lines, "name")


def slips_for(players: int, url: str = "") -> Callable[[Press], None]:
    names = people(players)
    slips = [
        Slip(n // 2 + 1, (SlipPlayer(names[n]), SlipPlayer(names[n + 1])), url and f"{url}/{n}")
        for n in range(0, players, 2)
    ]
    return lambda press: draw_slips(press, SHEET, slips, 8)


class Recorder(Press):
    """Keeps what our page draws, to draw it again without us."""

    def __init__(self) -> None:
        super().__init__(phrasebook("en"))
        self.pages: list[tuple[list[tuple], list[str]]] = []
        self.marks: list[str] = []
        canvas_literal = self.canvas.addLiteral
        self.canvas.addLiteral = lambda code: (self.marks.append(code), canvas_literal(code))[1]

    def _set_texts(self) -> None:
        self.pages.append((self._texts, self.marks))
        self.marks = []
        super()._set_texts()


def ours(draw: Callable[[Press], None]) -> float:
    """Seconds for a cold job: no name and no code is remembered from an earlier one."""
    clean.cache_clear()
    qr.forget()
    start = process_time()
    press = Press(phrasebook("en"))
    draw(press)
    press.finish()
    return process_time() - start


def bare(draw: Callable[[Press], None]) -> float:
    recorder = Recorder()
    draw(recorder)
    start = process_time()
    canvas = Canvas(BytesIO(), invariant=1, pageCompression=1, initialFontName=REGULAR)
    for texts, marks in recorder.pages:
        for code in marks:
            canvas.addLiteral(code)
        for x, y, text, font, size, _ in texts:
            canvas.setFont(font, size)
            canvas.drawString(x, y, text)
        canvas.showPage()
    canvas.save()
    return process_time() - start


def ratio(draw: Callable[[Press], None]) -> float:
    """Ours / bare, the fastest of a few in turn."""
    pairs = [(ours(draw), bare(draw)) for _ in range(4)]
    mine, theirs = (min(side) for side in zip(*pairs, strict=True))
    return mine / theirs


def growth(job: Callable[[int], Callable[[Press], None]]) -> tuple[float, str]:
    """Time at 4096 / time at 512, the fastest of a few in turn."""
    large, small = job(4096), job(512)
    pairs = [(ours(large), min(ours(small) for _ in range(4))) for _ in range(4)]
    most, least = (min(side) for side in zip(*pairs, strict=True))
    return most / least, f"{most:.2f} s; {least * 1000:.0f} ms"


MEMORY = """
import resource, sys
{work}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1))
"""
SLIPS = "from bench.printing import *; ours(slips_with_codes(4096))"


def peak_mib(work: str) -> float:
    """What a fresh process takes at its height."""
    code = MEMORY.format(work=work)
    # By way of a shell: a process counts the memory of the one it was forked from.
    command = ["sh", "-c", '"$0" -c "$1"; true', sys.executable, code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024


def slips_with_codes(players: int) -> Callable[[Press], None]:
    return slips_for(players, "https://judge.example.org/table")


def ratios() -> Iterator[tuple[str, float, float | None, str]]:
    yield "pairings list of 4096 / bare canvas", ratio(list_of(4096)), 1.8, "by name, three texts a line"
    yield "pairings list: time at 4096 / at 512", *_aimed(growth(list_of), 10)
    yield "slips for 4096 players / bare canvas", ratio(slips_for(4096)), 1.6, "without QR codes"
    with_codes = ratio(slips_with_codes(4096))
    yield (
        "slips for 4096 players with QR codes / bare canvas",
        with_codes,
        1.6,
        "codes ready-made for the bare side",
    )
    yield "slips: time at 4096 / at 512", *_aimed(growth(slips_with_codes), 10)
    empty, full = peak_mib("pass"), peak_mib(SLIPS)
    yield "slips of 4096 with QR codes: MiB over an empty process", full - empty, 60, f"{full:.0f} MiB in all"


def _aimed(measured: tuple[float, str], goal: float) -> tuple[float, float, str]:
    return measured[0], goal, measured[1]

"""QR codes: the fast way gives module for module what the encoder gives."""

import re

import pytest
import segno

from judge.printing.qr import WORTH_IT, forget, qr_path


def dark_modules(text: str) -> set[tuple[int, int]]:
    path, side = qr_path(text)
    found = set()
    for x, y, wide in re.findall(r"(\d+) (\d+) (\d+) 1 re", path):
        found |= {(int(x) + n, side - 1 - int(y)) for n in range(int(wide))}
    return found


def encoded(text: str) -> set[tuple[int, int]]:
    code = segno.make(text.encode(), mode="byte", error="m", micro=False, boost_error=False, mask=3)
    return {(x, y) for y, row in enumerate(code.matrix) for x, module in enumerate(row) if module}


@pytest.mark.parametrize("length", [1, 30, 90])
def test_every_code_is_the_one_the_encoder_makes(length):
    forget()
    texts = [f"{n * 7919:x}/Табл{n}".rjust(length, "h")[-length:] for n in range(WORTH_IT + 20)]

    for text in texts:
        assert dark_modules(text) == encoded(text), text


def test_addresses_of_other_lengths_do_not_disturb_each_other():
    forget()
    for n in range(2 * WORTH_IT):
        assert dark_modules(f"https://j.example/t/{n}") == encoded(f"https://j.example/t/{n}")

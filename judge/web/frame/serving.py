"""What a process that serves does once its app is made. Programs call it; importing the app does not."""

from __future__ import annotations

import gc
import sys

SWITCH_SECONDS = 0.0005
YOUNG, MIDDLE, OLD = 20_000, 20, 100


def settle() -> None:
    """Keep one long piece of work, such as pairing five hundred players, from holding up everybody else.

    Threads take turns two thousand times a second instead of two hundred: a short request passes a long one.
    What the app is made of stays for good, so the garbage collector need not walk through it again and again
    while the hall waits (that took a tenth of a second and more); what requests leave is still collected.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)

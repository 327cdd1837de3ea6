"""Small rules of spelling that depend on what a sentence is filled with.

Sentences are written correctly in their catalogues; only a name or number put into one can bring two letters
together that do not go together: "de Erik" in French, or a full stop after a card called "Concuss!".
"""

from __future__ import annotations

import re

# Before a vowel: d’Erik, qu’Anna. An h or y may or may not elide, so it is left alone.
_VOWEL = "[aeiouàâäéèêëîïôöûüœæAEIOUÀÂÄÉÈÊËÎÏÔÖÛÜŒÆ]"
_ELISION = re.compile(rf"\b([DdNnSs]e|[Qq]ue|[Ll]orsque|[Pp]uisque) ((?:<[^>]*>)*)(?={_VOWEL})")
_STOP_AFTER_MARK = re.compile(r"([!?])((?:</[^>]*>)*)\.(?!\.)")


def polished(text: str, lang: str) -> str:
    """The filled sentence as it is spelled; tags around a name are respected."""
    if "!" in text or "?" in text:
        text = _STOP_AFTER_MARK.sub(r"\1\2", text)
    if lang == "fr":
        text = _ELISION.sub(lambda match: f"{match[1][:-1]}’{match[2]}", text)
    return text

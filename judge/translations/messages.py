"""Updates the translations. `make translations` copies new page texts from the sources into the .po files
and lists what lacks a translation, what nobody uses and what is too long for its place, of page texts and of
engine sentences alike. FROM=file.json first fills in {"English": {"fr": "..."}}, with a list of forms where
the text has a plural. Page texts are the gettext calls in templates/ and judge/web/, engine sentences the
files <lang>/*.json.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
TRANSLATED = ("fr", "ru")
METHODS = [("judge/web/**.py", "python"), ("templates/**.html", "jinja2")]
OPTIONS = {"templates/**.html": {"trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true"}}
KEYWORDS = {
    "_": None,
    "gettext": None,
    "lazy_gettext": None,
    "ngettext": (1, 2),
    "lazy_ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")


def extracted() -> Catalog:
    """Every text in the sources."""
    catalog = Catalog(project="judge", charset="utf-8")
    for name, line, text, comments, context in extract_from_dir(
        ROOT, METHODS, OPTIONS, keywords=KEYWORDS, comment_tags=("i18n:",), strip_comment_tags=True
    ):
        if name.startswith(("judge/", "templates/")):
            catalog.add(text, None, [(name, line)], auto_comments=comments, context=context)
    return catalog


def po_file(lang: str) -> Path:
    return FOLDER / lang / "LC_MESSAGES" / "messages.po"


def read(lang: str) -> Catalog:
    with po_file(lang).open("rb") as file:
        return read_po(file, locale=lang)


def update(lang: str, texts: Catalog, filled_in: Mapping[str, Mapping[str, Any]]) -> None:
    """Add new texts, drop unused ones. Sorted and without source locations, so that branches merge well."""
    catalog = read(lang) if po_file(lang).exists() else Catalog(locale=lang, charset="utf-8")
    catalog.update(texts, no_fuzzy_matching=True)
    for message in catalog:
        name = message.id if isinstance(message.id, str) else message.id[0]
        if name in filled_in and lang in filled_in[name]:
            message.string = filled_in[name][lang]
    catalog.project, catalog.version, catalog.fuzzy = "judge", "", False
    catalog.header_comment = "# Page texts of judge. After a change of the sources: make translations"
    catalog.msgid_bugs_address = catalog.last_translator = catalog.language_team = ""
    catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    po_file(lang).parent.mkdir(parents=True, exist_ok=True)
    with po_file(lang).open("wb") as file:
        write_po(file, catalog, no_location=True, sort_output=True, ignore_obsolete=True, width=110)


def faults(lang: str, texts: Catalog) -> Iterator[str]:
    """What is missing, doubtful or broken in a language, one line each."""
    catalog = read(lang)
    for message in texts:
        if not message.id:
            continue
        translated = catalog.get(message.id, message.context)
        name = message.id if isinstance(message.id, str) else message.id[0]
        if translated is None or not _complete(translated, catalog.num_plurals):
            yield f"{lang}: not translated: {name!r}"
        elif translated.fuzzy:
            yield f"{lang}: marked fuzzy: {name!r}"
        elif _placeholders(message.id) != _placeholders(translated.string):
            yield f"{lang}: other placeholders than in English: {name!r}"


def _complete(message: Message, plurals: int) -> bool:
    if isinstance(message.id, str):
        return bool(message.string)
    forms = message.string or ()
    return len(forms) == plurals and all(forms)


def _placeholders(text: str | tuple[str, ...] | list[str] | None) -> set[str]:
    forms = [text] if isinstance(text, str) else list(text or ())
    return {name for form in forms for name in PLACEHOLDER.findall(form)}


# -- engine sentences ---------------------------------------------------------------------------------------

# A key that is put together: f"phase_{name}", "may_" + verb.
_PUT_TOGETHER = re.compile(r"""f?["']([a-z_]+_)(?:\{|["']\s*\+)""")
_LABEL = 18  # characters of a text that stands on a button, tab or chip
_TOO_LONG = 2.6  # times the English


def sentences(lang: str) -> dict[str, str]:
    """Every engine sentence of a language by its key."""
    files = sorted((FOLDER / lang).glob("*.json"))
    return {key: text for file in files for key, text in json.loads(file.read_bytes()).items()}


def sentence_faults() -> Iterator[str]:
    """Engine sentences that a language lacks, and those that nothing says."""
    english = sentences("en")
    for lang in TRANSLATED:
        yield from (f"{lang}: no sentence for {key}" for key in english.keys() - sentences(lang).keys())
    sources = [
        *ROOT.glob("judge/**/*.py"),
        *ROOT.glob("templates/**/*.html"),
        *ROOT.glob("fixtures/**/*.json"),
    ]
    written = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    words, beginnings = set(re.findall(r"\w+", written)), set(_PUT_TOGETHER.findall(written))
    for key in english.keys() - words:
        if not key.startswith(tuple(beginnings)):
            yield f"nothing says {key}"


def long_labels(texts: Catalog) -> Iterator[str]:
    """Short page texts whose translation is much longer: they may not fit their place."""
    for lang in TRANSLATED:
        catalog = read(lang)
        for message in texts:
            name = message.id if isinstance(message.id, str) else ""
            translated = catalog.get(name) if 0 < len(name) <= _LABEL else None
            said = translated.string if translated is not None else ""
            if isinstance(said, str) and len(said) > max(_LABEL, _TOO_LONG * len(name)):
                yield f"{lang}: long for its place: {name!r}: {said!r}"


def main(*filled_from: str) -> int:
    texts, filled_in = extracted(), {}
    for path in filled_from:
        filled_in.update(json.loads(Path(path).read_text(encoding="utf-8")))
    for lang in TRANSLATED:
        update(lang, texts, filled_in)
    problems = [line for lang in TRANSLATED for line in faults(lang, texts)] + sorted(sentence_faults())
    for remark in long_labels(texts):
        print(remark)
    print("\n".join(problems) or f"{len(texts)} texts, all translated into {' and '.join(TRANSLATED)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

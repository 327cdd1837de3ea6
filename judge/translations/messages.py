"""Updates the translations. `make translations` takes new page texts from the sources into
<lang>/pages/*.json, drops those that nothing uses, and lists what lacks a translation, what nobody says and
what is too long for its place, of page texts and of engine sentences alike.

FROM=file.json first fills in {"English": {"fr": "...", "ru": "..."}}. A page text may be written as in the
sources or as in the catalogue, with a list of forms where it has a plural; an engine sentence, by its key.
Page texts are the gettext calls in templates/ and judge/web/.
"""

from __future__ import annotations

import json
import re
import string
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from babel.messages.extract import extract_from_dir

from judge.core.messages import LANGS, Lang
from judge.schemas.fixtures import catalogue
from judge.translations import counted_template, template_of

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
TRANSLATED: tuple[Lang, ...] = ("fr", "ru")
FORMS: dict[Lang, int] = {"en": 2, "fr": 2, "ru": 3}
SHARED = "shared"  # the file of texts that stand in several rooms
METHODS = [("judge/web/**.py", "python"), ("templates/**.html", "jinja2")]
OPTIONS = {"templates/**.html": {"trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true"}}
KEYWORDS = {"_": None, "gettext": None, "lazy_gettext": None, "ngettext": (1, 2)}

Texts = dict[str, str]  # the page texts of the sources, each with its room


def extracted() -> Texts:
    """Every page text of the sources, as catalogues write it, and the room it belongs to."""
    rooms: dict[str, set[str]] = {}
    for name, _, text, _, _ in extract_from_dir(ROOT, METHODS, OPTIONS, keywords=KEYWORDS):
        _, *folders = Path(name).parent.parts
        key = template_of(text) if isinstance(text, str) else counted_template(text)
        rooms.setdefault(key, set()).add(folders[1 if name.startswith("judge/") else 0])
    return {key: names.pop() if len(names) == 1 else SHARED for key, names in rooms.items()}


def pages(lang: Lang) -> Path:
    return FOLDER / lang / "pages"


def update(lang: Lang, texts: Texts, filled_in: Mapping[str, str]) -> None:
    """Add new page texts, drop unused ones. A line each, sorted, so that branches merge well."""
    known = {**catalogue(pages(lang)), **filled_in}
    files: dict[str, dict[str, str]] = {}
    for key, room in texts.items():
        files.setdefault(room, {})[key] = known.get(key, "")
    pages(lang).mkdir(exist_ok=True)
    for path in pages(lang).glob("*.json"):
        if path.stem not in files:
            path.unlink()
    for room, entries in files.items():
        _write(pages(lang) / f"{room}.json", dict(sorted(entries.items())))


def fill_in_sentences(lang: Lang, filled_in: Mapping[str, str]) -> None:
    """Put engine sentences where their keys stand in English."""
    for english in sorted((FOLDER / "en").glob("*.json")):
        keys, path = json.loads(english.read_bytes()), FOLDER / lang / english.name
        if not filled_in.keys().isdisjoint(keys):
            said = json.loads(path.read_bytes()) if path.exists() else {}
            said |= {key: text for key, text in filled_in.items() if key in keys}
            _write(path, {key: said[key] for key in keys if key in said})


def _write(path: Path, entries: Mapping[str, str]) -> None:
    path.write_text(json.dumps(entries, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def filled_in(path: str) -> dict[Lang, dict[str, str]]:
    """The translations in a file by language, as catalogues write them."""
    entries: dict[str, dict[Lang, Any]] = json.loads(Path(path).read_text(encoding="utf-8"))
    plurals = _plurals_by_first_form()
    texts: dict[Lang, dict[str, str]] = {lang: {} for lang in LANGS}
    for written, translations in entries.items():
        for lang, forms in translations.items():
            is_counted = isinstance(forms, list)
            key = plurals.get(written, written) if is_counted else _as_template(written)
            texts[lang][key] = counted_template(forms) if is_counted else _as_template(forms)
    return texts


def _as_template(text: str) -> str:
    return template_of(text) if "%(" in text else text


def _plurals_by_first_form() -> dict[str, str]:
    """The keys of counted texts by their singular in the sources."""
    texts = extract_from_dir(ROOT, METHODS, OPTIONS, keywords=KEYWORDS)
    return {text[0]: counted_template(text) for _, _, text, _, _ in texts if not isinstance(text, str)}


# -- what is wrong ------------------------------------------------------------------------------------------

# The beginning of a key that is put together: f"phase_{name}", "may_" + verb.
_PUT_TOGETHER = re.compile(r"""f?["']([a-z_]+_)[{"']""")
_LABEL = 18  # characters of a text that stands on a button, tab or chip
_TOO_LONG = 2.6  # times the English


def places(template: str) -> set[str]:
    """The parameters of a template, also those within forms."""
    names = set()
    for _, name, spec, _ in string.Formatter().parse(template):
        names |= {name} if name else set()
        names |= places(spec) if spec else set()
    return names


def _wrong_forms(template: str, lang: Lang) -> bool:
    specs = [spec for _, _, spec, _ in string.Formatter().parse(template) if spec]
    return any(len(spec.split("|")) != FORMS[lang] for spec in specs)


def _faults(lang: Lang, english: Mapping[str, str], said: Mapping[str, str]) -> Iterator[str]:
    """What is missing, unused or broken in a language, one line each."""
    for key, text in english.items():
        translated = said.get(key)
        if not translated:
            yield f"{lang}: not translated: {key!r}"
        elif places(text) != places(translated):
            yield f"{lang}: other places than in English: {key!r}"
        elif _wrong_forms(translated, lang):
            yield f"{lang}: not {FORMS[lang]} forms: {key!r}"
    yield from (f"{lang}: nothing says {key!r}" for key in said.keys() - english.keys())


def page_faults(lang: Lang, texts: Texts) -> Iterator[str]:
    yield from _faults(lang, {key: key for key in texts}, catalogue(pages(lang)))


def sentence_faults(lang: Lang) -> Iterator[str]:
    english = catalogue(FOLDER / "en")
    yield from _faults(lang, english, catalogue(FOLDER / lang))
    if lang == "en":
        yield from (f"nothing says {key}" for key in _never_said(english))


def _never_said(english: Mapping[str, str]) -> Iterator[str]:
    """Engine sentences whose key no code, template or fixture names."""
    sources = [
        *ROOT.glob("judge/**/*.py"),
        *ROOT.glob("templates/**/*.html"),
        *ROOT.glob("fixtures/**/*.json"),
    ]
    written = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    words, beginnings = set(re.findall(r"\w+", written)), set(_PUT_TOGETHER.findall(written))
    for key in english.keys() - words:
        if not key.startswith(tuple(beginnings)):
            yield key


def long_labels(lang: Lang) -> Iterator[str]:
    """Short page texts whose translation is much longer: they may not fit their place."""
    for key, text in catalogue(pages(lang)).items():
        if len(key) <= _LABEL and "|" not in key and len(text) > max(_LABEL, _TOO_LONG * len(key)):
            yield f"{lang}: long for its place: {key!r}: {text!r}"


def main(*filled_from: str) -> int:
    texts = extracted()
    for path in filled_from:
        for lang, entries in filled_in(path).items():
            fill_in_sentences(lang, entries)
            if lang in TRANSLATED:
                update(lang, texts, entries)
    for lang in TRANSLATED:
        update(lang, texts, {})
        print("\n".join(long_labels(lang)))
    problems = [line for lang in TRANSLATED for line in page_faults(lang, texts)]
    problems += [line for lang in LANGS for line in sentence_faults(lang)]
    print("\n".join(sorted(problems)) or f"{len(texts)} page texts, all translated")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

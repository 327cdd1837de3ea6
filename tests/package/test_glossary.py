"""One word for one thing: no sentence, page text or rule uses a look-alike that the glossary rules out."""

import json
import re
from collections.abc import Iterator

import pytest

from judge.core.games import DICE_FORGE, DICE_THRONE
from judge.core.messages import LANGS
from judge.paths import TRANSLATIONS
from judge.schemas.answers import shipped_answers, shipped_notes
from judge.schemas.fixtures import page_texts, rulebook
from judge.schemas.glossary import EVENT, SUBJECTS, glossary

# The catalogues of engine sentences that speak about one game; every other one speaks about an event.
ABOUT = {
    "dice_throne": DICE_THRONE, "dice_throne_claims": DICE_THRONE, "effect_words": DICE_THRONE,
    "hero_sheet": DICE_THRONE, "terminal": DICE_THRONE, "repair": DICE_THRONE, "dice_forge": DICE_FORGE,
}  # fmt: skip
PLACE = re.compile(r"\{\w+\}")
GAME_ROOMS = ("dispute", "rulebook")  # page texts of these rooms speak about both games
# On these pages the look-alike stands for another thing.
OTHER_SENSE = {"round", "step", "starting-player", "displayed"}


def sentences(subject: str, lang: str) -> Iterator[tuple[str, str]]:
    for path in sorted((TRANSLATIONS / lang).glob("*.json")):
        if ABOUT.get(path.stem, EVENT) == subject:
            yield from ((f"{path.stem}: {key}", text) for key, text in json.loads(path.read_bytes()).items())
    if subject == EVENT:
        yield from ((f"page: {english}", text) for english, text in page_texts(lang).items())
        return
    for room in GAME_ROOMS if lang != "en" else ():
        path = TRANSLATIONS / lang / "pages" / f"{room}.json"
        yield from ((f"page: {english}", text) for english, text in json.loads(path.read_bytes()).items())
    yield from game_texts(subject, lang)


def game_texts(game: str, lang: str) -> Iterator[tuple[str, str]]:
    for rule in rulebook(game).rules.values():
        yield rule.id, rule.text[lang]
        yield from ((rule.id, reading.text[lang]) for reading in rule.readings)
    for answer in shipped_answers().values():
        if answer.proof.game == game:
            yield answer.id, f"{answer.question[lang]} {answer.says[lang]}"
    for note in shipped_notes().values():
        if note.proof.game == game:
            yield note.rule, f"{note.why[lang]} {note.mistake[lang]} {note.example[lang]}"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("subject", SUBJECTS)
def test_no_text_uses_a_word_that_the_glossary_rules_out(subject, lang):
    texts = list(sentences(subject, lang))
    used = [
        f"{word}… for {term.names[lang]}: {where}: {text}"
        for term in glossary(subject)
        for word in term.avoided.get(lang, ())
        for where, text in texts
        if re.search(rf"(?<!\w){re.escape(word)}", PLACE.sub("", text), re.IGNORECASE)
        and not (where.startswith("page") and term.id in OTHER_SENSE)
    ]

    assert used == []


NAMES = "player|who|to|victim|target|other|active|leader|owner|name|by|a|b"


def test_russian_names_stand_in_the_nominative_with_a_word_that_carries_the_case():
    bare = rf"(?<!\w)(у|от|к|для|против|с|из|за|без|о|об|при|через|про|между) \{{({NAMES})\}}"
    wrong = [
        f"{path.stem}: {key}: {text}"
        for path in sorted((TRANSLATIONS / "ru").rglob("*.json"))
        for key, text in json.loads(path.read_bytes()).items()
        if re.search(bare, text, re.IGNORECASE)
    ]

    assert wrong == []

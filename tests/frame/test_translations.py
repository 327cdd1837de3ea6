"""No page text and no engine sentence lacks its French or Russian, or a form that its language needs."""

import json
import re
import string

import pytest
from flask_babel import force_locale, ngettext

from judge.core.messages import LANGS, Message, Phrasebook
from judge.paths import TRANSLATIONS
from judge.translations.messages import extracted, faults, sentence_faults


@pytest.mark.parametrize("lang", ["fr", "ru"])
def test_every_text_is_translated_in_full(lang):
    missing = list(faults(lang, extracted()))

    assert missing == [], "run: make translations"


def test_the_texts_are_found_in_templates_and_code():
    found = {message.id for message in extracted()}

    assert {"Call the judge.", "There is nothing here"} <= found


def test_a_catalogue_is_read_again_when_its_source_changes(tmp_path):
    from judge.translations import compile_catalogues

    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "messages.po").write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n')
    (made,) = compile_catalogues(tmp_path)
    first = made.stat().st_mtime_ns
    compile_catalogues(tmp_path)

    assert made.stat().st_mtime_ns >= first
    assert made.read_bytes()[:4] in (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde")


def test_a_missing_plural_form_is_noticed(app):
    with app.test_request_context(), force_locale("ru"):
        assert ngettext("%(num)d nothing", "%(num)d nothings", 5) == "5 nothings"


def test_no_engine_sentence_is_missing_or_said_by_nothing():
    assert list(sentence_faults()) == []


SENTENCES = {
    lang: {
        key: text
        for path in sorted((TRANSLATIONS / lang).glob("*.json"))
        for key, text in json.loads(path.read_bytes()).items()
    }
    for lang in LANGS
}
FORMS = re.compile(r"\{(\w+):([^}]*)\}")


def test_every_engine_sentence_stands_in_three_languages_with_the_same_places():
    def places(text):
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    english = SENTENCES["en"]
    assert SENTENCES["fr"].keys() == SENTENCES["ru"].keys() == english.keys()
    others = [
        (lang, key)
        for lang in ("fr", "ru")
        for key in english
        if places(SENTENCES[lang][key]) - places(english[key])
    ]
    assert others == []


@pytest.mark.parametrize(("lang", "count"), [("en", 2), ("fr", 2), ("ru", 3)])
def test_every_counted_sentence_has_as_many_forms_as_its_language_needs(lang, count):
    wrong = [
        (key, forms)
        for key, text in SENTENCES[lang].items()
        for _, forms in FORMS.findall(text)
        if len(forms.split("|")) != count
    ]

    assert wrong == []


def test_russian_counts_as_russian_does():
    book = Phrasebook("ru", {"dice": "{n:# кубик|# кубика|# кубиков}"})

    said = {n: book.say(Message("dice", n=n)) for n in (0, 1, 2, 5, 11, 21, 22, 25)}
    assert said == {
        0: "0 кубиков", 1: "1 кубик", 2: "2 кубика", 5: "5 кубиков", 11: "11 кубиков", 21: "21 кубик",
        22: "22 кубика", 25: "25 кубиков",
    }  # fmt: skip

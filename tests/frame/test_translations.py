"""No page text lacks its French or Russian."""

import pytest
from flask_babel import force_locale, ngettext

from judge.translations.messages import extracted, faults


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

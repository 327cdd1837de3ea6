"""No page text and no engine sentence lacks its French or Russian, or a form that its language needs."""

import json
import re
import string

import pytest
from markupsafe import Markup

from judge.core.messages import LANGS, Phrasebook
from judge.schemas.fixtures import page_texts, sentences
from judge.translations import counted_template, template_of
from judge.translations import messages as tool
from judge.translations.messages import extracted, page_faults, places, sentence_faults
from judge.web.frame.texts import gettext, lazy_gettext, ngettext, speaking


@pytest.fixture(scope="module")
def texts():
    return extracted()


@pytest.mark.parametrize("lang", ["fr", "ru"])
def test_every_page_text_is_translated_in_full_and_used(lang, texts):
    assert list(page_faults(lang, texts)) == [], "run: make translations"


@pytest.mark.parametrize("lang", LANGS)
def test_every_engine_sentence_is_there_in_full_and_said(lang):
    assert list(sentence_faults(lang)) == []


def test_the_texts_are_found_in_templates_and_code_with_their_room(texts):
    assert texts["Call the judge."] == "frame"
    assert texts["{num:# player|# players}"] == "shared"


# -- the notation of the catalogues -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "template"),
    [
        ("%(who)s may not play %(thing)s", "{who} may not play {thing}"),
        ("%(n)d of %(count)d", "{n} of {count}"),
        ("100 %% of {this}", "100 % of {{this}}"),
    ],
)
def test_a_text_of_the_sources_is_written_like_a_sentence(written, template):
    assert template_of(written) == template


@pytest.mark.parametrize(
    ("forms", "template"),
    [
        (("%(num)d rule", "%(num)d rules"), "{num:# rule|# rules}"),
        (("player", "players"), "{num:player|players}"),
        (("%(num)d min", "%(num)d min"), "{num} min"),
        (("%(num)d of them is late.", "%(num)d of them are late."), "{num} of them {num:is|are} late."),
        (
            ("Осталось %(num)d место.", "Осталось %(num)d места.", "Осталось %(num)d мест."),
            "Осталось {num:# место|# места|# мест}.",
        ),
        (("The best event.", "The best %(num)d events."), "The best {num:event|# events}."),
        (("a b", "a %(num)d b"), "a {num:|# }b"),
        (("%(q)s: one", "%(num)d: %(q)s"), "{num:{q}: one|#: {q}}"),
    ],
)
def test_a_counted_text_is_one_template_that_says_every_form(forms, template):
    book = Phrasebook("ru" if len(forms) == 3 else "en", {})

    assert counted_template(forms) == template
    for num, form in zip((1, 3, 5), forms, strict=False):
        assert book.fill(template, {"num": num, "q": "x"}) == form % {"num": num, "q": "x"}


def test_a_new_text_is_taken_in_filled_in_and_listed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "desk.json").write_text('{"hand_full": "{n:# card|# cards} at most"}')
    for lang in ("fr", "ru"):
        (tmp_path / lang).mkdir()
    new = {"{num:# rule|# rules}": "rulebook", "Saved.": "shared"}
    monkeypatch.setattr(tool, "extracted", lambda: dict(new))
    filling = tmp_path / "filling.json"
    filling.write_text(
        json.dumps(
            {
                "%(num)d rule": {"fr": ["%(num)d règle", "%(num)d règles"]},
                "hand_full": {"fr": "{n:# carte|# cartes} au plus", "ru": "{n:# карта|# карты}"},
            }
        )
    )

    assert tool.main(str(filling)) == 1
    said = capsys.readouterr().out
    assert json.loads((tmp_path / "fr" / "pages" / "rulebook.json").read_bytes()) == {
        "{num:# rule|# rules}": "{num:# règle|# règles}"
    }
    assert "fr: not translated: 'Saved.'" in said
    assert "ru: not translated: '{num:# rule|# rules}'" in said
    assert "ru: not 3 forms: 'hand_full'" in said
    assert "fr: not translated: 'hand_full'" not in said
    assert "nothing says hand_full" in said


# -- page texts in Python code and templates ----------------------------------------------------------------


def test_python_code_speaks_the_language_it_is_told_to():
    later = lazy_gettext("Please use at most %(most)s characters.", most=5)
    with speaking("fr"):
        assert ngettext("%(num)d player", "%(num)d players", 2) == "2 joueurs"
        assert gettext("%(event)s is deleted.", event="Pif !") == "Pif ! est supprimé."
        french = str(later)
    assert str(later) == "Please use at most 5 characters."
    assert french != str(later)


def test_a_text_without_a_translation_is_said_in_english():
    with speaking("ru"):
        assert ngettext("%(num)d nothing", "%(num)d nothings", 5) == "5 nothings"


def test_templates_escape_what_they_fill_in_but_not_markup(app):
    page = app.jinja_env.from_string(
        "{{ _('Hello, %(name)s', name=name) }} {% trans name=name %}Hello, {{ name }}{% endtrans %}"
        " {% trans count=n %}{{ count }} rule{% pluralize %}{{ count }} rules{% endtrans %}"
    )
    with app.test_request_context(headers={"Accept-Language": "fr"}):
        assert page.render(name="<b>", n=2) == "Bonjour &lt;b&gt; Bonjour &lt;b&gt; 2 rules"
        assert page.render(name=Markup("<b>"), n=1) == "Bonjour <b> Bonjour <b> 1 rule"


# -- counting -----------------------------------------------------------------------------------------------

COUNTED = [
    (lang, key, template)
    for lang in LANGS
    for key, template in {**sentences(lang), **page_texts(lang)}.items()
    if "|" in template
]
ENDINGS = {0: 2, 1: 0, 2: 1, 5: 2, 11: 2, 21: 0}  # the form that Russian takes for a number


def test_russian_counts_0_1_2_5_11_and_21_in_every_counted_text():
    """Every choice by a number, filled in, shows the form that Russian grammar asks for."""
    wrong = []
    for lang, key, template in COUNTED:
        for _, name, spec, _ in string.Formatter().parse(template):
            if lang == "ru" and spec:
                forms = spec.split("|")
                alone = f"{{{name}:{spec}}}"
                values = dict.fromkeys(places(alone), "x")
                said = {n: Phrasebook("ru", {}).fill(alone, {**values, name: n}) for n in ENDINGS}
                meant = {
                    n: Phrasebook("ru", {}).fill(forms[form].replace("#", str(n)), values)
                    for n, form in ENDINGS.items()
                }
                wrong += [(key, said)] if said != meant else []

    assert len(COUNTED) > 150
    assert wrong == []


@pytest.mark.parametrize(
    ("lang", "template", "said"),
    [
        (
            "en",
            "{n:# point|# points}",
            {"1": "1 point", "1.5": "1.5 points", "–": "– points"},
        ),
        ("fr", "{n:# point|# points}", {"1": "1 point", "1,5": "1,5 point", "2,5": "2,5 points"}),
        ("ru", "{n:# очко|# очка|# очков}", {"21": "21 очко", "1,5": "1,5 очка", "5": "5 очков"}),
        ("en", "{n:event #|events #}", {(4,): "event 4", (1, 2): "events 1, 2"}),
    ],
)
def test_numbers_written_out_parts_and_lists_choose_their_form_too(lang, template, said):
    assert {n: Phrasebook(lang, {}).fill(template, {"n": n}) for n in said} == said


# -- spelling -----------------------------------------------------------------------------------------------

# Commands, addresses and parts of files are quoted as they are typed.
TYPED = re.compile(r"https?://\S*|\w+: (?:bye|Bearer)|Ana; Lyon|\{\w+:?")


def test_french_spaces_its_marks_and_bends_its_apostrophes():
    wrong = [
        text
        for text in (*sentences("fr").values(), *page_texts("fr").values())
        if re.search(
            r"'|\"|[^\s\u00a0\u202f!?(…][;!?](?!\w)|\w:(?=\s|$)|[^\u00a0\u202f]»|«[^\u00a0\u202f]",
            TYPED.sub("", text),
        )
    ]

    assert wrong == []


def test_russian_quotes_with_its_own_marks_and_puts_no_space_before_others():
    texts = (*sentences("ru").values(), *page_texts("ru").values())

    assert [text for text in texts if re.search(r"[\"“”]|\s[;:!?](?=\s|$)|«\s|\s»", text)] == []

"""From a player's question to the proven answer on a phone, in three languages, without JavaScript."""

import pytest

ASKED = {
    "en": ("Answers", "Can I use Protect against undefendable damage?"),
    "fr": ("Réponses", "Puis-je utiliser Protection contre des dégâts imparables ?"),
    "ru": ("Ответы", "Можно ли использовать «Оборону» против неблокируемого урона?"),
}


@pytest.mark.parametrize("lang", ASKED)
def test_a_question_leads_to_its_proven_answer_in_six_taps(chromium, shared_server, lang):
    answers, question = ASKED[lang]
    context = chromium.new_context(
        java_script_enabled=False, viewport={"width": 390, "height": 844}, locale=lang
    )
    page = context.new_page()
    page.goto(shared_server.url)
    taps = []

    def tap(target):
        taps.append(target)
        target.first.click()

    tap(page.get_by_role("navigation").locator("a[href='/rules']"))
    tap(page.get_by_role("link", name=answers, exact=True))
    tap(page.get_by_role("searchbox"))
    page.get_by_role("searchbox").fill(question)
    tap(page.get_by_role("search").get_by_role("button"))
    tap(page.locator(".rule-list a").filter(has_text=question))

    assert page.get_by_role("heading", level=1).inner_text() == question
    assert "6 −3 → 3" in page.locator(".the-answer").inner_text()
    assert len(taps) <= 6
    tap(page.locator("form[action$='/try'] button"))
    assert "/rule/" in page.url
    context.close()

"""The book of answers: questions players asked, each with the ruling that proves its answer."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, abort, render_template, request

from judge.printing.page import Paper
from judge.services.paper.answers_paper import print_answers
from judge.services.rulebook import answers as service
from judge.services.rulebook.pages import find_rule
from judge.services.rulebook.search import LONGEST_QUESTION
from judge.web.dispute.ruling.shown import ruling_variables
from judge.web.dispute.table.entering import begun
from judge.web.frame.links import url_for_phones
from judge.web.frame.preferences import language
from judge.web.frame.texts import lazy_gettext

answers = Blueprint("answers", __name__)

AUTHORITIES = {
    "publisher": lazy_gettext("The publisher answers"),
    "designer": lazy_gettext("A designer answers"),
    "rulebook": lazy_gettext("From a rulebook"),
    "leaflet": lazy_gettext("From the hero’s leaflet"),
    "implementation": lazy_gettext("One reading, no official answer"),
    "event": lazy_gettext("A precedent of this event"),
}


@answers.get("/answers")
def index() -> str:
    lang, words = language(), request.args.get("q", "").strip()[:LONGEST_QUESTION]
    found = service.search(words)
    return render_template(
        "rulebook/answers.html",
        words=words,
        count=len(found),
        found=[service.view(answer, lang) for answer in found] if words else [],
        subjects=[] if words else service.by_subject(found, lang),
        authorities=AUTHORITIES,
    )


@answers.get("/answers/<answer_id>")
def show(answer_id: str) -> str:
    answer = service.get_answer(answer_id)
    if answer is None:
        abort(404)
    lang = language()
    case = service.ruled(answer.proof, request.args.get("edition"))
    return render_template(
        "rulebook/answer.html",
        **ruling_variables(case.data, {lang: case.said(lang)}, case),
        shown=service.view(answer, lang),
        rules=[(rule.id, rule.text) for rule in map(partial(find_rule, lang=lang), answer.rules) if rule],
        books=answer.proof.editions,
        authorities=AUTHORITIES,
        title="",
    )


@answers.post("/answers/<answer_id>/try")
def try_it(answer_id: str) -> Response:
    """Begin a table of one's own from the answer's."""
    answer = service.get_answer(answer_id)
    if answer is None:
        abort(404)
    case = service.ruled(answer.proof, request.form.get("edition"))
    return begun({**case.data, "title": answer.question[language()]})


@answers.get("/answers.pdf")
def booklet() -> Response:
    """All answers by subject as a booklet."""
    paper: Paper = "letter" if request.args.get("paper") == "letter" else "a4"
    document = print_answers(language(), paper, url_for_phones("answers.index"))
    response = Response(document, mimetype="application/pdf")
    response.headers["Content-Disposition"] = 'inline; filename="answers.pdf"'
    return response

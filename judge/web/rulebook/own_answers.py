"""Pages of an event's own book of answers: its precedents as questions and answers, and as a file."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from judge.core.errors import InputError, Refused
from judge.schemas.answers import subjects_of
from judge.schemas.files import parse
from judge.services.dispute.kept_rulings import get_kept
from judge.services.event.catalogue import as_yaml, version_of
from judge.services.event.event_view import EventView
from judge.services.rulebook import own_answers as service
from judge.services.rulebook.answers import view
from judge.web.accounts.access import actor, needs
from judge.web.frame.forms import say, uploaded_text
from judge.web.frame.links import redirect
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext, ngettext
from judge.web.frame.transaction import roll_back, session
from judge.web.log.undo_offer import done, number_from_form

own_answers = Blueprint("own_answers", __name__, url_prefix="/e/<slug>/desk/answers")


@own_answers.get("")
@needs("see-desk")
def index(event: EventView) -> str:
    return _index(event)


def _index(event: EventView, text: str = "", faults: list[str] | None = None) -> str:
    return render_template(
        "rulebook/own_answers.html",
        event=event,
        answers=[view(answer, language()) for answer in service.answers_of(session(), event)],
        version=version_of(session(), event),
        text=text,
        faults=faults or [],
    )


@own_answers.get("/new/<key>")
@needs("decide-appeal")
def new(event: EventView, key: str) -> str:
    return _new(event, key)


def _new(event: EventView, key: str, faults: list[str] | None = None) -> str:
    kept = get_kept(session(), key)
    names = subjects_of(str(kept.table["game"]))
    return render_template(
        "rulebook/own_answer_new.html",
        event=event,
        kept=kept,
        subjects={subject: texts[language()] for subject, texts in names.items()},
        typed=request.form,
        faults=faults or [],
    )


@own_answers.post("/new/<key>")
@needs("decide-appeal")
def add(event: EventView, key: str) -> ResponseReturnValue:
    form = request.form
    subject, question, says = (form.get(field, "") for field in ("subject", "question", "says"))
    try:
        change = service.add_answer(session(), event, actor(), key, subject, question, says)
    except (InputError, Refused) as error:
        roll_back()
        return _new(event, key, _faults(error)), 422
    done(event, change, gettext("The answer is in the event’s book."))
    return redirect(url_for("own_answers.index", slug=event.slug), 303)


@own_answers.post("/remove")
@needs("decide-appeal")
def remove(event: EventView) -> Response:
    answer_id, version = request.form.get("id", ""), number_from_form("version")
    change = service.remove_answer(session(), event, actor(), answer_id, version or 0)
    done(event, change, gettext("The answer is removed."))
    return redirect(url_for("own_answers.index", slug=event.slug), 303)


@own_answers.get("/answers.yaml")
@needs("see-desk")
def export(event: EventView) -> Response:
    response = Response(as_yaml(service.file_of(session(), event)), mimetype="application/yaml")
    response.headers["Content-Disposition"] = f'attachment; filename="{event.slug}-answers.yaml"'
    return response


@own_answers.post("/file")
@needs("decide-appeal")
def read_in(event: EventView) -> ResponseReturnValue:
    text = uploaded_text(gettext("The file is not UTF-8 text."))
    try:
        change = service.read_in(session(), event, actor(), parse(text.encode()))
    except (InputError, Refused) as error:
        roll_back()
        return _index(event, text, _faults(error)), 422
    count = change.result
    done(event, change, ngettext("%(num)d answer imported.", "%(num)d answers imported.", count))
    return redirect(url_for("own_answers.index", slug=event.slug), 303)


def _faults(error: InputError | Refused) -> list[str]:
    if isinstance(error, InputError):
        return [f"{problem.path}: {say(problem.message)}" for problem in error.problems[:10]]
    return [say(reason) for reason in error.reasons]

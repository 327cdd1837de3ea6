"""The book of answers on paper."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.messages import Lang, Message, Phrasebook, Ref
from judge.printing.answers import Chapter, PrintedAnswer, answers_pdf
from judge.printing.page import Paper, Progress, Sheet
from judge.rules.answers import Answer
from judge.rules.ruling_json import RulingJson
from judge.rules.ruling_picture import equation
from judge.schemas.answers import shipped_answers, subjects
from judge.services.event.tournament_files import phrasebook
from judge.services.rulebook.answers import ruled, view


def print_answers(lang: Lang, paper: Paper = "a4", url: str = "", progress: Progress | None = None) -> bytes:
    """Every answer by subject, each with the sum its ruling comes to."""
    answers = shipped_answers().values()
    chapters = [
        Chapter(names[lang], [_printed(answer, lang) for answer in answers if answer.subject == subject])
        for subject, names in subjects().items()
    ]
    filled = [chapter for chapter in chapters if chapter.answers]
    return answers_pdf(filled, phrasebook(lang), paper, Sheet("", url=url), progress)


def _printed(answer: Answer, lang: Lang) -> PrintedAnswer:
    shown, case = view(answer, lang), ruled(answer.proof)
    book = case.phrases(lang)
    differs = [
        book.say(Message("answer_differs", book=Ref("book", edition), says=says))
        for edition, says in shown.differing.items()
    ]
    sums = list(_sums(case.said(lang), book))
    return PrintedAnswer(shown.question, shown.says, sums, differs, shown.source, ", ".join(shown.rules[:3]))


def _sums(ruling: RulingJson, book: Phrasebook) -> Iterator[str]:
    """What each player takes, as a sum, and why each action that is not allowed is not."""
    for resolution in ruling["resolutions"]:
        for who, total in resolution["totals"].items():
            line = equation(total)
            if line:
                yield f"{book.word(who)}: {line}"
    yield from (event["says"] for event in ruling["events"] if event["verdict"] == "illegal")

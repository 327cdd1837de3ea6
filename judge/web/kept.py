"""The page of a ruling: of a table that is being entered, and of one that was kept."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request, url_for

from judge.core.messages import LANGS, Lang
from judge.services import table_drafts
from judge.services.rulings import rule_table
from judge.web import rule_words
from judge.web.preferences import language
from judge.web.rule import find_draft
from judge.web.table_view import answer, lines

kept = Blueprint("kept", __name__)


@kept.get("/rule/<token>/ruling")
def live(token: str) -> str:
    draft = find_draft(token)
    table = table_drafts.table_of(draft)
    rulings = {lang: rule_table(table, lang) for lang in languages()}
    return render_template(
        "rule/ruling.html",
        **shown(table, rulings),
        draft=draft,
        token=token,
        address=url_for("rule.page", token=token),
        title=draft.title or table.get("title") or "",
    )


def languages() -> list[Lang]:
    """The reader's language, and a second one beside it if asked for."""
    second = request.args.get("second")
    return list(dict.fromkeys([language(), *(lang for lang in LANGS if lang == second)]))


def shown(table: dict[str, Any], rulings: dict[Lang, dict[str, Any]]) -> dict[str, Any]:
    """What the page of a ruling shows, in one language or two."""
    ruling = rulings[language()]
    return {
        "table": table,
        "ruling": ruling,
        "rulings": rulings,
        "lines": lines(table, ruling, language()),
        "answer": answer(ruling),
        "faults": [e for e in ruling["events"] if e["verdict"] == "illegal"],
        "game": table["game"],
        "ids": [str(p["id"]) for p in table["players"]],
        "words": rule_words,
        "second": next((lang for lang in rulings if lang != language()), None),
    }

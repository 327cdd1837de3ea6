"""Pages of the rule book, hero sheets and calculators, for everybody without an account."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Flask, Response, abort, redirect, render_template, request, url_for

from judge.core.games import DICE_THRONE, GAME_IDS, GAME_NAMES
from judge.core.json_types import JsonObject
from judge.printing.page import Paper
from judge.rules.catalog import DAMAGE_TYPES
from judge.schemas.books import newest, newest_first
from judge.schemas.glossary import EVENT, SUBJECTS
from judge.schemas.glossary import glossary as terms_of
from judge.schemas.shape import is_digits, whole
from judge.services.dispute import calculators
from judge.services.dispute.calculators import DamageQuestion
from judge.services.paper.hero_paper import print_hero
from judge.services.rulebook import answers
from judge.services.rulebook import pages as rule_pages
from judge.services.rulebook.hero_sheet import hero_sheet
from judge.services.rulebook.heroes import hero_groups, season_of
from judge.services.rulebook.search import LONGEST_QUESTION, group_of
from judge.services.rulebook.titles import rule_title
from judge.web.dispute.ruling.shown import ruling_variables
from judge.web.frame.links import url_for_phones
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.rulebook.drawings import drawings_address, has_drawing

rulebook = Blueprint("rulebook", __name__)


def init_rulebook(app: Flask) -> None:
    app.jinja_env.globals["rule_title"] = lambda rule_id, lang="": rule_title(rule_id, lang or language())
    app.jinja_env.globals["rule_address"] = lambda rule_id: url_for("rulebook.rule", rule_id=rule_id)
    app.jinja_env.globals.update(
        has_drawing=has_drawing,
        drawings_address=drawings_address,
        heroes_of=lambda game: hero_groups(game, language()),
    )


@rulebook.get("/rules")
def index() -> str:
    lang, args = language(), request.args
    words = args.get("q", "").strip()[:LONGEST_QUESTION]
    game = args.get("game", "") if args.get("game") in GAME_IDS else ""
    books = [book for name in GAME_IDS for book in rule_pages.book_names(name, lang)]
    edition = args.get("edition", "") if args.get("edition") in {b.id for b in books} else ""
    groups = [group for name in GAME_IDS for group in rule_pages.groups(name, lang)]
    group = next((g for g in groups if g.id == args.get("group")), None)
    chosen = bool(words or edition or group)
    rules = rule_pages.found_rules(words, game, edition, group.id if group else "", lang) if chosen else []
    return render_template(
        "rulebook/index.html",
        words=words,
        game=game,
        edition=edition,
        group=group,
        books=books,
        groups=groups,
        games=GAME_NAMES,
        rules=rules,
        chosen=chosen,
    )


@rulebook.get("/rules/differences")
def differences() -> str:
    lang = language()
    return render_template(
        "rulebook/differences.html",
        differences=rule_pages.differences(lang),
        books={book.id: book.name for book in rule_pages.book_names(DICE_THRONE, lang)},
    )


@rulebook.get("/rules/glossary")
def glossary() -> str:
    names = {**GAME_NAMES, EVENT: gettext("At an event")}
    return render_template(
        "rulebook/glossary.html", subjects=[(names[subject], terms_of(subject)) for subject in SUBJECTS]
    )


@rulebook.get("/rules/<rule_id>")
def rule(rule_id: str) -> Any:
    lang = language()
    entry = rule_pages.find_rule(rule_id, lang)
    if entry is None:
        abort(404)
    if entry.id != rule_id:
        return redirect(url_for("rulebook.rule", rule_id=entry.id))
    group = group_of(entry.id)
    groups = rule_pages.groups(entry.game, lang)
    before, after = rule_pages.neighbours(entry)
    return render_template(
        "rulebook/rule.html",
        rule=entry,
        game=GAME_NAMES[entry.game],
        group=next(g for g in groups if g.id == f"{entry.game}-{group}"),
        others=rule_pages.in_other_languages(entry, lang),
        before=before,
        after=after,
        books={book.id: book.name for book in rule_pages.book_names(entry.game, lang)},
        differences=[d for d in rule_pages.differences(lang) if entry.id in d.rules],
        cases=rule_pages.decided_cases(entry.id),
        answers=[answers.view(answer, lang) for answer in answers.resting_on(entry.id)],
        **_note(entry.id),
    )


def _note(rule_id: str) -> JsonObject:
    """The variables of the note on a rule, with the ruling on its example; none where there is no note."""
    note, lang = answers.find_note(rule_id), language()
    if note is None:
        return {"note": None}
    case = answers.ruled(note.proof)
    texts = {"why": note.why[lang], "mistake": note.mistake[lang], "example": note.example[lang]}
    return {"note": texts, **ruling_variables(case.data, {lang: case.said(lang)}, case)}


# -- heroes -------------------------------------------------------------------------------------------------


@rulebook.get("/heroes")
def heroes() -> str:
    return render_template("rulebook/heroes.html", groups=hero_groups(DICE_THRONE, language()))


@rulebook.get("/heroes/<hero_id>")
def hero(hero_id: str) -> str:
    lang = language()
    sheet = hero_sheet(hero_id, lang)
    if sheet is None:
        abort(404)
    season = season_of(DICE_THRONE, hero_id, lang)
    books = {book.id: book.name for book in rule_pages.book_names(DICE_THRONE, lang)}
    return render_template("rulebook/hero.html", hero=sheet, books=books, season=season)


@rulebook.get("/heroes/<hero_id>.pdf")
def hero_paper(hero_id: str) -> Response:
    """The sheet on one page, in the language of the page."""
    if hero_sheet(hero_id, language()) is None:
        abort(404)
    paper: Paper = "letter" if request.args.get("paper") == "letter" else "a4"
    url = url_for_phones("rulebook.hero", hero_id=hero_id)
    response = Response(print_hero(hero_id, language(), paper, url), mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{hero_id}.pdf"'
    return response


# -- calculators --------------------------------------------------------------------------------------------


@rulebook.get("/tools")
def tools() -> str:
    return render_template("rulebook/tools.html", tool="", **_choices())


@rulebook.get("/tools/damage")
def damage() -> str:
    question = _damage_question()
    ruling = None
    if question is not None and not _not_numbers():
        ruling = calculators.damage(question, (gettext("Attacker"), gettext("Defender")), language())
    return render_template("rulebook/tools.html", tool="damage", asked=question, ruling=ruling, **_choices())


def _damage_question() -> DamageQuestion | None:
    incoming = _number("incoming", 0, calculators.MOST)
    if incoming is None:
        return None
    return DamageQuestion(
        incoming,
        _one_of("edition", [book.id for book in newest_first(DICE_THRONE)]),
        _one_of("type", DAMAGE_TYPES),
        _numbers("adds"),
        _numbers("prevents"),
        _number("halves", 0, 5) or 0,
        _number("returns", 0, 5) or 0,
    )


@rulebook.get("/tools/dice")
def dice() -> str:
    hero_id = request.args.get("hero", "")
    rolled = [int(word) for word in request.args.getlist("die") if word in "123456" and word][:5]
    if not rolled:
        rolled = [int(c) for c in request.args.get("dice", "") if c in "123456"][:5]
    activations = calculators.find_activations(hero_id, rolled, language()) if len(rolled) == 5 else []
    sheet = hero_sheet(hero_id, language()) if hero_id else None
    return render_template(
        "rulebook/tools.html", tool="dice", rolled=rolled, sheet=sheet, activations=activations,
        hero_id=hero_id, **_choices(),
    )  # fmt: skip


@rulebook.get("/tools/target")
def target() -> str:
    mode = _one_of("mode", tuple(calculators.SEATS))
    die = _number("die", 1, 6)
    targets = calculators.targets(mode, die, language()) if die else None
    return render_template(
        "rulebook/tools.html", tool="target", mode=mode, die=die, targets=targets, **_choices()
    )


@rulebook.get("/tools/upgrade")
def upgrade() -> str:
    level, in_play = _number("level", 2, 3), _number("in_play", 1, 2) or 1
    cost, cost_in_play = _number("cost", 0, 15), _number("cost_in_play", 0, 15) or 0
    cp = _number("cp", 0, 15)
    answer = None
    if level is not None and cost is not None and not _not_numbers():
        cp = 15 if cp is None else cp
        answer = calculators.upgrade_cost(in_play, cost_in_play, level, cost, cp, language())
    return render_template("rulebook/tools.html", tool="upgrade", answer=answer, **_choices())


def _choices() -> JsonObject:
    lang = language()
    return {
        "groups": hero_groups(DICE_THRONE, lang),
        "editions": rule_pages.book_names(DICE_THRONE, lang),
        "newest": newest(DICE_THRONE).id,
        "types": DAMAGE_TYPES,
        "given": request.args,
        "not_numbers": _not_numbers(),
    }


NUMBERS = ("incoming", "halves", "returns", "level", "in_play", "cost", "cost_in_play", "cp")
LISTS = ("adds", "prevents")  # of numbers


def _not_numbers() -> list[str]:
    """What was typed where a number belongs and is none."""
    words = [request.args.get(name, "").strip() for name in NUMBERS]
    words += [word for name in LISTS for word in _words(name)]
    return [word[:40] for word in words if word and not is_digits(word)]


def _words(name: str) -> list[str]:
    """ "5 3", "5, 3" or "5 + 3" -> 5 and 3."""
    return request.args.get(name, "").replace(",", " ").replace("+", " ").split()


def _number(name: str, low: int, high: int) -> int | None:
    """A number of the form within its range; None if it is missing."""
    value = request.args.get(name, type=whole)
    return None if value is None else min(max(value, low), high)


def _numbers(name: str) -> Sequence[int]:
    return [min(int(word), calculators.MOST) for word in _words(name) if is_digits(word)][:12]


def _one_of(name: str, words: Sequence[str]) -> str:
    """The chosen word; without a valid choice the first."""
    value = request.args.get(name, "")
    return value if value in words else words[0]

"""Files and papers of an event: export and import of the tournament file, lists for spreadsheets, everything
that is printed. Pairings, standings and bracket are public; slips, kit and ZIP are for the desk.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from judge.config import address_for_phones
from judge.core.errors import InputError, fail
from judge.schemas.files import MAX_BYTES
from judge.schemas.shape import whole
from judge.services.event.event_rows import read_rows
from judge.services.event.event_view import EventView
from judge.services.event.files import LISTS, export_file, export_list
from judge.services.event.importing import import_file
from judge.services.event.stage_format import kind_of
from judge.services.event.tournament_files import phrasebook
from judge.services.event.tournament_of import stages_begun
from judge.services.paper.documents import TOURNAMENT_PAPERS, PrintOptions, TournamentPaper
from judge.services.paper.event_papers import print_event
from judge.web.accounts.access import current_account, find_event, needs, signed_in
from judge.web.frame.links import url_for_phones
from judge.web.frame.preferences import LANGUAGES, language, short_moment
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import roll_back, session
from judge.web.public.page_cache import NOT_INDEXED
from judge.web.public.private_links import Linked, table_link

files = Blueprint("files", __name__)


@files.get("/e/<slug>/desk/files")
@needs("print")
def index(event: EventView) -> str:
    begun = stages_begun(read_rows(session(), event))
    has_bracket = any(kind_of(event, stage).has_drawing for stage in range(1, begun + 1))
    return render_template("event/files.html", event=event, has_bracket=has_bracket, stages=begun)


@files.get("/e/<slug>/desk/print")
@needs("print")
def printing(event: EventView) -> ResponseReturnValue:
    return redirect(url_for("files.index", slug=event.slug))


@files.get("/e/<slug>/desk/files/tournament.<form>")
@needs("export")
def tournament(event: EventView, form: str) -> Response:
    if form not in ("yaml", "json"):
        abort(404)
    stage = request.args.get("stage", type=whole)
    if stage is not None and not 1 <= stage <= stages_begun(read_rows(session(), event)):
        abort(404)
    text = export_file(session(), event, form, stage)
    return _download(
        text, f"{event.slug}.{form}", "application/json" if form == "json" else "application/yaml"
    )


@files.get("/e/<slug>/desk/files/<what>.csv")
@needs("export")
def spreadsheet(event: EventView, what: str) -> Response:
    if what not in LISTS:
        abort(404)
    text = "\ufeff" + export_list(session(), event, what)  # the mark tells spreadsheets that it is UTF-8
    return _download(text, f"{event.slug}-{what}.csv", "text/csv")


def _download(text: str, name: str, kind: str) -> Response:
    response = Response(text, content_type=f"{kind}; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@files.route("/events/import", methods=["GET", "POST"])
@signed_in
def take_in() -> ResponseReturnValue:
    account = current_account()
    if account is None or not account.may_create:
        abort(403)
    if request.method == "GET":
        return render_template("event/import.html", problems=[])
    try:
        event = import_file(session(), account, _sent(), datetime.now(UTC)).result
    except InputError as error:
        roll_back()
        book = phrasebook(language())
        problems = [{"path": p.path, "says": book.say(p.message)} for p in error.problems]
        text = request.form.get("text", "")
        return render_template("event/import.html", problems=problems, text=text), 422
    flash(gettext("“%(name)s” has been read in.", name=event.name), "good")
    return redirect(url_for("desk.dashboard", slug=event.slug))


def _sent() -> bytes:
    """The uploaded file, or the pasted text."""
    upload = request.files.get("file")
    data = upload.stream.read(MAX_BYTES + 1) if upload and upload.filename else b""
    data = data or request.form.get("text", "").encode()
    if not data.strip():
        raise fail("", "file_empty")
    return data


# -- papers -------------------------------------------------------------------------------------------------


@files.get("/e/<slug>/<kind>.pdf")
def public_paper(slug: str, kind: str) -> Response:
    paper = TOURNAMENT_PAPERS.get(kind)
    if paper is None or not paper.is_public:
        abort(404)
    return _paper(find_event(slug), kind, paper)


@files.get("/e/<slug>/desk/<kind>.pdf")
@needs("print")
def desk_paper(event: EventView, kind: str) -> Response:
    paper = TOURNAMENT_PAPERS.get(kind)
    if paper is None or paper.is_public or paper.ending != "pdf":
        abort(404)
    return _paper(event, kind, paper)


@files.get("/e/<slug>/desk/round.zip")
@needs("print")
def round_papers(event: EventView) -> Response:
    return _paper(event, "round", TOURNAMENT_PAPERS["round"])


def _paper(event: EventView, kind: str, paper: TournamentPaper) -> Response:
    options = _options(event)
    data = print_event(session(), event, kind, options, _table_address, is_public=paper.is_public)
    is_zip = paper.ending == "zip"
    response = Response(data, mimetype="application/zip" if is_zip else "application/pdf")
    name = f"{event.slug}-{paper.file_name}.{paper.ending}"
    response.headers["Content-Disposition"] = f'{"attachment" if is_zip else "inline"}; filename="{name}"'
    response.headers["X-Robots-Tag"] = NOT_INDEXED
    return response


def _table_address(match: Linked) -> str:
    """A table's address in a QR code on paper; none without a network."""
    return address_for_phones(table_link(match)) or ""


def _options(event: EventView) -> PrintOptions:
    args = request.args
    per_page = args.get("per_page", 4, type=whole)
    asked = args.get("language", "")
    lang = asked if asked in LANGUAGES else language()
    return PrintOptions(
        lang=cast(Any, lang),
        paper="letter" if args.get("paper") == "letter" else "a4",
        per_page=cast(Any, per_page if per_page in (2, 4, 6, 8) else 4),
        by="name" if args.get("by") == "name" else "table",
        url=url_for_phones("public.overview", slug=event.slug),
        printed_at=short_moment(datetime.now().astimezone(), lang),
        number=str(event.version),
        round=args.get("round", type=whole),
        blank=min(args.get("blank", 0, type=whole), 200),
    )

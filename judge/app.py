"""create_app builds the Flask app: the only place where the parts are joined."""

from __future__ import annotations

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from judge import __version__
from judge.config import Settings, load_settings
from judge.core.games import DICE_FORGE, DICE_THRONE, GAME_NAMES
from judge.paths import STATIC, TEMPLATES
from judge.storage.database import Database
from judge.web.accounts.access import init_access
from judge.web.accounts.accounts import accounts
from judge.web.accounts.codes import codes
from judge.web.accounts.passkeys import passkeys
from judge.web.api import api
from judge.web.boxes.pages import boxes
from judge.web.connect.data import data
from judge.web.connect.pages import connect
from judge.web.dispute.first import first
from judge.web.dispute.game import game
from judge.web.dispute.ruling.kept_rulings import rulings
from judge.web.dispute.ruling.ruling_page import kept
from judge.web.dispute.ruling.shown import shown
from judge.web.dispute.table.entering import rule
from judge.web.event.announcements import announcements
from judge.web.event.catalogue import catalogue
from judge.web.event.events import events
from judge.web.event.files import files
from judge.web.event.staff import staff
from judge.web.figures.pages import figures
from judge.web.frame.bounds import init_bounds
from judge.web.frame.errors import init_errors
from judge.web.frame.health import health
from judge.web.frame.links import init_links
from judge.web.frame.navigation import init_navigation
from judge.web.frame.preferences import init_preferences
from judge.web.frame.request_log import init_log
from judge.web.frame.security import csrf, init_security
from judge.web.frame.start import pages
from judge.web.frame.tabs import init_tabs
from judge.web.frame.texts import init_texts
from judge.web.frame.transaction import init_transactions
from judge.web.frame.work import init_work
from judge.web.log.pages import log
from judge.web.log.undo_offer import init_words
from judge.web.pairing.rounds import rounds
from judge.web.phone.pages import phone
from judge.web.play.bans_and_picks import selections
from judge.web.play.calls import calls
from judge.web.play.clock import clock
from judge.web.play.dashboard import desk
from judge.web.play.penalties import penalties
from judge.web.play.reports import reporting
from judge.web.play.results import results
from judge.web.players.players import players
from judge.web.players.registration import registration
from judge.web.public.archive import archive
from judge.web.public.pages import init_public, public
from judge.web.public.private_links import init_private_links
from judge.web.public.screen import screen
from judge.web.rulebook.answers import answers
from judge.web.rulebook.drawings import drawn
from judge.web.rulebook.own_answers import own_answers
from judge.web.rulebook.pages import init_rulebook, rulebook
from judge.web.season.pages import season

BLUEPRINTS = (
    health,
    pages,
    accounts,
    passkeys,
    codes,
    events,
    staff,
    players,
    registration,
    desk,
    public,
    rounds,
    results,
    selections,
    reporting,
    phone,
    season,
    figures,
    data,
    connect,
    boxes,
    log,
    screen,
    archive,
    clock,
    files,
    calls,
    api,
    rulebook,
    answers,
    own_answers,
    drawn,
    rule,
    kept,
    shown,
    first,
    rulings,
    penalties,
    catalogue,
    announcements,
    game,
)


def create_app(config: Settings | None = None) -> Flask:
    """Build the app with these settings, or with those of the environment."""
    settings = config or load_settings()
    app = Flask("judge", template_folder=str(TEMPLATES), static_folder=str(STATIC))
    app.secret_key = settings.secret_key
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.jinja_env.globals.update(
        product_version=__version__, DICE_THRONE=DICE_THRONE, DICE_FORGE=DICE_FORGE, GAME_NAMES=GAME_NAMES
    )
    # After a request these run in reverse order: the transaction ends first, the log line comes last.
    init_log(app)
    init_security(app, settings)
    init_bounds(app)
    init_preferences(app)
    init_texts(app)
    init_links(app, settings)
    init_navigation(app)
    init_tabs(app)
    init_words(app)
    init_access(app)
    init_private_links(app)
    init_public(app)
    init_rulebook(app)
    init_errors(app)
    init_work(app, settings)
    init_transactions(app, Database(settings.database_url, settings.busy_seconds))
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.config["JUDGE_API_RATE"] = settings.api_rate
    app.config["JUDGE_BACKUPS"] = settings.backups
    app.config["JUDGE_PRIVATE_WEBHOOKS"] = settings.private_webhooks
    csrf.exempt(data)  # nor does this one: a token is sent with each request
    csrf.exempt(api)  # the API reads no cookies, so there is no request to forge
    if settings.proxies:
        n = settings.proxies
        # No prefix: the app has no path of its own, and a visitor's header would end up in everybody's pages.
        proxied = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n, x_prefix=0)
        app.wsgi_app = proxied  # type: ignore[method-assign]  # the way Flask's manual wraps an app
    return app

"""Who may open what: every route, as nobody, with a player's link, as a stranger with an account, and in
every role. A route behind `@needs(action)` follows the table of roles; one behind `@signed_in` needs an
account; every other one has to stand in PUBLIC below, so that nothing becomes public by being forgotten.
"""

import re

import pytest

from judge.services.accounts.accounts import make_token
from judge.services.accounts.roles import LEAST_ROLE, ROLES, may
from judge.web.event.staff import ACTIONS
from tests.builders import make_event, make_players, make_round, make_staff

RULE_BOOK = [
    "index", "differences", "glossary", "rule", "heroes", "hero", "hero_paper",
    "tools", "damage", "dice", "target", "upgrade",
]  # fmt: skip

# Open to everybody, with why. Add a page here only if a stranger may see it.
PUBLIC = {
    "static": "styles and scripts",
    "health.healthz": "for machines that watch",
    "health.readyz": "for machines that watch",
    "pages.start": "the start page",
    "accounts.sign_in": "the way in",
    "accounts.sign_out": "harmless, and protected against forgery",
    "accounts.join": "the link is the key",
    "codes.sign_in": "the second step of the way in, after the password",
    "passkeys.sign_in": "the way in by a passkey",
    "passkeys.sign_in_options": "what a browser needs for it",
    "registration.register": "whoever has the link may ask to play",
    "registration.done": "the link is the key",
    "reporting.table": "the table's code is the key",
    "reporting.mine": "the player's link is the key",
    "calls.mine": "the player's link is the key",
    **{
        f"phone.{page}": "the player's link is the key"
        for page in ("check_in", "leave", "declare", "heroes", "what_i_need")
    },
    "calls.table": "the table's code is the key",
    **{f"rulebook.{page}": "the rule book" for page in RULE_BOOK},
    "drawn.every_drawing": "drawings, like styles",
    "public.robots": "for search engines",
    "public.overview": "pairings",
    "public.clock": "the clock",
    "public.about": "place and schedule",
    "public.standings": "standings",
    "public.player": "a player's results, as in the standings",
    "public.bracket": "the bracket",
    "public.me": "the link is the key",
    "screen.show": "the big screen",
    **{
        f"figures.{page}": "counts over results that are public"
        for page in ("of_event", "of_season", "event_csv", "season_csv")
    },
    **{
        f"data.{name}": "public data of an event"
        for name in ("event", "pairings", "standings", "bracket", "clock", "ical")
    },
    "data.embed_standings": "public, for a frame on another site",
    "data.embed_bracket": "public, for a frame on another site",
    "data.players": "the event's token is the key; 401 without it",
    "data.result": "the event's token is the key; 401 without it",
    "season.show": "the table of a season",
    "season.as_file": "the same on paper and as a file",
    "files.public_paper": "what hangs on the wall anyway",
    "api.rule": "stateless: a file in, an answer out",
    "api.compare": "stateless",
    "api.repair": "stateless",
    "api.standings": "stateless",
    "api.pairings": "stateless",
    "api.bracket": "stateless",
    "api.outlook": "stateless",
    "api.season": "stateless: the events stand in the file",
    "answers.index": "answers to rules questions",
    "answers.show": "one of them",
    "answers.booklet": "all of them on paper",
    "answers.try_it": "the table of an answer, ruled",
    "api.answers": "answers to rules questions",
    "rulebook.glossary": "words in three languages",
    "health.counters": "from this machine, or for staff",
    "api.rules": "the rule book",
    "api.one_rule": "the rule book",
    "api.heroes": "the hero sheets",
    "api.one_hero": "the hero sheets",
    "api.openapi": "the description of the API",
    "api.manual": "the description of the API",
    "game.page": "the table's link is the key",
    "first.page": "a question needs no account",
    "rulings.mine": "those kept in this browser need no account",
    "rule.worker": "a file of the browser",
    "rule.offline": "says that there is no network",
    "rule.start": "a ruling needs no account",
    "rule.begin": "a ruling needs no account",
    "rule.open_file": "a ruling needs no account",
    "rule.page": "the table's link is the key",
    "rule.find": "the table's link is the key",
    "rule.change": "the table's link is the key",
    "rule.table_yaml": "the table's link is the key",
    "rule.table_json": "the table's link is the key",
    "kept.live": "the table's link is the key",
    "kept.similar": "the table's link is the key; shows nothing to whoever is not signed in",
    "kept.live_sheet": "the table's link is the key",
    "kept.keep": "the table's link is the key; of an event's table the route checks the role",
    "shown.page": "the signed link is the key; it only shows",
    "kept.show": "a kept ruling is public by its link",
    "kept.table_yaml": "a kept ruling is public by its link",
    "kept.sheet": "a kept ruling is public by its link",
    "kept.enter_again": "a kept ruling is public by its link",
}
WHO = ("nobody", "player", "stranger", *ROLES)
METHODS = ("GET", "POST")


@pytest.fixture
def world(app, sign_in):
    """An event with staff, players and a round; a client for each kind of visitor."""
    app.config["WTF_CSRF_ENABLED"] = False  # what a forged form meets is tested in test_forms.py
    with app.extensions["judge.database"].transaction() as session:
        event = make_event(session)
        ana, ben = make_players(session, event, 2)
        make_round(session, event, [(ana, ben)])
        people = {role: make_staff(session, event, role) for role in ROLES}
        people["stranger"] = make_staff(session, None, "stranger", "stranger")
        clients = {"nobody": app.test_client(), "player": app.test_client()}
        for who, account in people.items():
            clients[who] = sign_in(app.test_client(), account)
        slug = event.slug
    return slug, clients


def routes(app):
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        for method in METHODS:
            if method in rule.methods:
                yield rule, method


def kind_of(app, rule):
    """What guards a route: an action, "signed-in", "public", or None if nobody has said."""
    needs = getattr(app.view_functions[rule.endpoint], "needs", None)
    if needs is None and rule.endpoint in PUBLIC:
        return "public"
    return needs


def address(app, rule, slug):
    values = {"slug": slug, "token": make_token(str(app.secret_key), "player", 1, 1), "filename": "judge.css"}
    with app.test_request_context():
        built = {name: values.get(name, 1) for name in rule.arguments}
        return app.url_map.bind("localhost").build(rule.endpoint, built)


def test_every_route_says_who_may_open_it(app):
    unsaid = {rule.endpoint for rule, _ in routes(app) if kind_of(app, rule) is None}

    assert not unsaid, "guard these with @needs or @signed_in, or list them in PUBLIC"


def test_every_guard_is_an_action_of_the_table_and_has_words(app):
    guards = {kind_of(app, rule) for rule, _ in routes(app)} - {"public", "signed-in", None}

    assert guards <= set(LEAST_ROLE)
    assert set(ACTIONS) == set(LEAST_ROLE), "the staff page says every right in words"


@pytest.mark.parametrize("who", WHO)
def test_every_route_answers_this_visitor_as_the_table_says(app, world, who):
    slug, clients = world
    wrong = []
    for rule, method in routes(app):
        if rule.endpoint in ("accounts.sign_out", "accounts.end_all_browsers", "codes.sign_in"):
            continue  # would sign this client out, or begins with the password; each has tests of its own
        answer = clients[who].open(address(app, rule, slug), method=method)
        answer.close()
        if not is_as_expected(kind_of(app, rule), who, answer):
            wrong.append(f"{method} {rule.rule}: {answer.status_code}")

    assert not wrong


def is_as_expected(kind, who, answer):
    to_sign_in = answer.status_code == 302 and answer.headers["Location"].startswith("/sign-in")
    if answer.status_code >= 500:
        return False
    if kind == "public":
        return answer.status_code != 403 and not to_sign_in
    if who in ("nobody", "player"):
        return to_sign_in
    if kind == "signed-in":
        return not to_sign_in
    if not may(who if who in ROLES else None, kind):
        return answer.status_code == 403
    return answer.status_code != 403 and not to_sign_in


# What a form has to bring along before its number is looked up.
FILLED = {"version": 1, "role": "judge", "one": 1, "other": 2, "do": "extend", "minutes": 3}


def test_an_address_with_an_unknown_number_is_not_found(app, world):
    slug, clients = world
    wrong = []
    for rule, method in routes(app):
        numbers = re.findall(r"<int:(\w+)>", rule.rule)
        if not numbers:
            continue
        values = {"slug": slug, **dict.fromkeys(numbers, 987654)}
        path = app.url_map.bind("localhost").build(rule.endpoint, values)
        answer = clients["organiser"].open(path, method=method, data=FILLED if method == "POST" else None)
        if answer.status_code != 404:
            wrong.append(f"{method} {rule.rule}: {answer.status_code}")

    assert not wrong

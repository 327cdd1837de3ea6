"""Hostile values by name, and a fuzz of every form: what anybody could send on purpose.

The quick suite sends a few hundred requests; tests/deep/attack sends twenty thousand to each database.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from werkzeug.datastructures import MultiDict

from judge.services.accounts.accounts import make_token

VALUES: dict[str, str] = {
    "empty": "", "spaces": "   ", "zero": "0", "one": "1", "negative": "-1", "digits": "9" * 20,
    "many-digits": "9" * 5000, "beyond-integer": "2147483648", "beyond-bigint": "9223372036854775808",
    "superscript": "²", "full-width": "５", "arabic": "٣", "roman": "Ⅷ", "two-signs": "--5", "plus": "+5",
    "underscore": "1_000", "hex": "0x10", "exponent": "1e9", "huge-exponent": "1e10000000", "decimal": "0.1",
    "infinity": "inf", "nan": "nan", "fraction": "1/3", "by-zero": "1/0", "nul": "a\0b", "escape": "\x1b[2J",
    "line-break": "a\r\nb", "markup": "<script>alert(1)</script>", "quote": "'; DROP TABLE event; --",
    "format": "%s%n{0}{x}", "percent": "%(name)s", "template": "{{ 7*7 }}", "sharp-s": "ß" * 80,
    "long": "x" * 100_000, "emoji": "🎲" * 200, "combining": "e\u0301" * 300, "right-to-left": "\u202etxt",
    "replacement": "\ufffd\ufffe", "slashes": "../../../etc/passwd", "address": "//evil.example",
    "json": '{"a": [1, {"b": null}]}', "deep-json": "[" * 300 + "]" * 300, "yaml": "a: &x [*x]",
    "bomb": "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]", "date": "2026-02-30", "time": "25:61",
    "csv": 'name,seed\n"a,1', "formula": "=1+1", "colons": "a:b:c", "no-such-end": "a:nothing",
    "pod-end": "pod:" + "x" * 99,
}  # fmt: skip
NAMES = re.compile(
    r"(?:form|values|args)(?:\.get|\.getlist)?[(\[]\"([a-z_0-9-]+)\"|^    ([a-z_]+) = [A-Z]\w+Field\("
)
AWAY = ("accounts.sign_out", "accounts.end_all_browsers")
# Of addresses after which the others find nothing.
ENDS = ("/sign-out", "/sessions/end", "/delete", "/demo/remove")
FINE = {200, 201, 204, 302, 303, 304, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429}


def field_names() -> list[str]:
    """Every name that some form of the product reads."""
    names = set()
    for path in (Path(__file__).parents[1] / "judge" / "web").rglob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            names |= {a or b for a, b in NAMES.findall(line)}
    return sorted(names)


def addresses(app: Any, known: dict[str, Any]) -> list[tuple[str, str]]:
    """Every route that takes a form, with values that exist."""
    bound, result = app.url_map.bind("localhost"), []
    for rule in app.url_map.iter_rules():
        if "POST" in rule.methods and rule.endpoint not in AWAY:
            for token in known["tokens"] if "token" in rule.arguments else [""]:
                values = {name: known.get(name, token if name == "token" else 1) for name in rule.arguments}
                result.append((rule.endpoint, bound.build(rule.endpoint, values)))
    return result


class FormReader(HTMLParser):
    """The forms of a page as a browser would send them unchanged: (address, [(name, value)])."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, list[tuple[str, str]]]] = []
        self.is_open = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.is_open = has.get("method", "").lower() == "post"
            if self.is_open:
                self.forms.append((has.get("action", ""), []))
        elif self.is_open and has.get("name") and has["name"] != "csrf_token":
            if tag in ("input", "textarea", "select", "button"):
                self.forms[-1][1].append((has["name"], has.get("value", "")))
        elif self.is_open and tag == "option" and "selected" in has and self.forms[-1][1]:
            self.forms[-1][1][-1] = (self.forms[-1][1][-1][0], has.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        self.is_open = self.is_open and tag != "form"


Form = tuple[str, list[tuple[str, str]]]  # an address and its fields


def forms_of(client: Any, page: str) -> list[Form]:
    """The forms of a page, without those after which the others find nothing."""
    answer = client.get(page)
    assert answer.status_code < 500, page
    reader = FormReader()
    if answer.mimetype == "text/html" and answer.status_code == 200:
        reader.feed(answer.text)
    answer.close()
    return [(to or page, fields) for to, fields in reader.forms if not (to or page).endswith(ENDS)]


def forms_of_pages(app: Any, client: Any, known: dict[str, Any]) -> list[Form]:
    """Every form of every page that this visitor can open, with what its fields hold."""
    bound, forms = app.url_map.bind("localhost"), []
    for rule in app.url_map.iter_rules():
        if "GET" in rule.methods and rule.endpoint not in ("static", *AWAY):
            for token in known["tokens"] if "token" in rule.arguments else [""]:
                values = {name: known.get(name, token if name == "token" else 1) for name in rule.arguments}
                forms += forms_of(client, bound.build(rule.endpoint, values))
    return forms


def one_of_each(forms: list[Form]) -> list[Form]:
    return list({(address, tuple(name for name, _ in fields)): (address, fields)
                 for address, fields in forms}.values())  # fmt: skip


def bent_form(fields: list[tuple[str, str]], lots: random.Random) -> list[tuple[str, str]]:
    """The fields with none to three of them replaced, now and then one of them many times."""
    sent, values = list(fields), list(VALUES.values())
    for _ in range(lots.randint(0, 3) if sent else 0):
        at = lots.randrange(len(sent))
        sent[at] = (sent[at][0], lots.choice(values))
    if sent and lots.random() < 0.1:
        sent += [lots.choice(sent)] * lots.choice((1, 50))
    return sent


def fuzz_real_forms(
    app: Any, clients: list[Any], known: dict[str, Any], count: int, seed: int
) -> tuple[Counter[int], set[str]]:
    """Send this many forms as the pages hold them, some fields bent, and go where the answers lead.

    Returns the statuses and the routes that were reached."""
    lots, statuses, reached, wrong = random.Random(seed), Counter[int](), set(), []
    bound, forms = app.url_map.bind("localhost"), []
    for n in range(count):
        client = clients[n % 7 == 0]  # mostly the organiser
        if n % 2000 == 0:
            forms = one_of_each(forms_of_pages(app, clients[0], known))
        address, fields = lots.choice(forms)
        sent = bent_form(fields, lots)
        answer = client.post(address, data=MultiDict(sent), headers={"Referer": "http://localhost/events"})
        answer.close()
        statuses[answer.status_code] += 1
        if answer.status_code not in FINE:
            wrong.append((answer.status_code, address, [(name, value[:60]) for name, value in sent]))
        if bound.test(address.split("?")[0], method="POST"):  # one bent slug leads nowhere
            reached.add(bound.match(address.split("?")[0], method="POST")[0])
        if answer.status_code == 302 and answer.location.startswith("/") and lots.random() < 0.3:
            forms = one_of_each(forms + forms_of(clients[0], answer.location))[-600:]
    assert not wrong, wrong[:20]
    return statuses, reached


def fuzz_forms(app: Any, clients: list[Any], known: dict[str, Any], count: int, seed: int) -> Counter[int]:
    """Send this many forms; fails on the first answer that nobody should get."""
    lots, names, routes = random.Random(seed), field_names(), addresses(app, known)
    statuses: Counter[int] = Counter()
    kinds = list(VALUES)
    for n in range(count):
        endpoint, address = routes[n % len(routes)]
        form = {lots.choice(names): VALUES[lots.choice(kinds)] for _ in range(lots.randint(1, 8))}
        if lots.random() < 0.5:
            form |= {"version": "1", "name": "Ana", "result": lots.choice(("a", "b", "draw"))}
        client = lots.choice(clients)
        if endpoint.startswith("api."):
            answer = client.post(address, data=lots.choice(list(VALUES.values())).encode("utf-8", "replace"))
        else:
            answer = client.post(address, data=form)
        answer.close()
        statuses[answer.status_code] += 1
        shown = {name: value[:60] for name, value in form.items()}
        assert answer.status_code in FINE, (answer.status_code, address, shown)
    return statuses


def tokens(app: Any, player: Any, match: Any) -> list[str]:
    secret = str(app.secret_key)
    return [
        make_token(secret, "player", player.id, player.link),
        make_token(secret, "table", match.id, match.link),
        "forged",
    ]

"""Puts a refusal on the page it came from: the sentence on top, and everything typed back in its form.

The page is drawn anew, so hidden values (a row's version) are those of now: whoever reads what changed and
still wants it, sends it again. `refilled` only rewrites HTML; `errors` decides when.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from werkzeug.datastructures import MultiDict

FRESH = ("csrf_token", "version", "seen")  # hidden values that the page itself knows better
HANDLES = (*FRESH, "next", "step", "sure", "entry")  # values of a form that nobody types
TICKED = ("checkbox", "radio")
NOT_TYPED = ("hidden", "submit", "button", "image", "reset", "file", "password")
Attributes = dict[str, str | None]


def refilled(
    page: str,
    address: str,
    action: str,
    sent: MultiDict[str, str],
    notice: Callable[[list[str] | None], str],
    method: str = "POST",
) -> str:
    """The page at this address with the notice, and the form that was sent to `action` as it was sent. If the
    page has that form no longer, the notice is given what was typed, to be shown there."""
    finder = _Finder(address, action, sent, method)
    finder.feed(page)
    filler = _Filler(
        finder.chosen, finder.folds, sent, notice(_typed(sent) if finder.chosen is None else None)
    )
    filler.feed(page)
    filler.close()
    return "".join(filler.out)


def _typed(sent: MultiDict[str, str]) -> list[str]:
    return [value for name, value in sent.items(multi=True) if name not in HANDLES and value.strip()]


class _Finder(HTMLParser):
    """Which form of the page was sent (its number from 0), and the folded parts around it."""

    def __init__(self, address: str, action: str, sent: MultiDict[str, str], method: str) -> None:
        super().__init__(convert_charrefs=True)
        self.address, self.action, self.sent, self.method = address, action, sent, method.lower()
        self.count, self.details, self.around = -1, -1, list[int]()
        self.current: int | None = None
        self.is_open = False
        self.best = -1
        self.score = 0
        self.chosen: int | None = None
        self.folds: tuple[int, ...] = ()
        self._folds: tuple[int, ...] = ()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "details":
            self.details += 1
            self.around.append(self.details)
        elif tag == "form":
            self.count += 1
            target = urlsplit(urljoin(self.address, attributes.get("action") or self.address)).path
            is_same = (attributes.get("method") or "get").lower() == self.method
            self.current = self.count if is_same and target == urlsplit(self.action).path else None
            self.score, self._folds = 1, tuple(self.around)
        elif tag == "input" and self.current is not None and (attributes.get("type") or "") == "hidden":
            self._weigh(attributes)

    def _weigh(self, attributes: Attributes) -> None:
        """Of several forms with one address, the one whose hidden values were sent."""
        name = attributes.get("name") or ""
        if name not in FRESH:
            self.score += 1 if self.sent.get(name) == (attributes.get("value") or "") else -100

    def handle_endtag(self, tag: str) -> None:
        if tag == "details" and self.around:
            self.around.pop()
        elif tag == "form" and self.current is not None:
            if self.score > self.best:
                self.best, self.chosen, self.folds = self.score, self.current, self._folds
            self.current = None


class _Filler(HTMLParser):
    """Writes the page again, with the values in the chosen form."""

    def __init__(
        self, chosen: int | None, folds: tuple[int, ...], sent: MultiDict[str, str], notice: str
    ) -> None:
        super().__init__(convert_charrefs=False)
        self.chosen, self.folds, self.sent, self.notice = chosen, folds, sent, notice
        self.out: list[str] = []
        self.count, self.details = -1, -1
        self.is_inside, self.is_skipping = False, False
        self.select: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raw, attributes = self.get_starttag_text() or "", dict(attrs)
        if tag == "details":
            self.details += 1
            if self.details in self.folds and "open" not in attributes:
                raw = raw.replace("<details", "<details open", 1)
        elif tag == "form":
            self.count += 1
            self.is_inside = self.count == self.chosen
        elif self.is_inside and attributes.get("name") not in (None, *FRESH):
            raw = self._filled(tag, raw, attributes)
        elif self.is_inside and tag == "option" and self.select in self.sent:
            attributes.pop("selected", None)
            value = attributes.get("value")
            chosen = value is not None and value in self.sent.getlist(self.select or "")
            raw = _tag(tag, {**attributes, **({"selected": None} if chosen else {})})
        self.out.append(raw)
        if tag == "main":
            self.out.append(self.notice)
        if tag == "textarea" and self.is_inside and attributes.get("name") in self.sent:
            self.out.append(escape("\n" + self.sent[attributes["name"] or ""]))
            self.is_skipping = True

    def _filled(self, tag: str, raw: str, attributes: Attributes) -> str:
        name, kind = attributes["name"] or "", (attributes.get("type") or "text").lower()
        if tag == "select":
            self.select = name
        if tag != "input" or kind in NOT_TYPED:
            return raw
        if kind in TICKED:
            attributes.pop("checked", None)
            is_ticked = (attributes.get("value") or "on") in self.sent.getlist(name)
            return _tag(tag, {**attributes, **({"checked": None} if is_ticked else {})})
        return _tag(tag, {**attributes, "value": self.sent[name]}) if name in self.sent else raw

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.is_skipping = False
        if tag == "select":
            self.select = None
        if tag == "form":
            self.is_inside = False
        self.out.append(f"</{tag}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if not self.is_skipping:
            self.out.append(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        self.out.append(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.out.append(f"<!{decl}>")


def _tag(tag: str, attributes: Attributes) -> str:
    written = (
        f' {name}="{escape(value)}"' if value is not None else f" {name}"
        for name, value in attributes.items()
    )
    return f"<{tag}{''.join(written)}>"

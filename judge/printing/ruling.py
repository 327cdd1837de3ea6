"""Prints a ruling on one page: the answer first, then the steps, then the rules with their pages.

Made from the ruling's JSON, already in the reader's language; a second language goes beside the first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

from judge.core.messages import Message, Phrasebook
from judge.printing.flow import Para, draw_lines, fitting_scale, heading, lines_of, pages_of
from judge.printing.lettering import BOLD, ITALIC, REGULAR
from judge.printing.page import Area, Paper, Press, Progress, Sheet, check_code
from judge.rules.ruling_picture import bars, equation
from judge.rules.ruling_words import deciding_rules, place_in_words, player_in_words, seat_in_words

LEAST_SCALE, LARGEST_SCALE = 0.7, 1.24
SCALE_OF_MORE_PAGES = 0.88
Texts = Literal["all", "deciding", "none"]
COUNTS = ("glory", "gold", "sun", "moon")  # of a Dice Forge player
BARS_FROM, BARS_WIDE = 0.45, 0.42  # where the bars of a sum stand, as shares of the column
LIGHT = 0.8
GRAYS = {"dealt": 0.45, "added": 0.45, "returned": 0.45, "final": 0.2}
MARKS = {"legal": "✓", "illegal": "✗", "discretion": "?"}


def ruling_pdf(
    sheet: Sheet, rulings: Sequence[tuple[Mapping[str, Any], Phrasebook]], paper: Paper = "a4",
    progress: Progress | None = None,
) -> bytes:  # fmt: skip
    """The PDF. `rulings`: the same ruling in one or two languages, each with its phrasebook."""
    press = Press(rulings[0][1], paper, sheet.event or rulings[0][0].get("id") or "", progress)
    draw_ruling(press, sheet, rulings)
    return press.finish()


def draw_ruling(press: Press, sheet: Sheet, rulings: Sequence[tuple[Mapping[str, Any], Phrasebook]]) -> None:
    area = press.area()
    gap = 20.0 if len(rulings) > 1 else 0.0
    wide = (area.width - gap * (len(rulings) - 1)) / len(rulings)
    columns, scale = _fitted(rulings, wide, area.height)
    flows = [pages_of(lines_of(column, wide, scale), area.height) for column in columns]
    pages = max(len(flow) for flow in flows)
    title = " · ".join(book.say(Message("print_ruling")) for _, book in rulings)
    press.expect(pages)
    for page in range(pages):
        press.frame(sheet, title, "", page + 1, pages, check_code([dict(r) for r, _ in rulings]))
        for n, flow in enumerate(flows):
            left = area.left + n * (wide + gap)
            if n:
                press.rule(left - gap / 2, area.bottom, left - gap / 2, area.top, 0.4, 0.5)
            if page < len(flow):
                draw_lines(press, flow[page], Area(left, area.bottom, left + wide, area.top))
        press.end_page()


def _fitted(
    rulings: Sequence[tuple[Mapping[str, Any], Phrasebook]], wide: float, high: float
) -> tuple[list[list[Para]], float]:
    """Fit a readable page: with the text of all cited rules, of the deciding ones, or of none."""
    levels: tuple[Texts, ...] = ("all", "deciding", "none")
    for texts in levels:
        columns = [list(paragraphs(ruling, book, texts)) for ruling, book in rulings]
        scale = fitting_scale(columns, wide, high, LEAST_SCALE, LARGEST_SCALE)
        if scale > LEAST_SCALE:
            return columns, scale
    return [list(paragraphs(ruling, book)) for ruling, book in rulings], SCALE_OF_MORE_PAGES


def paragraphs(ruling: Mapping[str, Any], book: Phrasebook, texts: Texts = "all") -> Iterator[Para]:
    say = _Say(ruling, book)
    yield Para(say("print_answer"), 11.5, BOLD)
    yield from _answer(ruling, say)
    if ruling.get("events"):
        yield heading(say("print_events"))
        for event in ruling["events"]:
            text = event["says"] or say(f"print_verdict_{event['verdict']}")
            yield Para(text, mark=f"{event['n']} {MARKS[event['verdict']]}", indent=27, before=2)
    if ruling.get("steps"):
        yield heading(say("print_steps"))
        for n, step in enumerate(ruling["steps"], start=1):
            yield Para(step["says"], mark=f"{n}.", indent=20, before=2, tail=", ".join(step["rules"][:1]))
    yield from _open_points(ruling, say)
    yield from _citations(ruling, say, texts)


def _citations(ruling: Mapping[str, Any], say: _Say, texts: Texts) -> Iterator[Para]:
    """The cited rules, deciding ones first; those without text are listed with book and page."""
    citations = ruling.get("citations") or {}
    deciding = dict.fromkeys(rule for rule in deciding_rules(ruling) if rule in citations)
    shown: Collection[str] = {"all": citations.keys(), "deciding": deciding.keys(), "none": set()}[texts]
    if citations:
        yield heading(say("print_citations"))
    for rule_id in (*deciding, *sorted(set(shown) - deciding.keys())) if shown else ():
        yield Para(f"{place_in_words(citations[rule_id], say.book)} · {rule_id}", 8, BOLD, before=3)
        yield Para(citations[rule_id]["text"], 8.5)
    if others := sorted(citations.keys() - shown):
        listed = "; ".join(f"{rule} ({_short_place(citations[rule], say)})" for rule in others)
        yield Para(say("print_also", rules=listed) if shown else listed, 8, before=5)


class _Say:
    def __init__(self, ruling: Mapping[str, Any], book: Phrasebook) -> None:
        self.book = book
        self.edition = str(ruling.get("edition", ""))

    def __call__(self, key: str, /, **params: Any) -> str:
        return self.book.say(Message(key, **params))


def _answer(ruling: Mapping[str, Any], say: _Say) -> Iterator[Para]:
    """The answer: what was not allowed, the damage, the order, the state, who has won."""
    for event in ruling.get("events", ()):
        if event["verdict"] != "legal":
            yield Para(say(f"print_event_{event['verdict']}", n=event["n"]), 13, BOLD, before=3)
    for resolution in ruling.get("resolutions", ()):
        yield from _damage(resolution, say)
    for order in ruling.get("order", ()):
        sequence = " → ".join(str(n) for n in order["sequence"])
        yield Para(say("print_order", event=order["event"], sequence=sequence), 13, BOLD, before=3)
    yield from _outcome(ruling.get("outcome") or {}, say)
    if ruling.get("players"):
        yield Para(say("print_stands"), 8, before=5)
    for player, state in (ruling.get("players") or {}).items():
        yield Para(f"{seat_in_words(player, state, say.book)}: {_state(state, say)}", before=1)
    for claim in ruling.get("claims", ()):
        key = "print_claim_right" if claim["right"] else "print_claim_wrong"
        yield Para(
            say(key, by=claim["by"], claimed=claim["claimed"], player=claim["player"]), 10.5, BOLD, before=4
        )
        for mistake in claim.get("mistakes", ()):
            yield Para(mistake["says"], tail=", ".join(mistake["rules"]), mark="–", indent=12)


def _damage(resolution: Mapping[str, Any], say: _Say) -> Iterator[Para]:
    for player, total in resolution["totals"].items():
        yield Para(say("print_damage", player=player, final=total["final"]), 13, BOLD, before=3)
        yield Para(equation(total) or _working(total, say), 9.5, BOLD if equation(total) else REGULAR)
        yield from _waterfall(player, total)


def _waterfall(player: str, total: Mapping[str, Any]) -> Iterator[Para]:
    """The sum as bars, each beginning where the one above ended, named by what and whose it is."""
    drawn = bars(total)
    most = max((bar.high for bar in drawn), default=0) or 1
    for bar in drawn:
        name = player if bar.kind == "final" else " · ".join(filter(None, (bar.name, bar.by)))
        start, end = (BARS_FROM + BARS_WIDE * value / most for value in (bar.low, bar.high))
        yield Para(name, 8, tail=bar.number, before=0.5, bar=(start, end, GRAYS.get(bar.kind, LIGHT)))


def _working(total: Mapping[str, Any], say: _Say) -> str:
    parts = [
        say("print_incoming", n=total.get("incoming", 0)),
        say("print_subtotal", n=total.get("subtotal", 0)),
        *(say("print_fraction", n=n) for n in total.get("fractions", ())),
        say("print_final", n=total["final"]),
    ]
    if total.get("healed"):
        parts.append(say("print_healed", n=total["healed"]))
    return " → ".join(parts)


def _outcome(outcome: Mapping[str, Any], say: _Say) -> Iterator[Para]:
    state = outcome.get("state")
    if state in ("won", "draw", "shared"):
        winners = ", ".join(outcome.get("winners", ()))
        yield Para(say(f"print_outcome_{state}", winners=winners), 13, BOLD, before=3)
    if outcome.get("scores"):
        scores = ", ".join(f"{player} {score}" for player, score in outcome["scores"].items())
        yield Para(say("print_scores", scores=scores), 10.5, before=2)


def _state(state: Mapping[str, Any], say: _Say) -> str:
    if "health" in state:
        return player_in_words(state, say.book)
    return ", ".join(say(f"print_count_{key}", n=state[key]) for key in COUNTS if key in state)


def _open_points(ruling: Mapping[str, Any], say: _Say) -> Iterator[Para]:
    if ruling.get("asks"):
        yield heading(say("print_asks"))
        for ask in ruling["asks"]:
            yield Para(ask["says"], mark="?", indent=14)
    for remark in ruling.get("remarks", ()):
        yield Para(remark, 9, ITALIC, before=2)
    if ruling.get("discretion"):
        yield Para(say("print_discretion", ids=ruling["discretion"]), 9, ITALIC, before=6)
    for reading in ruling.get("readings", ()):
        yield Para(f"{reading['id']} {reading['reading']}: {reading['says']}", 9, before=2)


def _short_place(citation: Mapping[str, str], say: _Say) -> str:
    return _page(citation, say) or citation.get("edition", "")


def _page(citation: Mapping[str, str], say: _Say) -> str:
    """`p. 14`, `p. 7–9`, or the name of a page that has one (the cover)."""
    page = citation.get("page", "")
    return say("print_p", n=page) if page.replace("–", "").isdigit() else page

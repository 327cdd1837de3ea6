"""An event as an iCalendar file (RFC 5545), for calendars that subscribe to its address."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from judge.services.public.read_models import Outline

LONGEST_LINE = 75  # bytes


def calendar(outline: Outline, stamp: datetime, url: str) -> str:
    """The day of the event, and each round that was published with the end of its clock."""
    head = outline.head
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//judge//event//EN", "CALSCALE:GREGORIAN"]
    lines += _entry(
        f"{head.slug}@judge", stamp,
        [f"DTSTART;VALUE=DATE:{head.day:%Y%m%d}", f"DTEND;VALUE=DATE:{head.day + timedelta(days=1):%Y%m%d}"],
        head.name, url,
    )  # fmt: skip
    for round_ in outline.rounds:
        begins = round_.published_at
        if begins is not None:
            ends = round_.clock.ends or begins + timedelta(minutes=30)
            times = [f"DTSTART:{_utc(begins)}", f"DTEND:{_utc(max(ends, begins))}"]
            uid = f"{head.slug}-{round_.stage}-{round_.number}@judge"
            lines += _entry(uid, stamp, times, f"{head.name} · {round_.number}", url)
    lines.append("END:VCALENDAR")
    return "".join(f"{folded}\r\n" for line in lines for folded in _folded(line))


def _entry(uid: str, stamp: datetime, times: list[str], summary: str, url: str) -> list[str]:
    head = ["BEGIN:VEVENT", f"UID:{uid}", f"DTSTAMP:{_utc(stamp)}", *times]
    return [*head, f"SUMMARY:{_escaped(summary)}", *([f"URL:{url}"] if url else []), "END:VEVENT"]


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.splitlines())


def _folded(line: str) -> list[str]:
    """The line in pieces of at most 75 bytes; each piece after the first begins with a space."""
    pieces, piece = [], ""
    for letter in line:
        if len((piece + letter).encode()) > LONGEST_LINE:
            pieces.append(piece)
            piece = " "
        piece += letter
    return [*pieces, piece]

"""An event as an iCalendar file (RFC 5545), for calendars that subscribe to its address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

LONGEST_LINE = 75  # bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """Something with a time; without a moment it takes the whole day."""

    id: str
    summary: str
    day: date
    starts: datetime | None = None
    ends: datetime | None = None
    place: str = ""
    about: str = ""


def calendar(entries: Sequence[Entry], stamp: datetime, url: str) -> str:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//judge//event//EN", "CALSCALE:GREGORIAN"]
    for entry in entries:
        lines += ["BEGIN:VEVENT", f"UID:{entry.id}@judge", f"DTSTAMP:{_utc(stamp)}", *_times(entry)]
        lines.append(f"SUMMARY:{_escaped(entry.summary)}")
        lines += [f"LOCATION:{_escaped(entry.place)}"] if entry.place else []
        lines += [f"DESCRIPTION:{_escaped(entry.about)}"] if entry.about else []
        lines += [f"URL:{url}", "END:VEVENT"]
    lines.append("END:VCALENDAR")
    return "".join(f"{folded}\r\n" for line in lines for folded in _folded(line))


def _times(entry: Entry) -> list[str]:
    if entry.starts is None:
        after = entry.day + timedelta(days=1)
        return [f"DTSTART;VALUE=DATE:{entry.day:%Y%m%d}", f"DTEND;VALUE=DATE:{after:%Y%m%d}"]
    ends = [f"DTEND:{_utc(entry.ends)}"] if entry.ends and entry.ends > entry.starts else []
    return [f"DTSTART:{_utc(entry.starts)}", *ends]


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return "\\n".join(text.splitlines())


def _folded(line: str) -> list[str]:
    """The line in pieces of at most 75 bytes; each piece after the first begins with a space."""
    pieces, piece = [], ""
    for letter in line:
        if len((piece + letter).encode()) > LONGEST_LINE:
            pieces.append(piece)
            piece = " "
        piece += letter
    return [*pieces, piece]

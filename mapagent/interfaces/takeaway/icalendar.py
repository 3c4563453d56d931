"""iCalendar (RFC 5545): the plan of a trip, an event for each visit."""

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime

from map_tools.errors import UsageError
from mapagent.core.rendering import clean
from mapagent.interfaces.takeaway.features import Feature
from mapagent.interfaces.takeaway.findings import Findings, name_of

LINE_OCTETS = 75
"""Longest line without its break (RFC 5545, 3.1)."""
_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})
"""What means something else within a text (RFC 5545, 3.3.11)."""


def calendar_of(findings: Findings, made_at: datetime) -> str:
    """A calendar with an event for each visit of the trip.

    The same plan has the same events whenever it is saved, so reading it in again changes them and adds none.

    Args:
        findings: Of an answer that plans a trip.
        made_at: When, with its zone.

    Raises:
        UsageError: There is no trip, or none whose day and times are known.
    """
    timed = [visit for visit in findings.visits() if visit["properties"].keys() >= {"begin", "end"}]
    if not timed:
        raise UsageError(
            "The answer has no plan with visits on a known day, so there is nothing for a calendar.",
            "Ask for a trip that visits places and starts or ends at a time, and give the day with --at.",
        )
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//mapagent//mapagent//EN"]
    for visit in timed:
        lines += _event(findings, visit, made_at)
    lines.append("END:VCALENDAR")
    return "".join(f"{piece}\r\n" for line in lines for piece in _folded(line))


def _event(findings: Findings, visit: Feature, made_at: datetime) -> Iterator[str]:
    said, geometry = visit["properties"], visit["geometry"]
    begin, end = (datetime.fromisoformat(said[name]) for name in ("begin", "end"))
    place = (name_of(visit), said.get("address", ""))
    # The same visit of the same plan is the same event.
    identity = f"{findings.title}\n{said['number']}\n{place[0]}\n{said['begin']}"
    yield "BEGIN:VEVENT"
    yield f"UID:{uuid.uuid5(uuid.NAMESPACE_OID, identity)}@mapagent"
    yield f"DTSTAMP:{_time(made_at)}"
    yield f"DTSTART:{_time(begin)}"
    if end > begin:  # an end that is no later is forbidden (3.6.1)
        yield f"DTEND:{_time(end)}"
    yield f"SUMMARY:{_text(place[0])}"
    yield f"LOCATION:{_text(', '.join(filter(None, place)))}"
    if geometry is not None:
        longitude, latitude = geometry["coordinates"]
        yield f"GEO:{latitude:.6f};{longitude:.6f}"
    about = "\n".join(filter(None, (clean(findings.title), clean(findings.attribution))))
    yield f"DESCRIPTION:{about.translate(_ESCAPED)}"
    yield "END:VEVENT"


def _time(at: datetime) -> str:
    """In UTC; a time whose zone is not known "floats": it is the local time wherever one is (3.3.5)."""
    if at.tzinfo is None:
        return f"{at:%Y%m%dT%H%M%S}"
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(words: str) -> str:
    return clean(words).translate(_ESCAPED)


def _folded(line: str) -> Iterator[str]:
    """A line in pieces that are short enough, none of which ends within a letter; a blank goes on (3.1)."""
    piece, octets = "", 0
    for letter in line:
        width = len(letter.encode(errors="replace"))
        if octets + width > LINE_OCTETS:
            yield piece
            piece, octets = " ", 1
        piece, octets = piece + letter, octets + width
    yield piece

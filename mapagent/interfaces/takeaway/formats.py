"""The file formats that answers are saved in: GeoJSON, GPX, iCalendar, and pictures, which `picture` makes.

GPX 1.1 (https://www.topografix.com/GPX/1/1/) has places as waypoints and ways as tracks; iCalendar (RFC 5545) the plan
of a trip, an event for each visit.
"""

import json
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from xml.etree import ElementTree as ET

from map_tools.errors import UsageError
from mapagent.core.rendering import clean
from mapagent.interfaces.takeaway.features import Feature
from mapagent.interfaces.takeaway.findings import Findings, name_of
from mapagent.interfaces.takeaway.ground import Ground

NAMESPACE = "http://www.topografix.com/GPX/1/1"
LINE_OCTETS = 75
"""Longest line without its break (RFC 5545, 3.1)."""
_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})
"""What means something else within a text (RFC 5545, 3.3.11)."""


class Format(StrEnum):
    """A format, by the ending of its files."""

    GEOJSON = "geojson"
    GPX = "gpx"
    ICS = "ics"
    PNG = "png"

    @property
    def media_type(self) -> str:
        """Its name on the web (RFC 7946, section 12; RFC 5545, 8.1; GPX has none that is registered)."""
        return _MEDIA_TYPES[self]


_MEDIA_TYPES = {
    Format.GEOJSON: "application/geo+json",
    Format.GPX: "application/gpx+xml",
    Format.ICS: "text/calendar; charset=utf-8",
    Format.PNG: "image/png",
}


def made(form: Format, findings: Findings, ground: Ground | None = None) -> bytes:
    """The content of a file.

    Args:
        form: In which format.
        findings: What there is to see.
        ground: The map beneath a picture.

    Raises:
        UsageError: There is nothing that this format could hold.
    """
    match form:
        case Format.GEOJSON:
            text = json.dumps(findings.geojson(), ensure_ascii=False, indent=1)
        case Format.GPX:
            text = gpx_of(findings)
        case Format.ICS:
            text = calendar_of(findings, datetime.now(UTC))
        case Format.PNG:
            from mapagent.interfaces.takeaway.picture import png_of

            return png_of(findings, ground)
    return text.encode(errors="replace")


def gpx_of(findings: Findings) -> str:
    """A GPX document: a waypoint for each place and stop, a track for each way.

    A way of which only the ends are known is a route of two points, for nobody has walked that straight line.

    Raises:
        UsageError: There is neither a place nor a way.
    """
    points, ways = findings.points(), findings.ways()
    if not points and not ways:
        raise UsageError("The answer has no place and no way, so there is nothing for GPX.")
    root = ET.Element("gpx", {"version": "1.1", "creator": "mapagent", "xmlns": NAMESPACE})
    about = ET.SubElement(root, "metadata")
    _words(about, "name", findings.title)
    _words(about, "desc", findings.text)
    if findings.attribution:
        ET.SubElement(about, "copyright", {"author": clean(findings.attribution)})
    for point in points:
        _waypoint(root, point)
    for way in ways:  # the schema wants all routes before all tracks
        if way["properties"]["role"] == "travel":
            _route(root, way)
    for way in ways:
        if way["properties"]["role"] != "travel":
            _track(root, way)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _waypoint(root: ET.Element, point: Feature) -> None:
    said = point["properties"]
    waypoint = _at(root, "wpt", point["geometry"]["coordinates"])
    number = f"{said['number']}. " if said["role"] == "visit" else ""
    _words(waypoint, "name", number + name_of(point))
    _words(waypoint, "desc", ", ".join(filter(None, (_stay(point), said.get("address", "")))))
    _words(waypoint, "type", said.get("kind", ""))


def _stay(visit: Feature) -> str:
    """When one is there; empty where that is not known."""
    told = (visit["properties"].get(name) for name in ("begin", "end"))
    times = [f"{datetime.fromisoformat(at):%Y-%m-%d %H:%M}" for at in told if at]
    return " to ".join(dict.fromkeys(times))


def _route(root: ET.Element, way: Feature) -> None:
    route = ET.SubElement(root, "rte")
    _about(route, way)
    for position in way["geometry"]["coordinates"]:
        _at(route, "rtept", position)


def _track(root: ET.Element, way: Feature) -> None:
    track = ET.SubElement(root, "trk")
    _about(track, way)
    segment = ET.SubElement(track, "trkseg")
    for position in way["geometry"]["coordinates"]:
        _at(segment, "trkpt", position)


def _about(parent: ET.Element, way: Feature) -> None:
    said = way["properties"]
    _words(parent, "name", name_of(way))
    measures = (
        f"{said['distance_m']:.0f} m" if "distance_m" in said else "",
        f"{said['duration_s'] / 60:.0f} min" if "duration_s" in said else "",
    )
    _words(parent, "desc", ", ".join(filter(None, measures)))
    if "leg" in said:
        _words(parent, "number", str(said["leg"]))
    _words(parent, "type", said["mode"])


def _at(parent: ET.Element, tag: str, position: Sequence[float]) -> ET.Element:
    longitude, latitude = position
    return ET.SubElement(parent, tag, {"lat": f"{latitude:.6f}", "lon": f"{longitude:.6f}"})


def _words(parent: ET.Element, tag: str, words: str) -> None:
    if clean(words):
        ET.SubElement(parent, tag).text = clean(words)


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

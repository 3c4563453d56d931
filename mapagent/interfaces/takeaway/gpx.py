"""GPX 1.1 (https://www.topografix.com/GPX/1/1/): places as waypoints, ways as tracks."""

from collections.abc import Sequence
from datetime import datetime
from xml.etree import ElementTree as ET

from map_tools.errors import UsageError
from mapagent.core.rendering import clean
from mapagent.interfaces.takeaway.features import Feature
from mapagent.interfaces.takeaway.findings import Findings, name_of

NAMESPACE = "http://www.topografix.com/GPX/1/1"


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

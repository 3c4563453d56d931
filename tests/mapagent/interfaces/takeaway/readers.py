"""Readers of saved files that know nothing of the code that wrote them."""

import io
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from PIL import Image

GPX = "{http://www.topografix.com/GPX/1/1}"
ORDER = {
    "gpx": ("metadata", "wpt", "rte", "trk", "extensions"),
    "metadata": ("name", "desc", "author", "copyright", "link", "time", "keywords", "bounds", "extensions"),
    "wpt": ("ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "type"),
    "rte": ("name", "cmt", "desc", "src", "link", "number", "type", "extensions", "rtept"),
    "trk": ("name", "cmt", "desc", "src", "link", "number", "type", "extensions", "trkseg"),
    "trkseg": ("trkpt", "extensions"),
}
"""Children in the order of their xsd:sequence (https://www.topografix.com/GPX/1/1/gpx.xsd), as far as used here."""
type Point = tuple[float, float]


@dataclass(frozen=True)
class Gpx:
    """What a GPX file holds; points are (longitude, latitude)."""

    waypoints: dict[str, Point]
    routes: dict[str, list[Point]]
    tracks: dict[str, list[Point]]
    credit: str


def read_gpx(text: str) -> Gpx:
    """Reads GPX 1.1, and sees that its elements stand where the schema wants them."""
    root = ET.fromstring(text)
    assert (root.tag, root.get("version")) == (f"{GPX}gpx", "1.1")
    assert root.get("creator")
    for element in root.iter():
        tags = [child.tag.removeprefix(GPX) for child in element]
        order = ORDER.get(element.tag.removeprefix(GPX))
        if order is not None:
            places = [order.index(tag) for tag in tags]
            assert places == sorted(places), (element.tag, tags)
    copyright_ = root.find(f"{GPX}metadata/{GPX}copyright")
    return Gpx(
        waypoints={_name(point): _point(point) for point in root.iterfind(f"{GPX}wpt")},
        routes={
            _name(one): [_point(each) for each in one.iterfind(f"{GPX}rtept")]
            for one in root.iterfind(f"{GPX}rte")
        },
        tracks={
            _name(one): [_point(each) for each in one.iterfind(f"{GPX}trkseg/{GPX}trkpt")]
            for one in root.iterfind(f"{GPX}trk")
        },
        credit="" if copyright_ is None else copyright_.get("author", ""),
    )


def _name(element: ET.Element) -> str:
    return element.findtext(f"{GPX}name", "")


def _point(element: ET.Element) -> Point:
    return float(element.attrib["lon"]), float(element.attrib["lat"])


def read_calendar(content: bytes) -> list[dict[str, str]]:
    """The events of an iCalendar file (RFC 5545), each with its properties, texts unescaped."""
    assert content.endswith(b"\r\n")
    lines = content.removesuffix(b"\r\n").split(b"\r\n")
    assert all(len(line) <= 75 for line in lines), "3.1: lines of text SHOULD NOT be longer than 75 octets"
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    unfolded: list[str] = []
    for line in (line.decode() for line in lines):  # a piece that ends within a letter would not decode
        if line.startswith(" "):
            unfolded[-1] += line[1:]
        else:
            unfolded.append(line)
    assert unfolded[0] == "BEGIN:VCALENDAR"
    assert unfolded[-1] == "END:VCALENDAR"
    assert unfolded[1:3][0] == "VERSION:2.0"
    assert unfolded[2].startswith("PRODID:")
    events: list[dict[str, str]] = []
    for line in unfolded[3:-1]:
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            events.append({})
        elif line != "END:VEVENT":
            assert name not in events[-1], "each property once"
            events[-1][name] = _unescaped(value)
    return events


def _unescaped(value: str) -> str:
    letters = iter(value)
    return "".join(
        {"n": "\n"}.get(following := next(letters), following) if one == "\\" else one for one in letters
    )


def ink(content: bytes, box: tuple[int, int, int, int]) -> int:
    """How many dark pixels a part of a picture has; letters are dark on white."""
    with Image.open(io.BytesIO(content)) as image:
        assert image.format == "PNG"
        return sum(image.convert("L").crop(box).histogram()[:128])

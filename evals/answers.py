"""An answer in the fields of GS-QA's answer schema (section 5.1), so that it can be compared with the right one.

Three kinds of answers are read: typed values (`mapagent.core.answer.Value`), where nothing is guessed; JSON in the
schema itself; and words, whose places, coordinates, numbers, lengths, areas and directions are looked for.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from evals.methods.reading import json_objects
from evals.metrics.measures import NUMBER_WORDS, WINDS, azimuth_of, from_words
from map_tools.compute.measures import find_areas_m2, find_distances
from map_tools.compute.scanning import find_numbers
from map_tools.types import LatLng
from mapagent.core.answer import Answer, Named, NameSet, OptionPick, Quantity, Sequence, Status, Text, Value

type AnswerKind = Literal["name", "loc", "angle", "count", "distance", "area", "length"]
"""The output types of GS-QA, as its data calls them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One place or number that an answer gives; what it does not say is empty or None.

    The published schema has `name`, `address`, `distance`, `azimuth_angle`, `count`, `length`, `area`; here
    the units are in the names, and a position may stand beside the address.

    Attributes:
        fact: Something else that was asked about the place (GS-QA's multi-source attribute).
    """

    name: str = ""
    address: str = ""
    position: LatLng | None = None
    distance_m: float | None = None
    azimuth_deg: float | None = None
    count: float | None = None
    length_m: float | None = None
    area_m2: float | None = None
    fact: str = ""

    def number(self, kind: AnswerKind) -> float | None:
        """The number of an output type; None for the types that are no numbers."""
        numbers = {
            "angle": self.azimuth_deg,
            "count": self.count,
            "distance": self.distance_m,
            "area": self.area_m2,
            "length": self.length_m,
        }
        return numbers.get(kind)


_LINES = re.compile(r"[\n;]+")
_BULLET = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+")
_LAST = re.compile(r",?\s+(?:and|or)\s+", re.IGNORECASE)
_EDGES = " \t*_`\"'“”.,:"


def names_in(text: str) -> tuple[str, ...]:
    """One entry for each place of a list; a sentence or a single name is one entry.

    A list is one entry a line, or separated by semicolons, or by commas with "and" before the last entry.
    Commas alone are no list: they stand in addresses ("City Hall, Main Street, Springfield").
    """
    lines = [_BULLET.sub("", line).strip(_EDGES) for line in _LINES.split(text)]
    lines = [line for line in lines if line]
    return tuple(lines) if len(lines) != 1 else _of_one_line(lines[0])


def _of_one_line(line: str) -> tuple[str, ...]:
    *first, last = _LAST.split(line)
    parts = [part.strip(_EDGES) for part in ",".join(first).split(",")] if len(first) == 1 else []
    # Two entries are no list yet: "Smith and Sons" is one place.
    return (*parts, last.strip(_EDGES)) if len(parts) > 1 and all(parts) else (line,)


_SIGNED = r"([+-]?\d{1,3}\.\d{2,})"
_PAIR = re.compile(rf"{_SIGNED}\s*°?\s*([NS])?\s*[,;/]?\s+?(?:and\s+)?{_SIGNED}\s*°?\s*([EW])?")
_TIGHT = re.compile(rf"{_SIGNED}\s*°?\s*([NS])?\s*[,;]\s*{_SIGNED}\s*°?\s*([EW])?")
_LAT = re.compile(rf"\blat(?:itude)?\W{{0,4}}{_SIGNED}", re.IGNORECASE)
_LON = re.compile(rf"\b(?:lon|lng|long)(?:itude)?\W{{0,4}}{_SIGNED}", re.IGNORECASE)
_WKT = re.compile(rf"\bPOINT\s*\(\s*{_SIGNED}\s+{_SIGNED}\s*\)", re.IGNORECASE)


def positions_in(text: str) -> tuple[LatLng, ...]:
    """All positions: "60.17, 24.94", "lat 60.17 lon 24.94", "60.17° N, 24.94° E", "POINT (24.94 60.17)".

    Numbers that are no position on the globe are none.
    """
    if points := _WKT.findall(text):
        return _valid((float(lat), float(lon)) for lon, lat in points)
    lats, lons = _LAT.findall(text), _LON.findall(text)
    if lats and len(lats) == len(lons):
        return _valid((float(lat), float(lon)) for lat, lon in zip(lats, lons, strict=True))
    pairs = _TIGHT.findall(text) or _PAIR.findall(text)
    return _valid((_signed(lat, side), _signed(lon, hand)) for lat, side, lon, hand in pairs)


def _signed(number: str, side: str) -> float:
    """A coordinate; some write both the sign and the side ("-33.87° S"), and mean it once."""
    return -abs(float(number)) if side in {"S", "W"} else float(number)


def _valid(pairs: Iterable[tuple[float, float]]) -> tuple[LatLng, ...]:
    return tuple(LatLng(lat=lat, lng=lon) for lat, lon in pairs if abs(lat) <= 90 and abs(lon) <= 180)


_RUN = re.compile(
    rf"\b(?:{'|'.join(sorted(NUMBER_WORDS))})(?:[\s-]+(?:and\s+)?(?:point|{'|'.join(sorted(NUMBER_WORDS))}))*\b",
    re.IGNORECASE,
)
_DEGREES = re.compile(r"(-?\d+(?:\.\d+)?)\s*(?:°|deg(?:rees?)?\b)", re.IGNORECASE)
_COMPASS = re.compile(
    r"\b(?P<ns>north|south)(?P<join>[\s-]*)(?P<ew>east|west)?(?:erly|ern|wards?|bound)?\b"
    r"|\b(?P<only>east|west)(?:erly|ern|wards?|bound)?\b",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"\b(NE|NW|SE|SW|N|S|E|W)\b")
_LETTER_WINDS = dict(zip(("N", "NE", "E", "SE", "S", "SW", "W", "NW"), (wind for wind in WINDS), strict=True))


def with_digits(text: str) -> str:
    """The text with every number in words written in digits: "two hundred fifty metres" → "250 metres"."""
    return _RUN.sub(_digits, text)


def _digits(match: re.Match[str]) -> str:
    value = from_words(match[0])
    return match[0] if value is None else f"{value:.15g}"


def lengths_m(text: str) -> tuple[float, ...]:
    """All distances and lengths in metres."""
    return tuple(span.value for span in find_distances(with_digits(text)))


def areas_m2(text: str) -> tuple[float, ...]:
    """All areas in square metres, in the order of the text."""
    return find_areas_m2(with_digits(text))


def numbers(text: str) -> tuple[float, ...]:
    """All numbers, with or without a unit."""
    return tuple(span.value for span in find_numbers(with_digits(text)))


def azimuths_deg(text: str) -> tuple[float, ...]:
    """All directions in degrees clockwise from north: degrees where the text gives them, else winds."""
    degrees = tuple(float(match[1]) % 360 for match in _DEGREES.finditer(with_digits(text)))
    if degrees:
        return degrees
    winds = tuple(azimuth_of(_wind(match)) for match in _COMPASS.finditer(text))
    return winds or tuple(azimuth_of(_LETTER_WINDS[match[1]]) for match in _LETTERS.finditer(text))


def _wind(match: re.Match[str]) -> str:
    if match["only"]:
        return match["only"].casefold()
    return f"{match['ns']}{match['ew'] or ''}".casefold()


ADDRESS = "address"
_UNITS = {"m": ("distance", "length"), "m2": ("area",), "count": ("count",), "deg": ("angle",)}
"""Units of a quantity, and the output types they can be an answer of."""


def said_by_value(value: Value, kind: AnswerKind) -> tuple[Said, ...]:
    """What a value says as an answer of this type; nothing if it is of another type."""
    match value:
        case Quantity():
            return (_quantity(value.value, kind),) if kind in _UNITS.get(value.unit, ()) else ()
        case Named():
            return (_named(value, kind),)
        case NameSet() | Sequence():
            return tuple(Said(name=name) for name in value.names)
        case OptionPick():
            return (Said(name=value.text),)
        case Text():
            return (_text(value, kind),)
        case _:
            return ()


def _quantity(number: float, kind: AnswerKind) -> Said:
    match kind:
        case "angle":
            return Said(azimuth_deg=number % 360)
        case "count":
            return Said(count=number)
        case "area":
            return Said(area_m2=number)
        case "length":
            return Said(length_m=number)
        case _:
            return Said(distance_m=number)


def _named(value: Named, kind: AnswerKind) -> Said:
    """A place; the note beside it is what was asked about it ("101 m", "north-east")."""
    distances, directions = lengths_m(value.note), azimuths_deg(value.note or value.name)
    return Said(
        name=value.name,
        address=(value.place.address or "") if value.place else "",
        position=value.place.location if value.place else None,
        distance_m=distances[0] if distances and kind == "distance" else None,
        azimuth_deg=directions[0] if directions and kind == "angle" else None,
        fact=value.note,
    )


def _text(value: Text, kind: AnswerKind) -> Said:
    if value.topic == ADDRESS:
        return Said(address=value.text)
    directions = azimuths_deg(value.text) if kind == "angle" else ()
    return Said(name=value.text, fact=value.text, azimuth_deg=directions[0] if directions else None)


KEYS = frozenset(
    {
        "name",
        "address",
        "distance",
        "azimuth_angle",
        "count",
        "length",
        "area",
        "lat",
        "lon",
        "latitude",
        "longitude",
    }
)
"""The schema's keys, and those of a position."""


def said_by_document(found: Mapping[str, Any]) -> Said | None:
    """What a JSON object says; None if it has none of the schema's keys.

    Numbers without a unit are in the schema's units: metres, square metres, degrees.
    """
    if KEYS.isdisjoint(found):
        return None
    return Said(
        name=_stripped(found.get("name")),
        address=_stripped(found.get("address")),
        position=_position(found),
        distance_m=_number(found.get("distance"), lengths_m),
        azimuth_deg=_number(found.get("azimuth_angle"), azimuths_deg),
        count=_number(found.get("count"), numbers),
        length_m=_number(found.get("length"), lengths_m),
        area_m2=_number(found.get("area"), areas_m2),
    )


def _stripped(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _number(value: Any, read: Callable[[str], tuple[float, ...]]) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    if not isinstance(value, str):
        return None
    found = read(value) or (numbers(value) if len(numbers(value)) == 1 else ())
    return float(found[0]) if found else None


def _position(found: Mapping[str, Any]) -> LatLng | None:
    lat, lon = found.get("lat", found.get("latitude")), found.get("lon", found.get("longitude"))
    if not isinstance(lat, int | float) or not isinstance(lon, int | float):
        return None
    if abs(lat) > 90 or abs(lon) > 180:
        return None
    return LatLng(lat=lat, lng=lon)


def read_said(answer: Answer, kind: AnswerKind) -> tuple[Said, ...]:
    """What an answer says as an answer of this type; nothing for a refusal or a failure.

    A typed value counts before a JSON document, a document before words: what is stated is never
    read from prose.
    """
    if answer.status is not Status.ANSWERED:
        return ()
    if answer.value is not None and (typed := said_by_value(answer.value, kind)):
        return typed
    documents = [said_by_document(found) for found in json_objects(answer.text)]
    if stated := tuple(said for said in documents if said is not None):
        return stated
    return said_in_words(answer.text, kind)


def said_in_words(text: str, kind: AnswerKind) -> tuple[Said, ...]:
    """What prose says as an answer of this type; nothing where it says nothing of the kind."""
    match kind:
        case "name":
            return tuple(Said(name=name, fact=name) for name in names_in(text))
        case "loc":
            return _places(text)
        case "angle":
            return tuple(Said(azimuth_deg=value) for value in azimuths_deg(text) or _bare_azimuth(text))
        case "count":
            return tuple(Said(count=value) for value in numbers(text)[:1])
        case "distance":
            return tuple(Said(distance_m=value) for value in lengths_m(text) or _bare(text))
        case "length":
            return tuple(Said(length_m=value) for value in lengths_m(text) or _bare(text))
        case "area":
            return tuple(Said(area_m2=value) for value in areas_m2(text) or _bare(text))


def _places(text: str) -> tuple[Said, ...]:
    """Addresses in words, or bare positions; with one position in the text it belongs to its one address."""
    positions = positions_in(text)
    names = names_in(text)
    if len(positions) == len(names):
        return tuple(
            Said(name=name, address=name, position=position)
            for name, position in zip(names, positions, strict=True)
        )
    return (
        *(Said(position=position) for position in positions),
        *(Said(name=name, address=name) for name in names),
    )


def _bare(text: str) -> tuple[float, ...]:
    """A number without a unit, in the schema's unit, if it is the only one."""
    found = numbers(text)
    return found if len(found) == 1 else ()


def _bare_azimuth(text: str) -> tuple[float, ...]:
    return tuple(value % 360 for value in _bare(text))

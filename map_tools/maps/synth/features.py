"""A city's features as the store takes them, with OpenStreetMap's tags, and its streets as an extract for Valhalla."""

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

from map_tools.kinds.tag_categories import categories_of
from map_tools.maps.feature import Feature, Shape
from map_tools.maps.places import to_tags
from map_tools.maps.synth.city import Area, AreaKind, City, SynthPlace
from map_tools.maps.synth.grid import Street, StreetKind
from map_tools.maps.synth.words import Week
from map_tools.maps.tags import CITY, HOUSE_NUMBER, STREET
from map_tools.types import LatLng

STOP_IDS, AREA_IDS = 1_000_000_000, 2_000_000_000
"""Added to the numbers of stops and of areas that are ways, to keep them apart from places and streets."""
MAIN_KMH, SIDE_KMH = 50, 30
AREA_TAGS = {
    AreaKind.CITY: {"boundary": "administrative", "admin_level": "8"},
    AreaKind.DISTRICT: {"boundary": "administrative", "admin_level": "10"},
    AreaKind.PARK: {"leisure": "park"},
    AreaKind.LAKE: {"natural": "water", "water": "lake"},
}
_DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
_ALWAYS = ((0, 24 * 60),)


def features(city: City) -> Iterator[Feature]:
    """All features: areas, parts of streets, stops, places."""
    for area in city.areas:
        yield _area(area)
    for number, street, run in street_parts(city):
        tags = street_tags(street)
        wkb = _line([city.junctions[junction] for junction in run])
        yield Feature("w", number, tags, categories_of(tags), Shape.LINE, wkb=wkb)
    for stop in city.transit.stops:
        tags = {"highway": "bus_stop", "public_transport": "platform", "name": stop.name}
        tags["route_ref"] = ";".join(stop.lines)
        yield _point(STOP_IDS + stop.number, tags, city.junctions[stop.junction])
    for place in city.places():
        yield _point(place.number, place_tags(place, city.name), place.at)


def street_parts(city: City) -> Iterator[tuple[int, Street, list[int]]]:
    """Each uninterrupted part of a street: its number as a way, the street, and its junctions."""
    number = 0
    for street in city.grid.streets:
        for run in city.grid.runs(street):
            number += 1
            yield number, street, run


def street_tags(street: Street) -> dict[str, str]:
    """The tags of a street."""
    tags = {"highway": street.kind.value, "name": street.name}
    if street.drives:
        tags["maxspeed"] = str(MAIN_KMH if street.kind is StreetKind.MAIN else SIDE_KMH)
    if street.one_way:
        tags["oneway"] = "yes"
    return tags


def area_key(area: Area) -> tuple[str, int]:
    """Kind and number of an area's object: relations for what has a government, ways for the rest."""
    governed = area.kind in {AreaKind.CITY, AreaKind.DISTRICT}
    return ("r", area.number) if governed else ("w", AREA_IDS + area.number)


def place_tags(place: SynthPlace, city: str) -> dict[str, str]:
    """The tags of a place."""
    tags = {place.kind.key: place.kind.value}
    optional = {
        "name": place.name or None,
        "opening_hours": opening_hours(place.week) if place.week else None,
        STREET: place.street,
        HOUSE_NUMBER: None if place.house is None else str(place.house),
        CITY: city if place.street else None,
        "phone": place.phone,
        "cuisine": place.cuisine,
        "diet:vegetarian": "yes" if place.vegetarian else None,
        "wheelchair": None if place.steps is None else "no" if place.steps else "yes",
    }
    tags |= {key: value for key, value in optional.items() if value is not None}
    return tags | to_tags(
        rating=place.rating,
        rating_count=place.rating_count,
        price_level=place.price_level,
        reviews=place.reviews,
    )


def opening_hours(week: Week) -> str:
    """A week in the opening_hours grammar; equal days in a row are put together."""
    if all(day == _ALWAYS for day in week):
        return "24/7"
    rules: list[str] = []
    first = 0
    for day in range(1, len(week) + 1):
        if day < len(week) and week[day] == week[first]:
            continue
        if week[first]:
            days = _DAYS[first] if day - first == 1 else f"{_DAYS[first]}-{_DAYS[day - 1]}"
            rules.append(f"{days} {','.join(map(_span, week[first]))}")
        first = day
    return "; ".join(rules)


def _span(span: tuple[int, int]) -> str:
    return "-".join(f"{minutes // 60:02d}:{minutes % 60:02d}" for minutes in span)


def _point(number: int, tags: dict[str, str], at: LatLng) -> Feature:
    return Feature("n", number, tags, categories_of(tags), Shape.POINT, at.lat, at.lng)


def _area(area: Area) -> Feature:
    tags = {**AREA_TAGS[area.kind], "name": area.name}
    kind, number = area_key(area)
    return Feature(kind, number, tags, categories_of(tags), Shape.AREA, wkb=_polygon(area.corners))


def _line(points: Sequence[LatLng]) -> bytes:
    """Well-known binary of a line (OGC 06-103r4, section 8)."""
    return struct.pack("<BII", 1, 2, len(points)) + _coordinates(points)


def _polygon(points: Sequence[LatLng]) -> bytes:
    return struct.pack("<BIII", 1, 3, 1, len(points)) + _coordinates(points)


def _coordinates(points: Sequence[LatLng]) -> bytes:
    return b"".join(struct.pack("<dd", point.lng, point.lat) for point in points)


FIRST_NODE = 3_000_000_000
"""The number of the first junction's node."""


def write_roads(city: City, path: Path) -> None:
    """Writes the extract; the file must not exist."""
    import osmium

    with osmium.SimpleWriter(str(path)) as writer:
        for number, at in enumerate(city.junctions):
            writer.add_node(osmium.osm.mutable.Node(id=FIRST_NODE + number, location=(at.lng, at.lat)))
        for number, street, run in street_parts(city):
            nodes = [FIRST_NODE + junction for junction in run]
            writer.add_way(osmium.osm.mutable.Way(id=number, nodes=nodes, tags=street_tags(street)))

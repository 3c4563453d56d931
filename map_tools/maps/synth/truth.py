"""The truth of a city, written from what was drawn and not from the map that is built of it."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from map_tools.compute.geodesy import distance_m
from map_tools.maps.synth.city import FIRST, LAST, MINUTES_A_STOP, City, SynthPlace
from map_tools.maps.synth.features import STOP_IDS, area_key, street_parts
from map_tools.maps.synth.grid import Street
from map_tools.types import LatLng

TRUTH_FILE = "truth.json"
FORMAT = "mapagent-synthetic-truth"
VERSION = 1


def write_truth(city: City, timezone: str, path: Path) -> None:
    """Writes the truth as one JSON object; its lists have a line for each item.

    `places`: all that is known of each; hours as minutes after midnight for the days from Monday on. `areas`:
    outlines. `streets` with the ways they consist of, `junctions` (positions by number) and `edges` between
    them with their lengths in metres, and who may use them. `stops` and `lines` of the buses.
    """
    head = {
        "format": FORMAT,
        "version": VERSION,
        "seed": city.seed,
        "size": city.size,
        "city": city.name,
        "timezone": timezone,
    }
    lists: dict[str, Iterable[Any]] = {
        "places": map(_place, city.places()),
        "areas": _areas(city),
        "streets": _streets(city),
        "junctions": map(_position, city.junctions),
        "edges": _edges(city),
        "stops": _stops(city),
        "lines": _lines(city),
    }
    with path.open("w", encoding="utf-8") as stream:
        stream.write(_json(head).removesuffix("}"))
        for name, items in lists.items():
            _write_list(stream, name, items)
        stream.write("}\n")


def _write_list(stream: IO[str], name: str, items: Iterable[Any]) -> None:
    stream.write(f',\n"{name}": [')
    for index, item in enumerate(items):
        stream.write(f"{',' if index else ''}\n{_json(item)}")
    stream.write("]")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _position(at: LatLng) -> list[float]:
    return [at.lat, at.lng]


def _place(place: SynthPlace) -> dict[str, Any]:
    return {
        "id": f"osm:n{place.number}",
        "name": place.name,
        "tag": f"{place.kind.key}={place.kind.value}",
        "at": _position(place.at),
        "street": place.street,
        "house": place.house,
        "week": place.week,
        "phone": place.phone,
        "steps": place.steps,
        "cuisine": place.cuisine,
        "vegetarian": place.vegetarian,
        "price_level": place.price_level,
        "rating": place.rating,
        "rating_count": place.rating_count,
        "reviews": [review.model_dump(mode="json") for review in place.reviews],
    }


def _areas(city: City) -> Iterator[dict[str, Any]]:
    for area in city.areas:
        kind, number = area_key(area)
        yield {
            "id": f"osm:{kind}{number}",
            "kind": area.kind.value,
            "name": area.name,
            "outline": [_position(corner) for corner in area.corners],
        }


def _streets(city: City) -> Iterator[dict[str, Any]]:
    ways: dict[Street, list[str]] = {}
    for number, street, _ in street_parts(city):
        ways.setdefault(street, []).append(f"osm:w{number}")
    for street, ids in ways.items():
        yield {
            "name": street.name,
            "kind": street.kind.value,
            "cars": _cars(street),
            "ways": ids,
        }


def _edges(city: City) -> Iterator[dict[str, Any]]:
    for edge in city.grid.edges():
        start, end = city.junctions[edge.start], city.junctions[edge.end]
        yield {
            "from": edge.start,
            "to": edge.end,
            "length_m": round(distance_m(start, end), 3),
            "street": edge.street.name,
            "cars": _cars(edge.street),
        }


def _cars(street: Street) -> str:
    """Which way cars may go: "both", "forward" (from the first junction to the second), "no"."""
    if not street.drives:
        return "no"
    return "forward" if street.one_way else "both"


def _stops(city: City) -> Iterator[dict[str, Any]]:
    for stop in city.transit.stops:
        yield {
            "id": f"osm:n{STOP_IDS + stop.number}",
            "name": stop.name,
            "junction": stop.junction,
            "lines": stop.lines,
        }


def _lines(city: City) -> Iterator[dict[str, Any]]:
    for line in city.transit.lines:
        yield {
            "name": line.name,
            "stops": [f"osm:n{STOP_IDS + number}" for number in line.stops],
            "every_min": line.every_min,
            "minutes_a_stop": MINUTES_A_STOP,
            "first": FIRST,
            "last": LAST,
        }

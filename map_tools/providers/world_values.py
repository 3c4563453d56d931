"""The friendly forms values may take in a world file: "12 mins", "1.2 km", "$$", weekly opening hours.

A number without a unit is metres or seconds.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from map_tools.compute.hours import from_osm, from_weekly_text
from map_tools.compute.measures import parse_distance_m, parse_duration_s
from map_tools.compute.shape_text import geometry_of_json, parse_shape
from map_tools.compute.step_reader import read_step
from map_tools.errors import PlaceNotFoundError
from map_tools.kinds import concepts
from map_tools.types import Hours, LatLng, Review, RouteStep, Shape

PRICES = {
    "free": 0,
    "inexpensive": 1,
    "cheap": 1,
    "moderate": 2,
    "moderately expensive": 2,
    "expensive": 3,
    "very expensive": 4,
}
"""Words for the price levels of Google's Places API
(https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#PriceLevel)."""


def _read_distance(value: Any) -> Any:
    if not isinstance(value, str):
        return value

    metres = parse_distance_m(value)
    if metres is None:
        raise ValueError(f"'{_shown(value)}' is not a distance such as '350 m' or '1.2 km'")
    return metres


def _read_duration(value: Any) -> Any:
    if not isinstance(value, str):
        return value

    seconds = parse_duration_s(value)
    if seconds is None:
        raise ValueError(f"'{_shown(value)}' is not a duration such as '12 mins' or '1 hour 5 mins'")
    return seconds


def _read_position(value: Any) -> Any:
    """[lat, lng], "lat, lng" or {"lat": ..., "lng": ...}."""
    parts = value.split(",") if isinstance(value, str) else value
    if isinstance(parts, list | tuple):
        if len(parts) != 2:
            raise ValueError("a position is two numbers: latitude, longitude")
        return {"lat": parts[0], "lng": parts[1]}
    return value


def _read_shape(value: Any) -> Any:
    """Well-known text, or a GeoJSON geometry as an object or as text."""
    if not isinstance(value, str | Mapping) or (isinstance(value, Mapping) and "wkt" in value):
        return value

    try:
        found = parse_shape(value) if isinstance(value, str) else geometry_of_json(dict(value))
    except PlaceNotFoundError as error:
        raise ValueError(error.message) from error
    if found is None or isinstance(found, LatLng):
        raise ValueError("a shape is an area or a line, as well-known text or as GeoJSON geometry")
    return found


def _read_hours(value: Any) -> Any:
    """A text of any known form, or one for each day: {"Monday": "8:00 AM – 5:00 PM", "Sunday": "Closed"}."""
    if isinstance(value, Hours) or (isinstance(value, Mapping) and "spec" in value):
        return value

    if isinstance(value, Mapping):
        hours = from_weekly_text(", ".join(f"{day}: {times}" for day, times in value.items()))
    elif isinstance(value, str):
        as_osm = from_osm(value)
        hours = as_osm if as_osm.spec is not None else from_weekly_text(value)
    else:
        return value
    if hours.spec is None:
        raise ValueError(f"the opening hours '{_shown(hours.text)}' cannot be understood")
    return hours


def _read_price(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.strip().lower()
    if text and not text.strip("$€£"):
        return len(text)
    if text not in PRICES:
        raise ValueError(
            f"'{_shown(value)}' is not a price level: use 0 to 4, '$' to '$$$$' or '{', '.join(PRICES)}'"
        )
    return PRICES[text]


def _read_services(value: Any) -> Any:
    """A list names what there is."""
    return dict.fromkeys(value, True) if _is_texts(value) else value


def _read_category(value: Any) -> Any:
    """A category id, or a word for one: "Coffee shop" is "cafe"; what the vocabulary lacks stays as it is."""
    if not isinstance(value, str):
        return value
    found = concepts.concept(value) or concepts.lookup(value)
    return found.id if found else value


def _read_review(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else value


def _read_step(value: Any) -> Any:
    """A step written as one line; streets and manoeuvre are read from its words."""
    if isinstance(value, str):
        value = {"instruction": value}
    if not isinstance(value, Mapping):
        return value
    known = {"distance": ("distance_m", _read_distance), "duration": ("duration_s", _read_duration)}
    fields = {known[key][0] if key in known else key: item for key, item in value.items()}
    for key, read_value in known.values():
        if key in fields:
            fields[key] = read_value(fields[key])
    instruction, notes = fields.get("instruction"), fields.get("notes", ())
    if not isinstance(instruction, str) or not _is_texts(notes):
        return fields

    return {**read_step(instruction, tuple(notes)).model_dump(), **fields}


def _shown(text: str) -> str:
    """The text as a message may hold it: JSON can escape halves of characters, which are none."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _is_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


Distance = Annotated[float, Field(ge=0, allow_inf_nan=False), BeforeValidator(_read_distance)]
"""Metres."""
Duration = Annotated[float, Field(ge=0, allow_inf_nan=False), BeforeValidator(_read_duration)]
"""Seconds."""
Position = Annotated[LatLng, BeforeValidator(_read_position)]
ShapeText = Annotated[Shape, BeforeValidator(_read_shape)]
HoursText = Annotated[Hours, BeforeValidator(_read_hours)]
Price = Annotated[int, Field(ge=0, le=4), BeforeValidator(_read_price)]
Rating = Annotated[float, Field(ge=0, le=5)]
Category = Annotated[str, BeforeValidator(_read_category)]
Services = Annotated[Mapping[str, bool], BeforeValidator(_read_services)]
ReviewText = Annotated[Review, BeforeValidator(_read_review)]
StepText = Annotated[RouteStep, BeforeValidator(_read_step)]

"""The format of a recorded world, and reading it: see `docs/recorded-world.md`.

Values may take friendly forms: "12 mins", "1.2 km", "$$", weekly opening hours. A number without a unit is metres
or seconds.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field, ValidationError, model_validator

from map_tools.compute.hours import from_osm, from_weekly_text
from map_tools.compute.measures import parse_distance_m, parse_duration_s
from map_tools.compute.route_replies import read_step
from map_tools.compute.shape_text import geometry_of_json, parse_shape
from map_tools.errors import InputFileError, PlaceNotFoundError
from map_tools.kinds import concepts
from map_tools.types import Frozen, Hours, LatLng, Mode, Place, Review, RouteStep, Shape, TravelMode
from map_tools.validation import first_fault

FORMAT_NAME = "mapagent-world"
FORMAT_VERSION = 1
MAX_FILE_BYTES = 256 * 2**20
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
_DISTANCE = AliasChoices("distance", "distance_m")
_DURATION = AliasChoices("duration", "duration_s")


class PlaceEntry(Place):
    """A place as written in a file: friendly forms, and the id may be left out."""

    id: str = ""
    name: str = Field(min_length=1)
    location: Position | None = None
    categories: tuple[Category, ...] = ()
    hours: HoursText | None = None
    rating: Rating | None = None
    rating_count: int | None = Field(None, ge=0)
    price_level: Price | None = None
    services: Services = Field(default_factory=dict)
    reviews: tuple[ReviewText, ...] = ()
    shape: ShapeText | None = None


class NearbyItem(PlaceEntry):
    """A place of a nearby list; a plain string is its name."""

    distance: Distance | None = Field(None, validation_alias=_DISTANCE)

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value


class NearbyList(Frozen):
    """The places of a kind around an anchor (or inside it), as some map listed them."""

    anchor: str = Field(min_length=1)
    what: str = Field(min_length=1)
    categories: tuple[Category, ...] = ()
    radius: Distance | None = Field(None, validation_alias=AliasChoices("radius", "radius_m"))
    inside: bool = False
    ordered: bool = False
    """The source lists them nearest first, also where it prints no distances."""
    items: tuple[NearbyItem, ...]


class LegEntry(Frozen):
    """The part of a route between two stops."""

    distance: Distance | None = Field(None, validation_alias=_DISTANCE)
    duration: Duration | None = Field(None, validation_alias=_DURATION)
    steps: tuple[StepText, ...] = ()


class RouteEntry(LegEntry):
    """One route; `legs` only where it has waypoints, else `steps`."""

    summary: str = ""
    legs: tuple[LegEntry, ...] = ()
    warnings: tuple[str, ...] = ()


class RouteList(Frozen):
    """The routes between two places by one mode, best first."""

    origin: str = Field(min_length=1)
    destination: str = Field(min_length=1)
    mode: Mode = TravelMode.DRIVING
    waypoints: tuple[str, ...] = ()
    routes: tuple[RouteEntry, ...]


class TravelEntry(Frozen):
    """Time and distance from one place to another by one mode. The way back is an entry of its own."""

    origin: str = Field(min_length=1)
    destination: str = Field(min_length=1)
    mode: Mode = TravelMode.DRIVING
    duration: Duration | None = Field(None, validation_alias=_DURATION)
    distance: Distance | None = Field(None, validation_alias=_DISTANCE)


class WorldFile(Frozen):
    """One file of a world."""

    format: Literal["mapagent-world"]
    version: Literal[1]
    name: str = ""
    attribution: str = ""
    attribution_url: str = ""
    retrieved: datetime | None = None
    places: tuple[PlaceEntry, ...] = ()
    nearby: tuple[NearbyList, ...] = ()
    routes: tuple[RouteList, ...] = ()
    travel_times: tuple[TravelEntry, ...] = ()


def read_world(path: Path) -> tuple[WorldFile, ...]:
    """Reads a world: one file, or all `*.json` files of a folder in the order of their names.

    Raises:
        InputFileError: A file is missing, too large, not JSON (with the line) or not in the format (with the
            entry and the field).
    """
    if path.is_dir():
        files = sorted(path.glob("*.json"))
        if not files:
            raise InputFileError(f"The folder {path} holds no .json file.", "See docs/recorded-world.md.")
        return tuple(_read_file(file) for file in files)
    return (_read_file(path),)


def _read_file(path: Path) -> WorldFile:
    try:
        data = json.loads(_read_text(path))
    except OSError as error:
        raise InputFileError(f"{path} cannot be read: {error.strerror}.", "Check the path.") from error
    except UnicodeDecodeError as error:
        raise InputFileError(f"{path} is not UTF-8 text.", "Save it as UTF-8.") from error
    except json.JSONDecodeError as error:
        raise InputFileError(
            f"{path}, line {error.lineno}, column {error.colno}: not JSON ({error.msg}).",
            "Correct this line.",
        ) from error
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, lists in lists in lists
        raise InputFileError(f"{path} holds a value that cannot be read: {error}.", "Correct it.") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT_NAME:
        raise InputFileError(
            f'{path} is not a recorded world: it lacks "format": "{FORMAT_NAME}".',
            "See docs/recorded-world.md.",
        )
    if data.get("version") != FORMAT_VERSION:
        raise InputFileError(
            f"{path} is of version {data.get('version')!r}; this program reads version {FORMAT_VERSION}.",
            "See docs/recorded-world.md.",
        )
    try:
        return WorldFile.model_validate(data)
    except ValidationError as error:
        fault = first_fault(error)
        raise InputFileError(
            f"{path}: {_where(data, fault.path)}: {fault.reason}.", "See docs/recorded-world.md."
        ) from error


def _read_text(path: Path) -> str:
    """The text of a file; never more than the limit is read, whatever its size is said to be."""
    with path.open("rb") as stream:
        content = stream.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise InputFileError(f"{path} is larger than {MAX_FILE_BYTES // 2**20} MB.", "Split it up.")
    return content.decode("utf-8-sig")


def _where(data: Any, location: tuple[int | str, ...]) -> str:
    """The place of an error in words: places[3] ("Café X").hours."""
    words = ""
    for part in location:
        if isinstance(part, int):
            words += f"[{part}]"
            data = data[part] if isinstance(data, list) and part < len(data) else None
            name = data.get("name") if isinstance(data, dict) else None
            words += f' ("{name}")' if isinstance(name, str) else ""
        else:
            words += f".{part}" if words else part
            data = data.get(part) if isinstance(data, dict) else None
    return words or "the file"

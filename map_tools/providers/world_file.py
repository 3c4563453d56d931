"""The format of a recorded world, and reading it: see `docs/recorded-world.md`."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import AliasChoices, Field, ValidationError, model_validator

from map_tools.errors import InputFileError
from map_tools.modes import Mode
from map_tools.providers.world_values import (
    Category,
    Distance,
    Duration,
    HoursText,
    Position,
    Price,
    Rating,
    ReviewText,
    Services,
    ShapeText,
    StepText,
)
from map_tools.types import Frozen, Place, TravelMode
from map_tools.validation import first_fault

FORMAT_NAME = "mapagent-world"
FORMAT_VERSION = 1
MAX_FILE_BYTES = 256 * 2**20

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

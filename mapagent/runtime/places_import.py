"""Own places from a file: a table (CSV) with names and positions, or GeoJSON."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from map_tools.errors import InputFileError, PlaceNotFoundError, UsageError
from map_tools.own_places import OwnPlace
from map_tools.types import LatLng
from mapagent.core.rendering import clean
from mapagent.runtime.own_places import MAX_PLACES, checked_name

MAX_FILE_BYTES = 32_000_000
_NAMES = ("name", "title", "label")
_LATS = ("lat", "latitude", "y")
_LNGS = ("lon", "lng", "long", "longitude", "x")
_DELIMITERS = ",;\t"
_DECIMALS = 7
"""Decimals of degrees: about a centimetre."""


@dataclass(frozen=True)
class Imported:
    """The result of reading a file.

    Attributes:
        places: Those that can be used, in its order.
        faults: A sentence for each of the others.
    """

    places: tuple[OwnPlace, ...]
    faults: tuple[str, ...]


@dataclass(frozen=True)
class _Row:
    """A place as it is in a file; `where` names its line or feature."""

    where: str
    name: str
    lat: Any
    lng: Any


def read_places(path: Path, kind: str | None = None) -> Imported:
    """The places of a file, as a list of a kind.

    Args:
        path: CSV with columns `name`, `lat` and `lon`, or GeoJSON whose features have a property `name`; of lines
            and areas the centroid counts.
        kind: Name of the list; None: that of the file.

    Raises:
        InputFileError: It cannot be read, is neither, lacks a column, or has too many rows.
        UsageError: The kind is not a valid name.
    """
    kind = checked_name(path.stem.replace("_", " ") if kind is None else kind, "kind")
    text = _text(path)
    rows = _features(path, text) if text.lstrip()[:1] in {"{", "["} else _lines(path, text)
    places, faults = [], []
    for number, row in enumerate(rows, start=1):
        if number > MAX_PLACES:
            raise InputFileError(
                f"{path} has more than {MAX_PLACES} rows, the maximum.",
                "Give a part of it, or make a map.",
            )
        try:
            places.append(_place(row, kind))
        except (UsageError, PlaceNotFoundError) as error:
            faults.append(f"{row.where}: {error.message}")
    return Imported(tuple(places), tuple(faults))


def _place(row: _Row, kind: str) -> OwnPlace:
    if row.lat is None or row.lng is None:
        raise UsageError("It has no position.")
    try:
        location = LatLng(lat=float(row.lat), lng=float(row.lng))
    except (TypeError, ValueError, ValidationError):
        shown = clean(f"{row.lat}, {row.lng}")[:60]
        raise UsageError(f"'{shown}' is not a latitude and longitude in degrees.") from None
    return OwnPlace(name=checked_name(row.name), location=location, kind=kind)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InputFileError(
            f"{path} cannot be read: {error.strerror}.", "Name a file you may read."
        ) from error
    if len(content) > MAX_FILE_BYTES:
        raise InputFileError(f"{path} is larger than {MAX_FILE_BYTES // 1_000_000} MB.", "Give a part of it.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputFileError(f"{path} is not UTF-8 text.", "Convert it to UTF-8.") from error
    if not text.strip():
        raise InputFileError(f"{path} is empty.", "Give CSV or GeoJSON.")
    return text


def _lines(path: Path, text: str) -> Iterator[_Row]:
    header = text.lstrip().partition("\n")[0]
    delimiter = max(_DELIMITERS, key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        columns = [name.strip().casefold() for name in next(row for row in reader if any(row))]
        name, lat, lng = (_column(path, columns, known) for known in (_NAMES, _LATS, _LNGS))
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            full = (*cells, *[""] * len(columns))
            yield _Row(f"line {reader.line_num}", full[name], *_numbers(full[lat], full[lng], delimiter))
    except csv.Error as error:
        raise InputFileError(
            f"{path}, line {reader.line_num}, is not CSV: {error}.", "Fix that line."
        ) from error


def _column(path: Path, columns: Sequence[str], known: Iterable[str]) -> int:
    found = next((columns.index(one) for one in known if one in columns), None)
    if found is None:
        first, *others = known
        raise InputFileError(
            f"{path} has no column '{first}'; it has {', '.join(filter(None, columns))[:200] or 'none'}.",
            f"Its first line names the columns: name, lat, lon ({', '.join(others)} will do too).",
        )
    return found


def _numbers(lat: str, lng: str, delimiter: str) -> tuple[str, str]:
    """Replaces decimal commas by points, unless commas separate the columns."""
    return (lat, lng) if delimiter == "," else (lat.replace(",", "."), lng.replace(",", "."))


def _features(path: Path, text: str) -> Iterator[_Row]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputFileError(f"{path} is not JSON: {error}.", "Give CSV or GeoJSON.") from error
    kind = found.get("type") if isinstance(found, Mapping) else None
    features = (
        found.get("features") if kind == "FeatureCollection" else [found] if kind == "Feature" else None
    )
    if not isinstance(features, list):
        raise InputFileError(
            f"{path} is JSON, but no GeoJSON with features.", "Save it as a FeatureCollection."
        )
    for number, feature in enumerate(features, start=1):
        known = feature if isinstance(feature, Mapping) else {}
        properties = known.get("properties")
        told = properties if isinstance(properties, Mapping) else {}
        name = next((str(told[key]) for key in _NAMES if told.get(key) not in {None, ""}), "")
        yield _Row(f"feature {number}", name, *_middle(known.get("geometry")))


def _middle(geometry: Any) -> tuple[Any, Any]:
    """Latitude and longitude of a point, or of the centroid of something larger; None where there are none."""
    import shapely
    from shapely.geometry import shape

    try:
        middle = shape(geometry).centroid
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, shapely.errors.ShapelyError):
        return None, None
    return (None, None) if middle.is_empty else (round(middle.y, _DECIMALS), round(middle.x, _DECIMALS))

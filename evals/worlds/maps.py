"""Maps made of other things than extracts: of lists of places, or of a benchmark's published extract.

A list of places can also be put into an OpenStreetMap extract in the stead of its own places.

The result is an ordinary map (`map_tools.maps`): the provider `osm` opens it, with streets and areas of the
extract, and everything that works on maps works on it.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from map_tools.errors import UnknownNameError
from map_tools.files import file_sha256
from map_tools.kinds.tag_categories import categories_of
from map_tools.maps.feature import Feature, Shape
from map_tools.maps.home import MapHome
from map_tools.maps.info import INFO_FILE, MapInfo, mark_files, read_info, write_info
from map_tools.maps.making.extract import Extract as OsmFile
from map_tools.maps.making.ingest import covered_box, write_store, zone_at
from map_tools.maps.making.tiles import TileBuild
from map_tools.spatial_db.load import TableData

FIRST_ID = 10**15
"""Listed places are nodes from this number on: far beyond the ids of OpenStreetMap (some 10^10 in 2026)."""

_DIGITS = 12

UNKNOWN_KIND = ("place",)
"""Category of a listed place whose kind is not known: it can be found by its name and by nothing else."""


@dataclass(frozen=True, slots=True)
class ListedPlace:
    """A place to put on a map.

    Attributes:
        lat: Latitude in degrees, `lng` longitude.
        tags: As OpenStreetMap writes them, `name` among them.
    """

    lat: float
    lng: float
    tags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Extract:
    """An extract to put places into.

    Attributes:
        path: The `.osm.pbf` file.
        kept: Which of its features stay.
    """

    path: Path
    kept: Callable[[Feature], bool]


def build_place_map(
    listed: Sequence[ListedPlace],
    *,
    name: str,
    home: MapHome,
    source: str,
    attribution: str,
    extract: Extract | None = None,
) -> MapInfo:
    """Builds a map; one of the same name is replaced.

    Args:
        listed: The places; the n-th becomes the node `FIRST_ID + n`.
        name: The map's name.
        home: Where maps live.
        source: What it was made from, for people.
        attribution: The credit that answers show.
        extract: An extract whose streets and areas the map gets.

    Raises:
        InputFileError: The extract is missing or none.
        MapStoreError: The map cannot be written.
    """
    with home.building(name) as folder, ExitStack() as held:
        tiles = held.enter_context(TileBuild(extract.path, folder)) if extract is not None else None
        counts = write_store(_features_of_places(listed, extract), folder)
        routable = tiles.wait() if tiles is not None else False
        box = covered_box(folder)
        info = MapInfo(
            name=name,
            source_file=source,
            source_sha256=places_digest(listed, extract.path if extract is not None else None),
            attribution=attribution,
            attribution_url="",
            timezone=zone_at(box),
            bbox=box,
            counts={**counts, "damaged": 0},
            routable=routable,
            files=mark_files(folder),
        )
        write_info(folder, info)
    return info


def kept_place_map(
    listed: Sequence[ListedPlace], *, prefix: str, home: MapHome, source: str, attribution: str
) -> Path:
    """The folder of the map of some places, named after their hash: built on first use, then kept.

    Raises:
        MapStoreError: The map cannot be written.
    """
    digest = places_digest(listed)
    name = f"{prefix}-{digest[:_DIGITS]}"
    try:
        if read_info(home.path(name)).source_sha256 == digest:
            return home.path(name)
    except UnknownNameError:
        pass
    build_place_map(listed, name=name, home=home, source=source, attribution=attribution)
    return home.path(name)


def places_digest(listed: Sequence[ListedPlace], extract_path: Path | None = None) -> str:
    """Hash of the places, and of the extract they are put into."""
    digest = hashlib.sha256(file_sha256(extract_path).encode() if extract_path is not None else b"")
    for place in listed:
        digest.update(json.dumps([place.lat, place.lng, dict(place.tags)], sort_keys=True).encode())
    return digest.hexdigest()


def _features_of_places(listed: Sequence[ListedPlace], extract: Extract | None) -> Iterator[Feature]:
    if extract is not None:
        yield from filter(extract.kept, OsmFile(extract.path).features())
    for number, place in enumerate(listed):
        categories = categories_of(place.tags) or UNKNOWN_KIND
        yield Feature("n", FIRST_ID + number, place.tags, categories, Shape.POINT, place.lat, place.lng)


_TAGS = {"addr_street": "addr:street", "addr_city": "addr:city", "addr_state": "addr:state",
    "addr_postcode": "addr:postcode", "addr_housenumber": "addr:housenumber"}  # fmt: skip
_NOT_TAGS = frozenset({"id", "osm_id", "other_ids", "region", "source", "lat", "lon", "geometry"})


def built_map(tables: tuple[TableData, ...], folder: Path, name: str, digest: str) -> Path:
    """The folder of the map of some tables, built beside and renamed: a kill leaves nothing half-made.

    Args:
        tables: The places.
        folder: Where the map is kept.
        name: What it is called.
        digest: Tells what the tables were made of.
    """
    if (folder / INFO_FILE).is_file():
        return folder
    beside = folder.with_name(f".{folder.name}")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    counts = write_store(_features_of_tables(tables), beside)
    box = covered_box(beside)
    info = MapInfo(
        name=name,
        source_file=name,
        source_sha256=digest,
        timezone=zone_at(box),
        bbox=box,
        counts=counts,
        routable=False,
        files=mark_files(beside),
    )
    write_info(beside, info)
    beside.rename(folder)
    return folder


def _features_of_tables(tables: tuple[TableData, ...]) -> Iterator[Feature]:
    """The rows of all tables as features of a map, numbered through."""
    import shapely

    number = 0
    for table in tables:
        columns = [column.name for column in table.columns]
        for row in table.rows():
            if row[-1] is None:
                continue
            number += 1
            tags = _tags(dict(zip(columns, row, strict=True)), table.name)
            geometry = shapely.from_wkb(bytes(row[-1]))
            shape = _shape(geometry)
            if shape is Shape.POINT:
                yield Feature("n", number, tags, categories_of(tags), shape, geometry.y, geometry.x)
            else:
                valid = shapely.make_valid(geometry)
                kind = "w" if shape is Shape.LINE else "r"
                yield Feature(kind, number, tags, categories_of(tags), shape, wkb=bytes(valid.wkb))


def _tags(values: Mapping[str, Any], table: str) -> dict[str, str]:
    """The tags that a row was made of."""
    tags = {
        (
            "name"
            if key == "name" or (key.endswith("_name") and key != "official_name")
            else _TAGS.get(key, key)
        ): str(value)
        for key, value in values.items()
        if value is not None and key not in _NOT_TAGS
    }
    return tags | ({"boundary": "administrative"} if table == "regions" else {})


def _shape(geometry: Any) -> Shape:
    if geometry.geom_type.endswith("Point"):
        return Shape.POINT
    return Shape.AREA if geometry.geom_type.endswith("Polygon") else Shape.LINE

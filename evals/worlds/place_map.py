"""Maps made of lists of places: alone, or put into an OpenStreetMap extract in the stead of its own places.

The result is an ordinary map (`map_tools.maps`): the provider `osm` opens it, with streets and areas of the
extract, and everything that works on maps works on it.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from map_tools.digests import file_sha256
from map_tools.errors import UnknownNameError
from map_tools.maps.extract import Extract as OsmFile
from map_tools.maps.feature import Feature, Shape
from map_tools.maps.home import MapHome
from map_tools.maps.info import MapInfo, mark_files, read_info, write_info
from map_tools.maps.ingest import covered_box, write_store, zone_at
from map_tools.maps.tiles import TileBuild
from map_tools.tag_categories import categories_of

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
        counts = write_store(_features(listed, extract), folder)
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


def _features(listed: Sequence[ListedPlace], extract: Extract | None) -> Iterator[Feature]:
    if extract is not None:
        yield from filter(extract.kept, OsmFile(extract.path).features())
    for number, place in enumerate(listed):
        categories = categories_of(place.tags) or UNKNOWN_KIND
        yield Feature("n", FIRST_ID + number, place.tags, categories, Shape.POINT, place.lat, place.lng)

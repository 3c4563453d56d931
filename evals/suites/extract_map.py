"""A published extract as a map: for methods that read all places of a map from its folder."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from map_tools.maps.feature import Feature, Shape
from map_tools.maps.info import INFO_FILE, MapInfo, mark_files, write_info
from map_tools.maps.ingest import covered_box, write_store, zone_at
from map_tools.spatial_db.load import TableData
from map_tools.tag_categories import categories_of

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
    counts = write_store(_features(tables), beside)
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


def _features(tables: tuple[TableData, ...]) -> Iterator[Feature]:
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

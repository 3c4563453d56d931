"""The records that features become in the tables of a region."""

import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from map_tools.kinds.tag_categories import raw_kinds
from map_tools.maps.entries import Entry, addresses_of, kept_shape, names_of, tags_json
from map_tools.maps.feature import SHAPES, Feature, importance
from map_tools.maps.spatial import EVERYTHING
from map_tools.maps.tags import keywords, main_name
from map_tools.providers.postgis.tables import row_number, thing_number
from map_tools.types import ADDRESS

type Record = Sequence[Any]
"""The values of one row of a table, in the order of its columns."""


def records(region: int, batch: Sequence[Entry]) -> dict[str, Iterator[Record]]:
    """What a batch of entries adds to each table that is copied into."""
    rows = [(row_number(region, entry.row), entry) for entry in batch]
    return {
        "features": ((region, row, *_feature(entry), row, row, []) for row, entry in rows),
        "places": (
            (region, row, _thing(entry), category, point_wkb(entry.lat, entry.lng))
            for row, entry in rows
            for category in _categories(entry.feature)
        ),
        "bearers": (
            (region, name, row, importance(entry.feature), _shape(entry.feature), entry.lat, entry.lng)
            for row, entry in rows
            for name in names_of(entry.feature)
        ),
        "addresses": (
            (region, *address, row) for row, entry in rows for address in addresses_of(entry.feature)
        ),
    }


def _feature(entry: Entry) -> Record:
    feature = entry.feature
    shape = kept_shape(feature)
    return (
        _thing(entry),
        list(feature.categories),
        tags_json(feature),
        sorted(keywords(feature.tags)),
        importance(feature),
        _shape(feature),
        entry.lat,
        entry.lng,
        None if shape is None else shape.hex(),
    )


def _categories(feature: Feature) -> Iterator[str]:
    if ADDRESS not in feature.categories:
        yield EVERYTHING
    yield from feature.categories
    yield from raw_kinds(feature.tags)


def _thing(entry: Entry) -> int:
    return thing_number(entry.feature.kind, entry.feature.osm_id)


def _shape(feature: Feature) -> int:
    return SHAPES.index(feature.shape)


def point_wkb(lat: float, lng: float) -> str:
    """Well-known binary of a point in hexadecimal digits (OGC 06-103r4, section 8)."""
    return struct.pack("<BIdd", 1, 1, lng, lat).hex()


def counts_of(batch: Sequence[Entry]) -> dict[str, int]:
    """How many of what are in a batch, under the names of `MapInfo.counts`."""
    counts = Counter(f"{entry.feature.shape}s" for entry in batch)
    counts["features"] = len(batch)
    counts["named"] = sum(bool(main_name(entry.feature.tags)) for entry in batch)
    counts["addresses"] = sum(next(addresses_of(entry.feature), None) is not None for entry in batch)
    return counts

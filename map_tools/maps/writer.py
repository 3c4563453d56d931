"""Writes the store of a map: the table of features, then the indexes, in one folder."""

import json
import sqlite3
from array import array
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from map_tools.areas import AREA_KINDS, own_plain_area
from map_tools.maps import spatial
from map_tools.maps.centers import Centers
from map_tools.maps.feature import ADDRESS, SHAPES, Feature, Shape, importance
from map_tools.maps.info import FEATURES_FILE, INDEX_FOLDER
from map_tools.maps.name_index import build_names
from map_tools.maps.names import canonical
from map_tools.maps.postings import Numbers, Postings, build, text_key
from map_tools.maps.tags import (
    CITY,
    HOUSE_NUMBER,
    STREET,
    has_address,
    house_numbers,
    keywords,
    main_name,
    other_names,
)

_BATCH = 20_000

_TABLES = """
CREATE TABLE features (
    row INTEGER PRIMARY KEY, kind TEXT NOT NULL, osm_id INTEGER NOT NULL, categories TEXT NOT NULL,
    tags TEXT NOT NULL
);
CREATE TABLE shapes (row INTEGER PRIMARY KEY, wkb BLOB NOT NULL);
CREATE TABLE addresses (street TEXT NOT NULL, number TEXT NOT NULL, city TEXT NOT NULL, row INTEGER NOT NULL);
CREATE TABLE categories (category TEXT PRIMARY KEY, first INTEGER NOT NULL, past INTEGER NOT NULL);
"""
_INDEXES = """
CREATE INDEX features_by_id ON features (kind, osm_id);
CREATE INDEX addresses_by_street ON addresses (street, number);
CREATE INDEX addresses_by_city ON addresses (city);
"""


class StoreWriter:
    """Takes features one by one and writes the files of a store.

    Args:
        folder: An existing folder; the files are made in it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._database = sqlite3.connect(folder / FEATURES_FILE, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.executescript(_TABLES)
        self._database.execute("BEGIN")
        self._pending: list[Feature] = []
        self._lats = array("d")
        self._lngs = array("d")
        self._shapes = array("B")
        self._importance = array("f")
        self._categories: list[tuple[str, ...]] = []
        self._names = _Bearers()
        self._keywords = _Bearers()
        self._centers = Centers()
        self._addresses = 0
        self._named = 0

    def add(self, feature: Feature) -> None:
        """Adds a feature; no two have the same kind and id."""
        self._pending.append(feature)
        if len(self._pending) >= _BATCH:
            self._flush()

    def finish(self) -> dict[str, int]:
        """Writes what remains and the indexes; returns the counts for `map.json`."""
        self._flush()
        for row, (lat, lng) in self._centers.moves().items():
            self._lats[row], self._lngs[row] = lat, lng
        index_folder = self._folder / INDEX_FOLDER
        index_folder.mkdir()
        self._write_arrays(index_folder)
        names = build_names(list(self._names.numbers), *self._names.pairs())
        names.save(index_folder)
        self._keywords_index().save(index_folder, "keyword")
        self._database.execute("COMMIT")
        self._database.executescript(_INDEXES)
        self._database.close()
        shapes = np.bincount(np.frombuffer(self._shapes, np.uint8), minlength=len(SHAPES))
        return {
            "features": len(self._lats),
            "named": self._named,
            **{f"{shape}s": int(count) for shape, count in zip(SHAPES, shapes, strict=True)},
            "addresses": self._addresses,
            "names": len(names),
        }

    def close(self) -> None:
        """Gives up: closes the database, whatever has been written."""
        self._database.close()

    def _flush(self) -> None:
        batch, self._pending = self._pending, []
        first = len(self._lats)
        for feature, (lat, lng) in zip(batch, _positions(batch), strict=True):
            row = len(self._lats)
            self._lats.append(lat)
            self._lngs.append(lng)
            self._note(row, feature)
            self._centers.note(row, feature)
        rows = list(enumerate(batch, first))
        self._database.executemany(
            "INSERT INTO features VALUES (?, ?, ?, ?, ?)",
            (_feature_record(row, feature) for row, feature in rows),
        )
        self._database.executemany(
            "INSERT INTO shapes VALUES (?, ?)",
            ((row, feature.wkb) for row, feature in rows if _keeps_shape(feature)),
        )
        addresses = [record for row, feature in rows for record in _address_records(row, feature)]
        self._addresses += len({record[3] for record in addresses})
        self._database.executemany("INSERT INTO addresses VALUES (?, ?, ?, ?)", addresses)

    def _note(self, row: int, feature: Feature) -> None:
        """Collects what the indexes need of a feature."""
        self._shapes.append(SHAPES.index(feature.shape))
        self._importance.append(importance(feature))
        self._categories.append(feature.categories)
        name = main_name(feature.tags)
        self._named += bool(name)
        for form in {canonical(text) for text in (name, *_further_names(feature)) if text}:
            if form:
                self._names.add(form, row)
        for word in keywords(feature.tags):
            self._keywords.add(word, row)

    def _write_arrays(self, folder: Path) -> None:
        lats, lngs = np.asarray(self._lats, np.float64), np.asarray(self._lngs, np.float64)
        np.save(folder / "lats.npy", lats)
        np.save(folder / "lngs.npy", lngs)
        np.save(folder / "shapes.npy", np.asarray(self._shapes, np.uint8))
        np.save(folder / "importance.npy", np.asarray(self._importance, np.float32))
        places = np.fromiter((ADDRESS not in given for given in self._categories), np.bool_, len(lats))
        index = spatial.build(self._categories, lats, lngs, places)
        spatial.save(index, folder)
        self._database.executemany(
            "INSERT INTO categories VALUES (?, ?, ?)",
            ((category, first, past) for category, (first, past) in index.slices.items()),
        )

    def _keywords_index(self) -> Postings:
        words = self._keywords.numbers
        keys = np.fromiter((text_key(word) for word in words), np.uint64, len(words))
        owners, rows = self._keywords.pairs()
        return build(keys[owners], rows)


class _Bearers:
    """Texts, numbered as they come, and the rows that bear them; compact, for there can be millions."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._owners = array("I")
        self._rows = array("I")

    def add(self, text: str, row: int) -> None:
        self._owners.append(self.numbers.setdefault(text, len(self.numbers)))
        self._rows.append(row)

    def pairs(self) -> tuple[Numbers, Numbers]:
        """Numbers of texts, and the row beside each."""
        return np.frombuffer(self._owners, np.uint32), np.frombuffer(self._rows, np.uint32)


def _further_names(feature: Feature) -> Iterable[str]:
    """Other names, and of an area also its name without the word for its kind."""
    yield from other_names(feature.tags)
    if not AREA_KINDS.isdisjoint(feature.categories):
        yield own_plain_area(main_name(feature.tags)) or ""


def _keeps_shape(feature: Feature) -> bool:
    """A mere address needs no outline."""
    return feature.wkb is not None and ADDRESS not in feature.categories


def _feature_record(row: int, feature: Feature) -> tuple[int, str, int, str, str]:
    tags = json.dumps(dict(feature.tags), ensure_ascii=False, separators=(",", ":"))
    return row, feature.kind, feature.osm_id, ",".join(feature.categories), tags


def _address_records(row: int, feature: Feature) -> Iterable[tuple[str, str, str, int]]:
    tags = feature.tags
    if not has_address(tags):
        return
    city = canonical(tags.get(CITY, ""))
    for street in dict.fromkeys(tags[key] for key in (STREET, "addr:place") if key in tags):
        for number in dict.fromkeys(house_numbers(tags[HOUSE_NUMBER])):
            yield canonical(street), number, city, row


def _positions(features: list[Feature]) -> list[tuple[float, float]]:
    """A point of each feature: its own, the middle of a line, a point inside an area."""
    positions = [(feature.lat, feature.lng) for feature in features]
    for shape in (Shape.LINE, Shape.AREA):
        rows = [row for row, feature in enumerate(features) if feature.shape is shape]
        if rows:
            points = _points_on([features[row].wkb for row in rows], shape)
            for row, position in zip(rows, points, strict=True):
                positions[row] = position
    return positions


def _points_on(shapes: list[bytes | None], shape: Shape) -> list[tuple[float, float]]:
    import shapely

    geometries = shapely.from_wkb(shapes)
    if shape is Shape.LINE:
        points = shapely.line_interpolate_point(geometries, 0.5, normalized=True)
    else:
        points = shapely.point_on_surface(geometries)
    return list(zip(shapely.get_y(points).tolist(), shapely.get_x(points).tolist(), strict=True))

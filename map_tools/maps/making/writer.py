"""Writes the store of a map: the table of features, then the indexes, in one folder."""

import json
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from map_tools.kinds.tag_categories import raw_kinds
from map_tools.maps import spatial
from map_tools.maps.feature import (
    AREA_CODE,
    LEFT_OUT,
    LINE_CODE,
    SHAPES,
    Centers,
    Entry,
    addresses_of,
    importance,
    kept_shape,
    names_of,
    tags_json,
    tags_text,
)
from map_tools.maps.geodesic import Floats
from map_tools.maps.info import FEATURES_FILE, INDEX_FOLDER
from map_tools.maps.making.lines import Lines
from map_tools.maps.making.twins import Said, Twins, United
from map_tools.maps.postings import Numbers, Postings, build, once, text_key
from map_tools.maps.search.name_index import build_names
from map_tools.maps.tags import keywords, main_name
from map_tools.types import ADDRESS

_TABLES = """
CREATE TABLE features (
    row INTEGER PRIMARY KEY, kind TEXT NOT NULL, osm_id INTEGER NOT NULL, categories TEXT NOT NULL,
    tags TEXT NOT NULL, kept INTEGER, others TEXT NOT NULL DEFAULT ''
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
_SAID = "SELECT row, kind, osm_id, categories, tags, wkb FROM features LEFT JOIN shapes USING (row)"


class StoreWriter:
    """Takes features batch by batch and writes the files of a store.

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
        self._lats = array("d")
        self._lngs = array("d")
        self._shapes = array("B")
        self._importance = array("f")
        self._categories: list[tuple[str, ...]] = []
        self._tags_as_kinds: list[tuple[str, ...]] = []
        self._names = _Bearers()
        self._keywords = _Bearers()
        self._centers = Centers()
        self._lines = Lines()
        self._twins = Twins()
        self._addresses = 0
        self._named = 0
        self._kept: dict[int, int] | None = None

    def __len__(self) -> int:
        return len(self._lats)

    @property
    def points(self) -> tuple[Floats, Floats]:
        """Latitudes and longitudes of the features so far."""
        return np.array(self._lats, np.float64), np.array(self._lngs, np.float64)

    def add(self, entries: Sequence[Entry]) -> None:
        """Adds the next entries; no two of a store have the same kind and id."""
        self._note(entries)
        self._database.executemany(
            "INSERT INTO features (row, kind, osm_id, categories, tags) VALUES (?, ?, ?, ?, ?)",
            map(_record, entries),
        )
        shapes = ((entry.row, kept_shape(entry.feature)) for entry in entries)
        self._database.executemany(
            "INSERT INTO shapes VALUES (?, ?)", (shape for shape in shapes if shape[1] is not None)
        )
        addresses = [(*address, entry.row) for entry in entries for address in addresses_of(entry.feature)]
        self._addresses += len({record[3] for record in addresses})
        self._database.executemany("INSERT INTO addresses VALUES (?, ?, ?, ?)", addresses)

    def settle(self) -> None:
        """Makes one of entries that are one place. What is added from then on is of another source."""
        if self._kept is None:
            self._kept = {}
            for row, (lat, lng) in self._centers.moves().items():
                self._lats[row], self._lngs[row] = lat, lng
            self.unite(self._twins.united(self._fetched))

    def standing(self) -> Iterator[Said]:
        """All points and areas that are places, after `settle`; what is united with another one is that one."""
        found = self._database.execute(f"{_SAID} WHERE kept IS NULL AND categories != ?", (ADDRESS,))
        yield from (_said(record) for record in found if self._shapes[record[0]] != LINE_CODE)

    def position(self, row: int) -> tuple[float, float]:
        """Latitude and longitude of the point that stands for a feature."""
        return self._lats[row], self._lngs[row]

    def said(self, row: int) -> Said:
        """What a feature says."""
        return next(self._fetched([row]))

    def unite(self, places: Iterable[United]) -> None:
        """Makes one of entries, after `settle`; of a place that more are united with later the ids add up."""
        pairs: list[tuple[int, int]] = []
        for place in places:
            pairs += [(place.row, row) for row in place.others]
            self._unite(place)
        self._database.executemany("UPDATE features SET kept = ? WHERE row = ?", pairs)

    def finish(self) -> dict[str, int]:
        """Writes the indexes; returns the counts for `map.json`."""
        self.settle()
        kept = self._kept or {}
        self._database.execute(
            "UPDATE addresses SET row = (SELECT kept FROM features f WHERE f.row = addresses.row)"
            " WHERE row IN (SELECT row FROM features WHERE kept IS NOT NULL)"
        )
        index_folder = self._folder / INDEX_FOLDER
        index_folder.mkdir()
        self._write_arrays(index_folder)
        names = build_names(list(self._names.numbers), *self._names.pairs(kept))
        names.save(index_folder)
        self._keywords_index(kept).save(index_folder, "keyword")
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
            "united": len(kept),
        }

    def close(self) -> None:
        """Gives up: closes the database, whatever has been written."""
        self._database.close()

    def _note(self, entries: Sequence[Entry]) -> None:
        """Collects what the indexes need of features."""
        self._lats.extend([entry.lat for entry in entries])
        self._lngs.extend([entry.lng for entry in entries])
        features = [entry.feature for entry in entries]
        self._shapes.extend([SHAPES.index(feature.shape) for feature in features])
        self._importance.extend(map(importance, features))
        self._categories.extend([feature.categories for feature in features])
        self._tags_as_kinds.extend([raw_kinds(feature.tags) for feature in features])
        for entry in entries:  # all that is done with a name at once, while its canonical form is kept
            row, feature = entry.row, entry.feature
            self._named += bool(main_name(feature.tags))
            self._names.add(names_of(feature), row)
            self._keywords.add(keywords(feature.tags), row)
            if self._kept is None:
                self._centers.note(row, feature)
                self._lines.note(row, feature)
                self._twins.note(entry)

    def _write_arrays(self, folder: Path) -> None:
        lats, lngs = np.asarray(self._lats, np.float64), np.asarray(self._lngs, np.float64)
        np.save(folder / "lats.npy", lats)
        np.save(folder / "lngs.npy", lngs)
        np.save(folder / "shapes.npy", np.asarray(self._shapes, np.uint8))
        np.save(folder / "importance.npy", np.asarray(self._importance, np.float32))
        np.save(folder / "wholes.npy", self._wholes())
        places = np.fromiter(
            (bool(given) and ADDRESS not in given for given in self._categories), np.bool_, len(lats)
        )
        kinds = [own + tags for own, tags in zip(self._categories, self._tags_as_kinds, strict=True)]
        index = spatial.build(kinds, lats, lngs, places)
        spatial.save(index, folder)
        self._database.executemany(
            "INSERT INTO categories VALUES (?, ?, ?)",
            ((category, first, past) for category, (first, past) in index.slices.items()),
        )

    def _wholes(self) -> Numbers:
        """Of each row the first row of the line it is a piece of; of what is no piece its own."""
        wholes = np.arange(len(self._lats), dtype=np.uint32)
        for row, first in self._lines.firsts().items():
            wholes[row] = first
        return wholes

    def _unite(self, place: United) -> None:
        """Notes that several rows are one place, which is the first of them."""
        kept = self._kept if self._kept is not None else {}
        kept.update(dict.fromkeys(place.others, place.row))
        self._categories[place.row] = place.categories
        self._tags_as_kinds[place.row] = raw_kinds(place.tags)
        self._importance[place.row] = max(self._importance[row] for row in (place.row, *place.others))
        for row in place.others:
            self._categories[row], self._importance[row] = (), LEFT_OUT
            self._tags_as_kinds[row] = ()
        if place.outline is not None:
            self._shapes[place.row] = AREA_CODE
            outline = (place.row, place.outline)
            self._database.execute("INSERT OR REPLACE INTO shapes VALUES (?, ?)", outline)
        self._database.execute(
            "UPDATE features SET categories = ?, tags = ?, others = ltrim(others || ',' || ?, ',') WHERE row = ?",
            (",".join(place.categories), tags_text(place.tags), ",".join(place.ids), place.row),
        )

    def _fetched(self, rows: Sequence[int]) -> Iterator[Said]:
        """What the features in some rows say."""
        for row in rows:
            found = self._database.execute(f"{_SAID} WHERE row = ?", (row,))
            yield _said(found.fetchone())

    def _keywords_index(self, kept: Mapping[int, int]) -> Postings:
        words = self._keywords.numbers
        keys = np.fromiter((text_key(word) for word in words), np.uint64, len(words))
        owners, rows = self._keywords.pairs(kept)
        return build(keys[owners], rows)


class _Bearers:
    """Texts, numbered as they come, and the rows that bear them; compact, for there can be millions."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._owners = array("I")
        self._rows = array("I")

    def add(self, texts: Iterable[str], row: int) -> None:
        numbers = self.numbers
        for text in texts:
            self._owners.append(numbers.setdefault(text, len(numbers)))
            self._rows.append(row)

    def pairs(self, kept: Mapping[int, int]) -> tuple[Numbers, Numbers]:
        """Numbers of texts, and beside each the row that bears it, once; rows left out are those kept."""
        owners, rows = np.frombuffer(self._owners, np.uint32), np.frombuffer(self._rows, np.uint32)
        if not kept:
            return owners, rows
        standing = np.arange(int(rows.max(initial=0)) + 1, dtype=np.uint32)
        left = [row for row in kept if row < len(standing)]
        standing[left] = [kept[row] for row in left]
        rows = standing[rows]
        chosen = once((owners.astype(np.uint64) << np.uint64(32)) | rows)
        return owners[chosen], rows[chosen]


def _record(entry: Entry) -> tuple[int, str, int, str, str]:
    feature = entry.feature
    return entry.row, feature.kind, feature.osm_id, ",".join(feature.categories), tags_json(feature)


def _said(record: tuple[int, str, int, str, str, bytes | None]) -> Said:
    row, kind, number, categories, tags, wkb = record
    return Said(row, f"{kind}{number}", tuple(categories.split(",")), json.loads(tags), wkb)

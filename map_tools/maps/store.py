"""A map opened for reading."""

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from map_tools.compute.shapes import shape_of_wkb
from map_tools.kinds.concepts import without_covered
from map_tools.kinds.tag_categories import has_tag, is_unlisted
from map_tools.maps.feature import AREA_CODE, LINE_CODE
from map_tools.maps.geodesic import Floats
from map_tools.maps.home import Pin
from map_tools.maps.info import (
    FEATURES_FILE,
    INDEX_FOLDER,
    TILES_FOLDER,
    MapInfo,
    check_sizes,
    damaged,
    read_info,
)
from map_tools.maps.places import place_on, thing_of
from map_tools.maps.postings import Numbers, Postings, among, load_array, once, text_key
from map_tools.maps.sea import read_sea
from map_tools.maps.search.finder import Finder, Within
from map_tools.maps.search.gazetteer import Record, StoreGazetteer, Traits
from map_tools.maps.search.name_index import NameIndex
from map_tools.maps.search.names import canonical
from map_tools.maps.spatial import EVERYTHING, Around, SpatialIndex, nearest
from map_tools.maps.tags import keyword_words
from map_tools.overture import provenance
from map_tools.transit.timetable import Timetable
from map_tools.types import ADDRESS, Box, LatLng, Place, Shape

_MORE_PIECES = 3
"""So many times as many features are looked at where pieces of lines may make a list too short."""


class MapStore:
    """The features of one map; all methods may be called from several threads at once.

    A feature is known by its *row*, a number that is only valid for this build of the map. Lines and areas
    have a point that stands for them: the middle of a line, a point inside an area, the settlement that an
    administrative area is named after. Distances are measured to it.

    Use `MapStore.open`.
    """

    def __init__(self, pin: Pin, info: MapInfo, database: sqlite3.Connection) -> None:
        index = pin.folder / INDEX_FOLDER
        self.info = info
        self.folder = pin.folder
        self._pin = pin
        self.lats: Floats = load_array(index, "lats")
        self.lngs: Floats = load_array(index, "lngs")
        self.shapes: npt.NDArray[np.uint8] = load_array(index, "shapes")
        self._wholes: Numbers = load_array(index, "wholes")
        self.importance: npt.NDArray[np.float32] = load_array(index, "importance")
        self.names = NameIndex.load(index)
        self._keywords = Postings.load(index, "keyword")
        self._database = database
        self._lock = threading.Lock()
        self._tagged = lru_cache(maxsize=64)(self._find_tagged)
        slices = self.query("SELECT category, first, past FROM categories")
        self.spatial = SpatialIndex.load(index, {name: (first, past) for name, first, past in slices})

    @classmethod
    def open(cls, path: Path) -> "MapStore":
        """Opens the map in a folder; it can be read until it is closed, even if it is replaced or removed.

        Raises:
            MapStoreError: The folder is damaged, foreign or of another version.
        """
        with ExitStack() as undo:
            pin = Pin(path)
            undo.callback(pin.close)
            info = read_info(pin.folder)
            check_sizes(pin.folder, info)
            try:
                uri = f"{(pin.folder / FEATURES_FILE).as_uri()}?mode=ro&immutable=1"
                database = sqlite3.connect(uri, uri=True, check_same_thread=False)
                undo.callback(database.close)
                store = cls(pin, info, database)
            except (sqlite3.Error, OSError, ValueError) as error:
                raise damaged(info.name, "its files cannot be read") from error
            undo.pop_all()
            return store

    @contextmanager
    def reading(self) -> Iterator["MapStore"]:
        """The store itself, which never changes (`maps.reading.ReadableMap`)."""
        yield self

    def close(self) -> None:
        """Closes the database and lets the build go; the store cannot be used any more."""
        self._database.close()
        self._pin.close()

    @property
    def tiles(self) -> Path | None:
        """Folder of the routing tiles, None if the map has none."""
        return self.folder / TILES_FOLDER if self.info.routable else None

    @cached_property
    def sea(self) -> list[Any]:
        """The sea as shapely polygons in degrees, in pieces of few points; empty for a map without."""
        try:
            return read_sea(self.folder)
        except ValueError as error:
            raise damaged(self.info.name, str(error).rstrip(".")) from error

    def timetable(self) -> Timetable:
        """Reads the timetable of public transport.

        Raises:
            MapStoreError: The map has none (`info.timetable` tells), or its file is damaged.
        """
        return Timetable.load(self.folder)

    def __len__(self) -> int:
        return len(self.lats)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """All category ids of places: of features that are more than an address."""
        return frozenset(kind for kind in self.spatial.slices if "=" not in kind) - {EVERYTHING, ADDRESS}

    def rows(self) -> list[int]:
        """The rows of all features but those that are united with another one, ascending."""
        return [row for (row,) in self.query("SELECT row FROM features WHERE kept IS NULL ORDER BY row")]

    def place(self, row: int) -> Place:
        """Everything known of a feature."""
        kind, osm_id, categories, tags, others = self._record(row)
        return place_on(self.info, (kind, osm_id), categories, tags, self.location(row), merged_from=others)

    def places(self, rows: Sequence[int]) -> list[Place]:
        """Everything known of some features."""
        return [self.place(row) for row in rows]

    def location(self, row: int) -> LatLng:
        """The point that stands for a feature."""
        return LatLng(lat=float(self.lats[row]), lng=float(self.lngs[row]))

    def tags(self, row: int) -> dict[str, str]:
        """A feature's OpenStreetMap tags."""
        tags: dict[str, str] = self._record(row)[3]
        return tags

    def categories(self, row: int) -> tuple[str, ...]:
        """A feature's category ids, most specific first."""
        categories: tuple[str, ...] = self._record(row)[2]
        return categories

    def row_of(self, place_id: str) -> int | None:
        """The row of a place id such as "osm:n123" or "overture:08f1…"; None if this map has no such feature.

        The id of an entry that is united with another one leads to that one.
        """
        thing = thing_of(place_id) or provenance.thing_of(place_id)
        if thing is None:
            return None
        found = self.query("SELECT coalesce(kept, row) FROM features WHERE kind = ? AND osm_id = ?", thing)
        return int(found[0][0]) if found else None

    def nearby(
        self,
        center: LatLng,
        radius_m: float,
        categories: Sequence[str] = (),
        keyword: str | None = None,
        limit: int | None = None,
    ) -> list[tuple[int, float]]:
        """Features around a point as (row, distance in metres), ascending.

        Args:
            center: The point.
            radius_m: Geodesic radius, inclusive; of lines and areas the point that stands for them counts.
            categories: Category ids, or tags ("amenity=bench"); a feature needs one of them. None given: any.
            keyword: Words that must all occur among name, brand, operator, cuisine, diet, sport or religion.
            limit: How many at most; None for all. A line that is mapped in pieces counts once.
        """
        wanted, only = self._sifted(categories, keyword)
        asked = limit if wanted or limit is None else limit * _MORE_PIECES
        while True:
            rows, distances = self._near(center, radius_m, wanted, only, asked)
            kept = once(self._wholes[rows])[:limit]
            if limit is None or asked is None or len(kept) >= limit or len(rows) < asked:
                return list(zip(rows[kept].tolist(), distances[kept].tolist(), strict=True))
            asked *= _MORE_PIECES

    def nearby_shape(
        self,
        shape: Shape,
        at: LatLng,
        radius_m: float,
        *,
        categories: Sequence[str] = (),
        keyword: str | None = None,
        limit: int | None = None,
    ) -> list[tuple[int, float]]:
        """Features around a shape, as `nearby`: what lies in an area is at distance 0.

        Args:
            shape: The area or line.
            at: Of what is equally far the nearest to this point comes first.
            radius_m: As for `nearby`; so are the rest.
            categories: Category ids.
            keyword: Words.
            limit: How many at most.
        """
        around = Around(shape, at)
        wanted, only = self._sifted(categories, keyword)
        for reach in around.reaches(radius_m, limit):
            rows, lats, lngs = self._in_box(around.box(reach), wanted, only)
            rows, distances = around.nearest(rows, lats, lngs, reach)
            kept = once(self._wholes[rows])[:limit]
            if limit is not None and len(kept) >= limit:
                break
        return list(zip(rows[kept].tolist(), distances[kept].tolist(), strict=True))

    def everywhere(self, categories: Sequence[str] = (), keyword: str | None = None) -> list[int]:
        """The rows of all features of a kind, ascending; a line that is mapped in pieces once."""
        wanted, only = self._sifted(categories, keyword)
        rows = np.sort(self.spatial.members(wanted or (EVERYTHING,)))
        if only is not None:
            rows = rows[among(rows, only)] if wanted else only
        kept: list[int] = rows[once(self._wholes[rows])].tolist()
        return kept

    def find(
        self,
        text: str,
        near: LatLng | None = None,
        limit: int = 5,
        *,
        kind: Sequence[str] = (),
        inside: int | None = None,
    ) -> list[tuple[int, float]]:
        """Features whose name or address fits a text as (row, score from 0 to 1), best first.

        Typing errors, accents, abbreviations ("St" for "Street"), names in other languages, an area after a
        comma or "in", and a kind of place beside the name are all understood. A street that the map holds in
        pieces counts once. Of equal names the better known one and the one nearer to `near` come first.

        Args:
            text: The text.
            near: Where the one that asks is, or what it is about.
            limit: How many at most.
            kind: Category ids, one of which they must have; none given: any feature.
            inside: The row of an area they must lie in.
        """
        return self._finder.find(text, near, limit, Within(tuple(kind), inside))

    def name_score(self, text: str) -> float:
        """0 to 1: how well the best name of the map fits a text."""
        return self._finder.name_score(text)

    def has_name(self, text: str) -> bool:
        """Whether a feature bears exactly this name, spelling variants aside; takes microseconds."""
        return self.names.exact(canonical(text)) is not None

    def inside(self, row: int, categories: Sequence[str] = (), keyword: str | None = None) -> list[int]:
        """Rows of the features whose point lies inside an area, without the area itself; ascending.

        Empty if the feature has no outline (`outline` tells).
        """
        outline = self.outline(row)
        if outline is None:
            return []
        import shapely

        area = shapely.from_wkb(outline)
        west, south, east, north = area.bounds
        wanted, only = self._sifted(categories, keyword)
        rows, lats, lngs = self.spatial.in_box(south, west, north, east, wanted)
        if only is not None:
            kept = among(rows, only)
            rows, lats, lngs = rows[kept], lats[kept], lngs[kept]
        shapely.prepare(area)
        within = np.sort(rows[shapely.contains_xy(area, lngs, lats)])
        return [int(other) for other in within[once(self._wholes[within])] if other != row]

    def best_known(self, count: int) -> list[int]:
        """The rows of the features of most importance; of equals, the earlier rows first."""
        rows: list[int] = np.argsort(-self.importance, kind="stable")[:count].tolist()
        return rows

    def outline(self, row: int) -> bytes | None:
        """An area's outline as well-known binary, (longitude, latitude); None for points and lines."""
        return self.geometry(row) if self.has_outline(row) else None

    def has_outline(self, row: int) -> bool:
        """True for an area; of one that is a mere address the map keeps no outline all the same."""
        return bool(self.shapes[row] == AREA_CODE)

    def shape(self, row: int) -> Shape | None:
        """The outline of an area, or the whole line that a feature is a piece of; None for all else."""
        if self.shapes[row] == AREA_CODE:
            outline = self.geometry(row)
            return None if outline is None else shape_of_wkb([outline], "area")
        if self.shapes[row] != LINE_CODE:
            return None
        pieces = np.flatnonzero(self._wholes == self._wholes[row]).tolist()
        found = [geometry for piece in pieces if (geometry := self.geometry(piece)) is not None]
        return shape_of_wkb(found, "line")

    def geometry(self, row: int) -> bytes | None:
        """A line's or area's geometry as well-known binary; None for points and mere addresses."""
        found = self.query("SELECT wkb FROM shapes WHERE row = ?", (row,))
        return bytes(found[0][0]) if found else None

    def query(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows of the features' database; SQL is ours alone, never a user's."""
        try:
            with self._lock:
                return self._database.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise damaged(self.info.name, f"{FEATURES_FILE} is damaged") from error

    @cached_property
    def _finder(self) -> Finder:
        traits = Traits(self.lats, self.lngs, self.importance, self.shapes)
        return Finder(
            StoreGazetteer(
                self.names,
                traits,
                record=self._said,
                members=self.spatial.members,
                outline=self.outline,
                query=self.query,
            )
        )

    def _said(self, row: int) -> Record:
        return Record(*self._record(row)[2:4])

    def _record(self, row: int) -> tuple[str, int, tuple[str, ...], dict[str, str], tuple[str, ...]]:
        found = self.query(
            "SELECT kind, osm_id, categories, tags, others FROM features WHERE row = ?", (row,)
        )
        if not found:
            raise IndexError(f"row {row} of {len(self)}")
        kind, osm_id, categories, tags, others = found[0]
        try:
            return kind, osm_id, _listed(categories), json.loads(tags), _listed(others)
        except ValueError as error:
            raise damaged(self.info.name, f"{FEATURES_FILE} is damaged") from error

    def _sifted(
        self, categories: Sequence[str], keyword: str | None
    ) -> tuple[tuple[str, ...], Numbers | None]:
        """The categories to look up, and the rows, ascending, that may be given at all; None: any.

        The rows are those with the keyword, and with a tag that is no category of the index.
        """
        wanted = without_covered(categories)
        only = self._with_keyword(keyword) if keyword is not None and keyword_words(keyword) else None
        tags = [kind for kind in wanted if is_unlisted(kind)]
        if tags:
            tagged = np.unique(np.concatenate([self._tagged(tag) for tag in tags]))
            only = tagged if only is None else np.intersect1d(tagged, only, assume_unique=True)
        return tuple(kind for kind in wanted if kind not in tags), only

    def _find_tagged(self, tag: str) -> Numbers:
        """The rows of the places with a tag, ascending; all tags of the map are read for it."""
        said = self.query(
            "SELECT row, tags FROM features WHERE kept IS NULL AND categories != ? AND instr(tags, ?)"
            " ORDER BY row",
            (ADDRESS, f'"{tag.partition("=")[0]}":'),
        )
        return np.array([row for row, tags in said if has_tag(json.loads(tags), tag)], np.uint32)

    def _near(
        self,
        center: LatLng,
        radius_m: float,
        categories: Sequence[str],
        only: Numbers | None,
        limit: int | None,
    ) -> tuple[Numbers, Floats]:
        if only is None or categories:
            return self.spatial.near(center.lat, center.lng, radius_m, categories, limit, only=only)
        lats, lngs = self.lats[only], self.lngs[only]
        return nearest(center.lat, center.lng, only, lats, lngs, radius_m=radius_m, limit=limit)

    def _in_box(
        self, box: Box, categories: Sequence[str], only: Numbers | None
    ) -> tuple[Numbers, Floats, Floats]:
        """Rows in a box with their positions; where only words are given, mere addresses too."""
        if only is not None and not categories:
            return only, self.lats[only], self.lngs[only]
        rows, lats, lngs = self.spatial.in_box(box.south, box.west, box.north, box.east, categories)
        if only is None:
            return rows, lats, lngs
        kept = among(rows, only)
        return rows[kept], lats[kept], lngs[kept]

    def _with_keyword(self, keyword: str) -> Numbers:
        """Rows that have all words of a keyword, ascending."""
        lists = sorted((self._keywords.of(text_key(word)) for word in keyword_words(keyword)), key=len)
        rows = lists[0]
        for other in lists[1:]:
            rows = np.intersect1d(rows, other, assume_unique=True)
        return rows


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()

"""Adds extracts to a database as regions, and removes regions.

A region is seen by nobody before it is finished; then it takes an older one's place in one step.
"""

import json
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from map_tools.kinds.tag_categories import raw_kinds
from map_tools.maps.feature import (
    AREA_CODE,
    LEFT_OUT,
    SHAPES,
    Centers,
    Entry,
    Feature,
    addresses_of,
    batches,
    importance,
    kept_shape,
    names_of,
    tags_json,
    tags_text,
)
from map_tools.maps.home import MapHome
from map_tools.maps.info import MapInfo, mark_tiles, write_info
from map_tools.maps.making.extract import Progress
from map_tools.maps.making.ingest import COVERAGE, add_map, box_within
from map_tools.maps.making.lines import Lines
from map_tools.maps.making.twins import Said, Twins
from map_tools.maps.spatial import EVERYTHING
from map_tools.maps.tags import keywords, main_name
from map_tools.providers.postgis.tables import (
    READER,
    SCHEMA,
    SWAP_LOCK,
    TABLES,
    make_tables,
    row_number,
    statements,
    thing_named,
    thing_number,
    writing,
)
from map_tools.types import ADDRESS, Box

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.sql import Composed

type Record = Sequence[Any]
"""The values of one row of a table, in the order of its columns."""


def load_region(
    extract: Path,
    dsn: str,
    *,
    name: str | None = None,
    home: MapHome,
    reader: str = READER,
    progress: Progress | None = None,
) -> MapInfo:
    """Loads an extract as a region; others see the old region or the new one, and a kill leaves the old one.

    Args:
        extract: The .osm.pbf file.
        dsn: The address of a database, as a role that may make tables in it.
        name: The region's name; made of the file's name if None.
        home: Where the routing tiles of regions are kept on this machine.
        reader: A role that is let read, for asking; made (without a password) if there is none.
        progress: Called now and then with the number of objects read.

    Raises:
        ConfigError: The database cannot be reached or lacks an extension, or this role may not do that.
        InputFileError: The file is missing, empty, cut short or no extract.
        UsageError: The name is not one a map can have.
    """
    with writing(dsn) as connection:
        make_tables(connection, reader)
        return add_map(
            extract,
            name=name,
            home=home,
            progress=progress,
            keeper=lambda folder: RegionKeeper(connection, folder),
        )


def remove_region(dsn: str, name: str) -> bool:
    """Removes a region; False if there is none of this name.

    Raises:
        ConfigError: As `load_region`.
    """
    with writing(dsn) as connection:
        found = lock_and_find(connection, name)
        if found is not None:
            drop(connection, found)
        connection.commit()
    return found is not None


class RegionKeeper:
    """Keeps the features of an extract as a region that nobody sees before it is finished.

    Args:
        connection: A connection within no transaction; what it does is committed by `finish`.
        folder: Folder of the routing tiles.
    """

    def __init__(self, connection: "Connection[Any]", folder: Path) -> None:
        self._connection = connection
        self._folder = folder
        found = connection.execute(
            "SELECT nextval(pg_get_serial_sequence('mapagent.regions', 'region'))"
        ).fetchone()
        self._region = int(found[0]) if found else 0

    def write(self, features: Iterable[Feature]) -> dict[str, int]:
        """See `map_tools.maps.making.ingest.Keeper.write`."""
        for table in TABLES:
            self._run(
                "CREATE TABLE {part} (LIKE {table} INCLUDING DEFAULTS, CHECK (region = {region}))", table
            )
        counts: Counter[str] = Counter({"features": 0, "named": 0, "addresses": 0})
        counts.update({f"{shape}s": 0 for shape in SHAPES})
        centers, lines, twins = Centers(), Lines(), Twins()
        for batch in batches(features):
            for table, rows in records(self._region, batch).items():
                self._copy(table, rows)
            for entry in batch:
                centers.note(entry.row, entry.feature)
                lines.note(entry.row, entry.feature)
                twins.note(entry)
            counts.update(counts_of(batch))
        self._move(centers.moves())
        self._join(lines.firsts())
        counts["united"] = self._unite(twins)
        self._run(
            "INSERT INTO {part} SELECT DISTINCT region, name FROM {bearers}",
            "names",
            bearers=self._part("bearers"),
        )
        counts["names"] = int(self._one("SELECT count(*) FROM {part}", "names")[0])
        self._index()
        return dict(counts)

    def covered_box(self) -> Box:
        """See `map_tools.maps.making.ingest.Keeper.covered_box`."""
        lats, lngs = self._one(
            "SELECT percentile_cont({shares}) WITHIN GROUP (ORDER BY lat),"
            " percentile_cont({shares}) WITHIN GROUP (ORDER BY lng) FROM {part}",
            "features",
            shares=list(COVERAGE),
        )
        return box_within(lats, lngs)

    def finish(self, info: MapInfo) -> None:
        """See `map_tools.maps.making.ingest.Keeper.finish`: the old region goes and the new one comes, at once."""
        info = info.model_copy(update={"files": mark_tiles(self._folder)})
        kinds = self._one(
            "SELECT array_agg(DISTINCT category) FROM {part}"
            " WHERE category <> ALL ({none}) AND category NOT LIKE '%=%'",
            "places",
            none=[EVERYTHING, ADDRESS],
        )[0]
        box = self._one("SELECT min(lat), min(lng), max(lat), max(lng) FROM {part}", "features")
        old = lock_and_find(self._connection, info.name)
        if old is not None:
            drop(self._connection, old)
        for table in TABLES:
            self._run("ALTER TABLE {table} ATTACH PARTITION {part} FOR VALUES IN ({region})", table)
        self._connection.execute(
            "INSERT INTO mapagent.regions (region, name, info, kinds, south, west, north, east)"
            " OVERRIDING SYSTEM VALUE VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
            (
                self._region,
                info.name,
                info.model_copy(update={"files": {}}).model_dump_json(),
                kinds or [],
                *box,
            ),
        )
        write_info(self._folder, info)
        self._connection.commit()

    def _copy(self, table: str, rows: Iterable[Record]) -> None:
        into = self._filled("COPY {part} FROM STDIN", table)
        with self._connection.cursor() as cursor, cursor.copy(into) as copy:
            for row in rows:
                copy.write_row(row)

    def _move(self, moves: Mapping[int, tuple[float, float]]) -> None:
        """Gives features another point: latitude and longitude by row."""
        from psycopg import sql

        self._connection.execute(
            "CREATE TEMPORARY TABLE moves (row bigint, lat double precision, lng double precision)"
            " ON COMMIT DROP"
        )
        with self._connection.cursor() as cursor, cursor.copy("COPY moves FROM STDIN") as copy:
            for row, (lat, lng) in moves.items():
                copy.write_row((row_number(self._region, row), lat, lng))
        for table, change in {
            "features": "lat = moves.lat, lng = moves.lng",
            "bearers": "lat = moves.lat, lng = moves.lng",
            "places": "point = ST_Point(moves.lng, moves.lat, 4326)::geography",
        }.items():
            statement = "UPDATE {part} AS t SET {change} FROM moves WHERE t.row = moves.row"
            self._run(statement, table, change=sql.SQL(change))

    def _join(self, firsts: Mapping[int, int]) -> None:
        """Makes pieces known as parts of one line: the row of the first piece by the row of each."""
        self._connection.execute("CREATE TEMPORARY TABLE pieces (row bigint, first bigint) ON COMMIT DROP")
        with self._connection.cursor() as cursor, cursor.copy("COPY pieces FROM STDIN") as copy:
            for row, first in firsts.items():
                copy.write_row((row_number(self._region, row), row_number(self._region, first)))
        self._run(
            "UPDATE {part} AS t SET whole = pieces.first FROM pieces WHERE t.row = pieces.row", "features"
        )
        self._run(
            "UPDATE {part} AS t SET thing = f.thing FROM pieces JOIN {features} f ON f.row = pieces.first"
            " WHERE t.row = pieces.row",
            "places",
            features=self._part("features"),
        )

    def _unite(self, twins: Twins) -> int:
        """Makes one of features that are one place; returns how many are left out."""
        united = list(twins.united(self._said))
        self._connection.execute(statements("unite_tables"))
        with self._connection.cursor() as cursor, cursor.copy("COPY united FROM STDIN") as copy:
            for place in united:
                outline = None if place.outline is None else place.outline.hex()
                row = row_number(self._region, place.row)
                own = list(place.categories)
                kinds = [*own, *raw_kinds(place.tags)]
                copy.write_row((row, kinds, own, tags_text(place.tags), list(place.ids), outline))
        with self._connection.cursor() as cursor, cursor.copy("COPY left_out FROM STDIN") as copy:
            for place in united:
                for other in place.others:
                    copy.write_row((row_number(self._region, other), row_number(self._region, place.row)))
        from psycopg import sql

        parts = {table: self._part(table) for table in TABLES}
        area, none = sql.Literal(AREA_CODE), sql.Literal(LEFT_OUT)
        self._connection.execute(sql.SQL(statements("unite")).format(**parts, area=area, left_out=none))
        return sum(len(place.others) for place in united)

    def _said(self, rows: Sequence[int]) -> Iterator[Said]:
        """What the features in some rows say."""
        if not rows:
            return
        numbers = {row_number(self._region, row): row for row in rows}
        from psycopg import sql

        query = sql.SQL(
            "SELECT row, thing, categories, tags, ST_AsBinary(geometry) FROM {part} WHERE row = ANY(%s)"
        ).format(part=self._part("features"))
        for number, thing, categories, tags, wkb in self._connection.execute(query, (list(numbers),)):
            kind, osm_id = thing_named(thing)
            outline = None if wkb is None else bytes(wkb)
            yield Said(numbers[number], f"{kind}{osm_id}", tuple(categories), json.loads(tags), outline)

    def _index(self) -> None:
        from psycopg import sql

        parts = {table: self._part(table) for table in TABLES}
        self._connection.execute(sql.SQL(statements("indexes")).format(**parts))

    def _one(self, text: str, table: str, **values: object) -> tuple[Any, ...]:
        """The only row of a query."""
        rows = self._connection.execute(self._filled(text, table, **values)).fetchall()
        (row,) = rows
        return tuple(row)

    def _run(self, text: str, table: str, **values: object) -> None:
        self._connection.execute(self._filled(text, table, **values))

    def _filled(self, text: str, table: str, **values: object) -> "Composed":
        """A statement with names of tables and values in its places."""
        from psycopg import sql

        given = {
            name: value if isinstance(value, sql.Composable) else sql.Literal(value)
            for name, value in {"region": self._region, **values}.items()
        }
        return sql.SQL(text).format(part=self._part(table), table=sql.Identifier(SCHEMA, table), **given)

    def _part(self, table: str) -> Any:
        from psycopg import sql

        return sql.Identifier(SCHEMA, f"{table}_{self._region}")


def lock_and_find(connection: "Connection[Any]", name: str) -> int | None:
    """Waits until nobody reads, keeps readers waiting, and finds the region of a name."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (SWAP_LOCK,))
    found = connection.execute("SELECT region FROM mapagent.regions WHERE name = %s", (name,)).fetchone()
    return int(found[0]) if found else None


def drop(connection: "Connection[Any]", region: int) -> None:
    """Removes a region, under the lock."""
    from psycopg import sql

    for table in TABLES:
        connection.execute(sql.SQL("DROP TABLE {}").format(sql.Identifier(SCHEMA, f"{table}_{region}")))
    connection.execute("DELETE FROM mapagent.regions WHERE region = %s", (region,))


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

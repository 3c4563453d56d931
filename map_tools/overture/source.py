"""Reads a file of Overture Maps places: (Geo)Parquet as `overturemaps download -t place` writes it.

The schema: https://docs.overturemaps.org/schema/reference/places/place/. Fields that newer releases call
otherwise are looked for under both names.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from map_tools.errors import ConfigError, InputFileError
from map_tools.overture.provenance import is_id
from map_tools.spatial_db.duckdb_engine import sql_text
from map_tools.types import Box

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_FIELDS = {
    "id": ("id",),
    "name": ("names.primary",),
    "confidence": ("confidence",),
    "kind": ("categories.primary", "taxonomy.primary", "basic_category"),
    "other_kinds": ("categories.alternate", "taxonomy.alternates"),
    "phones": ("phones",),
    "websites": ("websites",),
    "emails": ("emails",),
    "brand": ("brand.names.primary",),
    "addresses": ("addresses",),
    "sources": ("sources",),
    "status": ("operating_status",),
}
_NEEDED = ("id", "name", "confidence", "kind")
_BOX = ("bbox.xmin", "bbox.ymin", "bbox.xmax", "bbox.ymax")
_GEOMETRY = "geometry"
_BATCH = 2_000
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": "1",
    "memory_limit": "512MB",
    "temp_directory": "",
}
"""Enough for the row groups of Overture's files, which are read one after the other."""
_MOST_CHARS = 255
"""Longer values are no names and no numbers (https://wiki.openstreetmap.org/wiki/Any_tags_you_like)."""
_JOINERS = "\u200c\u200d"
"""Unseen, but they change the shape of letters in Persian, Hindi and others, so they belong to names."""
_CLOSED = "permanently_closed"
_PATTERN = frozenset("*?")
_REMEDY = "Give the file that `overturemaps download -t place -f geoparquet` writes."


@dataclass(frozen=True, slots=True)
class Address:
    """An address as Overture writes it: street and number in one, in the country's order."""

    freeform: str = ""
    locality: str = ""
    postcode: str = ""


@dataclass(frozen=True, slots=True)
class OverturePlace:
    """One place of the file.

    Attributes:
        id: Overture's id.
        name: Its name, never empty.
        lat, lng: Where it is.
        kinds: Overture's categories, the primary one first.
        confidence: Overture's, 0 to 1; None where it states none.
        phone, website, email, brand: The first one stated, else empty.
        address: The first one stated.
        sources: Whom Overture has it from ("meta", "Microsoft").
        closed: It is said to be closed for good.
    """

    id: str
    name: str
    lat: float
    lng: float
    kinds: tuple[str, ...] = ()
    confidence: float | None = None
    phone: str = ""
    website: str = ""
    email: str = ""
    brand: str = ""
    address: Address = field(default_factory=Address)
    sources: tuple[str, ...] = ()
    closed: bool = False


class OvertureFile:
    """A file of places.

    Args:
        path: The file.

    Raises:
        InputFileError: It is missing, empty, cut short, no Parquet, or lacks columns.
        ConfigError: DuckDB, which reads it, is not installed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise InputFileError(f"There is no file '{path}'.", _REMEDY)
        if not _PATTERN.isdisjoint(str(path.resolve())):
            raise InputFileError(
                f"DuckDB takes '{path}' for a pattern of names.", "Rename it, without * and ?."
            )
        if path.stat().st_size == 0:
            raise InputFileError(f"'{path}' is empty.", "Download it again.")
        with closing(_connect(path)) as connection:
            self._columns = {name: _first_there(connection, path, given) for name, given in _FIELDS.items()}
            self._has_box = all(_first_there(connection, path, (column,)) for column in _BOX)
            self._has_geometry = _first_there(connection, path, (_GEOMETRY,)) is not None
            self._check_columns()
            self.rows = int(_run(connection, path, f"SELECT count(*) FROM {_scan(path)}").fetchall()[0][0])  # noqa: S608
        if not self.rows:
            raise InputFileError(f"'{path}' has no places in it.", "Download it for the area of the map.")

    def places(self, box: Box) -> Iterator[OverturePlace | None]:
        """The places in a box, in the order of the file; None for a row without id, name or position.

        A row without a position may be of the box, so it counts as one.

        Raises:
            InputFileError: The file cannot be read to its end.
        """
        with closing(_connect(self.path)) as connection:
            result = _run(connection, self.path, self._query(box))
            while batch := _fetched(result, self.path):
                positions = self._positions(batch)
                for row, position in zip(batch, positions, strict=True):
                    if position is None:
                        yield None
                    elif _in_box(box, *position):
                        yield _place(dict(zip(_FIELDS, row, strict=False)), *position)

    def _check_columns(self) -> None:
        missing = [" or ".join(_FIELDS[name]) for name in _NEEDED if self._columns[name] is None]
        if not (self._has_box or self._has_geometry):
            missing.append("geometry or bbox")
        if missing:
            raise InputFileError(
                f"'{self.path}' is no file of Overture Maps places: it has no column {', '.join(missing)}.",
                _REMEDY,
            )

    def _query(self, box: Box) -> str:
        """The rows that can lie in a box. Their bounds are rounded outwards, so none is lost."""
        wanted = [self._columns[name] or "NULL" for name in _FIELDS]
        wanted[list(_FIELDS).index("confidence")] = f"TRY_CAST({self._columns['confidence']} AS DOUBLE)"
        wanted.append(_GEOMETRY if self._has_geometry else "NULL")
        wanted += [f"TRY_CAST({column} AS DOUBLE)" if self._has_box else "NULL" for column in _BOX]
        query = f"SELECT {', '.join(wanted)} FROM {_scan(self.path)}"  # noqa: S608
        if not self._has_box:
            return query
        west, south, east, north = _BOX
        across = "OR" if box.west > box.east else "AND"
        return (
            f"{query} WHERE ({north} >= {box.south!r} AND {south} <= {box.north!r}"
            f" AND ({east} >= {box.west!r} {across} {west} <= {box.east!r}))"
            f" OR {south} IS NULL OR {west} IS NULL OR isnan({south}) OR isnan({west})"
        )

    def _positions(self, batch: Sequence[tuple[Any, ...]]) -> list[tuple[float, float] | None]:
        """Latitude and longitude of each row: those of its point, else the middle of its bounds."""
        import shapely

        shapes = [row[len(_FIELDS)] if isinstance(row[len(_FIELDS)], bytes) else None for row in batch]
        points = shapely.from_wkb(shapes, on_invalid="ignore")
        points[shapely.is_empty(points)] = None
        lngs, lats = shapely.get_x(points).tolist(), shapely.get_y(points).tolist()
        found = []
        for row, lat, lng in zip(batch, lats, lngs, strict=True):
            west, south, east, north = (math.nan if side is None else side for side in row[-len(_BOX) :])
            point = (lat, lng) if not math.isnan(lat) else ((south + north) / 2, (west + east) / 2)
            found.append(point if abs(point[0]) <= 90 and abs(point[1]) <= 180 else None)
        return found


def _connect(path: Path) -> "DuckDBPyConnection":
    """A connection that can read this one file and nothing else."""
    try:
        import duckdb
    except ImportError as error:
        raise ConfigError(
            "Overture Maps places are read with DuckDB, which is not installed.",
            "Install it with: pip install 'mapagent[sql]'.",
        ) from error
    connection = duckdb.connect(":memory:", config=_SETTINGS)
    try:
        connection.execute("SET enable_progress_bar = false")
        connection.execute(f"SET allowed_paths = [{sql_text(str(path.resolve()))}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    except BaseException:
        connection.close()
        raise
    return connection


def _scan(path: Path) -> str:
    return f"read_parquet({sql_text(str(path.resolve()))})"


def _run(connection: "DuckDBPyConnection", path: Path, query: str) -> "DuckDBPyConnection":
    import duckdb

    try:
        return connection.execute(query)
    except duckdb.Error as error:
        raise _unreadable(path) from error


def _fetched(result: "DuckDBPyConnection", path: Path) -> list[tuple[Any, ...]]:
    import duckdb

    try:
        return result.fetchmany(_BATCH)
    except duckdb.Error as error:
        raise _unreadable(path) from error


def _first_there(connection: "DuckDBPyConnection", path: Path, columns: Sequence[str]) -> str | None:
    """The first of some columns that the file has."""
    import duckdb

    for column in columns:
        try:
            connection.execute(f"SELECT {column} FROM {_scan(path)} LIMIT 0")  # noqa: S608
        except duckdb.BinderException:
            continue
        except duckdb.Error as error:
            raise _unreadable(path) from error
        return column
    return None


def _unreadable(path: Path) -> InputFileError:
    return InputFileError(f"'{path}' cannot be read as Parquet, or it is cut short.", "Download it again.")


def _in_box(box: Box, lat: float, lng: float) -> bool:
    if not box.south <= lat <= box.north:
        return False
    if box.west > box.east:
        return lng >= box.west or lng <= box.east
    return box.west <= lng <= box.east


def _place(row: Mapping[str, Any], lat: float, lng: float) -> OverturePlace | None:
    """What a row says; its values can be of any kind, and what is not as it should be says nothing."""
    key, name = _words(row["id"]), _words(row["name"])
    if not name or not is_id(key):
        return None
    stated = row["confidence"]
    known = isinstance(stated, int | float) and math.isfinite(stated)
    return OverturePlace(
        id=key,
        name=name,
        lat=lat,
        lng=lng,
        kinds=tuple(dict.fromkeys(filter(None, map(_words, (row["kind"], *_listed(row["other_kinds"])))))),
        confidence=float(stated) if known else None,
        phone=_first(row["phones"]),
        website=_first(row["websites"], starts=("http://", "https://")),
        email=_first(row["emails"], holds="@"),
        brand=_words(row["brand"]),
        address=_address(row["addresses"]),
        sources=tuple(dict.fromkeys(filter(None, map(_dataset, _listed(row["sources"]))))),
        closed=row["status"] == _CLOSED,
    )


def _address(given: Any) -> Address:
    first = next((each for each in _listed(given) if isinstance(each, dict)), {})
    freeform, locality, postcode = (_words(first.get(key)) for key in ("freeform", "locality", "postcode"))
    return Address(freeform, locality, postcode)


def _dataset(source: Any) -> str:
    return _words(source.get("dataset")) if isinstance(source, dict) else ""


def _first(given: Any, *, starts: tuple[str, ...] = ("",), holds: str = "") -> str:
    """The first text of a list that begins like this and holds that."""
    texts = map(_words, _listed(given))
    return next((text for text in texts if text and text.startswith(starts) and holds in text), "")


def _listed(given: Any) -> Sequence[Any]:
    return given if isinstance(given, list) else ()


def _words(given: Any) -> str:
    """A text in one line without control characters; empty for what is none, or is too long to be one."""
    if not isinstance(given, str) or len(given) > _MOST_CHARS:
        return ""
    return " ".join(
        "".join(each if each.isprintable() or each in _JOINERS else " " for each in given).split()
    )

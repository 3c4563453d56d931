"""Builds the folder of a spatial database in memory from tables.

The folder is built beside its place and renamed, so a kill leaves nothing half-made.
"""

import json
import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from map_tools.maps.geodesic import Floats
from map_tools.maps.search.name_index import build_names
from map_tools.maps.search.names import canonical
from map_tools.spatial_db.load import TableData
from map_tools.spatial_db.memory.points import build_points
from map_tools.spatial_db.memory.sizes import area_m2, length_m, shorten_edges
from map_tools.spatial_db.memory.table import ALL, Shapes
from map_tools.spatial_db.memory.texts import NO_TEXT, Rows, TextColumn

LAYOUT = 1
"""Version of the folder's layout."""
CATALOGUE = "tables.json"
KIND_COLUMNS = (
    "amenity", "tourism", "leisure", "shop", "historic", "healthcare", "emergency", "highway", "waterway",
    "water", "wetland", "natural", "place", "border_type", "admin_level", "information",
)  # fmt: skip
"""Columns whose values are kinds: each value gets a list of its own."""
OTHER_NAMES = ("official_name", "old_name", "short_name", "wikipedia")
"""Columns with further names of a feature; the title of an article has its language in front."""

_BATCH = 20_000


def build_memory(tables: Iterable[TableData], folder: Path, *, note: Mapping[str, Any] | None = None) -> Path:
    """Writes the folder; an older one is replaced.

    Args:
        tables: What it is made of.
        folder: Where it is to be.
        note: JSON-ready remarks kept with it (the map's name, its attribution).

    Returns:
        The folder.
    """
    beside = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    try:
        beside.mkdir(parents=True)
        catalogue: dict[str, Any] = {}
        names: list[tuple[str, int]] = []
        first = 0
        for table in tables:
            entry, own_names = _write(table, beside / table.name)
            catalogue[table.name] = entry | {"first": first}
            names += [(name, first + row) for name, row in own_names]
            first += entry["rows"]
        _write_names(names, beside / "names")
        text = json.dumps({"layout": LAYOUT, "tables": catalogue, "note": dict(note or {})}, indent=1)
        (beside / CATALOGUE).write_text(text, "utf-8")
        if folder.exists():
            shutil.rmtree(folder)
        beside.rename(folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return folder


def _write(table: TableData, folder: Path) -> tuple[dict[str, Any], list[tuple[str, int]]]:
    """One table; returns its entry in the catalogue, and its names with their rows."""
    folder.mkdir()
    rows = [row for row in table.rows() if row[-1] is not None]
    plain = [column.name for column in table.columns[:-1]]
    columns = {
        name: TextColumn.of(values) for name, values in zip(plain, zip(*rows, strict=True), strict=False)
    }
    for name, column in columns.items():
        column.save(folder, name)
    geometries = _geometries([row[-1] for row in rows])
    points = _representatives(geometries)
    lats, lngs = np.ascontiguousarray(points[:, 1]), np.ascontiguousarray(points[:, 0])
    np.save(folder / "lats.npy", lats)
    np.save(folder / "lngs.npy", lngs)
    index = build_points({ALL: np.arange(len(rows), dtype=np.int64)} | _kinds(columns), lats, lngs)
    index.save(folder)
    shaped = _has_shapes(geometries)
    if shaped:
        _shapes(geometries).save(folder)
    name_column = _name_column(plain)
    entry = {
        "rows": len(rows), "columns": plain, "name_column": name_column, "shaped": shaped,
        "slices": index.slices,
    }  # fmt: skip
    return entry, _names(columns, name_column)


def _geometries(wkbs: Sequence[bytes]) -> npt.NDArray[Any]:
    import shapely

    found = shapely.from_wkb(np.array([bytes(wkb) for wkb in wkbs], dtype=object))
    return np.asarray(shapely.force_2d(found), dtype=object)


def _representatives(geometries: npt.NDArray[Any]) -> Floats:
    """Longitude and latitude of the point that stands for each geometry: its centroid."""
    import shapely

    if len(geometries) == 0:
        return np.empty((0, 2), np.float64)
    return np.asarray(shapely.get_coordinates(shapely.centroid(geometries)), np.float64)


def _has_shapes(geometries: npt.NDArray[Any]) -> bool:
    import shapely

    return bool((shapely.get_type_id(geometries) != shapely.GeometryType.POINT).any())


def _shapes(geometries: npt.NDArray[Any]) -> Shapes:
    import shapely

    short = np.concatenate(
        [shorten_edges(geometries[first:end]) for first, end in pairwise(_batches(len(geometries)))]
    )
    wkbs = shapely.to_wkb(short)
    return Shapes(
        wkb=np.frombuffer(b"".join(wkbs), np.uint8),
        ends=np.cumsum([len(wkb) for wkb in wkbs], dtype=np.uint64),
        boxes=shapely.bounds(short),
        areas_m2=area_m2(short),
        lengths_m=length_m(short),
    )


def _batches(count: int) -> list[int]:
    return [*range(0, count, _BATCH), count]


def _kinds(columns: Mapping[str, TextColumn]) -> dict[str, Rows]:
    """The rows of each value of the columns of kinds."""
    kinds: dict[str, Rows] = {}
    for name in KIND_COLUMNS:
        column = columns.get(name)
        if column is None:
            continue
        rows = np.flatnonzero(column.codes != NO_TEXT)
        rows = rows[np.argsort(column.codes[rows], kind="stable")]
        bounds = np.searchsorted(column.codes[rows], np.arange(len(column.values) + 1))
        for code, (start, end) in enumerate(pairwise(bounds.tolist())):
            kinds[f"{name}={column.values[code]}"] = rows[start:end]
    return kinds


def _name_column(columns: Sequence[str]) -> str:
    """The column of names: "name", or "TABLE_name" in the singular, which comes before other names."""
    return next((name for name in columns if name == "name" or name.endswith("_name")), "")


def _names(columns: Mapping[str, TextColumn], name_column: str) -> list[tuple[str, int]]:
    found = []
    for name in (name_column, *OTHER_NAMES):
        column = columns.get(name)
        if column is None:
            continue
        for row in np.flatnonzero(column.codes != NO_TEXT).tolist():
            text = column.values[int(column.codes[row])]
            found.append((_title(text) if name == "wikipedia" else text, row))
    return found


def _title(article: str) -> str:
    """The title of an article: "en:Vaduz" → "Vaduz"."""
    language, colon, title = article.partition(":")
    return title if colon and len(language) <= 3 else article


def _write_names(names: Sequence[tuple[str, int]], folder: Path) -> None:
    folder.mkdir()
    numbers: dict[str, int] = {}
    bearers, rows = [], []
    for name, row in names:
        plain = canonical(name)
        if plain:
            bearers.append(numbers.setdefault(plain, len(numbers)))
            rows.append(row)
    index = build_names(tuple(numbers), np.asarray(bearers, np.uint32), np.asarray(rows, np.uint32))
    index.save(folder)

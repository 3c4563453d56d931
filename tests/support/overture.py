"""Writes files of Overture Maps places, as `overturemaps download -t place` does."""

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

COLUMNS = {
    "id": "VARCHAR",
    "names": 'STRUCT("primary" VARCHAR)',
    "categories": 'STRUCT("primary" VARCHAR, alternate VARCHAR[])',
    "confidence": "DOUBLE",
    "websites": "VARCHAR[]",
    "phones": "VARCHAR[]",
    "emails": "VARCHAR[]",
    "brand": 'STRUCT(names STRUCT("primary" VARCHAR))',
    "addresses": "STRUCT(freeform VARCHAR, locality VARCHAR, postcode VARCHAR, country VARCHAR)[]",
    "sources": "STRUCT(property VARCHAR, dataset VARCHAR)[]",
    "operating_status": "VARCHAR",
}
_BOUNDS = "STRUCT(xmin FLOAT, xmax FLOAT, ymin FLOAT, ymax FLOAT)"


def row(key: str, name: str | None, at: tuple[float, float], kind: str | None, **more: Any) -> dict[str, Any]:
    """A place: `phone`, `website`, `email`, `brand`, `address` (freeform, locality, postcode) as single values."""
    lists = {f"{one}s": [more.pop(one)] for one in ("phone", "website", "email") if one in more}
    if "brand" in more:
        more["brand"] = {"names": {"primary": more["brand"]}}
    if "address" in more:
        freeform, locality, postcode = more.pop("address")
        more["addresses"] = [
            {"freeform": freeform, "locality": locality, "postcode": postcode, "country": "FI"}
        ]
    return {
        "id": key,
        "names": {"primary": name},
        "lat": at[0],
        "lng": at[1],
        "categories": {"primary": kind, "alternate": more.pop("alternate", [])},
        "confidence": more.pop("confidence", 0.9),
        "sources": [{"property": "", "dataset": "meta"}],
        **lists,
        **more,
    }


def write_places(
    path: Path, rows: Iterable[Mapping[str, Any]], *, bounds: bool = True, geometry: bool = True
) -> Path:
    """Writes places; without `bounds` or `geometry` the file lacks that column."""
    import duckdb

    lines = path.with_suffix(".jsonl")
    positions = {"lat": "VARCHAR", "lng": "VARCHAR"}
    with lines.open("w", encoding="utf-8") as file:
        for each in rows:
            position = {key: str(each[key]) if math.isfinite(each[key]) else "nan" for key in positions}
            file.write(json.dumps({**each, **position}) + "\n")
    typed = ", ".join(f"{name}: '{kind}'" for name, kind in {**COLUMNS, **positions}.items())
    chosen = [f'"{name}"' for name in COLUMNS]
    if geometry:
        chosen.append("try_cast(format('POINT({} {})', lng, lat) AS GEOMETRY) AS geometry")
    if bounds:
        chosen.append(f"{{xmin: lng, xmax: lng, ymin: lat, ymax: lat}}::{_BOUNDS} AS bbox")
    with duckdb.connect(":memory:") as connection:
        connection.execute(
            f"COPY (SELECT {', '.join(chosen)} FROM read_json('{lines}', format='newline_delimited',"
            f" columns={{{typed}}})) TO '{path}' (FORMAT parquet)"
        )
    lines.unlink()
    return path

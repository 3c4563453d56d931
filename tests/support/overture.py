"""Writes files of Overture Maps places, as `overturemaps download -t place` does.

Of the places over the demo extract is known what has to become of each.
"""

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

AWAY = 100 / 111_400
"""About 100 m of latitude here, in degrees."""
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


ENGEL, FABIAN, ELIEL = (60.168913, 24.951745), (60.164162, 24.950139), (60.171709, 24.940542)
PALACE, STARBUCKS, EDGE = (60.165169, 24.952249), (60.167848, 24.943413), (60.174144, 24.951682)
LOAF, HALL, ATENEUM = (60.165179, 24.936078), (60.16958, 24.94357), (60.170017, 24.944068)
"""Cafe Engel, Hotelli Fabian, Apteekki Eliel, Palace Hotel, Starbucks in Pohjoisesplanadi 39, Espresso edge (in
Liisankatu, without number), Kakkugalleria, the named building WTC Plaza, and the museum Ateneum: each is one entry
of the extract, read off it by hand."""


def _north(at: tuple[float, float], metres: float) -> tuple[float, float]:
    return at[0] + metres / 100 * AWAY, at[1]


UNITED: list[dict[str, Any]] = [
    row(
        "same-engel",
        "Café Engel",
        _north(ENGEL, 40),
        "coffee_shop",
        phone="+358 9 000 0000",
        website="https://www.cafeengel.fi/",
        email="info@cafeengel.fi",
        address=("Aleksanterinkatu 26", "Helsinki", "00170"),
    ),
    row("like-loaf", "Kakkugalleria Fredrikinkatu", _north(LOAF, 20), "bakery", alternate=["cafe"]),
    row(
        "same-fabian",
        "Hotelli Fabian",
        _north(FABIAN, 90),
        "hotel",
        phone="+358 9 6128 2000",
        brand="Kamp Collection Hotels",
        address=("Fabianinkatu 7", "Helsinki", "00130"),
    ),
    row("same-edge", "Espresso edge", EDGE, "cafe", address=("Liisankatu 29", "Helsinki", "00170")),
    row("same-hall", "WTC Plaza", HALL, "event_venue", website="https://plaza.example/"),
    row("unknown-palace", "Palace Hotel", PALACE, "b2b_consultancy_xyz", phone="+358 9 1345 6660"),
]
ADDED: list[dict[str, Any]] = [
    row(
        "new-cafe",
        "Testikahvila Orvokki",
        (60.1702, 24.9437),
        "coffee_shop",
        phone="+358 40 123 4567",
        website="https://orvokki.example/",
        address=("Kaivokatu 2 B", "Helsinki", "00100"),
    ),
    row("new-by-words", "Paperikauppa Lumme", (60.1690, 24.9460), "stationery_store"),
    row("new-thai", "Siam Lumi", (60.1712, 24.9440), "thai_restaurant"),
    row("new-alternate", "Sarastuksen Hammas", (60.1720, 24.9450), "b2b_xyz", alternate=["dentist"]),
    row("other-kind", "Apteekki Eliel", ELIEL, "bookstore"),
    row("too-far", "Hotelli Fabian", _north(FABIAN, 200), "hotel"),
    row(
        "branch",
        "Starbucks",
        _north(STARBUCKS, 50),
        "cafe",
        address=("Pohjoisesplanadi 21", "Helsinki", "00100"),
    ),
]
LEFT_OUT: dict[str, list[dict[str, Any]]] = {
    "unsure": [
        row("unsure", "Haamukahvila", (60.1705, 24.9440), "cafe", confidence=0.49),
        row("not-sure-at-all", "Varjokahvila", (60.1705, 24.9441), "cafe", confidence=None),
    ],
    "closed": [row("shut", "Suljettu kahvila", ATENEUM, "cafe", operating_status="permanently_closed")],
    "kindless": [row("kindless", "Lumme Consulting", (60.1700, 24.9450), "b2b_consultancy_xyz")],
    "repeated": [row("new-cafe", "Testikahvila Orvokki", (60.1702, 24.9437), "coffee_shop")],
    "unreadable": [
        row("nameless", None, ATENEUM, "cafe"),
        row("nowhere", "Ei missään", (float("nan"), float("nan")), "cafe"),
        row("a,b\n", "Paha avain", ATENEUM, "cafe"),
    ],
    "outside": [
        row("away", "Kaukana", (61.5, 23.8), "cafe"),
        row("under-pole", "Napa", (-89.9, 0.0), "cafe"),
    ],
}
ROWS = UNITED + ADDED + [each for rows in LEFT_OUT.values() for each in rows]
COUNTS = {"united": len(UNITED), "added": len(ADDED)} | {why: len(rows) for why, rows in LEFT_OUT.items()}

"""A benchmark's places as a map and as tables."""

import asyncio
from pathlib import Path

import pytest
from shapely import Point, box

from evals.worlds.database import WorldDatabase, beside
from map_tools.errors import InputFileError
from map_tools.spatial_db.duckdb_engine import connect, sql_text
from map_tools.types import LatLng


def write_world(folder: Path) -> Path:
    """Two places and a region, as GeoParquet."""
    pytest.importorskip("duckdb")
    folder.mkdir()
    rows = {
        "pois": ("poi_name, amenity, addr_city, addr_state", [
            ("Old Mill", "cafe", "Westport", "QX", Point(10.0, 50.0)),
            ("New Mill", "cafe", "Easton", "QX", Point(10.2, 50.0)),
        ]),
        "regions": ("region_name, wikipedia", [
            ("Westport", "en:Westport, Queensland", box(9.9, 49.9, 10.1, 50.1)),
        ]),
    }  # fmt: skip
    with connect() as database:
        for table, (columns, values) in rows.items():
            names = [name.strip() for name in columns.split(",")]
            selects = []
            for number, (*texts, shape) in enumerate(values, 1):
                fields = ", ".join(
                    f"{sql_text(str(text))} AS {name}" for text, name in zip(texts, names, strict=True)
                )
                selects.append(
                    f"SELECT {number} AS id, {number} AS osm_id, {fields},"
                    f" ST_GeomFromText({sql_text(shape.wkt)}) AS geometry"
                )
            path = sql_text(str(folder / f"{table}.parquet"))
            database.execute(f"COPY ({' UNION ALL '.join(selects)}) TO {path}")
    return folder


def test_the_places_are_a_map_and_tables(tmp_path: Path) -> None:
    world = write_world(tmp_path / "world")

    async def looks() -> None:
        provider = WorldDatabase.of_world(world, tmp_path / "home", name="town", note={"directions": "sides"})
        try:
            (candidate, *_) = await provider.find_place("Old Mill")
            assert candidate.place.name == "Old Mill"
            around = await provider.nearby(LatLng(lat=50.0, lng=10.0), radius_m=1_000, categories=("cafe",))
            assert [one.place.name for one in around] == ["Old Mill"]
            assert provider.engine.note == {"directions": "sides"}
            assert provider.source == world
            assert provider.exact("westport, queensland")
            assert provider.score("Old Mil") > 0.8
        finally:
            await provider.close()

    asyncio.run(looks())
    kept = [path.name for path in (tmp_path / "home" / "worlds").iterdir()]
    assert len(kept) == 1
    asyncio.run(looks())
    assert [path.name for path in (tmp_path / "home" / "worlds").iterdir()] == kept


def test_the_folder_beside_the_questions_is_found(tmp_path: Path) -> None:
    write_world(tmp_path / "gsqa_world")
    (tmp_path / "gsqa").mkdir()
    assert beside(tmp_path / "gsqa", "gsqa_world") == tmp_path / "gsqa_world"
    assert beside(tmp_path / "gsqa" / "dev.jsonl", "gsqa_world") == tmp_path / "gsqa_world"
    assert beside(tmp_path / "gsqa", "mapqa_world") is None


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="nowhere"):
        WorldDatabase.of_world(tmp_path / "nowhere", tmp_path, name="town")

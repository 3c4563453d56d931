"""`python -m benchmarks.spatial_memory`: how long the verbs of the database in memory take.

The synthetic world of `benchmarks.spatial_sql`: 267,612 places and half a million polygons and lines.
Processor time in milliseconds, so that other work on the machine counts little.
"""

import argparse
import random
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

from benchmarks.spatial_sql import KINDS, REGIONS, places, synthetic_tables
from map_tools.compute.geodesy import OCTANT_DEG
from map_tools.spatial_db.memory.build import CATALOGUE, build_memory
from map_tools.spatial_db.memory.engine import FeatureRef, MemoryEngine
from map_tools.spatial_db.memory.points import Sector
from map_tools.spatial_db.memory.table import Condition
from map_tools.types import LatLng

RANGE_M = 200_000.0
LIMITS_MS = {"nearest": 0.5, "nearest, attribute": 0.5, "nearest, direction": 0.5, "range 200 km": 2.0}
"""The targets; the other rows have none."""

type Case = Callable[[random.Random], object]


def cases(engine: MemoryEngine) -> dict[str, Case]:
    """What is measured: each case is one call with random arguments."""
    where = places()

    def origin(chance: random.Random) -> LatLng:
        lng, lat = where.near_one(chance)
        return LatLng(lat=lat, lng=lng)

    def kind(chance: random.Random) -> tuple[Condition, ...]:
        column, value, _ = chance.choice(KINDS)
        return (Condition(column=column, value=value),)

    def sector(chance: random.Random) -> Sector:
        return Sector(chance.randrange(8) * OCTANT_DEG, OCTANT_DEG / 2)

    pizza = (
        Condition(column="amenity", value="restaurant"),
        Condition(column="cuisine", value="pizza", match="has"),
    )

    def region(chance: random.Random) -> object:
        return engine.geometry(FeatureRef("regions", chance.randrange(REGIONS)))

    return {
        "nearest": lambda chance: engine.nearest("pois", kind(chance), origin(chance)),
        "nearest, attribute": lambda chance: engine.nearest("pois", pizza, origin(chance)),
        "nearest, direction": lambda chance: engine.nearest(
            "pois", kind(chance), origin(chance), sector=sector(chance)
        ),
        "range 200 km": lambda chance: engine.within("pois", kind(chance), origin(chance), RANGE_M),
        "range 200 km, direction": lambda chance: engine.within(
            "pois", kind(chance), origin(chance), RANGE_M, sector=sector(chance)
        ),
        "places in a region": lambda chance: engine.inside("pois", kind(chance), region(chance)),
        "lakes in a region": lambda chance: engine.inside(
            "lakes", (Condition(column="water", value="lake"),), region(chance)
        ),
        "roads in a region": lambda chance: engine.inside(
            "roads", (Condition(column="highway", value="primary"),), region(chance)
        ),
    }


def measured_ms(case: Case, runs: int) -> list[float]:
    """Processor time of each run, after one to warm up."""
    chance = random.Random(5)  # noqa: S311 - no secret
    case(chance)
    times = []
    for _ in range(runs):
        begin = process_time()
        case(chance)
        times.append((process_time() - begin) * 1000)
    return times


def main() -> int:
    """Exit code 1 if a target is missed in the median."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the world, for a quick look")
    parser.add_argument("--keep", type=Path, help="where to keep the folder, or find it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch) / "world"
        if not (folder / CATALOGUE).is_file():
            build_memory(synthetic_tables(given.scale), folder)
        print("| verb | median / p95 ms | target |\n| --- | --- | --- |")
        kept = True
        for name, case in cases(MemoryEngine.open(folder)).items():
            times = measured_ms(case, given.runs)
            median, late = statistics.median(times), statistics.quantiles(times, n=20)[-1]
            target = LIMITS_MS.get(name)
            kept &= target is None or median <= target
            print(f"| {name} | {median:.2f} / {late:.2f} | {target if target else '–'} |", flush=True)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())

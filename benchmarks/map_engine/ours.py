"""`python -m benchmarks.map_engine.ours`: one step of our own engines, embedded or in PostGIS."""

import argparse
import asyncio
import json
import resource
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from benchmarks.map_engine.asking import Engine, Point, answer_to
from map_tools.maps.home import MapHome
from map_tools.maps.making.ingest import add_map
from map_tools.postgres import connect
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.providers.postgis.load import load_region
from map_tools.providers.postgis.provider import REGIONS_FOLDER, PostgisProvider
from map_tools.types import LatLng, TravelMode

NAME = "city"
EXTRACT = "city.osm.pbf"
DRIVING = TravelMode.DRIVING


class ProviderEngine:
    """A provider as an engine to be measured.

    Args:
        make: Opens the provider.
        helpers_s: Processor time of processes that work for it.
    """

    def __init__(self, make: Callable[[], Provider], helpers_s: Callable[[], float] = float) -> None:
        self._make = make
        self._helpers_s = helpers_s
        self._runner = asyncio.Runner()

    def open(self) -> None:
        """See `Engine.open`; the first name brings the index into memory."""
        self._provider = self._make()
        self.find("first")

    def find(self, text: str) -> str | None:
        """See `Engine.find`."""
        found = self._run(self._provider.find_place(text, limit=1))
        return found[0].place.name if found else None

    def nearby(self, center: Point, radius_m: float, tag: tuple[str, str], limit: int) -> list[float]:
        """See `Engine.nearby`."""
        work = self._provider.nearby(_spot(center), radius_m=radius_m, categories=(tag[1],), limit=limit)
        return [each.distance_m for each in self._run(work) if each.distance_m is not None]

    def route(self, start: Point, end: Point) -> float | None:
        """See `Engine.route`."""
        (route,) = self._run(self._provider.directions(_spot(start), _spot(end), mode=DRIVING))
        return route.distance_m

    def matrix(self, stops: Sequence[Point]) -> int:
        """See `Engine.matrix`."""
        spots = tuple(map(_spot, stops))
        rows = self._run(self._provider.matrix(spots, spots, mode=DRIVING)).rows
        return sum(cell.duration_s is not None for row in rows for cell in row)

    def processor_s(self) -> float:
        """See `Engine.processor_s`."""
        return process_time() + self._helpers_s()

    def close(self) -> None:
        """See `Engine.close`."""
        self._run(self._provider.close())
        self._runner.close()

    def _run[T](self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)


def _spot(point: Point) -> LatLng:
    return LatLng(lat=point[0], lng=point[1])


def engine(name: str, folder: Path, dsn: str) -> Engine:
    """An engine over the maps in a folder, or in a database."""
    if name == "osm":
        return ProviderEngine(lambda: OsmProvider.open(MapHome(folder / "maps").path(NAME)))
    setting = ProviderSetting(name=name, data_home=folder, options={"dsn": dsn})
    return ProviderEngine(lambda: PostgisProvider.from_setting(setting), lambda: server_s(dsn))


def server_s(dsn: str) -> float:
    """Processor time of the server's processes that serve a database, as far as they run on this machine."""
    with connect(dsn) as connection:
        found = connection.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        files = [Path(f"/proc/{pid}/schedstat") for (pid,) in found if pid != connection.info.backend_pid]
    return sum(int(file.read_text().split()[0]) for file in files if file.exists()) / 1e9


def load(name: str, folder: Path, dsn: str) -> None:
    """Makes the map of the extract in a folder and prints how long it took.

    A server's share of the processor time is not known once its process has ended.
    """
    begin = perf_counter()
    if name == "osm":
        add_map(folder / EXTRACT, name=NAME, home=MapHome(folder / "maps"))
    else:
        load_region(folder / EXTRACT, dsn, name=NAME, home=MapHome(folder / REGIONS_FOLDER))
    figures = {"ingest s": perf_counter() - begin}
    if name == "osm":
        figures["ingest cpu s"] = process_time() + _children_s()
    sys.stdout.write(json.dumps(figures) + "\n")


def _children_s() -> float:
    """Processor time of the programs that have been started and are done: the tile builder."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Loads or asks, as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("load", "ask"))
    parser.add_argument("engine", choices=("osm", "postgis"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dsn", default="")
    given = parser.parse_args()
    if given.step == "load":
        load(given.engine, given.folder, given.dsn)
    else:
        answer_to(engine(given.engine, given.folder, given.dsn), given.folder)


if __name__ == "__main__":
    main()

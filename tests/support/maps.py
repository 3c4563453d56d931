"""The demo extract and the eight real extracts as maps, each built once for a whole test run."""

import tempfile
from functools import lru_cache
from pathlib import Path

from tests.support.data import demo_extract, shared


@lru_cache(maxsize=1)
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="mapagent-demo-map-")


@lru_cache(maxsize=1)
def demo_map() -> Path:
    """Folder of the map of Helsinki's centre; skips the test where the extract is absent."""
    from map_tools.maps.home import MapHome
    from map_tools.maps.making.ingest import add_map

    extract = demo_extract()
    home = MapHome(Path(_folder().name))
    return home.path(add_map(extract, name="helsinki", home=home).name)


@lru_cache(maxsize=1)
def _timed_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="mapagent-transit-map-")


@lru_cache(maxsize=1)
def transit_map() -> Path:
    """The same with the timetable of `tests.support.gtfs.HELSINKI`, in a home of its own."""
    from map_tools.maps.home import MapHome
    from map_tools.maps.making.ingest import add_map
    from tests.support.gtfs import HELSINKI, write_feed

    home = MapHome(Path(_timed_folder().name))
    feed = write_feed(home.root / "feed.zip", HELSINKI)
    return home.path(add_map(demo_extract(), name="helsinki", home=home, gtfs=feed).name)


@lru_cache(maxsize=1)
def _extracts_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="mapagent-extract-maps-")


def extract(name: str) -> Path:
    """The .osm.pbf file of an extract ("porto-2020-07-20"); skips the test where the data is absent."""
    return shared(f"osm/{name}.osm.pbf")


def extract_map(name: str) -> Path:
    """Folder of the map of an extract; skips the test where the data is absent."""
    extract(name)
    return _built(name)


@lru_cache(maxsize=8)
def _built(name: str) -> Path:
    from map_tools.maps.home import MapHome
    from map_tools.maps.making.ingest import add_map

    home = MapHome(Path(_extracts_folder().name))
    return home.path(add_map(extract(name), name=name.partition("-20")[0], home=home).name)

"""The demo extract as a map, built once for a whole test run."""

import tempfile
from functools import lru_cache
from pathlib import Path

from tests.support.data import demo_extract


@lru_cache(maxsize=1)
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="mapagent-demo-map-")


@lru_cache(maxsize=1)
def demo_map() -> Path:
    """Folder of the map of Helsinki's centre; skips the test where the extract is absent."""
    from map_tools.maps.home import MapHome
    from map_tools.maps.ingest import add_map

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
    from map_tools.maps.ingest import add_map
    from tests.support.gtfs import HELSINKI, write_feed

    home = MapHome(Path(_timed_folder().name))
    feed = write_feed(home.root / "feed.zip", HELSINKI)
    return home.path(add_map(demo_extract(), name="helsinki", home=home, gtfs=feed).name)

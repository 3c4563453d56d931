"""The eight real extracts as maps, each built once for a whole test run."""

import tempfile
from functools import lru_cache
from pathlib import Path

from tests.support.data import shared


@lru_cache(maxsize=1)
def _folder() -> tempfile.TemporaryDirectory[str]:
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
    from map_tools.maps.ingest import add_map

    home = MapHome(Path(_folder().name))
    return home.path(add_map(extract(name), name=name.partition("-20")[0], home=home).name)

"""A small country with regions, lakes and roads, as an extract and as a map."""

from pathlib import Path

import pytest

from tests.support.data import shared


@pytest.fixture(scope="session")
def extract() -> Path:
    return shared("osm/monaco-2026-03-09.osm.pbf")


@pytest.fixture(scope="session")
def monaco(extract: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the map."""
    from map_tools.maps.home import MapHome
    from map_tools.maps.making.ingest import add_map

    home = MapHome(tmp_path_factory.mktemp("maps"))
    return home.path(add_map(extract, name="monaco", home=home).name)

"""A city with streets and truth, built once."""

from pathlib import Path

import pytest

from map_tools.maps.home import MapHome
from map_tools.maps.synth import synth
from tests.map_tools.maps.synth.truth import Truth

SEED, SIZE = 11, 3_000


@pytest.fixture(scope="package")
def city(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The map's folder."""
    home = MapHome(tmp_path_factory.mktemp("maps"))
    return home.path(synth(seed=SEED, size=SIZE, home=home, name="city").name)


@pytest.fixture(scope="package")
def truth(city: Path) -> Truth:
    """What is true of it."""
    return Truth.read(city)

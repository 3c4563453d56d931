"""The two maps: Helsinki's centre, which the test environment has, and Porto, where the extract is at hand."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from map_tools.providers.osm import OsmProvider
from tests.modules.query.compositional.asking import World
from tests.modules.query.compositional.raw_map import RawMap
from tests.support.data import demo_extract
from tests.support.maps import demo_map, extract, extract_map


def _world(name: str, file: Path, folder: Path) -> Iterator[World]:
    provider = OsmProvider.open(folder)
    yield World(name, RawMap(file, folder / "tiles"), provider)
    asyncio.run(provider.close())


@pytest.fixture(scope="session")
def helsinki() -> Iterator[World]:
    """Helsinki's centre."""
    yield from _world("helsinki", demo_extract(), demo_map())


@pytest.fixture(scope="session")
def porto() -> Iterator[World]:
    """Porto with Gaia's riverside; skipped where the extract is absent."""
    yield from _world("porto", extract("porto-2020-07-20"), extract_map("porto-2020-07-20"))


@pytest.fixture
def world(request: pytest.FixtureRequest) -> World:
    """The map of this name (`asking.on`)."""
    found: World = request.getfixturevalue(request.param)
    return found

"""The map that true and false derivations are made on."""

import asyncio
from collections.abc import Iterator

import pytest

from map_tools.providers.osm import OsmProvider
from tests.support.maps import demo_map


@pytest.fixture(scope="module")
def provider() -> Iterator[OsmProvider]:
    """Helsinki's centre."""
    made = OsmProvider.open(demo_map())
    yield made
    asyncio.run(made.close())

"""The demo map, as the tests of a file share it."""

from collections.abc import Iterator

import pytest

from map_tools.maps.store import MapStore
from tests.support.maps import demo_map


@pytest.fixture(scope="module")
def store() -> Iterator[MapStore]:
    """The places of Helsinki's centre."""
    opened = MapStore.open(demo_map())
    yield opened
    opened.close()

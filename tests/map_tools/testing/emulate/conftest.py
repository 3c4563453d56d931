"""An emulator over the demo map and one over the harbour world, each with a clock that stands still."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from map_tools.providers.osm import OsmProvider
from map_tools.providers.recorded import RecordedProvider
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.server import running
from tests.e2e.truth import RawMap
from tests.map_tools.testing.emulate.client import Asker, FixedClock
from tests.support.data import demo_extract
from tests.support.maps import demo_map

HARBOUR = Path(__file__).parents[3] / "fixtures" / "worlds" / "harbour.json"
NOON = datetime(2026, 5, 6, 9, 0, tzinfo=UTC)
"""A Wednesday; noon on the clocks of Helsinki."""


@pytest.fixture(scope="package")
def raw() -> RawMap:
    """The demo extract as independent code reads it."""
    return RawMap(demo_extract(), demo_map() / "tiles")


@pytest.fixture(scope="package")
def clock() -> FixedClock:
    """What the emulator over the demo map takes for now."""
    return FixedClock(NOON)


@pytest.fixture(scope="package")
def helsinki(clock: FixedClock) -> Iterator[Asker]:
    """An emulator over the demo map."""
    provider = OsmProvider.open(demo_map())
    with running(Backend(provider, clock)) as base:
        yield Asker(base)
    asyncio.run(provider.close())


@pytest.fixture
def harbour() -> Iterator[Asker]:
    """An emulator over a small world with ratings and prices, two results a page."""
    backend = Backend(RecordedProvider.open(HARBOUR), FixedClock(NOON), page_size=2, token_delay_s=0)
    with running(backend) as base:
        yield Asker(base)

"""An emulator over the demo map and one over the harbour world, each with a clock that stands still.

They are asked by urllib, the legacy services also by Google's own client.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import googlemaps
import pytest

from map_tools.providers.osm import OsmProvider
from map_tools.providers.recorded import RecordedProvider
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.server import running
from tests.e2e.truth import RawMap
from tests.support.data import demo_extract
from tests.support.maps import demo_map

KEY = "AIzaAnything"
TIMEOUT_S = 20
HARBOUR = Path(__file__).parents[3] / "fixtures" / "worlds" / "harbour.json"
NOON = datetime(2026, 5, 6, 9, 0, tzinfo=UTC)
"""A Wednesday; noon on the clocks of Helsinki."""


class FixedClock:
    """Stands still until it is moved."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def move(self, by: timedelta) -> None:
        self._now += by


@dataclass(frozen=True)
class Answered:
    """A reply."""

    status: int
    json: Any
    headers: dict[str, str]


@dataclass(frozen=True)
class Asker:
    """Knows where an emulator is."""

    base: str

    @contextmanager
    def client(self) -> Iterator[googlemaps.Client]:
        """Google's own client for the legacy services; it tries a failed request once."""
        client = googlemaps.Client(
            key=KEY, base_url=self.base, retry_timeout=0.2, retry_over_query_limit=False
        )
        try:
            yield client
        finally:
            client.session.close()

    def legacy(self, path: str, key: str = KEY, **parameters: Any) -> Answered:
        """A legacy request by hand; `path` as in "place/details"."""
        query = urlencode(parameters | ({"key": key} if key else {}))
        return self.send(Request(f"{self.base}/maps/api/{path}/json?{query}"))

    def post(self, path: str, body: Any, mask: str, key: str = KEY) -> Answered:
        """A request with a body to one of the new services."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = _headers(mask, key) | {"Content-Type": "application/json"}
        return self.send(Request(self.base + path, data=data, headers=headers))

    def get(self, path: str, mask: str, key: str = KEY) -> Answered:
        """A request without a body to one of the new services."""
        return self.send(Request(self.base + path, headers=_headers(mask, key)))

    def send(self, request: Request) -> Answered:
        """Sends a request; an error status is a reply like any other."""
        try:
            with urlopen(request, timeout=TIMEOUT_S) as reply:
                return Answered(reply.status, json.loads(reply.read()), dict(reply.headers))
        except HTTPError as error:
            with error:
                return Answered(error.code, json.loads(error.read()), dict(error.headers))


def _headers(mask: str, key: str) -> dict[str, str]:
    headers = {"X-Goog-FieldMask": mask, "X-Goog-Api-Key": key}
    return {name: value for name, value in headers.items() if value}


def circle(lat: float, lng: float, radius_m: float) -> dict[str, Any]:
    """A circle of the new services."""
    return {"circle": {"center": {"latitude": lat, "longitude": lng}, "radius": radius_m}}


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

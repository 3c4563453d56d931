"""Replies of map services with mistakes in them: read as far as they can be, or an error of the provider."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from map_tools.errors import ProviderError
from map_tools.providers.http_clients import reading
from map_tools.providers.osm_web.osrm import read_cells, read_routes
from map_tools.providers.osm_web.places import read_element, read_hit
from map_tools.types import LatLng
from tests.fuzz.damage import mistaken
from tests.fuzz.refusals import assert_told
from tests.map_tools.providers.osm_web.replies import LAT, LIGHTHOUSE, LNG, node, osrm_route, osrm_step
from tests.support.effort import effort

STOPS = (LatLng(lat=LAT, lng=LNG), LatLng(lat=-12.49, lng=45.27))
POINT = {"distance": 1.0, "location": [LNG, LAT]}
WAY = osrm_route(osrm_step("depart", "Pier Road", 2500, 1800), osrm_step("arrive", "Pier Road", 0, 0))
TABLE = {"code": "Ok", "durations": [[0, 1800]], "distances": [[0, 2500]], "sources": [POINT]}
READERS: dict[str, tuple[dict[str, Any], Callable[[Any], object]]] = {
    "a place of Nominatim": (LIGHTHOUSE, read_hit),
    "a place of Overpass": (node(1, LAT, LNG, amenity="cafe", name="Pier Cafe"), read_element),
    "ways of OSRM": (WAY, lambda reply: read_routes(reply, STOPS)),
    "a table of OSRM": (TABLE | {"destinations": [POINT, POINT]}, lambda reply: list(read_cells(reply))),
}


@pytest.mark.parametrize("name", READERS)
def test_the_samples_are_sound(name: str) -> None:
    sound, read = READERS[name]
    assert read(sound)


@pytest.mark.parametrize("name", READERS)
def test_replies_with_mistakes(name: str) -> None:
    sound, read = READERS[name]

    @effort(2)
    @given(mistaken(sound))
    def replied(value: Any) -> None:
        try:
            with reading("The server"):
                read(value)
        except ProviderError as error:
            assert_told(error, "sent a reply that cannot be read")

    replied()

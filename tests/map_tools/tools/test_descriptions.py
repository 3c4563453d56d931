"""Names with an addition, on the real extract: the addition has to be true of the place, or it decides nothing."""

import asyncio
import math
from collections.abc import Iterator

import osmium
import pytest

from map_tools.errors import PlaceNotFoundError
from map_tools.providers.osm import OsmProvider
from map_tools.tools.base import ToolContext
from map_tools.tools.resolve import Resolved, resolve
from map_tools.types import LatLng
from tests.support.data import demo_extract
from tests.support.maps import demo_map

STOCKMANN = LatLng(lat=60.1683005, lng=24.9420834)
"""The middle of the department store; one of the branches of Alko is in it."""


@pytest.fixture(scope="module")
def provider() -> Iterator[OsmProvider]:
    opened = OsmProvider.open(demo_map())
    yield opened
    asyncio.run(opened.close())


def resolved(text: str, provider: OsmProvider) -> Resolved:
    return asyncio.run(resolve(text, provider, ToolContext()))


def flat_m(a: LatLng, b: LatLng) -> float:
    """Metres between two near points, on a plane."""
    east = (a.lng - b.lng) * math.cos(math.radians(a.lat))
    return math.hypot(a.lat - b.lat, east) * 111_200


def mapped(name: str) -> list[LatLng]:
    """Where the extract has nodes whose name begins so, read from the file itself."""
    return [
        LatLng(lat=node.location.lat, lng=node.location.lon)
        for node in osmium.FileProcessor(str(demo_extract()), osmium.osm.NODE)
        if node.tags.get("name", "").startswith(name)
    ]


@pytest.mark.parametrize("joint", ["next to", "by", "near", "beside", ","])
def test_the_branch_beside_what_is_named_is_meant(joint: str, provider: OsmProvider) -> None:
    branches = mapped("Alko")
    assert len(branches) > 1, "only one of several branches can be told by where it is"
    found = resolved(f"Alko {joint} Stockmann", provider)
    assert not found.rivals
    assert found.place.location is not None
    nearest = min(branches, key=lambda one: flat_m(one, STOCKMANN))
    assert flat_m(found.place.location, nearest) < 5


@pytest.mark.parametrize("text", ["contemporary art museum (Kiasma)", "Kiasma (contemporary art museum)"])
def test_a_kind_in_brackets_has_to_be_that_of_the_place(text: str, provider: OsmProvider) -> None:
    assert resolved(text, provider).place.name == resolved("Kiasma", provider).place.name
    with pytest.raises(PlaceNotFoundError):
        resolved("dental clinic (Kiasma)", provider)


@pytest.mark.parametrize("rest", ["Frobnitz", "the Frobnitz Tower", "Suomenlinna ferry to Tallinn"])
def test_an_addition_that_names_nothing_decides_nothing(rest: str, provider: OsmProvider) -> None:
    try:
        found = resolved(f"Alko by {rest}", provider)
    except PlaceNotFoundError:
        return
    assert found.rivals, "without the addition it is one of several"


def test_a_branch_on_a_street_stands_on_it(provider: OsmProvider) -> None:
    found = resolved("Alko on Mannerheimintie", provider)
    assert found.place.address is not None
    assert "Mannerheimintie" in found.place.address


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Engel cinema", "Kino Engel"),
        ("Svenska theatre", "Svenska Teatern"),
    ],
)
def test_the_one_of_a_kind_whose_name_holds_the_other_words(
    text: str, name: str, provider: OsmProvider
) -> None:
    found = resolved(text, provider)
    assert name in (found.place.name, *found.place.aliases)
    assert not found.rivals


def test_a_kind_with_a_name_that_none_of_it_has_is_not_found(provider: OsmProvider) -> None:
    with pytest.raises(PlaceNotFoundError):
        resolved("Narnia cinema", provider)

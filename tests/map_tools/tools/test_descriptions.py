"""Words for a place that are no name of it, or the name of several, on real extracts.

An addition to a name has to be true of the place, or it decides nothing.
"""

import asyncio
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import osmium
import pytest

from map_tools.errors import PlaceNotFoundError
from map_tools.providers.base import Provider
from map_tools.providers.osm import OsmProvider
from map_tools.tools.base import ToolContext
from map_tools.tools.resolve import Resolved, resolve
from map_tools.types import LatLng
from tests.map_tools.tools.fakes import Candidates, candidate
from tests.support.data import demo_extract
from tests.support.maps import demo_map, extract_map
from tests.support.village import Objects, village_provider

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


@pytest.fixture(scope="module")
def munich() -> Iterator[OsmProvider]:
    opened = OsmProvider.open(extract_map("munich-centre-2020-07-20"))
    yield opened
    asyncio.run(opened.close())


@pytest.mark.parametrize("near", [None, LatLng(lat=48.19, lng=11.55)])
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Isartor", "city_gate"),
        ("Sendlinger Tor", "city_gate"),
        ("Isartor station", "light_rail_station"),
        ("Marienplatz", "square"),
        ("Odeonsplatz", "subway_station"),
    ],
)
def test_a_stop_comes_after_the_gate_it_is_named_after(
    text: str, kind: str, near: LatLng | None, munich: OsmProvider
) -> None:
    found = asyncio.run(resolve(text, munich, ToolContext(near=near)))
    assert (found.place.categories[0], found.rivals) == (kind, ())


FAMOUS = {"wikidata": "Q1"}


@pytest.mark.parametrize(
    ("other", "gives"),
    [
        (candidate("Aston", 52.001, 5.0, score=0.93, categories=("city_gate",), attributes=FAMOUS), True),
        (candidate("Aston", 52.001, 5.0, score=0.98, categories=("city_gate",)), False),
        (candidate("Aston", 52.010, 5.0, score=0.98, categories=("city_gate",), attributes=FAMOUS), False),
        (candidate("Aston Gate", 52.001, 5.0, score=0.98, categories=("gate",), attributes=FAMOUS), False),
        (candidate("Aston", 52.001, 5.0, score=0.98, categories=("street",), attributes=FAMOUS), False),
        (candidate("Aston", 52.001, 5.0, score=0.98, categories=("building",), attributes=FAMOUS), False),
        (candidate("Aston", 52.001, 5.0, score=0.98, categories=("bus_stop",), attributes=FAMOUS), False),
    ],
)
def test_only_what_is_known_and_stands_by_a_stop_gave_it_its_name(other: Any, gives: bool) -> None:
    stop = candidate("Aston", 52.0, 5.0, score=0.99, categories=("station", "transit"))
    provider = cast("Provider", Candidates(stop, other))
    found = asyncio.run(resolve("Aston", provider, ToolContext()))
    assert found.place == (other if gives else stop).place


def test_the_bath_of_a_village_is_none_of_the_pools_in_its_gardens() -> None:
    opened = OsmProvider.open(extract_map("liechtenstein-2022-12-15"))
    for village, near in (
        ("Eschen", LatLng(lat=47.2106, lng=9.5228)),
        ("Balzers", LatLng(lat=47.0676, lng=9.5030)),
    ):
        found = asyncio.run(resolve("Hallenbad", opened, ToolContext(), near=near))
        assert (found.place.name, found.rivals) == (f"Hallenbad {village}", ())
    asyncio.run(opened.close())


def test_a_kind_without_names_is_no_shop_called_so(tmp_path: Path) -> None:
    objects = Objects()
    pool = objects.house((0, 0), leisure="swimming_pool")
    objects.node((100, 0), shop="swimming_pool", name="Pool Supplies")
    bench = objects.node((200, 0), amenity="bench")
    objects.house((300, 0), building="yes", name="Bench House")
    provider = village_provider(objects, tmp_path)
    assert [resolved(text, provider).place.id for text in ("the pool", "pool", "bench")] == [
        pool,
        pool,
        bench,
    ]
    asyncio.run(provider.close())

"""Corners as what a wish is measured from; where streets meet is read from the extract's shared nodes."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import osmium
import pytest
from pyproj import Geod

from map_tools.facts import NearbyFact, PlaceFact
from map_tools.providers.osm import OsmProvider
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import World
from map_tools.types import LatLng, Place
from mapagent.agent import MapAgent
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.question import Question
from modules.recommender.geojson import feature_collection
from modules.recommender.searching import facts_of
from modules.recommender.spatial_reading import Corner, with_corners
from modules.recommender.understand import understand
from modules.recommender.wish import Geometry, Wish
from tests.support.data import demo_extract
from tests.support.maps import demo_map

WGS84 = Geod(ellps="WGS84")
STREETS = ("Mannerheimintie", "Aleksanterinkatu")
WORDS = "the corner of Mannerheimintie and Aleksanterinkatu"


@pytest.fixture
def provider() -> Iterator[OsmProvider]:
    opened = OsmProvider.open(demo_map())
    yield opened
    asyncio.run(opened.close())


def shared_node(first: str, second: str) -> tuple[float, float]:
    """The one node that the ways of two streets have in common, as latitude and longitude."""
    of: dict[str, set[int]] = {first: set(), second: set()}
    for way in osmium.FileProcessor(str(demo_extract()), osmium.osm.WAY):
        assert isinstance(way, osmium.osm.Way)
        if "highway" in way.tags and way.tags.get("name") in of:
            of[way.tags["name"]].update(node.ref for node in way.nodes)
    (shared,) = of[first] & of[second]
    for node in osmium.FileProcessor(str(demo_extract()), osmium.osm.NODE):
        assert isinstance(node, osmium.osm.Node)
        if node.id == shared:
            return node.lat, node.lon
    raise AssertionError(shared)


def wish_of(text: str, provider: OsmProvider) -> Wish:
    found = understand(Question(text=text), provider)
    assert found is not None
    return found


def ask(text: str, data_home: Path) -> Answer:
    settings = Settings(data_home=data_home, modules={"recommender": {"embed": {"model": "hashing"}}})
    agent = MapAgent(settings, provider=OsmProvider.open(demo_map()))
    try:
        return agent.ask_blocking(text)
    finally:
        asyncio.run(agent.close())


@pytest.mark.parametrize(
    "text",
    [
        "Recommend a cosy cafe near the corner of Mannerheimintie and Aleksanterinkatu",
        "Recommend a cosy cafe at the intersection of Mannerheimintie & Aleksanterinkatu, not a chain",
        "A cosy cafe around the crossing of Mannerheimintie with Aleksanterinkatu, please",
        "A cosy cafe close to the junction between Mannerheimintie and Aleksanterinkatu",
        "Somewhere cosy for coffee where Mannerheimintie meets Aleksanterinkatu",
        "A cosy cafe by the street corner Mannerheimintie / Aleksanterinkatu",
    ],
)
def test_a_corner_is_one_point(provider: OsmProvider, text: str) -> None:
    wish = wish_of(text, provider)
    assert (wish.geometry, wish.anchors) == (Geometry.POINT, (WORDS,))
    assert wish.corners == {WORDS: STREETS}


@pytest.mark.parametrize("before", ["near the corner of", "at the intersection between"])
def test_a_corner_is_known_by_its_words_where_nobody_tells_names(before: str) -> None:
    wish = understand(Question(text=f"Recommend a cosy cafe {before} Elm Street and Oak Avenue, please"))
    assert wish is not None
    assert list(wish.corners.values()) == [("Elm Street", "Oak Avenue")]


@pytest.mark.parametrize(
    ("text", "geometry", "anchors"),
    [
        ("A cosy cafe between Kiasma and Ateneum", Geometry.BETWEEN, ("Kiasma", "Ateneum")),
        ("A cosy cafe near Kiasma and Ateneum", Geometry.POINT, ("Kiasma", "Ateneum")),
        ("A cosy cafe near Kiasma, just round the corner", Geometry.POINT, ("Kiasma",)),
        (f"A cosy cafe on the way from {WORDS} to Kiasma", Geometry.ROUTE, (WORDS, "Kiasma")),
    ],
)
def test_two_names_alone_are_no_corner(
    provider: OsmProvider, text: str, geometry: Geometry, anchors: tuple[str, ...]
) -> None:
    wish = wish_of(text, provider)
    assert (wish.geometry, wish.anchors) == (geometry, anchors)


def test_distances_are_measured_from_where_the_streets_meet(tmp_path: Path) -> None:
    answer = ask(f"Recommend a cosy cafe within 300 m of {WORDS}", tmp_path)
    assert answer.status is Status.ANSWERED
    lat, lng = shared_node(*STREETS)
    said = next(fact for _, fact in facts_of(answer.evidence, PlaceFact) if fact.query == WORDS)
    assert said.place.location is not None
    assert (said.place.location.lat, said.place.location.lng) == pytest.approx((lat, lng), abs=2e-6)
    listed = next(fact for _, fact in facts_of(answer.evidence, NearbyFact) if fact.anchor == WORDS)
    assert listed.items
    for item in listed.items:
        assert item.place.location is not None
        metres = WGS84.inv(lng, lat, item.place.location.lng, item.place.location.lat)[2]
        assert item.distance_m == pytest.approx(metres, abs=0.5)
        assert metres <= 300
    assert f"m from {WORDS}" in answer.explanation
    drawn = feature_collection(answer)["features"]
    (anchor,) = (one for one in drawn if one["properties"]["role"] == "anchor")
    assert anchor["geometry"]["coordinates"] == pytest.approx([lng, lat], abs=2e-6)
    assert [one["properties"]["name"] for one in drawn if one["properties"]["role"] == "area"] == [
        f"300 m around {WORDS}"
    ]


def test_a_way_may_begin_at_a_corner(tmp_path: Path) -> None:
    answer = ask(f"Recommend a cosy cafe on the way from {WORDS} to Kiasma", tmp_path)
    assert answer.status is Status.ANSWERED
    assert WORDS in answer.explanation


@pytest.mark.parametrize(
    ("corner", "reason"),
    [
        ("the corner of Mannerheimintie and Liisankatu", "come no nearer to each other"),
        ("the corner of Mannerheimintie and Xyzzykatu", "no street 'Xyzzykatu'"),
    ],
)
def test_streets_that_do_not_meet_are_named(tmp_path: Path, corner: str, reason: str) -> None:
    answer = ask(f"Recommend a cosy cafe near {corner}", tmp_path)
    assert answer.status is Status.UNANSWERABLE
    assert reason in answer.reason


def test_a_map_without_courses_of_streets_is_asked_for_the_corner_itself() -> None:
    world = World(
        name="elm",
        places={
            "corner": Place(
                id="corner", name="Corner of Elm Street and Oak Street", location=LatLng(lat=1, lng=1)
            ),
            "cafe": Place(id="cafe", name="Acorn", location=LatLng(lat=1, lng=1.001), categories=("cafe",)),
        },
    )
    settings = Settings(modules={"recommender": {"embed": {"model": "hashing"}}})
    agent = MapAgent(settings, provider=RecordedProvider(world))
    try:
        answer = agent.ask_blocking("Recommend a cosy cafe near the corner of Elm Street and Oak Street")
    finally:
        asyncio.run(agent.close())
    assert answer.text == "Acorn", answer.reason


@pytest.mark.parametrize(
    "places", [["Elm Street", "Oak Street"], ["the corner of Elm Street and Oak Street"], ["Oak Street"]]
)
def test_streets_that_a_model_names_are_their_corner(places: list[str]) -> None:
    corner = Corner(0, 40, ("Elm Street", "Oak Street"), "near")
    assert with_corners([*places, "Mill"], [corner]) == (corner.words, "Mill")

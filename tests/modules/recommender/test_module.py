"""Recommendations on the demo map, judged by an independent reader of the same extract."""

import asyncio
import math
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import osmium
import pytest
from pyproj import Geod
from shapely import LineString

from map_tools.errors import ConfigError
from map_tools.facts import ComputedFact
from map_tools.maps.valhalla_reply import decode_polyline
from map_tools.providers.osm import OsmProvider
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import World
from map_tools.types import LatLng, Place
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from modules.recommender import retrieve
from tests.e2e.truth import RawMap, Thing
from tests.support.data import demo_extract
from tests.support.maps import demo_map

FRIDAY = datetime(2026, 3, 6, 18)  # noqa: DTZ001 - local time of the place
EATING = ("restaurant", "cafe", "fast_food", "biergarten", "food_court", "ice_cream", "juice_bar", "canteen")
STREETS = ("Mannerheimintie", "Aleksanterinkatu")
WGS84 = Geod(ellps="WGS84")


@pytest.fixture(scope="module")
def agent() -> Iterator[MapAgent]:
    """An agent on the demo map; hashing needs no extra and never changes."""
    settings = Settings(modules={"recommender": {"embed": {"model": "hashing"}}})
    made = MapAgent(settings, provider=OsmProvider.open(demo_map()))
    yield made
    asyncio.run(made.close())


@pytest.fixture(scope="module")
def raw() -> RawMap:
    return RawMap(demo_extract(), demo_map() / "tiles")


def best(agent: MapAgent, call: str, count: int = 3, **more: Any) -> Answer:
    """The answer of a program that recommends."""
    question = Question(text="A wish", at=FRIDAY, **more)
    return asyncio.run(agent.query(f"answer({call}[:{count}])", question=question))


def named(raw: RawMap, answer: Answer, **rules: Any) -> list[Thing]:
    """The objects an answer gives, which obey the rules."""
    known = {f"osm:{thing.kind[0]}{thing.osm_id}": thing for thing in raw.all(**rules)}
    assert answer.places, answer.reason
    told = answer.text.split(", ")
    assert len(told) == len(answer.places)
    assert all(text.startswith(place.name) for text, place in zip(told, answer.places, strict=True))
    return [known[place.id] for place in answer.places]


def test_a_point(agent: MapAgent, raw: RawMap) -> None:
    answer = best(
        agent, 'recommend("quiet restaurant", near="Kiasma", where=lambda p: "italian" in p.cuisine)'
    )
    assert answer.status is Status.ANSWERED
    places = named(raw, answer, amenity=EATING, cuisine="italian")
    assert len(places) == 3
    kiasma = raw.one("Kiasma", tourism="museum")
    assert all(raw.span(kiasma, place)[0] <= 1000 for place in places)


def test_along_a_way(agent: MapAgent, raw: RawMap) -> None:
    answer = best(
        agent,
        'recommend("cosy place for a late dinner", '
        'along=travel("Amos Anderson taidemuseo", "Suomen Pankin rahamuseo", "walk"), within="500 m", '
        'where=lambda p: "italian" in p.cuisine and not known(p.brand) and is_open(p, "22:00"))',
    )
    places = named(raw, answer, amenity=EATING, brand=False)
    way = _way(raw, "Amos Anderson taidemuseo", "Suomen Pankin rahamuseo")
    for place in places:
        assert "italian" in f"{place.tags.get('cuisine')} {place.name}".casefold()
        assert place.open_at(FRIDAY.replace(hour=22))
        # The least distance of an outline cannot exceed that of the point which stands for it.
        assert raw.span(way, place)[0] <= 500 + 1
    assert "the walking way from Amos Anderson taidemuseo" in answer.explanation


def test_the_ends_of_a_way_are_not_what_lies_along_it(agent: MapAgent) -> None:
    call = 'recommend("museum", along=travel("Kiasma", "Ateneum", "walk"), within="200 m")'
    answer = best(agent, call, count=20)
    assert answer.places
    assert not {"Kiasma", "Ateneum"} & {place.name for place in answer.places}


def test_what_does_not_lie_along_the_way_is_not_let_out(
    agent: MapAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieve, "_distances_m", lambda _, places: [0.0] * len(places))
    call = 'recommend("cosy cafe", along=travel("Kiasma", "Ateneum", "walk"), within="100 m")'
    answer = best(agent, call, count=20)
    assert answer.status is Status.UNANSWERABLE
    assert "a recommendation of what lies elsewhere" in answer.reason


def test_along_a_street(agent: MapAgent, raw: RawMap) -> None:
    answer = best(agent, 'recommend("cosy cafe", along="Mannerheimintie", within="100 m")', count=20)
    pieces = _street("Mannerheimintie")
    places = named(raw, answer, amenity="cafe")
    assert len(places) > 3
    for place in places:
        assert min(raw.span(piece, place)[0] for piece in pieces) <= 100 + 1


def test_the_buffer_of_a_way_is_that_of_its_travelling(agent: MapAgent) -> None:
    """Appendix F.1: 1 km for walking routes, 2 km for general ones."""
    for mode, said in (
        ("walk", "within 1 km of the walking way"),
        ("drive", "within 2 km of the driving way"),
    ):
        answer = best(agent, f'recommend("cosy cafe", along=travel("Kiasma", "Ateneum", "{mode}"))')
        assert said in answer.explanation


def test_a_region_with_an_outline(agent: MapAgent, raw: RawMap) -> None:
    answer = best(
        agent,
        'recommend("cosy place for dinner", inside="Esplanadinpuisto", where=lambda p: not known(p.brand))',
    )
    park = raw.one("Esplanadinpuisto", leisure="park")
    inside = {thing.name for thing in raw.inside(park, raw.all(amenity=EATING, name=True))}
    assert {place.name for place in answer.places} <= inside
    assert answer.places


def test_a_region_without_an_outline_is_a_circle_and_says_so(agent: MapAgent, raw: RawMap) -> None:
    answer = best(agent, 'recommend("cosy cafe", inside="Kluuvi")')
    (middle,) = (one for one in raw.all(name="Kluuvi") if "place" in one.tags)
    said = next(re.search(r"Kluuvi has no outline .* (\d+) m", one) for one in answer.assumptions)
    assert said is not None
    assert all(raw.span(middle, place)[0] <= int(said[1]) for place in named(raw, answer, amenity="cafe"))


def test_near_and_inside_bind_both(agent: MapAgent, raw: RawMap) -> None:
    call = 'recommend("cosy place to eat", near="Kiasma", within="1.2 km", inside="Esplanadinpuisto")'
    answer = best(agent, call, count=20)
    park, kiasma = raw.one("Esplanadinpuisto", leisure="park"), raw.one("Kiasma", tourism="museum")
    inside = {thing.name for thing in raw.inside(park, raw.all(amenity=EATING, name=True))}
    assert {place.name for place in answer.places} <= inside
    assert all(raw.span(kiasma, place)[0] <= 1200 for place in named(raw, answer, amenity=EATING))
    assert "within 1.2 km of Kiasma in Esplanadinpuisto" in answer.explanation


def test_without_a_place_the_whole_map_is_searched(agent: MapAgent, raw: RawMap) -> None:
    answer = best(agent, 'recommend("quiet library")', count=20)
    every = {thing.name for thing in raw.all(amenity="library", name=True)}
    assert {place.name for place in answer.places} == every
    assert "in helsinki" in answer.explanation


class Endless(RecordedProvider):
    """A source that cannot list all it has."""

    everywhere = None


def small_world() -> World:
    corner = Place(id="corner", name="Corner of Elm Street and Oak Street", location=LatLng(lat=1, lng=1))
    cafe = Place(id="cafe", name="Acorn", location=LatLng(lat=1, lng=1.001), categories=("cafe",))
    return World(name="elm", places={place.id: place for place in (corner, cafe)})


def recorded(provider: RecordedProvider, call: str) -> Answer:
    settings = Settings(modules={"recommender": {"embed": {"model": "hashing"}}})
    agent = MapAgent(settings, provider=provider)
    try:
        return best(agent, call)
    finally:
        asyncio.run(agent.close())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "Give near=, inside= or along="),
        (', within="300 m"', "Within 300 m of what?"),
        (
            ', near="Acorn", along=travel("Acorn", "Corner of Elm Street and Oak Street", "walk")',
            "near= or along=",
        ),
    ],
)
def test_what_is_not_said_of_where_is_asked_for(given: str, said: str) -> None:
    answer = recorded(Endless(small_world()), f'recommend("cosy cafe"{given})')
    assert answer.status is Status.UNANSWERABLE
    assert said in answer.reason


def test_a_corner_is_where_its_streets_meet(agent: MapAgent, raw: RawMap) -> None:
    answer = best(agent, f'recommend("cosy cafe", near="{" & ".join(STREETS)}", within="300 m")', count=20)
    lat, lng = _shared_node(*STREETS)
    places = named(raw, answer, amenity="cafe")
    assert places
    for place in answer.places:
        assert place.location is not None
        assert WGS84.inv(lng, lat, place.location.lng, place.location.lat)[2] <= 300 + 0.5


@pytest.mark.parametrize("corner", ["Mannerheimintie & Liisankatu", "Mannerheimintie & Xyzzykatu"])
def test_streets_that_do_not_meet_are_no_place(agent: MapAgent, corner: str) -> None:
    answer = best(agent, f'recommend("cosy cafe", near="{corner}")')
    assert answer.status is Status.UNANSWERABLE


def test_a_map_without_courses_of_streets_is_asked_for_the_corner_itself() -> None:
    call = 'recommend("cosy cafe", near="Corner of Elm Street and Oak Street")'
    answer = recorded(RecordedProvider(small_world()), call)
    assert answer.text == "Acorn", answer.reason


def test_distance_alone_gives_the_nearest(agent: MapAgent, raw: RawMap) -> None:
    wish = "lively bar, close is all that matters"
    answer = best(agent, f'recommend("{wish}", near="Amos Anderson taidemuseo")')
    ranked = raw.ranked("Amos Anderson taidemuseo", raw.all(amenity="bar", name=True))
    assert answer.text.split(", ")[0] == ranked[0][2].name


def test_here_is_the_user_s_position(agent: MapAgent) -> None:
    answer = best(agent, 'recommend("charming hotel", near=here)', near=LatLng(lat=60.1699, lng=24.9384))
    assert answer.status is Status.ANSWERED
    assert "from your position" in answer.explanation


def test_surroundings_count_where_they_are_wished_for(agent: MapAgent) -> None:
    answer = best(agent, 'recommend("relaxed cafe by a park", near="Kiasma")')
    assert "around it: park" in answer.explanation
    assert any("surroundings" in item.source.arguments.get("query", "") for item in answer.evidence)


def test_every_place_comes_with_its_score_and_reasons(agent: MapAgent, raw: RawMap) -> None:
    answer = best(agent, 'recommend("elegant place", near="Kiasma", where=lambda p: "sushi" in p.cuisine)')
    assert answer.status is Status.UNANSWERABLE  # "place" is no kind
    call = 'recommend("elegant restaurant", near="Kiasma", where=lambda p: "sushi" in p.cuisine)'
    answer = best(agent, call)
    assert answer.explanation.count("; score ") == 3
    for place in named(raw, answer, amenity=EATING):
        assert "sushi" in f"{place.tags.get('cuisine')} {place.name}".casefold()
    scores = [item for item in answer.evidence if item.kind == "computed" and "score" in item.value.label]
    assert len(scores) == 3
    assert all(item.derived_from for item in scores)


def test_an_empty_circle_says_what_a_wider_one_gives(agent: MapAgent, raw: RawMap) -> None:
    answer = best(agent, 'recommend("romantic hotel", near="Amos Anderson taidemuseo", within="50 m")')
    assert not answer.places
    assert "no hotel within 50 m of Amos Anderson taidemuseo" in answer.text
    hotels = raw.ranked("Amos Anderson taidemuseo", raw.all(tourism="hotel", name=True))
    assert not [farthest for _, farthest, _ in hotels if farthest <= 50]
    # An outline may reach into the circle where the point that stands for it does not.
    surely = sum(farthest <= 100 for _, farthest, _ in hotels)
    maybe = sum(nearest <= 100 for nearest, _, _ in hotels)
    said = re.search(r"There would be (\d+) within 100 m of Amos Anderson taidemuseo", answer.text)
    assert said is not None
    assert 1 <= surely <= int(said[1]) <= maybe


def test_conditions_that_leave_nothing_are_named_with_what_each_costs(agent: MapAgent, raw: RawMap) -> None:
    answer = best(
        agent,
        'recommend("cosy restaurant", near="Kiasma", within="300 m", '
        'where=lambda p: "ethiopian" in p.cuisine and not known(p.brand))',
    )
    assert answer.status is Status.UNANSWERABLE
    assert not raw.all(amenity=EATING, cuisine="ethiopian")
    assert "None of the" in answer.reason
    assert "it is not stated" in answer.reason
    assert re.search(r"Without “its cuisine includes ethiopian” \d+ would be left", answer.reason)


def test_a_condition_that_the_map_cannot_tell_is_no_yes(agent: MapAgent) -> None:
    answer = best(agent, 'recommend("romantic restaurant", near="Kiasma", where=lambda p: p.rating > 4.5)')
    assert answer.status is Status.UNANSWERABLE
    said = re.search(r"None of the (\d+) places .* Of (\d+) it is not stated", answer.reason)
    assert said is not None
    assert said[1] == said[2]


def test_what_is_left_out_is_counted(agent: MapAgent) -> None:
    answer = best(
        agent,
        'recommend("quiet restaurant", near="Kiasma", within="300 m", where=lambda p: "italian" in p.cuisine)',
    )
    said = next(warning for warning in answer.warnings if "fulfil the condition" in warning)
    counts = [int(number) for number in re.findall(r"\d+", said)]
    found, kept, denied, unstated = counts
    assert found == kept + denied + unstated
    listed = next(item.value for item in answer.evidence if item.kind == "nearby")
    restaurants = [one.place for one in listed.items if one.place.name]
    assert found == len(restaurants)
    assert kept >= len(answer.places)
    silent = [
        one for one in restaurants if "cuisine" not in one.attributes and "ital" not in one.name.casefold()
    ]
    assert unstated == len(silent)


def test_conditions_in_the_words_of_a_wish_only_rank_and_it_is_said(agent: MapAgent) -> None:
    answer = best(agent, 'recommend("vegan Italian restaurant, not a chain", near="Kiasma")')
    said = "These words of the wish only rank: vegan, Italian, not a chain. Written as where= they bind."
    assert said in answer.warnings
    bound = best(agent, 'recommend("vegan restaurant", near="Kiasma", where=lambda p: p.vegan)')
    assert not any("only rank" in warning for warning in bound.warnings)


def test_the_worked_example_of_the_documentation() -> None:
    pytest.importorskip("wordllama")
    documented = (Path(__file__).parents[3] / "docs" / "recommender.md").read_text("utf-8")
    call = 'recommend("elegant restaurant for dinner", near="Kiasma", where=lambda p: "italian" in p.cuisine)'
    assert call in documented
    agent = MapAgent(Settings(), provider=OsmProvider.open(demo_map()))
    try:
        answer = best(agent, call)
    finally:
        asyncio.run(agent.close())
    scores = {
        item.value.label: item.value.value
        for item in answer.evidence
        if isinstance(item.value, ComputedFact) and item.value.label.startswith("score of")
    }
    assert len(scores) == 3
    for label, score in scores.items():
        row = next(line for line in documented.splitlines() if line.startswith(f"| {label[9:]} |"))
        assert score in row
    assert "353 m from Kiasma" in answer.explanation
    assert "| 1/1.353 = 0.739 |" in documented  # equation 5 by hand, for that distance


def test_contradictory_wishes_are_reported(agent: MapAgent) -> None:
    both = "close is all that matters, quality first"
    answer = best(agent, f'recommend("romantic restaurant, {both}", near="Kiasma")')
    assert answer.status is Status.ANSWERED
    assert any("both closeness and quality" in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ('"cosy cafe", near="Blobbeldi Zork"', "Blobbeldi Zork"),
        ('"cosy cafe", along=travel("Kiasma", "Blobbeldi Zork", "walk")', "Blobbeldi Zork"),
        ('"cosy", near="Kiasma"', "names no kind of place"),
    ],
)
def test_what_is_not_known_of_a_wish_is_named(agent: MapAgent, wish: str, reason: str) -> None:
    answer = best(agent, f"recommend({wish})")
    assert answer.status is Status.UNANSWERABLE
    assert reason in answer.reason


def test_a_wrong_setting_is_named() -> None:
    settings = Settings(modules={"recommender": {"places": 0}})
    agent = MapAgent(settings, provider=OsmProvider.open(demo_map()))
    try:
        with pytest.raises(ConfigError, match=r"'places' in \[modules.recommender\]"):
            best(agent, 'recommend("quiet cafe", near="Kiasma")')
    finally:
        asyncio.run(agent.close())


def _way(raw: RawMap, start: str, end: str) -> Thing:
    """The way on foot, from the reader's own call of the routing engine."""
    legs = raw.route("pedestrian", start, end)["trip"]["legs"]
    course = [(lng, lat) for leg in legs for lat, lng in decode_polyline(leg["shape"])]
    return Thing("way", 0, {}, course[0][1], course[0][0], LineString(course))


def _street(name: str) -> list[Thing]:
    """The ways of a street."""
    found = []
    for way in osmium.FileProcessor(str(demo_extract())).with_locations():
        if isinstance(way, osmium.osm.Way) and "highway" in way.tags and way.tags.get("name") == name:
            course = [(node.lon, node.lat) for node in way.nodes if node.location.valid()]
            if len(course) > 1:
                found.append(Thing("way", way.id, {}, course[0][1], course[0][0], LineString(course)))
    return found


def _shared_node(first: str, second: str) -> tuple[float, float]:
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


def test_the_area_between_two_places(agent: MapAgent, raw: RawMap) -> None:
    answer = best(agent, 'recommend("quiet cafe", inside=between("Kiasma", "Ateneum"))')
    ends = [raw.one(name, tourism="museum") for name in ("Kiasma", "Ateneum")]
    east_m = 111_320 * math.cos(math.radians(ends[0].lat))
    flat = [((end.lng - ends[0].lng) * east_m, (end.lat - ends[0].lat) * 111_320) for end in ends]
    length_m = math.dist(*flat)
    for place in named(raw, answer, amenity="cafe"):
        x, y = (place.lng - ends[0].lng) * east_m, (place.lat - ends[0].lat) * 111_320
        along_m = (x * flat[1][0] + y * flat[1][1]) / length_m
        aside_m = abs(x * flat[1][1] - y * flat[1][0]) / length_m
        # Off the line by at most a quarter of its length, and not beyond its ends; outlines have another middle.
        assert -20 <= along_m <= length_m + 20
        assert aside_m <= length_m / 4 + 20


def test_what_cannot_be_ruled_out_is_said(agent: MapAgent) -> None:
    wish = "casual restaurant, we are not looking for fine dining"
    answer = best(agent, f'recommend("{wish}", near="Kiasma")')
    assert any("could not be ruled out" in warning for warning in answer.warnings)


def test_without_the_sparse_retriever_distance_is_no_matter(raw: RawMap) -> None:
    settings = Settings(modules={"recommender": {"embed": {"model": "hashing"}, "without": ["sparse"]}})
    agent = MapAgent(settings, provider=OsmProvider.open(demo_map()))
    call = (
        'recommend("quiet restaurant", near="Kiasma", within="100 m", where=lambda p: "italian" in p.cuisine)'
    )
    try:
        answer = best(agent, call, count=20)
    finally:
        asyncio.run(agent.close())
    kiasma = raw.one("Kiasma", tourism="museum")
    assert any(raw.span(kiasma, place)[0] > 500 for place in named(raw, answer, amenity=EATING))

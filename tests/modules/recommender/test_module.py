"""Recommendations on the demo map, judged by an independent reader of the same extract."""

import asyncio
import math
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from shapely import LineString

from map_tools.errors import ConfigError
from map_tools.facts import ComputedFact
from map_tools.maps.valhalla_reply import decode_polyline
from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng
from mapagent.agent import MapAgent
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.question import Question
from tests.e2e.truth import RawMap, Thing
from tests.support.data import demo_extract
from tests.support.maps import demo_map

FRIDAY = datetime(2026, 3, 6, 18)  # noqa: DTZ001 - local time of the place
EATING = ("restaurant", "cafe", "fast_food", "biergarten", "food_court", "ice_cream", "juice_bar", "canteen")


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


def ask(agent: MapAgent, text: str, **more: Any) -> Answer:
    return agent.ask_blocking(Question(text=text, at=FRIDAY, **more))


def named(raw: RawMap, answer: Answer, **rules: Any) -> list[Thing]:
    """The objects an answer gives, which obey the rules."""
    known = {f"osm:{thing.kind[0]}{thing.osm_id}": thing for thing in raw.all(**rules)}
    assert answer.places
    told = answer.text.split(", ")
    assert len(told) == len(answer.places)
    assert all(text.startswith(place.name) for text, place in zip(told, answer.places, strict=True))
    return [known[place.id] for place in answer.places]


def test_a_point(agent: MapAgent, raw: RawMap) -> None:
    answer = ask(agent, "Recommend a quiet Italian restaurant near Kiasma")
    assert answer.status is Status.ANSWERED
    assert answer.plan is not None
    assert [step.module for step in answer.plan.steps] == ["map_service", "recommender", "answer_generator"]
    places = named(raw, answer, amenity=EATING, cuisine="italian")
    assert len(places) == 3
    kiasma = raw.one("Kiasma", tourism="museum")
    assert all(raw.span(kiasma, place)[0] <= 1000 for place in places)


def test_a_route(agent: MapAgent, raw: RawMap) -> None:
    answer = ask(
        agent,
        "Somewhere cosy for a late Italian dinner within a short walk of the way from Amos Anderson "
        "taidemuseo to Suomen Pankin rahamuseo, not a chain",
    )
    places = named(raw, answer, amenity=EATING, brand=False)
    way = _way(raw, "Amos Anderson taidemuseo", "Suomen Pankin rahamuseo")
    for place in places:
        assert "italian" in f"{place.tags.get('cuisine')} {place.name}".casefold()
        assert place.open_at(FRIDAY.replace(hour=22))
        # The least distance of an outline cannot exceed that of the point which stands for it.
        assert raw.span(way, place)[0] <= 500 + 1


def test_a_region_with_an_outline(agent: MapAgent, raw: RawMap) -> None:
    answer = ask(agent, "Somewhere cosy for dinner in Esplanadinpuisto, not a chain")
    park = raw.one("Esplanadinpuisto", leisure="park")
    inside = {thing.name for thing in raw.inside(park, raw.all(amenity=EATING, name=True))}
    assert {place.name for place in answer.places} <= inside
    assert answer.places


def test_a_region_without_an_outline_is_a_circle_and_says_so(agent: MapAgent) -> None:
    answer = ask(agent, "Suggest a cosy cafe in Kluuvi")
    assert answer.status is Status.ANSWERED
    assert any("no outline of Kluuvi" in warning for warning in answer.warnings)


def test_distance_alone_gives_the_nearest(agent: MapAgent, raw: RawMap) -> None:
    answer = ask(agent, "Looking for a lively bar near Amos Anderson taidemuseo, close is all that matters")
    ranked = raw.ranked("Amos Anderson taidemuseo", raw.all(amenity="bar", name=True))
    assert answer.text.split(", ")[0] == ranked[0][2].name


def test_here_is_the_user_s_position(agent: MapAgent) -> None:
    answer = ask(agent, "Recommend a charming hotel near me", near=LatLng(lat=60.1699, lng=24.9384))
    assert answer.status is Status.ANSWERED
    assert "from your position" in answer.explanation


def test_surroundings_count_where_they_are_wished_for(agent: MapAgent) -> None:
    answer = ask(agent, "Recommend a relaxed cafe by a park near Kiasma")
    assert "around it: park" in answer.explanation
    assert any("surroundings" in item.source.arguments.get("query", "") for item in answer.evidence)


def test_every_place_comes_with_its_score_and_reasons(agent: MapAgent, raw: RawMap) -> None:
    answer = ask(agent, "Somewhere elegant for sushi near Kiasma or Senaatintori")
    assert answer.explanation.count("; score ") == 3
    for place in named(raw, answer, amenity=EATING):
        assert "sushi" in f"{place.tags.get('cuisine')} {place.name}".casefold()
    scores = [item for item in answer.evidence if item.kind == "computed" and "score" in item.value.label]
    assert len(scores) == 3
    assert all(item.derived_from for item in scores)


def test_an_empty_circle_says_what_a_wider_one_gives(agent: MapAgent, raw: RawMap) -> None:
    answer = ask(agent, "Find me a romantic hotel within 50 m of Amos Anderson taidemuseo")
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
    answer = ask(agent, "Somewhere cosy for Ethiopian dinner within 300 m of Kiasma")
    assert answer.status is Status.UNANSWERABLE
    assert not raw.all(amenity=EATING, cuisine="ethiopian")
    assert "None of the" in answer.reason
    assert "it is not stated" in answer.reason
    assert re.search(r"Without “ethiopian is in its cuisine.*” \d+ would be left", answer.reason)


def test_a_condition_that_the_map_cannot_tell_is_no_yes(agent: MapAgent) -> None:
    answer = ask(agent, "Suggest a romantic restaurant near Kiasma rated over 4.5 stars")
    assert answer.status is Status.UNANSWERABLE
    said = re.search(r"None of the (\d+) places .* Of (\d+) it is not stated", answer.reason)
    assert said is not None
    assert said[1] == said[2]


def test_what_is_left_out_is_counted(agent: MapAgent, raw: RawMap) -> None:
    answer = ask(agent, "Recommend a quiet Italian restaurant within 300 m of Kiasma")
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


def test_prices_that_the_map_does_not_state_are_a_matter_of_likeness(agent: MapAgent) -> None:
    answer = ask(agent, "Suggest a romantic and cheap restaurant near Kiasma")
    assert answer.status is Status.ANSWERED
    assert any("no prices" in warning for warning in answer.warnings)


def test_the_worked_example_of_the_documentation() -> None:
    pytest.importorskip("wordllama")
    agent = MapAgent(Settings(), provider=OsmProvider.open(demo_map()))
    try:
        answer = ask(agent, "Somewhere elegant for an Italian dinner near Kiasma")
    finally:
        asyncio.run(agent.close())
    documented = (Path(__file__).parents[3] / "docs" / "recommender.md").read_text("utf-8")
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
    answer = ask(agent, f"Suggest a romantic restaurant near Kiasma, {both}")
    assert answer.status is Status.ANSWERED
    assert any("both closeness and quality" in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Suggest a cosy cafe near Blobbeldi Zork", "Blobbeldi Zork"),
        ("A romantic restaurant on the way from Kiasma to Blobbeldi Zork", "Blobbeldi Zork"),
    ],
)
def test_an_unknown_anchor_is_named(agent: MapAgent, text: str, said: str) -> None:
    answer = ask(agent, text)
    assert answer.status is Status.UNANSWERABLE
    assert said in answer.reason


def test_a_wrong_setting_is_named() -> None:
    settings = Settings(modules={"recommender": {"places": 0}})
    agent = MapAgent(settings, provider=OsmProvider.open(demo_map()))
    try:
        with pytest.raises(ConfigError, match=r"'places' in \[modules.recommender\]"):
            ask(agent, "Recommend a quiet cafe near Kiasma")
    finally:
        asyncio.run(agent.close())


def _way(raw: RawMap, start: str, end: str) -> Thing:
    """The way on foot, from the reader's own call of the routing engine."""
    legs = raw.route("pedestrian", start, end)["trip"]["legs"]
    course = [(lng, lat) for leg in legs for lat, lng in decode_polyline(leg["shape"])]
    return Thing("way", 0, {}, course[0][1], course[0][0], LineString(course))


def test_the_area_between_two_places(agent: MapAgent, raw: RawMap) -> None:
    answer = ask(agent, "Recommend a quiet cafe between Kiasma and Ateneum")
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


def test_a_side_of_a_point(agent: MapAgent, raw: RawMap) -> None:
    answer = ask(agent, "Recommend a cosy cafe north of Kiasma")
    kiasma = raw.one("Kiasma", tourism="museum")
    assert answer.status is Status.ANSWERED
    for place in named(raw, answer, amenity="cafe"):
        east_m = (place.lng - kiasma.lng) * 111_320 * math.cos(math.radians(kiasma.lat))
        north_m = (place.lat - kiasma.lat) * 111_320
        assert north_m >= abs(east_m) * 0.98  # up to 45 degrees to each side


def test_a_part_of_a_region(agent: MapAgent, raw: RawMap) -> None:
    answer = ask(agent, "Somewhere cosy for dinner in the eastern part of Esplanadinpuisto, not a chain")
    park = raw.one("Esplanadinpuisto", leisure="park")
    assert answer.status is Status.ANSWERED
    assert all(place.lng > park.lng for place in named(raw, answer, amenity=EATING))
    assert "in the part of Esplanadinpuisto in the east" in answer.explanation


def test_what_cannot_be_ruled_out_is_said(agent: MapAgent) -> None:
    answer = ask(agent, "Somewhere casual for lunch near Kiasma, we are not looking for fine dining")
    assert any("could not be ruled out" in warning for warning in answer.warnings)


def test_a_meal_is_judged_on_its_day(agent: MapAgent, raw: RawMap) -> None:
    answer = ask(agent, "Somewhere elegant for brunch on Sunday near Kiasma, not a chain")
    assert answer.status is Status.ANSWERED
    assert "Sun 11:00" in answer.program
    sunday = FRIDAY.replace(day=8, hour=11)
    for place in named(raw, answer, amenity=EATING):
        assert "opening_hours" not in place.tags or place.open_at(sunday)


def test_without_the_sparse_retriever_distance_is_no_matter(raw: RawMap) -> None:
    settings = Settings(
        modules={"recommender": {"embed": {"model": "hashing"}, "without": ["sparse"], "places": 20}}
    )
    agent = MapAgent(settings, provider=OsmProvider.open(demo_map()))
    try:
        answer = ask(agent, "Recommend a quiet Italian restaurant within 100 m of Kiasma")
    finally:
        asyncio.run(agent.close())
    kiasma = raw.one("Kiasma", tourism="museum")
    assert any(raw.span(kiasma, place)[0] > 500 for place in named(raw, answer, amenity=EATING))

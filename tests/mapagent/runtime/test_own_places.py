"""Own places in questions and programs over the real map, and what models and providers get to know of them."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyproj import Geod

from map_tools.errors import InputFileError
from map_tools.facts import FailureFact, PlaceFact
from map_tools.own_places import NO_OWN_PLACES, OwnPlace, OwnPlaces
from map_tools.providers.base import Provider
from map_tools.providers.osm import OsmProvider
from map_tools.tools.base import ToolContext
from map_tools.types import LatLng
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Quantity, Status
from mapagent.core.conversation import WITHHELD
from mapagent.core.ports import ToolCall
from mapagent.core.question import Question, Turn
from mapagent.core.runstate import ToolBox
from mapagent.runtime.config import Settings
from mapagent.runtime.own_places import CurrentPlaces, OwnPlacesFile
from modules.planner.planner import ModelPlanner, PlannerSetting
from tests.support.chat import ScriptedModel
from tests.support.maps import demo_map

HOME, WORK = LatLng(lat=60.1650, lng=24.9400), LatLng(lat=60.1706, lng=24.9441)
NORTH, SOUTH = LatLng(lat=60.1760, lng=24.9420), LatLng(lat=60.1600, lng=24.9400)
SITES = "client sites"
OWN = OwnPlaces(
    (
        OwnPlace(name="Home", location=HOME),
        OwnPlace(name="work", location=WORK),
        OwnPlace(name="Kiasma", location=SOUTH),
        OwnPlace(name="Depot North", location=NORTH, kind=SITES),
        OwnPlace(name="Depot South", location=SOUTH, kind=SITES),
        OwnPlace(name="Twin", location=NORTH, kind="twins"),
        OwnPlace(name="Twin", location=SOUTH, kind="twins"),
        OwnPlace(name="Corner", location=HOME, kind="shops"),
    )
)


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    opened = OsmProvider.open(demo_map())
    yield opened
    asyncio.run(opened.close())


def straight_m(a: LatLng, b: LatLng) -> float:
    return float(Geod(ellps="WGS84").inv(a.lng, a.lat, b.lng, b.lat)[2])


def ran(provider: Provider, program: str, *, own: OwnPlaces = OWN, **question: Any) -> Answer:
    agent = MapAgent(Settings(), provider=provider, own=own)
    return asyncio.run(agent.query(program, question=Question(text="(a program)", **question)))


@pytest.mark.parametrize("words", ["home", "HOME", "my home", "our home", "the home"])
def test_a_name_is_the_own_place_however_it_is_said(provider: Provider, words: str) -> None:
    answer = ran(provider, f'answer(distance("{words}", "work"))')
    assert isinstance(answer.value, Quantity)
    assert answer.value.value == pytest.approx(straight_m(HOME, WORK), abs=1.0)
    assert "a place of your own" in " ".join(answer.assumptions)
    assert all(warning.startswith("On foot ") for warning in answer.warnings)


def test_an_own_name_comes_before_that_of_the_map(provider: Provider) -> None:
    own, of_map = (
        ran(provider, 'answer(distance("home", "Kiasma"))', own=each)
        for each in (OWN, OwnPlaces(OWN.places[:2]))
    )
    assert isinstance(own.value, Quantity)
    assert own.value.value == pytest.approx(straight_m(HOME, SOUTH), abs=1.0)
    assert of_map.text != own.text


@pytest.mark.parametrize(
    "question",
    [
        "Which cafe is nearest to home?",
        "Which cafe is nearest to my home?",
        "Which cafe is closest to my HOME?",
    ],
)
@pytest.mark.parametrize("near", [None, WORK])
def test_a_question_without_a_model_is_answered_from_it(
    provider: Provider, question: str, near: LatLng | None
) -> None:
    agent = MapAgent(Settings(), provider=provider, own=OWN)
    asked = asyncio.run(agent.ask(question, near=near))
    at_position = ran(provider, f'answer(nearest("cafe", to="{HOME.lat}, {HOME.lng}"))')
    assert (asked.status, asked.text) == (Status.ANSWERED, at_position.text)
    assert "home" in asked.understood.casefold()
    assert str(HOME) not in asked.understood


def test_a_question_about_here_stays_one(provider: Provider) -> None:
    agent = MapAgent(Settings(), provider=provider, own=OWN)
    asked = asyncio.run(agent.ask("Which cafe is nearest to me?", near=WORK))
    assert "your position" in asked.understood


def test_ways_trips_and_reach_begin_there(provider: Provider) -> None:
    named, placed = (
        ran(
            provider,
            f'answer(travel({start}, "Ateneum", "walk").duration, area=reachable({start}, "5 min", "walk").size, '
            f'trip=trip(["Ateneum"], start={start}, end={start}, mode="walk").duration)',
        )
        for start in ('"home"', f'"{HOME.lat}, {HOME.lng}"')
    )
    assert named.text == placed.text
    assert {name: part.text for name, part in named.parts.items()} == {
        name: part.text for name, part in placed.parts.items()
    }


def test_a_list_is_searched_like_a_kind(provider: Provider) -> None:
    answer = ran(
        provider,
        'answer(nearest("client site", here), near=places("my client sites", near="home", within="1 km"), '
        'all=count(places("client sites")))',
        near=WORK,
    )
    assert answer.text == "Depot North"  # 600 m north of work; the other is 1.2 km south
    assert (answer.parts["near"].text, answer.parts["all"].text) == ("Depot South", "2")
    assert answer.warnings == ()


def test_a_kind_of_the_map_stays_the_maps_unless_it_is_said_whose(provider: Provider) -> None:
    assert ran(provider, 'answer(nearest("shops", "home"))').text != "Corner"
    assert ran(provider, 'answer(nearest("my shops", "work"))').text == "Corner"


def test_several_of_a_name_are_not_guessed_among(provider: Provider) -> None:
    answer = ran(provider, 'answer(distance("Twin", "home"))')
    assert answer.status is not Status.ANSWERED
    assert "2 places of your own" in answer.reason
    assert ran(
        provider, 'answer(place("Twin", near="home"), m=distance(place("Twin", near="home"), "Kiasma"))'
    ).parts["m"].text in {"0 m", "0"}


@pytest.mark.parametrize("program", ['answer(places("cafe", inside="home"))', 'answer(line("home"))'])
def test_a_point_is_no_area_and_no_street(provider: Provider, program: str) -> None:
    answer = ran(provider, program)
    assert answer.status is not Status.ANSWERED
    assert "a place of your own, a point" in answer.reason


@pytest.mark.parametrize("field", ["location", "lat", "lng", "address"])
def test_where_it_is_is_not_told(provider: Provider, field: str) -> None:
    answer = ran(provider, f'answer(place("home").{field})')
    assert answer.status is not Status.ANSWERED
    assert "60.16" not in answer.text + answer.reason


@pytest.mark.parametrize(
    "area",
    [
        'buffer(place("home"), "100 m")',
        'buffer(buffer(place("home"), "50 m"), "50 m")',
        'reachable("home", "1 min", "walk")',
        'between("home", "Kamppi")',
        'clip(travel("home", "work", "walk"), inside=buffer("Ateneum", "2 km"))',
    ],
)
@pytest.mark.parametrize("field", ["location", "lat", "lng"])
def test_nor_where_an_area_around_it_is(provider: Provider, area: str, field: str) -> None:
    answer = ran(provider, f"answer({area}.{field}, whole={area})")
    assert answer.parts["whole"].known, answer
    assert answer.status is not Status.ANSWERED
    assert "made from a place of your own" in answer.reason
    assert "60.16" not in answer.text + answer.reason


def test_where_other_areas_are_is_told(provider: Provider) -> None:
    assert ran(provider, 'answer(buffer("Ateneum", "100 m").lat)').status is Status.ANSWERED


def test_a_supplied_text_alone_knows_none(provider: Provider) -> None:
    answer = ran(provider, 'answer(place("home").phone)', context="Home is a shop. Its phone is 12345.")
    assert "a place of your own" not in " ".join(answer.assumptions)


class Overhearing:
    """Passes all on to a map, and writes down what it was asked."""

    def __init__(self, inner: Provider) -> None:
        self._inner = inner
        self.heard: list[tuple[str, Any, Any]] = []

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not asyncio.iscoroutinefunction(found):
            return found

        async def overheard(*args: Any, **kwargs: Any) -> Any:
            self.heard.append((name, args, kwargs))
            return await found(*args, **kwargs)

        return overheard


def test_a_provider_is_told_positions_and_no_names(provider: Provider) -> None:
    overhearing: Any = Overhearing(provider)
    toolbox = ToolBox(overhearing, ToolContext(own=OWN))
    calls = (
        ToolCall(tool="PlaceInfo", arguments={"location_address": "home", "shape": True}),
        ToolCall(tool="Nearby", arguments={"query": "cafe", "location": "home", "radius": 300}),
        ToolCall(tool="Nearby", arguments={"query": "client sites", "location": "home"}),
        ToolCall(
            tool="Route",
            arguments={
                "origin": "home",
                "destination": "work",
                "waypoints": ["Depot North"],
                "travel_mode": "walking",
            },
        ),
        ToolCall(
            tool="Trip",
            arguments={"current_location": "home", "visiting_places": ["my work"], "travel_mode": "walking"},
        ),
        ToolCall(tool="Shapes", arguments={"locations": ["home"]}),
    )
    for call in calls:
        facts = asyncio.run(toolbox.call(call))
        assert facts, call
        assert not [fact for fact in facts if isinstance(fact, FailureFact)], (call, facts)
    told = repr(overhearing.heard).casefold()
    assert {name for name, _, _ in overhearing.heard} == {"nearby", "directions", "matrix"}
    assert "60.165" in told
    for secret in ("home", "work", "depot", "client", "own:"):
        assert secret not in told


def test_a_failure_does_not_tell_where_it_is(provider: Provider) -> None:
    far = OwnPlaces((OwnPlace(name="cabin", location=LatLng(lat=61.5, lng=25.5)),))
    facts = asyncio.run(
        ToolBox(provider, ToolContext(own=far)).call(
            ToolCall(
                tool="Route",
                arguments={"origin": "cabin", "destination": "Ateneum", "travel_mode": "walking"},
            )
        )
    )
    (failure,) = (fact for fact in facts if isinstance(fact, FailureFact))
    assert "61.5" not in failure.message
    assert "cabin" in failure.message
    assert any(
        isinstance(fact, PlaceFact) and fact.place.location == far.places[0].location for fact in facts
    )


def calling(tool: str, **arguments: object) -> str:
    return json.dumps({"name": tool, "arguments": arguments})


def test_a_model_reads_the_names_of_the_question_alone(provider: Provider) -> None:
    model = ScriptedModel(
        calling("PlaceInfo", location_address="home"),
        calling("Nearby", query="cafe", location="home", radius=300),
        calling("run_query", program='answer(nearest("client site", "home"))'),
        calling(
            "run_query",
            program='answer(place("home"), where=place("home").location, far=distance("home", "Ateneum"))',
        ),
        calling("finish", outcome="computed", answer="", evidence=[]),
    )
    agent = MapAgent(
        Settings(), provider=provider, planner=ModelPlanner(model, PlannerSetting(rounds=5)), own=OWN
    )
    answer = asyncio.run(agent.ask("How far is home from Ateneum?"))
    assert model.left == 0
    assert answer.parts["far"].known
    read = "\n".join(message.text for message in model.asked[-1])
    assert "Places of the asker's own, which are looked up by these names like any other: Home\n" in read
    assert "not told their names" in read
    for secret in ("60.165", "24.940000", "Depot", "Twin", "Corner"):
        assert secret not in read, secret


def test_an_answer_of_before_that_names_others_is_not_told_to_a_model(provider: Provider) -> None:
    """A list that was asked for without a model, and then asked on with one."""
    turns = (
        Turn(text="Which client site is nearest to Ateneum?", answer="Depot North"),
        Turn(text="How far is work from home?", answer="work is 640 m from Home"),
    )
    question = Question(text="And how far is that on foot?", earlier=turns)
    model = ScriptedModel(calling("finish", outcome="unanswerable", answer="", evidence=[]))
    agent = MapAgent(
        Settings(), provider=provider, planner=ModelPlanner(model, PlannerSetting(rounds=1)), own=OWN
    )
    asyncio.run(agent.ask(question))
    read = "\n".join(message.text for message in model.asked[0])
    assert "work is 640 m from Home" in read
    assert WITHHELD in read
    assert "Depot" not in read


def test_places_are_those_of_now(tmp_path: Path) -> None:
    file, current = OwnPlacesFile(tmp_path), CurrentPlaces(Settings(data_home=tmp_path))
    assert current() is NO_OWN_PLACES
    file.add([OWN.places[0]])
    first = current()
    assert first.places == OWN.places[:1]
    assert current() is first, "not read again"
    file.add([OWN.places[1]])
    assert current().places == OWN.places[:2]
    file.path.write_text("{")
    for _ in range(2):
        with pytest.raises(InputFileError, match="damaged"):
            current()
    file.remove()
    assert current() is NO_OWN_PLACES

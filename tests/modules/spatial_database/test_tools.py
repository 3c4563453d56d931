"""What a model reads in a question, held against its words; and LookUpKnowledge over a small wiki on the loopback."""

import asyncio
import json

import pytest

from map_tools.knowledge import ATTRIBUTION, MediaWiki, MediaWikiSetting
from mapagent.core.ports import RequestContext
from modules.spatial_database.tools.base import Observation, Toolkit
from modules.spatial_database.tools.look_up_knowledge import LookUpKnowledge
from modules.spatial_database.tools.parse_question import ParseQuestion, QuestionArguments, QuestionParts
from tests.map_tools.knowledge.wiki import wiki
from tests.support.chat import ScriptedModel
from tests.support.loopback import serving

EMPTY = {
    "feature_type": "museum", "metric": "name", "pick": "any", "anchors": ["Alder Hall"], "direction": "",
    "toward": "", "radius": "", "region": "", "streets": [],
}  # fmt: skip


def parts(question: str, **told: object) -> QuestionParts:
    """What is kept of a model's reply."""
    tool = ParseQuestion(ScriptedModel(json.dumps(EMPTY | told)), RequestContext())
    return asyncio.run(tool.run(QuestionArguments(question=question)))


@pytest.mark.parametrize(
    ("question", "radius", "metric"),
    [
        ("Is there a museum within 60 km of Alder Hall?", "60 km", "name"),
        ("Find a museum within a 60 km distance from Alder Hall.", "60 km", "name"),
        ("A museum not far from Alder Hall, please. Maximum distance: 60 km", "60 km", "name"),
        ("Where can I find a museum that's 60 km from Alder Hall?", "60 km", "location"),
        ("How far is a museum within 60 km of Alder Hall?", "60 km", "distance"),
        ("What is the distance from Alder Hall to a museum within 60 km?", "60 km", "distance"),
        ("How many kilometers is it from Alder Hall to the nearest museum?", "", "distance"),
        ("What's the separation to a museum from Alder Hall within 60 km?", "60 km", "distance"),
    ],
)
def test_a_range_is_no_question_after_the_distance(question: str, radius: str, metric: str) -> None:
    assert parts(question, metric="distance", radius=radius).metric == metric


def test_other_questions_are_as_the_model_takes_them() -> None:
    assert parts("How many museums are within 60 km of Alder Hall?", metric="count").metric == "count"


def test_what_the_question_does_not_say_is_dropped() -> None:
    told = parts(
        "Which museum lies west of Alder Hall?",
        anchors=["Alder Hall", "Fern Mill"],
        direction="west",
        toward="Moss Gate",
        radius="5 km",
        region="Kent",
    )
    assert told.anchors == ("Alder Hall",)
    assert (told.direction, told.toward, told.radius_m, told.region) == ("west", None, None, None)


def test_what_stands_right_beside_is_a_choice_of_its_own() -> None:
    assert parts("What museum is next to Alder Hall?", pick="beside").pick == "beside"


@pytest.mark.parametrize("leading", ["on the route to", "towards the", "when approaching", "heading for"])
def test_a_place_one_is_headed_for_is_none_to_measure_from(leading: str) -> None:
    question = f"Which museum is {leading} Fern Mill within 60 km of Alder Hall?"
    told = parts(question, anchors=["Alder Hall", "Fern Mill"], radius="60 km")
    assert (told.anchors, told.toward) == (("Alder Hall",), "Fern Mill")


def look_up(url: str, **arguments: str) -> Observation:
    async def asked() -> Observation:
        source = MediaWiki(MediaWikiSetting(api_url=f"{url}/w/api.php", contact="mapper@fernport.town"))
        try:
            return await Toolkit((LookUpKnowledge(source),)).call("LookUpKnowledge", arguments)
        finally:
            await source.close()

    return asyncio.run(asked())


def test_a_fact_that_no_map_has() -> None:
    with serving(wiki) as server:
        seen = look_up(server.url, subject="Alder Stadium", fact="capacity, spectators")
    assert seen.result is not None
    assert "It has a capacity of 12,400 spectators" in seen.result["passage"]
    assert "opened in 1931" not in seen.result["passage"]
    assert (seen.result["attribution"], seen.result["wikidata"]) == (ATTRIBUTION, "Q7")


def test_a_place_that_a_fact_describes() -> None:
    with serving(wiki) as server:
        seen = look_up(server.url, subject="hospital pediatric emergency Fernport")
    assert seen.result is not None
    assert seen.result["title"] == "Fern Hospital"


def test_no_page_is_an_observation() -> None:
    with serving(wiki) as server:
        seen = look_up(server.url, subject="zeppelin")
    assert not seen.ok
    assert "has no page about 'zeppelin'" in seen.text

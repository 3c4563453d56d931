"""Each tool through the official client: what it says against the hand-written world's own figures."""

import base64
import json
from pathlib import Path
from typing import Any

import osmium
import pytest
from geographiclib.geodesic import Geodesic

from evals.generate.map_images.generator import generate
from map_tools.vision.ocr import is_available
from mapagent.llm.chat import text_tokens
from mapagent.runtime.config import Settings
from tests.map_tools.vision.drawing import face
from tests.mapagent.interfaces.mcp.conftest import calling
from tests.support.data import demo_extract
from tests.support.maps import demo_map

pytestmark = pytest.mark.anyio


async def test_ten_tools_that_only_read_and_say_what_they_return(harbour: Settings) -> None:
    async with calling(harbour) as call:
        tools = (await call.client.list_tools()).tools
    assert [tool.name for tool in tools] == [
        "ask_map",
        "run_query",
        "find_nearby",
        "place_info",
        "resolve_place",
        "route",
        "trip",
        "recommend_places",
        "query_map_data",
        "locate_map_image",
    ]
    for tool in tools:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is True
        assert tool.input_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema is not None
        assert {"summary", "handle", "attribution"} <= set(tool.output_schema["properties"])
        assert tool.description


async def test_what_the_list_of_tools_costs_a_conversation(harbour: Settings) -> None:
    async with calling(harbour) as call:
        tools = (await call.client.list_tools()).tools
    read = [tool.model_dump(mode="json", include={"name", "description", "input_schema"}) for tool in tools]
    cost = {one["name"]: text_tokens(json.dumps(one, ensure_ascii=False)) for one in read}
    assert cost.pop("run_query") < 5_700, "the operator card and six examples"
    assert sum(cost.values()) < 6_000


async def test_a_question_is_answered_with_its_evidence(harbour: Settings) -> None:
    async with calling(harbour) as call:
        told = await call(
            "ask_map",
            question="How long does it take to drive from Customs House to Lighthouse Museum?",
            options=["9 minutes", "12 minutes", "20 minutes"],
        )
        assert (told.data["status"], told.data["option"], told.data["option_index"]) == ("answered", "B", 1)
        assert told.data["summary"] == "B. 12 minutes"
        assert told.data["attribution"] == "© The harbour town's mapmakers"
        assert told.text.splitlines()[0] == "B. 12 minutes"
        assert told.text.splitlines()[-1] == "© The harbour town's mapmakers"
        assert told.data["value"] == {"kind": "quantity", "unit": "s", "value": 720}
        assert any("12.0 min, 3800 m" in item["fact"] for item in told.data["evidence"])
        assert f"I understood: {told.data['understood']}" in told.text
        assert f"\nprogram: {told.data['program']}\n" in told.text
        again = await call("run_query", program=told.data["program"], options=["9 minutes", "12 minutes"])
        assert again.data["option"] == "B"
        assert "program:" not in again.text, "who sends a program has it already"
        whole = await call.client.read_resource(told.handle or "")
    answer = json.loads(whole.contents[0].text)["answer"]  # type: ignore[union-attr]
    assert answer["option"] == "B"
    assert [step["id"] for step in answer["plan"]["steps"]][-1] == "answer"


async def test_the_steps_of_a_plan_are_told_on_the_way(harbour: Settings) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async with calling(harbour) as call:
        await call.client.call_tool(
            "ask_map",
            {"question": "How long is the drive from Customs House to Lighthouse Museum?"},
            progress_callback=note,
        )
    done = [progress for progress, _, _ in told]
    assert done == sorted(set(done))
    (total,) = {total for _, total, _ in told}
    assert told[0][0] == 0.5
    assert "Customs House" in (told[0][2] or "")
    assert done[-1] == total


async def test_what_is_not_understood_is_an_answer_and_no_error(harbour: Settings) -> None:
    async with calling(harbour) as call:
        told = await call("ask_map", question="?")
    assert told.data["status"] == "not_understood"
    assert told.data["answer"] == ""
    assert told.data["reason"] in told.data["summary"]


async def test_a_text_with_the_facts_is_enough(harbour: Settings) -> None:
    context = "Travel time from Elm House to Oak House on foot is 17 mins (1.3 km)."
    async with calling(harbour) as call:
        told = await call(
            "ask_map", question="How long does it take to walk from Elm House to Oak House?", context=context
        )
    assert "17 min" in told.data["answer"]


async def test_a_recommendation_names_places_of_the_map(helsinki: Settings) -> None:
    async with calling(helsinki) as call:
        told = await call("recommend_places", wish="an elegant Italian restaurant", near="Kiasma", radius=500)
        passed = await call("recommend_places", wish="a cosy cafe", along=["Kiasma", "Ateneum"])
        known = await call("place_info", place=told.data["places"][0]["id"])
        nothing = await call("recommend_places", wish="The capital of France")
    assert told.data["status"] == "answered"
    assert told.data["places"][0]["name"] in told.data["explanation"]
    assert "the walking way from Kiasma" in passed.data["explanation"]
    assert known.data["place"]["name"] == told.data["places"][0]["name"]
    assert (nothing.data["status"], nothing.data["places"]) == ("unanswerable", [])


def is_cafe(spot: Any) -> bool:
    """By the tag itself, as https://wiki.openstreetmap.org/wiki/Tag:amenity%3Dcafe defines it."""
    return bool(spot.tags.get("amenity") == "cafe")


async def test_sql_runs_over_the_map_and_only_reads(helsinki: Settings) -> None:
    count = "SELECT count(*) AS n FROM pois WHERE amenity = 'cafe'"
    rows = "SELECT poi_name, amenity FROM pois WHERE amenity = 'cafe' ORDER BY id"
    async with calling(helsinki) as call:
        tables = await call("query_map_data")
        counted = await call("query_map_data", sql=count)
        few = await call("query_map_data", sql=rows, max_rows=3)
        dropped = await call.refused("query_map_data", sql="DROP TABLE pois")
        misspelt = await call.refused("query_map_data", sql="SELECT nmae FROM pois")
    assert {table["name"] for table in tables.data["tables"]} == {
        "pois",
        "parks",
        "lakes",
        "roads",
        "regions",
    }
    assert counted.data["columns"] == ["n"]
    features = osmium.FileProcessor(str(demo_extract()))
    assert counted.data["rows"] == [[sum("name" in spot.tags for spot in features if is_cafe(spot))]]
    assert len(few.data["rows"]) == 3
    assert few.data["truncated"] is True
    assert dropped.startswith("DROP is not allowed: the database can only be read.")
    assert "nmae" in misspelt


async def test_a_provider_without_a_map_of_its_own_has_no_sql(harbour: Settings) -> None:
    async with calling(harbour) as call:
        refused = await call.refused("query_map_data", sql="SELECT 1")
    assert refused.startswith("The provider 'recorded' has no map of its own to query.")


@pytest.mark.skipif(not is_available(), reason="needs the extra 'vision'")
async def test_a_picture_is_located(helsinki: Settings, tmp_path: Path) -> None:
    face(10)
    generate(demo_map(), 1, 11, tmp_path / "pictures")
    truth = json.loads((tmp_path / "pictures" / "frames.jsonl").read_text("utf-8").splitlines()[0])
    picture = (tmp_path / "pictures" / truth["image"]).read_bytes()
    data = "data:image/png;base64," + base64.b64encode(picture).decode()
    async with calling(helsinki) as call:
        told = await call("locate_map_image", image=data)
    center = told.data["frame"]["center"]
    off_m = Geodesic.WGS84.Inverse(
        center["lat"], center["lng"], truth["center"]["lat"], truth["center"]["lng"]
    )["s12"]
    assert off_m < 20
    assert told.data["frame"]["metres_per_px"] == pytest.approx(truth["metres_per_px"], rel=0.01)


async def test_what_is_no_picture_is_refused(harbour: Settings) -> None:
    data = "data:image/png;base64," + base64.b64encode(b"no picture").decode()
    async with calling(harbour) as call:
        assert "is not a picture" in await call.refused("locate_map_image", image=data)


async def test_wrong_arguments_are_named(harbour: Settings) -> None:
    async with calling(harbour) as call:
        missing = await call.refused("find_nearby", near="Customs House")
        wrong = await call.refused("find_nearby", query="cafe", near="Customs House", radius=-5)
        unknown = await call.refused("route", origin="a", destination="b", mode="walk", run="rm -rf /")
        nowhere = await call.refused("find_nearby", query="cafe")
        flying = await call.refused("route", origin="a", destination="b", mode="fly")
    assert missing == "find_nearby: argument 'query': Field required. See the tool's input schema."
    assert "argument 'radius': Input should be greater than 0" in wrong
    assert "argument 'run'" in unknown
    assert nowhere == "Where? The search has no place. Give near, inside or on."
    assert "argument 'mode'" in flying


async def test_a_reply_keeps_to_its_budget_and_the_rest_can_be_fetched(helsinki: Settings) -> None:
    async with calling(helsinki, reply_tokens=600) as call:
        told = await call("find_nearby", query="restaurant", near="Ateneum", limit=100)
        whole = await call.client.read_resource(told.handle or "")
    answer = json.loads(whole.contents[0].text)["answer"]  # type: ignore[union-attr]
    assert len(answer["places"]) == told.data["total"] > 100
    assert len(told.data["places"]) + told.data["omitted"] == 100
    assert (
        f"{told.data['omitted']} more entries are left out here. The whole result: {told.handle}" in told.text
    )


async def test_without_a_map_every_tool_says_what_to_do(tmp_path: Path) -> None:
    async with calling(Settings(data_home=tmp_path)) as call:
        for tool, arguments in (
            ("ask_map", {"question": "Where is Ateneum?"}),
            ("run_query", {"program": 'answer(place("Ateneum"))'}),
            ("place_info", {"place": "Ateneum"}),
            ("find_nearby", {"query": "cafe", "near": "Ateneum"}),
            ("resolve_place", {"names": ["Ateneum"]}),
            ("route", {"origin": "Ateneum", "destination": "Kiasma", "mode": "walk"}),
            ("trip", {"places": ["Ateneum", "Kiasma"], "modes": ["walk"]}),
            ("query_map_data", {}),
        ):
            assert "mapagent map add" in await call.refused(tool, **arguments)

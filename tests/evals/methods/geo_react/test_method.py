"""The method over a real map, with a scripted Chat Completions server over real HTTP."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from anyio import run
from geographiclib.geodesic import Geodesic

from evals.methods.geo_react.answer import point_in
from evals.methods.geo_react.method import REMOVED, GeoReact
from evals.ports import EvalContext, Task
from map_tools.errors import ConfigError, UnknownNameError
from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng
from mapagent.core.answer import Answer, Named, Quantity, Status
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.llm.open import open_model
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger
from modules.spatial_database.database import open_database
from tests.evals.methods.geo_react.moves import finish, move, sql
from tests.support.chat import completion
from tests.support.loopback import Asked, Scripted, json_reply, serving
from tests.support.maps import demo_map

CATHEDRAL = "SELECT poi_name, geometry FROM pois WHERE poi_name = 'Helsingin tuomiokirkko'"
QUESTION = "Which is the nearest museum to Helsingin tuomiokirkko?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data home in which the map's databases are built once."""
    return tmp_path_factory.mktemp("home")


def server_script(replies: Sequence[str], bodies: list[dict[str, Any]]) -> Any:
    left = list(replies)

    def script(asked: Asked) -> Scripted:
        if asked.method == "GET":
            return json_reply({"object": "list", "data": [{"id": "small", "object": "model"}]})
        bodies.append(json.loads(asked.body))
        return json_reply(completion(left.pop(0)))

    return script


def ask(
    home: Path, replies: Sequence[str], question: str = QUESTION, method: GeoReact | None = None, **own: Any
) -> tuple[Answer, list[dict[str, Any]]]:
    """The method's answer over the demo map, and what the model server was asked."""
    bodies: list[dict[str, Any]] = []

    async def asked(base_url: str) -> Answer:
        settings = Settings(
            model="small", base_url=base_url, data_home=home, model_cache=False,
            modules={"spatial_database": own},
        )  # fmt: skip
        provider = OsmProvider.open(demo_map())
        database = open_database(settings, demo_map())
        model = open_model(settings)
        try:
            context = EvalContext(settings, provider=provider, model=model, database=database)
            task = Task(question=Question(text=question))
            return await (method or GeoReact()).answer(
                task, context, RequestContext(Ledger(settings.limits()))
            )
        finally:
            await model.close()
            database.close()
            await provider.close()

    with serving(server_script(replies, bodies)) as server:
        return run(asked, f"{server.url}/v1"), bodies


def test_a_question_is_thought_through(home: Path) -> None:
    nearest = move("CalculateMetric", metric="nearest", feature="museum", origin="Helsingin tuomiokirkko")
    _, asked = ask(home, [nearest, finish("Unanswerable")])
    name = asked[-1]["messages"][-1]["content"].partition("1. ")[2].partition(";")[0]
    answer, bodies = ask(home, [nearest, finish(name)])
    assert (answer.status, answer.text) == (Status.ANSWERED, name)
    assert isinstance(answer.value, Named)
    assert answer.value.place is not None
    assert answer.value.place.location is not None
    assert answer.explanation == "CalculateMetric"
    assert len(bodies) == 2
    assert "Observation 1: 1. " in bodies[-1]["messages"][-1]["content"]


def test_an_amount_is_the_tools_own(home: Path) -> None:
    distance = move("CalculateMetric", metric="distance", origin="60.17, 24.95", target="60.18, 24.95")
    answer, _ = ask(home, [distance, finish("1.1 km")], "How far is it?")
    assert isinstance(answer.value, Quantity)
    truth = Geodesic.WGS84.Inverse(60.17, 24.95, 60.18, 24.95)["s12"]
    assert answer.value.value == pytest.approx(truth, abs=0.01)


def test_sql_over_the_map(home: Path) -> None:
    count = sql("SELECT count(*) FROM pois WHERE tourism == 'museum'")
    answer, bodies = ask(home, [count, finish("0"), finish("0")], "How many museums are there?")
    told = bodies[-1]["messages"][-1]["content"]
    assert "Mended: equality is written =" in told
    number = told.partition("count\n1. ")[2].partition("\n")[0]
    assert int(number) > 5
    assert answer.status is Status.UNANSWERABLE
    right, _ = ask(home, [count, finish(number)], "How many museums are there?")
    assert right.value == Quantity(value=float(number), unit="count")


def test_tools_that_are_taken_away_are_gone_for_good(home: Path) -> None:
    nearest = move("CalculateMetric", metric="nearest", feature="museum", origin="Helsingin tuomiokirkko")
    answer, bodies = ask(
        home, [nearest, finish("Unanswerable")], method=GeoReact(("ParseQuestion", "ResolveLocation"))
    )
    system, *_ = bodies[0]["messages"]
    assert "ParseQuestion" not in system["content"]
    assert "- GetPOIFilter: (grounding: object)" in system["content"]
    assert answer.status is Status.UNANSWERABLE
    assert "There is no tool here that finds places by name." in bodies[-1]["messages"][-1]["content"]


def test_an_answer_that_no_tool_gave_is_none(home: Path) -> None:
    answer, _ = ask(home, [sql(CATHEDRAL), finish("Grand Museum"), finish("Grand Museum")])
    assert answer.status is Status.UNANSWERABLE
    assert "not supported" in answer.reason


def test_variants_go_without_a_tool_and_all_before_it() -> None:
    names = [method.name for method in map(GeoReact().variant, REMOVED)]
    assert names == [f"geo-react:{name}" for name in REMOVED]
    with pytest.raises(UnknownNameError, match="no-parse-question"):
        GeoReact().variant("no-model")


def test_a_wrong_setting_is_named(home: Path) -> None:
    with pytest.raises(ConfigError, match="max_steps"):
        ask(home, [], max_steps=0)


def test_positions_are_read_either_way() -> None:
    assert point_in("POINT (24.95 60.17)") == point_in("at 60.17, 24.95") == LatLng(lat=60.17, lng=24.95)

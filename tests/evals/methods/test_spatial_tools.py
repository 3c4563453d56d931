"""Rival agents with the tools of the spatial database, over a real map."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evals.methods.agents import Chameleon, OctoTools, React
from evals.methods.llm_compiler import LlmCompiler
from evals.ports import Method, UsesDatabase
from evals.registry import load_method
from map_tools.errors import UnknownNameError, UsageError
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.spatial_db.kept import open_kept
from map_tools.spatial_db.port import SpatialDatabase
from mapagent.answer import Status
from tests.evals.methods.desk import calls_of, run, task
from tests.support.maps import demo_map
from tests.support.scripted_model import ScriptedModel

ASKED = task("How many museums are there?")
COUNT = 'GenerateSQL[{"sql": "SELECT count(*) AS museums FROM pois WHERE tourism = \'museum\'"}]'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def database(home: Path) -> Iterator[SpatialDatabase]:
    opened = open_kept(demo_map(), home / "sql")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def provider() -> Provider:
    return OsmProvider.from_setting(ProviderSetting(name="osm", map_path=demo_map()))


def test_react_uses_them_beside_the_map_tools(
    home: Path, database: SpatialDatabase, provider: Provider
) -> None:
    model = ScriptedModel(
        f"Thought 1: I count.\nAction 1: {COUNT}",
        'Thought 2: again.\nAction 2: calculate_metric[{"metric": "count"}]',
        "Thought 3: so.\nAction 3: Finish[6]",
    )
    method = load_method("react:spatial-tools")
    assert (method.name, isinstance(method, UsesDatabase)) == ("react:spatial-tools", True)
    answer, account = run(method, ASKED, model, provider=provider, database=database, data_home=home)
    assert (answer.status, answer.text) == (Status.ANSWERED, "6")
    assert [name for name, _ in calls_of(account)] == ["GenerateSQL", "CalculateMetric"]
    system = model.asked[0][0].text
    assert "- Nearby: " in system
    assert "- GetRegionGeometry: " in system
    assert "Observation 1: museums\n1. 6" in model.prompt(2)
    assert "needs the argument 'feature'" in model.prompt(3)
    assert {item.source.tool for item in answer.evidence} == {"GenerateSQL", "CalculateMetric"}
    assert account.ledger.tool_calls == 2


@pytest.mark.parametrize(
    "method", [React(), LlmCompiler(), Chameleon(), OctoTools()], ids=lambda one: one.name
)
def test_every_rival_takes_them(method: Method) -> None:
    assert load_method(f"{method.name}:spatial-tools").name == f"{method.name}:spatial-tools"
    with pytest.raises(UnknownNameError, match="Known: spatial-tools"):
        load_method(f"{method.name}:hammer")


def test_they_need_a_database() -> None:
    with pytest.raises(UsageError, match="needs a spatial database"):
        run(load_method("react:spatial-tools"), ASKED, ScriptedModel())

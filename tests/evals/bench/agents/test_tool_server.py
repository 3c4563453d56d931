"""The map tools over HTTP: the same words as for the agents here."""

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from evals.bench.agents.servers import AT_ONCE, Stage, described, stage
from map_tools.tools import TOOLS


@pytest.fixture(name="ground")
def _ground() -> Iterator[Stage]:
    with stage("legs", AT_ONCE) as ground:
        ground.tools.begin(ground.tasks[0].task)
        yield ground


def _call(ground: Stage, tool: str, **arguments: Any) -> str:
    request = urllib.request.Request(f"{ground.tools_url}/tools/{tool}", json.dumps(arguments).encode())
    with urllib.request.urlopen(request, timeout=10) as reply:
        return str(json.loads(reply.read()))


def test_a_way_comes_back_as_text_and_its_map_calls_are_counted(ground: Stage) -> None:
    told = _call(
        ground, "Route", origin="Harbour Museum", destination="Linden Theatre", travel_mode="walking"
    )
    assert "walking from Harbour Museum to Linden Theatre: via Canal Street (10.0 min, 750 m)" in told
    assert dict(ground.tools.provider.calls) == {"find_place": 2, "directions": 1}


def test_a_new_question_counts_anew(ground: Stage) -> None:
    _call(ground, "PlaceInfo", location_address="Harbour Museum")
    ground.tools.begin(ground.tasks[0].task)
    assert ground.tools.provider.calls.total() == 0


def test_what_goes_wrong_is_told_in_words(ground: Stage) -> None:
    assert "Nowhere Hall" in _call(ground, "PlaceInfo", location_address="Nowhere Hall")


def test_tools_are_described_without_references() -> None:
    for tool in TOOLS.values():
        parameters = described(tool)["parameters"]
        assert all("type" in field for field in parameters["properties"].values()), tool.name
        assert "$ref" not in json.dumps(parameters)
    mode = described(TOOLS["Route"])["parameters"]["properties"]["travel_mode"]
    assert mode["enum"] == ["driving", "walking", "bicycling", "transit"]

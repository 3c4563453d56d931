"""The scripted model and the map tools behind HTTP."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.agents.servers import AT_ONCE, Latency, ModelServer, Stage, described, serving, stage
from benchmarks.agents.tasks import agent_tasks, city
from map_tools.tools import TOOLS
from mapagent.llm.chat import MESSAGE_TOKENS, text_tokens

TASKS = tuple(agent_tasks(city(), "legs"))
TRIP = TASKS[0]
QUESTION = TRIP.task.question.text
TOOL = {"type": "function", "function": {"name": "Route", "parameters": {"type": "object"}}}
LEGS = (
    "walking from Harbour Museum to Linden Theatre: via Canal Street (10.0 min, 750 m)\n"
    "walking from Linden Theatre to Old Customs House: via Canal Street (12.0 min, 900 m)\n"
    "walking from Old Customs House to Marble Library: via Canal Street (16.0 min, 1200 m)\n"
)


@pytest.fixture(name="server")
def _server() -> Iterator[tuple[ModelServer, str]]:
    server = ModelServer(TASKS, AT_ONCE)
    with serving(server) as (url,):
        yield server, url


def _ask(url: str, *messages: str, **more: Any) -> dict[str, Any]:
    told = [{"role": "user", "content": text} for text in messages]
    body = json.dumps({"model": "any", "messages": told, **more}).encode()
    request = urllib.request.Request(f"{url}/v1/chat/completions", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as reply:
        return json.loads(reply.read())


def test_an_agent_that_may_calls_all_tools_at_once(server: tuple[ModelServer, str]) -> None:
    reply = _ask(server[1], QUESTION, tools=[TOOL])["choices"][0]
    assert reply["finish_reason"] == "tool_calls"
    calls = [json.loads(call["function"]["arguments"]) for call in reply["message"]["tool_calls"]]
    assert [call["origin"] for call in calls] == ["Harbour Museum", "Linden Theatre", "Old Customs House"]


def test_an_agent_that_may_not_calls_one(server: tuple[ModelServer, str]) -> None:
    reply = _ask(server[1], QUESTION, tools=[TOOL], parallel_tool_calls=False)["choices"][0]
    assert len(reply["message"]["tool_calls"]) == 1


def test_with_all_facts_it_answers(server: tuple[ModelServer, str]) -> None:
    reply = _ask(server[1], QUESTION, LEGS, tools=[TOOL])["choices"][0]["message"]
    # 10 + 12 + 16 = 38 minutes; the options are 29, 47, 38 and 56.
    assert TRIP.task.question.options[2] == "38 minutes"
    assert reply["content"].endswith("^^3^^")


def test_an_agent_that_ends_by_a_function_is_answered_by_it(server: tuple[ModelServer, str]) -> None:
    final = {"type": "function", "function": {"name": "final_answer", "parameters": {"type": "object"}}}
    (call,) = _ask(server[1], QUESTION, LEGS, tools=[TOOL, final])["choices"][0]["message"]["tool_calls"]
    assert call["function"]["name"] == "final_answer"
    assert "^^3^^" in call["function"]["arguments"]


def test_an_agent_that_runs_code_is_sent_code(server: tuple[ModelServer, str]) -> None:
    system = "Write Python between <code> and </code>; final_answer(...) ends the run."
    first = _ask(server[1], system, QUESTION)["choices"][0]["message"]["content"]
    assert first.count("print(Route(origin=") == 3
    last = _ask(server[1], system, QUESTION, LEGS)["choices"][0]["message"]["content"]
    assert 'final_answer("' in last
    assert "^^3^^" in last


def test_words_tools_and_replies_are_counted(server: tuple[ModelServer, str]) -> None:
    usage = _ask(server[1], QUESTION, tools=[TOOL])["usage"]
    words = MESSAGE_TOKENS + text_tokens(QUESTION)
    assert usage["prompt_tokens"] == words + text_tokens(json.dumps([TOOL]))
    (counted,) = server[0].calls
    assert (counted.prompt_tokens, counted.completion_tokens) == (
        usage["prompt_tokens"],
        usage["completion_tokens"],
    )


def test_the_wait_grows_with_what_is_read_and_written() -> None:
    latency = Latency(first_s=0.5, read_token_s=0.001, token_s=0.01, map_s=0)
    assert latency.model_s(100, 20) == pytest.approx(0.5 + 0.1 + 0.2)


def test_what_no_script_covers_is_refused_and_remembered(server: tuple[ModelServer, str]) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        _ask(server[1], "What is the weather like?", tools=[TOOL])
    refused.value.close()
    assert refused.value.code == 400
    assert server[0].unscripted == ["What is the weather like?"]


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

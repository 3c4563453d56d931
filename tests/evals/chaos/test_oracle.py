"""The model server without a model: it writes the embedded planner's programs, however the client asks for them."""

import asyncio
import json
from typing import Any

import httpx2
import pytest

from evals.chaos.ways import running_oracle
from map_tools.providers.osm import OsmProvider
from mapagent.agent import MapAgent
from tests.support.maps import demo_map

QUESTION = "Which cinema is closest to Hotel Arthur?"
ASKED = {"role": "user", "content": f"Question: {QUESTION}"}
TOOLS = {"tools": [{"type": "function", "function": {"name": "run_query", "parameters": {"type": "object"}}}]}


def said(path: str, *messages: dict[str, Any], **body: Any) -> tuple[int, dict[str, Any]]:
    """The status, and the message or the whole reply."""

    async def post() -> tuple[int, dict[str, Any]]:
        async with (
            MapAgent(provider=OsmProvider.open(demo_map())) as agent,
            running_oracle(agent) as base_url,
            httpx2.AsyncClient(trust_env=False) as client,
        ):
            reply = await client.post(f"{base_url}{path}", json={"messages": list(messages), **body})
        told: dict[str, Any] = reply.json()
        return reply.status_code, told["choices"][0]["message"] if "choices" in told else told

    return asyncio.run(post())


def test_a_program_comes_as_the_call_of_a_tool() -> None:
    _, message = said("/v1/chat/completions", ASKED, **TOOLS)
    (call,) = message["tool_calls"]
    assert call["function"]["name"] == "run_query"
    assert '"Hotel Arthur"' in json.loads(call["function"]["arguments"])["program"]


def test_or_in_words_where_no_tools_are_offered() -> None:
    status, message = said("/v1/chat/completions", ASKED)
    told = json.loads(message["content"])
    assert (status, told["tool"]) == (200, "run_query")
    assert 'nearest("cinema"' in told["arguments"]["program"]


@pytest.mark.parametrize("role", ["tool", "assistant"])
def test_after_a_result_it_is_content_with_it(role: str) -> None:
    _, message = said(
        "/v1/chat/completions", ASKED, {"role": role, "content": "Result 1: Kinopalatsi"}, **TOOLS
    )
    (call,) = message["tool_calls"]
    assert call["function"]["name"] == "finish"
    assert json.loads(call["function"]["arguments"]) == {"outcome": "computed"}


def test_what_it_cannot_read_it_refuses() -> None:
    _, message = said("/v1/chat/completions", {"role": "user", "content": "Question: ?"})
    told = json.loads(message["content"])
    assert (told["tool"], told["arguments"]["outcome"]) == ("finish", "unanswerable")


def test_it_has_one_path() -> None:
    assert said("/v1/models", ASKED)[0] == 404

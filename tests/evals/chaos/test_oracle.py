"""The model server without a model: it says a question again, however the client asks for it."""

import asyncio
import json
from typing import Any

import httpx2
import pytest
from modules.llm.planning import Outline
from modules.llm.restating import Restated

from evals.chaos.oracle import running_oracle
from mapagent.llm.schemas import plain_schema

QUESTION = "Which cinema is closest to Hotel Arthur?"
ASKED = {"role": "user", "content": f"Question: {QUESTION}\nOptions:\nA. Bio Rex"}
SCHEMA = plain_schema(Restated)
HELD = {"response_format": {"type": "json_schema", "json_schema": {"name": "Restated", "schema": SCHEMA}}}
FUNCTION = {"tools": [{"type": "function", "function": {"name": "Restated", "parameters": SCHEMA}}]}
WORDS = {"messages": [ASKED | {"content": f"{ASKED['content']}\n\nFit this:\n{json.dumps(SCHEMA)}\nOnly."}]}


def said(path: str, **body: Any) -> tuple[int, dict[str, Any]]:
    """The status, and the message or the whole reply."""

    async def post() -> tuple[int, dict[str, Any]]:
        async with running_oracle() as base_url, httpx2.AsyncClient(trust_env=False) as client:
            reply = await client.post(f"{base_url}{path}", json={"messages": [ASKED], **body})
        told: dict[str, Any] = reply.json()
        return reply.status_code, told["choices"][0]["message"] if "choices" in told else told

    return asyncio.run(post())


@pytest.mark.parametrize("body", [HELD, WORDS], ids=["held", "in words"])
def test_the_question_comes_back_as_json(body: dict[str, Any]) -> None:
    status, message = said("/v1/chat/completions", **body)
    assert (status, json.loads(message["content"])) == (200, {"plain": QUESTION})


def test_the_question_comes_back_as_the_arguments_of_a_function() -> None:
    _, message = said("/v1/chat/completions", **FUNCTION)
    (call,) = message["tool_calls"]
    assert (call["function"]["name"], json.loads(call["function"]["arguments"])) == (
        "Restated",
        {"plain": QUESTION},
    )


def test_of_anything_else_it_has_nothing_to_say() -> None:
    held = {"type": "json_schema", "json_schema": {"name": "Outline", "schema": plain_schema(Outline)}}
    _, message = said("/v1/chat/completions", response_format=held)
    assert json.loads(message["content"]) == {"steps": []}


def test_it_has_one_path() -> None:
    assert said("/v1/models")[0] == 404

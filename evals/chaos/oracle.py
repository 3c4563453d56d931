"""A model server without a model: it says each question again in its own words, which is enough to be useful.

It speaks Chat Completions (https://platform.openai.com/docs/api-reference/chat). A request that wants a
question in plain words gets the question back; one that wants anything else is told that there is nothing to
say, in the shape that was asked for.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from map_tools.emulate.http import HttpServer, Reply, Request
from modules.llm.restating import Restated

HOST = "127.0.0.1"
NAME = "oracle"
ASKED = "Question:"
"""How the prompts introduce the question (`modules/llm/prompts`)."""


@asynccontextmanager
async def running_oracle() -> AsyncIterator[str]:
    """Serves on a free port while the body runs; gives its address, to which /v1 is added."""
    server = HttpServer(_answer)
    try:
        yield f"http://{HOST}:{await server.start(HOST, 0)}"
    finally:
        await server.close()


async def _answer(request: Request) -> Reply:
    if not request.path.endswith("/chat/completions"):
        return Reply(404, b'{"error": {"message": "There is no such path."}}')
    body = json.loads(request.body)
    words = _words(body)
    message = {"role": "assistant", "content": words}
    completion = {
        "id": "chatcmpl-oracle",
        "object": "chat.completion",
        "model": NAME,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": len(request.body) // 4, "completion_tokens": len(words) // 4},
    }
    return Reply(200, json.dumps(completion).encode())


def _words(body: dict[str, Any]) -> str:
    """What is said to a request that names the shape it wants (`response_format`)."""
    wanted = body.get("response_format", {}).get("json_schema", {})
    if wanted.get("name") == Restated.__name__:
        return json.dumps({"plain": _question(body)})
    return json.dumps(_blank(wanted.get("schema", {})))


def _question(body: dict[str, Any]) -> str:
    """The question as it was first put, without its options."""
    asked = next(message["content"] for message in body["messages"] if message["role"] == "user")
    return str(asked).removeprefix(ASKED).strip().partition("\n")[0]


def _blank(schema: dict[str, Any]) -> Any:
    """The emptiest value of a shape."""
    match schema.get("type"):
        case "object":
            return {name: _blank(inner) for name, inner in schema.get("properties", {}).items()}
        case "array":
            return []
        case "number" | "integer":
            return 0
        case "boolean":
            return False
    return schema.get("enum", [""])[0]

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
(_PLAIN,) = Restated.model_fields


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
    schema = _schema(body)
    words = json.dumps({"plain": _question(body)} if _PLAIN in schema["properties"] else _blank(schema))
    completion = {
        "id": "chatcmpl-oracle",
        "object": "chat.completion",
        "model": NAME,
        "choices": [{"index": 0, "message": _message(body, words), "finish_reason": "stop"}],
        "usage": {"prompt_tokens": len(request.body) // 4, "completion_tokens": len(words) // 4},
    }
    return Reply(200, json.dumps(completion).encode())


def _schema(body: dict[str, Any]) -> dict[str, Any]:
    """The shape that is wanted, however the client asks for it: held, as a function, or in words."""
    schema: dict[str, Any]
    if "response_format" in body:
        schema = body["response_format"]["json_schema"]["schema"]
    elif "tools" in body:
        schema = body["tools"][0]["function"]["parameters"]
    else:
        said = "\n".join(message["content"] for message in body["messages"] if message["role"] == "user")
        schema, _ = json.JSONDecoder().raw_decode(said, said.index("{"))
    return schema


def _message(body: dict[str, Any], words: str) -> dict[str, Any]:
    """The reply as words, or as the arguments of the function that was offered."""
    if "tools" not in body:
        return {"role": "assistant", "content": words}
    function = {"name": body["tools"][0]["function"]["name"], "arguments": words}
    call = {"id": "call_1", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


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

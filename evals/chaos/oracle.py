"""A model server without a model: it writes the programs that the embedded planner writes, and takes their results.

It speaks Chat Completions (https://platform.openai.com/docs/api-reference/chat). Asked for anything but the next
turn of a planner's conversation it has nothing to say.
"""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from map_tools.emulate.http import HttpServer, Reply, Request
from mapagent.agent import MapAgent

HOST = "127.0.0.1"
NAME = "oracle"
_ASKED = re.compile(r"^Question: (.*?)(?:\nOptions:\n(.*))?\Z", re.DOTALL | re.MULTILINE)
"""How the planner puts a question (`modules/planner/prompts/question.md`)."""
_LETTER = re.compile(r"^[A-Z]\. ", re.MULTILINE)


@asynccontextmanager
async def running_oracle(agent: MapAgent) -> AsyncIterator[str]:
    """Serves on a free port while the body runs; gives its address, to which /v1 is added.

    Args:
        agent: Writes the programs, without a model.
    """

    async def reply(request: Request) -> Reply:
        if not request.path.endswith("/chat/completions"):
            return Reply(404, b'{"error": {"message": "There is no such path."}}')
        body = json.loads(request.body)
        message = await _message(body, agent)
        completion = {
            "id": "chatcmpl-oracle",
            "object": "chat.completion",
            "model": NAME,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": len(request.body) // 4, "completion_tokens": len(str(message)) // 4},
        }
        return Reply(200, json.dumps(completion).encode())

    server = HttpServer(reply)
    try:
        yield f"http://{HOST}:{await server.start(HOST, 0)}"
    finally:
        await server.close()


async def _message(body: dict[str, Any], agent: MapAgent) -> dict[str, Any]:
    """The next turn: a program, or after a result its end; in words where no tools are offered."""
    last = body["messages"][-1]
    name, arguments = "finish", {"outcome": "computed"}
    if last["role"] == "user" and (asked := _ASKED.search(str(last["content"]))) is not None:
        options = tuple(filter(None, map(str.strip, _LETTER.split(asked[2] or ""))))
        answer = await agent.ask(asked[1].strip(), options=options)
        if answer.program:
            name, arguments = "run_query", {"program": answer.program}
        else:
            arguments = {"outcome": "unanswerable", "reason": answer.reason}
    if "tools" not in body:
        return {"role": "assistant", "content": json.dumps({"tool": name, "arguments": arguments})}
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
    }
